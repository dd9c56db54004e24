"""Balanced random tables, for too many agents to play all combinations."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable
from itertools import combinations
from math import exp, gcd
from typing import Final

from tag.engine.rng import Rng, derive_seed
from tag.errors import PlayersError
from tag.tournaments.designs.design import Design
from tag.tournaments.designs.games import Seats

Table = list[int]

#: How often tables are dealt anew for a block if the first ones cannot be balanced.
_DEALS: Final = 3
#: Exchanges to try per table and deal before the remaining imbalance is left to the next blocks.
_TRIES_PER_TABLE: Final = 400
#: The initial temperature of the annealing, in units of the imbalance.
_HOTTEST: Final = 1.4


class Balanced(Design):
    """Random tables: all agents play equally often, in every seat equally often, and meet all others equally often.

    Each block seats every agent the same number of times, in all rotations. Its tables are dealt at random. Simulated
    annealing then exchanges agents between them until the meetings of any two agents, in this block and all before it,
    differ by no more than one. If that is impossible (of two tables that seat all agents, the second follows from the
    first), the next blocks make up for the remaining imbalance.
    """

    about = "random tables: each agent plays, sits in each seat and meets each other equally often"

    def __init__(self, n_agents: int, n_players: int, seed: int) -> None:
        """Plan tables; they are drawn when blocks are requested."""
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
            self._blocks.append(self._draw(Rng(derive_seed(self._seed, "tables", len(self._blocks)))))
        first = self._blocks[block][matchup]
        return first[seating:] + first[:seating]

    def _draw(self, rng: Rng) -> list[Seats]:
        """Return the tables of the next block: the best balanced of a few deals."""
        best: list[Table] = []
        least = -1
        for _deal in range(_DEALS):
            tables = self._deal(rng)
            self._meetings.count(tables, 1)
            self._anneal(tables, rng)
            imbalance, is_balanced = self._meetings.imbalance, self._meetings.is_balanced
            self._meetings.count(tables, -1)
            if least < 0 or imbalance < least:
                best, least = tables, imbalance
            if is_balanced:
                break
        self._meetings.count(best, 1)
        for table in best:
            rng.shuffle(table)
        return [tuple(table) for table in best]

    def _anneal(self, tables: list[Table], rng: Rng) -> None:
        """Exchange agents between tables until they are balanced, or the temperature is too low."""
        tries, sets = _TRIES_PER_TABLE * self.n_matchups, _sets(tables)
        for number in range(tries):
            if self.n_matchups == 1 or self._meetings.is_balanced:
                break
            self._try_exchange(tables, sets, rng, _HOTTEST * (1.0 - number / tries))

    def _deal(self, rng: Rng) -> list[Table]:
        """Return tables at which every agent sits equally often, and at each table once at most."""
        rounds = self.n_players // gcd(self.n_agents, self.n_players)
        tables: list[Table] = [[] for _table in range(self.n_matchups)]
        by_size = [list(range(self.n_matchups)), *([] for _seat in range(self.n_players))]  # their numbers, sorted
        seated: list[list[int]] = [[] for _agent in range(self.n_agents)]  # numbers of tables, sorted
        for _round in range(rounds):
            order = list(range(self.n_agents))
            rng.shuffle(order)
            for agent in order:
                options = ((size, _another(rng, by_size[size], seated[agent])) for size in range(self.n_players))
                size, chosen = next(((size, number) for size, number in options if number >= 0), (0, -1))
                if chosen < 0:
                    return self._deal(rng)
                by_size[size].remove(chosen)
                insort(by_size[size + 1], chosen)
                insort(seated[agent], chosen)
                tables[chosen].append(agent)
        return self._deal(rng) if len(_sets(tables)) < len(tables) else tables

    def _try_exchange(self, tables: list[Table], sets: set[frozenset[int]], rng: Rng, temperature: float) -> None:
        """Exchange two agents between two tables of a block, by the rule of simulated annealing.

        No two tables seat the same agents, as ``sets`` says: they would play the same games with the same seed.
        """
        one, other = rng.choice(tables), rng.choice(tables)
        i, j = rng.below(self.n_players), rng.below(self.n_players)
        if one is other or one[i] in other or other[j] in one:
            return
        cost = self._meetings.cost_of_exchange(one, i, other, j)
        if cost > 0 and (temperature <= 0.0 or rng.uniform() >= exp(-cost / temperature)):
            return
        before = _sets((one, other))
        self._exchange(one, i, other, j)
        after = _sets((one, other))
        if len(after) < len(before) or (after & sets) - before:
            self._exchange(one, i, other, j)
        else:
            sets -= before
            sets |= after

    def _exchange(self, one: Table, i: int, other: Table, j: int) -> None:
        self._meetings.count((one, other), -1)
        one[i], other[j] = other[j], one[i]
        self._meetings.count((one, other), 1)


def _sets(tables: Iterable[Table]) -> set[frozenset[int]]:
    """Return who sits together."""
    return {frozenset(table) for table in tables}


def _another(rng: Rng, numbers: list[int], without: list[int]) -> int:
    """Return one of some numbers, each as likely, that is not in ``without``, -1 if there is none; both are sorted."""
    places = ((bisect_left(numbers, number), number) for number in without)
    left_out = [place for place, number in places if numbers[place : place + 1] == [number]]
    if len(left_out) == len(numbers):
        return -1
    chosen = rng.below(len(numbers) - len(left_out))
    for place in left_out:
        chosen += place <= chosen
    return numbers[chosen]


class _Meetings:
    """The numbers of meetings of any two agents."""

    def __init__(self, n_agents: int) -> None:
        self._n = n_agents
        self._counts = [0] * (n_agents * n_agents)
        self._pairs = n_agents * (n_agents - 1) // 2
        self._total = 0
        self.imbalance = 0

    @property
    def is_balanced(self) -> bool:
        """True if no two numbers differ by more than one: the sum of squares is then as small as possible."""
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

    def count(self, tables: Iterable[Table], change: int) -> None:
        """Count the meetings at tables, once more or once less."""
        for a, b in (pair for table in tables for pair in combinations(table, 2)):
            self.imbalance += 2 * change * self._counts[a * self._n + b] + 1
            self._counts[a * self._n + b] += change
            self._counts[b * self._n + a] += change
            self._total += change
