"""Means over clusters of games with their intervals: the games of a block share their seed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import isinf, nan, sqrt
from typing import Any, Final, Self

import numpy as np
import numpy.typing as npt
import scipy

from tag.tournaments.statistics.intervals import (
    CLUSTER_ROUNDING,
    CONFIDENCE,
    ROUNDING,
    Floats,
    Interval,
    Ints,
    independent_clusters,
    interval_of_equals,
    student,
)
from tag.tournaments.statistics.skewed_means import skewed_intervals

#: The rounding error of a variance beside the square of the mean, where that is beyond 10,000.
_RELATIVE_ROUNDING: Final = 1e-28


def rounding_of_variance(mean: npt.ArrayLike) -> Any:
    """Return the greatest variance that is only the rounding error of a mean, or of each of several, of equal values."""
    return np.maximum(ROUNDING, _RELATIVE_ROUNDING * np.square(mean))


def are_equal(values: Floats) -> bool:
    """Say whether values, one at least, are equal but for rounding errors.

    >>> are_equal(np.array([0.1 + 0.2, 0.3])), are_equal(np.array([0.3, 0.3001]))
    (True, False)
    """
    return bool(values.var() / len(values) <= rounding_of_variance(float(values.mean())))


@dataclass(frozen=True, slots=True)
class ClusteredMean:
    """A mean over games, with its error.

    >>> import numpy as np
    >>> wins, games = np.array([2.0, 0.0, 1.0, 2.0, 1.0, 2.0]), np.full(6, 2.0)
    >>> rate = ClusteredMean.of(wins, games)
    >>> round(rate.mean, 3), round(rate.effective_games(), 1)
    (0.667, 8.0)
    >>> ends = rate.proportion_interval()
    >>> round(ends.low, 3), round(ends.high, 3)
    (0.227, 0.917)
    >>> round(rate.proportion_p_value(0.5), 3)
    0.409

    Attributes:
        mean: nan without games.
        variance: of the mean; nan with fewer than two clusters.
        values: of the linearised ratio by cluster, of shape (clusters,), whose mean is ``mean``; None where not known.
        skew: the third central moment of the mean over its variance.
    """

    mean: float
    variance: float
    clusters: int
    values: Floats | None = field(default=None, compare=False, repr=False)
    skew: float = 0.0

    @classmethod
    def of(cls, totals: Floats, sizes: Floats, independent: Floats | None = None) -> ClusteredMean:
        """Return the mean of clusters with these totals and numbers of games; clusters without games do not count.

        Where games repeat others (`tag.tournaments.statistics.repeats`), ``independent`` says how many of each cluster's do
        not.
        """
        found = cls._of_all(totals, sizes)
        games = float(sizes.sum())
        return found if independent is None or not games else found.known_from(float(independent.sum()) / games)

    @classmethod
    def _of_all(cls, totals: Floats, sizes: Floats) -> ClusteredMean:
        clusters = int(np.count_nonzero(sizes))
        n = float(sizes.sum())
        if clusters == 0:
            return cls(nan, nan, 0)
        mean = float(totals.sum()) / n
        if clusters == 1:
            return cls(mean, nan, 1)
        residuals = totals - mean * sizes
        squared = residuals * residuals
        squares = float(
            squared.sum()
        )  # a product of vectors takes 40 times as long on a busy machine: it waits for threads
        variance = clusters / (clusters - 1) * squares / n**2
        values = mean + residuals[sizes > 0.0] * (clusters / n)
        if variance <= rounding_of_variance(mean):
            return cls(mean, 0.0, clusters, values)
        return cls(mean, variance, clusters, values, float((squared * residuals).sum()) / squares / n)

    def known_from(self, share: float) -> ClusteredMean:
        """Return the mean as if only this ``share`` of its clusters were independent, rounded down to one at least.

        Clusters that all stand there equally often count as if each stood there once.
        """
        clusters = self.clusters if share >= 1.0 else independent_clusters(self.clusters, share)
        if clusters >= self.clusters:
            return self
        if clusters < 2:
            return ClusteredMean(self.mean, nan, clusters)
        variance = self.variance * (self.clusters - 1) / (clusters - 1)
        values = None if self.values is None else self.mean + _fewer(self.values - self.mean, clusters)
        return ClusteredMean(self.mean, variance, clusters, values, self.skew * self.clusters / clusters)

    def effective_games(self) -> float:
        """Return how many independent games with outcomes 0 or 1 would tell as much about a mean in [0, 1].

        Where the blocks do not differ at all there are as many as blocks, so that a mean of 0 or 1 is not certain.
        """
        return float(ClusteredMeans.together([self]).effective_games()[0])

    def error(self, interval: Interval) -> float:
        """Return the standard error; where the clusters do not differ, the one that belongs to ``interval``.

        It is nan with fewer than two clusters.
        """
        if self.clusters < 2:
            return nan
        return sqrt(self.variance) if self.variance > 0.0 else interval.half / student(self.clusters)

    def interval(self, low: float, high: float) -> Interval:
        """Return the interval mean ± t · standard error, cut at the possible values ``low`` and ``high``.

        If one of these is infinite, the interval is as wide as skewness makes it (`skewed_interval`). Where the clusters do
        not differ it is that of `interval_of_equals`.
        """
        return intervals([self], low, high)[0]

    def proportion_interval(self) -> Interval:
        """Return Wilson's interval for a mean in [0, 1], with Student's t and the effective number of games.

        It lies within [0, 1] and is honest at both ends (Korn and Graubard, Survey Methodology 24, 1998, study its kind);
        where results are rare it is wider (`tag.tournaments.statistics.intervals`).
        """
        return ClusteredMeans.together([self]).proportions()[0]

    def proportion_p_value(self, null: float) -> float:
        """Return how likely a mean in [0, 1] at least this far from ``null`` would be if ``null`` were true, on both sides.

        It is below 0.05 just where `proportion_interval` leaves a ``null`` of 1/2 out; 1 with fewer than two clusters.
        """
        return float(ClusteredMeans.together([self]).proportion_p_values(null)[0])


#: Values in one array when intervals of skewed means are computed together.
_VALUES_AT_ONCE: Final = 100_000


def intervals(means: Sequence[ClusteredMean], low: float, high: float) -> list[Interval]:
    """Return `ClusteredMean.interval` of each mean; those of skewed values are computed together."""
    found, by_length = [Interval(low, high)] * len(means), defaultdict[int, list[tuple[int, Floats]]](list)
    for at, mean in enumerate(means):
        if mean.values is not None and mean.variance > 0.0 and (isinf(low) or isinf(high)):
            by_length[len(mean.values)].append((at, mean.values))
        else:
            found[at] = _unskewed_interval(mean, low, high)
    for length, skewed in by_length.items():
        size = max(_VALUES_AT_ONCE // length, 1)
        for part in (skewed[begin : begin + size] for begin in range(0, len(skewed), size)):
            ends = skewed_intervals(np.array([values for _at, values in part]))
            for (at, _values), least, greatest in zip(part, *(end.tolist() for end in ends), strict=True):
                found[at] = Interval(max(low, least), min(high, greatest))
    return found


def _unskewed_interval(mean: ClusteredMean, low: float, high: float) -> Interval:
    if mean.clusters < 2:
        return Interval(low, high)
    if mean.variance == 0.0:
        return interval_of_equals(mean.mean, mean.clusters, low, high)
    half = student(mean.clusters) * sqrt(mean.variance)
    return Interval(max(low, mean.mean - half), min(high, mean.mean + half))


@dataclass(frozen=True, slots=True, eq=False)
class ClusteredMeans:
    """Many `ClusteredMean`; all arrays are of shape (means,)."""

    mean: Floats
    variance: Floats
    clusters: Ints
    skew: Floats

    @classmethod
    def together(cls, means: Sequence[ClusteredMean]) -> Self:
        """Return single means as arrays."""
        arrays = zip(*((one.mean, one.variance, one.clusters, one.skew) for one in means), strict=True)
        return cls(*map(np.array, arrays))

    @classmethod
    def of_runs(cls, totals: Floats, sizes: Floats, begins: Ints) -> Self:
        """Return the means of clusters that stand one after the other, the first of each mean at ``begins``.

        There is at least one mean, each has at least one cluster, and all clusters have games.
        """
        clusters = np.diff(np.append(begins, len(totals)))
        n = np.add.reduceat(sizes, begins)
        mean = np.add.reduceat(totals, begins) / n
        residuals = totals - np.repeat(mean, clusters) * sizes
        squares, cubes = (np.add.reduceat(residuals**power, begins) for power in (2, 3))
        variance = np.where(clusters > 1, clusters / np.maximum(clusters - 1, 1) * squares / n**2, nan)
        variance[variance <= rounding_of_variance(mean)] = 0.0
        skew = np.divide(cubes, squares * n, out=np.zeros_like(n), where=variance > 0.0)
        return cls(mean, variance, clusters, skew)

    def known_from(self, shares: Floats) -> ClusteredMeans:
        """Return `ClusteredMean.known_from` of each."""
        clusters = np.maximum(
            (self.clusters * shares + CLUSTER_ROUNDING).astype(np.int64), np.minimum(self.clusters, 1)
        )
        fewer = np.maximum(clusters - 1, 1)
        variance = np.where(clusters > 1, self.variance * (self.clusters - 1) / fewer, nan)
        return ClusteredMeans(self.mean, variance, clusters, self.skew * self.clusters / np.maximum(clusters, 1))

    def effective_games(self) -> Floats:
        """Return `ClusteredMean.effective_games` of each."""
        spread = self.mean * (1.0 - self.mean)
        is_known = (self.variance > 0.0) & (spread > 0.0)
        return np.divide(spread, self.variance, out=self.clusters.astype(np.float64), where=is_known)

    def proportion_intervals(self) -> tuple[Floats, Floats]:
        """Return the lower and upper ends of `ClusteredMean.proportion_interval` of each."""
        is_known = self.clusters > 1
        p, n = self.mean, np.where(is_known, self.effective_games(), 1.0)
        t = scipy.special.stdtrit(np.maximum(self.clusters - 1, 1), (1.0 + CONFIDENCE) / 2.0)
        low, high = _wilson(p, n, t)
        least, most = _wilson(p, np.maximum(self.clusters, 1).astype(np.float64), t)
        lean = t * t * self.skew / 2.0
        reach = np.abs(lean) + np.sqrt(lean * lean + t * t * np.where(is_known, self.variance, 0.0))
        low = np.where(lean < 0.0, np.minimum(low, np.maximum(least, p - reach)), low)
        high = np.where(lean > 0.0, np.maximum(high, np.minimum(most, p + reach)), high)
        low = np.where(p < 0.5, np.minimum(low, _least_share(p, n)), low)
        high = np.where(p > 0.5, np.maximum(high, 1.0 - _least_share(1.0 - p, n)), high)
        return np.where(is_known, np.maximum(0.0, low), 0.0), np.where(is_known, np.minimum(1.0, high), 1.0)

    def proportions(self) -> list[Interval]:
        """Return `ClusteredMean.proportion_interval` of each."""
        low, high = self.proportion_intervals()
        return list(map(Interval, low.tolist(), high.tolist()))

    def proportion_p_values(self, null: float) -> Floats:
        """Return `ClusteredMean.proportion_p_value` of each."""
        is_known = self.clusters > 1
        off = null - self.mean
        of_wilson = null * (1.0 - null) / np.where(is_known, self.effective_games(), 1.0)
        of_rare = np.where(is_known, self.variance, 0.0) + np.maximum(off * self.skew, 0.0)
        of_blocks = null * (1.0 - null) / np.maximum(self.clusters, 1)
        error = np.sqrt(np.maximum(of_wilson, np.minimum(of_rare, of_blocks)))
        p_values = 2.0 * scipy.special.stdtr(np.maximum(self.clusters - 1, 1), -np.abs(off) / error)
        return np.where(is_known, p_values, 1.0)


def _fewer(off: Floats, number: int) -> Floats:
    """Return ``number`` deviations from a mean, fewer than these but two at least, with their standard deviation.

    They are the means of equal parts of the sorted ones, stretched. So they are equal only if all of these are: quantiles
    leave out the rare ones, and there would be no error.

    >>> _fewer(np.array([0.1, 0.1, 0.1, 0.1, 0.1, -0.5]), 3)
    array([-0.31622777,  0.15811388,  0.15811388])
    """
    n = len(off)
    sums = np.concatenate([[0.0], np.cumsum(np.sort(off))])
    parts = np.diff(np.interp(np.linspace(0.0, n, number + 1), np.arange(n + 1), sums)) * number / n
    spread = float(parts.std())
    stretched: Floats = parts * (float(off.std()) / spread) if spread else parts
    return stretched


def _wilson(p: Floats, n: Floats, t: Floats) -> tuple[Floats, Floats]:
    """Return the ends of Wilson's interval for shares ``p`` of ``n`` games, ``t`` standard errors to each side."""
    shrinkage = 1.0 + t * t / n
    centre = (p + t * t / (2.0 * n)) / shrinkage
    half = t / shrinkage * np.sqrt(p * (1.0 - p) / n + t * t / (4.0 * n * n))
    return np.minimum(p, centre - half), np.maximum(p, centre + half)  # rounding may leave p out


def _least_share(shares: Floats, games: Floats) -> Floats:
    """Return the least share of all games for which so great a share of these is no surprise at 5 %."""
    count = np.maximum(shares * games, ROUNDING)
    least: Floats = scipy.special.betaincinv(count, games - count + 1.0, 1.0 - CONFIDENCE)
    return least
