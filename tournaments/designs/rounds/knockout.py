"""Knockouts."""

from __future__ import annotations

from fractions import Fraction

from tag.engine.rng import Rng, derive_seed
from tag.errors import PlayersError
from tag.tournaments.designs.games import Seats
from tag.tournaments.designs.rounds.design import RoundDesign, Stage
from tag.tournaments.designs.rounds.results import MOST_TIE_BREAKS, RoundTable


class Knockout(RoundDesign):
    """The best of each table goes on to the next round, and the others are out.

    The list is the seeding: the first agents of the list meet as late as possible. A table whose first place is shared
    plays further blocks, and after each only those with the most points in it are level. Where several are so after
    `MOST_TIE_BREAKS` of them, as agents that play the same game each time are, the lot decides who goes on, and the first
    place of a final is shared. An agent that failed every game of a round is out. If all at a table are, the best loser of
    another table takes the place; if there is none, the tournament ends, and those who are left have won.
    """

    about = "the best of each table goes on, until one table is left"
    name = "knockout"

    def __init__(self, n_agents: int, n_players: int, seed: int) -> None:
        """Set the tables of the first round."""
        super().__init__(n_agents, n_players, seed)
        rounds, size = 1, n_players
        while size < n_agents:
            rounds, size = rounds + 1, size * n_players
        if size != n_agents:
            near = " or ".join(str(number) for number in (size // n_players, size) if number > 1)
            raise PlayersError(f"a knockout at tables of {n_players} seats {near} agents, not {n_agents}")
        self.n_rounds = rounds
        self._seed = seed
        self._left: Seats = ()
        self._seat(list(range(n_agents)))

    def _tables_in(self, number: int) -> int:
        return int(self.n_agents // self.n_players ** (number + 1))

    def _end_stage(self, stage: Stage, games: Fraction) -> None:
        tables = self.rounds[-1].tables
        level = [number for number, table in enumerate(tables) if len(table.leaders()) > 1]
        n_tie_breaks = max(len(table.tie_breaks) for table in tables)
        if level and n_tie_breaks < MOST_TIE_BREAKS:
            self._begin_stage(level, is_tie_break=True)
            return
        for number, table in enumerate(tables):
            self._decide(table, number)
        self._left = tuple(sorted(self._survivors()))
        if len(self._left) < len(tables):
            self.n_rounds = len(self.rounds)
        if len(self.rounds) == self.n_rounds:
            self.is_over = True
        else:
            self._seat(list(self._left))

    def _decide(self, table: RoundTable, number: int) -> None:
        """Say who goes on from a table, by lot if it is level and no final."""
        leaders = table.leaders()
        if len(leaders) > 1 and len(self.rounds) < self.n_rounds:
            table.by_lot = True
            leaders = [Rng(derive_seed(self._seed, "lot", len(self.rounds), number)).choice(leaders)]
        table.through = tuple(leaders)

    def _survivors(self) -> list[int]:
        """Return who goes on; the best losers take the places of tables where all are out."""
        tables = self.rounds[-1].tables
        through = [agent for table in tables for agent in table.through]
        losers = [
            (-points, agent)
            for table in tables
            for agent, points in zip(table.agents, table.points, strict=True)
            if agent not in (*table.out, *table.through)
        ]
        n_free = sum(not table.through for table in tables) if len(tables) > 1 else 0
        return through + [agent for _points, agent in sorted(losers)[:n_free]]

    def _winners(self) -> Seats:
        return self._left

    def _seat(self, seeds: list[int]) -> None:
        """Seat the seeds to and fro over the tables, so that each table has one of each strength."""
        n_tables = len(seeds) // self.n_players
        tables: list[list[int]] = [[] for _table in range(n_tables)]
        for row in range(self.n_players):
            order = range(n_tables) if row % 2 == 0 else reversed(range(n_tables))
            for table, seed in zip(order, seeds[row * n_tables :], strict=False):
                tables[table].append(seed)
        self._begin_round(tables)
