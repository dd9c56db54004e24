"""Balancing as a problem for the search: the games and the cost of a candidate."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import inf, isfinite
from pathlib import Path
from typing import Any

import numpy as np
import optuna
import pandas as pd
from optuna.samplers import BaseSampler

from tag.catalogue.registry import make_game
from tag.engine.parameters import Value
from tag.orders import Conditions
from tag.tournaments.designs.games import Pairing, PlannedGames
from tag.tournaments.designs.schedule import seeds_of
from tag.tournaments.ledger.games import read_ledger
from tag.tournaments.ledger.rows import PlayedGame
from tag.tournaments.results.curves import next_in_grid
from tag.tournaments.statistics.intervals import HALF_WIDTH, Ints
from tag.tuning.balancing.definition import BANDS, SEARCH, BalanceDefinition
from tag.tuning.balancing.estimation import Estimate
from tag.tuning.balancing.front import FrontSampler
from tag.tuning.balancing.measures import rules_distance
from tag.tuning.balancing.model import BandSampler, CandidateModel
from tag.tuning.balancing.plan import Plan
from tag.tuning.balancing.targets import misses
from tag.tuning.samplers import make_sampler
from tag.tuning.search.trials import FinishedTrial, Trial, trials_frame
from tag.tuning.space.configurations import Configuration, key_of
from tag.tuning.space.ranges import shown, whole_range
from tag.tuning.study.schedule import GameSchedule


class CandidateSchedule(GameSchedule):
    """The games of candidates in one stream of chance seeds; also the roster of their ledger.

    Attributes:
        plan: the match-ups and seatings of a candidate.
        candidates: the specs of the candidates by number.
    """

    def __init__(self, plan: Plan, seed: int, conditions: Conditions, opening: str = "") -> None:
        """Begin without candidates; ``seed`` decides the chance seeds of all blocks."""
        super().__init__(plan.players, seed, conditions, plan.metrics, opening)
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


def schedule_of(definition: BalanceDefinition, plan: Plan, seed: int) -> CandidateSchedule:
    """Return the schedule of games of a study by this ``plan``, with the chance seeds of a stream."""
    return CandidateSchedule(plan, seed, definition.rules.conditions(), definition.opening)


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


class BalanceSearch:
    """The search of a balancing study (`tag.tuning.search.search.SearchProblem`).

    Attributes:
        schedule: the games of candidates.
        model: the posterior of the candidates so far.
        incumbents: the best candidates by the model, in the course of the search.
    """

    def __init__(self, definition: BalanceDefinition) -> None:
        self.configurations = definition.space.configurations
        self.games_per_trial = definition.games_per_trial
        self.bounds = (-inf, inf)
        self.schedule = schedule_of(definition, definition.plan, definition.stream(SEARCH))
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
        known = {key_of(one): one for one in self.model.seen}
        for _step in self.configurations.distributions:
            for best in self.model.ranked(list(known.values()))[:_SIMPLIFIED]:
                for name in sorted(best.keys() & printed.keys()):
                    other = self.configurations.active({**best, name: printed[name]})
                    if self.configurations.is_valid(other):
                        known.setdefault(key_of(other), other)
        ranked = self.model.ranked(list(known.values()))
        return next((one for one in ranked if self.spec(one) not in measured), None)

    def distance(self, configuration: Configuration) -> float:
        """Return how far a candidate is from the default rules, from 0 to 1 over the searched parameters."""
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
        """Return the cost, or that of each target and the distance from the default rules; None where games tell nothing."""
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
        if definition.sampler == BANDS and definition.pareto:
            return FrontSampler(self.configurations, seed, self.model, self.distance)
        if definition.sampler == BANDS:
            return BandSampler(self.configurations, seed, self.model)
        games, per_trial = definition.budgets[0], definition.games_per_trial
        return make_sampler(definition.sampler, self.configurations, games, seed, per_trial).sampler


class _PrintedRules:
    """The default rules, with which candidates are compared without making a game."""

    def __init__(self, game: str, searched: tuple[str, ...]) -> None:
        parameters = make_game(game).parameters
        self._class = type(parameters)
        self._searched = searched
        tunable = [one.name for one in parameters.dimensions() if whole_range(one) is not None]
        self._fixed = {name: getattr(parameters, name) for name in tunable}
        self._known: dict[tuple[tuple[str, Value], ...], float] = {}

    def distance(self, values: Mapping[str, Value]) -> float:
        """Return the distance of a game with these searched values from the default rules, from 0 to 1."""
        key = tuple(values.items())
        if key not in self._known:
            self._known[key] = rules_distance(self._class, {**self._fixed, **values}, self._searched).value
        return self._known[key]
