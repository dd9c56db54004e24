"""The N-tuple bandit: a landscape model that averages over what is known of single levels and of pairs of them.

Source: S. M. Lucas, J. Liu, D. Perez-Liebana, "The N-Tuple Bandit Evolutionary Algorithm for game agent optimisation",
CEC 2018, with the exploration term of the authors, sqrt(ln(1 + N) / (n + epsilon)); some implementations take the
logarithm of the whole fraction.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


class NTuple:
    """Sums and counts of values, for each combination of levels in each tuple of parameters.

    A point is a level per parameter, shape (parameters,); points have shape (points, parameters).

    Attributes:
        epsilon: what is added to counts, so that what has never been tried can be compared.
    """

    def __init__(self, sizes: Sequence[int], orders: Sequence[int] = (1, 2), epsilon: float = 0.5) -> None:
        """Make tables for all tuples of ``orders`` parameters, which have ``sizes`` levels each."""
        self.epsilon = epsilon
        tuples = [chosen for order in orders for chosen in combinations(range(len(sizes)), order)]
        self._strides = np.zeros((len(sizes), len(tuples)), dtype=np.int64)
        self._offsets = np.zeros(len(tuples), dtype=np.int64)
        cells = 0
        for number, chosen in enumerate(tuples):
            self._offsets[number] = cells
            stride = 1
            for parameter in reversed(chosen):
                self._strides[parameter, number] = stride
                stride *= sizes[parameter]
            cells += stride
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
        """Count ``weight`` games that are being played: they are no knowledge, but make a point less worth exploring.

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
        """Return how little is known of each point: the mean of sqrt(ln(1 + N) / (n + epsilon)) over its tuples."""
        cells = self._cells(points)
        total = np.log(1.0 + self._total + self._total_pending)
        counts = self._counts[cells] + self._pending[cells] + self.epsilon
        found: Floats = np.sqrt(total / counts).mean(axis=-1)
        return found

    def upper_bound(self, points: Ints, k: float) -> Floats:
        """Return mean + ``k`` times exploration of each point."""
        return self.mean(points) + k * self.exploration(points)

    def _cells(self, points: Ints) -> Ints:
        cells: Ints = np.asarray(points) @ self._strides + self._offsets
        return cells
