"""Curves of a study: its progress after so many games, and that of each configuration, from its data frames alone.

A curve computed at any time, and in any number of pieces, has the same points, each once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt
from typing import Final

import numpy as np
import pandas as pd

from tag.tournaments.results.curves import grid
from tag.tuning.search.trials import DROPPED

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
