"""A study as an ordinary one of Optuna's: in memory, as a journal file, or in a database, for its plots and dashboard.

It is made from the study's folder on request. Nothing reads it again, so changes to a journal or a database do not affect
the study.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any, Final

import optuna
import pandas as pd
from optuna.storages import BaseStorage, JournalStorage, RDBStorage
from optuna.storages.journal import BaseJournalBackend, JournalFileBackend
from optuna.study import StudyDirection
from optuna.trial import FrozenTrial, TrialState

from tag.errors import DataError, TagError
from tag.tournaments.tracking.stores import reason_of, without_password
from tag.tuning.agent.definition import StudyDefinition, StudyManifest, read_study_manifest
from tag.tuning.agent.objectives import direction_of
from tag.tuning.samplers.model_sampler import GAMES
from tag.tuning.search.trials import COMPLETE, DROPPED, VOID
from tag.tuning.space.configurations import Configuration
from tag.tuning.study.files import RUNGS, TIMES, TRIALS, read_frame

JOURNAL: Final = "optuna.journal"
#: A study with more trials has a journal only on request: at some 1,500 bytes each they grow large.
MOST_TRIALS: Final = 10_000

_ID: Final = "study.id"
#: The columns of trials that become user attributes.
_ATTRIBUTES: Final = (GAMES, "spec", "error", "number", "generation")
#: A trial by generation and number.
_Place = tuple[int, int]
_STATES: Final = {COMPLETE: TrialState.COMPLETE, DROPPED: TrialState.PRUNED, VOID: TrialState.FAIL}


def load_optuna_study(folder: str | Path, name: str = "") -> optuna.Study:
    """Return the study in ``folder``, with its trials so far, as an Optuna study in memory.

    Trials have the user attributes ``games``, ``spec``, ``error``, ``number`` as in ``trials.parquet``, and in
    self-play ``generation``. Those that could be pruned have the value after each rung, by games that counted. Trials
    without games that count failed. Times are those of the study, in local time as Optuna has it.

    Args:
        folder: of the study.
        name: of Optuna's; that of the folder by default.

    Raises:
        DataError: there is no study, or a file is damaged.
    """
    path = Path(folder)
    return _filled(path, name or path.resolve().name, None)


def export_optuna_study(folder: Path, storage: str, name: str = "") -> optuna.Study:
    """Write the study in ``folder``, with its trials so far, over its earlier export.

    Args:
        folder: of the study.
        storage: the path of a journal file, which is written whole and can hold no other study; or the URL of a database,
            ``sqlite:///studies.db`` or ``postgresql://…``, which can.
        name: of Optuna's; that of the folder by default.

    Raises:
        DataError: there is no study, or it cannot be written.
    """
    chosen = name or folder.resolve().name
    study_id = read_study_manifest(folder).id
    with _sayable(storage):
        if "://" not in storage:
            _check_ours(Path(storage), study_id)
            return _write_journal(folder, Path(storage), chosen)
        database = RDBStorage(storage)
        try:
            _make_room(database, chosen, study_id, without_password(storage))
            return _filled(folder, chosen, database)
        finally:
            database.remove_session()
            database.engine.dispose()


def write_journal(folder: Path) -> None:
    """Write `JOURNAL` to the folder of a study, for dashboards, unless it would be large.

    Raises:
        DataError: it cannot be written.
    """
    with _sayable(str(folder / JOURNAL)):
        if len(read_frame(folder / TRIALS)) <= MOST_TRIALS:
            _write_journal(folder, folder / JOURNAL, folder.resolve().name)


class _Gathering(BaseJournalBackend):
    """A journal in memory, to be written at once: Optuna's files are synced for every trial."""

    def __init__(self) -> None:
        self.logs: list[dict[str, Any]] = []

    def read_logs(self, log_number_from: int) -> Iterable[dict[str, Any]]:
        return self.logs[log_number_from:]

    def append_logs(self, logs: list[dict[str, Any]]) -> None:
        self.logs += logs


def _write_journal(folder: Path, path: Path, name: str) -> optuna.Study:
    journal = _Gathering()
    study = _filled(folder, name, JournalStorage(journal))
    temporary = path.with_name(f".{path.name}.tmp")
    temporary.unlink(missing_ok=True)
    try:
        JournalFileBackend(str(temporary)).append_logs(journal.logs)
        temporary.replace(path)
    finally:
        with suppress(OSError):
            temporary.unlink()
    return study


def _make_room(database: RDBStorage, name: str, study_id: str, where: str) -> None:
    """Delete the earlier export of a study; refuse to touch another study of that name."""
    for there in optuna.get_all_study_summaries(database, include_best_trial=False):
        if there.study_name == name:
            if there.user_attrs.get(_ID) != study_id:
                raise DataError(f"{where!r} holds another study named {name!r}; name another one with --name")
            optuna.delete_study(study_name=name, storage=database)


def _check_ours(path: Path, study_id: str) -> None:
    """Refuse to write in the place of a file that is not the journal of this study alone."""
    if path.exists() and path.stat().st_size:
        there = optuna.get_all_study_summaries(JournalStorage(JournalFileBackend(str(path))), include_best_trial=False)
        if [one.user_attrs.get(_ID) for one in there] != [study_id]:
            raise DataError(f"{str(path)!r} is not a journal of this study; name another file")


@contextmanager
def _sayable(where: str) -> Iterator[None]:
    try:
        yield
    except TagError:
        raise
    except Exception as error:  # noqa: BLE001  any exception of a storage
        raise DataError(f"nothing can be written to {without_password(where)!r}: {reason_of(error)}") from None


def _filled(folder: Path, name: str, storage: BaseStorage | None) -> optuna.Study:
    manifest = read_study_manifest(folder)
    trials = _Trials(manifest.definition, folder).frozen()
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    directions = [StudyDirection[direction_of(name).upper()] for name in manifest.definition.objectives]
    study = optuna.create_study(study_name=name, storage=storage, directions=directions)
    for key, value in _attributes(manifest).items():
        study.set_user_attr(key, value)
    study.add_trials(trials)
    return study


def _attributes(manifest: StudyManifest) -> Mapping[str, Any]:
    definition = manifest.definition
    return {
        _ID: manifest.id,
        "agents": list(definition.agents),
        "game": definition.game,
        "players": definition.players,
        **({"events": list(definition.events)} if definition.events else {}),
        "versus": list(definition.versus),
        "objective": definition.objective,
        "default": definition.default,
    }


class _Trials:
    """The trials of a study as Optuna's."""

    def __init__(self, definition: StudyDefinition, folder: Path) -> None:
        self._space = definition.space
        self._values = ["value", *(f"value_{number}" for number in range(2, len(definition.objectives) + 1))]
        self._rows = read_frame(folder / TRIALS)  # before the others, which know at least as many trials then
        self._rungs: dict[_Place, dict[int, float]] = {}
        for row in read_frame(folder / RUNGS).to_dict("records"):
            self._rungs.setdefault(_place(row), {})[row[GAMES]] = float(row["value"])
        self._times = {
            _place(row): (row["begun"], row["ended"]) for row in read_frame(folder / TIMES).to_dict("records")
        }

    def frozen(self) -> list[FrozenTrial]:
        """Return the trials in the order of their numbers."""
        configuration = cache(self._space.configuration)
        rows = self._rows
        if len(rows):
            rows = rows.sort_values([name for name in ("generation", "number") if name in rows])
        return [self._frozen(row, configuration(row["spec"])) for row in rows.to_dict("records")]

    def _frozen(self, row: Mapping[Hashable, Any], params: Configuration) -> FrozenTrial:
        kinds = self._space.configurations.distributions
        values = [] if pd.isna(row["value"]) else [float(row[column]) for column in self._values]
        of_older = {row[GAMES]: values[0]} if row["state"] == DROPPED else {}  # folders without a file of rungs
        trial = optuna.trial.create_trial(
            state=_STATES[row["state"]],
            values=values or None,
            params=params,
            distributions={name: kinds[name] for name in params},
            user_attrs={key: row[key] for key in _ATTRIBUTES if pd.notna(row.get(key))},
            intermediate_values=self._rungs.get(_place(row), of_older),
        )
        begun, ended = self._times.get(_place(row), (pd.NaT, pd.NaT))
        if pd.notna(ended):
            trial.datetime_start, trial.datetime_complete = map(_local, (begun, ended))
        return trial


def _place(row: Mapping[Hashable, Any]) -> _Place:
    """Return the generation and the number of the trial of a row."""
    return int(row.get("generation", 0)), int(row["number"])


def _local(time: pd.Timestamp) -> datetime:
    """Return a time as Optuna has it: local, and without a zone."""
    return time.to_pydatetime().astimezone().replace(tzinfo=None)
