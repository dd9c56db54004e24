"""The noise floor: how large a difference has to be, to be seen with so many blocks.

With standard deviation s of a difference of block values, and b blocks:

    noise       t(0.975) · s / √b               larger differences of equal agents come up in 5 % of tournaments
    detectable  (t(0.975) + t(0.8)) · s / √b    a true difference of this size is significant in 80 % of them

with Student's quantiles of b - 1 degrees of freedom; the second is the minimum detectable effect (Bloom, Evaluation
Review 19, 1995).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor, log10, nan, sqrt
from typing import Final

import numpy as np
from scipy.special import ndtri

from tournaments.intervals import CONFIDENCE, ROUNDING, interval_of_equals
from tournaments.noise.differences import CopyBlocks, quantile

POWER: Final = 0.8
#: For how many times the blocks the floor is told.
FACTORS: Final = (1, 2, 4, 8)
_LEVEL: Final = (1.0 + CONFIDENCE) / 2.0
#: What rounding leaves of a relative error where all blocks tell the same.
_ROUNDING: Final = 1e-9


@dataclass(frozen=True, slots=True)
class NoiseFloor:
    """How much a difference between two equal agents varies from block to block, in some unit.

    Attributes:
        sd: the standard deviation of a difference of block values; nan with fewer than two blocks.
        relative_error: the standard error of its square, in shares of that.
        blocks: the blocks that this is from.
    """

    sd: float
    relative_error: float
    blocks: int

    @classmethod
    def of(cls, copies: CopyBlocks) -> NoiseFloor:
        """Measure the noise between copies, over all pairs of them."""
        b = copies.n_blocks
        if b < 2:
            return cls(nan, nan, b)
        squares = copies.pair_variances()
        variance = float(squares.sum()) / (b - 1)
        error = float(np.std(squares, ddof=1)) / sqrt(b)
        if variance <= ROUNDING:  # as large as what so many equal blocks do not rule out
            variance = b * (interval_of_equals(0.0, b, -1.0, 1.0)[1] / quantile(_LEVEL, b)) ** 2
        relative = error / variance
        return cls(
            sqrt(variance), relative if relative > _ROUNDING else sqrt(2.0 / (b - 1)), b
        )  # that of normal values

    def noise(self, blocks: int) -> float:
        """Return the largest difference that is still noise after so many blocks."""
        return self._half(quantile(_LEVEL, blocks), blocks)

    def detectable(self, blocks: int) -> float:
        """Return the smallest true difference that so many blocks show with a power of 80 %."""
        return self._half(quantile(_LEVEL, blocks) + quantile(POWER, blocks), blocks)

    def noise_interval(self, blocks: int) -> tuple[float, float]:
        """Return the 95 % interval of `noise`, which itself is measured."""
        spread = quantile(_LEVEL, max(self.blocks, 2)) * self.relative_error
        noise = self.noise(blocks)
        return noise * sqrt(max(0.0, 1.0 - spread)), noise * sqrt(1.0 + spread)

    def blocks_to_detect(self, difference: float) -> int:
        """Return how many blocks show a true ``difference`` with a power of 80 %."""
        normal = float(ndtri(_LEVEL) + ndtri(POWER))
        blocks = max(2, ceil((normal * self.sd / difference) ** 2))
        while self.detectable(blocks) > difference:  # Student's quantiles are larger, by little
            blocks += 1
        return blocks

    def _half(self, quantiles: float, blocks: int) -> float:
        return quantiles * self.sd / sqrt(blocks)


def round_below(difference: float) -> float:
    """Return the largest of …, 0.1, 0.2, 0.5, 1, … that is less than ``difference``.

    >>> round_below(0.012), round_below(0.01), round_below(0.07)
    (0.01, 0.005, 0.05)
    """
    power = 10.0 ** floor(log10(difference))
    steps = [0.5 * power, power, 2.0 * power, 5.0 * power]
    return max(step for step in steps if step < difference * (1.0 - 1e-12))
