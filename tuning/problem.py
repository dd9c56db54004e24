"""Tuning as a problem for the search: who a configuration plays, what its games are worth, whether it falls behind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import variance
from typing import Final

import optuna
import pandas as pd

from tournaments import Pairing, PlayedGame
from tuning.configurations import Configuration
from tuning.definition import SEARCH, StudyDefinition
from tuning.objectives import Objective
from tuning.racing import Belief, Race, rungs
from tuning.samplers import BgpSampler, ModelSampler, SamplerChoice
from tuning.tables import Tables
from tuning.trials import FinishedTrial, Trial, standard_error

#: The model is asked for a recommendation so often in a study, for the curve and the next reference.
_LOOKS: Final = 50


@dataclass(frozen=True)
class Incumbent:
    """What the model recommends at some time.

    Attributes:
        games: how many games the search had played.
        spec: of the configuration.
        value: what the model takes the objective to be, luck aside.
        deviation: the standard deviation of that.
        pessimistic: the greatest lower end of a 95 % interval among the configurations that were tried; the nearer to the
            value, the more the search has converged.
    """

    games: int
    spec: str
    value: float
    deviation: float
    pessimistic: float


class TuningProblem:
    """The search of a tuning study.

    Attributes:
        configurations: of the search space.
        tables: who plays what.
        incumbents: what was recommended, in the course of the search.
    """

    def __init__(self, definition: StudyDefinition, choice: SamplerChoice) -> None:
        """Begin with nothing known; ``choice`` is the sampler that the study has."""
        self.configurations = definition.space.configurations
        self.tables = tables_of(definition, SEARCH)
        self.incumbents: list[Incumbent] = []
        self._definition = definition
        self._objective = objective_of(definition, self.tables)
        self._sampler = choice.sampler
        self._model = choice.sampler if isinstance(choice.sampler, BgpSampler) else BgpSampler(self.configurations)
        self._race = Race()
        self._reference: Belief | None = None
        self._squares = 0.0  # of the blocks about the mean of their trial, and how many are free
        self._freedom = 0
        self._agents: dict[str, int] = {}
        self._blocks: dict[int, int] = {}
        self._games = 0
        self._next_look = 0.0

    @property
    def direction(self) -> optuna.study.StudyDirection:
        """Where the objective goes."""
        return optuna.study.StudyDirection[self._objective.direction.upper()]

    def first(self) -> list[Configuration]:
        """Return the configurations that are tried first: the default, and those that somebody asked for."""
        space = self._definition.space
        return [space.default, *(space.configuration(spec) for spec in self._definition.enqueue)]

    def begin(self, number: int, configuration: Configuration) -> tuple[int, list[list[Pairing]]]:
        """Return the agent's number in the ledger, and the games of trial ``number``, rung by rung.

        A configuration that is tried again goes on with new blocks.
        """
        spec = self.spec(configuration)
        if spec not in self._agents:
            self._agents[spec] = self.tables.enter(spec)
        agent = self._agents[spec]
        per_trial, panel = self._definition.games_per_trial, max(len(self._definition.versus), 1)
        seatings = self.tables.seatings
        if per_trial < seatings * panel:
            return agent, [self.tables.some_games(agent, range(number * per_trial, (number + 1) * per_trial))]
        rounds = per_trial // (seatings * panel)
        begin = self._blocks.get(agent, 0)
        self._blocks[agent] = begin + rounds
        ends = rungs(per_trial, seatings * panel) if self._definition.race else (rounds,)
        return agent, [
            self.tables.games(agent, range((begin + low) * panel, (begin + high) * panel))
            for low, high in zip((0, *ends), ends, strict=False)
        ]

    def spec(self, configuration: Configuration) -> str:
        """Return the spec that a configuration stands for."""
        return self._definition.space.spec(configuration)

    def values(self, agent: int, games: Sequence[PlayedGame]) -> Sequence[float] | None:
        """Return the value of the objective; None where no game counts."""
        value = self._objective.value(games, agent)
        return None if value is None else (value,)

    def error(self, agent: int, games: Sequence[PlayedGame]) -> float | None:
        """Return the standard error of the value, from blocks."""
        return standard_error(self._objective.by_block(games, agent))

    def drops(self, trial: Trial) -> bool:
        """Say whether a trial is behind what the model recommends, with the race's confidence."""
        if self._reference is None or not self._freedom:
            return False
        sign = self._objective.sign
        values = [sign * value for value in self._objective.by_block(trial.games, trial.agent)]
        return self._race.drops(values, self._reference, sqrt(self._squares / self._freedom))

    def finished(self, trial: Trial, found: FinishedTrial, study: optuna.Study) -> None:
        """Take note of a trial that has been told to ``study``, and of what was found."""
        self._games += found.games
        values = self._objective.by_block(trial.games, trial.agent)
        if len(values) > 1:
            self._squares += variance(values) * (len(values) - 1)
            self._freedom += len(values) - 1
        if found.value is None or self._games < self._next_look:
            return
        self._next_look = self._games + self._definition.games / _LOOKS
        self.look(study)

    def look(self, study: optuna.Study) -> Configuration:
        """Return what is recommended by now: by the sampler's own model where it has one."""
        chooser = self._sampler if isinstance(self._sampler, ModelSampler) else self._model
        found = chooser.recommend(study)
        self._model.recommend(study)  # learn what has been told since
        tried = [trial.params for trial in study.get_trials(deepcopy=False) if trial.value is not None]
        tried = [self.configurations.active(values) for values in tried]
        means, deviations = self._model.posterior([found, *tried])
        sign = self._objective.sign
        self._reference = Belief(float(means[0]), float(deviations[0]))
        lower = means[1:] - 1.96 * deviations[1:]
        self.incumbents.append(
            Incumbent(
                self._games,
                self.spec(found),
                sign * float(means[0]),
                float(deviations[0]),
                sign * float(lower.max()),
            )
        )
        return found


def tables_of(definition: StudyDefinition, stream: str, opponents: Sequence[str] | None = None) -> Tables:
    """Return the tables of a study at which the ``opponents`` sit, those of the search by default."""
    return Tables(
        definition.game,
        definition.players,
        definition.versus if opponents is None else opponents,
        definition.stream(stream),
        definition.rules.conditions(),
        definition.metrics,
    )


def objective_of(definition: StudyDefinition, tables: Tables) -> Objective:
    """Return the objective of a study for the games at some of its tables."""
    return Objective(definition.objective, tables, definition.panel, max(tables.opponents, 1))


def incumbents_frame(incumbents: Sequence[Incumbent]) -> pd.DataFrame:
    """Return one row per recommendation, in the order of games."""
    return pd.DataFrame([vars(one) for one in incumbents], columns=list(Incumbent.__dataclass_fields__))
