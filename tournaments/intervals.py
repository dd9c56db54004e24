"""Intervals for means over games that come in clusters: the games of a block share their seed.

A mean is the ratio of a total to a number of games. Its variance is that of the linearised ratio over the blocks
(Cochran, Sampling Techniques, 3rd edition, section 6.5), and quantiles are Student's with one degree of freedom fewer than
there are blocks.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import nan, sqrt
from typing import Final

import numpy as np
import numpy.typing as npt
from scipy.special import stdtr, stdtrit

CONFIDENCE: Final = 0.95
#: Half the width of such an interval in standard errors where these are known, as a model's are; Student's otherwise.
HALF_WIDTH: Final = 1.96
#: What rounding leaves of a variance of nothing; a real one is greater below a thousand million games.
_ROUNDING: Final = 1e-20

_Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ClusteredMean:
    """A mean over games, and what is known about its error.

    Attributes:
        mean: nan without games.
        variance: of the mean; nan with fewer than two clusters.
        clusters: those with games.
    """

    mean: float
    variance: float
    clusters: int

    @classmethod
    def of(cls, totals: _Floats, sizes: _Floats) -> ClusteredMean:
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
        return cls(mean, variance if variance > _ROUNDING else 0.0, clusters)

    def effective_games(self) -> float:
        """Return how many independent games with outcomes 0 or 1 would tell as much about a mean in [0, 1].

        Where the blocks do not differ at all there are as many as blocks, so that a mean of 0 or 1 is not certain.
        """
        spread = self.mean * (1.0 - self.mean)
        is_known = self.variance > 0.0 and spread > 0.0
        return spread / self.variance if is_known else float(self.clusters)

    def error(self) -> float:
        """Return the standard error; nan with fewer than two clusters."""
        return sqrt(self.variance) if self.clusters > 1 else nan

    def interval(self, low: float, high: float) -> tuple[float, float]:
        """Return the interval mean ± t · standard error, cut at the possible values ``low`` and ``high``."""
        if self.clusters < 2:
            return low, high
        half = self._quantile() * sqrt(self.variance)
        return max(low, self.mean - half), min(high, self.mean + half)

    def proportion_interval(self) -> tuple[float, float]:
        """Return Wilson's interval for a mean in [0, 1], with Student's t and the effective number of games.

        It lies within [0, 1] and is honest at both ends (Korn and Graubard, Survey Methodology 24, 1998, study its kind).
        """
        if self.clusters < 2:
            return 0.0, 1.0
        p, n, t = self.mean, self.effective_games(), self._quantile()
        shrinkage = 1.0 + t * t / n
        centre = (p + t * t / (2.0 * n)) / shrinkage
        half = t / shrinkage * sqrt(p * (1.0 - p) / n + t * t / (4.0 * n * n))
        return max(0.0, centre - half), min(1.0, centre + half)

    def proportion_p_value(self, null: float) -> float:
        """Return how likely a mean in [0, 1] at least this far from ``null`` would be if ``null`` were true, on both sides.

        It is below 0.05 just where `proportion_interval` leaves ``null`` out; 1 with fewer than two clusters.
        """
        if self.clusters < 2:
            return 1.0
        error = sqrt(null * (1.0 - null) / self.effective_games())
        return 2.0 * float(stdtr(self.clusters - 1, -abs(self.mean - null) / error))

    def _quantile(self) -> float:
        return float(stdtrit(self.clusters - 1, (1.0 + CONFIDENCE) / 2.0))
