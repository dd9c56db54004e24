"""Designs by name, and those whose match-ups are known beforehand or moved to contenders for the best agent."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement, permutations
from math import comb, exp, factorial, gcd
from typing import ClassVar, Final

from tag.catalogue.registry import canonical, spec_of
from tag.engine.parameters import Parameters, Spec, integer, real
from tag.engine.rng import Rng, derive_seed
from tag.errors import PlayersError, UnknownNameError
from tag.tournaments.designs.design import Design, Seats
from tag.tournaments.designs.rounds import Knockout, Swiss
from tag.tournaments.statistics.sequential import BestAgent, Outcome

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


# --- round robins -----------------------------------------------------------------------------------------------------


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


# --- balanced random tables, for too many agents to play all combinations ---------------------------------------------


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
        tries = _TRIES_PER_TABLE * self.n_matchups
        for number in range(tries):
            if self.n_matchups == 1 or self._meetings.is_balanced:
                break
            self._try_exchange(tables, rng, _HOTTEST * (1.0 - number / tries))

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
        self._meetings.count((one, other), -1)
        one[i], other[j] = other[j], one[i]
        self._meetings.count((one, other), 1)


def _has_twins(tables: list[Table]) -> bool:
    """Say whether the same agents sit at two tables, which would play the same games with the same seed."""
    return len({frozenset(table) for table in tables}) < len(tables)


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


# --- search for the best agent: games move to the contenders ----------------------------------------------------------


@dataclass
class BestAgentParameters(Parameters):
    """The end of the search, and the number of tables set at once."""

    confidence: float = real(0.95, 0.5, 0.9999, "the probability to be the best at which the search ends")
    indifference: float = real(0.0, 0.0, 400.0, "how much weaker than the best is good enough, in Elo")
    batch: int = integer(8, 1, 100_000, "the blocks that are decided on together; two batches are in play")


class BestAgentDesign(Design):
    """One table in each block, with agents that may still be the best (`tag.tournaments.statistics.sequential`).

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


#: All designs, by name.
DESIGNS: Final[dict[str, type[Design]]] = {
    "round_robin": RoundRobin,
    "self_play": SelfPlay,
    "exhaustive": Exhaustive,
    "balanced": Balanced,
    "gauntlet": Gauntlet,
    "ladder": Ladder,
    "grid": Grid,
    "fixed": Fixed,
    "repeated": Repeated,
    "swiss": Swiss,
    "knockout": Knockout,
    "best_agent": BestAgentDesign,
}

DEFAULT_DESIGN: Final = "round_robin"
#: The design of games that are not planned but recorded; no tournament can be begun with it.
PLAYED: Final = "played"


def make_design(text: str | Spec, n_agents: int, n_players: int, seed: int) -> Design:
    """Return the design of the spec ``text`` for so many agents and seats.

    >>> design = make_design("gauntlet", 3, 2, seed=1)
    >>> [design.agents(0, matchup, seating) for matchup in range(2) for seating in range(2)]
    [(0, 1), (1, 0), (0, 2), (2, 0)]
    >>> make_design("gauntlett", 3, 2, seed=1)
    Traceback (most recent call last):
        ...
    tag.errors.UnknownNameError: no design named 'gauntlett'; did you mean 'gauntlet'?

    Raises:
        UnknownNameError: there is no such design, or it has no such parameter.
        ParameterError: a value is out of range.
        PlayersError: it cannot seat so many.
    """
    spec = spec_of(text)
    kind: Callable[..., Design] = design_class(spec)
    canonical_design(spec)  # names the design in a refusal
    return kind(n_agents, n_players, seed, **design_class(spec).parameters_class.from_values(spec.values).values())


def canonical_design(text: str | Spec) -> str:
    """Return the spec of a design with only the parameters that differ from their defaults.

    >>> canonical_design("round_robin"), canonical_design("repeated:games=50")
    ('round_robin', 'repeated:games=50')
    """
    spec = spec_of(text)
    return canonical(spec, design_class(spec).parameters_class)


def design_class(text: str | Spec) -> type[Design]:
    """Return the class of a design by its spec."""
    name = spec_of(text).name
    if name == PLAYED:
        return Played
    if name not in DESIGNS:
        raise UnknownNameError.of("design", name, DESIGNS)
    return DESIGNS[name]
