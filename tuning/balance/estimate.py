"""Estimates: a number that games tell, and how well."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, isfinite, nan

import numpy as np
import numpy.typing as npt

from tournaments.intervals import ClusteredMean

_Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number that games tell.

    Attributes:
        value: the number, with the bias of noise removed; nan where the games tell nothing.
        error: its standard error; infinite where nothing is known about it.
        low: the lower end of its 95 % interval.
        high: the upper end.
        games: how many games it is from.
    """

    value: float
    error: float
    low: float
    high: float
    games: int

    @classmethod
    def exactly(cls, value: float) -> Estimate:
        """Return what is known without games."""
        return cls(value, 0.0, value, value, 0)

    @classmethod
    def unknown(cls, least: float = -inf, greatest: float = inf, games: int = 0) -> Estimate:
        """Return what games tell that do not have the quantity: that it lies between what is possible."""
        return cls(nan, inf, least, greatest, games)


def mean_estimate(mean: ClusteredMean, least: float, greatest: float, games: int) -> Estimate:
    """Return a mean over games with Student's interval, cut at the possible values ``least`` and ``greatest``."""
    if not isfinite(mean.mean):
        return Estimate.unknown(least, greatest, games)
    return _estimate(mean, mean.interval(least, greatest), games)


def share_estimate(mean: ClusteredMean, games: int) -> Estimate:
    """Return a share of games with Wilson's interval, which is honest at 0 and 1 as well."""
    if not isfinite(mean.mean):
        return Estimate.unknown(0.0, 1.0, games)
    return _estimate(mean, mean.proportion_interval(), games)


def by_block(blocks: _Ints, values: npt.ArrayLike) -> ClusteredMean:
    """Return the mean of values of games, of shape (games,), that share their luck where their blocks are the same."""
    _numbers, block = np.unique(blocks, return_inverse=True)
    totals = np.bincount(block, np.asarray(values, dtype=np.float64)).astype(np.float64)
    return ClusteredMean.of(totals, np.bincount(block).astype(np.float64))


def _estimate(mean: ClusteredMean, interval: tuple[float, float], games: int) -> Estimate:
    """Return a mean with its interval; where all games agree the error belongs to that, so that nothing is certain."""
    error = mean.error(interval) if mean.clusters > 1 else inf
    return Estimate(mean.mean, error, *interval, games)
