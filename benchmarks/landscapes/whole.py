"""Whole searches on landscapes: those of `tag tune` with its racing, its model and its recommendation before games check it.

The search is `tag.tuning.search.search.Search` itself, and trials are what `tag.tuning.agent.problem.TuningSearch` makes of
a game for two against one opponent. Only the games are made up.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import optuna

from benchmarks.landscapes.landscape import BLOCK_GAMES, Landscape
from tag.tuning.agent.problem import FEWEST_COMMON
from tag.tuning.samplers import make_sampler
from tag.tuning.search.gains import LOST_BEFORE_GAMES
from tag.tuning.search.incumbents import IncumbentModel
from tag.tuning.search.race import rungs
from tag.tuning.search.search import Search
from tag.tuning.search.trials import FinishedTrial, Trial
from tag.tuning.space.configurations import Configuration
from tag.tuning.study.options import live_of


class MadeUpGame(NamedTuple):
    """A game of an agent, by its place among all games of all blocks, with its value once it is played."""

    agent: int
    place: int
    value: float = 0.0
    record: Any = SimpleNamespace(void=False)


class LandscapeSpace:
    """The space of a landscape, in which specs are configurations as JSON."""

    def __init__(self, landscape: Landscape) -> None:
        self.configurations = landscape.configurations
        rng = np.random.default_rng(0)
        self.nearest = {**landscape.configurations.draw(rng), **landscape.default}
        while len(self.nearest) < len(self.configurations.distributions):
            self.nearest = {**landscape.configurations.draw(rng), **self.nearest}

    def spec(self, configuration: Mapping[str, Any]) -> str:
        """Return the text of a configuration."""
        return json.dumps(dict(sorted(configuration.items())))

    def configuration(self, spec: str) -> Configuration:
        """Return the configuration of a text."""
        found: Configuration = json.loads(spec)
        return found


class LandscapeProblem:
    """A search on a landscape (`tag.tuning.search.search.SearchProblem`); also the queue of its games."""

    model: IncumbentModel
    unasked = 0

    def __init__(self, landscape: Landscape, games_per_trial: int) -> None:
        self.configurations = landscape.configurations
        self.games_per_trial = games_per_trial
        self.bounds = (0.0, 1.0)
        self.space = LandscapeSpace(landscape)
        self._landscape = landscape
        self._agents: dict[str, int] = {}
        self._blocks: dict[int, int] = {}
        self.specs: list[str] = []

    def begin(self, number: int, configuration: Configuration) -> tuple[int, list[list[Any]]]:
        """Return the agent's number and the games of a trial, rung by rung."""
        spec = self.spec(configuration)
        agent = self._agents.setdefault(spec, len(self._agents))
        self.specs = list(self._agents)
        per_trial = self.games_per_trial
        if per_trial < BLOCK_GAMES:
            return agent, [[MadeUpGame(agent, number)]]
        rounds = per_trial // BLOCK_GAMES
        begin = max(self._blocks.get(agent, 0), 0 if rounds >= FEWEST_COMMON else number * rounds)
        self._blocks[agent] = begin + rounds
        ends = rungs(per_trial, BLOCK_GAMES)
        return agent, [
            [MadeUpGame(agent, place) for place in range(BLOCK_GAMES * (begin + low), BLOCK_GAMES * (begin + high))]
            for low, high in zip((0, *ends), ends, strict=False)
        ]

    def check(self) -> None:
        """Go on."""

    def ask(self, games: Sequence[Any]) -> None:
        """Wait until they are taken."""

    def take(self, games: Sequence[Any]) -> list[Any]:
        """Play games of one agent."""
        agent, places = games[0].agent, [game.place for game in games]
        values = self._landscape.games_at(self.space.configuration(self.specs[agent]), places)
        return [MadeUpGame(agent, place, value) for place, value in zip(places, values.tolist(), strict=True)]

    def spec(self, configuration: Configuration) -> str:
        """Return the spec of a configuration."""
        return self.space.spec(configuration)

    def values(self, agent: int, games: Sequence[Any]) -> Sequence[float]:
        """Return the mean value."""
        return [float(np.mean([game.value for game in games]))]

    def by_block(self, agent: int, games: Sequence[Any]) -> list[float]:
        """Return the mean value of each block."""
        blocks: dict[int, list[float]] = {}
        for game in games:
            blocks.setdefault(game.place // BLOCK_GAMES, []).append(game.value)
        return [float(np.mean(blocks[block])) for block in sorted(blocks)]

    def prunes(self, trial: Trial) -> bool:
        """Ask the model."""
        return self.model.prunes(self.by_block(trial.agent, trial.games))

    def finished(self, trial: Trial, found: FinishedTrial, by_block: Sequence[float]) -> None:
        """Pass the trial to the model."""
        games: Sequence[Any] = trial.games
        self.model.learn(found, by_block, sorted({game.place // BLOCK_GAMES for game in games}))

    def look(self) -> None:
        """Note the incumbent, without changes that are believed to gain nothing."""
        self.model.look()
        if self.model.incumbents:
            self.model.revert(LOST_BEFORE_GAMES)


@dataclass(frozen=True)
class SearchResult:
    """What a whole search found: its regret in points, and how many of its trials were pruned."""

    regret: float
    trials: int
    pruned: int
    games: int


def searched(
    name: str, games: int, landscape: Landscape, seed: int, live: int | None = None, per_trial: int | None = None
) -> SearchResult:
    """Return the result of a search with a sampler; ``live`` trials are in play at once, as many as usual by default."""
    choice = make_sampler(name, landscape.configurations, games, seed)
    per_trial = per_trial or choice.games_per_trial
    per_trial = per_trial if per_trial < BLOCK_GAMES else per_trial // BLOCK_GAMES * BLOCK_GAMES
    sampler = make_sampler(name, landscape.configurations, games, seed, per_trial).sampler
    study = optuna.create_study(direction="maximize", sampler=sampler, pruner=optuna.pruners.NopPruner())
    problem: Any = LandscapeProblem(landscape, per_trial)
    study.enqueue_trial(landscape.default)
    problem.model = IncumbentModel(problem.space, study, [games], problem.bounds)
    search = Search(problem, study, problem, [games], live_of(live, games // per_trial))
    search.run()
    best = problem.space.configuration(problem.model.incumbents[-1].spec)
    return SearchResult(100.0 * landscape.regret(best), len(search.trials), search.dropped, search.games)
