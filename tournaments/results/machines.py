"""Results by machine, and agents that remember deals: both are found from differences between processes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final, Self

import numpy as np
import numpy.typing as npt
import pandas as pd
import scipy

from tag.tournaments.definition import Rules
from tag.tournaments.designs.schedule import Schedule, playing_key
from tag.tournaments.ledger.folder import Folder, FolderOrPath
from tag.tournaments.ledger.reading import LedgerGames
from tag.tournaments.results.tournament import judged
from tag.tournaments.statistics.intervals import Bools, Floats, Ints
from tag.tournaments.statistics.plain_records import plain
from tag.tournaments.statistics.standings import Standing, standings

# --- homogeneity ------------------------------------------------------------------------------------------------------
#
# Results must not depend on the machine, or the worker, that played the games. A machine whose results differ is
# overloaded, overheated or broken, and its games are worth nothing. As in computer chess (the residuals of fishtest's
# workers), each place, a machine or a worker, is compared with all others:
#
# * The residual of a game's points is what remains after subtracting the mean of the games between the same agents in
#   the same seats. Residuals are added up by block and place. The games of a block share their luck and cancel it by
#   their seatings, so the variance of these sums is taken from the sums themselves, not from games.
# * The total of a place is compared with its expected variance, for all agents at once: chi-square with as many degrees
#   of freedom as agents can differ in.
# * With k places tested, one is flagged below a p-value of 0.05 / k (Bonferroni), the worst first. The others are then
#   compared again without it, because its games have distorted the means.
#
# A place with games in fewer than 20 blocks is not tested: too few to tell it apart, or to do much harm.


#: The greatest chance that any place is flagged although all are equal.
ALPHA: Final = 0.05
#: The blocks that a place, and all others together, need for a test.
LEAST_BLOCKS: Final = 20
#: With fewer games than this, on average, between the same agents in the same seats, means are by agent and seat alone.
_GAMES_PER_TABLE: Final = 8.0
#: The rounding error of a sum of zero, in points.
_ROUNDING: Final = 1e-9

#: Directions in which agents hardly vary are left out, as is their sum if every game has a winner. A correlation matrix
#: has eigenvalues of 1 on average, and errors of each agent's own estimates would be magnified in these directions.
_LEAST_EIGENVALUE: Final = 0.05

MACHINE: Final = "machine"
WORKER: Final = "worker"


@dataclass(frozen=True, slots=True)
class PlaceTest:
    """The comparison of a place with all others of its kind.

    Attributes:
        place: the machine's address, or that with the number of the process there.
        kind: `MACHINE` or `WORKER`.
        chi_square: the distance of its games from what is expected; 0 where it was not tested.
        degrees: of freedom; 0 where it was not tested.
        p_value: the chance of at least such a distance at one place; 1 where it was not tested.
        is_flagged: whether that is too much for chance among all places.
        shifts: the points per game of each agent there above its expected points, by the agent's number; nan for one
            that has not played there.
    """

    place: str
    kind: str
    games: int
    blocks: int
    chi_square: float
    degrees: int
    p_value: float
    is_flagged: bool
    shifts: tuple[float, ...]


@dataclass
class GameArrays:
    """Games as arrays: all that were played and are not void.

    Attributes:
        block: of each game, of shape (games,).
        agents: the agent in each seat, of shape (games, seats).
        points: of each seat, of shape (games, seats).
        n_agents: in the tournament.
    """

    block: Ints
    agents: Ints
    points: Floats
    n_agents: int

    @classmethod
    def of(cls, parts: Iterable[tuple[pd.DataFrame, pd.DataFrame]]) -> Self:
        """Return all games of a ledger, by its games and seats, in parts; at least one."""
        block, agents, points, n_agents = [], [], [], 0
        for games, seats in parts:
            shape = (len(games), int(seats["seat"].max()) + 1 if len(seats) else 0)
            block.append(games["block"].to_numpy(dtype=np.int64))
            agents.append(seats["agent_index"].to_numpy(dtype=np.int64).reshape(shape))
            points.append(seats["points"].to_numpy(dtype=np.float64).reshape(shape))
            n_agents = len(seats["agent"].cat.categories)
        return cls(np.concatenate(block), np.concatenate(agents), np.concatenate(points), n_agents)

    def where(self, mask: Bools) -> Self:
        """Return those of the games for which ``mask`` is true."""
        return replace(self, block=self.block[mask], agents=self.agents[mask], points=self.points[mask])


def place_tests(games: GameArrays, workers: npt.NDArray[np.str_]) -> list[PlaceTest]:
    """Return a test for each machine, if there are several, and for each worker that is not alone on its machine.

    Args:
        games: those that are not void.
        workers: the worker that played each of the games (``10.0.0.2/1234``), empty where unknown.
    """
    is_known = workers != ""
    if not is_known.any():
        return []
    played = games.where(is_known)
    kinds = {MACHINE: machine_of(workers[is_known]), WORKER: workers[is_known]}
    names = pd.unique(workers[is_known])
    shown = {MACHINE: machine_of(names), WORKER: _with_neighbours(names)}
    several = {kind: places for kind, places in kinds.items() if len(set(shown[kind])) > 1}
    n_tests = sum(n_testable(played, places, shown[kind]) for kind, places in several.items())
    tests = [test for kind, places in several.items() for test in compared(played, kind, places, n_tests)]
    return [test for test in tests if test.place in shown[test.kind]]


def machine_of(workers: npt.NDArray[np.str_]) -> npt.NDArray[np.str_]:
    """Return the machine of each worker."""
    number, names = pd.factorize(workers)
    return np.array([str(name).partition("/")[0] for name in names], dtype=np.str_)[number]


def n_testable(games: GameArrays, places: npt.NDArray[np.str_], shown: npt.NDArray[np.str_]) -> int:
    """Return how many of those ``shown`` of all ``places``, one per game, have enough blocks for a test."""
    place, names = pd.factorize(places, sort=True)
    return int((_is_testable(games.block, place, len(names)) & np.isin(names, shown)).sum())


def _with_neighbours(names: npt.NDArray[np.str_]) -> npt.NDArray[np.str_]:
    """Return the workers on whose machine there are others; one that is alone there is compared as the machine."""
    _machines, machine, counts = np.unique(machine_of(names), return_inverse=True, return_counts=True)
    found: npt.NDArray[np.str_] = names[counts[machine] > 1]
    return found


def compared(games: GameArrays, kind: str, places: npt.NDArray[np.str_], n_tests: int) -> list[PlaceTest]:
    """Return the tests of all places of a kind.

    ``places`` says where each game was played; ``n_tests`` is the number of tests in all, also of other kinds.
    """
    place, names = pd.factorize(places, sort=True)
    alpha = ALPHA / max(n_tests, 1)
    flagged: dict[int, PlaceTest] = {}
    while True:
        left = ~np.isin(place, list(flagged))
        tests = _tests(games.where(left), kind, names, place[left], alpha)
        odd = [number for number, test in tests.items() if test.is_flagged]
        n_tested = sum(test.degrees > 0 for test in tests.values())
        if not odd or n_tested == 2:  # of two that differ, the odd one is unknown: both are flagged
            return [test for _number, test in sorted((tests | flagged).items())]
        worst = min(odd, key=lambda number: tests[number].p_value)
        flagged[worst] = tests[worst]


def _tests(
    games: GameArrays, kind: str, names: npt.NDArray[np.str_], place: Ints, alpha: float
) -> dict[int, PlaceTest]:
    """Return a test for each place that has played some of the ``games``, by its number."""
    n_places = len(names)
    is_tested = _is_testable(games.block, place, n_places)
    totals = _Totals.of(games, place, n_places)
    chi_square, rank = totals.chi_square()
    chi_square, degrees = np.where(is_tested, chi_square, 0.0), np.where(is_tested, rank, 0)
    p_value = scipy.special.chdtrc(max(rank, 1), chi_square)
    blocks = _n_blocks(games.block, place, n_places)
    n_games = np.bincount(place, minlength=n_places)
    return {
        int(number): PlaceTest(
            place=str(names[number]),
            kind=kind,
            games=int(n_games[number]),
            blocks=int(blocks[number]),
            chi_square=float(chi_square[number]),
            degrees=int(degrees[number]),
            p_value=float(p_value[number]),
            is_flagged=bool(p_value[number] < alpha),
            shifts=tuple(float(shift) for shift in totals.shifts[number]),
        )
        for number in np.flatnonzero(n_games)
    }


@dataclass
class _Totals:
    """The residual points at each place, and their expected variance.

    Attributes:
        totals: the sum of residuals over all games of each agent at each place, of shape (places, agents).
        variances: the expected squares of these, of shape (places, agents): the greater of two estimates. One
            distributes all residuals over the places, and is steady where an agent hardly ever wins. The other is from
            the place's own blocks, and accounts for parts of one block played at two places, which depend on each
            other.
        shifts: residual points per game and seat of an agent; nan where it has not played.
    """

    totals: Floats
    variances: Floats
    correlations: Floats
    shifts: Floats

    @classmethod
    def of(cls, games: GameArrays, place: Ints, n_places: int) -> _Totals:
        """Add up ``games``, each played at one of so many places."""
        n_agents = games.n_agents
        residuals, expected, n_means = residuals_of(games)
        blocks, block = np.unique(games.block, return_inverse=True)
        cells, cell = np.unique(block * n_places + place, return_inverse=True)  # the games of a block at a place
        whose, of_block = cells % n_places, cells // n_places
        left = _sums(cell, games.agents, residuals, (len(cells), n_agents))
        left[np.abs(left) < _ROUNDING] = 0.0
        expected = _sums(cell, games.agents, expected, left.shape)
        expected *= _design_effects(left, expected, np.bincount(cell))

        totals, pooled = _added(whose, left, n_places), _added(whose, expected, n_places)
        share = _ratio(pooled, pooled.sum(axis=0))
        in_block = _added(of_block, left, len(blocks))
        # The sum over blocks of (left there - share · left in the block)², by the binomial formula.
        own = _added(whose, left * (left - 2.0 * share[whose] * in_block[of_block]), n_places)
        own += share**2 * (in_block**2).sum(axis=0)
        lost = len(place) / max(len(place) - n_means, 1)
        seats = _sums(place, games.agents, np.ones_like(residuals), totals.shape)
        return cls(
            totals,
            lost * np.maximum(pooled * (1.0 - share), own),
            _correlations(left),
            np.divide(totals, seats, out=np.full(totals.shape, np.nan), where=seats > 0),
        )

    def chi_square(self) -> tuple[Floats, int]:
        """Return chi-square of each place, and its degrees of freedom."""
        scaled = _ratio(self.totals, np.sqrt(self.variances))
        values, vectors = np.linalg.eigh(self.correlations)
        is_there = values > _LEAST_EIGENVALUE
        scores: Floats = scaled @ vectors[:, is_there] / np.sqrt(values[is_there])
        return (scores**2).sum(axis=1), int(is_there.sum())


def residuals_of(games: GameArrays) -> tuple[Floats, Floats, int]:
    """Return the residual points of each seat, their variance, and how many means have been subtracted."""
    n_seats = games.agents.shape[1]
    table = np.zeros(len(games.block), dtype=np.int64)
    for agents in games.agents.T:
        table = pd.factorize(table * games.n_agents + agents)[0]
    seat = np.arange(n_seats)
    if len(table) >= _GAMES_PER_TABLE * (int(table.max(initial=-1)) + 1):
        cell = table[:, None] * n_seats + seat
    else:
        cell = games.agents * n_seats + seat
    counts = np.bincount(cell.ravel())
    sizes = np.maximum(counts, 1)
    residuals = games.points - (np.bincount(cell.ravel(), games.points.ravel()) / sizes)[cell]
    variances = (np.bincount(cell.ravel(), (residuals**2).ravel()) / sizes)[cell]
    return residuals, variances, np.count_nonzero(counts) // n_seats


def _design_effects(sums: Floats, expected: Floats, sizes: Ints) -> Floats:
    """Return for each sum over several games of a block how many times the variance of independent games it has.

    It depends on the number of games: luck cancels over all seatings, and adds up over a few.
    """
    kinds, size = np.unique(sizes, return_inverse=True)
    return _ratio(_added(size, sums**2, len(kinds)), _added(size, expected, len(kinds)))[size]


def _correlations(left: Floats) -> Floats:
    """Return the correlations between the columns of residuals, 0 for a column without any."""
    products = left.T @ left
    scale = np.sqrt(np.diag(products))
    return _ratio(products, np.outer(scale, scale))


def _is_testable(block: Ints, place: Ints, n_places: int) -> Bools:
    blocks = _n_blocks(block, place, n_places)
    is_testable: Bools = (blocks >= LEAST_BLOCKS) & (blocks.sum() - blocks >= LEAST_BLOCKS)
    return is_testable


def _n_blocks(block: Ints, place: Ints, n_places: int) -> Ints:
    """Return in how many blocks each place has played."""
    return np.bincount(pd.unique(block * n_places + place) % n_places, minlength=n_places).astype(np.int64)


def _sums(row: Ints, agents: Ints, values: Floats, shape: tuple[int, int]) -> Floats:
    """Return the sums over games of the values of each seat, by the game's row and the agent in the seat."""
    index = (row[:, None] * shape[1] + agents).ravel()
    return np.bincount(index, values.ravel(), shape[0] * shape[1]).reshape(shape).astype(np.float64)


def _added(row: Ints, values: Floats, n_rows: int) -> Floats:
    """Return the sums of the ``values`` that have the same row."""
    found = np.zeros((n_rows, values.shape[1]))
    np.add.at(found, row, values)
    return found


def _ratio(values: Floats, by: Floats) -> Floats:
    """Return ``values / by``, 0 for 0 / 0."""
    found: Floats = np.divide(values, by, out=np.zeros(np.broadcast_shapes(values.shape, by.shape)), where=by > 0.0)
    return found


# --- machines ---------------------------------------------------------------------------------------------------------
#
# The results of a tournament by machine: games played, tests for differences, and the table without deviating machines.


@dataclass(frozen=True)
class WithoutPlaces:
    """The standings without the games of some places."""

    places: tuple[str, ...]
    standings: list[Standing]


@dataclass(frozen=True)
class MachineResults:
    """The comparison of the machines and workers that have played.

    Attributes:
        tests: of all places, machines first; empty where there is one only.
        without: the standings without the flagged places; for two that differ from one another, without each.
    """

    agents: tuple[str, ...]
    tests: list[PlaceTest]
    without: list[WithoutPlaces] = field(default_factory=list)

    @property
    def flagged(self) -> list[PlaceTest]:
        """The places that differ from the others by more than chance."""
        return [test for test in self.tests if test.is_flagged]

    def sentences(self) -> list[str]:
        """Return a sentence for each place that is flagged."""
        return [self._sentence(test) for test in self.flagged]

    def to_json(self) -> dict[str, Any]:
        """Return all attributes as plain values."""
        return dict(
            plain(
                {
                    "places": [
                        {**asdict(test), "shifts": dict(zip(self.agents, test.shifts, strict=True))}
                        for test in self.tests
                    ],
                    "without": [
                        {"places": list(each.places), "agents": [standing.to_json() for standing in each.standings]}
                        for each in self.without
                    ],
                }
            )
        )

    def _sentence(self, test: PlaceTest) -> str:
        shifts = np.nan_to_num(np.array(test.shifts))
        agent = int(np.abs(shifts).argmax())
        than = "more" if shifts[agent] > 0.0 else "less"
        return (
            f"{test.kind} {test.place} is not like the others: what its {test.games:,} games came to is more than chance "
            f"(chi-square {test.chi_square:.1f} with {test.degrees} df, p = {test.p_value:.1g}); "
            f"{self.agents[agent]} has {abs(shifts[agent]):.3f} points per game {than} there than it should"
        )


def read_machines(folder: FolderOrPath) -> MachineResults:
    """Return the results of the tournament in ``folder`` by machine.

    Raises:
        DataError: there is no tournament, or its ledger is damaged.
    """
    opened = Folder.of(folder)
    games = opened.games(_COMPARED)
    return machine_results(games, games.workers(), opened.definition.schedule())


#: The columns for both kinds of comparisons, and for standings.
_COMPARED: Final = ["game_id", "seed", "agents", "results", "ordinals", "scores", "decisions", "void", "faults"]


def machine_results(games: LedgerGames, workers: npt.NDArray[np.str_], schedule: Schedule) -> MachineResults:
    """Return the results by machine of games, each played by one of the ``workers``, empty where unknown."""
    if len(pd.unique(workers)) < 2:
        return MachineResults((), [])
    is_played = ~games.column("void")
    tests = place_tests(GameArrays.of(games.frames()).where(is_played), workers[is_played])
    if not any(test.is_flagged for test in tests):
        return MachineResults(tuple(games.labels), tests)
    uncounted = judged(games, schedule)[0].uncounted()
    played, seats = (pd.concat(parts, ignore_index=True) for parts in zip(*games.frames(), strict=True))
    without = []
    for places in _left_out([test.place for test in tests if test.is_flagged], workers):
        kept = played[~_played_at(places, workers)]
        its_seats = seats[seats["game_id"].isin(kept["game_id"])]
        found = standings(kept, its_seats, games.timings(), n_seatings=schedule.design.n_seatings, uncounted=uncounted)
        without.append(WithoutPlaces(places, found))
    return MachineResults(tuple(games.labels), tests, without)


def _played_at(places: Sequence[str], workers: npt.NDArray[np.str_]) -> npt.NDArray[np.bool_]:
    """Return for each game whether it was played at one of the ``places``."""
    played: npt.NDArray[np.bool_] = np.isin(workers, places) | np.isin(machine_of(workers), places)
    return played


# --- remembered deals -------------------------------------------------------------------------------------------------
#
# All games of a block have one deal. Agents are made anew for each game, but state in their modules and classes lives
# as long as the process. A block's games are played in a random order (`tag.tournaments.designs.schedule.playing_key`), so
# it is chance whether an agent meets the deal for the first time. Hence a randomisation test:
#
# * Points are taken minus the mean of the games between the same agents in the same seats.
# * In each block and process, the mean of an agent's games is compared with its first. Mean, variance and skewness of
# the difference over all orders are known exactly, for any luck; blocks are independent of one another.
# * Their sum is compared with the normal distribution, corrected for skewness by the first term of Cornish and Fisher's
# expansion. With k agents tested, one is named below a p-value of 0.001 / k (Bonferroni): it is a grave word.
#
# Games in processes of their own (``--isolate``) are not tested: agents could remember deals only in files.


#: The share of tournaments in which chance alone names an agent.
MEMORY_ALPHA: Final = 0.001
#: The rounding error of the variance of equal points.
_VARIANCE_ROUNDING: Final = 1e-12


@dataclass(frozen=True, slots=True)
class MemoryTest:
    """The comparison of an agent's games on deals that it has met before with its first games on them.

    Attributes:
        first: its games on deals that its process had not met, of those that were followed by others on the same deal.
        later: its games on deals that its process had met.
        blocks: those in which its games had different points, which alone are informative.
        shift: the points per game of later games above those of first ones; nan without any.
        p_value: the chance of at least such a shift for one agent; 1 where there are too few blocks.
        is_flagged: whether that is too much for chance among all agents.
    """

    agent: str
    first: int
    later: int
    blocks: int
    shift: float
    p_value: float
    is_flagged: bool


@dataclass(frozen=True)
class MemoryResults:
    """The tests for remembered deals."""

    tests: list[MemoryTest]

    @property
    def flagged(self) -> list[MemoryTest]:
        """The agents that do better on deals that they have met before."""
        return [test for test in self.tests if test.is_flagged]

    def sentences(self) -> list[str]:
        """Return a sentence for each agent that is flagged."""
        return [
            f"{test.agent} seems to remember deals: in {test.later:,} games on a deal that it had played before in the same "
            f"process it has {test.shift:.3f} points per game more than in the {test.first:,} first ones "
            f"(p = {test.p_value:.1g}); play it with --isolate"
            for test in self.flagged
        ]

    def to_json(self) -> list[dict[str, Any]]:
        """Return the tests as plain values."""
        return [dict(plain(asdict(test))) for test in self.tests]


def read_memory(folder: FolderOrPath) -> MemoryResults:
    """Test whether agents of the tournament in ``folder`` remember deals.

    Raises:
        DataError: there is no tournament, or its ledger is damaged.
    """
    opened = Folder.of(folder)
    games = opened.games(_COMPARED)
    return memory_results(games, games.workers(), opened.definition.rules)


def memory_results(games: LedgerGames, workers: npt.NDArray[np.str_], rules: Rules) -> MemoryResults:
    """Test whether agents remember deals, in games that were played by ``workers``, empty where unknown."""
    is_known = ~games.column("void") & (workers != "")
    if rules.isolate or not is_known.any():
        return MemoryResults([])
    places = (games.column(name)[is_known].astype(np.uint64) for name in ("seed", "matchup", "seating"))
    played = GameArrays.of(games.frames()).where(is_known)
    return MemoryResults(memory_tests(played, workers[is_known], playing_key(*places), games.labels))


def memory_tests(
    games: GameArrays, workers: npt.NDArray[np.str_], key: npt.NDArray[np.uint64], labels: Sequence[str]
) -> list[MemoryTest]:
    """Return a test for each agent.

    Args:
        games: those that are not void.
        workers: the worker that played each game, of shape (games,).
        key: the order in which the games of a block were played (`tag.tournaments.designs.schedule.playing_key`).
        labels: of the agents by number.
    """
    meetings = _Encounters.of(games, pd.factorize(workers)[0], key)
    p_values = meetings.p_values()
    alpha = MEMORY_ALPHA / max(int((meetings.blocks >= LEAST_BLOCKS).sum()), 1)
    return [
        MemoryTest(
            agent=label,
            first=int(meetings.first[agent]),
            later=int(meetings.later[agent]),
            blocks=int(meetings.blocks[agent]),
            shift=float(meetings.shifts[agent]),
            p_value=float(p_values[agent]),
            is_flagged=bool(p_values[agent] < alpha),
        )
        for agent, label in enumerate(labels)
    ]


@dataclass
class _Encounters:
    """Sums over the blocks and processes in which an agent has met a deal several times; one entry per agent.

    Attributes:
        first: how often it met one for the first time.
        blocks: how many in which its games had different points.
        shifts: the points per game of later games above those of first ones.
        sums: of mean minus first game.
        variances: of these sums over all orders.
        thirds: the third moments of these sums over all orders.
    """

    first: Ints
    later: Ints
    blocks: Ints
    shifts: Floats
    sums: Floats
    variances: Floats
    thirds: Floats

    @classmethod
    def of(cls, games: GameArrays, process: Ints, key: npt.NDArray[np.uint64]) -> _Encounters:
        """Compare first and later games."""
        residuals, _variances, _n_means = residuals_of(games)
        order = np.lexsort((key, process, games.block))
        agent, game, points = _sorted_by_agent(games.agents[order], residuals[order])
        block, process = games.block[order][game], process[order][game]
        starts = np.flatnonzero(_changes(agent, block, process))
        sizes = np.diff(np.append(starts, len(points)))
        means = np.add.reduceat(points, starts) / sizes
        left = points - np.repeat(means, sizes)
        variances = np.add.reduceat(left**2, starts) / sizes
        variances[variances < _VARIANCE_ROUNDING] = 0.0
        thirds = -np.add.reduceat(left**3, starts) / sizes
        differences = -left[starts]
        agent = agent[starts]
        is_several = sizes > 1

        def total(values: npt.NDArray[Any]) -> Floats:
            return np.bincount(agent[is_several], values[is_several], games.n_agents).astype(np.float64)

        sums, shares = total(differences), total((sizes - 1) / sizes)
        return cls(
            total(np.ones_like(sizes)).astype(np.int64),
            total(sizes - 1).astype(np.int64),
            total(variances > 0.0).astype(np.int64),
            np.divide(sums, shares, out=np.full(games.n_agents, np.nan), where=shares > 0.0),
            sums,
            total(variances),
            total(thirds),
        )

    def p_values(self) -> Floats:
        """Return the chance of such sums or greater ones; 1 where there are too few blocks."""
        is_tested = self.blocks >= LEAST_BLOCKS
        scale = np.sqrt(np.where(is_tested, self.variances, 1.0))
        z = self.sums / scale
        skewness = self.thirds / scale**3
        # The correction of z grows again beyond its vertex, at 3 / skewness: no z is worth less than a smaller one.
        vertex = np.divide(3.0, skewness, out=np.full_like(z, np.inf), where=skewness > 0.0)
        z = np.minimum(z, vertex)
        corrected = z - skewness * (z**2 - 1.0) / 6.0
        return np.where(is_tested, scipy.special.ndtr(-corrected), 1.0)


def _sorted_by_agent(agents: Ints, points: Floats) -> tuple[Ints, Ints, Floats]:
    """Return agent, game and mean points of each agent in each of its games, by agent and then in the order of the games.

    Both arrays are of shape (games, seats); an agent may have several seats of a game.
    """
    order = np.argsort(agents.ravel().astype(np.int16), kind="stable")  # sixteen bits are sorted without comparisons
    agent, game = agents.ravel()[order], order // agents.shape[1]
    starts = np.flatnonzero(_changes(agent, game))
    sizes = np.diff(np.append(starts, len(order)))
    return agent[starts], game[starts], np.add.reduceat(points.ravel()[order], starts) / sizes


def _changes(*columns: Ints) -> Bools:
    """Return for each row whether it is the first, or differs from the one before."""
    changes = np.ones(len(columns[0]), dtype=np.bool_)
    changes[1:] = np.any([column[1:] != column[:-1] for column in columns], axis=0)
    return changes


def _left_out(flagged: Sequence[str], workers: npt.NDArray[np.str_]) -> Iterator[tuple[str, ...]]:
    """Yield the places to leave out: all flagged ones, or each in turn if nothing else would be left."""
    if _played_at(flagged, workers).all():
        yield from ((place,) for place in flagged)
    else:
        yield tuple(flagged)
