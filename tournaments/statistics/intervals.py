"""Intervals for means over clusters of games: the games of a block share their seed."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from math import isfinite, isinf, nan, sqrt
from typing import Any, Final, NamedTuple, Self

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.special import stdtr, stdtrit

from tag.engine.results import ONGOING, result_name

# --- intervals for means over clusters of games -----------------------------------------------------------------------
#
# A mean is the ratio of a total to a number of games. Its variance is that of the linearised ratio over the blocks
# (Cochran, Sampling Techniques, 3rd edition, section 6.5). Quantiles are Student's with one degree of freedom fewer
# than there are blocks. If the blocks do not differ at all, a variance of 0 does not mean certainty:
# `interval_of_equals` gives the interval that a few equal blocks justify.


Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

CONFIDENCE: Final = 0.95
#: Half the width of such an interval in standard errors where these are known, as a model's are; Student's otherwise.
HALF_WIDTH: Final = 1.96
#: The rounding error of a variance of zero; a real one is greater below a thousand million games.
ROUNDING: Final = 1e-20

#: Ends of an interval are written with fewer digits than this.
_MOST_DIGITS: Final = 16


class Interval(NamedTuple):
    """An interval around an estimate, at 95 % unless its record says otherwise."""

    low: float
    high: float

    @property
    def half(self) -> float:
        """Half its width."""
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

    Attributes:
        mean: nan without games.
        variance: of the mean; nan with fewer than two clusters.
    """

    mean: float
    variance: float
    clusters: int

    @classmethod
    def of(cls, totals: Floats, sizes: Floats) -> ClusteredMean:
        """Return the mean of clusters with these totals and numbers of games; clusters without games do not count."""
        clusters = int(np.count_nonzero(sizes))
        n = float(sizes.sum())
        if clusters == 0:
            return cls(nan, nan, 0)
        mean = float(totals.sum()) / n
        if clusters == 1:
            return cls(mean, nan, 1)
        residuals = totals - mean * sizes
        variance = clusters / (clusters - 1) * float(residuals @ residuals) / n**2
        return cls(mean, variance if variance > ROUNDING else 0.0, clusters)

    def known_from(self, share: float) -> ClusteredMean:
        """Return the mean as if only this ``share`` of its clusters were independent, rounded down to one at least."""
        clusters = min(max(int(self.clusters * share + ROUNDING), 1), self.clusters)
        if clusters == self.clusters:
            return self
        return ClusteredMean(self.mean, self.variance * self.clusters / clusters if clusters > 1 else nan, clusters)

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

        Where the clusters do not differ it is that of `interval_of_equals`.
        """
        if self.clusters < 2:
            return Interval(low, high)
        if self.variance == 0.0:
            return interval_of_equals(self.mean, self.clusters, low, high)
        half = self._quantile() * sqrt(self.variance)
        return Interval(max(low, self.mean - half), min(high, self.mean + half))

    def proportion_interval(self) -> Interval:
        """Return Wilson's interval for a mean in [0, 1], with Student's t and the effective number of games.

        It lies within [0, 1] and is honest at both ends (Korn and Graubard, Survey Methodology 24, 1998, study its kind).
        """
        low, high = self._alone().proportion_intervals()
        return Interval(float(low[0]), float(high[0]))

    def proportion_p_value(self, null: float) -> float:
        """Return how likely a mean in [0, 1] at least this far from ``null`` would be if ``null`` were true, on both sides.

        It is below 0.05 just where `proportion_interval` leaves ``null`` out; 1 with fewer than two clusters.
        """
        return float(self._alone().proportion_p_values(null)[0])

    def _alone(self) -> ClusteredMeans:
        return ClusteredMeans(np.array([self.mean]), np.array([self.variance]), np.array([self.clusters]))

    def _quantile(self) -> float:
        return student(self.clusters)


@dataclass(frozen=True, slots=True, eq=False)
class ClusteredMeans:
    """Many `ClusteredMean`; all arrays are of shape (means,)."""

    mean: Floats
    variance: Floats
    clusters: Ints

    @classmethod
    def of_runs(cls, totals: Floats, sizes: Floats, begins: Ints) -> Self:
        """Return the means of clusters that stand one after the other, the first of each mean at ``begins``.

        There is at least one mean, each has at least one cluster, and all clusters have games.
        """
        clusters = np.diff(np.append(begins, len(totals)))
        n = np.add.reduceat(sizes, begins)
        mean = np.add.reduceat(totals, begins) / n
        squares = np.add.reduceat((totals - np.repeat(mean, clusters) * sizes) ** 2, begins)
        variance = np.where(clusters > 1, clusters / np.maximum(clusters - 1, 1) * squares / n**2, nan)
        variance[variance <= ROUNDING] = 0.0
        return cls(mean, variance, clusters)

    def effective_games(self) -> Floats:
        """Return `ClusteredMean.effective_games` of each."""
        spread = self.mean * (1.0 - self.mean)
        is_known = (self.variance > 0.0) & (spread > 0.0)
        return np.divide(spread, self.variance, out=self.clusters.astype(np.float64), where=is_known)

    def proportion_intervals(self) -> tuple[Floats, Floats]:
        """Return the lower and upper ends of `ClusteredMean.proportion_interval` of each."""
        is_known = self.clusters > 1
        p, n = self.mean, np.where(is_known, self.effective_games(), 1.0)
        t = stdtrit(np.maximum(self.clusters - 1, 1), (1.0 + CONFIDENCE) / 2.0)
        shrinkage = 1.0 + t * t / n
        centre = (p + t * t / (2.0 * n)) / shrinkage
        half = t / shrinkage * np.sqrt(p * (1.0 - p) / n + t * t / (4.0 * n * n))
        low, high = np.minimum(p, centre - half), np.maximum(p, centre + half)  # rounding may leave p out
        return np.where(is_known, np.maximum(0.0, low), 0.0), np.where(is_known, np.minimum(1.0, high), 1.0)

    def proportion_p_values(self, null: float) -> Floats:
        """Return `ClusteredMean.proportion_p_value` of each."""
        is_known = self.clusters > 1
        error = np.sqrt(null * (1.0 - null) / np.where(is_known, self.effective_games(), 1.0))
        p_values = 2.0 * stdtr(np.maximum(self.clusters - 1, 1), -np.abs(self.mean - null) / error)
        return np.where(is_known, p_values, 1.0)


def student(blocks: int, confidence: float = CONFIDENCE) -> float:
    """Return how many standard errors of a mean over so many blocks, two at least, its interval extends to each side."""
    return float(stdtrit(blocks - 1, (1.0 + confidence) / 2.0))


def interval_of_equals(value: float, blocks: int, low: float, high: float) -> Interval:
    """Return the 95 % interval of a mean of which so many ``blocks`` all had the same ``value``.

    At most a share q = 1 - 0.025^(1/blocks) of all blocks has another value (Clopper and Pearson, Biometrika 26, 1934).
    That value may be the least or the greatest possible. So the mean is at least ``value`` - q (``value`` - ``low``);
    the upper end is computed the same way. Without a ``low`` or ``high``, other blocks are assumed to differ by at most
    ``value`` itself, or by 1 if that is more. This is a convention, as nothing follows from equal values without any
    scale.

    There is at least one block; an infinite ``low`` or ``high`` stands for none.
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
    """Return ``value`` with None for all numbers in it that JSON has not, and lists for tuples."""
    if isinstance(value, dict):
        return {name: plain(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    return None if isinstance(value, float) and not isfinite(value) else value
