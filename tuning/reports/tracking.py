"""Tracking of studies: the parts of `tournaments.tracking` for tuning and balancing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from math import sqrt
from pathlib import Path
from typing import Any, ClassVar, Final

import numpy as np
import pandas as pd

from tag.engine.parameters import parse_spec
from tournaments.tracking.runs import Contents, Identity, Run, origin_tags
from tournaments.tracking.tournaments import grid
from tournaments.tracking.tracker import RunType, RunWriter, ledger_names
from tuning.definition import BUDGETS, Study, StudyDefinition
from tuning.folder import INCUMBENTS, STUDY, TRIALS, Manifest, of_now, read_frame, read_json, read_manifest_of
from tuning.reports.recommendation import RECOMMENDATION, comparisons_of
from tuning.search.comparison import SIDES
from tuning.search.trials import DROPPED

# --- tracking of studies ------------------------------------------------------------------------------------------------
#
# A study is one MLflow run, and the configurations that had the most games are runs within it. All of them are made from
# the files in the study's folder, which are rewritten every few seconds while the study runs (`tuning.folder`).


__all__ = ["STUDIES", "contents_with"]


def contents_with(verdict: str) -> Contents:
    """Return a function that identifies the contents of a folder: the names of all ledger files, and a hash of the verdict.

    Args:
        verdict: the name of the file with the verdict of the study.
    """

    def contents(folder: Path) -> list[str]:
        ledgers = sorted(path.parent for path in folder.glob("*/ledger"))
        names = [f"{ledger.name}/{name}" for ledger in ledgers for name in ledger_names(ledger)]
        file = folder / verdict
        content = file.read_bytes() if file.is_file() else b""
        return [*names, blake2b(content, digest_size=16).hexdigest()]

    return contents


STUDIES: Final = RunType("tuning.reports.tracking:StudyWriter", contents_with(RECOMMENDATION))


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
    """Point on the curve of a study or a configuration.

    Attributes:
        games: that it had played.
        values: the values known then, by the names of metrics.
    """

    games: int
    values: dict[str, float]


def points(
    trials: pd.DataFrame, incumbents: pd.DataFrame, after: int = 0, *, complete: bool = False
) -> Iterator[StudyPoint]:
    """Yield the points of a study, one per recommendation of its model after more than ``after`` games.

    Recommendations are left out while some of their trials are missing, as the frames are not written at the same instant.
    The last one is left out until the search is complete, as the model may change it.

    Args:
        trials: as in ``trials.parquet``.
        incumbents: as in ``incumbents.parquet``.
        after: the games of the last point that was written.
        complete: whether all trials have ended.
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
        spec: the spec alone.
        games: that count, in all of its trials.
        trials: those with games that count, in the order in which they ended.
    """

    name: str
    spec: str
    games: int
    trials: pd.DataFrame

    def points(self, *, complete: bool) -> Iterator[StudyPoint]:
        """Yield values and errors in all games up to some of its trials, as many for each doubling.

        Values are those of the objectives, with the error of the first. In studies with several measures, each of these has
        an error of its own.

        Args:
            complete: whether all trials have ended; the last point then is after all of them.
        """
        ends = grid(len(self.trials))
        for end in sorted({*ends, len(self.trials)}) if complete else ends:
            first = self.trials.iloc[:end]
            yield StudyPoint(int(first["games"].sum()), _means(first))


def tracked_configurations(trials: pd.DataFrame, budget: int, *, complete: bool) -> list[TrackedConfiguration]:
    """Return the configurations with the most games, the most first, that have runs of their own.

    Args:
        trials: as in ``trials.parquet``.
        budget: the games of the search.
        complete: whether that is spent. If not, only configurations that are certain to be among the first in the end are
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
    """Return the generation of each row, from 0."""
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
        verdict: the file of its verdict.
        tables: the other files that are derived from the ledgers.
    """

    study: ClassVar[type[Study]]
    topic: ClassVar[str]
    verdict: ClassVar[str]
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
        found = of_now(manifest, read_json(self.folder / self.verdict))
        if found is not None:
            yield True
            run.set_tags({name: text[:_LONGEST_TAG] for name, text in self.tags(found).items()})
            run.log_results(run.last_step, self.results(found))
        for name in (*([self.verdict] if found else []), STUDY, *self.tables, "report.html"):
            if (self.folder / name).is_file():
                yield True
                run.log_file(self.folder / name, "")

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
    verdict = RECOMMENDATION

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
