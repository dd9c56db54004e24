"""Designs with the same match-ups in all blocks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement, permutations
from math import comb, factorial
from typing import ClassVar, Final

from tag.engine.parameters import Parameters, integer
from tag.errors import PlayersError
from tag.tournaments.designs.design import Design
from tag.tournaments.designs.games import Seats

#: More match-ups per block than this are certainly a mistake.
_MOST_MATCHUPS: Final = 200_000


class FixedMatchups(Design):
    """A design with the same match-ups in all blocks, each played in all its different rotations."""

    is_fixed: ClassVar[bool] = True

    def __init__(self, n_agents: int, n_players: int, seed: int) -> None:
        """List the match-ups."""
        super().__init__(n_agents, n_players, seed)
        self.matchups = self._matchups()
        self.n_matchups = len(self.matchups)
        self.n_seatings = max((n_rotations(seats) for seats in self.matchups), default=0)

    def agents(self, block: int, matchup: int, seating: int) -> Seats:
        """Return the match-up rotated by ``seating`` seats."""
        first = self.matchups[matchup]
        return first[seating:] + first[:seating]

    def continues(self, shorter: Design) -> bool:
        """Compare the first match-ups."""
        return (
            isinstance(shorter, FixedMatchups)
            and shorter.n_seatings == self.n_seatings
            and shorter.matchups == self.matchups[: len(shorter.matchups)]
        )

    def _matchups(self) -> list[Seats]:
        """Return the match-ups, those of the first agents first, so that more agents can be added later."""
        raise NotImplementedError


def n_rotations(seats: Seats) -> int:
    """Return the number of different rotations; with the same seed, the others would be the same games again.

    >>> n_rotations((0, 1, 2)), n_rotations((0, 1, 0, 1)), n_rotations((0, 0, 0))
    (3, 2, 1)
    """
    n = len(seats)
    return next(turn for turn in range(1, n + 1) if seats[turn:] + seats[:turn] == seats)


def check_matchups(name: str, number: int) -> None:
    """Raise `PlayersError` where a design would have too many match-ups per block."""
    if number > _MOST_MATCHUPS:
        raise PlayersError(
            f"{name} would have {number:,} match-ups per block; --design balanced has only as many as needed"
        )


#: Seven seats have 5,040 seatings.
_MOST_SEATS: Final = 7


class RoundRobin(FixedMatchups):
    """Every combination of agents, in all rotations of the seats.

    >>> design = RoundRobin(3, 2, seed=1)
    >>> design.matchups, design.n_seatings
    ([(0, 1), (0, 2), (1, 2)], 2)
    """

    about = "each agent meets each other, in all rotations of the seats"

    def _matchups(self) -> list[Seats]:
        return round_robin(self.n_agents, self.n_players)


class SelfPlay(FixedMatchups):
    """Every combination of agents, in which they may also meet themselves, in rotations of the seats.

    If copies sit so that rotations repeat, the same game is played again, so that all match-ups count alike.
    """

    about = "as round_robin, and agents also meet copies of themselves"

    def _matchups(self) -> list[Seats]:
        check_matchups("self_play", comb(self.n_agents + self.n_players - 1, self.n_players))
        return _first_agents_first(combinations_with_replacement(range(self.n_agents), self.n_players))


class Exhaustive(FixedMatchups):
    """Every combination of agents, in all different seatings and not only rotations: for effects of neighbours."""

    about = "each agent meets each other, in all seatings"

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
    """Neighbours in the list of agents: for the same agent at growing budgets.

    >>> Ladder(4, 2, seed=1).matchups
    [(0, 1), (1, 2), (2, 3)]
    """

    about = "each agent against the next in the list, as for growing budgets"

    def _matchups(self) -> list[Seats]:
        if self.n_agents < 2:
            raise PlayersError(f"a ladder needs at least 2 agents, not {self.n_agents}")
        pair = round_robin(2, self.n_players)
        return [tuple(step + agent for agent in seats) for step in range(self.n_agents - 1) for seats in pair]


class Grid(FixedMatchups):
    """Every two agents against each other only: for the same agents at growing budgets.

    In games with more than two seats the two share these as evenly as possible, so that a cell of the grid has only
    them.
    """

    about = "every two agents against each other alone; further agents change no table"

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
        """Seat every agent in the seat of its number."""
        if n_agents != n_players:
            raise PlayersError(f"with fixed seats there are as many agents as seats, not {n_agents} for {n_players}")
        super().__init__(n_agents, n_players, seed)
        self.n_seatings = 1

    def _matchups(self) -> list[Seats]:
        return [tuple(range(self.n_players))]


@dataclass
class RepeatedParameters(Parameters):
    """The number of games with the same chance."""

    games: int = integer(100, 2, _MOST_MATCHUPS, "the games of each block, whose agents draw other numbers each time")


class Repeated(Design):
    """One agent in all seats, many games with the chance of each block: for how much of the outcome chance decides."""

    about = "one agent in all seats, many games with the chance of each block"
    parameters_class: ClassVar[type[Parameters]] = RepeatedParameters
    is_fixed: ClassVar[bool] = True

    def __init__(self, n_agents: int, n_players: int, seed: int, games: int = 100) -> None:
        """Let the agent play ``games`` games in each block."""
        super().__init__(n_agents, n_players, seed)
        if n_agents != 1:
            raise PlayersError(f"design repeated is for 1 agent, which sits in all seats, not {n_agents}")
        self.n_matchups = games
        self.n_seatings = 1

    def agents(self, block: int, matchup: int, seating: int) -> Seats:
        """Return the agent in each seat."""
        return (0,) * self.n_players


class Played(Design):
    """Games of people, each a block, as they were played: only the ledger has who sat where."""

    about = "games that people have played at tables"

    def __init__(self, n_agents: int, n_players: int, seed: int) -> None:
        """Know of one game in each block."""
        super().__init__(n_agents, n_players, seed)
        self.n_matchups = 1
        self.n_seatings = 1

    def agents(self, block: int, matchup: int, seating: int) -> Seats:
        """Refuse to seat anyone.

        Raises:
            PlayersError: always.
        """
        raise PlayersError("games of people are played at tables, with tag table; a tournament cannot have them played")

    def continues(self, shorter: Design) -> bool:
        """Take any further agents."""
        return isinstance(shorter, Played)


def round_robin(n_agents: int, n_players: int) -> list[Seats]:
    """Return the match-ups in which every agent meets every other, as the agents' numbers by seat.

    A single agent meets itself. With enough agents these are all combinations, those of the first agents first. With
    fewer agents than seats, agents sit in several seats, as evenly as possible. The match-ups are all choices of the
    agents with one seat more, and copies sit far apart (three agents at four seats: ``0102``, ``1012``, ``2021`` in
    some rotation; two agents: ``0101``).

    Raises:
        PlayersError: there are no agents, or too many for all to meet.

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
    """Return the match-ups by their last agent, then the one before, …: those with a later agent follow all others."""
    return sorted(matchups, key=lambda seats: seats[::-1])


def _spread(n_agents: int, copies: int, favoured: Seats) -> Seats:
    """Seat every agent ``copies`` times and the ``favoured`` once more.

    The favoured sit in ``copies + 1`` rows; between the rows are equal parts of the others' rows.
    """
    others = [agent for agent in range(n_agents) if agent not in favoured] * copies
    seats: list[int] = []
    for row in range(copies + 1):
        begin, end = (len(others) * part // (copies + 1) for part in (row, row + 1))
        seats += [*favoured, *others[begin:end]]
    return tuple(seats)
