"""A sampler for win counts: a Gaussian process with the noise of each win rate, and Thompson sampling."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from optuna.distributions import BaseDistribution, CategoricalDistribution
from optuna.trial import FrozenTrial

from tag.tournaments.statistics.intervals import Floats, Ints
from tag.tuning.samplers.ascent import Ascent
from tag.tuning.samplers.gaussian_process import GaussianProcess
from tag.tuning.samplers.levels import Levels
from tag.tuning.samplers.model_sampler import ModelSampler, Seen
from tag.tuning.samplers.noise import noise_of
from tag.tuning.space.configurations import Configuration, Configurations, key_of, to_units

#: Configurations drawn at random before the model is asked.
_STARTUP: Final = 24
#: Configurations that the model compares: so many at random, so many of the best, and the neighbours of these.
_RANDOM: Final = 200
_SHARE: Final = 40
_TRIES: Final = 50
_BEST: Final = 6
_NEIGHBOURS: Final = 25
#: Number of levels of a number, among the compared configurations and on the climb to the recommendation.
LEVELS: Final = 25
#: The length scales are looked for again when there is so much more.
_GROWTH: Final = 1.35
#: The standard deviation between configurations that values are scaled to. Differences between configurations count for at
#: least this share of the variance of values, or of their noise.
_DEVIATION: Final = 0.1
_LEAST_SHARE: Final = 0.1
#: The least and the greatest divisor of win rates.
_SPANS: Final = (0.1, 1.0)


class BgpSampler(ModelSampler):
    """Draws a win rate for each of many configurations from the joint posterior, and takes the best.

    Configurations that are played again are one point with more games. Values are scaled by the differences that noise
    does not explain; the noise is measured from blocks (`tag.tuning.samplers.gaussian_process`).
    """

    def _begin(self, configurations: Configurations) -> None:
        self._features = ConfigurationEncoder(configurations)
        self._levels = Levels(configurations, LEVELS)
        self._rows = self._features.rows(self._levels)
        self._model = GaussianProcess(self._features.groups)
        self._sums: dict[tuple[Any, ...], Floats] = {}
        self._seen: list[Configuration] = []
        self._points: list[Floats] = []
        self._codes: list[Ints] = []
        self._n_trials = self._searched_at = 0
        self._is_fitted = False
        self._proposed: list[Ints] = []

    def _learn(self, configurations: Configurations, seen: list[Seen]) -> None:
        for trial in seen:
            key = key_of(trial.configuration)
            if key not in self._sums:
                self._sums[key] = np.zeros(4)
                self._seen.append(trial.configuration)
                self._points.append(self._features.of([trial.configuration])[0])
                self._codes.append(self._levels.point(trial.configuration))
            free = max(trial.blocks - 1, 0)
            of_game = trial.variance * trial.games / max(trial.blocks, 1)
            self._sums[key] += (trial.value * trial.games, trial.games, free * of_game, free)
        if seen:
            self._n_trials += len(seen)
            self._is_fitted = False

    def _next(self, configurations: Configurations, running: list[FrozenTrial]) -> Configuration:
        if len(self._seen) + len(running) < _STARTUP or not self._seen:
            return configurations.draw(self._rng)
        if not self._proposed:
            self._fit()
            candidates = self._candidates()
            n_draws = max(1, len(self._seen) // _SHARE)
            drawn = self._model.draw(self._at(candidates), n_draws, self._rng)
            self._proposed = [candidates[order[:_TRIES]] for order in np.argsort(-drawn, axis=1)]
        return self._first_valid(configurations, self._proposed.pop())

    def _first_valid(self, configurations: Configurations, points: Ints) -> Configuration:
        found = (self._levels.configuration(point) for point in points)
        return next(filter(configurations.is_valid, found), None) or configurations.draw(self._rng)

    def _best(self, configurations: Configurations) -> Configuration:
        if self._searched_at != self._n_trials:  # search now, so that earlier calls have no effect
            self._searched_at, self._is_fitted = 0, False
        self._fit()
        return self._climbed(configurations, self._seen[int(self._model.means(np.array(self._points)).argmax())])

    def _climbed(self, configurations: Configurations, start: Configuration) -> Configuration:
        """Return the configuration that coordinate ascent of the mean reaches from ``start``."""
        ascent = Ascent(self._model, configurations, self._levels, self._rows)
        return ascent.climb(start, self._features.of([start])[0])

    def posterior(self, configurations: list[Configuration]) -> tuple[Floats, Floats]:
        """Return posterior mean and standard deviation of the value of each, after the last update."""
        low, span = self._scale
        mean, deviation = self._model.predict(self._features.of(configurations))
        return low + span * mean, span * deviation

    def joint(self, configurations: list[Configuration]) -> tuple[Floats, Floats]:
        """Return mean and covariance of the same."""
        low, span = self._scale
        mean, covariance = self._model.joint(self._features.of(configurations))
        return low + span * mean, span**2 * covariance

    def _fit(self) -> None:
        """Fit all trials so far, and search new length scales when their number has grown by a third."""
        if self._is_fitted:
            return
        search = self._n_trials >= _GROWTH * self._searched_at
        self._searched_at = self._n_trials if search else self._searched_at
        points, sums = np.array(self._points), np.array(list(self._sums.values()))
        values, games = sums[:, 0] / sums[:, 1], sums[:, 1]
        noise = noise_of(values, games, sums[:, 2], sums[:, 3], self._model.basis(points))
        low, span = self._scale = _scale(values, noise.variances)
        self._model.fit(points, (values - low) / span, noise.variances / span**2, search, noise.doubt)
        self._is_fitted = True

    def _at(self, points: Ints) -> Floats:
        return np.hstack([rows[points[:, at]] for at, rows in enumerate(self._rows)])

    def _candidates(self) -> Ints:
        mean = self._model.means(np.array(self._points))
        best = np.array(self._codes)[np.argsort(-mean, kind="stable")[:_BEST]]
        near = self._levels.near(best, _NEIGHBOURS, self._rng)
        return np.unique(np.vstack([self._levels.draw(_RANDOM, self._rng), near, best]), axis=0)


def _scale(values: Floats, noise: Floats) -> tuple[float, float]:
    """Return the offset and the divisor that bring values to the scale of win rates.

    Differences that noise does not explain then have the variance of the model's prior.
    """
    are_rates = bool(values.min() >= 0.0 and values.max() <= 1.0)
    variance, luck = float(values.var()), float(noise.mean())
    span = float(np.sqrt(max(variance - luck, _LEAST_SHARE * max(variance, luck)))) / _DEVIATION
    if are_rates:
        return 0.0, float(np.clip(span, *_SPANS))
    return float(values.mean()), max(span, 1e-9 * float(np.abs(values).max()))


class ConfigurationEncoder:
    """Configurations as points: numbers scaled to 0..1, a column per choice for categories, one group per parameter.

    Where a parameter has no effect, its number is NaN and it has none of its choices.

    Attributes:
        names: the parameters, by number.
        groups: the number of the parameter of each column, shape (columns,).
    """

    def __init__(self, configurations: Configurations) -> None:
        self._kinds = configurations.distributions
        self.names = tuple(self._kinds)
        self._ordered = configurations.ordered
        widths = [self._width(name) for name in self._kinds]
        self.groups: Ints = np.repeat(np.arange(len(widths)), widths)
        self._begins = [0, *np.cumsum(widths).tolist()]

    def of(self, configurations: list[Configuration]) -> Floats:
        """Return the points, shape (configurations, columns)."""
        found = np.zeros((len(configurations), len(self.groups)))
        for group, (name, kind) in enumerate(self._kinds.items()):
            values = [one.get(name, _NONE) for one in configurations]
            found[:, self._begins[group] : self._begins[group + 1]] = self._columns(name, kind, values)
        return found

    def rows(self, levels: Levels) -> list[Floats]:
        """Return the columns of each level of each parameter, the last of which is no effect, by parameter."""
        pairs = zip(self._kinds.items(), levels.values, strict=True)
        return [self._columns(name, kind, [*values, _NONE]) for (name, kind), values in pairs]

    def _width(self, name: str) -> int:
        kind = self._kinds[name]
        nominal = isinstance(kind, CategoricalDistribution) and name not in self._ordered
        return len(kind.choices) if nominal and isinstance(kind, CategoricalDistribution) else 1

    def _columns(self, name: str, kind: BaseDistribution, values: list[Any]) -> Floats:
        """Return the columns of one parameter, shape (values, columns)."""
        if not isinstance(kind, CategoricalDistribution):
            return to_units(kind, [None if value is _NONE else value for value in values])[:, None]
        numbers = {choice: number for number, choice in enumerate(kind.choices)}
        chosen = np.array([numbers.get(value, -1) for value in values])[:, None]
        if name in self._ordered:
            return np.where(chosen < 0, np.nan, chosen / max(len(numbers) - 1, 1))
        found: Floats = np.sqrt(0.5) * (chosen == np.arange(len(numbers)))
        return found


_NONE: Final = object()
