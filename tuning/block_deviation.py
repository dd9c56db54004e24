"""How much the value of a block differs from block to block: what decides how many blocks a question needs."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from statistics import fmean

from tag.errors import ParameterError


def win_rate_deviation(win_rate: float, games: int, correlation: float | None = None) -> float:
    """Return the standard deviation of a block of win rates, its games taken as independent tosses.

    Args:
        win_rate: between 0 and 1.
        games: of a block, on each side.
        correlation: between the two sides of a paired block, whose value is their difference; None where the value is
            the win rate of one side.

    Raises:
        ParameterError: a win rate, a number of games or a correlation that cannot be.
    """
    if not 0.0 < win_rate < 1.0:
        raise ParameterError(f"win_rate cannot be {win_rate:g}; it lies between 0 and 1")
    if games < 1:
        raise ParameterError(f"games cannot be {games}; the least is 1")
    if correlation is not None and not -1.0 <= correlation < 1.0:
        raise ParameterError(f"correlation cannot be {correlation:g}; it is at least -1 and below 1")
    sides = 1.0 if correlation is None else 2.0 * (1.0 - correlation)
    return sqrt(sides * win_rate * (1.0 - win_rate) / games)


class BlockMoments:
    """Deviation and skewness of the blocks of a configuration, pooled over trials.

    Attributes:
        freedom: how many squared deviations from the mean of a trial were free.

    >>> moments = BlockMoments()
    >>> moments.add([0.0, 0.5, 1.0])
    >>> moments.deviation, moments.skewness
    (0.5, 0.0)
    """

    def __init__(self) -> None:
        """Begin without blocks."""
        self.freedom = 0
        self._squares = self._cubes = self._free_cubes = 0.0

    def add(self, by_block: Sequence[float]) -> None:
        """Count the values of the blocks of a trial."""
        blocks = len(by_block)
        if blocks < 2:
            return
        mean = fmean(by_block)
        self.freedom += blocks - 1
        self._squares += sum((value - mean) ** 2 for value in by_block)
        self._cubes += sum((value - mean) ** 3 for value in by_block)
        self._free_cubes += (blocks - 1) * (blocks - 2) / blocks

    @property
    def deviation(self) -> float:
        """The standard deviation, 0 without blocks."""
        return sqrt(self._squares / max(self.freedom, 1))

    @property
    def skewness(self) -> float:
        """The third central moment in units of the deviation, 0 where blocks do not tell."""
        deviation = self.deviation
        return self._cubes / self._free_cubes / deviation**3 if self._free_cubes and deviation else 0.0
