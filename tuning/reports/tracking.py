"""Studies in other programs: their MLflow runs, and their trials as ordinary Optuna studies."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from hashlib import blake2b
from math import sqrt
from pathlib import Path
from typing import Any, ClassVar, Final

import numpy as np
import optuna
import pandas as pd
from optuna.storages import BaseStorage, JournalStorage, RDBStorage
from optuna.storages.journal import BaseJournalBackend, JournalFileBackend
from optuna.study import StudyDirection
from optuna.trial import FrozenTrial, TrialState

from tag.engine.parameters import parse_spec
from tag.errors import DataError, TagError
from tag.tournaments.tracking.runs import Contents, Identity, Run, origin_tags, reason_of, without_password
from tag.tournaments.tracking.tournaments import grid
from tag.tournaments.tracking.tracker import RunType, RunWriter, ledger_names
from tag.tuning.agent.comparison import SIDES
from tag.tuning.agent.definition import RECOMMENDATION, StudyDefinition, StudyManifest, read_study_manifest
from tag.tuning.agent.objectives import direction_of
from tag.tuning.reports.results import comparisons_of
from tag.tuning.samplers.model_sampler import GAMES
from tag.tuning.search.trials import COMPLETE, DROPPED, VOID
from tag.tuning.space.configurations import Configuration
from tag.tuning.study.definition import BUDGETS, Study
from tag.tuning.study.files import INCUMBENTS, RUNGS, TIMES, TRIALS, read_frame, read_json
from tag.tuning.study.folder import STUDY, Manifest, of_now, read_manifest_of

# --- tracking of studies ------------------------------------------------------------------------------------------------
#
# A study is one MLflow run, and the configurations that had the most games are runs within it. All of them are made from
# the files in the study's folder, which are rewritten every few seconds while the study runs (`tag.tuning.study.files`).


__all__ = ["STUDIES", "contents_with"]


def contents_with(verdict: str) -> Contents:
    """Return a function that names the contents of a folder: its ledger files, and a hash of the file ``verdict``."""

    def contents(folder: Path) -> list[str]:
        ledgers = sorted(path.parent for path in folder.glob("*/ledger"))
        names = [f"{ledger.name}/{name}" for ledger in ledgers for name in ledger_names(ledger)]
        file = folder / verdict
        content = file.read_bytes() if file.is_file() else b""
        return [*names, blake2b(content, digest_size=16).hexdigest()]

    return contents


STUDIES: Final = RunType("tag.tuning.reports.tracking:StudyWriter", contents_with(RECOMMENDATION))


# --- curves -------------------------------------------------------------------------------------------------------------
#
# Curves of a study: its progress after so many games, and that of each configuration, from its data frames alone.
#
# A curve computed at any time, and in any number of pieces, has the same points, each once.


#: Most configurations with runs of their own, and the least games of such a configuration.
MOST_CONFIGURATIONS: Final = 50
FEWEST_GAMES: Final = 10
#: Columns of incumbents that identify them; the others are values.
_NO_VALUES: Final = ("games", "spec", "generation", "played")
#: Prefixes of the columns of trials with one value per target; those of the errors are named like ``error.length``.
_MEASURE: Final = "measure."


@dataclass(frozen=True)
class StudyPoint:
    """Values known after so many games, by the names of metrics: a point on the curve of a study or a configuration."""

    games: int
    values: dict[str, float]


def points(
    trials: pd.DataFrame, incumbents: pd.DataFrame, after: int = 0, *, complete: bool = False
) -> Iterator[StudyPoint]:
    """Yield the points of a study, one per recommendation of its model after more than ``after`` games.

    Recommendations are left out while some of their trials are missing, as the frames are not written at the same
    instant. The last one is left out until the search is ``complete``, as the model may change it.
    """
    if trials.empty or incumbents.empty:
        return
    games = trials["games"].to_numpy(np.int64).cumsum()
    dropped = (trials["state"] == DROPPED).to_numpy().cumsum()
    generations = _generations(trials)
    before = {int(one): int(games[generations < one].max(initial=0)) for one in np.unique(generations)}
    looks = incumbents.assign(all_games=incumbents["games"] + _generations(incumbents).map(before))
    names = [str(name) for name in incumbents.columns if name not in _NO_VALUES]
    for look in looks.iloc[: None if complete else -1].to_dict("records"):
        played = int(look["all_games"])
        if after < played <= games[-1]:
            ended = int(np.searchsorted(games, played)) + 1
            values = {f"incumbent/{name}": float(look[name]) for name in names}
            yield StudyPoint(played, {**values, "trials": float(ended), "dropped": float(dropped[ended - 1])})


@dataclass(frozen=True)
class TrackedConfiguration:
    """A configuration that has a run of its own; in self-play one per generation, as the opponents differ.

    Attributes:
        name: its spec, with the generation if there are several.
        games: that count, in all of its trials.
        trials: those with games that count, in the order in which they ended.
    """

    name: str
    spec: str
    games: int
    trials: pd.DataFrame

    def points(self, *, complete: bool) -> Iterator[StudyPoint]:
        """Yield values and errors in all games up to some trials, as many for each doubling; with all if ``complete``.

        Values are those of the objectives, with the error of the first. In studies with several measures, each of these
        has an error of its own.
        """
        ends = grid(len(self.trials))
        for end in sorted({*ends, len(self.trials)}) if complete else ends:
            first = self.trials.iloc[:end]
            yield StudyPoint(int(first["games"].sum()), _means(first))


def tracked_configurations(trials: pd.DataFrame, budget: int, *, complete: bool) -> list[TrackedConfiguration]:
    """Return the configurations with the most games, the most first, that have runs of their own.

    Until the budget is spent (``complete``), only configurations that are certain to be among the first in the end are
    returned: each has so much of the budget that there cannot be more of them.
    """
    if trials.empty:
        return []
    generations = _generations(trials)
    by = (
        trials["spec"]
        if not generations.any()
        else "generation " + (generations + 1).astype(str) + ": " + trials["spec"]
    )
    counted = trials[trials["value"].notna()].assign(name=by)
    games = counted.groupby("name", sort=False)["games"].sum().sort_values(ascending=False, kind="stable")
    least = FEWEST_GAMES if complete else max(FEWEST_GAMES, budget / MOST_CONFIGURATIONS)
    chosen = games[games >= least].head(MOST_CONFIGURATIONS)
    rows = {str(name): group for name, group in counted[counted["name"].isin(chosen.index)].groupby("name", sort=False)}
    return [
        TrackedConfiguration(name, str(rows[name]["spec"].iloc[0]), int(chosen[name]), rows[name])
        for name in chosen.index.astype(str)
    ]


def _generations(rows: pd.DataFrame) -> pd.Series:
    return rows["generation"] if "generation" in rows else pd.Series(0, index=rows.index)


def _means(trials: pd.DataFrame) -> dict[str, float]:
    """Return the values of trials together, each weighted by its games, and their standard errors where these are known."""
    weights = trials["games"].to_numpy(np.float64)
    found: dict[str, float] = {}
    for column in map(str, trials.columns):
        if column.startswith(("value", _MEASURE)):
            found[column] = float(np.average(trials[column].to_numpy(np.float64), weights=weights))
        if column == "value" or column.startswith(_MEASURE):
            name = column.replace("value", "error").replace(_MEASURE, "error.")
            error = _error(trials, column, name, found[column])
            found |= {} if error is None else {name: error}
    return found


def _error(trials: pd.DataFrame, value: str, error: str, mean: float) -> float | None:
    """Return the standard error of a mean of trials: from their errors if known, otherwise from their differences."""
    weights, errors = trials["games"].to_numpy(np.float64), trials[error].to_numpy(np.float64)
    total, n = float(weights.sum()), len(weights)
    if not np.isnan(errors).any():
        return sqrt(float(((weights * errors) ** 2).sum())) / total
    if n < 2:
        return None
    squares = float(((weights * (trials[value].to_numpy(np.float64) - mean)) ** 2).sum())
    return sqrt(squares * n / (n - 1)) / total


# --- writer for all kinds of studies: from the data frames and the verdict in the folder --------------------------------


_LONGEST_TAG: Final = 5_000


class BaseStudyWriter(RunWriter):
    """Writes the run of the study in a folder, from its data frames and its verdict.

    Attributes:
        study: the class of its definition.
        topic: the subject of such studies; the experiment is named after the game type and this.
        tables: the other files that are derived from the ledgers.
    """

    study: ClassVar[type[Study]]
    topic: ClassVar[str]
    tables: ClassVar[tuple[str, ...]] = (TRIALS, INCUMBENTS)

    _seen = 0

    def read_manifest(self) -> Manifest[Any]:
        """Return the manifest of the study."""
        return read_manifest_of(self.study, self.folder)

    def identity(self, manifest: Manifest[Any]) -> Identity:
        """Return the study's id, among the studies of its kind and game type."""
        game = parse_spec(manifest.definition.game).name
        return Identity(f"{game}-{self.topic}", "study.id", manifest.id, manifest.created)

    def describe(self, run: Run, manifest: Manifest[Any]) -> None:
        """Write the definition of the study, its versions and its sources."""
        plain = manifest.definition.to_json()
        command = f"tag {self.study.kind}"
        run.set_tags(
            {
                **origin_tags(self.folder, command, manifest.versions, manifest.sources, self.execution),
                **{
                    f"study.{name}": str(plain.pop(name)) for name in BUDGETS if name in plain
                },  # parameters of a run cannot grow
            }
        )
        run.log({name: _text(value) for name, value in plain.items()})

    def log_news(self, run: Run, manifest: Manifest[Any], news: Mapping[str, float]) -> None:
        """Write new points of curves if the frames were written since the last time."""
        written = self._written()
        if written != self._seen:
            for _part in self._log_points(run, manifest, complete=False):
                pass
            self._seen = written

    def log_all(self, run: Run, manifest: Manifest[Any]) -> Iterator[bool]:
        """Write the curves to their ends, the verdict, and the files."""
        yield from self._log_points(run, manifest, complete=True)
        found = of_now(manifest, read_json(self.folder / self.study.verdict))
        if found is not None:
            yield True
            run.set_tags({name: text[:_LONGEST_TAG] for name, text in self.tags(found).items()})
            run.log_results(run.last_step, self.results(found))
        for name in (*([self.study.verdict] if found else []), STUDY, *self.tables, "report.html"):
            if (self.folder / name).is_file():
                yield True
                run.log_file(self.folder / name, "tables" if name.endswith(".parquet") else "")

    def tags(self, found: Mapping[str, Any]) -> dict[str, str]:
        """Return the verdict of the study in words."""
        raise NotImplementedError

    def results(self, found: Mapping[str, Any]) -> dict[str, float]:
        """Return the results of the games on unseen seeds, by the names of metrics."""
        raise NotImplementedError

    def named(self, values: Mapping[str, float], manifest: Manifest[Any]) -> dict[str, float]:
        """Return the values of a point by the names of metrics."""
        return dict(values)

    def _log_points(self, run: Run, manifest: Manifest[Any], *, complete: bool) -> Iterator[bool]:
        """Write new points of all curves; it yields as `end` does."""
        incumbents = read_frame(self.folder / INCUMBENTS)  # before the trials, which are newer then
        trials = read_frame(self.folder / TRIALS)
        found = list(points(trials, incumbents, run.last_step, complete=complete))
        yield True
        run.log({}, [(point.games, self.named(point.values, manifest)) for point in found])
        chosen = tracked_configurations(trials, manifest.definition.games, complete=complete)
        if not chosen:
            return
        yield True
        parts, space = run.parts(), manifest.definition.space
        for one in chosen:
            if one.name not in parts and len(parts) >= MOST_CONFIGURATIONS:
                continue  # those of a smaller budget stay
            yield True
            if one.name not in parts:
                parts[one.name] = run.new_part(one.name)
            known = [(point.games, self.named(point.values, manifest)) for point in one.points(complete=complete)]
            parts[one.name].log(space.values(space.configuration(one.spec)), known)

    def _written(self) -> int:
        """Return the time at which the frames were written, in nanoseconds; 0 if they were not."""
        path = self.folder / INCUMBENTS
        return path.stat().st_mtime_ns if path.exists() else 0


def _text(value: object) -> str:
    return "; ".join(map(str, value)) if isinstance(value, list) else str(value)


# --- the writer of tuning studies ---------------------------------------------------------------------------------------


class StudyWriter(BaseStudyWriter):
    """Writes the run of a tuning study."""

    kind = STUDIES
    study = StudyDefinition
    topic = "tuning"

    def tags(self, found: Mapping[str, Any]) -> dict[str, str]:
        """Return the recommendation in words."""
        return {f"recommendation.{name}": str(found[name]) for name in ("verdict", "sentence", "spec", "default")}

    def results(self, found: Mapping[str, Any]) -> dict[str, float]:
        """Return the results of the games on unseen seeds, by the names of metrics: ``validation/difference``."""
        values: dict[str, float | None] = {}
        for name, (comparison, times) in comparisons_of(found).items():
            for side in SIDES:
                values[f"{name}/{side}/decision_cpu_ms"] = times[side]
                values |= {f"{name}/{side}/{key}": comparison[side][key] for key in ("games", "value", "low", "high")}
            result = comparison["result"]
            values |= {f"{name}/{key}": result[key] for key in ("difference", "low", "high", "p_value", "blocks")}
        return {name: float(value) for name, value in values.items() if value is not None}


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
        """Return them in the order of their numbers."""
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
