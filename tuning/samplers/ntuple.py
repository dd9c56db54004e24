"""The N-tuple bandit: a landscape model that averages the values of single levels and of pairs of them.

Source: S. M. Lucas, J. Liu, D. Perez-Liebana, "The N-Tuple Bandit Evolutionary Algorithm for game agent optimisation",
CEC 2018, with the exploration term of the authors, sqrt(ln(1 + N) / (n + epsilon)); some implementations take the
logarithm of the whole fraction.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Final

import numpy as np

from tag.tournaments.statistics.intervals import Floats, Ints

#: With so many parameters all are combined with each other; each of more only with so many.
_MOST_PAIRED: Final = 40


class NTuple:
    """Sums and counts of values, for each combination of levels in each tuple of parameters.

    A point is a level per parameter, shape (parameters,); points have shape (points, parameters).

    Attributes:
        epsilon: added to counts, so that untried levels can be compared.
    """

    def __init__(self, sizes: Sequence[int], orders: Sequence[int] = (1, 2), epsilon: float = 0.5) -> None:
        """Make tables for all tuples of ``orders`` parameters, which have ``sizes`` levels each."""
        self.epsilon = epsilon
        # By order: parameters of its tuples, strides of their levels, both of shape (order, tuples), and their first cells.
        self._tables: list[tuple[Ints, Ints, Ints]] = []
        cells = 0
        for order in orders:
            members = np.array(_tuples(len(sizes), order), dtype=np.int64).reshape(-1, order).T
            strides = np.ones_like(members)
            for place in range(order - 2, -1, -1):
                strides[place] = strides[place + 1] * np.array(sizes)[members[place + 1]]
            lengths = strides[0] * np.array(sizes)[members[0]]
            self._tables.append((members, strides, cells + np.cumsum(lengths) - lengths))
            cells += int(lengths.sum())
        self._sums = np.zeros(cells)
        self._counts = np.zeros(cells)
        self._pending = np.zeros(cells)
        self._total = 0.0
        self._total_pending = 0.0

    def add(self, point: Ints, value: float, weight: float = 1.0) -> None:
        """Count a mean ``value`` of ``weight`` games."""
        cells = self._cells(point)
        self._sums[cells] += weight * value
        self._counts[cells] += weight
        self._total += weight

    def expect(self, point: Ints, weight: float = 1.0) -> None:
        """Count ``weight`` games that are being played: they add no value, but lower the exploration term of a point.

        A negative weight takes them back.
        """
        self._pending[self._cells(point)] += weight
        self._total_pending += weight

    def mean(self, points: Ints) -> Floats:
        """Return the value of each point: the mean over its tuples that have been seen, 0 where none has."""
        cells = self._cells(points)
        counts = self._counts[cells]
        seen = counts > 0.0
        means = np.where(seen, self._sums[cells] / np.where(seen, counts, 1.0), 0.0)
        found: Floats = means.sum(axis=-1) / np.maximum(seen.sum(axis=-1), 1)
        return found

    def exploration(self, points: Ints) -> Floats:
        """Return the exploration term of each point: the mean of sqrt(ln(1 + N) / (n + epsilon)) over its tuples."""
        cells = self._cells(points)
        total = np.log(1.0 + self._total + self._total_pending)
        counts = self._counts[cells] + self._pending[cells] + self.epsilon
        found: Floats = np.sqrt(total / counts).mean(axis=-1)
        return found

    def upper_bound(self, points: Ints, k: float) -> Floats:
        """Return mean + ``k`` times exploration of each point."""
        return self.mean(points) + k * self.exploration(points)

    def _cells(self, points: Ints) -> Ints:
        points = np.asarray(points)
        found = []
        for members, strides, begins in self._tables:
            cells = np.broadcast_to(begins, (*points.shape[:-1], len(begins))).copy()
            for parameters, stride in zip(members, strides, strict=True):
                cells += points[..., parameters] * stride
            found.append(cells)
        return np.concatenate(found, axis=-1)


def _tuples(parameters: int, order: int) -> list[tuple[int, ...]]:
    """Return the tuples of so many of the parameters: all, or of many parameters those of near ones in a circle.

    So the tuples of each parameter stay as many, and the cost of a point grows with the parameters, not with their square.
    """
    if parameters <= _MOST_PAIRED:
        return list(combinations(range(parameters), order))
    reach = _MOST_PAIRED // 2
    return [
        tuple(sorted((first, *((first + step) % parameters for step in steps))))
        for first in range(parameters)
        for steps in combinations(range(1, reach + 1), order - 1)
    ]
