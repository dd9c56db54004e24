"""Intervals and estimates with them, and their texts.

A mean is the ratio of a total to a number of games. Its variance is that of the linearised ratio over the blocks
(Cochran, Sampling Techniques, 3rd edition, section 6.5). Quantiles are Student's with one degree of freedom fewer
than there are blocks. If the blocks do not differ at all, a variance of 0 does not mean certainty:
`interval_of_equals` gives the interval that a few equal blocks justify. Means without a bound, such as those of scores,
may be skewed: their intervals are also those of `skewed_interval`, if these are wider.

Rare results make a mean in [0, 1] skew: of games that are nearly always drawn, a few more decisive ones change the
mean and its variance together. So at a true mean μ, other than the mean m that was seen, the variance is at least
V + (μ - m) K/V, where V and K are the second and third central moments of m, but at most μ(1 - μ) over the blocks. This is
the variance of a Poisson distribution, whose score interval follows. Where few effective games are unlike the others,
the end on their side is Clopper and Pearson's one-sided bound at 5 % if that is farther out (Brown, Cai and DasGupta,
Statistical Science 16, 2001, section 4.1.1, for Poisson's law).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot, isinf, isnan, nan
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
import scipy

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
#: The rounding error of a number of clusters.
CLUSTER_ROUNDING: Final = 1e-9
#: The rounding error of an interval of no width, as that of an anchored rating.
_WIDTH_ROUNDING: Final = 1e-9


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

    def text(self, form: str) -> str:
        """Return the estimate and the ends of its interval in ``form``.

        >>> IntervalEstimate(0.5, Interval(0.25, 0.625)).text("+.2f")
        '+0.50 (+0.25 to +0.62)'
        """
        return f"{self.value:{form}} ({self.interval.low:{form}} to {self.interval.high:{form}})"


def student(blocks: int, confidence: float = CONFIDENCE) -> float:
    """Return how many standard errors of a mean over so many blocks, two at least, its interval extends to each side.

    >>> round(student(5), 2), round(student(1000), 2)
    (2.78, 1.96)
    """
    return float(scipy.special.stdtrit(blocks - 1, (1.0 + confidence) / 2.0))


def half_width_of_sum(errors: Sequence[float], blocks: Sequence[int]) -> float:
    """Return half the interval of a sum of independent means, from the standard error of each and its blocks, two at least.

    It is the root of the sum of the squares of those of the means, and holds at least as often as these (Banerjee,
    Calcutta Statistical Association Bulletin 10, 1960). Welch's and Satterthwaite's degrees of freedom would be narrower,
    but held only 92 % where one of the means is of two blocks.

    >>> round(half_width_of_sum([0.1, 0.001], [50, 2]), 2), round(half_width_of_sum([0.001, 0.1], [50, 2]), 2)
    (0.2, 1.27)
    """
    return hypot(*(student(n) * error for error, n in zip(errors, blocks, strict=True)))


def independent_clusters(clusters: int, share: float) -> int:
    """Return how many of so many clusters count if a ``share`` of them is independent: rounded down, one at least.

    >>> independent_clusters(100, 0.25), independent_clusters(100, 0.0)
    (25, 1)
    """
    return max(int(clusters * share + CLUSTER_ROUNDING), min(clusters, 1))


def interval_of_equals(value: float, blocks: int, low: float, high: float, confidence: float = CONFIDENCE) -> Interval:
    """Return the interval of a mean of which so many ``blocks`` all had the same ``value``, at 95 % by default.

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
    others = 1.0 - ((1.0 - confidence) / 2.0) ** (1.0 / blocks)
    reach = max(abs(value), 1.0)
    least, greatest = (value - reach if isinf(low) else low), (value + reach if isinf(high) else high)
    return Interval(value - others * (value - least), value + others * (greatest - value))


def interval_text(low: float | None, high: float | None, form: str) -> str:
    """Return an interval; ``fixed`` if it has no width, and a dash where there is none."""
    if low is None or high is None:
        ends = ["-" if end is None or isnan(end) else format(end, form) for end in (low, high)]
        return "-" if low is high else " … ".join(ends)
    return "fixed" if high - low < _WIDTH_ROUNDING else ends_text(low, high, form)


def half_width_text(half: float | None, form: str) -> str:
    """Return half the width of an interval in ``form``, with enough further digits to differ from zero; a dash for None.

    >>> half_width_text(0.124, ".2f"), half_width_text(0.00031, ".2f")
    ('0.12', '0.0003')
    """
    if half is None:
        return "-"
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
