"""Swiss tournaments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import ceil, log2
from typing import ClassVar, Final

from tag.engine.parameters import Parameters, real
from tag.errors import PlayersError
from tag.tournaments.designs.games import Seats
from tag.tournaments.designs.rounds.design import RoundDesign, Stage
from tag.tournaments.designs.rounds.results import exact

#: Steps of a point in which differences of points are compared: costs of pairs are whole numbers, so that the pairs of least
#: cost are the same on every machine.
_STEPS_PER_POINT: Final = 1_000_000
#: The opponent of an agent with a bye.
_BYE: Final = -1
#: Agents more places apart are paired only if there is no other way without a repeated pair: among 256 agents, to look at
#: all pairs takes 7.7 s of CPU time, and 1.8 s up to these.
_NEAR: Final = 32


@dataclass
class SwissParameters(Parameters):
    """The worth of a bye."""

    bye: float = real(1.0, 0.0, 1.0, "the points of a bye in every game of its round: 1 as a win, 0.5 as a draw")


class Swiss(RoundDesign):
    """Agents with about the same points so far meet, and no two meet twice as long as that is possible.

    There are as many rounds as halvings of the field down to one. If the tables do not seat all agents, those with the
    fewest points that have had no bye yet have one. A bye counts as a win in every game of the round, unless ``bye`` says
    otherwise (FIDE Handbook, C.04.1, *Basic rules for Swiss Systems*, which also has it that no two meet twice and no one
    has two byes).

    With two seats the pairs of a round are those of least cost (a minimum-weight perfect matching; J. Edmonds, "Paths,
    trees, and flowers", Canadian Journal of Mathematics 17, 1965): they repeat as few pairs and byes as possible, then have
    the least squared differences of points, then of places. With more seats there is no such method (to find tables without
    a repeated pair is the social golfer problem); tables are set one by one and improved by exchanges.
    """

    about = "in each round, those with about the same points so far meet"
    name = "swiss"
    parameters_class: ClassVar[type[Parameters]] = SwissParameters

    def __init__(self, n_agents: int, n_players: int, seed: int, bye: float = 1.0) -> None:
        """Set the tables of the first round: neighbours in the list are far apart."""
        super().__init__(n_agents, n_players, seed)
        if n_agents < n_players:
            raise PlayersError(
                f"a Swiss tournament needs at least as many agents as seats, {n_players}, not {n_agents}"
            )
        self.n_rounds = max(1, ceil(log2(n_agents / n_players)) + 1)
        self._bye = exact(bye)
        self._points = [Fraction(0)] * n_agents
        self._met: Counter[tuple[int, int]] = Counter()
        self._byes: Counter[int] = Counter()
        n_tables = n_agents // n_players
        seated = range(n_tables * n_players)
        self._set([tuple(seated[table::n_tables]) for table in range(n_tables)])

    def _tables_in(self, number: int) -> int:
        return self.n_agents // self.n_players

    def _end_stage(self, stage: Stage, games: Fraction) -> None:
        ended = self.rounds[-1]
        for table in ended.tables:
            for agent, points in zip(table.agents, table.points, strict=True):
                self._points[agent] += points
        for agent in ended.byes:
            self._points[agent] += self._bye * games
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

    def _scores(self) -> list[tuple[int, Fraction]]:
        return [(agent, self._points[agent]) for agent in self._standing()]

    def _winners(self) -> Seats:
        return tuple(agent for agent, points in enumerate(self._points) if points == max(self._points))

    def _standing(self) -> list[int]:
        """Return the agents, best first; equal ones in the order of the list."""
        return sorted(range(self.n_agents), key=lambda agent: (-self._points[agent], agent))

    def _pairs(self) -> list[Seats]:
        """Return the pairs of least cost, the best first."""
        import networkx as nx  # noqa: PLC0415  a fifth of what `tag.tournaments` takes to load, for this design alone

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
