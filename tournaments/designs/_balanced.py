"""Balanced random tables: for many agents, where not everybody can meet everybody in every combination."""

from __future__ import annotations

from itertools import combinations
from math import exp, gcd
from typing import Final

from tag.errors import PlayersError
from tag.rng import Rng, derive_seed
from tournaments.designs._design import Design, Seats

Table = list[int]

#: So many blocks are balanced together: enough that their tables leave room for it.
_BLOCKS_TOGETHER: Final = 16
#: Exchanges to try per table before what remains of imbalance is left to the next blocks.
_TRIES_PER_TABLE: Final = 300
#: The temperature that annealing begins with, in units of the imbalance.
_HOTTEST: Final = 0.7


class Balanced(Design):
    """Random tables in which everybody plays equally often, in every seat equally often, and meets all others as often.

    Each block seats every agent the same number of times, in all rotations. Tables are drawn at random, sixteen blocks
    together, and agents exchanged between them by simulated annealing until the meetings of any two agents differ by no
    more than one, or nearly so: with two tables per block that is often impossible, and what is left over is made up for
    in the next sixteen.
    """

    about = "random tables: everybody plays, sits in each seat and meets each other equally often"

    def __init__(self, n_agents: int, n_players: int, seed: int) -> None:
        """Plan tables; they are drawn as blocks are asked for."""
        super().__init__(n_agents, n_players, seed)
        if n_agents < n_players:
            raise PlayersError(f"balanced tables need at least as many agents as seats, {n_players}, not {n_agents}")
        self.n_matchups = n_agents // gcd(n_agents, n_players)
        self.n_seatings = n_players
        self._seed = seed
        self._blocks: list[list[Seats]] = []
        self._meetings = _Meetings(n_agents)

    def agents(self, block: int, matchup: int, seating: int) -> Seats:
        """Return a table of the block, rotated by ``seating`` seats."""
        while block >= len(self._blocks):
            self._draw()
        first = self._blocks[block][matchup]
        return first[seating:] + first[:seating]

    def _draw(self) -> None:
        """Draw the next blocks and balance them together with all that are before."""
        rng = Rng(derive_seed(self._seed, "tables", len(self._blocks)))
        blocks = [self._deal(rng) for _block in range(_BLOCKS_TOGETHER)]
        for table in (table for tables in blocks for table in tables):
            self._meetings.count(table, 1)
        tries = _TRIES_PER_TABLE * _BLOCKS_TOGETHER * self.n_matchups
        for number in range(tries):
            if self.n_matchups == 1 or self._meetings.is_balanced:
                break
            self._try_exchange(rng.choice(blocks), rng, _HOTTEST * (1.0 - number / tries))
        for tables in blocks:
            for table in tables:
                rng.shuffle(table)
            self._blocks.append([tuple(table) for table in tables])

    def _deal(self, rng: Rng) -> list[Table]:
        """Return tables at which every agent sits equally often, and at each table once at most."""
        rounds = self.n_players // gcd(self.n_agents, self.n_players)
        tables: list[Table] = [[] for _table in range(self.n_matchups)]
        for _round in range(rounds):
            order = list(range(self.n_agents))
            rng.shuffle(order)
            for agent in order:
                open_tables = [t for t in tables if len(t) < self.n_players and agent not in t]
                if not open_tables:
                    return self._deal(rng)
                fewest = min(len(table) for table in open_tables)
                rng.choice([table for table in open_tables if len(table) == fewest]).append(agent)
        return self._deal(rng) if _has_twins(tables) else tables

    def _try_exchange(self, tables: list[Table], rng: Rng, temperature: float) -> None:
        """Exchange two agents between two tables of a block, by the rule of simulated annealing."""
        one, other = rng.choice(tables), rng.choice(tables)
        i, j = rng.below(self.n_players), rng.below(self.n_players)
        if one is other or one[i] in other or other[j] in one:
            return
        cost = self._meetings.cost_of_exchange(one, i, other, j)
        if cost > 0 and (temperature <= 0.0 or rng.uniform() >= exp(-cost / temperature)):
            return
        self._exchange(one, i, other, j)
        if _has_twins(tables):
            self._exchange(one, i, other, j)

    def _exchange(self, one: Table, i: int, other: Table, j: int) -> None:
        for table in (one, other):
            self._meetings.count(table, -1)
        one[i], other[j] = other[j], one[i]
        for table in (one, other):
            self._meetings.count(table, 1)


def _has_twins(tables: list[Table]) -> bool:
    """Say whether the same agents sit at two tables, which would play the same games with the same seed."""
    return len({frozenset(table) for table in tables}) < len(tables)


class _Meetings:
    """How often any two agents meet.

    Attributes:
        imbalance: the sum of the squares of the numbers of meetings: the least when all are equal.
    """

    def __init__(self, n_agents: int) -> None:
        self._n = n_agents
        self._counts = [0] * (n_agents * n_agents)
        self._pairs = n_agents * (n_agents - 1) // 2
        self._total = 0
        self.imbalance = 0

    @property
    def is_balanced(self) -> bool:
        """Whether no two numbers differ by more than one: the sum of squares is then the least there can be."""
        if not self._pairs:
            return True
        fewest, more = divmod(self._total, self._pairs)
        return self.imbalance == self._pairs * fewest**2 + more * (2 * fewest + 1)

    def cost_of_exchange(self, one: Table, i: int, other: Table, j: int) -> int:
        """Return by how much exchanging ``one[i]`` and ``other[j]`` would raise the imbalance."""
        a, b = one[i], other[j]
        counts, n = self._counts, self._n
        cost = 0
        for stays in one:
            if stays != a and stays not in other:
                cost += 2 + 2 * (counts[b * n + stays] - counts[a * n + stays])
        for stays in other:
            if stays != b and stays not in one:
                cost += 2 + 2 * (counts[a * n + stays] - counts[b * n + stays])
        return cost

    def count(self, table: Table, change: int) -> None:
        """Count the meetings at a table, once more or once less."""
        for a, b in combinations(table, 2):
            self.imbalance += 2 * change * self._counts[a * self._n + b] + 1
            self._counts[a * self._n + b] += change
            self._counts[b * self._n + a] += change
            self._total += change
