"""Intervals for means over clusters of games: the games of a block share their seed."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from math import isfinite, isinf, log, nan, sqrt
from typing import Any, Final, NamedTuple, Self

import numpy as np
import numpy.typing as npt
import pandas as pd
import scipy

from tag.engine.results import ONGOING, result_name

# --- intervals for means over clusters of games -----------------------------------------------------------------------
#
# A mean is the ratio of a total to a number of games. Its variance is that of the linearised ratio over the blocks
# (Cochran, Sampling Techniques, 3rd edition, section 6.5). Quantiles are Student's with one degree of freedom fewer
# than there are blocks. If the blocks do not differ at all, a variance of 0 does not mean certainty:
# `interval_of_equals` gives the interval that a few equal blocks justify. Means without a bound, such as those of scores,
# may be skewed: their intervals are also those of `skewed_interval`, if these are wider.
#
# Rare results make a mean in [0, 1] skew: of games that are nearly always drawn, a few more decisive ones change the
# mean and its variance together. So at a true mean μ, other than the mean m that was seen, the variance is at least
# V + (μ - m) K/V, where V and K are the second and third central moments of m, but at most μ(1 - μ) over the blocks. This is
# the variance of a Poisson distribution, whose score interval follows. Where few effective games are unlike the others,
# the end on their side is Clopper and Pearson's one-sided bound at 5 % if that is farther out (Brown, Cai and DasGupta,
# Statistical Science 16, 2001, section 4.1.1, for Poisson's law).


Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

CONFIDENCE: Final = 0.95
#: Half the width of such an interval in standard errors where these are known, as a model's are; Student's otherwise.
HALF_WIDTH: Final = 1.96
#: The rounding error of a variance of zero; a real one is greater below a thousand million games.
ROUNDING: Final = 1e-20
#: The rounding error of a number of clusters.
_CLUSTER_ROUNDING: Final = 1e-9

#: Ends of an interval are written with fewer digits than this.
_MOST_DIGITS: Final = 16


class Interval(NamedTuple):
    """An interval around an estimate, at 95 % unless its record says otherwise.

    >>> Interval(0.25, 0.75).half
    0.25
    """

    low: float
    high: float

    @property
    def half(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2.0


#: The interval of a quantity that is not known.
UNKNOWN: Final = Interval(nan, nan)


class IntervalEstimate(NamedTuple):
    """An estimate with its interval."""

    value: float
    interval: Interval


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
        squares = float(residuals @ residuals)
        variance = clusters / (clusters - 1) * squares / n**2
        values = mean + residuals[sizes > 0.0] * (clusters / n)
        if variance <= ROUNDING:
            return cls(mean, 0.0, clusters, values)
        return cls(mean, variance, clusters, values, float(np.power(residuals, 3).sum()) / squares / n)

    def known_from(self, share: float) -> ClusteredMean:
        """Return the mean as if only this ``share`` of its clusters were independent, rounded down to one at least.

        Clusters that all stand there equally often count as if each stood there once.
        """
        clusters = independent_clusters(self.clusters, share)
        if clusters >= self.clusters:
            return self
        if clusters < 2:
            return ClusteredMean(self.mean, nan, clusters)
        variance = self.variance * (self.clusters - 1) / (clusters - 1)
        values = self.values
        if values is not None:
            places = ((np.arange(clusters) + 0.5) * self.clusters / clusters).astype(np.int64)
            values = np.sort(values)[places]
            values = values + (self.mean - float(values.mean()))
        return ClusteredMean(self.mean, variance, clusters, values, self.skew * self.clusters / clusters)

    def effective_games(self) -> float:
        """Return how many independent games with outcomes 0 or 1 would tell as much about a mean in [0, 1].

        Where the blocks do not differ at all there are as many as blocks, so that a mean of 0 or 1 is not certain.
        """
        return float(self._alone().effective_games()[0])

    def error(self, interval: Interval) -> float:
        """Return the standard error; where the clusters do not differ, the one that belongs to ``interval``.

        It is nan with fewer than two clusters.
        """
        if self.clusters < 2:
            return nan
        return sqrt(self.variance) if self.variance > 0.0 else interval.half / self._quantile()

    def interval(self, low: float, high: float) -> Interval:
        """Return the interval mean ± t · standard error, cut at the possible values ``low`` and ``high``.

        If one of these is infinite, the interval is as wide as skewness makes it (`skewed_interval`). Where the clusters do
        not differ it is that of `interval_of_equals`.
        """
        if self.clusters < 2:
            return Interval(low, high)
        if self.variance == 0.0:
            return interval_of_equals(self.mean, self.clusters, low, high)
        if self.values is not None and (isinf(low) or isinf(high)):
            least, greatest = skewed_interval(self.values)
        else:
            half = self._quantile() * sqrt(self.variance)
            least, greatest = self.mean - half, self.mean + half
        return Interval(max(low, least), min(high, greatest))

    def proportion_interval(self) -> Interval:
        """Return Wilson's interval for a mean in [0, 1], with Student's t and the effective number of games.

        It lies within [0, 1] and is honest at both ends (Korn and Graubard, Survey Methodology 24, 1998, study its kind);
        where results are rare it is wider, as described above.
        """
        low, high = self._alone().proportion_intervals()
        return Interval(float(low[0]), float(high[0]))

    def proportion_p_value(self, null: float) -> float:
        """Return how likely a mean in [0, 1] at least this far from ``null`` would be if ``null`` were true, on both sides.

        It is below 0.05 just where `proportion_interval` leaves a ``null`` of 1/2 out; 1 with fewer than two clusters.
        """
        return float(self._alone().proportion_p_values(null)[0])

    def _alone(self) -> ClusteredMeans:
        arrays = (np.array([value]) for value in (self.mean, self.variance, self.clusters, self.skew))
        return ClusteredMeans(*arrays)

    def _quantile(self) -> float:
        return student(self.clusters)


@dataclass(frozen=True, slots=True, eq=False)
class ClusteredMeans:
    """Many `ClusteredMean`; all arrays are of shape (means,)."""

    mean: Floats
    variance: Floats
    clusters: Ints
    skew: Floats

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
        variance[variance <= ROUNDING] = 0.0
        skew = np.divide(cubes, squares * n, out=np.zeros_like(n), where=variance > 0.0)
        return cls(mean, variance, clusters, skew)

    def known_from(self, shares: Floats) -> ClusteredMeans:
        """Return `ClusteredMean.known_from` of each."""
        clusters = np.maximum(
            (self.clusters * shares + _CLUSTER_ROUNDING).astype(np.int64), np.minimum(self.clusters, 1)
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


def independent_clusters(clusters: int, share: float) -> int:
    """Return how many of so many clusters count if a ``share`` of them is independent: rounded down, one at least.

    >>> independent_clusters(100, 0.25), independent_clusters(100, 0.0)
    (25, 1)
    """
    return max(int(clusters * share + _CLUSTER_ROUNDING), min(clusters, 1))


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


def student(blocks: int, confidence: float = CONFIDENCE) -> float:
    """Return how many standard errors of a mean over so many blocks, two at least, its interval extends to each side.

    >>> round(student(5), 2), round(student(1000), 2)
    (2.78, 1.96)
    """
    return float(scipy.special.stdtrit(blocks - 1, (1.0 + confidence) / 2.0))


def interval_of_equals(value: float, blocks: int, low: float, high: float) -> Interval:
    """Return the 95 % interval of a mean of which so many ``blocks`` all had the same ``value``.

    At most a share q = 1 - 0.025^(1/blocks) of all blocks has another value (Clopper and Pearson, Biometrika 26, 1934).
    That value may be the least or the greatest possible. So the mean is at least ``value`` - q (``value`` - ``low``);
    the upper end is computed the same way. Without a ``low`` or ``high``, other blocks are assumed to differ by at most
    ``value`` itself, or by 1 if that is more. This is a convention, as nothing follows from equal values without any
    scale.

    There is at least one block; an infinite ``low`` or ``high`` stands for none.

    >>> ends = interval_of_equals(1.0, 20, 0.0, 1.0)
    >>> round(ends.low, 3), ends.high
    (0.832, 1.0)
    """
    others = 1.0 - ((1.0 - CONFIDENCE) / 2.0) ** (1.0 / blocks)
    reach = max(abs(value), 1.0)
    least, greatest = (value - reach if isinf(low) else low), (value + reach if isinf(high) else high)
    return Interval(value - others * (value - least), value + others * (greatest - value))


def half_width_text(half: float, form: str) -> str:
    """Return half the width of an interval in ``form``, with enough further digits to differ from zero.

    >>> half_width_text(0.124, ".2f"), half_width_text(0.00031, ".2f")
    ('0.12', '0.0003')
    """
    text = format(half, form)
    return text if float(text.replace(",", "")) or not half else f"{half:.1g}"


def ends_text(low: float, high: float, form: str) -> str:
    """Return an interval in ``form``, with as many more digits as it takes to tell its ends apart.

    >>> ends_text(0.25, 0.5, ".2f"), ends_text(0.49998, 0.50002, ".3f"), ends_text(35.0, 36.5, ".4g")
    ('0.25 … 0.50', '0.49998 … 0.50002', '35 … 36.5')
    """
    head, _point, digits = form[:-1].partition(".")
    shown = (f"{head}.{number}{form[-1]}" for number in range(int(digits), _MOST_DIGITS))
    ends = ((format(low, one), format(high, one)) for one in shown)
    return " … ".join(next((pair for pair in ends if pair[0] != pair[1]), (format(low, form), format(high, form))))


# --- means of skewed values -------------------------------------------------------------------------------------------
#
# Student's t holds for means of values that are nearly normal. With skewed ones it fails on one side: a mean without its
# rare great losses is too high, and the deviation is too small in the same samples.
#
# The mean of values without a bound on their law has no interval that holds for all laws (R. Bahadur and L. Savage, Annals
# of Mathematical Statistics 27, 1956). A bound on their range gives one: let W be the mean of the values and of one more at
# the end of the range, with weights drawn evenly among all that add up to 1. Then the lower end is the quantile of W (N.
# Gaffke, "Three test statistics for a nonparametric one-sided hypothesis on the mean of a nonnegative variable",
# Mathematical Methods of Statistics 14, 2005). For values of 0 and 1 it is the bound of Clopper and Pearson. No law is known
# for which it fails.
#
# Scores have no range that is known. So the value at the end is invented: further from the mean than the farthest that was
# seen. The interval is the wider of this one and Student's, end by end. What it cannot know are events so rare that none has
# been seen: of n blocks, those with a chance of 3.7/n or less (2.5 %).
#
# Weights are those of exponential draws E, so W is below m where Σ E (x - m) is negative. Its probability is that of the
# saddlepoint, with O. Barndorff-Nielsen's r* (Biometrika 73, 1986). The saddlepoint is the multiplier of the empirical
# likelihood. Errors are below 2 % of the probability (`tests/tournaments/statistics/test_skewed_means.py`).


#: The invented value is so many times as far from the mean as the farthest that was seen, and more with few values.
_REACH: Final = 1.5
_REACH_OF_FEW: Final = 5.0
#: The multiplier is looked for from a hundredth of a standard error from the centre to this share of its range.
_NEAREST: Final = 0.01
_FARTHEST: Final = 1.0 - 1e-12
#: So many halvings leave nothing of a number's 53 bits.
_HALVINGS: Final = 53


def skewed_interval(values: Floats, confidence: float = CONFIDENCE) -> Interval:
    """Return an interval of the mean of values that may be skewed, of shape (blocks,), two at least and not all equal.

    Its ends are Student's, or those of the mean with random weights and an invented value, if these are farther out.

    >>> import numpy as np
    >>> scores = np.array([1.0, 1.0, 2.0, 1.0, 3.0, 1.0, 12.0, 2.0])
    >>> ends = skewed_interval(scores)
    >>> round(ends.low, 2), round(ends.high, 2)
    (-0.27, 10.35)
    """
    mean, tail = float(values.mean()), 0.5 * (1.0 - confidence)
    half = student(len(values), confidence) * float(values.std(ddof=1)) / sqrt(len(values))
    return Interval(
        min(mean - half, _RandomWeights(values).end(tail)), max(mean + half, -_RandomWeights(-values).end(tail))
    )


def skewed_p_value(values: Floats, null: float = 0.0) -> float:
    """Return how likely a mean at least this far from ``null`` is where that is true, on both sides.

    It is below 0.05 just where `skewed_interval` leaves ``null`` out. Values are as there.
    """
    off = float(values.mean()) - null
    t = off / (float(values.std(ddof=1)) / sqrt(len(values)))
    sided = values if off > 0.0 else -values
    weighted = _RandomWeights(sided).share_below(null if off > 0.0 else -null)
    return min(1.0, 2.0 * max(float(scipy.special.stdtr(len(values) - 1, -abs(t))), weighted))


class _RandomWeights:
    """The mean of values, and of one invented below them, with random weights; of its law only the lower half."""

    def __init__(self, values: Floats) -> None:
        mean, n = float(values.mean()), len(values)
        below = mean - (_REACH + _REACH_OF_FEW / n) * (mean - float(values.min()))
        all_values = np.append(values, below)
        self._centre = float(all_values.mean())
        self._off = all_values - self._centre
        self._farthest = float(self._off[-1])
        self._nearest = _NEAREST * -self._farthest / sqrt(float(self._off @ self._off))

    def end(self, share: float) -> float:
        """Return the number below which the mean lies in such a ``share`` of draws, less than a half."""
        wanted = float(scipy.special.ndtri(share))
        return self._at(self._place(1, wanted))[0]

    def share_below(self, number: float) -> float:
        """Return the share of draws in which the mean lies below ``number``; a half at most."""
        if number >= self._at(self._nearest)[0]:
            return 0.5
        if number <= self._at(_FARTHEST)[0]:
            return 0.0
        return float(scipy.special.ndtr(self._at(self._place(0, number))[1]))

    def _place(self, which: int, wanted: float) -> float:
        """Return where a result of `_at`, which falls with the place, is the ``wanted`` one.

        It halves the interval: to import scipy's solvers takes 0.2 s, and all tables of scores would need them.
        """
        low, high = self._nearest, _FARTHEST
        for _halving in range(_HALVINGS):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if self._at(middle)[which] > wanted else (low, middle)
        return 0.5 * (low + high)

    def _at(self, place: float) -> tuple[float, float]:
        """Return a number and the normal quantile of the share of draws below it.

        The ``place``, from 0 at the centre to 1 at the end, is that of the multiplier of the empirical likelihood whose
        weights have this number as their mean.
        """
        multiplier = place / self._farthest
        shares = 1.0 - multiplier * self._off
        off = float((self._off / shares).sum() / (1.0 / shares).sum())
        saddle = multiplier / (1.0 - multiplier * off)
        tilted = 1.0 - saddle * (self._off - off)
        root = -sqrt(max(2.0 * float(np.log(tilted).sum()), 1e-300))
        slope = saddle * sqrt(float((((self._off - off) / tilted) ** 2).sum()))
        return self._centre + off, root + log(slope / root) / root


# --- correlation within a block, and the design effect ----------------------------------------------------------------
#
# Let there be b blocks of n games, with variance σ² of a game and correlation rho between any two of a block. Then the
# mean of a block has the variance σ²/n · (1 + (n-1) rho). The design effect 1 + (n-1) rho is the cost of a game: below
# 1 where the seatings of a seed cancel its luck, above where they repeat it (Kish, Survey Sampling, 1965, section 5.4).
# Rho lies between -1/(n-1) and 1.
#
# Rho is measured by the analysis of variance: with the mean squares B between and W within blocks, whose expectations are
# σ²(1 + (n-1) rho) and σ²(1 - rho),
#
#     rho = (B - W) / (B + (n-1) W),    design effect = n B / (B + (n-1) W),
#
# the second being the variance of block means, times n, over the variance of games. Blocks of unequal sizes n_i count as
# of n = (N - Σ n_i²/N) / (b - 1), where N is the number of games (Donner, International Statistical Review 54, 1986).


@dataclass(frozen=True, slots=True)
class WithinBlock:
    """The correlation between the games of a block, for one quantity.

    Attributes:
        rho: the correlation of two games of a block; nan unless there are several blocks, one has several games, and
            games differ.
        design_effect: games per effective game; nan where rho is.
        effective_games: independent games that would tell as much about the mean. If blocks do not differ at all, it is
            the number of blocks. It is nan where the design effect is.
    """

    games: int
    blocks: int
    rho: float
    design_effect: float
    effective_games: float


def within_block(values: Floats, blocks: Ints) -> WithinBlock:
    """Measure the correlation between the games of a block.

    The values and the numbers of the blocks are of shape (games,).
    """
    _, block = np.unique(blocks, return_inverse=True)
    sizes = np.bincount(block).astype(np.float64)
    means = np.bincount(block, values) / sizes
    return _within(means, sizes, float(((values - means[block]) ** 2).sum()))


def within_block_of_wins(wins: Floats, games: Floats) -> WithinBlock:
    """Measure the correlation between the games of a block in being won.

    Both are of shape (blocks,); blocks without games do not count.

    >>> import numpy as np
    >>> together = within_block_of_wins(np.array([2.0, 0.0, 2.0, 0.0]), np.full(4, 2.0))
    >>> apart = within_block_of_wins(np.array([1.0, 1.0, 1.0, 1.0]), np.full(4, 2.0))
    >>> round(together.rho, 2), round(apart.rho, 2)
    (1.0, -1.0)
    """
    sizes = games[games > 0]
    means = wins[games > 0] / sizes
    return _within(means, sizes, float(sizes @ (means * (1.0 - means))))


def _within(means: Floats, sizes: Floats, squares: float) -> WithinBlock:
    """Return the result from the mean and the size of each block, and the sum of squares within all blocks."""
    games, b = int(sizes.sum()), len(sizes)
    if b < 2 or games == b:
        return WithinBlock(games, b, nan, nan, nan)
    between = float(sizes @ (means - float(sizes @ means) / games) ** 2) / (b - 1)
    within = squares / (games - b)
    n = (games - float(sizes @ sizes) / games) / (b - 1)
    variance = between + (n - 1.0) * within
    if variance == 0.0:
        return WithinBlock(games, b, nan, nan, nan)
    design_effect = n * between / variance
    effective = games / design_effect if between > 0.0 else float(b)
    return WithinBlock(games, b, (between - within) / variance, design_effect, effective)


def within_blocks(seats: pd.DataFrame, column: str = "points") -> dict[str, WithinBlock]:
    """Measure for each agent the correlation between its games of a block.

    Void games do not count. The column is the quantity, such as points, win, ordinal or score.
    """
    played = seats[(seats["result"] != result_name(ONGOING)).to_numpy(dtype=bool)]
    found: dict[str, WithinBlock] = {}
    for number, label in enumerate(seats["agent"].cat.categories):
        rows = played[(played["agent_index"] == number).to_numpy(dtype=bool)]
        found[str(label)] = within_block(
            rows[column].to_numpy(dtype=np.float64), rows["block"].to_numpy(dtype=np.int64)
        )
    return found


def flat(record: Any) -> dict[str, Any]:
    """Return the fields of a dataclass by name, each interval as two numbers.

    The ends of the field ``interval`` are ``low`` and ``high``, those of ``points_interval`` are ``points_low`` and
    ``points_high``: as JSON, tables and metrics name them.
    """
    found: dict[str, Any] = {}
    for name, value in asdict(record).items():
        if isinstance(value, Interval):
            prefix = name.removesuffix("interval")
            found |= {f"{prefix}low": value.low, f"{prefix}high": value.high}
        else:
            found[name] = value
    return found


def plain_record(record: Any) -> dict[str, Any]:
    """Return `flat` with only values that JSON has."""
    return dict(plain(flat(record)))


def plain(value: Any) -> Any:
    """Return ``value`` with None for all numbers in it that JSON has not, and lists for tuples.

    >>> plain({"rate": float("nan"), "seats": (1, 2)})
    {'rate': None, 'seats': [1, 2]}
    """
    if isinstance(value, dict):
        return {name: plain(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    return None if isinstance(value, float) and not isfinite(value) else value
