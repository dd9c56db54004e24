"""A sampler for win counts: a Gaussian process that knows how noisy each win rate is, asked by Thompson sampling."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from optuna.distributions import CategoricalDistribution
from optuna.trial import FrozenTrial

from tuning.configurations import Configuration, Configurations, to_unit
from tuning.models.gaussian_process import GaussianProcess, binomial_noise
from tuning.samplers._model_sampler import ModelSampler
from tuning.samplers._seen import Seen

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

#: Configurations drawn at random before the model is asked.
_STARTUP: Final = 24
#: What the model is asked about: as many at random, so many of the best, and the neighbours of each of these.
_RANDOM: Final = 300
_BEST: Final = 6
_NEIGHBOURS: Final = 30
#: The length scales are looked for again when there is so much more.
_GROWTH: Final = 1.35
#: How many configurations are drawn from one state of knowledge at a time.
_DRAWS: Final = 8


class BgpSampler(ModelSampler):
    """Draws a win rate for each of many configurations from what is known of them all, and takes the best.

    Configurations that are played again are one point with more games. Values outside 0..1 are scaled by what has been
    seen, and their noise is taken for that of one coin toss per game.
    """

    def _begin(self, configurations: Configurations) -> None:
        self._features = Features(configurations)
        self._model = GaussianProcess(self._features.groups)
        self._sums: dict[tuple[Any, ...], list[float]] = {}
        self._seen: list[Configuration] = []
        self._searched_at = 0.0
        self._picks: list[Configuration] = []
        self._is_fitted = False

    def _learn(self, configurations: Configurations, seen: list[Seen]) -> None:
        for trial in seen:
            key = tuple(sorted(trial.configuration.items()))
            if key not in self._sums:
                self._sums[key] = [0.0, 0.0]
                self._seen.append(trial.configuration)
            self._sums[key][0] += trial.value * trial.games
            self._sums[key][1] += trial.games
        if seen:
            self._is_fitted = False
            self._picks = []

    def _next(self, configurations: Configurations, running: list[FrozenTrial]) -> Configuration:
        if len(self._seen) + len(running) < _STARTUP or not self._seen:
            return configurations.draw(self._rng)
        if not self._picks:
            self._fit()
            candidates = self._candidates(configurations)
            drawn = self._model.draw(self._features.of(candidates), _DRAWS, self._rng)
            self._picks = [candidates[best] for best in drawn.argmax(axis=1).tolist()]
        return self._picks.pop()

    def _best(self) -> Configuration:
        self._fit()
        return self._seen[int(self.posterior(self._seen)[0].argmax())]

    def posterior(self, configurations: list[Configuration]) -> tuple[Floats, Floats]:
        """Return mean and standard deviation of what is known of the value of each, after the last update."""
        low, span = self._scale
        mean, deviation = self._model.predict(self._features.of(configurations))
        return low + span * mean, span * deviation

    def _fit(self) -> None:
        """Learn from all that has been seen, and look for other length scales when that has grown by a third."""
        if self._is_fitted:
            return
        sums = np.array(list(self._sums.values()))
        values, games = sums[:, 0] / sums[:, 1], sums[:, 1]
        low, high = float(values.min()), float(values.max())
        self._scale = (0.0, 1.0) if low >= 0.0 and high <= 1.0 else (low, max(high - low, 1e-12))
        scaled = (values - self._scale[0]) / self._scale[1]
        search = len(values) >= _GROWTH * self._searched_at
        self._searched_at = float(len(values)) if search else self._searched_at
        self._model.fit(self._features.of(self._seen), scaled, binomial_noise(scaled, games), search)
        self._is_fitted = True

    def _candidates(self, configurations: Configurations) -> list[Configuration]:
        mean, _deviation = self.posterior(self._seen)
        best = [self._seen[number] for number in np.argsort(-mean, kind="stable")[:_BEST].tolist()]
        near = [configurations.neighbour(one, self._rng) for one in best for _ in range(_NEIGHBOURS)]
        return [configurations.draw(self._rng) for _ in range(_RANDOM)] + near + best


class Features:
    """Configurations as points: numbers scaled to 0..1, a column per choice for categories, one group per parameter.

    Where a parameter has no effect, its number is in the middle and it has none of its choices.

    Attributes:
        groups: the parameter of each column, shape (columns,).
    """

    def __init__(self, configurations: Configurations) -> None:
        """Lay out the columns."""
        self._kinds = configurations.distributions
        self._ordered = configurations.ordered
        widths = [self._width(name) for name in self._kinds]
        self.groups: Ints = np.repeat(np.arange(len(widths)), widths)

    def of(self, configurations: list[Configuration]) -> Floats:
        """Return the points, shape (configurations, columns)."""
        return np.array([[cell for name in self._kinds for cell in self._cells(name, one)] for one in configurations])

    def _width(self, name: str) -> int:
        kind = self._kinds[name]
        nominal = isinstance(kind, CategoricalDistribution) and name not in self._ordered
        return len(kind.choices) if nominal and isinstance(kind, CategoricalDistribution) else 1

    def _cells(self, name: str, configuration: Mapping[str, Any]) -> list[float]:
        kind = self._kinds[name]
        if not isinstance(kind, CategoricalDistribution):
            return [to_unit(kind, configuration[name]) if name in configuration else 0.5]
        choices = list(kind.choices)
        chosen = choices.index(configuration[name]) if configuration.get(name, _NONE) in choices else -1
        if name in self._ordered:
            return [chosen / max(len(choices) - 1, 1) if chosen >= 0 else 0.5]
        return [np.sqrt(0.5) * (number == chosen) for number in range(len(choices))]


_NONE: Final = object()
