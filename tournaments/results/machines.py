"""Results by machine, and agents that remember deals: both are found from differences between processes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.special import ndtr

from tournaments.designs.schedule import playing_key
from tournaments.ledger.folder import read_manifest
from tournaments.ledger.games import read_ledger, read_timings
from tournaments.results.tournament import uncounted_in
from tournaments.statistics.homogeneity import (
    ALPHA,
    LEAST_BLOCKS,
    GameArrays,
    PlaceTest,
    machine_of,
    place_tests,
    residuals_of,
)
from tournaments.statistics.intervals import plain
from tournaments.statistics.standings import Standing, standings

# --- machines ---------------------------------------------------------------------------------------------------------
#
# The results of a tournament by machine: games played, tests for differences, and the table without deviating machines.


@dataclass(frozen=True)
class WithoutPlaces:
    """The standings without the games of some places.

    Attributes:
        places: the places left out.
        standings: one per agent, best first.
    """

    places: tuple[str, ...]
    standings: list[Standing]


@dataclass(frozen=True)
class MachineResults:
    """The comparison of the machines and workers that have played.

    Attributes:
        agents: the labels; empty without a comparison.
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


def read_machines(folder: Path) -> MachineResults:
    """Return the results of the tournament in ``folder`` by machine.

    Raises:
        DataError: there is no tournament, or its ledger is damaged.
    """
    timings = read_timings(folder)
    if timings["worker"].nunique() < 2:
        return MachineResults((), [])
    games, seats = read_ledger(folder)
    workers = workers_of(games, timings)
    tests = place_tests(games, seats, workers)
    labels = tuple(str(label) for label in seats["agent"].cat.categories)
    if not any(test.is_flagged for test in tests):
        return MachineResults(labels, tests)
    schedule = read_manifest(folder).definition.schedule()
    uncounted = uncounted_in(folder, schedule, games)
    without = []
    for places in _left_out([test.place for test in tests if test.is_flagged], workers):
        kept = games[~_played_at(places, workers)]
        its_seats = seats[seats["game_id"].isin(kept["game_id"])]
        found = standings(kept, its_seats, timings, n_seatings=schedule.design.n_seatings, uncounted=uncounted)
        without.append(WithoutPlaces(places, found))
    return MachineResults(labels, tests, without)


def workers_of(games: pd.DataFrame, timings: pd.DataFrame) -> npt.NDArray[np.str_]:
    """Return the worker that played each game, empty where unknown.

    Args:
        games: from `tournaments.read_ledger`.
        timings: from `tournaments.read_timings`.
    """
    known = timings.drop_duplicates("game_id").set_index("game_id")["worker"].astype(str)
    return games["game_id"].map(known).fillna("").to_numpy(dtype=np.str_)


def _played_at(places: Sequence[str], workers: npt.NDArray[np.str_]) -> npt.NDArray[np.bool_]:
    """Return for each game whether it was played at one of the ``places``."""
    played: npt.NDArray[np.bool_] = np.isin(workers, places) | np.isin(machine_of(workers), places)
    return played


# --- remembered deals -------------------------------------------------------------------------------------------------
#
# All games of a block have one deal. Agents are made anew for each game, but state in their modules and classes lives
# as long as the process. A block's games are played in a random order (`tournaments.designs.schedule.playing_key`), so
# it is chance whether an agent meets the deal for the first time. Hence a randomisation test:
#
# * Points are taken minus the mean of the games between the same agents in the same seats.
# * In each block and process, the mean of an agent's games is compared with its first. Mean, variance and skewness of
# the difference over all orders are known exactly, for any luck; blocks are independent of one another.
# * Their sum is compared with the normal distribution, corrected for skewness by the first term of Cornish and Fisher's
# expansion. With k agents tested, one is named below a p-value of 0.05 / k (Bonferroni).
#
# Games in processes of their own (``--isolate``) are not tested: agents could remember deals only in files.


_Floats = npt.NDArray[np.float64]
_Ints = npt.NDArray[np.int64]

#: The rounding error of the variance of equal points.
_ROUNDING: Final = 1e-12


@dataclass(frozen=True, slots=True)
class MemoryTest:
    """The comparison of an agent's games on deals that it has met before with its first games on them.

    Attributes:
        agent: its label.
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
    """The tests for remembered deals.

    Attributes:
        tests: one per agent; empty where processes are unknown, or new for each game.
    """

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


def read_memory(folder: Path) -> MemoryResults:
    """Test whether agents of the tournament in ``folder`` remember deals.

    Raises:
        DataError: there is no tournament, or its ledger is damaged.
    """
    if read_manifest(folder).definition.rules.isolate:
        return MemoryResults([])
    games, seats = read_ledger(folder)
    return MemoryResults(memory_tests(games, seats, workers_of(games, read_timings(folder))))


def memory_tests(games: pd.DataFrame, seats: pd.DataFrame, workers: npt.NDArray[np.str_]) -> list[MemoryTest]:
    """Return a test for each agent.

    Args:
        games: from `tournaments.read_ledger`.
        seats: all seats from `tournaments.read_ledger`.
        workers: the worker that played each of the games (``10.0.0.2/1234``), empty where unknown.
    """
    is_known = ~games["void"].to_numpy(dtype=bool) & (workers != "")
    if not is_known.any():
        return []
    played = GameArrays.of(games, seats, is_known)
    key = playing_key(*(games[name].to_numpy(dtype=np.uint64)[is_known] for name in ("seed", "matchup", "seating")))
    meetings = _Encounters.of(played, pd.factorize(workers[is_known])[0], key)
    p_values = meetings.p_values()
    alpha = ALPHA / max(int((meetings.blocks >= LEAST_BLOCKS).sum()), 1)
    return [
        MemoryTest(
            agent=str(label),
            first=int(meetings.first[agent]),
            later=int(meetings.later[agent]),
            blocks=int(meetings.blocks[agent]),
            shift=float(meetings.shifts[agent]),
            p_value=float(p_values[agent]),
            is_flagged=bool(p_values[agent] < alpha),
        )
        for agent, label in enumerate(seats["agent"].cat.categories)
    ]


@dataclass
class _Encounters:
    """Sums over the blocks and processes in which an agent has met a deal several times; one entry per agent.

    Attributes:
        first: how often it met one for the first time.
        later: how often again.
        blocks: how many in which its games had different points.
        shifts: the points per game of later games above those of first ones.
        sums: of mean minus first game.
        variances: of these sums over all orders.
        thirds: the third moments of these sums over all orders.
    """

    first: _Ints
    later: _Ints
    blocks: _Ints
    shifts: _Floats
    sums: _Floats
    variances: _Floats
    thirds: _Floats

    @classmethod
    def of(cls, games: GameArrays, process: _Ints, key: npt.NDArray[np.uint64]) -> _Encounters:
        """Compare first and later games.

        Args:
            games: those that are known.
            process: the number of the process that played each.
            key: the order in which those of a block were played.
        """
        residuals, _variances, _n_means = residuals_of(games)
        n_seats = games.agents.shape[1]
        rows = pd.DataFrame(
            {
                "agent": games.agents.ravel(),
                "block": np.repeat(games.block, n_seats),
                "process": np.repeat(process, n_seats),
                "key": np.repeat(key, n_seats),
                "points": residuals.ravel(),
            }
        )
        met = rows.groupby(["agent", "block", "process", "key"], sort=True)["points"].mean().reset_index()  # by game
        starts = np.flatnonzero((met[["agent", "block", "process"]].diff() != 0).any(axis=1).to_numpy())
        points = met["points"].to_numpy()
        sizes = np.diff(np.append(starts, len(points)))
        means = np.add.reduceat(points, starts) / sizes
        left = points - np.repeat(means, sizes)
        variances = np.add.reduceat(left**2, starts) / sizes
        variances[variances < _ROUNDING] = 0.0
        thirds = -np.add.reduceat(left**3, starts) / sizes
        differences = -left[starts]
        agent = met["agent"].to_numpy()[starts]
        is_several = sizes > 1

        def total(values: npt.NDArray[Any]) -> _Floats:
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

    def p_values(self) -> _Floats:
        """Return the chance of such sums or greater ones; 1 where there are too few blocks."""
        is_tested = self.blocks >= LEAST_BLOCKS
        scale = np.sqrt(np.where(is_tested, self.variances, 1.0))
        z = self.sums / scale
        skewness = self.thirds / scale**3
        # The correction of z grows again beyond its vertex, at 3 / skewness: no z is worth less than a smaller one.
        vertex = np.divide(3.0, skewness, out=np.full_like(z, np.inf), where=skewness > 0.0)
        z = np.minimum(z, vertex)
        corrected = z - skewness * (z**2 - 1.0) / 6.0
        return np.where(is_tested, ndtr(-corrected), 1.0)


def _left_out(flagged: Sequence[str], workers: npt.NDArray[np.str_]) -> Iterator[tuple[str, ...]]:
    """Yield the places to leave out: all flagged ones, or each in turn if nothing else would be left."""
    if _played_at(flagged, workers).all():
        yield from ((place,) for place in flagged)
    else:
        yield tuple(flagged)
