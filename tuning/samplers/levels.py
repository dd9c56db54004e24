"""Configurations whose numbers are cut into levels, many at a time."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import Any, Final

import numpy as np
from optuna.distributions import CategoricalDistribution

from tag.engine.parameters import Wanted
from tag.tournaments.statistics.intervals import Ints
from tag.tuning.space.configurations import Configuration, Configurations, levels_of

#: How often a number that changes moves by little, and by which share of its levels at most.
_LOCAL: Final = 0.6
_NEAR: Final = 0.12


class Levels:
    """The levels of each parameter, by number; the number after the last stands for a parameter without effect.

    Attributes:
        choices: how many values each parameter has, shape (parameters,).
        sizes: how many levels, that without effect included.
        n_points: the points there are.
    """

    def __init__(self, configurations: Configurations, most: int) -> None:
        kinds = configurations.distributions
        self._names = list(kinds)
        self.values = [levels_of(kind, most) for kind in kinds.values()]
        self._is_choice = [isinstance(kind, CategoricalDistribution) for kind in kinds.values()]
        self._is_nominal = np.array(
            [chosen and name not in configurations.ordered for name, chosen in zip(kinds, self._is_choice, strict=True)]
        )
        self.choices = np.array([len(values) for values in self.values])
        self.sizes = [len(values) + 1 for values in self.values]
        self.n_points = prod(len(values) for values in self.values)
        self._conditions = [
            (self._names.index(child), self._names.index(parent), self._levels_in(parent, wanted))
            for child, (parent, wanted) in configurations.conditions.items()
        ]

    def _levels_in(self, name: str, wanted: Wanted) -> list[int]:
        values = self.values[self._names.index(name)]
        return [level for level, value in enumerate(values) if value in wanted]

    def mutated(self, point: Ints, n: int, rng: np.random.Generator) -> Ints:
        """Return ``point`` with other levels for some parameters, shape (n, parameters)."""
        choices = self.choices
        free = choices > 1
        chosen = (rng.random((n, len(point))) < 1.0 / max(int(free.sum()), 1)) & free
        if free.any():
            chosen[np.arange(n), rng.choice(np.flatnonzero(free), n)] |= ~chosen.any(axis=1)
        known = point < choices  # the others have no effect now and may get any level
        others = (rng.random(chosen.shape) * (choices - known * free)).astype(np.int64)
        others += known & (others >= point)
        return np.where(chosen | ~known, others, point)

    def draw(self, n: int, rng: np.random.Generator) -> Ints:
        """Return random points, shape (n, parameters)."""
        return self.settled((rng.random((n, len(self.choices))) * self.choices).astype(np.int64))

    def near(self, points: Ints, n: int, rng: np.random.Generator) -> Ints:
        """Return ``n`` points for each of ``points``, which differ from it in few parameters, numbers often by little."""
        found = np.vstack([self.mutated(point, n, rng) for point in points])
        origin = np.repeat(points, n, axis=0)
        is_near = (rng.random(found.shape) < _LOCAL) & ~self._is_nominal & (found != origin) & (origin < self.choices)
        steps = 1 + (rng.random(found.shape) * np.maximum(np.rint(_NEAR * self.choices), 1)).astype(np.int64)
        steps *= rng.choice((-1, 1), found.shape)
        moved = np.clip(origin + steps, 0, self.choices - 1)
        return self.settled(np.where(is_near, moved, found))

    def point(self, configuration: Mapping[str, Any]) -> Ints:
        """Return the nearest level of each parameter."""
        return np.array([self._level(number, name, configuration) for number, name in enumerate(self._names)])

    def configuration(self, point: Ints) -> Configuration:
        """Return the values of the levels that have an effect."""
        pairs = zip(self._names, self.values, point.tolist(), strict=True)
        return {name: values[level] for name, values, level in pairs if level < len(values)}

    def settled(self, points: Ints) -> Ints:
        """Return ``points`` with the level without effect where another parameter says so."""
        found = points.copy()
        for _depth in self._conditions:  # a parameter may depend on one that depends on a third
            for child, parent, wanted in self._conditions:
                found[~np.isin(found[:, parent], wanted), child] = self.choices[child]
        return found

    def _level(self, number: int, name: str, configuration: Mapping[str, Any]) -> int:
        values = self.values[number]
        if name not in configuration:
            return len(values)
        value = configuration[name]
        if self._is_choice[number]:
            return values.index(value) if value in values else len(values)
        return int(np.argmin(np.abs(np.array(values, dtype=np.float64) - value)))
