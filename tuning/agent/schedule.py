"""The games of a tuning study: seats and seeds.

The agent in question sits in every seat of a block once, an opponent in all others; the opponents of a panel take turns
from block to block, all of them with the same chance seeds. Where the agent meets itself, or plays a co-operative game
without others, one game stands for all seatings, as they would be the same.

In a study over several games each chance seed belongs to one of them, in a random order that all agents share: in each
round every game has one seed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tag.engine.rng import derive_seed
from tag.orders import Conditions
from tag.tournaments.designs.games import Pairing, PlannedGames, game_id_of
from tag.tournaments.designs.schedule import seeds_of
from tag.tournaments.ledger.games import read_labels
from tag.tournaments.statistics.intervals import Ints
from tag.tuning.agent.definition import HELD_OUT, StudyDefinition
from tag.tuning.agent.events import StudyEvent, order_of
from tag.tuning.study.schedule import GameSchedule


@dataclass(frozen=True)
class Setting:
    """A game type with its seats and the numbers of the opponents, who take turns; none where the agent has all seats."""

    game: str
    players: int
    opponents: Sequence[int]


class StudySchedule(GameSchedule):
    """The games of a study, by the agent in question, the block and the seat; also the roster of their ledger.

    Agents have numbers: the opponents, in their order, and then the agents that are entered. A spec keeps its number
    for ever, so games in the ledger are those of that agent, independently of the stage that asked for them.

    Attributes:
        opponents: how many opponents take turns; 0 where the agent has all seats.
    """

    labels: list[str]

    def __init__(
        self,
        game: str,
        players: int,
        opponents: Sequence[str],
        seed: int,
        conditions: Conditions | None = None,
        metrics: tuple[str, ...] = (),
        opening: str = "",
    ) -> None:
        """Begin with the ``opponents`` alone; ``seed`` decides the chance seeds of all blocks."""
        super().__init__(players, seed, conditions, metrics, opening)
        self.labels = list(opponents)
        self.opponents = len(opponents)
        self._named = len(opponents)
        self._numbers: dict[str, int] = {}
        self._settings = [Setting(game, players, range(len(opponents)))]

    def keep(self, folder: Path) -> None:
        """Keep the numbers that agents have in the ledger in ``folder``, which was begun before."""
        for spec in read_labels(folder)[self._named :]:
            self.enter(spec)

    def enter(self, spec: str) -> int:
        """Return the number of an agent; a new one for an agent that has none."""
        if spec not in self._numbers:
            self._numbers[spec] = len(self.labels)
            self.labels.append(spec)
        return self._numbers[spec]

    @property
    def seatings(self) -> int:
        """Number of games of a block against others."""
        return self.players if self.opponents else 1

    @property
    def panel(self) -> int:
        """Number of blocks with the same chance seed."""
        return max(self.opponents, 1)

    @property
    def round_blocks(self) -> int:
        """Number of blocks of a round: those of one chance seed of each game."""
        return self.panel * len(self._settings)

    def event_of(self, _chance: int) -> int:
        """Return the number of the event to which a chance seed belongs."""
        return 0

    def games(self, agent: int, blocks: range) -> list[Pairing]:
        """Return the games of whole blocks, in order."""
        return [self._game(agent, block, seat) for block in blocks for seat in range(self._seatings(agent, block))]

    def some_games(self, agent: int, places: range) -> list[Pairing]:
        """Return single games, numbered over all seats of all blocks."""
        return [self._game(agent, *divmod(place, self.seatings)) for place in places]

    def game_of(self, pairing: Pairing) -> str:
        """Return the spec of the game type."""
        return self._setting(pairing.block).game

    @property
    def fixed(self) -> dict[str, Any]:
        """The same with the game and the number of opponents, which are the first agents."""
        return {**super().fixed, "game": self._settings[0].game, "opponents": self.opponents}

    def planned(self, places: Ints, entries: Sequence[str], thorough: bool) -> PlannedGames:
        """Return what the games at some places must be."""
        block, agent, seat = places.T
        exist = np.all(places >= 0, axis=1) & (agent < len(entries)) & (seat < self.players)
        chance, opponent = np.divmod(block, self.panel)
        labels = np.array([*entries, ""], dtype=object)
        is_alone = labels[opponent % len(labels)] == labels[np.where(exist, agent, -1)] if self.opponents else exist
        agents = np.repeat(np.where(is_alone, agent, opponent)[:, None], self.players, axis=1)
        agents[exist, seat[exist]] = agent[exist]
        return PlannedGames(exist, seeds_of(self._seed, chance), agents, [self._settings[0].game])

    def chance_of(self, block: int) -> int:
        """Return the number of a block's chance seed, which the blocks of all opponents share."""
        return block // self.panel

    def _game(self, agent: int, block: int, seat: int) -> Pairing:
        setting, chance = self._setting(block), self.chance_of(block)
        other = agent if self._is_alone(agent, block) else setting.opponents[block % self.panel]
        seats = [other] * setting.players
        seats[seat] = agent
        seed = derive_seed(self._seed, "block", chance)
        return Pairing(game_id_of(block, agent, seat), block, agent, seat, tuple(seats), seed)

    def _setting(self, block: int) -> Setting:
        return self._settings[self.event_of(self.chance_of(block))]

    def _seatings(self, agent: int, block: int) -> int:
        """Return the games of an agent in a block: one if it has all seats, none where no opponent has a turn."""
        opponents = self._setting(block).opponents
        if opponents and block % self.panel >= len(opponents):
            return 0
        return 1 if self._is_alone(agent, block) else self._setting(block).players

    def _is_alone(self, agent: int, block: int) -> bool:
        """Say whether the agent has all seats of a block."""
        opponents = self._setting(block).opponents
        return not opponents or self.labels[opponents[block % self.panel]] == self.labels[agent]


class EventsSchedule(StudySchedule):
    """The games of a study over several events.

    A chance seed has as many blocks as the event with most opponents needs; where an event has fewer, the rest has no games.
    """

    def __init__(
        self,
        events: Sequence[StudyEvent],
        opponents: Sequence[str],
        seed: int,
        conditions: Conditions | None = None,
        metrics: tuple[str, ...] = (),
        opening: str = "",
    ) -> None:
        """Begin with the ``opponents`` alone, each of whom plays where it can."""
        players = max(event.players for event in events)
        super().__init__(events[0].game, players, opponents, seed, conditions, metrics, opening)
        self._settings = [Setting(event.game, event.players, event.opponents(opponents)) for event in events]
        self.opponents = max(len(setting.opponents) for setting in self._settings)
        self._texts = [str(StudyEvent(event.game, event.players)) for event in events]

    def event_of(self, chance: int) -> int:
        """Return the number of the event to which a chance seed belongs."""
        number, place = divmod(chance, len(self._settings))
        return order_of(self._seed, len(self._settings), number)[place]

    @property
    def fixed(self) -> dict[str, Any]:
        """The facts that decide all games: the events in place of the game."""
        found = super().fixed
        del found["game"]
        return {**found, "opponents": self._named, "events": self._texts}

    def planned(self, places: Ints, entries: Sequence[str], thorough: bool) -> PlannedGames:
        """Return the planned games at some places; the seats that a game does not have are -1."""
        exist = np.all(places >= 0, axis=1) & (places[:, 1] < len(entries)) & (places[:, 2] < self.players)
        chances = places[:, 0] // self.panel
        agents = np.full((len(places), self.players), -1, dtype=np.int64)
        settings = [
            self._settings[self.event_of(one) if is_there else 0]
            for one, is_there in zip(chances.tolist(), exist, strict=True)
        ]
        for row, (block, agent, seat) in enumerate(places.tolist()):
            setting = settings[row]
            turn = block % self.panel
            exist[row] &= turn < len(setting.opponents) and seat < setting.players
            if exist[row]:
                other = setting.opponents[turn]
                agents[row, : setting.players] = agent if entries[other] == entries[agent] else other
                agents[row, seat] = agent
        seats = np.array([setting.players for setting in settings], dtype=np.int64)
        games = [setting.game for setting in settings]
        return PlannedGames(exist, seeds_of(self._seed, chances), agents, games, seats=seats)


def events_in(definition: StudyDefinition, stream: str) -> tuple[StudyEvent, ...]:
    """Return the events of a study over several games that are played in a stream."""
    return definition.held_out_events if stream == HELD_OUT else definition.events_in_search


def schedule_of(definition: StudyDefinition, stream: str, opponents: Sequence[str]) -> StudySchedule:
    """Return the schedule of a study against the ``opponents``, with the seeds of a stream."""
    rest = (
        opponents,
        definition.stream(stream),
        definition.rules.conditions(),
        definition.metrics,
        definition.opening,
    )
    if definition.events:
        return EventsSchedule(events_in(definition, stream), *rest)
    return StudySchedule(definition.game, definition.players, *rest)
