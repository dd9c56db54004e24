"""A sampler for win counts: a Gaussian process that knows how noisy each win rate is, asked by Thompson sampling."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt
from optuna.distributions import BaseDistribution, CategoricalDistribution
from optuna.trial import FrozenTrial

from tuning.configurations import Configuration, Configurations, levels_of, to_unit
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
#: So many values of a number are compared on the way to what is recommended.
_LEVELS: Final = 25
#: The length scales are looked for again when there is so much more.
_GROWTH: Final = 1.35


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
        self._points: list[Floats] = []
        self._n_trials = self._searched_at = 0
        self._is_fitted = False

    def _learn(self, configurations: Configurations, seen: list[Seen]) -> None:
        for trial in seen:
            key = tuple(sorted(trial.configuration.items()))
            if key not in self._sums:
                self._sums[key] = [0.0, 0.0]
                self._seen.append(trial.configuration)
                self._points.append(self._features.of([trial.configuration])[0])
            self._sums[key][0] += trial.value * trial.games
            self._sums[key][1] += trial.games
        if seen:
            self._n_trials += len(seen)
            self._is_fitted = False

    def _next(self, configurations: Configurations, running: list[FrozenTrial]) -> Configuration:
        if len(self._seen) + len(running) < _STARTUP or not self._seen:
            return configurations.draw(self._rng)
        self._fit()
        candidates = self._candidates(configurations)
        drawn = self._model.draw(self._features.of(candidates), 1, self._rng)
        return candidates[int(drawn.argmax())]

    def _best(self, configurations: Configurations) -> Configuration:
        if self._searched_at != self._n_trials:  # search now: when the sampler was asked before is to have no say
            self._searched_at, self._is_fitted = 0, False
        self._fit()
        return self._climbed(configurations, self._seen[int(self.posterior(self._seen)[0].argmax())])

    def _climbed(self, configurations: Configurations, start: Configuration) -> Configuration:
        """Return what is reached from ``start`` by changing one parameter at a time to what has the best mean."""
        levels = {name: levels_of(kind, _LEVELS) for name, kind in configurations.distributions.items()}
        middle = {name: found[len(found) // 2] for name, found in levels.items()}
        best = start
        while True:
            steps = [found for _name, _value, found in configurations.around(best, levels, middle)]
            top = int(self.posterior([best, *steps])[0].argmax())
            if top == 0:
                return best
            best = steps[top - 1]

    def posterior(self, configurations: list[Configuration]) -> tuple[Floats, Floats]:
        """Return mean and standard deviation of what is known of the value of each, after the last update."""
        low, span = self._scale
        mean, deviation = self._model.predict(self._features.of(configurations))
        return low + span * mean, span * deviation

    def joint(self, configurations: list[Configuration]) -> tuple[Floats, Floats]:
        """Return mean and covariance of the same."""
        low, span = self._scale
        mean, covariance = self._model.joint(self._features.of(configurations))
        return low + span * mean, span**2 * covariance

    def _fit(self) -> None:
        """Learn from all that has been seen, and look for other length scales when that has grown by a third."""
        if self._is_fitted:
            return
        sums = np.array(list(self._sums.values()))
        values, games = sums[:, 0] / sums[:, 1], sums[:, 1]
        low, high = float(values.min()), float(values.max())
        self._scale = (0.0, 1.0) if low >= 0.0 and high <= 1.0 else (low, max(high - low, 1e-12))
        scaled = (values - self._scale[0]) / self._scale[1]
        search = self._n_trials >= _GROWTH * self._searched_at
        self._searched_at = self._n_trials if search else self._searched_at
        self._model.fit(np.array(self._points), scaled, binomial_noise(scaled, games), search)
        self._is_fitted = True

    def _candidates(self, configurations: Configurations) -> list[Configuration]:
        mean, _deviation = self._model.predict(np.array(self._points))
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
        found = np.zeros((len(configurations), len(self.groups)))
        for group, (name, kind) in enumerate(self._kinds.items()):
            values = [one.get(name, _NONE) for one in configurations]
            found[:, self.groups == group] = self._columns(name, kind, values)
        return found

    def _width(self, name: str) -> int:
        kind = self._kinds[name]
        nominal = isinstance(kind, CategoricalDistribution) and name not in self._ordered
        return len(kind.choices) if nominal and isinstance(kind, CategoricalDistribution) else 1

    def _columns(self, name: str, kind: BaseDistribution, values: list[Any]) -> Floats:
        """Return the columns of one parameter, shape (values, columns)."""
        if not isinstance(kind, CategoricalDistribution):
            return np.array([[0.5 if value is _NONE else to_unit(kind, value)] for value in values])
        numbers = {choice: number for number, choice in enumerate(kind.choices)}
        chosen = np.array([numbers.get(value, -1) for value in values])[:, None]
        if name in self._ordered:
            return np.where(chosen < 0, 0.5, chosen / max(len(numbers) - 1, 1))
        found: Floats = np.sqrt(0.5) * (chosen == np.arange(len(numbers)))
        return found


_NONE: Final = object()
