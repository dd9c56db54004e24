"""Whether agents score the same wherever their games are played.

Results must not depend on the machine, or the worker, that played the games. A machine whose results differ is
overloaded, overheated or broken, and its games are worth nothing. As in computer chess (the residuals of fishtest's
workers), each place, a machine or a worker, is compared with all others:

* The residual of a game's points is what remains after subtracting the mean of the games between the same agents in
  the same seats. Residuals are added up by block and place. The games of a block share their luck and cancel it by
  their seatings, so the variance of these sums is taken from the sums themselves, not from games.
* The total of a place is compared with its expected variance, for all agents at once: chi-square with as many degrees
  of freedom as agents can differ in.
* With k places tested, one is flagged below a p-value of 0.05 / k (Bonferroni), the worst first. The others are then
  compared again without it, because its games have distorted the means.

A place with games in fewer than 20 blocks is not tested: too few to tell it apart, or to do much harm.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final, Self

import numpy as np
import numpy.typing as npt
import pandas as pd
import scipy

from tag.tournaments.ledger.rows import seat_columns
from tag.tournaments.statistics.intervals import Bools, Floats, Ints

#: The columns of games that are compared by machine, also for standings.
COMPARED: Final = ["game_id", "seed", "agents", "results", "ordinals", "scores", "decisions", "void", "faults"]
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
    def of(cls, games: Any, n_agents: int) -> Self:
        """Return all games of a ledger, an Arrow table, between so many agents."""
        seats = seat_columns(games, ("agent_index", "points"))
        shape = (len(games), len(seats["points"]) // max(len(games), 1))
        agents, points = seats["agent_index"].astype(np.int64).reshape(shape), seats["points"].reshape(shape)
        return cls(games["block"].to_numpy().astype(np.int64), agents, points, n_agents)

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
        left: the residuals of each agent in the games of a block at a place, of shape (blocks and places, agents).
        shifts: residual points per game and seat of an agent; nan where it has not played.
    """

    totals: Floats
    variances: Floats
    left: Floats
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
            left,
            np.divide(totals, seats, out=np.full(totals.shape, np.nan), where=seats > 0),
        )

    def chi_square(self) -> tuple[Floats, int]:
        """Return chi-square of each place, and its degrees of freedom."""
        scaled = _ratio(self.totals, np.sqrt(self.variances))
        roots, directions = _principal_directions(self.left)
        scores: Floats = scaled @ directions / roots
        return (scores**2).sum(axis=1), len(roots)


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


def _principal_directions(left: Floats) -> tuple[Floats, Floats]:
    """Return the roots of the eigenvalues of the correlations between the columns of residuals, and their eigenvectors.

    Those of small eigenvalues are left out. A column without residuals has no correlations.
    """
    is_wide = len(left) < left.shape[1]  # then the products of the rows have the same eigenvalues, and are fewer
    if is_wide:
        left = _ratio(left, np.sqrt(np.square(left).sum(axis=0)))
        products = left @ left.T
    else:
        products = left.T @ left
        scale = np.sqrt(np.diag(products))
        products = _ratio(products, np.outer(scale, scale))
    values, vectors = np.linalg.eigh(products)
    is_there = values > _LEAST_EIGENVALUE
    roots, directions = np.sqrt(values[is_there]), vectors[:, is_there]
    return roots, left.T @ directions / roots if is_wide else directions


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
