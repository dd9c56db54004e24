"""Designs in rounds."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import ClassVar, NamedTuple

from tag.errors import PlayersError
from tag.tournaments.designs.design import Design
from tag.tournaments.designs.games import Seats
from tag.tournaments.designs.rounds.results import Round, RoundsResult, RoundTable, TableResult, exact
from tag.tournaments.statistics.stopping.outcomes import Outcome


class Stage(NamedTuple):
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
        self._stages: list[Stage] = []

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
        self._end_stage(stage, Fraction(len(games), max(len(tables), 1)))

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
                    points=_floats(table.points),
                    tie_breaks=tuple(map(_floats, table.tie_breaks)),
                    out=named(table.out),
                    through=named(table.through),
                    by_lot=table.by_lot,
                )
                for number, one in numbered
                for table in one.tables
            ),
            byes=tuple((number, labels[agent]) for number, one in numbered for agent in one.byes),
            scores=tuple((labels[agent], float(points)) for agent, points in self._scores()),
            winners=named(self._winners()) if self.is_over else (),
            is_decided=self.is_over,
        )

    def _tables_in(self, number: int) -> int:
        """Return the number of tables in a round."""
        raise NotImplementedError

    def _end_stage(self, stage: Stage, games: Fraction) -> None:
        """Set the next stage, or end the tournament, after a stage with so many games at each table."""
        raise NotImplementedError

    def _scores(self) -> list[tuple[int, Fraction]]:
        """Return the agents with their points, the best first, where these decide who wins."""
        return []

    def _winners(self) -> Seats:
        """Return who is first after the last round."""
        raise NotImplementedError

    def _begin_round(self, tables: Iterable[Sequence[int]], byes: Seats = ()) -> None:
        self.rounds.append(Round([RoundTable(tuple(table)) for table in tables], byes))
        self._begin_stage(range(len(self.rounds[-1].tables)), is_tie_break=False)

    def _begin_stage(self, tables: Iterable[int], *, is_tie_break: bool) -> None:
        self._stages.append(Stage(len(self.rounds) - 1, tuple(tables), is_tie_break))
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


def _points(games: Sequence[Outcome], agents: Seats) -> tuple[Fraction, ...]:
    """Return the points of ``agents`` in the games of their table, exact: the shares of a game's point are 1/k."""
    won = Counter(pair for game in games for pair in zip(game.agents, _shares(game), strict=True))
    points = dict.fromkeys(agents, Fraction(0))
    for (agent, share), number in won.items():
        points[agent] += number * exact(share)
    return tuple(points.values())


def _floats(points: Iterable[Fraction]) -> tuple[float, ...]:
    return tuple(map(float, points))


def _shares(game: Outcome) -> tuple[float, ...]:
    """Return the points by seat; those of a void game are shared by the agents whose faults did not void it."""
    if not game.void:
        return game.points
    others = [agent for agent in game.agents if agent not in game.failed]
    return tuple(1.0 / len(others) if agent in others else 0.0 for agent in game.agents)


def _without_valid_game(games: Sequence[Outcome], agents: Seats) -> Seats:
    """Return the agents that failed every one of these games."""
    return tuple(agent for agent in agents if games and all(agent in game.failed for game in games))
