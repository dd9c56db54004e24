"""The search for the best agent: games move to the contenders."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from tag.engine.parameters import Parameters, integer, real
from tag.tournaments.designs.design import Design
from tag.tournaments.designs.games import Seats
from tag.tournaments.statistics.stopping.best_agent import BestAgent
from tag.tournaments.statistics.stopping.outcomes import Outcome


@dataclass
class BestAgentParameters(Parameters):
    """The end of the search, and the number of tables set at once."""

    confidence: float = real(0.95, 0.5, 0.9999, "the probability to be the best at which the search ends")
    indifference: float = real(0.0, 0.0, 400.0, "how much weaker than the best is good enough, in Elo")
    batch: int = integer(8, 1, 100_000, "the blocks that are decided on together; two batches are in play")


class BestAgentDesign(Design):
    """One table in each block, with agents that may still be the best (`tag.tournaments.statistics.stopping.best_agent`).

    Tables are set for a batch of blocks at a time, one batch ahead of the results, so that no worker waits.
    """

    about = "agents that may still be the best meet, until the best is known"
    parameters_class: ClassVar[type[Parameters]] = BestAgentParameters
    learns: ClassVar[bool] = True

    def __init__(
        self,
        n_agents: int,
        n_players: int,
        seed: int,
        confidence: float = 0.95,
        indifference: float = 0.0,
        batch: int = 8,
    ) -> None:
        """Set the tables of the first two batches."""
        super().__init__(n_agents, n_players, seed)
        self.search = BestAgent(n_agents, n_players, seed, batch, confidence, indifference)
        self.n_matchups = 1
        self.n_seatings = n_players
        self._tables: list[Seats] = []
        self._learnt = 0
        self._set()

    @property
    def known(self) -> int:
        """The number of blocks with known tables."""
        return len(self._tables)

    def agents(self, block: int, matchup: int, seating: int) -> Seats:
        """Return the table of the block, rotated by ``seating`` seats."""
        first = self._tables[block]
        return first[seating:] + first[:seating]

    def learn(self, games: Sequence[Outcome]) -> None:
        """Add the places of a block to the search, unless a game is void, and set the tables that it decides on.

        A block in which other agents have played does not count either. That can happen if shards of a ledger were lost
        and agents have time limits: games played again may end differently, and the search then chooses other agents.
        """
        table = self._tables[self._learnt]
        self._learnt += 1
        counts = not any(game.void or set(game.agents) != set(table) for game in games)
        places = [_places(game, table) for game in games] if counts else None
        self.search.add(places, [(game.same, game.agents) for game in games] if counts else [])
        self._set()

    def _set(self) -> None:
        while self.search.can_allot:
            self._tables += [tuple(table) for table in self.search.allot().tolist()]


def _places(game: Outcome, table: Seats) -> list[int]:
    """Return the places in a game by the order of the match-up."""
    return [game.places[game.agents.index(agent)] for agent in table]
