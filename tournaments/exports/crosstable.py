"""Cross-tables: the points of every agent against every other, as players of chess know them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import pandas as pd

from tournaments.ratings.games import RankedGames
from tournaments.ratings.pairwise import PairwiseTable, pairwise
from tournaments.results import counted_seats

_Ints = npt.NDArray[np.int64]


def crosstable_frame(folder: Path) -> pd.DataFrame:
    """Return the cross-table of the tournament in ``folder``, the best share of points first.

    The columns are rank, agent, games, points, score (points per game), then one per agent with the points that the row
    took from it, then one per agent, ``games: random``, with how often they met; both are empty where they did not. With
    more than two seats, two agents meet once in each pair of their seats; a point is for the better place, half of one for a
    shared place.

    Raises:
        DataError: there is no tournament, or its ledger is damaged.
    """
    table = pairwise(RankedGames.of(counted_seats(folder)))
    met = table.games > 0
    games, points = table.games.sum(axis=1), np.nansum(table.score * table.games, axis=1)
    score = np.divide(points, games, out=np.full(len(games), np.nan), where=games > 0)
    order = sorted(range(len(score)), key=lambda agent: (-np.nan_to_num(score[agent], nan=-1.0), table.labels[agent]))
    labels = [table.labels[agent] for agent in order]
    columns: dict[str, object] = {
        "rank": range(1, len(order) + 1),
        "agent": labels,
        "games": games[order].astype(np.int64),
    }
    columns |= {"points": points[order], "score": score[order]}
    for agent, label in zip(order, labels, strict=True):
        columns[label] = np.where(met, table.score * table.games, np.nan)[order, agent]
    for agent, label in zip(order, labels, strict=True):
        columns[f"games: {label}"] = pd.array(np.where(met, table.games, np.nan)[order, agent], dtype="Int64")
    return pd.DataFrame(columns)


def pairs_frame(folder: Path) -> pd.DataFrame:
    """Return one row per ordered pair of agents that have met: the cross-table for programs.

    The columns are agent, opponent, games, wins, draws, losses (better, shared and worse places), score with its interval
    at 95 % (low, high), and the p value after Holm's correction.

    Raises:
        DataError: there is no tournament, or its ledger is damaged.
    """
    table = pairwise(RankedGames.of(counted_seats(folder)))
    one, other = np.nonzero(table.games)
    labels = np.array(table.labels, dtype=object)
    wins, losses = _times(table, one, other), _times(table, other, one)
    games = table.games[one, other].astype(np.int64)
    columns = {"agent": labels[one], "opponent": labels[other], "games": games, "wins": wins}
    columns |= {"draws": games - wins - losses, "losses": losses}
    columns |= {name: getattr(table, name)[one, other] for name in ("score", "low", "high", "corrected")}
    return pd.DataFrame(columns)


def _times(table: PairwiseTable, one: _Ints, other: _Ints) -> _Ints:
    """Return how often ``one`` was placed above ``other``."""
    times: _Ints = np.rint(table.above[one, other] * table.games[one, other]).astype(np.int64)
    return times
