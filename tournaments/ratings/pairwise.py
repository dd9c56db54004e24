"""The pairwise table: who is placed above whom, how sure that is, and whether it could be chance."""

from __future__ import annotations

from dataclasses import dataclass
from math import nan
from typing import Any

import numpy as np
import numpy.typing as npt

from tournaments.intervals import ClusteredMean
from tournaments.plain import plain
from tournaments.ratings._pairs import Meetings
from tournaments.ratings.games import RankedGames
from tournaments.ratings.holm import holm

_Floats = npt.NDArray[np.float64]
_Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class PairwiseTable:
    """Every two agents' results in the games that both played; arrays of shape (agents, agents), nan where they never met.

    Attributes:
        labels: the agents.
        games: how often the row met the column: pairs of seats of a game.
        above: the share of them in which the row was placed above the column.
        score: the same, with a half for a shared place.
        low: the lower end of the score's interval at 95 %, from block means (see `tournaments.intervals`).
        high: the upper end.
        p_value: how likely a score at least this far from 1/2 is between equals; below 0.05 just where the interval
            leaves 1/2 out.
        corrected: the p values after Holm's correction for all pairs that met.
    """

    labels: tuple[str, ...]
    games: _Floats
    above: _Floats
    score: _Floats
    low: _Floats
    high: _Floats
    p_value: _Floats
    corrected: _Floats

    def to_json(self) -> dict[str, Any]:
        """Return what tables show as plain values, nan as None."""
        names = ("games", "score", "low", "high", "corrected")
        arrays = {name: getattr(self, name).tolist() for name in names}
        return dict(plain({"labels": list(self.labels), **arrays}))

    def is_different(self, level: float = 0.05) -> _Bools:
        """Return which agents can be told apart: their p value, corrected, is below ``level``."""
        return self.corrected < level


def pairwise(games: RankedGames) -> PairwiseTable:
    """Return the pairwise table of games."""
    meetings = Meetings.of(games)
    n = len(games.labels)
    table = PairwiseTable(games.labels, np.zeros((n, n)), *(np.full((n, n), nan) for _ in range(6)))
    codes, begin = np.unique(meetings.first * n + meetings.second, return_index=True)
    edges = [*begin.tolist(), len(meetings.first)]
    for code, span in zip(codes.tolist(), map(slice, edges, edges[1:]), strict=True):
        _fill(table, code // n, code % n, meetings, span)
    first, second = np.divmod(codes, max(n, 1))
    table.corrected[first, second] = table.corrected[second, first] = holm(table.p_value[first, second])
    return table


def _fill(table: PairwiseTable, one: int, other: int, meetings: Meetings, span: slice) -> None:
    """Put the results of two agents, found at ``span`` of the meetings, into the table."""
    games, above, below = meetings.games[span], meetings.above[span], meetings.below[span]
    met = float(games.sum())
    score = ClusteredMean.of(0.5 * (games + above - below), games)
    low, high = score.proportion_interval()
    table.games[[one, other], [other, one]] = met
    table.above[[one, other], [other, one]] = float(above.sum()) / met, float(below.sum()) / met
    table.score[[one, other], [other, one]] = score.mean, 1.0 - score.mean
    table.low[[one, other], [other, one]] = low, 1.0 - high
    table.high[[one, other], [other, one]] = high, 1.0 - low
    table.p_value[[one, other], [other, one]] = score.proportion_p_value(0.5)
