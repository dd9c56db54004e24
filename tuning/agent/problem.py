"""Tuning as a problem for the search: opponents, values, and pruning of a configuration."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from math import ceil
from typing import Final

from optuna.study import StudyDirection

from tag.tournaments.designs.games import Pairing
from tag.tournaments.ledger.rows import PlayedGame
from tag.tuning.agent.across import GainOverGames, objectives_of
from tag.tuning.agent.definition import StudyDefinition
from tag.tuning.agent.objectives import Objective
from tag.tuning.agent.schedule import StudySchedule
from tag.tuning.search.gains import LOST_BEFORE_GAMES, LOST_WITHOUT_GAMES
from tag.tuning.search.incumbents import IncumbentModel
from tag.tuning.search.race import Race, rungs
from tag.tuning.search.trials import FinishedTrial, Trial
from tag.tuning.space.configurations import Configuration

#: Trials of fewer rounds have chance seeds of their own: in a few deals, all configurations that these deals suit would
#: look strong.
FEWEST_COMMON: Final = 10
#: The value of a rate (`tag.tuning.agent.objectives.RATES`) where all games are lost.
_LOST: Final = 0.0


class TuningSearch:
    """The search of a tuning study against some opponents (`tag.tuning.search.search.SearchProblem`).

    Attributes:
        schedule: the games of agents.
        model: the model of the configurations, once there is a study.
        gains: in several games, the gains of each configuration in the blocks of each, by its spec.
    """

    model: IncumbentModel

    def __init__(self, definition: StudyDefinition, schedule: StudySchedule) -> None:
        self.configurations = definition.space.configurations
        self.games_per_trial = definition.games_per_trial
        self.schedule = schedule
        self._definition = definition
        self._objectives = objectives_of(definition, schedule)
        self.bounds = definition.bounds
        self._speed = Objective("decision_ms", schedule)
        self._blocks: dict[int, int] = {}
        self.gains: dict[str, list[list[float]]] = {}

    @property
    def directions(self) -> list[StudyDirection]:
        """Directions of the objectives."""
        return [StudyDirection[objective.direction.upper()] for objective in self._objectives]

    def begin(self, number: int, configuration: Configuration) -> tuple[int, list[list[Pairing]]]:
        """Return the agent's number in the ledger, and the games of trial ``number``, rung by rung.

        All configurations begin with the same blocks, unless these are few; one that is tried again goes on with new
        ones.
        """
        agent = self.schedule.enter(self.spec(configuration))
        per_trial, round_games = self._definition.games_per_trial, self._definition.round_games
        if per_trial < round_games:
            return agent, [self.schedule.some_games(agent, range(number * per_trial, (number + 1) * per_trial))]
        rounds, seeds = per_trial // round_games, self._definition.round_seeds
        begin = max(self._blocks.get(agent, 0), 0 if rounds * seeds >= FEWEST_COMMON else number * rounds)
        self._blocks[agent] = begin + rounds
        ends = (
            rungs(per_trial, round_games, least=self._definition.least_rounds) if self._definition.prunes else (rounds,)
        )
        blocks = self.schedule.round_blocks
        return agent, [
            self.schedule.games(agent, range((begin + low) * blocks, (begin + high) * blocks))
            for low, high in zip((0, *ends), ends, strict=False)
        ]

    def skip(self, spec: str, games: int) -> None:
        """Skip the first games of an agent, which it has played before."""
        self._blocks[self.schedule.enter(spec)] = ceil(games / self._definition.round_games)

    def spec(self, configuration: Configuration) -> str:
        """Return the spec that a configuration stands for."""
        return self._definition.space.spec(configuration)

    def values(self, agent: int, games: Sequence[PlayedGame]) -> Sequence[float] | None:
        """Return the value of each objective; None where no game counts."""
        values = [objective.value(games, agent) for objective in self._objectives]
        found = [value for value in values if value is not None]
        if len(found) < len(values):
            return None
        return [_LOST, *found[1:]] if self._is_too_slow(agent, games) else found

    def by_block(self, agent: int, games: Sequence[PlayedGame]) -> list[float]:
        """Return the value of the first objective in the games of each chance seed."""
        return self._objectives[0].by_block(games, agent)

    def prunes(self, trial: Trial) -> bool:
        """Say whether a trial falls behind, or the study's pruner drops it; of several objectives, none does."""
        if len(self._objectives) > 1:
            return False
        if self._definition.pruner:
            return self._is_pruned(trial)
        return self.model.prunes(self.by_block(trial.agent, trial.games))

    def finished(self, trial: Trial, found: FinishedTrial, by_block: Sequence[float]) -> None:
        """Pass the trial to the model."""
        for objective in self._objectives:
            if isinstance(objective, GainOverGames) and found.values:
                gains = objective.gains(trial.games, trial.agent)
                known = self.gains.setdefault(found.spec, [[] for _event in gains])
                for event, new in gains.items():
                    known[event] += [gain for _seed, gain in new]
        seeds = sorted({self.schedule.chance_of(game.pairing.block) for game in trial.games if not game.record.void})
        self.model.learn(found, by_block, seeds)

    def look(self) -> None:
        """Have the model note the incumbent at the end of a budget, without changes that are believed to gain nothing."""
        self.model.look()
        if self.model.incumbents:
            will_compare = self._definition.reversion_games and self._definition.games_to_compare
            self.model.revert(LOST_BEFORE_GAMES if will_compare else LOST_WITHOUT_GAMES)

    def _is_pruned(self, trial: Trial) -> bool:
        """Report the value after a rung, its step being the games so far, and ask the pruner of the study."""
        values = self.values(trial.agent, trial.games)
        if values is None:
            return False
        trial.optunas.report(values[0], step=len(trial.games))
        trial.is_reported = True
        return bool(trial.optunas.should_prune())

    def _is_too_slow(self, agent: int, games: Sequence[PlayedGame]) -> bool:
        limit = self._definition.decision_ms_limit
        return limit > 0.0 and (self._speed.value(games, agent) or 0.0) > limit


def why_none_is_pruned(definition: StudyDefinition) -> str:
    """Return why no trial of a study can be pruned, as a clause; empty if trials can be."""
    if not definition.race:
        return "every trial has all of its games, as was asked for"
    if not definition.prunes:
        return "few seeds make the worst of several games look too bad"
    if len(definition.objectives) > 1:
        return "of several objectives, none shows that a trial is behind"
    block = definition.round_games
    least = next(games for games in count(block, block) if _is_judged_early(games, definition))
    judged = _is_judged_early(definition.games_per_trial, definition)
    return "" if judged else f"that takes trials of {least:,} games or more"


def _is_judged_early(games: int, definition: StudyDefinition) -> bool:
    """Say whether a trial of so many games is judged before its end, after enough blocks."""
    ends = rungs(games, definition.round_games, least=definition.least_rounds)[:-1]
    return any(rounds * definition.round_seeds >= Race().fewest_blocks for rounds in ends)
