"""Designs in rounds, Swiss and knockout: the tables of a round follow from the results of the rounds before."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import ceil, fsum, log2
from typing import Any, ClassVar, Final, NamedTuple

import networkx as nx

from tag.engine.rng import Rng, derive_seed
from tag.errors import PlayersError
from tag.tournaments.designs.design import Design, Seats
from tag.tournaments.statistics.intervals import plain_record
from tag.tournaments.statistics.sequential import Outcome

#: A table whose first place is shared plays so many further blocks at most. Two equal agents that share a block in one of
#: two cases are then level in one of a thousand tables.
MOST_TIE_BREAKS: Final = 10


# --- the results of rounds --------------------------------------------------------------------------------------------


@dataclass
class RoundTable:
    """A table of a round.

    Attributes:
        agents: their numbers, in the order of the first seating.
        points: of each in the blocks of the round; empty before these have been played.
        tie_breaks: the points of each in every further block, played because the first place was shared.
        out: those who failed every game of the round: by faults they forfeited or voided it.
        through: in a knockout, who goes on or has won: one agent, but none where all failed every game, and several where
            the final is still level after the last tie-break. Empty while it is undecided.
        by_lot: whether ``through`` was drawn by lot, as it was still level after the last tie-break.
    """

    agents: Seats
    points: tuple[float, ...] = ()
    tie_breaks: list[tuple[float, ...]] = field(default_factory=list)
    out: Seats = ()
    through: Seats = ()
    by_lot: bool = False

    def leaders(self) -> list[int]:
        """Return who shares the first place, by the points of the round and then of each tie-break in turn."""
        level = [agent for agent in self.agents if agent not in self.out]
        for points in (self.points, *self.tie_breaks):
            of_agents = dict(zip(self.agents, points, strict=True))
            most = max((of_agents[agent] for agent in level), default=0.0)
            level = [agent for agent in level if of_agents[agent] == most]
        return level


@dataclass
class Round:
    """The tables of a round, and the agents with a bye: without a table, as the tables have too few seats."""

    tables: list[RoundTable]
    byes: Seats = ()


@dataclass(frozen=True, slots=True)
class TableResult:
    """The result of a table, as `RoundTable` with the agents' labels.

    Attributes:
        round: its number, from 1.
    """

    round: int
    agents: tuple[str, ...]
    points: tuple[float, ...]
    tie_breaks: tuple[tuple[float, ...], ...]
    out: tuple[str, ...]
    through: tuple[str, ...]
    by_lot: bool


@dataclass(frozen=True, slots=True)
class RoundsResult:
    """The rounds of a tournament so far.

    Attributes:
        design: ``swiss`` or ``knockout``.
        n_rounds: how many it has in all.
        byes: round, from 1, and agent of each bye.
        scores: in a Swiss tournament, the points of each agent, byes included, the best first; else empty.
        winners: who is first, once the last round has been played: one agent, several if they share it, or none if no agent
            of a knockout played a valid game.
        is_decided: whether the last round has been played.
    """

    design: str
    n_rounds: int
    tables: tuple[TableResult, ...]
    byes: tuple[tuple[int, str], ...]
    scores: tuple[tuple[str, float], ...]
    winners: tuple[str, ...]
    is_decided: bool

    @property
    def text(self) -> str:
        """The outcome in a line."""
        if not self.is_decided:
            return f"{self.design}: {self._played()} of {self.n_rounds} rounds played"
        if not self.winners:
            return f"{self.design}: no winner, as no agent at the last tables played a valid game"
        if len(self.winners) == 1:
            return f"{self.design}: {self.winners[0]} wins after {self._rounds(self.n_rounds)}"
        shared = " and ".join(self.winners)
        return f"{self.design}: {shared} share the first place after {self._rounds(self.n_rounds)}"

    def to_json(self) -> dict[str, Any]:
        """Return all attributes as plain values; a table, a bye and a score are each an object."""
        return {
            "design": self.design,
            "n_rounds": self.n_rounds,
            "tables": [plain_record(table) for table in self.tables],
            "byes": [{"round": number, "agent": agent} for number, agent in self.byes],
            "scores": [{"agent": agent, "points": points} for agent, points in self.scores],
            "winners": list(self.winners),
            "is_decided": self.is_decided,
            "text": self.text,
        }

    def _played(self) -> int:
        begun = max((table.round for table in self.tables), default=1)
        is_open = any(table.round == begun and not table.points for table in self.tables)
        return begun - is_open

    @staticmethod
    def _rounds(number: int) -> str:
        return f"{number} round{'s' if number != 1 else ''}"


# --- designs in rounds ------------------------------------------------------------------------------------------------


class _Stage(NamedTuple):
    """Blocks with the same tables: those of a round, or one further block of the tables that are level."""

    round: int
    tables: tuple[int, ...]
    is_tie_break: bool


class RoundDesign(Design):
    """A design whose tables are set anew for each round, and played in all rotations in each block of it.

    A round is a *stage*, as is each further block for the tables of a round that are level. ``block`` means the number of
    the stage here. `learn` needs the games of a stage before the next one can be requested.

    A game that a fault voided is lost by those whose faults voided it, and the others share its point: nobody can save
    points by voiding a game.

    Attributes:
        rounds: those with known tables.
        is_over: whether the last round has been played.
    """

    learns: ClassVar[bool] = True
    in_rounds: ClassVar[bool] = True
    name: ClassVar[str]

    def __init__(self, n_agents: int, n_players: int, seed: int) -> None:
        """Plan no round yet."""
        super().__init__(n_agents, n_players, seed)
        if n_players < 2:
            raise PlayersError("tables need at least 2 seats for anyone to meet anyone")
        self.n_seatings = n_players
        self.rounds: list[Round] = []
        self.is_over = False
        self._stages: list[_Stage] = []

    def agents(self, block: int, matchup: int, seating: int) -> Seats:
        """Return a table of the stage ``block``, rotated by ``seating`` seats."""
        stage = self._stages[block]
        first = self.rounds[stage.round].tables[stage.tables[matchup]].agents
        return first[seating:] + first[:seating]

    def matchups_in(self, block: int) -> int:
        """Return the number of tables in the stage ``block``; of one that is not known yet, the most it can have."""
        return len(self._stages[block].tables) if block < self.known else self.n_agents // self.n_players

    def is_tie_break(self, stage: int) -> bool:
        """Say whether a known stage is one further block of tables that were level."""
        return self._stages[stage].is_tie_break

    @property
    def known(self) -> int:
        """The number of stages with known tables."""
        return len(self._stages)

    @property
    def matchups_to_come(self) -> int:
        """The tables of all rounds whose tables are not known yet."""
        return sum(self._tables_in(number) for number in range(len(self.rounds), self.n_rounds))

    def learn(self, games: Sequence[Outcome]) -> None:
        """Learn from all games of the latest stage, and set the tables of the next one, if there is one."""
        if self.is_over:
            return
        stage = self._stages[-1]
        tables = [self.rounds[stage.round].tables[number] for number in stage.tables]
        for table, of_table in zip(tables, _by_table(games, tables), strict=True):
            points = _points(of_table, table.agents)
            if stage.is_tie_break:
                table.tie_breaks.append(points)
            else:
                table.points = points
                table.out = _without_valid_game(of_table, table.agents)
        self._end_stage(stage, len(games) / max(len(tables), 1))

    def result(self, labels: Sequence[str]) -> RoundsResult:
        """Return the rounds so far, with the labels of the agents by number."""

        def named(agents: Iterable[int]) -> tuple[str, ...]:
            return tuple(labels[agent] for agent in agents)

        numbered = list(enumerate(self.rounds, start=1))
        return RoundsResult(
            design=self.name,
            n_rounds=self.n_rounds,
            tables=tuple(
                TableResult(
                    round=number,
                    agents=named(table.agents),
                    points=table.points,
                    tie_breaks=tuple(table.tie_breaks),
                    out=named(table.out),
                    through=named(table.through),
                    by_lot=table.by_lot,
                )
                for number, one in numbered
                for table in one.tables
            ),
            byes=tuple((number, labels[agent]) for number, one in numbered for agent in one.byes),
            scores=tuple((labels[agent], points) for agent, points in self._scores()),
            winners=named(self._winners()) if self.is_over else (),
            is_decided=self.is_over,
        )

    def _tables_in(self, number: int) -> int:
        """Return the number of tables in a round."""
        raise NotImplementedError

    def _end_stage(self, stage: _Stage, games: float) -> None:
        """Set the next stage, or end the tournament, after a stage with so many games at each table."""
        raise NotImplementedError

    def _scores(self) -> list[tuple[int, float]]:
        """Return the agents with their points, the best first, where these decide who wins."""
        return []

    def _winners(self) -> Seats:
        """Return who is first after the last round."""
        raise NotImplementedError

    def _begin_round(self, tables: Iterable[Sequence[int]], byes: Seats = ()) -> None:
        self.rounds.append(Round([RoundTable(tuple(table)) for table in tables], byes))
        self._begin_stage(range(len(self.rounds[-1].tables)), is_tie_break=False)

    def _begin_stage(self, tables: Iterable[int], *, is_tie_break: bool) -> None:
        self._stages.append(_Stage(len(self.rounds) - 1, tuple(tables), is_tie_break))
        self.n_matchups = len(self._stages[-1].tables)


def _by_table(games: Sequence[Outcome], tables: Sequence[RoundTable]) -> Iterator[list[Outcome]]:
    """Yield the games of each table.

    Games of other agents count nowhere. There are some if shards of a ledger were lost and agents have time limits: games
    played again may end differently, and other agents then go on.
    """
    found: dict[frozenset[int], list[Outcome]] = defaultdict(list)
    for game in games:
        found[frozenset(game.agents)].append(game)
    return (found[frozenset(table.agents)] for table in tables)


def _points(games: Sequence[Outcome], agents: Seats) -> tuple[float, ...]:
    """Return the points of ``agents`` in the games of their table; the sums are exact to rounding, in any order."""
    won: dict[int, list[float]] = {agent: [] for agent in agents}
    for game in games:
        for agent, points in zip(game.agents, _shares(game), strict=True):
            won[agent].append(points)
    return tuple(fsum(won[agent]) for agent in agents)


def _shares(game: Outcome) -> tuple[float, ...]:
    """Return the points by seat; those of a void game are shared by the agents whose faults did not void it."""
    if not game.void:
        return game.points
    others = [agent for agent in game.agents if agent not in game.failed]
    return tuple(1.0 / len(others) if agent in others else 0.0 for agent in game.agents)


def _without_valid_game(games: Sequence[Outcome], agents: Seats) -> Seats:
    """Return the agents that failed every one of these games."""
    return tuple(agent for agent in agents if games and all(agent in game.failed for game in games))


# --- Swiss ------------------------------------------------------------------------------------------------------------


#: Steps of a point in which differences of points are compared: costs of pairs are whole numbers, so that the pairs of least
#: cost are the same on every machine.
_STEPS_PER_POINT: Final = 1_000_000
#: The opponent of an agent with a bye.
_BYE: Final = -1
#: Agents more places apart are paired only if there is no other way without a repeated pair: among 256 agents, to look at
#: all pairs takes 7.7 s of CPU time, and 1.8 s up to these.
_NEAR: Final = 32


class Swiss(RoundDesign):
    """Agents with about the same points so far meet, and no two meet twice as long as that is possible.

    There are as many rounds as halvings of the field down to one. If the tables do not seat all agents, those with the
    fewest points that have had no bye yet have one. A bye counts as a win in every game of the round (FIDE Handbook,
    C.04.1, *Basic rules for Swiss Systems*, which also has it that no two meet twice and no one has two byes).

    With two seats the pairs of a round are those of least cost (a minimum-weight perfect matching; J. Edmonds, "Paths,
    trees, and flowers", Canadian Journal of Mathematics 17, 1965): they repeat as few pairs and byes as possible, then have
    the least squared differences of points, then of places. With more seats there is no such method (to find tables without
    a repeated pair is the social golfer problem); tables are set one by one and improved by exchanges.
    """

    about = "in each round, those with about the same points so far meet"
    name = "swiss"

    def __init__(self, n_agents: int, n_players: int, seed: int) -> None:
        """Set the tables of the first round: neighbours in the list are far apart."""
        super().__init__(n_agents, n_players, seed)
        if n_agents < n_players:
            raise PlayersError(
                f"a Swiss tournament needs at least as many agents as seats, {n_players}, not {n_agents}"
            )
        self.n_rounds = max(1, ceil(log2(n_agents / n_players)) + 1)
        self._points = [0.0] * n_agents
        self._met: Counter[tuple[int, int]] = Counter()
        self._byes: Counter[int] = Counter()
        n_tables = n_agents // n_players
        seated = range(n_tables * n_players)
        self._set([tuple(seated[table::n_tables]) for table in range(n_tables)])

    def _tables_in(self, number: int) -> int:
        return self.n_agents // self.n_players

    def _end_stage(self, stage: _Stage, games: float) -> None:
        ended = self.rounds[-1]
        for table in ended.tables:
            for agent, points in zip(table.agents, table.points, strict=True):
                self._points[agent] = fsum([self._points[agent], points])
        for agent in ended.byes:
            self._points[agent] = fsum([self._points[agent], games])
        if len(self.rounds) == self.n_rounds:
            self.is_over = True
        elif self.n_players == 2:
            self._set(self._pairs())
        else:
            self._set(self._tables())

    def _set(self, tables: Sequence[Seats]) -> None:
        byes = tuple(sorted(set(range(self.n_agents)).difference(*tables)))
        self._begin_round(tables, byes)
        self._byes.update(byes)
        self._met.update(pair for table in tables for pair in combinations(sorted(table), 2))

    def _scores(self) -> list[tuple[int, float]]:
        return [(agent, self._points[agent]) for agent in self._standing()]

    def _winners(self) -> Seats:
        return tuple(agent for agent, points in enumerate(self._points) if points == max(self._points))

    def _standing(self) -> list[int]:
        """Return the agents, best first; equal ones in the order of the list."""
        return sorted(range(self.n_agents), key=lambda agent: (-self._points[agent], agent))

    def _pairs(self) -> list[Seats]:
        """Return the pairs of least cost, the best first."""
        standing = self._standing()
        nodes = [*standing, *([_BYE] if self.n_agents % 2 else [])]
        cost = self._cost_of_pairs(standing)
        for reach in (_NEAR, len(nodes)):
            graph = nx.Graph()
            for one, other in combinations(range(len(nodes)), 2):
                if other - one <= reach:
                    graph.add_edge(one, other, weight=-cost(nodes[one], nodes[other]))
            found = sorted(tuple(sorted(pair)) for pair in nx.max_weight_matching(graph, maxcardinality=True))
            pairs = [(nodes[one], nodes[other]) for one, other in found]
            if 2 * len(pairs) == len(nodes) and not any(self._repeated(*pair) for pair in pairs):
                break
        return [pair for pair in pairs if _BYE not in pair]

    def _cost_of_pairs(self, standing: Sequence[int]) -> Callable[[int, int], int]:
        """Return the cost of a pair as a whole number: meetings, then points, then places.

        Each weighs more than the sum of the next over all pairs can. The bye is an opponent below the last.
        """
        place = {agent: number for number, agent in enumerate(standing)} | {_BYE: len(standing)}
        steps = {agent: round(self._points[agent] * _STEPS_PER_POINT) for agent in standing}
        steps[_BYE] = min(steps.values())
        most = len(place) * (max(steps.values()) - min(steps.values())) ** 2 + 1
        of_places = len(place) ** 3

        def cost(one: int, other: int) -> int:
            met = self._repeated(one, other)
            return (met * most + (steps[one] - steps[other]) ** 2) * of_places + (place[one] - place[other]) ** 2

        return cost

    def _repeated(self, one: int, other: int) -> int:
        """Return how often two agents have met, or the first has had a bye."""
        return self._byes[one] if other == _BYE else self._met[min(one, other), max(one, other)]

    def _tables(self) -> list[Seats]:
        """Return tables of more than two seats: neighbours in the standings, exchanged as long as that is better."""
        standing = self._standing()
        n_out = self.n_agents % self.n_players
        last_first = standing[::-1]
        out = sorted(last_first, key=lambda agent: self._byes[agent])[:n_out]
        waiting = [agent for agent in standing if agent not in out]
        tables: list[list[int]] = []
        while waiting:
            table = [waiting.pop(0)]
            while len(table) < self.n_players:
                strangest = min(waiting, key=lambda agent: self._meetings(agent, table))  # the first of the best
                waiting.remove(strangest)
                table.append(strangest)
            tables.append(table)
        place = {agent: number for number, agent in enumerate(standing)}
        while self._exchange(tables, place):
            pass
        return [tuple(sorted(table, key=place.__getitem__)) for table in tables]

    def _exchange(self, tables: list[list[int]], place: dict[int, int]) -> bool:
        """Exchange two agents of different tables for one repeated pair fewer at least; return whether that was possible.

        Of all such exchanges, the one between the nearest places is made.
        """
        best: tuple[int, list[int], int, list[int], int] | None = None
        for one, other in combinations(tables, 2):
            if not (self._repeats(one) or self._repeats(other)):
                continue
            for i in range(self.n_players):
                for j in range(self.n_players):
                    distance = abs(place[one[i]] - place[other[j]])
                    if (best is None or distance < best[0]) and self._gain(one, i, other, j) > 0:
                        best = distance, one, i, other, j
        if best is None:
            return False
        _distance, one, i, other, j = best
        one[i], other[j] = other[j], one[i]
        return True

    def _gain(self, one: list[int], i: int, other: list[int], j: int) -> int:
        """Return how many repeated pairs fewer there are after an exchange."""
        new_one, new_other = [*one[:i], other[j], *one[i + 1 :]], [*other[:j], one[i], *other[j + 1 :]]
        before, after = (sum(map(self._repeats, pair)) for pair in ((one, other), (new_one, new_other)))
        return before - after

    def _repeats(self, table: Sequence[int]) -> int:
        return sum(self._met[pair] for pair in combinations(sorted(table), 2))

    def _meetings(self, agent: int, table: Sequence[int]) -> int:
        return sum(self._met[min(agent, other), max(agent, other)] for other in table)


# --- knockout ---------------------------------------------------------------------------------------------------------


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
        rounds, size = 0, 1
        while size < n_agents:
            rounds, size = rounds + 1, size * n_players
        if size != n_agents or not rounds:
            near = " or ".join(str(number) for number in (size // n_players, size) if number > 1)
            raise PlayersError(f"a knockout at tables of {n_players} seats {near} agents, not {n_agents}")
        self.n_rounds = rounds
        self._seed = seed
        self._left: Seats = ()
        self._seat(list(range(n_agents)))

    def _tables_in(self, number: int) -> int:
        return int(self.n_agents // self.n_players ** (number + 1))

    def _end_stage(self, stage: _Stage, games: float) -> None:
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
