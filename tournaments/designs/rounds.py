"""Designs in rounds, whose match-ups depend on the results of earlier rounds, and the search for the best agent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import ceil, log2
from typing import ClassVar

from tag.engine.parameters import Parameters, integer, real
from tag.errors import PlayersError
from tournaments.designs.fixed import Design, Outcome, Seats, agent_points
from tournaments.statistics.sequential import BestAgent

# --- designs in rounds ------------------------------------------------------------------------------------------------


class RoundDesign(Design):
    """A design whose tables are set anew for each round, and played in all rotations in each block of it.

    `learn` needs the games of a round before the next one can be requested.
    """

    learns: ClassVar[bool] = True
    in_rounds: ClassVar[bool] = True

    def __init__(self, n_agents: int, n_players: int, seed: int) -> None:
        """Set the tables of the first round."""
        super().__init__(n_agents, n_players, seed)
        if n_players < 2:
            raise PlayersError("tables need at least 2 seats for anyone to meet anyone")
        self.n_seatings = n_players
        self._tables: list[list[Seats]] = []

    def agents(self, block: int, matchup: int, seating: int) -> Seats:
        """Return a table of the round ``block``, rotated by ``seating`` seats."""
        first = self._tables[block][matchup]
        return first[seating:] + first[:seating]

    @property
    def known(self) -> int:
        """The number of rounds with known tables."""
        return len(self._tables)

    def learn(self, games: Sequence[Outcome]) -> None:
        """Set the tables of the next round, if there is one, after all games of the one before."""
        if self.known < self.n_rounds:
            points, _seats = agent_points(games, self.n_agents)
            self.end_round(points)

    def end_round(self, points: Sequence[float]) -> None:
        """Set the tables of the next round from the points of each agent in the one that has ended."""
        raise NotImplementedError


class Swiss(RoundDesign):
    """Agents with about the same points so far meet, if possible in pairs that have not met before.

    There are as many rounds as halvings of the field down to one. If the tables do not seat all agents, those with the
    fewest points that have not sat out yet do so. They are counted an equal share of the points of a table.
    """

    about = "in each round, those with about the same points so far meet"

    def __init__(self, n_agents: int, n_players: int, seed: int) -> None:
        """Set the tables of the first round: neighbours in the list are far apart."""
        super().__init__(n_agents, n_players, seed)
        if n_agents < n_players:
            raise PlayersError(
                f"a Swiss tournament needs at least as many agents as seats, {n_players}, not {n_agents}"
            )
        self.n_rounds = max(1, ceil(log2(n_agents / n_players)) + 1)
        self.n_matchups = n_agents // n_players
        self._points = [0.0] * n_agents
        self._met: Counter[tuple[int, int]] = Counter()
        self._sat_out: Counter[int] = Counter()
        seated = self._seated()
        self._set([tuple(seated[table :: self.n_matchups]) for table in range(self.n_matchups)])

    def end_round(self, points: Sequence[float]) -> None:
        """Count the points, and seat neighbours in the standings together."""
        games = sum(points) / self.n_matchups if sum(points) else 0.0
        at_tables = {agent for table in self._tables[-1] for agent in table}
        for agent in range(self.n_agents):
            self._points[agent] += points[agent] if agent in at_tables else games / self.n_players
        waiting = self._seated()
        tables = []
        while waiting:
            table = [waiting.pop(0)]
            while len(table) < self.n_players:
                strangest = min(waiting, key=lambda agent: self._meetings(agent, table))  # the first of the best
                waiting.remove(strangest)
                table.append(strangest)
            tables.append(tuple(table))
        self._set(tables)

    def _seated(self) -> list[int]:
        """Return the agents that play, best first: all but those whose turn it is to sit out."""
        standing = sorted(range(self.n_agents), key=lambda agent: (-self._points[agent], agent))
        out = sorted(standing, key=lambda agent: (self._sat_out[agent], -standing.index(agent)))[
            : self.n_agents % self.n_players
        ]
        self._sat_out.update(out)
        return [agent for agent in standing if agent not in out]

    def _meetings(self, agent: int, table: list[int]) -> int:
        return sum(self._met[min(agent, other), max(agent, other)] for other in table)

    def _set(self, tables: list[Seats]) -> None:
        self._tables.append(tables)
        self._met.update(pair for table in tables for pair in combinations(sorted(table), 2))


class Knockout(RoundDesign):
    """The best of each table goes on to the next round, the others are out; equal points favour the earlier in the list.

    The list is the seeding: the first agents of the list meet as late as possible.
    """

    about = "the best of each table goes on, until one table is left"

    def __init__(self, n_agents: int, n_players: int, seed: int) -> None:
        """Set the tables of the first round."""
        super().__init__(n_agents, n_players, seed)
        rounds, field = 0, 1
        while field < n_agents:
            rounds, field = rounds + 1, field * n_players
        if field != n_agents or not rounds:
            near = " or ".join(str(size) for size in (field // n_players, field) if size > 1)
            raise PlayersError(f"a knockout at tables of {n_players} seats {near} agents, not {n_agents}")
        self.n_rounds = rounds
        self._set(list(range(n_agents)))

    def matchups_in(self, block: int) -> int:
        """Return the number of tables of the round ``block``."""
        return int(self.n_agents // self.n_players ** (block + 1))

    def end_round(self, points: Sequence[float]) -> None:
        """Advance the best of each table to the next round."""
        self._set(sorted(min(table, key=lambda agent: (-points[agent], agent)) for table in self._tables[-1]))

    def _set(self, seeds: list[int]) -> None:
        """Seat the seeds to and fro over the tables, so that each table has one of each strength."""
        n_tables = len(seeds) // self.n_players
        tables: list[list[int]] = [[] for _table in range(n_tables)]
        for row in range(self.n_players):
            order = range(n_tables) if row % 2 == 0 else reversed(range(n_tables))
            for table, seed in zip(order, seeds[row * n_tables :], strict=False):
                tables[table].append(seed)
        self.n_matchups = n_tables
        self._tables.append([tuple(table) for table in tables])


# --- search for the best agent: games move to the contenders ----------------------------------------------------------


@dataclass
class BestAgentParameters(Parameters):
    """The end of the search, and the number of tables set at once."""

    confidence: float = real(0.95, 0.5, 0.9999, "the probability to be the best at which the search ends")
    indifference: float = real(0.0, 0.0, 400.0, "how much weaker than the best is good enough, in Elo")
    batch: int = integer(8, 1, 100_000, "the blocks that are decided on together; two batches are in play")


class BestAgentDesign(Design):
    """One table in each block, with agents that may still be the best (`tournaments.statistics.sequential`).

    Tables are set for a batch of blocks at a time, one batch ahead of the results, so that no worker waits.

    Attributes:
        search: the search, with the estimates of the agents' strengths.
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
        self.search.add([_places(game, table) for game in games] if counts else None)
        self._set()

    def _set(self) -> None:
        while self.search.can_allot:
            self._tables += [tuple(table) for table in self.search.allot().tolist()]


def _places(game: Outcome, table: Seats) -> list[int]:
    """Return the places in a game by the order of the match-up."""
    return [game.places[game.agents.index(agent)] for agent in table]
