"""Several means over the same blocks, with what their errors have in common."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tournaments.intervals import ROUNDING, ClusteredMean
from tuning.balance.estimate import Estimate, mean_estimate

_Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class BlockMeans:
    """Means of k quantities over games in blocks, as ratios of totals to sizes (see `tournaments.intervals`).

    Attributes:
        means: of shape (k,); nan where all sizes are 0.
        covariance: of the means, of shape (k, k); nan with fewer than two blocks.
        blocks: how many there are.
        games: from how many games.
    """

    means: _Floats
    covariance: _Floats
    blocks: int
    games: int

    @classmethod
    def of(cls, totals: _Floats, sizes: _Floats, games: int) -> BlockMeans:
        """Return the means of quantities that have these totals and sizes in each block, both of shape (blocks, k)."""
        n, k = totals.shape
        whole = sizes.sum(axis=0)
        means = np.divide(totals.sum(axis=0), whole, out=np.full(k, np.nan), where=whole > 0.0)
        if n < 2:
            return cls(means, np.full((k, k), np.nan), n, games)
        residuals = (totals - means * sizes) / whole
        return cls(means, n / (n - 1) * residuals.T @ residuals, n, games)

    @property
    def is_known(self) -> bool:
        """Whether there are means, and all of them and their errors are known."""
        return len(self.means) > 0 and bool(np.isfinite(self.means).all() and np.isfinite(self.covariance).all())

    def contrasted(self, contrasts: _Floats) -> BlockMeans:
        """Return other means that are sums of these, by ``contrasts`` of shape (others, k)."""
        covariance = contrasts @ self.covariance @ contrasts.T
        return BlockMeans(contrasts @ self.means, covariance, self.blocks, self.games)

    def combined(self, weights: _Floats, least: float, greatest: float) -> Estimate:
        """Return the sum of the means by ``weights``, of shape (k,), with Student's interval between what is possible.

        Where the blocks do not differ it is that of `tournaments.intervals.interval_of_equals`.
        """
        if not self.is_known:
            return Estimate.unknown(least, greatest, self.games)
        variance = float(weights @ self.covariance @ weights)
        mean = ClusteredMean(float(weights @ self.means), variance if variance > ROUNDING else 0.0, self.blocks)
        return mean_estimate(mean, least, greatest, self.games)
