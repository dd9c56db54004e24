"""Designs in rounds: who meets whom depends on how the rounds before ended."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from math import ceil, log2
from typing import ClassVar

from tag.errors import PlayersError
from tournaments.designs._design import Design, Seats
from tournaments.outcomes import Outcome, agent_points


class RoundDesign(Design):
    """A design whose tables are set anew for each round, and played in all rotations in each block of it.

    `learn` has to be told how a round ended before the next one can be asked for.
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
        """The rounds whose tables are set."""
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
    """Agents with about the same points so far meet, if possible those who have not met before.

    There are as many rounds as it takes to halve the field down to one. Where the tables do not seat everybody, those
    with the fewest points who have not sat out yet do so, and are counted an equal share of the points of a table.
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
        """Return who plays, best first: all but those whose turn it is to sit out."""
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

    The list is the seeding: the first agents of the list meet as late as can be.
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
        """Return the tables of the round ``block``."""
        return int(self.n_agents // self.n_players ** (block + 1))

    def end_round(self, points: Sequence[float]) -> None:
        """Let the best of each table go on."""
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
