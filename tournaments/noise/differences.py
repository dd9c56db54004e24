"""Differences between copies of an agent, block by block, and how large they are by chance.

A copy's points per game are a ratio of sums over blocks; its *block value* is the linearised ratio (Cochran, Sampling
Techniques, 3rd edition, section 6.5), whose mean is the ratio and whose values are independent from block to block. A
difference of copies is a difference of block values, so that what the copies share in a block cancels; its interval is
Student's.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, isnan, nan, sqrt
from typing import Final

import numpy as np
import numpy.typing as npt
from scipy.special import stdtr, stdtrit

from tournaments.intervals import CONFIDENCE, interval_of_equals

#: What rounding leaves of a difference in points where there is none.
_ROUNDING: Final = 1e-10
_TAIL: Final = (1.0 + CONFIDENCE) / 2.0

_Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Difference:
    """A mean difference per block, with its standard error (nan with fewer than two blocks)."""

    mean: float
    error: float
    blocks: int

    @property
    def half(self) -> float:
        """Half the length of the 95 % interval; infinite with fewer than two blocks."""
        if self.blocks < 2:
            return inf
        if self.error <= _ROUNDING:
            reach = 1.0 + abs(self.mean)  # points of two copies are at most one apart, the other way round as well
            return interval_of_equals(0.0, self.blocks, -reach, reach)[1]
        return quantile(_TAIL, self.blocks) * self.error

    @property
    def p_value(self) -> float:
        """How likely a difference at least this far from 0 is if there is none; 1 where that cannot be known.

        Where all blocks have the same difference that is the sign test's.
        """
        if self.blocks < 2 or isnan(self.mean) or abs(self.mean) < _ROUNDING:
            return 1.0
        if self.error <= _ROUNDING:
            return 2.0 * 0.5**self.blocks
        return 2.0 * float(stdtr(self.blocks - 1, -abs(self.mean) / self.error))


@dataclass(frozen=True, slots=True, eq=False)
class CopyBlocks:
    """What copies of one agent came to in each block, as sums over their games.

    Attributes:
        totals: of shape (copies, blocks), in any unit: points, seconds.
        sizes: likewise, what the totals are divided by: games, decisions.
    """

    totals: _Floats
    sizes: _Floats

    @property
    def n_copies(self) -> int:
        """How many copies there are."""
        return int(self.totals.shape[0])

    @property
    def n_blocks(self) -> int:
        """How many blocks there are."""
        return int(self.totals.shape[1])

    def part(self, blocks: npt.NDArray[np.int64]) -> CopyBlocks:
        """Return some of the blocks, by index."""
        return CopyBlocks(self.totals[:, blocks], self.sizes[:, blocks])

    def means(self) -> _Floats:
        """Return the ratio of each copy, of shape (copies,); nan for one that has played nothing."""
        with np.errstate(invalid="ignore"):
            means: _Floats = self.totals.sum(axis=1) / self.sizes.sum(axis=1)
        return means

    def values(self) -> _Floats:
        """Return the block values, of shape (copies, blocks)."""
        means = self.means()[:, None]
        with np.errstate(invalid="ignore"):
            size = self.sizes.mean(axis=1, keepdims=True)
            values: _Floats = means + (self.totals - means * self.sizes) / size
        return values

    def contrast(self, weights: _Floats) -> Difference:
        """Return the sum of the copies' means with these weights, of shape (copies,), which add up to 0."""
        values = weights @ self.values()
        error = float(np.std(values, ddof=1)) / sqrt(self.n_blocks) if self.n_blocks > 1 else nan
        return Difference(float(values.mean()) if self.n_blocks else nan, error, self.n_blocks)

    def between(self, one: int, other: int) -> Difference:
        """Return the mean of ``one`` minus that of ``other``."""
        weights = np.zeros(self.n_copies)
        weights[one], weights[other] = 1.0, -1.0
        return self.contrast(weights)

    def against_others(self, copy: int) -> Difference:
        """Return the mean of ``copy`` minus the mean of all others'."""
        weights = np.full(self.n_copies, -1.0 / (self.n_copies - 1))
        weights[copy] = 1.0
        return self.contrast(weights)

    def pair_variances(self) -> _Floats:
        """Return for each block what it adds to the variance of a difference of two copies, averaged over all pairs.

        Their sum over b blocks, divided by b - 1, is the variance of a difference of block values; shape (blocks,).
        """
        deviations = self.values() - self.means()[:, None]
        k = self.n_copies
        squares: _Floats = k * (deviations**2).sum(axis=0) - deviations.sum(axis=0) ** 2
        return 2.0 * squares / (k * (k - 1))


def quantile(probability: float, blocks: int) -> float:
    """Return Student's quantile for a mean over so many blocks, two at least."""
    return float(stdtrit(blocks - 1, probability))
