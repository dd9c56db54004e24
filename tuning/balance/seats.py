"""Whether it matters where one sits."""

from __future__ import annotations

import numpy as np

from tuning.balance.block_means import BlockMeans
from tuning.balance.candidate import CandidateGames
from tuning.balance.estimate import Estimate
from tuning.balance.sizes import SPREAD, size_estimate


def seat_points(candidate: CandidateGames) -> BlockMeans:
    """Return the mean points of each seat, whoever sits there: with whole match-ups everybody sits everywhere."""
    block, n_blocks = candidate.block_numbers
    seats = candidate.n_players
    totals = np.zeros((n_blocks, seats))
    np.add.at(totals, block, candidate.points)
    games = np.bincount(block, minlength=n_blocks).astype(np.float64)
    return BlockMeans.of(totals, np.repeat(games[:, None], seats, axis=1), len(block))


def first_seat(candidate: CandidateGames) -> Estimate:
    """Return the points of the first seat beyond an equal share of those of all seats."""
    means = seat_points(candidate)
    seats = max(len(means.means), 1)
    share = 1.0 / seats
    weights = np.full(len(means.means), -share)
    weights[:1] += 1.0
    return means.combined(weights, -share, 1.0 - share)


def seat_spread(candidate: CandidateGames) -> Estimate:
    """Return by how many points the best seat is above the worst, without what noise adds (`tuning.balance.sizes`)."""
    return size_estimate(seat_points(candidate), SPREAD, 1.0)
