"""Games that show which changes of a recommendation gain nothing.

Two agents that decide alike play the same game from the same seed, as their random numbers depend on the seat alone. So
a parameter without effect, such as a depth that no game reaches, is found exactly, by a few games with and without it. One
that matters changes the first game or one of the next.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import nan

import numpy as np
from tag.tuning.agent.definition import REVERSION_BLOCKS
from tag.tuning.agent.objectives import Objective
from tag.tuning.agent.schedule import StudySchedule

from tag.orders import GameRecord
from tag.tuning.search.gains import Floats
from tag.tuning.study.queue import GameQueue


def differences(
    queue: GameQueue,
    schedule: StudySchedule,
    objective: Objective,
    sides: Sequence[tuple[str, str]],
    begin: int,
) -> Floats:
    """Return by how much the first of each two agents is better than the second, each two on a chance seed of their own.

    Args:
        queue: plays the games.
        schedule: the games against the opponents.
        objective: the value of an agent's games.
        sides: the specs.
        begin: the number of the first chance seed.

    Returns:
        Shape (pairs,); NaN where an agent has no game that counts.

    Raises:
        StudyInterruptedError: the study was asked to stop.
    """
    panel = max(schedule.opponents, 1)
    asked = []
    for number, specs in enumerate(sides, start=begin):
        blocks = range(number * panel, (number + 1) * panel)
        asked.append([(agent, schedule.games(agent, blocks)) for agent in map(schedule.enter, specs)])
        for _agent, games in asked[-1]:
            queue.ask(games)
    found = []
    for pair in asked:
        values = [objective.value(queue.take(games), agent) for agent, games in pair]
        first, second = (nan if value is None else objective.sign * value for value in values)
        found.append(first - second)
    return np.array(found)


class Games:
    """Games of several agents on the same chance seeds, each played once."""

    def __init__(self, queue: GameQueue, schedule: StudySchedule) -> None:
        self._queue = queue
        self._schedule = schedule
        self._courses: dict[tuple[int, int], dict[tuple[int, int], tuple[object, ...]]] = {}

    def are_alike(self, ones: str, others: str) -> bool:
        """Say whether two agents play the same games, by their specs.

        Raises:
            StudyInterruptedError: the study was asked to stop.
        """
        agents = self._schedule.enter(ones), self._schedule.enter(others)
        for seed in range(REVERSION_BLOCKS):
            first, second = (self._played(agent, seed) for agent in agents)
            if any(first[place] != second[place] for place in first.keys() & second.keys()):
                return False
        return True

    def _played(self, agent: int, seed: int) -> dict[tuple[int, int], tuple[object, ...]]:
        """Return what tells the games of an agent apart, by block and seat; an agent may sit in all seats of one."""
        if (agent, seed) not in self._courses:
            panel = max(self._schedule.opponents, 1)
            games = self._schedule.games(agent, range(seed * panel, (seed + 1) * panel))
            self._queue.ask(games)
            self._courses[agent, seed] = {
                (game.pairing.block, game.pairing.seating): _course(game.record) for game in self._queue.take(games)
            }
        return self._courses[agent, seed]


def _course(record: GameRecord) -> tuple[object, ...]:
    """Return what tells two games apart, without times; a void game is like no other."""
    if record.void:
        return (record.game_id,)
    return (record.state_hash, record.results, record.scores, record.decisions, record.ticks)
