"""Differences between copies of an agent, by block.

A copy's points per game are a ratio of sums over blocks. Its *block value* is the linearised ratio (Cochran, Sampling
Techniques, 3rd edition, section 6.5): its mean is the ratio, and its values are independent from block to block. A
difference of copies is a difference of block values, so that luck shared in a block cancels; its interval is
Student's.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, isnan, nan, sqrt
from typing import Final

import numpy as np
import numpy.typing as npt
import scipy

from tag.tournaments.statistics.intervals import Floats, independent_clusters, interval_of_equals, student

#: The rounding error of a zero difference in points.
_DIFFERENCE_ROUNDING: Final = 1e-10


@dataclass(frozen=True, slots=True)
class CopyDifference:
    """A mean difference per block, with its standard error (nan with fewer than two blocks)."""

    mean: float
    error: float
    blocks: int

    @property
    def half(self) -> float:
        """Half the length of the 95 % interval; infinite with fewer than two blocks."""
        if self.blocks < 2:
            return inf
        if self.error <= _DIFFERENCE_ROUNDING:
            reach = 1.0 + abs(self.mean)  # points of two copies differ by at most one, in either direction
            return interval_of_equals(0.0, self.blocks, -reach, reach).high
        return student(self.blocks) * self.error

    @property
    def p_value(self) -> float:
        """The chance of a difference at least this far from 0 if there is none; 1 where that cannot be known.

        If all blocks have the same difference, it is the sign test's.
        """
        if self.blocks < 2 or isnan(self.mean) or abs(self.mean) < _DIFFERENCE_ROUNDING:
            return 1.0
        if self.error <= _DIFFERENCE_ROUNDING:
            return 2.0 * 0.5**self.blocks
        return 2.0 * float(scipy.special.stdtr(self.blocks - 1, -abs(self.mean) / self.error))


@dataclass(frozen=True, slots=True, eq=False)
class CopyBlocks:
    """Results of copies of one agent in each block, as sums over their games.

    Attributes:
        totals: of shape (copies, blocks), in any unit: points, seconds.
        sizes: the divisors of the totals, of shape (copies, blocks): games, decisions.
        share: of the blocks those that count as independent (`tag.tournaments.statistics.repeats`).
    """

    totals: Floats
    sizes: Floats
    share: float = 1.0

    @property
    def n_copies(self) -> int:
        """The number of copies."""
        return int(self.totals.shape[0])

    @property
    def n_blocks(self) -> int:
        """The number of blocks."""
        return int(self.totals.shape[1])

    @property
    def n_independent(self) -> int:
        """The number of blocks that count as independent."""
        return independent_clusters(self.n_blocks, self.share)

    def part(self, blocks: npt.NDArray[np.int64]) -> CopyBlocks:
        """Return some of the blocks, by index."""
        return CopyBlocks(self.totals[:, blocks], self.sizes[:, blocks], self.share)

    def means(self) -> Floats:
        """Return the ratio of each copy, of shape (copies,); nan for one without games."""
        with np.errstate(invalid="ignore"):
            means: Floats = self.totals.sum(axis=1) / self.sizes.sum(axis=1)
        return means

    def values(self) -> Floats:
        """Return the block values, of shape (copies, blocks)."""
        means = self.means()[:, None]
        with np.errstate(invalid="ignore"):
            size = self.sizes.mean(axis=1, keepdims=True)
            values: Floats = means + (self.totals - means * self.sizes) / size
        return values

    def contrast(self, weights: Floats) -> CopyDifference:
        """Return the sum of the copies' means with these weights, of shape (copies,), which add up to 0."""
        values, b = weights @ self.values(), self.n_independent
        error = float(np.std(values)) / sqrt(b - 1) if b > 1 else nan
        return CopyDifference(float(values.mean()) if self.n_blocks else nan, error, b)

    def between(self, one: int, other: int) -> CopyDifference:
        """Return the mean of ``one`` minus that of ``other``."""
        weights = np.zeros(self.n_copies)
        weights[one], weights[other] = 1.0, -1.0
        return self.contrast(weights)

    def against_others(self, copy: int) -> CopyDifference:
        """Return the mean of ``copy`` minus the mean of all others'."""
        weights = np.full(self.n_copies, -1.0 / (self.n_copies - 1))
        weights[copy] = 1.0
        return self.contrast(weights)

    def pair_variances(self) -> Floats:
        """Return each block's contribution to the variance of a difference of two copies, averaged over all pairs.

        Their mean over b blocks, times b / (b - 1), is the variance of a difference of block values; shape (blocks,).
        """
        deviations = self.values() - self.means()[:, None]
        k = self.n_copies
        squares: Floats = k * (deviations**2).sum(axis=0) - deviations.sum(axis=0) ** 2
        return 2.0 * squares / (k * (k - 1))
