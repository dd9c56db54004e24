"""Round robins: everybody meets everybody."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations, combinations_with_replacement, permutations
from math import comb, factorial
from typing import ClassVar, Final

from tag.errors import PlayersError
from tournaments.designs._design import FixedMatchups, Seats, check_matchups

#: Seven seats have 5,040 seatings.
_MOST_SEATS: Final = 7


class RoundRobin(FixedMatchups):
    """Every combination of agents, in all rotations of the seats."""

    about = "everybody meets everybody, in all rotations of the seats"

    def _matchups(self) -> list[Seats]:
        return round_robin(self.n_agents, self.n_players)


class SelfPlay(FixedMatchups):
    """Every combination of agents in which they may meet themselves as well, in rotations of the seats.

    Where copies sit so that rotations repeat, the same game is played again, so that all match-ups count alike.
    """

    about = "as round_robin, and everybody meets copies of himself as well"

    def _matchups(self) -> list[Seats]:
        check_matchups("self_play", comb(self.n_agents + self.n_players - 1, self.n_players))
        return _first_agents_first(combinations_with_replacement(range(self.n_agents), self.n_players))


class Exhaustive(FixedMatchups):
    """Every combination of agents, in all different seatings and not only rotations: for who sits beside whom."""

    about = "everybody meets everybody, in all seatings"

    def __init__(self, n_agents: int, n_players: int, seed: int) -> None:
        """List the match-ups and their seatings."""
        if n_players > _MOST_SEATS:
            raise PlayersError(f"{n_players} seats have {factorial(n_players):,} seatings; use --design round_robin")
        super().__init__(n_agents, n_players, seed)
        self._seatings = [sorted(set(permutations(seats))) for seats in self.matchups]
        self.n_seatings = len(self._seatings[0])

    def agents(self, block: int, matchup: int, seating: int) -> Seats:
        """Return one of the different orders of the match-up."""
        return self._seatings[matchup][seating]

    def _matchups(self) -> list[Seats]:
        return round_robin(self.n_agents, self.n_players)


class Gauntlet(FixedMatchups):
    """The first agent against all others, in every seat."""

    about: ClassVar[str] = "the first agent against all combinations of the others, in every seat"

    def _matchups(self) -> list[Seats]:
        if self.n_agents < 2 or self.n_players < 2:
            raise PlayersError(f"a gauntlet needs 2 agents and 2 seats, not {self.n_agents} and {self.n_players}")
        others = round_robin(self.n_agents - 1, self.n_players - 1)
        return [(0, *(agent + 1 for agent in seats)) for seats in others]


class Ladder(FixedMatchups):
    """Neighbours in the list of agents: for the same agent at growing budgets."""

    about = "each agent against the next in the list, as for growing budgets"

    def _matchups(self) -> list[Seats]:
        if self.n_agents < 2:
            raise PlayersError(f"a ladder needs at least 2 agents, not {self.n_agents}")
        pair = round_robin(2, self.n_players)
        return [tuple(step + agent for agent in seats) for step in range(self.n_agents - 1) for seats in pair]


class Grid(FixedMatchups):
    """Every two agents against each other and nobody else: for the same agents at growing budgets.

    With more seats than two they share these as evenly as can be, so that a cell of the grid is about its two alone.
    """

    about = "every two agents against each other alone, as for growing budgets"

    def _matchups(self) -> list[Seats]:
        if self.n_agents < 2 or self.n_players < 2:
            raise PlayersError(f"a grid needs 2 agents and 2 seats, not {self.n_agents} and {self.n_players}")
        shared = round_robin(2, self.n_players)
        check_matchups("grid", comb(self.n_agents, 2) * len(shared))
        pairs = _first_agents_first(combinations(range(self.n_agents), 2))
        return [tuple(pair[which] for which in seats) for pair in pairs for seats in shared]


class Fixed(FixedMatchups):
    """Each agent in the seat of its number, always."""

    about = "each agent keeps its seat"

    def __init__(self, n_agents: int, n_players: int, seed: int) -> None:
        """Seat everybody."""
        if n_agents != n_players:
            raise PlayersError(f"with fixed seats there are as many agents as seats, not {n_agents} for {n_players}")
        super().__init__(n_agents, n_players, seed)
        self.n_seatings = 1

    def _matchups(self) -> list[Seats]:
        return [tuple(range(self.n_players))]


def round_robin(n_agents: int, n_players: int) -> list[Seats]:
    """Return the match-ups in which everybody meets everybody, as the agents' numbers by seat; one agent meets itself.

    With enough agents these are all combinations, those of the first agents first. With fewer agents than seats, agents
    sit in several seats, as evenly as can be: the match-ups are all choices of those who get one seat more, and copies
    sit far apart (three agents at four seats: ``0102``, ``1012``, ``2021`` in some rotation; two agents: ``0101``).

    Raises:
        PlayersError: there are no agents, or too many for anyone to meet all others.

    >>> round_robin(3, 2)
    [(0, 1), (0, 2), (1, 2)]
    """
    if n_agents < 1:
        raise PlayersError("a round robin needs at least 1 agent")
    if n_agents >= n_players:
        check_matchups("round_robin", comb(n_agents, n_players))
        return _first_agents_first(combinations(range(n_agents), n_players))
    copies, more = divmod(n_players, n_agents)
    return [_spread(n_agents, copies, favoured) for favoured in combinations(range(n_agents), more)]


def _first_agents_first(matchups: Iterable[Seats]) -> list[Seats]:
    """Return the match-ups by their last agent, then the one before, …: those with another agent come after all others."""
    return sorted(matchups, key=lambda seats: seats[::-1])


def _spread(n_agents: int, copies: int, favoured: Seats) -> Seats:
    """Seat everybody ``copies`` times and the ``favoured`` once more.

    The favoured sit in ``copies + 1`` rows; what lies between the rows are equal parts of the others' rows.
    """
    others = [agent for agent in range(n_agents) if agent not in favoured] * copies
    seats: list[int] = []
    for row in range(copies + 1):
        begin, end = (len(others) * part // (copies + 1) for part in (row, row + 1))
        seats += [*favoured, *others[begin:end]]
    return tuple(seats)
