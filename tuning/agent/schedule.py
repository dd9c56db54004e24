"""The games of a tuning study: seats and seeds.

The agent in question sits in every seat of a block once, an opponent in all others; the opponents of a panel take turns
from block to block, all of them with the same chance seeds. Where the agent meets itself, or plays a co-operative game
without others, one game stands for all seatings, as they would be the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tag.engine.rng import derive_seed
from tag.orders import Conditions
from tag.tournaments.designs.games import Pairing, PlannedGames, game_id_of
from tag.tournaments.designs.schedule import seeds_of
from tag.tournaments.ledger.games import read_labels
from tag.tournaments.statistics.intervals import Ints
from tag.tuning.agent.definition import StudyDefinition
from tag.tuning.study.schedule import GameSchedule


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
        self.game = game
        self.labels = list(opponents)
        self.opponents = len(opponents)
        self._numbers: dict[str, int] = {}

    def keep(self, folder: Path) -> None:
        """Keep the numbers that agents have in the ledger in ``folder``, which was begun before."""
        for spec in read_labels(folder)[self.opponents :]:
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

    def games(self, agent: int, blocks: range) -> list[Pairing]:
        """Return the games of whole blocks, in order."""
        return [
            self._game(agent, block, seat)
            for block in blocks
            for seat in range(1 if self._is_alone(agent, block) else self.players)
        ]

    def some_games(self, agent: int, places: range) -> list[Pairing]:
        """Return single games, numbered over all seats of all blocks."""
        return [self._game(agent, *divmod(place, self.seatings)) for place in places]

    def game_of(self, _pairing: Pairing) -> str:
        """Return the spec of the game type."""
        return self.game

    @property
    def fixed(self) -> dict[str, Any]:
        """The same with the game and the number of opponents, which are the first agents."""
        return {**super().fixed, "game": self.game, "opponents": self.opponents}

    def planned(self, places: Ints, entries: Sequence[str], thorough: bool) -> PlannedGames:
        """Return what the games at some places must be."""
        block, agent, seat = places.T
        exist = np.all(places >= 0, axis=1) & (agent < len(entries)) & (seat < self.players)
        chance, opponent = np.divmod(block, max(self.opponents, 1))
        labels = np.array([*entries, ""], dtype=object)
        is_alone = labels[opponent % len(labels)] == labels[np.where(exist, agent, -1)] if self.opponents else exist
        agents = np.repeat(np.where(is_alone, agent, opponent)[:, None], self.players, axis=1)
        agents[exist, seat[exist]] = agent[exist]
        return PlannedGames(exist, seeds_of(self._seed, chance), agents, [self.game])

    def chance_of(self, block: int) -> int:
        """Return the number of a block's chance seed, which the blocks of all opponents share."""
        return block // max(self.opponents, 1)

    def _game(self, agent: int, block: int, seat: int) -> Pairing:
        chance, opponent = divmod(block, max(self.opponents, 1))
        seats = [agent if self._is_alone(agent, block) else opponent] * self.players
        seats[seat] = agent
        seed = derive_seed(self._seed, "block", chance)
        return Pairing(game_id_of(block, agent, seat), block, agent, seat, tuple(seats), seed)

    def _is_alone(self, agent: int, block: int) -> bool:
        """Say whether the agent has all seats of a block."""
        return not self.opponents or self.labels[block % self.opponents] == self.labels[agent]


def schedule_of(definition: StudyDefinition, stream: str, opponents: Sequence[str]) -> StudySchedule:
    """Return the schedule of a study against the ``opponents``, with the seeds of a stream."""
    return StudySchedule(
        definition.game,
        definition.players,
        opponents,
        definition.stream(stream),
        definition.rules.conditions(),
        definition.metrics,
        definition.opening,
    )
