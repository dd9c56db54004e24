"""Tuning as a problem for the search: who a configuration plays, what its games are worth, whether it falls behind."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import Final

from optuna.study import StudyDirection

from tournaments import Pairing, PlayedGame
from tuning.configurations import Configuration
from tuning.definition import StudyDefinition
from tuning.judge import Judge
from tuning.objectives import Objective, bounds_of
from tuning.racing import rungs
from tuning.tables import Tables
from tuning.trials import FinishedTrial, Trial

#: Trials of fewer rounds have chance seeds of their own: few deals are not all deals, and luck in them would be taken for
#: strength by every configuration that they suit.
_FEWEST_COMMON: Final = 10
#: The value of a rate (`tuning.objectives.RATES`) where all games are lost.
_LOST: Final = 0.0


class TuningProblem:
    """The search of a tuning study against some opponents.

    Attributes:
        configurations: of the search space.
        games_per_trial: how many games a trial has at most.
        bounds: the least and the greatest value of the first objective.
        tables: who plays what.
        judge: what is believed of the configurations, once there is a study.
    """

    judge: Judge

    def __init__(self, definition: StudyDefinition, tables: Tables) -> None:
        """Begin with nothing played; opponents sit at the ``tables``."""
        self.configurations = definition.space.configurations
        self.games_per_trial = definition.games_per_trial
        self.tables = tables
        self._definition = definition
        self._objectives = [
            Objective(name, tables, definition.panel, max(tables.opponents, 1)) for name in definition.objectives
        ]
        self.bounds = bounds_of(definition.objectives[0])
        self._speed = Objective("decision_ms", tables)
        self._blocks: dict[int, int] = {}

    @property
    def directions(self) -> list[StudyDirection]:
        """Where the objectives go."""
        return [StudyDirection[objective.direction.upper()] for objective in self._objectives]

    def begin(self, number: int, configuration: Configuration) -> tuple[int, list[list[Pairing]]]:
        """Return the agent's number in the ledger, and the games of trial ``number``, rung by rung.

        All configurations begin with the same blocks, unless these are few; one that is tried again goes on with new ones.
        """
        agent = self.tables.enter(self.spec(configuration))
        per_trial, round_games = self._definition.games_per_trial, self._round_games
        if per_trial < round_games:
            return agent, [self.tables.some_games(agent, range(number * per_trial, (number + 1) * per_trial))]
        rounds = per_trial // round_games
        begin = max(self._blocks.get(agent, 0), 0 if rounds >= _FEWEST_COMMON else number * rounds)
        self._blocks[agent] = begin + rounds
        ends = rungs(per_trial, round_games) if self._definition.race else (rounds,)
        panel = max(self.tables.opponents, 1)
        return agent, [
            self.tables.games(agent, range((begin + low) * panel, (begin + high) * panel))
            for low, high in zip((0, *ends), ends, strict=False)
        ]

    def skip(self, spec: str, games: int) -> None:
        """Take note that an agent has played so many games before, so that it goes on with others."""
        self._blocks[self.tables.enter(spec)] = ceil(games / self._round_games)

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

    def drops(self, trial: Trial) -> bool:
        """Say whether a trial falls behind, or the study's pruner drops it; of several objectives, none does."""
        if len(self._objectives) > 1:
            return False
        if self._definition.pruner:
            return self._is_pruned(trial)
        by_block = self.by_block(trial.agent, trial.games)
        return self.judge.drops(by_block, self._objectives[0].value(trial.games, trial.agent))

    def finished(self, trial: Trial, found: FinishedTrial, by_block: Sequence[float]) -> None:
        """Tell the judge."""
        self.judge.learn(found, by_block)

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

    @property
    def _round_games(self) -> int:
        """How many games there are with one chance seed, against all opponents in all seats."""
        return self.tables.seatings * max(self.tables.opponents, 1)


def tables_of(definition: StudyDefinition, stream: str, opponents: Sequence[str]) -> Tables:
    """Return the tables of a study at which the ``opponents`` sit, with the seeds of a stream."""
    return Tables(
        definition.game,
        definition.players,
        opponents,
        definition.stream(stream),
        definition.rules.conditions(),
        definition.metrics,
    )
