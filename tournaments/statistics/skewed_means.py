"""Means of skewed values, and their intervals.

Student's t holds for means of values that are nearly normal. With skewed ones it fails on one side: a mean without its
rare great losses is too high, and the deviation is too small in the same samples.

The mean of values without a bound on their law has no interval that holds for all laws (R. Bahadur and L. Savage, Annals
of Mathematical Statistics 27, 1956). A bound on their range gives one: let W be the mean of the values and of one more at
the end of the range, with weights drawn evenly among all that add up to 1. Then the lower end is the quantile of W (N.
Gaffke, "Three test statistics for a nonparametric one-sided hypothesis on the mean of a nonnegative variable",
Mathematical Methods of Statistics 14, 2005). For values of 0 and 1 it is the bound of Clopper and Pearson. No law is known
for which it fails.

Scores have no range that is known. So the value at the end is invented: further from the mean than the farthest that was
seen. The interval is the wider of this one and Student's, end by end. What it cannot know are events so rare that none has
been seen: of n blocks, those with a chance of 3.7/n or less (2.5 %).

Weights are those of exponential draws E, so W is below m where Σ E (x - m) is negative. Its probability is that of the
saddlepoint, with O. Barndorff-Nielsen's r* (Biometrika 73, 1986). The saddlepoint is the multiplier of the empirical
likelihood. Errors are below 2 % of the probability (`tests/tournaments/statistics/test_skewed_means.py`).
"""

from __future__ import annotations

from math import sqrt
from typing import Final

import numpy as np
import scipy

from tag.tournaments.statistics.intervals import CONFIDENCE, Floats, Interval, student

#: The invented value is so many times as far from the mean as the farthest that was seen, and more with few values.
_REACH: Final = 1.5
_REACH_OF_FEW: Final = 5.0
#: The multiplier is looked for from a hundredth of a standard error from the centre to this share of its range.
_NEAREST: Final = 0.01
_FARTHEST: Final = 1.0 - 1e-12
#: So many halvings leave nothing of a number's 53 bits.
_HALVINGS: Final = 53


def skewed_interval(values: Floats, confidence: float = CONFIDENCE) -> Interval:
    """Return an interval of the mean of values that may be skewed, of shape (blocks,), two at least and not `are_equal`.

    Its ends are Student's, or those of the mean with random weights and an invented value, if these are farther out.

    >>> import numpy as np
    >>> scores = np.array([1.0, 1.0, 2.0, 1.0, 3.0, 1.0, 12.0, 2.0])
    >>> ends = skewed_interval(scores)
    >>> round(ends.low, 2), round(ends.high, 2)
    (-0.27, 10.35)
    """
    low, high = skewed_intervals(values[None], confidence)
    return Interval(float(low[0]), float(high[0]))


def skewed_intervals(values: Floats, confidence: float = CONFIDENCE) -> tuple[Floats, Floats]:
    """Return the lower and upper ends of `skewed_interval` of each row of ``values``, of shape (means, blocks)."""
    mean, tail, n = values.mean(axis=-1), 0.5 * (1.0 - confidence), values.shape[-1]
    half = student(n, confidence) * values.std(axis=-1, ddof=1) / sqrt(n)
    low, high = _RandomWeights(np.stack([values, -values])).end(tail)
    return np.minimum(mean - half, low), np.maximum(mean + half, -high)


def skewed_p_value(values: Floats, null: float = 0.0) -> float:
    """Return how likely a mean at least this far from ``null`` is where that is true, on both sides.

    It is below 0.05 just where `skewed_interval` leaves ``null`` out. Values are as there.
    """
    off = float(values.mean()) - null
    t = off / (float(values.std(ddof=1)) / sqrt(len(values)))
    sided = values if off > 0.0 else -values
    weighted = float(_RandomWeights(sided).share_below(null if off > 0.0 else -null))
    return min(1.0, 2.0 * max(float(scipy.special.stdtr(len(values) - 1, -abs(t))), weighted))


class _RandomWeights:
    """The mean of values, and of one invented below them, with random weights; of its law only the lower half.

    Values are of shape (..., blocks), and what is returned is of shape (...).
    """

    def __init__(self, values: Floats) -> None:
        mean, n = values.mean(axis=-1, keepdims=True), values.shape[-1]
        below = mean - (_REACH + _REACH_OF_FEW / n) * (mean - values.min(axis=-1, keepdims=True))
        all_values = np.concatenate([values, below], axis=-1)
        self._centre = all_values.mean(axis=-1)
        self._off = all_values - self._centre[..., None]
        self._farthest = self._off[..., -1]
        self._nearest = _NEAREST * -self._farthest / np.sqrt(np.square(self._off).sum(axis=-1))

    def end(self, share: float) -> Floats:
        """Return the number below which the mean lies in such a ``share`` of draws, less than a half."""
        wanted = float(scipy.special.ndtri(share))
        return self._at(self._place(1, wanted))[0]

    def share_below(self, number: float) -> Floats:
        """Return the share of draws in which the mean lies below ``number``; a half at most."""
        share = scipy.special.ndtr(self._at(self._place(0, number))[1])
        is_far = number <= self._at(np.full_like(self._centre, _FARTHEST))[0]
        return np.where(number >= self._at(self._nearest)[0], 0.5, np.where(is_far, 0.0, share))

    def _place(self, which: int, wanted: float) -> Floats:
        """Return where a result of `_at`, which falls with the place, is the ``wanted`` one.

        It halves the interval: to import scipy's solvers takes 0.2 s, and all tables of scores would need them.
        """
        low, high = self._nearest, np.full_like(self._centre, _FARTHEST)
        for _halving in range(_HALVINGS):
            middle = 0.5 * (low + high)
            is_above = self._at(middle)[which] > wanted
            low, high = np.where(is_above, middle, low), np.where(is_above, high, middle)
        place: Floats = 0.5 * (low + high)
        return place

    def _at(self, place: Floats) -> tuple[Floats, Floats]:
        """Return a number and the normal quantile of the share of draws below it.

        The ``place``, from 0 at the centre to 1 at the end, is that of the multiplier of the empirical likelihood whose
        weights have this number as their mean.
        """
        multiplier = place / self._farthest
        shares = 1.0 - multiplier[..., None] * self._off
        off = (self._off / shares).sum(axis=-1) / (1.0 / shares).sum(axis=-1)
        saddle = multiplier / (1.0 - multiplier * off)
        beyond = self._off - off[..., None]
        tilted = 1.0 - saddle[..., None] * beyond
        root = -np.sqrt(np.maximum(2.0 * np.log(tilted).sum(axis=-1), 1e-300))
        slope = saddle * np.sqrt(np.square(beyond / tilted).sum(axis=-1))
        return self._centre + off, root + np.log(slope / root) / root
