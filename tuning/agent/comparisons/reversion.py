"""Games that show which changes of a recommendation gain nothing.

Two agents that decide alike play the same game from the same seed, as their random numbers depend on the seat alone. So
a parameter without effect, such as a depth that no game reaches, is found exactly, by a few games with and without it. One
that matters changes the first game or one of the next.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import nan

import numpy as np

from tag.orders import GameRecord
from tag.tournaments.statistics.intervals import Floats
from tag.tuning.agent.comparisons.comparison import Comparison
from tag.tuning.agent.definition import REVERSION, REVERSION_BLOCKS, StudyDefinition
from tag.tuning.agent.objectives import Objective
from tag.tuning.agent.schedule import StudySchedule, schedule_of
from tag.tuning.search.gains import SHOWN, Gains, changes, pairs_of, reverted
from tag.tuning.search.incumbents import IncumbentModel
from tag.tuning.space.configurations import Configuration
from tag.tuning.study.engine import StudyEngine
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
    panel = schedule.panel
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
            panel = self._schedule.panel
            games = self._schedule.games(agent, range(seed * panel, (seed + 1) * panel))
            self._queue.ask(games)
            self._courses[agent, seed] = {
                (game.pairing.block, game.pairing.seating): _course(game.record) for game in self._queue.take(games)
            }
        return self._courses[agent, seed]


def _course(record: GameRecord) -> tuple[object, ...]:
    """Return the facts that tell two games apart, without times; a void game is like no other."""
    if record.void:
        return (record.game_id,)
    return (record.state_hash, record.results, record.scores, record.decisions, record.ticks)


class Reversion:
    """Takes back the changes of a recommendation that change no game, or whose gain no games show."""

    def __init__(
        self,
        engine: StudyEngine[StudyDefinition],
        compare: Callable[[str, tuple[str, str], Sequence[str], int], Comparison],
    ) -> None:
        """Play on ``engine``; ``compare`` compares two agents in a stream, against opponents, in so many games at most."""
        self._engine = engine
        self._compare = compare
        self._definition = engine.definition

    def take_back(self, model: IncumbentModel) -> list[str]:
        """Take back changes of the recommendation that change no game or show no gain, and return their names."""
        space = self._definition.space

        def changed() -> list[str]:
            return changes(space.configurations, space.configuration(model.incumbents[-1].spec), space.nearest)

        before = changed()
        self._without_changes_in_vain(model)
        if self._definition.games_to_compare:
            self._without_changes_in_doubt(model)
        after = changed()
        return [name for name in before if name not in after]

    def _without_changes_in_vain(self, model: IncumbentModel) -> None:
        """Take back each change of the recommendation that changes no game."""
        definition, space = self._definition, self._definition.space
        schedule = schedule_of(definition, REVERSION, definition.measuring)
        found = space.configuration(model.incumbents[-1].spec)
        with self._engine.games(REVERSION, schedule) as queue:
            games = Games(queue, schedule)
            for name in changes(space.configurations, found, space.nearest):
                other = reverted(space.configurations, found, space.nearest, [name])
                is_open = found.get(name) != other.get(name) and space.configurations.is_valid(other)
                if is_open and games.are_alike(space.spec(found), space.spec(other)):
                    found = other
        model.replace(found)

    def _without_changes_in_doubt(self, model: IncumbentModel) -> None:
        """Take back the changes whose gain is not shown, or those that do harm where games show a loss."""
        definition, space = self._definition, self._definition.space
        spec = model.incumbents[-1].spec
        best = space.configuration(spec)
        if not changes(space.configurations, best, space.nearest):
            return
        gains = self._gains_in_pairs(best, model.gains())
        unshown, found_again = gains.below(SHOWN), 0
        for names in (unshown, unshown[:-1]):
            other = reverted(space.configurations, best, space.nearest, names)
            if not names or not space.configurations.is_valid(other):
                continue
            sides = spec, space.spec(other)
            self._engine.events.expect(found_again)
            comparison = self._compare(REVERSION, sides, definition.measuring, definition.games_to_compare)
            if comparison.result.decision != "better":
                model.replace(other)
                return
            found_again = comparison.recommended.games  # by the next comparison, in the ledger
        other = reverted(space.configurations, best, space.nearest, gains.below(0.0))
        if space.configurations.is_valid(other):
            model.replace(other)

    def _gains_in_pairs(self, best: Configuration, gains: Gains) -> Gains:
        """Return what is believed of the changes of a configuration after games of pairs with random halves of them."""
        definition, space = self._definition, self._definition.space
        schedule = schedule_of(definition, REVERSION, definition.measuring)
        number = definition.games_in_pairs // definition.round_games
        pairs = pairs_of(space.configurations, best, space.nearest, number, definition.stream(f"{REVERSION} in pairs"))
        if not pairs:
            return gains
        with self._engine.games(REVERSION, schedule) as queue:
            sides = [(space.spec(pair.first), space.spec(pair.second)) for pair in pairs]
            objective = Objective(definition.objectives[0], schedule, definition.panel, schedule.panel)
            found = differences(queue, schedule, objective, sides, definition.validation)
        counts = np.isfinite(found)
        return gains.after(np.array([pair.signs for pair in pairs])[counts], found[counts])
