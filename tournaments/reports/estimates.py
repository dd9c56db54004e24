"""What reports draw beyond standings and ratings: seats, how rates settle, and how long decisions take."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt
import pandas as pd

from tournaments.intervals import ClusteredMean
from tournaments.standings import BlockSums

#: A course has at most so many points.
_POINTS: Final = 60
#: The shares of values below which the columns p5 … p95 lie.
_QUANTILES: Final = {"p5": 0.05, "p25": 0.25, "median": 0.5, "p75": 0.75, "p95": 0.95}

_Floats = npt.NDArray[np.float64]
_Ints = npt.NDArray[np.int64]


def courses(counted: pd.DataFrame) -> pd.DataFrame:
    """Return how the agents' win rates settle while blocks are added in schedule order.

    The last point of an agent is its standing; a point of fewer than two blocks with games of the agent has no interval
    and is left out.

    Args:
        counted: the seats of whole match-ups.

    Returns:
        Columns agent_index, games (of all agents so far), mean, low and high (the ends of the 95 % interval).
    """
    n_agents = len(counted["agent"].cat.categories)
    sums = BlockSums(counted, n_agents)
    games = np.bincount(np.unique(_ints(counted, "block"), return_inverse=True)[1], _ints(counted, "seat") == 0)
    n_blocks = len(games)
    ends = np.unique(np.linspace(min(2, n_blocks), n_blocks, _POINTS).round().astype(np.int64)).tolist()
    so_far = np.cumsum(games)
    rows = []
    for agent in range(n_agents):
        found = sums.of(agent)
        for end in ends:
            rate = ClusteredMean.of(found["win"][:end], found["games"][:end])
            if rate.clusters > 1:
                rows.append((agent, int(so_far[end - 1]), rate.mean, *rate.proportion_interval()))
    return pd.DataFrame(rows, columns=["agent_index", "games", "mean", "low", "high"])


def seat_points(counted: pd.DataFrame) -> pd.DataFrame:
    """Return the mean points of each seat, with 95 % intervals from block means.

    Args:
        counted: the seats of whole match-ups, or of one agent in them.

    Returns:
        Columns seat, games, mean, low and high; one row per seat that was taken.
    """
    seat, points = _ints(counted, "seat"), counted["points"].to_numpy(np.float64)
    blocks, block = np.unique(_ints(counted, "block"), return_inverse=True)
    n_seats = int(seat.max(initial=-1)) + 1
    cell, shape = seat * len(blocks) + block, (n_seats, len(blocks))
    totals = np.bincount(cell, points, n_seats * len(blocks)).reshape(shape)
    sizes = np.bincount(cell, minlength=n_seats * len(blocks)).reshape(shape).astype(np.float64)
    rows = []
    for number in np.unique(seat).tolist():
        mean = ClusteredMean.of(totals[number], sizes[number])
        rows.append((number, int(sizes[number].sum()), mean.mean, *mean.proportion_interval()))
    return pd.DataFrame(rows, columns=["seat", "games", "mean", "low", "high"])


def decision_times(timed: pd.DataFrame) -> pd.DataFrame:
    """Return how the games' mean times per decision are spread.

    Args:
        timed: columns agent_index and ms.

    Returns:
        Columns agent_index, games, p5, p25, median, p75 and p95, in milliseconds.
    """
    by = timed.groupby("agent_index")["ms"]
    return pd.DataFrame(
        {"games": by.size(), **{name: by.quantile(at) for name, at in _QUANTILES.items()}}
    ).reset_index()


def _ints(frame: pd.DataFrame, name: str) -> _Ints:
    return frame[name].to_numpy(dtype=np.int64)
