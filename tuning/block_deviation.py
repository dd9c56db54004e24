"""How much the value of a block differs from block to block: what decides how many blocks a question needs."""

from __future__ import annotations

from math import sqrt

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
