"""NTBEA as a sampler: the N-Tuple Bandit Evolutionary Algorithm, made for objectives as noisy as single games.

Source: S. M. Lucas, J. Liu, D. Perez-Liebana, "The N-Tuple Bandit Evolutionary Algorithm for game agent optimisation",
CEC 2018.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from optuna.distributions import CategoricalDistribution
from optuna.trial import FrozenTrial

from tuning.configurations import Configuration, Configurations, levels_of
from tuning.models.ntuple import NTuple
from tuning.samplers._model_sampler import ModelSampler
from tuning.samplers._seen import Seen

Ints = npt.NDArray[np.int64]

#: A number has at most so many levels.
LEVELS: Final = 10
#: How many points are compared for the next, in spaces that have so many.
_NEIGHBOURS: Final = 50
_FEWEST_NEIGHBOURS: Final = 5


class NtbeaSampler(ModelSampler):
    """Evolves one configuration: the next is the neighbour of the last with the greatest upper confidence bound.

    Values should lie in 0..1, as win rates do: ``k`` weighs exploration against them. Numbers are cut into ten levels.
    """

    def __init__(
        self,
        configurations: Configurations | None = None,
        seed: int | None = None,
        k: float = 0.3,
        epsilon: float = 0.5,
        orders: Sequence[int] = (1, 2),
    ) -> None:
        """Search with tuples of ``orders`` parameters."""
        super().__init__(configurations, seed)
        self.k = k
        self.epsilon = epsilon
        self.orders = tuple(orders)

    def _begin(self, configurations: Configurations) -> None:
        self._levels = Levels(configurations)
        self._model = NTuple(self._levels.sizes, self.orders, self.epsilon)
        self._points: dict[tuple[int, ...], Configuration] = {}
        self._last: Ints | None = None

    def _learn(self, configurations: Configurations, seen: list[Seen]) -> None:
        for trial in seen:
            point = self._levels.point(trial.configuration)
            self._model.add(point, trial.value, trial.games)
            self._points[tuple(point.tolist())] = trial.configuration
            self._last = point

    def _next(self, configurations: Configurations, running: list[FrozenTrial]) -> Configuration:
        if self._last is None:
            return configurations.draw(self._rng)
        expected = [self._levels.point(trial.params) for trial in running if trial.params]
        for point in expected:
            self._model.expect(point)
        points = self._neighbours(self._last)
        bounds = self._model.upper_bound(points, self.k) + 1e-6 * self._rng.random(len(points))
        for point in expected:
            self._model.expect(point, -1.0)
        best_first = (self._levels.configuration(points[number]) for number in np.argsort(-bounds).tolist())
        valid = next((found for found in best_first if configurations.is_valid(found)), None)
        return valid or configurations.draw(self._rng)

    def _best(self, configurations: Configurations) -> Configuration:
        points = np.array(list(self._points))
        return list(self._points.values())[int(self._model.mean(points).argmax())]

    def _neighbours(self, point: Ints) -> Ints:
        """Return different points that differ from ``point`` in each parameter with chance 1 in their number."""
        levels = self._levels
        wanted = max(min(_NEIGHBOURS, levels.n_points // 4), _FEWEST_NEIGHBOURS)
        mutated = levels.settled(self._mutated(point, 2 * wanted))
        _points, first = np.unique(mutated, axis=0, return_index=True)
        found: Ints = mutated[np.sort(first)[:wanted]]
        return found

    def _mutated(self, point: Ints, n: int) -> Ints:
        """Return ``point`` with other levels for some parameters, shape (n, parameters)."""
        choices, rng = self._levels.choices, self._rng
        free = choices > 1
        chosen = (rng.random((n, len(point))) < 1.0 / max(int(free.sum()), 1)) & free
        if free.any():
            chosen[np.arange(n), rng.choice(np.flatnonzero(free), n)] |= ~chosen.any(axis=1)
        known = point < choices  # the others have no effect now: any level may be what they get
        others = (rng.random(chosen.shape) * (choices - known * free)).astype(np.int64)
        others += known & (others >= point)
        return np.where(chosen | ~known, others, point)


class Levels:
    """The levels of each parameter, by number; the number after the last stands for a parameter without effect.

    Attributes:
        choices: how many values each parameter has, shape (parameters,).
        sizes: how many levels, that without effect included.
        n_points: the points there are.
    """

    def __init__(self, configurations: Configurations) -> None:
        """Cut numbers into levels."""
        kinds = configurations.distributions
        self._names = list(kinds)
        self._values = [levels_of(kind, LEVELS) for kind in kinds.values()]
        self._is_nominal = [isinstance(kind, CategoricalDistribution) for kind in kinds.values()]
        self.choices = np.array([len(values) for values in self._values])
        self.sizes = [len(values) + 1 for values in self._values]
        self.n_points = prod(len(values) for values in self._values)
        self._conditions = [
            (self._names.index(child), self._names.index(parent), self._levels_in(parent, wanted))
            for child, (parent, wanted) in configurations.conditions.items()
        ]

    def _levels_in(self, name: str, wanted: tuple[Any, ...]) -> list[int]:
        values = self._values[self._names.index(name)]
        return [values.index(value) for value in wanted if value in values]

    def point(self, configuration: Mapping[str, Any]) -> Ints:
        """Return the nearest level of each parameter."""
        return np.array([self._level(number, name, configuration) for number, name in enumerate(self._names)])

    def configuration(self, point: Ints) -> Configuration:
        """Return the values of the levels that have an effect."""
        pairs = zip(self._names, self._values, point.tolist(), strict=True)
        return {name: values[level] for name, values, level in pairs if level < len(values)}

    def settled(self, points: Ints) -> Ints:
        """Return ``points`` with the level without effect where another parameter says so."""
        found = points.copy()
        for _depth in self._conditions:  # a parameter may depend on one that depends on a third
            for child, parent, wanted in self._conditions:
                found[~np.isin(found[:, parent], wanted), child] = self.choices[child]
        return found

    def _level(self, number: int, name: str, configuration: Mapping[str, Any]) -> int:
        values = self._values[number]
        if name not in configuration:
            return len(values)
        value = configuration[name]
        if self._is_nominal[number]:
            return values.index(value) if value in values else len(values)
        return int(np.argmin(np.abs(np.array(values, dtype=np.float64) - value)))
