"""Balancing as a problem for the search: the games and the cost of a candidate."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import inf, isfinite
from pathlib import Path

import optuna
import pandas as pd
from optuna.samplers import BaseSampler, NSGAIISampler

from tag.catalogue.registry import make_game
from tag.engine.parameters import Value
from tag.orders import Conditions, GameOrder
from tournaments.designs.schedule import Pairing
from tournaments.ledger.games import read_ledger
from tournaments.ledger.rows import PlayedGame
from tuning.balancing.definition import BANDS, SEARCH, BalanceDefinition, Plan
from tuning.balancing.estimates import Estimate
from tuning.balancing.measures import rules_distance
from tuning.balancing.model import BandSampler, CandidateModel
from tuning.samplers.by_name import make_sampler
from tuning.search.trials import FinishedTrial, Trial, trials_frame
from tuning.space.ranges import whole_range
from tuning.space.space import Configuration

# --- schedule of a balancing study: candidates by number, and their games as orders for workers -------------------------


class CandidateSchedule:
    """The games of candidates in one stream of chance seeds; also the roster of their ledger.

    Attributes:
        plan: the match-ups and seatings of a candidate.
        candidates: the specs of the candidates by number.
        labels: the specs of the agents by number.
        record_actions: no ledger of a study keeps actions.
    """

    record_actions = False

    def __init__(self, plan: Plan, seed: int, conditions: Conditions) -> None:
        """Begin without candidates; ``seed`` decides the chance seeds of all blocks."""
        self.plan = plan
        self.candidates: dict[int, str] = {}
        self.labels = plan.agents
        self._numbers: dict[str, int] = {}
        self._seed = seed
        self._conditions = conditions

    @property
    def entries(self) -> Sequence[str]:
        """The agents by number, as `tournaments.ledger.games.Roster` asks for them."""
        return self.labels

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

    def order(self, pairing: Pairing) -> GameOrder:
        """Return a game as an order that any worker can play."""
        agents = tuple(self.labels[agent] for agent in pairing.agents)
        metrics = self.plan.metrics
        return GameOrder(pairing.game_id, self.game_of(pairing), agents, pairing.seed, self._conditions, metrics)

    def game_of(self, pairing: Pairing) -> str:
        """Return the spec of the candidate."""
        return self.candidates[pairing.matchup // self.plan.width]


# --- balancing as a problem for the search: the games and the cost of a candidate ---------------------------------------


#: A generation of NSGA-II is a share of all trials, and has at least so many.
_GENERATIONS = 10
_SMALLEST_GENERATION = 8
#: Optuna's samplers have no greater seeds.
_SEEDS = 2**32
#: Number of the best candidates that are also considered without some of their changes.
_BEST = 6


class BalanceProblem:
    """The search of a balancing study.

    Attributes:
        configurations: of the search space.
        games_per_trial: how many games a trial has at most.
        bounds: of the cost, none.
        schedule: the games of candidates.
        model: the posterior of the candidates so far.
    """

    def __init__(self, definition: BalanceDefinition) -> None:
        """Begin with nothing known."""
        self.configurations = definition.space.configurations
        self.games_per_trial = definition.games_per_trial
        self.bounds = (-inf, inf)
        self.schedule = CandidateSchedule(definition.plan, definition.stream(SEARCH), definition.rules.conditions())
        self.model = CandidateModel(self.configurations, definition.goals, self._far)
        self._definition = definition
        self._candidates: dict[int, Configuration] = {}
        self._printed = _PrintedRules(definition.game, tuple(self.configurations.distributions))
        self._blocks: dict[int, int] = {}
        self._last_game = ""
        self._last: tuple[Estimate, ...] = ()
        self._told: list[tuple[Estimate, ...]] = []

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
            for best in self.model.ranked(list(known.values()))[:_BEST]:
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
        """Return the candidate's number, and its games; one that is tried again goes on with new blocks."""
        candidate = self.schedule.enter(self.spec(configuration))
        self._candidates[candidate] = configuration
        begin = self._blocks.get(candidate, 0)
        self._blocks[candidate] = begin + self._definition.games_per_trial // self._definition.plan.block_games
        return candidate, [self.schedule.games(candidate, range(begin, self._blocks[candidate]))]

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
        if found.value is not None:
            self.model.learn(found.configuration, estimates)

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
        if definition.sampler == "nsgaii":
            trials = definition.games // definition.games_per_trial
            return NSGAIISampler(population_size=max(trials // _GENERATIONS, _SMALLEST_GENERATION), seed=seed)
        return make_sampler(definition.sampler, self.configurations, definition.games, seed).sampler


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
