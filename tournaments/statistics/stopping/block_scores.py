"""Scores of blocks, and their distribution.

How often each score has occurred, and a small count for possible scores that have not.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from typing import Final

import numpy as np

from tag.errors import ParameterError
from tag.tournaments.statistics.intervals import Floats

#: Possible scores of a pair of games for one of two players, the classes of the published test.
PENTANOMIAL: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
#: The scores between which all others lie.
EXTREMES: Final = (0.0, 1.0)

#: An empty class counts as this many blocks, as in the published pentanomial test.
_EMPTY: Final = 1e-3
#: Scores nearer than this differ only by rounding.
_ROUNDING: Final = 1e-9


class ScoreDistribution:
    """Counts of blocks by score, the scores in ascending order.

    A class is a score that a block can have. Classes named in advance that have not occurred count as 1e-3 blocks each,
    so that every mean between the lowest and the highest class is possible. Scores that occur and were not named become
    classes of their own.

    >>> scores = ScoreDistribution()
    >>> for score in (0.5, 0.5, 1.0):
    ...     scores.add(score)
    >>> scores.blocks, scores.values
    (3, array([0. , 0.5, 1. ]))

    Attributes:
        share: of the blocks those that count, as others repeat them.
    """

    def __init__(self, classes: Iterable[float] = EXTREMES) -> None:
        """Start without blocks.

        Args:
            classes: the scores known to be possible, 0 and 1 among them: `PENTANOMIAL` for pairs of games between two
                players; the default suits any block mean.

        Raises:
            ParameterError: a class lies outside [0, 1], or 0 or 1 is missing.
        """
        self._values = sorted(set(classes))
        if not self._values or (self._values[0], self._values[-1]) != (0.0, 1.0):
            raise ParameterError(f"classes cannot be {tuple(self._values)}; the lowest is 0 and the highest 1")
        self._counts = [0] * len(self._values)
        self.share = 1.0

    def add(self, score: float) -> None:
        """Count a block.

        Raises:
            ParameterError: the score is not in [0, 1].
        """
        if not -_ROUNDING <= score <= 1.0 + _ROUNDING:
            raise ParameterError(f"a block cannot score {score!r}; scores are in [0, 1]")
        place = bisect_left(self._values, score - _ROUNDING)
        if place == len(self._values) or self._values[place] > score + _ROUNDING:
            self._values.insert(place, score)
            self._counts.insert(place, 0)
        self._counts[place] += 1

    @property
    def blocks(self) -> int:
        """The blocks counted."""
        return sum(self._counts)

    @property
    def values(self) -> Floats:
        """The classes, ascending."""
        return np.array(self._values)

    @property
    def counts(self) -> Floats:
        """The blocks of each class that count, empty ones as 1e-3."""
        return np.maximum(self.share * np.array(self._counts, dtype=np.float64), _EMPTY)


def mean_and_variance(values: Floats, probabilities: Floats) -> tuple[float, float]:
    """Return the mean and the variance of a distribution over ``values``."""
    mean = float(probabilities @ values)
    return mean, float(probabilities @ (values - mean) ** 2)
