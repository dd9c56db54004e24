"""How much the value of a block differs from block to block: what decides how many blocks a question needs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import sqrt

import numpy as np

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


def pooled_deviation(trials: Iterable[Sequence[float]]) -> float:
    """Return the standard deviation of blocks about the mean of their own trial, over all ``trials``.

    Args:
        trials: the block values of each.

    Raises:
        ParameterError: no trial has two blocks.
    """
    values = [np.asarray(trial, dtype=np.float64) for trial in trials if len(trial) > 1]
    if not values:
        raise ParameterError("a deviation needs a trial of at least 2 blocks, not 0")
    squares = sum(float(((trial - trial.mean()) ** 2).sum()) for trial in values)
    return sqrt(squares / sum(len(trial) - 1 for trial in values))
