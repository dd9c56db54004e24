"""A study as an ordinary Optuna study, and trials of earlier studies."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
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
from tournaments.tracking.runs import reason_of, without_password
from tuning.definition import StudyDefinition
from tuning.folder import STUDY, TRIALS, StudyManifest, read_frame, read_study_manifest, write_frame
from tuning.objectives import direction_of
from tuning.samplers.model_sampler import GAMES
from tuning.search.trials import COMPLETE, DROPPED, VOID

# --- warm start: trials of earlier studies that a new one knows at the start --------------------------------------------
#
# They are copied into the folder of the new study at its start. So the study stays a function of its folder, even if the
# earlier ones change.


_KNOWN: Final = "warm_start.parquet"
#: Fields of the definition that must agree for values to compare.
_SAME: Final = ("game", "players", "versus", "objective", "panel")


@dataclass(frozen=True)
class KnownTrial:
    """Result of a configuration in an earlier study.

    Attributes:
        spec: of the configuration.
        games: those that count.
        value: of the objective.
        blocks: in which these games were played; 0 where that is not known.
        block_variance: the sample variance between the values of blocks.
    """

    spec: str
    games: int
    value: float
    blocks: int = 0
    block_variance: float = 0.0


def known_trials(out: Path, definition: StudyDefinition) -> list[KnownTrial]:
    """Return the results of the earlier studies that lie in the definition's space, each configuration once.

    A study that has been begun in ``out`` keeps the trials that it knew then.

    Raises:
        DataError: an earlier study does not exist or has another subject, or none of its trials lies in the space.
    """
    if (out / STUDY).exists():
        return read_known_trials(out)
    found: dict[str, list[KnownTrial]] = {}
    for folder in definition.warm_start:
        _check(Path(folder), definition)
        for trial in _trials_of(Path(folder), definition):
            found.setdefault(trial.spec, []).append(trial)
    return [together(trials) for trials in found.values()]


def together(trials: Sequence[KnownTrial]) -> KnownTrial:
    """Return several trials of a configuration combined into one, with the variance within trials.

    Two trials of four blocks have six free deviations, as one of seven blocks has; so the combined trial has seven blocks.
    """
    games = sum(one.games for one in trials)
    value = sum(one.games * one.value for one in trials) / games
    free = sum(max(one.blocks - 1, 0) for one in trials)
    if not free:
        return KnownTrial(trials[0].spec, games, value)
    squares = sum((one.blocks - 1) * one.block_variance * one.games / one.blocks for one in trials if one.blocks > 1)
    return KnownTrial(trials[0].spec, games, value, free + 1, squares / free * (free + 1) / games)


def write_known_trials(out: Path, trials: Sequence[KnownTrial]) -> None:
    """Keep them in the folder of a study; nothing where there are none."""
    if trials:
        write_frame(out / _KNOWN, pd.DataFrame([vars(trial) for trial in trials]))


def read_known_trials(out: Path) -> list[KnownTrial]:
    """Return those in the folder of a study."""
    return known_rows(read_frame(out / _KNOWN))


def known_rows(frame: pd.DataFrame) -> list[KnownTrial]:
    """Return the trials in a data frame with these columns, and possibly others."""
    rows = frame.to_dict("records")
    return [
        KnownTrial(
            str(row["spec"]),
            int(row["games"]),
            float(row["value"]),
            int(row.get("blocks", 0)),
            float(row.get("block_variance", 0.0)),
        )
        for row in rows
    ]


def _check(folder: Path, definition: StudyDefinition) -> None:
    """Refuse a study whose values do not compare."""
    earlier, mine = read_study_manifest(folder).definition.to_json(), definition.to_json()
    if earlier["generations"] or "," in definition.objective:
        raise DataError(
            f"warm_start cannot be {str(folder)!r}: values of self-play, or of several objectives, do not carry over"
        )
    for name in _SAME:
        if earlier[name] != mine[name]:
            raise DataError(
                f"warm_start cannot be {str(folder)!r}: its {name} is {earlier[name]!r}, not {mine[name]!r}"
            )


def _trials_of(folder: Path, definition: StudyDefinition) -> list[KnownTrial]:
    """Return the trials of an earlier study with a value that lie in the space, by their specs there."""
    frame = read_frame(folder / TRIALS)
    rows = [] if frame.empty else known_rows(frame.dropna(subset=["value"]))
    placed = [replace(row, spec=_in_space(definition, row.spec)) for row in rows if row.games]
    found = [trial for trial in placed if trial.spec]
    if not found:
        raise DataError(f"warm_start cannot be {str(folder)!r}: none of its trials lies in this search space")
    return found


def _in_space(definition: StudyDefinition, spec: str) -> str:
    """Return a spec as the study has it; empty where it lies outside."""
    try:
        return definition.space.spec(definition.space.configuration(spec))
    except TagError:
        return ""


# --- optuna study -------------------------------------------------------------------------------------------------------
#
# A study as an ordinary one of Optuna's: in memory, as a journal file, or in a database, for its plots and dashboard.
#
# It is made from the study's folder on request. Nothing reads it again, so changes to a journal or a database do not
# affect the study.


JOURNAL: Final = "optuna.journal"
#: A study with more trials has a journal only on request: at some 1,500 bytes each they grow large.
MOST_TRIALS: Final = 10_000

_ID: Final = "study.id"
_STATES: Final = {COMPLETE: TrialState.COMPLETE, DROPPED: TrialState.PRUNED, VOID: TrialState.FAIL}


def load_optuna_study(folder: str | Path, name: str = "") -> optuna.Study:
    """Return the study in ``folder``, with its trials so far, as an Optuna study in memory.

    Trials have the user attributes ``games``, ``spec``, ``error``, ``number`` as in ``trials.parquet``, and in self-play
    ``generation``. Pruned trials have their value after so many games; those without games that count failed.

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
        _make_room(database, chosen, study_id, without_password(storage))
        return _filled(folder, chosen, database)


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
    """Write a journal, all or nothing."""
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
    """Turn any exception of a storage into a sentence."""
    try:
        yield
    except TagError:
        raise
    except Exception as error:  # noqa: BLE001  any exception of a storage
        raise DataError(f"nothing can be written to {without_password(where)!r}: {reason_of(error)}") from None


def _filled(folder: Path, name: str, storage: BaseStorage | None) -> optuna.Study:
    """Return a new study of Optuna's with all trials of the one in ``folder``."""
    manifest = read_study_manifest(folder)
    trials = _trials(manifest.definition, read_frame(folder / TRIALS))
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
        "versus": list(definition.versus),
        "objective": definition.objective,
        "default": definition.default,
    }


def _trials(definition: StudyDefinition, rows: pd.DataFrame) -> list[FrozenTrial]:
    space = definition.space
    kinds = space.configurations.distributions
    configuration = cache(space.configuration)
    columns = ["value", *(f"value_{number}" for number in range(2, len(definition.objectives) + 1))]

    def trial(row: Mapping[Hashable, Any]) -> FrozenTrial:
        values = [] if pd.isna(row["value"]) else [float(row[column]) for column in columns]
        params = configuration(row["spec"])
        known = {key: row[key] for key in (GAMES, "spec", "error", "number", "generation") if pd.notna(row.get(key))}
        return optuna.trial.create_trial(
            state=_STATES[row["state"]],
            values=values or None,
            params=params,
            distributions={name: kinds[name] for name in params},
            user_attrs=known,
            intermediate_values={row[GAMES]: values[0]} if row["state"] == DROPPED else {},
        )

    return [trial(row) for row in _in_order(rows).to_dict("records")]


def _in_order(rows: pd.DataFrame) -> pd.DataFrame:
    """Return trials in the order in which they were asked for."""
    if rows.empty:
        return rows
    return rows.sort_values([name for name in ("generation", "number") if name in rows])
