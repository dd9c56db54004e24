"""NTBEA as a sampler: the N-Tuple Bandit Evolutionary Algorithm, made for objectives as noisy as single games.

Source: S. M. Lucas, J. Liu, D. Perez-Liebana, "The N-Tuple Bandit Evolutionary Algorithm for game agent optimisation",
CEC 2018.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from optuna.trial import FrozenTrial

from tag.tournaments.statistics.intervals import Ints
from tag.tuning.samplers.levels import Levels
from tag.tuning.samplers.model_sampler import ModelSampler, Seen
from tag.tuning.samplers.ntuple import NTuple
from tag.tuning.space.configurations import Configuration, Configurations

#: A number has at most so many levels.
LEVELS: Final = 10
#: How many points are compared for the next, in spaces that have so many.
_NEIGHBOURS: Final = 50
_FEWEST_NEIGHBOURS: Final = 5


class NtbeaSampler(ModelSampler):
    """Evolves one configuration: the next is the neighbour of the last with the greatest upper confidence bound.

    Exploration is weighed by ``k`` against win rates; of values outside 0..1, two standard deviations of a game count
    as much as the whole range of win rates. Numbers are cut into ten levels.
    """

    def __init__(
        self,
        configurations: Configurations | None = None,
        seed: int | None = None,
        k: float = 0.3,
        epsilon: float = 0.5,
        orders: Sequence[int] = (1, 2),
    ) -> None:
        super().__init__(configurations, seed)
        self.k = k
        self.epsilon = epsilon
        self.orders = tuple(orders)

    def _begin(self, configurations: Configurations) -> None:
        self._levels = Levels(configurations, LEVELS)
        self._model = NTuple(self._levels.sizes, self.orders, self.epsilon)
        self._points: dict[tuple[int, ...], Configuration] = {}
        self._last: Ints | None = None
        self._offset: float | None = None  # subtracted from values, so that 0 is not the best of negative ones
        self._trials: list[tuple[float, float]] = []  # values and games of all finished trials
        self._are_rates = True

    def _learn(self, configurations: Configurations, seen: list[Seen]) -> None:
        for trial in seen:
            point = self._levels.point(trial.configuration)
            is_rate = 0.0 <= trial.value <= 1.0
            self._are_rates = self._are_rates and is_rate
            if self._offset is None:
                self._offset = 0.0 if is_rate else trial.value
            self._model.add(point, trial.value - self._offset, trial.games)
            self._trials.append((trial.value, trial.games))
            self._points[tuple(point.tolist())] = trial.configuration
            self._last = point

    def _next(self, configurations: Configurations, running: list[FrozenTrial]) -> Configuration:
        if self._last is None:
            return configurations.draw(self._rng)
        expected = [self._levels.point(trial.params) for trial in running if trial.params]
        for point in expected:
            self._model.expect(point)
        points = self._neighbours(self._last)
        bounds = self._model.upper_bound(points, self.k * self._range()) + 1e-6 * self._rng.random(len(points))
        for point in expected:
            self._model.expect(point, -1.0)
        best_first = (self._levels.configuration(points[number]) for number in np.argsort(-bounds).tolist())
        valid = next((found for found in best_first if configurations.is_valid(found)), None)
        return valid or configurations.draw(self._rng)

    def _best(self, configurations: Configurations) -> Configuration:
        points = np.array(list(self._points))
        return list(self._points.values())[int(self._model.mean(points).argmax())]

    def _range(self) -> float:
        """Return the range of values, which is 1 for win rates."""
        if self._are_rates:
            return 1.0
        values, games = np.array(self._trials).T
        return 2.0 * float(np.sqrt((games * (values - np.average(values, weights=games)) ** 2).mean()))

    def _neighbours(self, point: Ints) -> Ints:
        """Return distinct points; each parameter differs from ``point`` with probability 1 / number of parameters."""
        levels = self._levels
        wanted = max(min(_NEIGHBOURS, levels.n_points // 4), _FEWEST_NEIGHBOURS)
        mutated = levels.settled(levels.mutated(point, 2 * wanted, self._rng))
        _points, first = np.unique(mutated, axis=0, return_index=True)
        found: Ints = mutated[np.sort(first)[:wanted]]
        return found
