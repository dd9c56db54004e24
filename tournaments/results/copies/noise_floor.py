"""The noise floor: the smallest difference that so many blocks can show.

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
import scipy

from tag.tournaments.results.copies.differences import CopyBlocks
from tag.tournaments.statistics.intervals import CONFIDENCE, ROUNDING, Interval, interval_of_equals, student

POWER: Final = 0.8
#: Multiples of the blocks for which the floor is given.
FACTORS: Final = (1, 2, 4, 8)
_LEVEL: Final = (1.0 + CONFIDENCE) / 2.0
#: The rounding error of a relative error if all blocks are equal.
_FLOOR_ROUNDING: Final = 1e-9


@dataclass(frozen=True, slots=True)
class NoiseFloor:
    """The variation of a difference between two equal agents from block to block, in some unit.

    Attributes:
        sd: the standard deviation of a difference of block values; nan with fewer than two blocks.
        relative_error: the standard error of its square, relative to that.
    """

    sd: float
    relative_error: float
    blocks: int

    @classmethod
    def of(cls, copies: CopyBlocks) -> NoiseFloor:
        """Measure the noise between copies, over all pairs of them."""
        b = copies.n_independent
        if b < 2:
            return cls(nan, nan, b)
        squares = copies.pair_variances()
        variance = float(squares.mean()) * b / (b - 1)
        error = float(np.std(squares)) / sqrt(b - 1)
        if variance <= ROUNDING:  # take the largest variance that so many equal blocks do not rule out
            variance = b * (interval_of_equals(0.0, b, -1.0, 1.0).high / student(b)) ** 2
        relative = error / variance
        return cls(
            sqrt(variance), relative if relative > _FLOOR_ROUNDING else sqrt(2.0 / (b - 1)), b
        )  # as of normal values

    def noise(self, blocks: int) -> float:
        """Return the largest difference that is still noise after so many blocks."""
        return student(blocks) * self.sd / sqrt(blocks)

    def detectable(self, blocks: int) -> float:
        """Return the smallest true difference that so many blocks show with a power of 80 %."""
        return (student(blocks) + float(scipy.special.stdtrit(blocks - 1, POWER))) * self.sd / sqrt(blocks)

    def noise_interval(self, blocks: int) -> Interval:
        """Return the interval of `noise`, which is an estimate itself."""
        spread = student(max(self.blocks, 2)) * self.relative_error
        noise = self.noise(blocks)
        return Interval(noise * sqrt(max(0.0, 1.0 - spread)), noise * sqrt(1.0 + spread))

    def blocks_to_detect(self, difference: float) -> int:
        """Return how many blocks show a true ``difference`` with a power of 80 %."""
        normal = float(scipy.special.ndtri(_LEVEL) + scipy.special.ndtri(POWER))
        blocks = max(2, ceil((normal * self.sd / difference) ** 2))
        while self.detectable(blocks) > difference:  # Student's quantiles are larger, by little
            blocks += 1
        return blocks


def round_below(difference: float) -> float:
    """Return the largest of …, 0.1, 0.2, 0.5, 1, … that is less than ``difference``.

    >>> round_below(0.012), round_below(0.01), round_below(0.07)
    (0.01, 0.005, 0.05)
    """
    power = 10.0 ** floor(log10(difference))
    steps = [0.5 * power, power, 2.0 * power, 5.0 * power]
    return max(step for step in steps if step < difference * (1.0 - 1e-12))
