"""Beliefs about the measures of candidates, and the sampler that asks them.

There is a Gaussian process per target, each with the noise that its games had.

The cost of a candidate bends at the ends of its bands, and its square magnifies noise; the measures themselves are
smooth, and their errors known. So the measures are modelled, and the cost follows from the posterior (R. Astudillo and
P. Frazier, "Bayesian Optimization of Composite Functions", 2019).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isfinite
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from optuna.trial import FrozenTrial

from tag.tournaments.statistics.intervals import HALF_WIDTH, Floats
from tag.tuning.balancing.estimation import Estimate
from tag.tuning.balancing.targets import Goal, ranks
from tag.tuning.samplers.bgp import ConfigurationEncoder
from tag.tuning.samplers.gaussian_process import GaussianProcess
from tag.tuning.samplers.model_sampler import ModelSampler, Seen
from tag.tuning.space.configurations import Configuration, Configurations, key_of

#: The variance of a candidate's games is known from so many games of all of them beside its own.
_SHARED_GAMES = 32.0
#: The length scales are looked for again when there is so much more.
_GROWTH = 1.35


class CandidateModel:
    """Posterior of the measures of candidates; ``seen`` are those with games."""

    def __init__(
        self, configurations: Configurations, goals: Sequence[Goal], distance: Callable[[Configuration], float]
    ) -> None:
        """Begin with nothing known; ``distance`` returns the cost of a candidate's distance from the default rules."""
        self.goals = tuple(goals)
        self.seen: list[Configuration] = []
        self._distance = distance
        self._features = ConfigurationEncoder(configurations)
        self._numbers: dict[tuple[tuple[str, Any], ...], int] = {}
        self._processes = [_Process(self._features.groups) for _goal in goals]

    def learn(self, configuration: Configuration, estimates: Sequence[Estimate]) -> None:
        """Add the estimates of a candidate, one per goal."""
        key = key_of(configuration)
        if key not in self._numbers:
            self._numbers[key] = len(self.seen)
            self.seen.append(configuration)
        for process, estimate in zip(self._processes, estimates, strict=True):
            process.learn(self._numbers[key], estimate)

    def posterior(self, candidates: Sequence[Configuration]) -> tuple[Floats, Floats]:
        """Return mean and standard deviation of each measure, both of shape (goals, candidates)."""
        points = self._features.of(list(candidates))
        found = [process.fitted(self._points).predict(points) for process in self._processes]
        return np.array([mean for mean, _deviation in found]), np.array([deviation for _mean, deviation in found])

    def costs(self, candidates: Sequence[Configuration]) -> Floats:
        """Return the expected cost of candidates, of shape (candidates,)."""
        return self._costs(candidates, *self.posterior(candidates))

    def draws(self, candidates: Sequence[Configuration], n_draws: int, rng: np.random.Generator) -> Floats:
        """Return measures drawn from the posterior, of shape (goals, draws, candidates)."""
        points = self._features.of(list(candidates))
        return np.array([process.fitted(self._points).draw(points, n_draws, rng) for process in self._processes])

    def drawn_costs(self, candidates: Sequence[Configuration], n_draws: int, rng: np.random.Generator) -> Floats:
        """Return costs drawn from the posterior, of shape (draws, candidates)."""
        costs = np.tile(self._distances(candidates), (n_draws, 1))
        for goal, drawn in zip(self.goals, self.draws(candidates, n_draws, rng), strict=True):
            costs += goal.aimed(drawn)
        return costs

    def ranked(self, candidates: Sequence[Configuration] = ()) -> list[Configuration]:
        """Return candidates, those with games by default, the best first (`ranks`)."""
        chosen = list(candidates or self.seen)
        ranks = self.ranks(chosen)
        return [chosen[place] for place in sorted(range(len(chosen)), key=ranks.__getitem__)]

    def ranks(self, candidates: Sequence[Configuration]) -> list[tuple[int, float]]:
        """Return the ranks of candidates, which are the less the better.

        Those believed to meet all targets come first, by cost, the others as `tag.tuning.balancing.targets.ranks` says.
        """
        means, deviations = self.posterior(candidates)
        costs = self._costs(candidates, means, deviations)
        is_met = np.all(
            [
                (goal.excess(mean - HALF_WIDTH * deviation) == 0.0)
                & (goal.excess(mean + HALF_WIDTH * deviation) == 0.0)
                for goal, mean, deviation in zip(self.goals, means, deviations, strict=True)
            ],
            axis=0,
        )
        others = ranks(self.goals, means, deviations, costs)
        return [(-1, cost) if met else other for met, cost, other in zip(is_met, costs.tolist(), others, strict=True)]

    def game_variances(self) -> Floats:
        """Return the variance of each measure from one game, mean over all games, of shape (goals,)."""
        return np.array([process.game_variance() for process in self._processes])

    @property
    def _points(self) -> Floats:
        return self._features.of(self.seen)

    def _costs(self, candidates: Sequence[Configuration], means: Floats, deviations: Floats) -> Floats:
        rows = zip(self.goals, means, deviations, strict=True)
        found: Floats = self._distances(candidates) + sum(goal.expected(*row) for goal, *row in rows)
        return found

    def _distances(self, candidates: Sequence[Configuration]) -> Floats:
        return np.array([self._distance(candidate) for candidate in candidates])


class _Process:
    def __init__(self, groups: npt.NDArray[np.int64]) -> None:
        self._process = GaussianProcess(groups)
        self._told: dict[int, list[Estimate]] = {}
        self._searched_at = 0.0
        self._is_fitted = False

    def learn(self, candidate: int, estimate: Estimate) -> None:
        """Add an estimate; one without information is left out."""
        if isfinite(estimate.value) and isfinite(estimate.error) and estimate.games:
            self._told.setdefault(candidate, []).append(estimate)
            self._is_fitted = False

    def fitted(self, points: Floats) -> _Scaled:
        """Return the process with all that is known; ``points`` are those of all candidates with games."""
        if not self._told:
            return _Scaled(None, 0.0, 1.0)
        if not self._is_fitted:
            self._fit(points)
        return _Scaled(self._process, self._low, self._span)

    def game_variance(self) -> float:
        """Return the variance of the measure from one game, mean over all games; 0 where nothing is known."""
        told = [one for estimates in self._told.values() for one in estimates]
        return sum((one.error * one.games) ** 2 for one in told) / max(sum(one.games for one in told), 1)

    def _fit(self, points: Floats) -> None:
        told = [(number, one) for number, estimates in self._told.items() for one in estimates]
        games = np.array([one.games for _number, one in told], dtype=np.float64)
        of_game = np.array([one.error for _number, one in told]) ** 2 * games
        variance = (of_game * games + self.game_variance() * _SHARED_GAMES) / (games + _SHARED_GAMES)
        precisions = games / np.maximum(variance, 1e-12)
        order, index = np.unique(np.array([number for number, _one in told]), return_inverse=True)
        precision = np.bincount(index, precisions)
        values = np.bincount(index, precisions * np.array([one.value for _number, one in told])) / precision
        self._low, span = float(values.min()), float(np.ptp(values))
        self._span = span or 1.0
        search = len(order) >= _GROWTH * self._searched_at
        self._searched_at = float(len(order)) if search else self._searched_at
        scaled = (values - self._low) / self._span
        self._process.fit(points[order], scaled, 1.0 / precision / self._span**2, search)
        self._is_fitted = True


class _Scaled:
    """A process of values between 0 and 1, in the unit of the measure; without one nothing is known."""

    def __init__(self, process: GaussianProcess | None, low: float, span: float) -> None:
        self._process = process
        self._low = low
        self._span = span

    def predict(self, points: Floats) -> tuple[Floats, Floats]:
        if self._process is None:
            return np.zeros(len(points)), np.full(len(points), 1e6)
        mean, deviation = self._process.predict(points)
        return self._low + self._span * mean, self._span * deviation

    def draw(self, points: Floats, n_draws: int, rng: np.random.Generator) -> Floats:
        if self._process is None:
            return np.zeros((n_draws, len(points)))
        found: Floats = self._low + self._span * self._process.draw(points, n_draws, rng)
        return found


#: Candidates drawn at random before the model is asked, per parameter and at least.
_STARTUP_PER_PARAMETER: Final = 3
_STARTUP: Final = 8
#: Candidates that the model compares: so many at random, and the best that are reached in so many steps, each from so many
#: of the best to so many neighbours of each.
_RANDOM: Final = 100
_REACHED: Final = 150
_STEPS: Final = 4
_BEST: Final = 6
_NEIGHBOURS: Final = 12


def startup_of(configurations: Configurations) -> int:
    """Return how many candidates are drawn at random before a model is asked."""
    return max(_STARTUP, _STARTUP_PER_PARAMETER * len(configurations.distributions))


class BandSampler(ModelSampler):
    """Thompson sampling with a model of the measures; the search updates the model after each trial."""

    def __init__(self, configurations: Configurations, seed: int, model: CandidateModel) -> None:
        super().__init__(configurations, seed)
        self._model = model

    def _begin(self, configurations: Configurations) -> None:
        """Begin with the model alone."""

    def _learn(self, configurations: Configurations, seen: list[Seen]) -> None:
        """Do nothing: the model learns from the estimates of trials, not from their costs."""

    def _next(self, configurations: Configurations, running: list[FrozenTrial]) -> Configuration:
        if len(self._model.seen) + len(running) < startup_of(configurations) or not self._model.seen:
            return configurations.draw(self._rng)
        candidates = self._candidates(configurations)
        drawn = self._model.drawn_costs(candidates, 1, self._rng)[0]
        return candidates[int(self._rng.choice(np.flatnonzero(drawn <= drawn.min())))]  # often, many cost nothing

    def _best(self, configurations: Configurations) -> Configuration:
        return self._model.ranked()[0]

    def _candidates(self, configurations: Configurations) -> list[Configuration]:
        """Return the best candidates with games, what is reached from them where the model expects better, and others."""
        known = {key_of(one): one for one in self._model.seen}
        ranks = dict(zip(known, self._model.ranks(list(known.values())), strict=True))
        for _step in range(_STEPS):
            best = [known[key] for key in sorted(ranks, key=ranks.__getitem__)[:_BEST]]
            near = [configurations.neighbour(one, self._rng) for one in best for _ in range(_NEIGHBOURS)]
            new = {key_of(one): one for one in near if key_of(one) not in known}
            known |= new
            ranks |= dict(zip(new, self._model.ranks(list(new.values())), strict=True)) if new else {}
        reached = [known[key] for key in sorted(ranks, key=ranks.__getitem__)[:_REACHED]]
        drawn = [configurations.draw(self._rng) for _ in range(_RANDOM)]
        return list({key_of(one): one for one in [*reached, *drawn]}.values())
