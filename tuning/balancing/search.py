"""The search of a balancing study: its model, the sampler that asks it, and the games and cost of a candidate."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from math import inf, isfinite
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import optuna
import pandas as pd
from optuna.samplers import BaseSampler
from optuna.trial import FrozenTrial

from tag.catalogue.registry import make_game
from tag.engine.parameters import Value
from tag.orders import Conditions
from tag.tournaments.designs.games import Pairing, PlannedGames
from tag.tournaments.designs.schedule import seeds_of
from tag.tournaments.ledger.games import read_ledger
from tag.tournaments.ledger.rows import PlayedGame
from tag.tournaments.results.curves import next_in_grid
from tag.tournaments.statistics.intervals import HALF_WIDTH, Ints
from tag.tuning.balancing.definition import BANDS, SEARCH, BalanceDefinition, Plan
from tag.tuning.balancing.estimation import Estimate
from tag.tuning.balancing.measures import rules_distance
from tag.tuning.balancing.targets import Goal, misses
from tag.tuning.samplers import make_sampler
from tag.tuning.samplers.bgp import ConfigurationEncoder
from tag.tuning.samplers.gaussian_process import GaussianProcess
from tag.tuning.samplers.model_sampler import ModelSampler, Seen
from tag.tuning.search.games import GameSchedule
from tag.tuning.search.trials import FinishedTrial, Trial, trials_frame
from tag.tuning.space.configurations import Configuration, Configurations
from tag.tuning.space.ranges import shown, whole_range

# --- model --------------------------------------------------------------------------------------------------------------
#
# Beliefs about the measures of candidates: a Gaussian process per target, each with the noise that its games had.
#
# The cost of a candidate bends at the ends of its bands, and its square magnifies noise; the measures themselves are
# smooth, and their errors known. So the measures are modelled, and the cost follows from the posterior (R. Astudillo and
# P. Frazier, "Bayesian Optimization of Composite Functions", 2019).


_Floats = npt.NDArray[np.float64]

#: The variance of a candidate's games is known from so many games of all of them beside its own.
_SHARED_GAMES = 32.0
#: The length scales are looked for again when there is so much more.
_GROWTH = 1.35


class CandidateModel:
    """Posterior of the measures of candidates; ``seen`` are those with games."""

    def __init__(
        self, configurations: Configurations, goals: Sequence[Goal], distance: Callable[[Configuration], float]
    ) -> None:
        """Begin with nothing known; ``distance`` returns the cost of a candidate's distance from the printed rules."""
        self.goals = tuple(goals)
        self.seen: list[Configuration] = []
        self._distance = distance
        self._features = ConfigurationEncoder(configurations)
        self._numbers: dict[tuple[object, ...], int] = {}
        self._processes = [_Process(self._features.groups) for _goal in goals]

    def learn(self, configuration: Configuration, estimates: Sequence[Estimate]) -> None:
        """Add the estimates of a candidate, one per goal."""
        key = tuple(sorted(configuration.items()))
        if key not in self._numbers:
            self._numbers[key] = len(self.seen)
            self.seen.append(configuration)
        for process, estimate in zip(self._processes, estimates, strict=True):
            process.learn(self._numbers[key], estimate)

    def posterior(self, candidates: Sequence[Configuration]) -> tuple[_Floats, _Floats]:
        """Return mean and standard deviation of each measure, both of shape (goals, candidates)."""
        points = self._features.of(list(candidates))
        found = [process.fitted(self._points).predict(points) for process in self._processes]
        return np.array([mean for mean, _deviation in found]), np.array([deviation for _mean, deviation in found])

    def costs(self, candidates: Sequence[Configuration]) -> _Floats:
        """Return the expected cost of candidates, of shape (candidates,)."""
        means, deviations = self.posterior(candidates)
        rows = zip(self.goals, means, deviations, strict=True)
        found: _Floats = self._distances(candidates) + sum(goal.expected(*row) for goal, *row in rows)
        return found

    def drawn_costs(self, candidates: Sequence[Configuration], n_draws: int, rng: np.random.Generator) -> _Floats:
        """Return costs drawn from the posterior, of shape (draws, candidates)."""
        points = self._features.of(list(candidates))
        costs = np.tile(self._distances(candidates), (n_draws, 1))
        for goal, process in zip(self.goals, self._processes, strict=True):
            costs += goal.aimed(process.fitted(self._points).draw(points, n_draws, rng))
        return costs

    def ranked(self, candidates: Sequence[Configuration] = ()) -> list[Configuration]:
        """Return candidates, those with games by default: those believed to meet all targets first, then by cost."""
        chosen = list(candidates or self.seen)
        means, deviations = self.posterior(chosen)
        is_met = np.all(
            [
                (goal.excess(mean - HALF_WIDTH * deviation) == 0.0)
                & (goal.excess(mean + HALF_WIDTH * deviation) == 0.0)
                for goal, mean, deviation in zip(self.goals, means, deviations, strict=True)
            ],
            axis=0,
        )
        order = np.lexsort((self.costs(chosen), ~is_met))
        return [chosen[number] for number in order.tolist()]

    def game_variances(self) -> _Floats:
        """Return the variance of each measure from one game, mean over all games, of shape (goals,)."""
        return np.array([process.game_variance() for process in self._processes])

    @property
    def _points(self) -> _Floats:
        return self._features.of(self.seen)

    def _distances(self, candidates: Sequence[Configuration]) -> _Floats:
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

    def fitted(self, points: _Floats) -> _Scaled:
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

    def _fit(self, points: _Floats) -> None:
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

    def predict(self, points: _Floats) -> tuple[_Floats, _Floats]:
        if self._process is None:
            return np.zeros(len(points)), np.full(len(points), 1e6)
        mean, deviation = self._process.predict(points)
        return self._low + self._span * mean, self._span * deviation

    def draw(self, points: _Floats, n_draws: int, rng: np.random.Generator) -> _Floats:
        if self._process is None:
            return np.zeros((n_draws, len(points)))
        found: _Floats = self._low + self._span * self._process.draw(points, n_draws, rng)
        return found


# --- front --------------------------------------------------------------------------------------------------------------
#
# The Pareto front: the candidates of a search of which no other is as good in everything and better in something.


_Bools = npt.NDArray[np.bool_]

#: Costs are told apart that differ by more than this, in units of half a band.
_EQUAL = 1e-3


def front(
    model: CandidateModel, spec: Callable[[Configuration], str], distance: Callable[[Configuration], float]
) -> pd.DataFrame:
    """Return the candidates with games on the front, by the distance from the printed rules.

    The excess of each measure over its band is the believed one, not the one observed with luck.

    Args:
        model: the posterior of the candidates.
        spec: returns that of a candidate.
        distance: returns how far a candidate is from the printed rules.

    Returns:
        One row per candidate: ``spec`` and ``distance``. For each target it also has the posterior ``mean`` of the measure
        and its standard ``deviation``. The ``excess`` over the band is in units of half of the band. Columns are named
        like ``mean.length``.
    """
    means, deviations = model.posterior(model.seen)
    columns: dict[str, object] = {
        "spec": [spec(one) for one in model.seen],
        "distance": [distance(one) for one in model.seen],
    }
    objectives = [np.array(columns["distance"])]
    for goal, mean, deviation in zip(model.goals, means, deviations, strict=True):
        name = goal.target.name
        excess = goal.excess(mean)
        columns |= {f"mean.{name}": mean, f"deviation.{name}": deviation, f"excess.{name}": excess}
        objectives.append(np.round(excess / _EQUAL))
    chosen = _is_on_front(np.stack(objectives, axis=1))
    frame = pd.DataFrame(columns)[chosen]
    return frame.sort_values(["distance", "spec"], kind="stable", ignore_index=True)


def _is_on_front(costs: _Floats) -> _Bools:
    no_worse = (costs[:, None, :] <= costs[None, :, :]).all(axis=2)
    better = (costs[:, None, :] < costs[None, :, :]).any(axis=2)
    is_dominated: _Bools = np.any(no_worse & better, axis=0)
    return ~is_dominated


# --- sampler ------------------------------------------------------------------------------------------------------------
#
# A sampler for bands: costs are drawn from the posterior of every measure; the candidate with the least is next.


#: Candidates drawn at random before the model is asked, per parameter and at least.
_STARTUP_PER_PARAMETER: Final = 3
_STARTUP: Final = 8
#: Candidates that the model compares: so many at random, so many of the best, and the neighbours of these.
_RANDOM: Final = 100
_BEST: Final = 6
_NEIGHBOURS: Final = 12


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
        startup = max(_STARTUP, _STARTUP_PER_PARAMETER * len(configurations.distributions))
        if len(self._model.seen) + len(running) < startup or not self._model.seen:
            return configurations.draw(self._rng)
        candidates = self._candidates(configurations)
        drawn = self._model.drawn_costs(candidates, 1, self._rng)[0]
        return candidates[int(self._rng.choice(np.flatnonzero(drawn <= drawn.min())))]  # often, many cost nothing

    def _best(self, configurations: Configurations) -> Configuration:
        return self._model.ranked()[0]

    def _candidates(self, configurations: Configurations) -> list[Configuration]:
        best = self._model.ranked()[:_BEST]
        near = [configurations.neighbour(one, self._rng) for one in best for _ in range(_NEIGHBOURS)]
        drawn = [configurations.draw(self._rng) for _ in range(_RANDOM)]
        return list({tuple(sorted(one.items())): one for one in [*best, *near, *drawn]}.values())


# --- schedule of a balancing study: candidates by number, and their games as orders for workers -------------------------


class CandidateSchedule(GameSchedule):
    """The games of candidates in one stream of chance seeds; also the roster of their ledger.

    Attributes:
        plan: the match-ups and seatings of a candidate.
        candidates: the specs of the candidates by number.
    """

    def __init__(self, plan: Plan, seed: int, conditions: Conditions) -> None:
        """Begin without candidates; ``seed`` decides the chance seeds of all blocks."""
        super().__init__(plan.players, seed, conditions, plan.metrics)
        self.plan = plan
        self.candidates: dict[int, str] = {}
        self.labels = plan.agents
        self._numbers: dict[str, int] = {}

    def enter(self, spec: str) -> int:
        """Return the number of a candidate, a new one where it has none."""
        if spec not in self._numbers:
            number = max(self.candidates, default=-1) + 1
            self._numbers[spec] = number
            self.candidates[number] = spec
        return self._numbers[spec]

    def keep(self, folder: Path) -> None:
        """Keep the numbers that candidates have in the ledger in ``folder``, which was begun before."""
        games, _seats = read_ledger(folder)
        known = games[["matchup", "game"]].drop_duplicates()
        for matchup, game in zip(known["matchup"].tolist(), known["game"].tolist(), strict=True):
            self.candidates[matchup // self.plan.width] = game
            self._numbers[game] = matchup // self.plan.width

    def games(self, candidate: int, blocks: range) -> list[Pairing]:
        """Return the games of whole blocks, in order."""
        return self.plan.games(candidate, blocks, self._seed)

    @property
    def fixed(self) -> dict[str, Any]:
        """The same with the game type."""
        return {**super().fixed, "game": self.plan.game}

    def planned(self, places: Ints, entries: Sequence[str], thorough: bool) -> PlannedGames:
        """Return what the games at some places must be; which candidates have played, only the ledger tells."""
        exist = np.all(places >= 0, axis=1)
        seats = [self.plan.seats(*place) if at else None for place, at in zip(places.tolist(), exist, strict=True)]
        exist &= np.array([one is not None for one in seats], dtype=bool)
        agents = np.array([one or (-1,) * self.players for one in seats], dtype=np.int64).reshape(-1, self.players)
        return PlannedGames(exist, seeds_of(self._seed, places[:, 0]), agents)

    def game_of(self, pairing: Pairing) -> str:
        """Return the spec of the candidate."""
        return self.candidates[pairing.matchup // self.plan.width]


# --- balancing as a problem for the search: the games and the cost of a candidate ---------------------------------------


#: Optuna's samplers have no greater seeds.
_SEEDS = 2**32
#: Number of the best candidates that are also considered without some of their changes.
_SIMPLIFIED = 6


@dataclass(frozen=True)
class BalanceIncumbent:
    """The best candidate by the model after so many ``games`` of the search that counted.

    Attributes:
        miss: the believed miss of all targets together (`tag.tuning.balancing.targets.misses`).
        means: the posterior means of its measures, by target.
        deviations: the standard deviations of these.
    """

    games: int
    spec: str
    miss: float
    means: dict[str, float]
    deviations: dict[str, float]

    @property
    def text(self) -> str:
        """Its measures with half the lengths of their 95 % intervals, and its spec."""
        found = ", ".join(
            f"{name} {mean:.4g} ± {HALF_WIDTH * self.deviations[name]:.2g}" for name, mean in self.means.items()
        )
        return f"{found}: {shown(self.spec)}"

    def row(self) -> dict[str, Any]:
        """Return the row of ``incumbents.parquet``: the columns of each target are named like ``mean.length``."""
        return {
            "games": self.games,
            "spec": self.spec,
            "miss": self.miss,
            **{f"mean.{name}": mean for name, mean in self.means.items()},
            **{f"deviation.{name}": deviation for name, deviation in self.deviations.items()},
        }


class BalanceProblem:
    """The search of a balancing study (`tag.tuning.search.games.Problem`).

    Attributes:
        schedule: the games of candidates.
        model: the posterior of the candidates so far.
        incumbents: the best candidates by the model, in the course of the search.
    """

    def __init__(self, definition: BalanceDefinition) -> None:
        self.configurations = definition.space.configurations
        self.games_per_trial = definition.games_per_trial
        self.bounds = (-inf, inf)
        self.schedule = CandidateSchedule(definition.plan, definition.stream(SEARCH), definition.rules.conditions())
        self.model = CandidateModel(self.configurations, definition.goals, self._far)
        self._definition = definition
        self._candidates: dict[int, Configuration] = {}
        self._printed = _PrintedRules(definition.game, tuple(self.configurations.distributions))
        self._last_game = ""
        self._last: tuple[Estimate, ...] = ()
        self._told: list[tuple[Estimate, ...]] = []
        self._games = 0
        self._next_look = 1
        self.incumbents: list[BalanceIncumbent] = []

    def study(self, name: str) -> optuna.Study:
        """Return an Optuna study with the wanted sampler and the candidates to try first."""
        definition = self._definition
        n_objectives = len(definition.goals) + 1 if definition.pareto else 1
        optuna.logging.set_verbosity(optuna.logging.WARNING)
        study = optuna.create_study(
            study_name=name,
            sampler=self._sampler(),
            pruner=optuna.pruners.NopPruner(),
            directions=["minimize"] * n_objectives,
        )
        space = definition.space
        for configuration in (space.default, *map(space.configuration, definition.enqueue)):
            study.enqueue_trial(configuration)
        return study

    def finalist(self, measured: Collection[str]) -> Configuration | None:
        """Return the best candidate that is not among those ``measured``: of the search, or without some of its changes.

        The model can also estimate candidates that were not played; the chosen one is measured afterwards.
        """
        printed = self._definition.space.default
        known = {tuple(sorted(one.items())): one for one in self.model.seen}
        for _step in self.configurations.distributions:
            for best in self.model.ranked(list(known.values()))[:_SIMPLIFIED]:
                for name in sorted(best.keys() & printed.keys()):
                    other = self.configurations.active({**best, name: printed[name]})
                    if self.configurations.is_valid(other):
                        known.setdefault(tuple(sorted(other.items())), other)
        ranked = self.model.ranked(list(known.values()))
        return next((one for one in ranked if self.spec(one) not in measured), None)

    def distance(self, configuration: Configuration) -> float:
        """Return how far a candidate is from the printed rules, from 0 to 1 over the searched parameters."""
        return self._printed.distance(self._definition.space.values(configuration))

    def begin(self, number: int, configuration: Configuration) -> tuple[int, list[list[Pairing]]]:
        """Return the candidate's number, and its games.

        Each trial has blocks of its own. A band is about values, not differences, and the luck of seeds that all trials
        share would be an error of all values that no model can see.
        """
        candidate = self.schedule.enter(self.spec(configuration))
        self._candidates[candidate] = configuration
        blocks = self._definition.games_per_trial // self._definition.plan.block_games
        return candidate, [self.schedule.games(candidate, range(number * blocks, (number + 1) * blocks))]

    def spec(self, configuration: Configuration) -> str:
        """Return the spec of a candidate."""
        return self._definition.space.spec(configuration)

    def values(self, agent: int, games: Sequence[PlayedGame]) -> Sequence[float] | None:
        """Return the cost, or that of each target and the distance from the printed rules; None where games tell nothing."""
        estimates = self._estimates(agent, games)
        costs = [goal.observed(one) for goal, one in zip(self._definition.goals, estimates, strict=True)]
        if not all(map(isfinite, costs)):
            return None
        far = self.distance(self._candidates[agent])
        return [*costs, far] if self._definition.pareto else [sum(costs) + self._definition.near_printed * far]

    def by_block(self, agent: int, games: Sequence[PlayedGame]) -> list[float]:
        """Return nothing: the errors of the measures are known, not that of their cost."""
        return []

    def prunes(self, trial: Trial) -> bool:
        """Return False: all candidates play all their games, as these inform the model about the others too."""
        return False

    def finished(self, trial: Trial, found: FinishedTrial, by_block: Sequence[float]) -> None:
        """Add the estimates of a trial to the model."""
        estimates = self._estimates(trial.agent, trial.games)
        self._told.append(estimates)
        self._games += found.games
        if found.value is not None:
            self.model.learn(found.configuration, estimates)
        if len(self._told) >= self._next_look:
            self._next_look = next_in_grid(len(self._told))
            self.look()

    def look(self) -> None:
        """Ask the model for the best candidate, if it has new estimates.

        It is asked after fixed numbers of trials, independently of the budget. So a study with more games has the same
        course up to its earlier end.
        """
        model = self.model
        if not model.seen or (self.incumbents and self.incumbents[-1].games == self._games):
            return
        best = model.ranked()[0]
        means, deviations = (found[:, 0] for found in model.posterior([best]))
        names = [goal.target.name for goal in model.goals]
        by_name = (dict(zip(names, found.tolist(), strict=True)) for found in (means, deviations))
        miss = float(misses(model.goals, means[:, None])[0])
        self.incumbents.append(BalanceIncumbent(self._games, self.spec(best), miss, *by_name))

    def frame(self, trials: list[FinishedTrial]) -> pd.DataFrame:
        """Return one row per trial, with its estimates."""
        frame = trials_frame(trials)
        for number, goal in enumerate(self._definition.goals):
            name = goal.target.name
            frame[f"measure.{name}"] = [estimates[number].value for estimates in self._told]
            frame[f"error.{name}"] = [estimates[number].error for estimates in self._told]
        return frame

    def _estimates(self, candidate: int, games: Sequence[PlayedGame]) -> tuple[Estimate, ...]:
        if games[0].pairing.game_id != self._last_game:  # each trial has games of its own
            self._last_game = games[0].pairing.game_id
            self._last = self._definition.plan.estimates(self.schedule.candidates[candidate], games)
        return self._last

    def _far(self, configuration: Configuration) -> float:
        weight = self._definition.near_printed
        return weight * self.distance(configuration) if weight else 0.0

    def _sampler(self) -> BaseSampler:
        definition = self._definition
        seed = definition.stream("sampler") % _SEEDS
        if definition.sampler == BANDS:
            return BandSampler(self.configurations, seed, self.model)
        games, per_trial = definition.budgets[0], definition.games_per_trial
        return make_sampler(definition.sampler, self.configurations, games, seed, per_trial).sampler


class _PrintedRules:
    """The printed rules, with which candidates are compared without making a game."""

    def __init__(self, game: str, searched: tuple[str, ...]) -> None:
        parameters = make_game(game).parameters
        self._class = type(parameters)
        self._searched = searched
        tunable = [one.name for one in parameters.dimensions() if whole_range(one) is not None]
        self._fixed = {name: getattr(parameters, name) for name in tunable}
        self._known: dict[tuple[tuple[str, Value], ...], float] = {}

    def distance(self, values: Mapping[str, Value]) -> float:
        """Return the distance of a game with these searched values from the printed rules, from 0 to 1."""
        key = tuple(values.items())
        if key not in self._known:
            self._known[key] = rules_distance(self._class, {**self._fixed, **values}, self._searched).value
        return self._known[key]
