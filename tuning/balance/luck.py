"""Luck of the deal: how much of a result is decided by the chance seed, whoever plays."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pandas as pd

from tournaments.intervals import ClusteredMean
from tuning.balance.candidate import CandidateGames
from tuning.balance.estimate import Estimate, mean_estimate

_Floats = npt.NDArray[np.float64]


def luck(candidate: CandidateGames) -> Estimate:
    """Return the share of the variance of a seat's points that the chance seed explains: 0 for none, 1 for all.

    The games of a block have one seed and other agents in a seat, so what the points of a seat have in common over them,
    beyond what its agents and the seat itself have in all blocks, is the deal. It is their covariance between games of a
    block, over their variance (the intraclass correlation of a random effect): covariances are not blown up by what
    differs within a block, so that seating and the agents' own noise drop out, and it can be below 0 by chance. The
    interval is Student's for a ratio of sums over blocks.

    It takes games that either side can win: of results that are nearly certain, covariances are known from few blocks only,
    and 95 % intervals hold rather 92 %. Blocks with one game tell nothing. Agents of one spec that sit together play equal
    games in all seatings, which looks like luck, unless their streams differ (``streams = "agent"``).
    """
    left = _left(candidate)
    block, n_blocks = candidate.block_numbers
    games = np.bincount(block, minlength=n_blocks).astype(np.float64)
    sums = np.stack([np.bincount(block, column, n_blocks) for column in left.T], axis=1)
    squares = np.bincount(block, (left**2).sum(axis=1), n_blocks)
    pairs = np.maximum(games * (games - 1.0), 1.0)
    has_pairs = games > 1.0
    common = np.where(has_pairs, ((sums**2).sum(axis=1) - squares) / pairs, 0.0)
    whole = np.where(has_pairs, squares / np.maximum(games, 1.0), 0.0)
    if not common.any():  # no two games of a block differ from what was to be expected
        return Estimate.unknown(-1.0, 1.0, len(candidate.blocks))
    share = ClusteredMean.of(common[has_pairs], whole[has_pairs])
    return mean_estimate(share, -1.0, 1.0, int(games[has_pairs].sum()))


def _left(candidate: CandidateGames) -> _Floats:
    """Return what is left of the points of each seat, of shape (games, seats), without the mean of who sits where."""
    n_agents = len(candidate.labels)
    table = np.zeros(len(candidate.blocks), dtype=np.int64)
    for agents in candidate.agents.T:
        table = pd.factorize(table * n_agents + agents)[0]
    counts = np.bincount(table)
    means = np.stack([np.bincount(table, column) / counts for column in candidate.points.T], axis=1)
    left: _Floats = candidate.points - means[table]
    return left
