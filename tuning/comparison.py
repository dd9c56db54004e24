"""Comparing what is recommended with the default, on seeds that the search has not seen: is it better, by how much?"""

from __future__ import annotations

from collections import deque
from dataclasses import asdict, dataclass
from math import inf, nan
from typing import Any

import numpy as np

from tag.errors import DataError
from tournaments import Pairing, PlayedGame
from tournaments.intervals import ClusteredMean
from tuning.definition import StudyDefinition
from tuning.objectives import Objective
from tuning.player import Player
from tuning.tables import Tables
from tuning.validation import Validation, ValidationResult


@dataclass(frozen=True)
class Side:
    """How one agent did.

    Attributes:
        spec: the agent.
        games: those that count.
        value: of the objective.
        low: the lower end of its 95 % interval, from blocks.
        high: the upper end.
    """

    spec: str
    games: int
    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Comparison:
    """What is recommended and the default, block by block on the same seeds.

    Attributes:
        recommended: how the recommendation did.
        default: how the default did.
        result: what the sequential test says of the difference, more being better.
        seed: of the stream that decides the games.
    """

    recommended: Side
    default: Side
    result: ValidationResult
    seed: int

    def to_json(self) -> dict[str, Any]:
        """Return all of it as plain values."""
        return asdict(self)


def compare(definition: StudyDefinition, stream: str, tables: Tables, player: Player, spec: str) -> Comparison:
    """Play the agent ``spec`` and the default on the blocks of a stream until the test is decided or the games are spent.

    Raises:
        StudyInterruptedError: somebody wants it to stop.
    """
    return _Duel(definition, tables, player, spec).run(definition.stream(stream))


class _Duel:
    """Both sides, a few blocks ahead of the test."""

    def __init__(self, definition: StudyDefinition, tables: Tables, player: Player, spec: str) -> None:
        self._tables = tables
        self._player = player
        self._objective = Objective(definition.objectives[0], tables, definition.panel, max(tables.opponents, 1))
        self._agents = (tables.enter(spec), tables.enter(definition.default))
        self._panel = max(tables.opponents, 1)
        self._round = self._panel * tables.seatings
        self._n_blocks = definition.validation // self._round
        self._ahead = definition.live
        self._games: tuple[list[PlayedGame], list[PlayedGame]] = ([], [])

    def run(self, seed: int) -> Comparison:
        test = Validation(self._n_blocks, self._round, most=1.0 if self._objective.is_rate else inf)
        line: deque[tuple[list[Pairing], list[Pairing]]] = deque()
        asked = 0
        while test.decision is None:
            while asked < self._n_blocks and len(line) < self._ahead:
                line.append(self._ask(asked))
                asked += 1
            if not line:
                break
            difference = self._take(line.popleft())
            if difference is not None:
                test.add(difference)
        if not test.blocks:
            raise DataError("no game of the validation counts: all are void; see what went wrong in its ledger")
        sides = [self._side(number) for number in range(2)]
        return Comparison(sides[0], sides[1], test.result(), seed)

    def _ask(self, number: int) -> tuple[list[Pairing], list[Pairing]]:
        """Ask for the games of one chance seed, against all opponents."""
        blocks = range(number * self._panel, (number + 1) * self._panel)
        recommended, default = (self._tables.games(agent, blocks) for agent in self._agents)
        self._player.ask(recommended + default)
        return recommended, default

    def _take(self, games: tuple[list[Pairing], list[Pairing]]) -> float | None:
        """Return by how much the recommendation was better; None where a side has no game that counts."""
        values = []
        for number in range(2):
            played = self._player.take(games[number])
            self._games[number].extend(played)
            values.append(self._objective.value(played, self._agents[number]))
        better, worse = values
        return None if better is None or worse is None else self._objective.sign * (better - worse)

    def _side(self, number: int) -> Side:
        games, agent = self._games[number], self._agents[number]
        counted = sum(not game.record.void for game in games)
        value = self._objective.value(games, agent)
        values = np.array(self._objective.by_block(games, agent))
        mean = ClusteredMean.of(values, np.ones(len(values)))
        low, high = mean.proportion_interval() if self._objective.is_rate else mean.interval(-inf, inf)
        return Side(self._tables.labels[agent], counted, nan if value is None else value, low, high)
