"""Whether agents remember deals that they have met before.

All games of a block have one deal. Agents are made anew for each game, but state in their modules and classes lives
as long as the process. A block's games are played in a random order (`tag.tournaments.designs.schedule.playing_key`), so
it is chance whether an agent meets the deal for the first time. Hence a randomisation test:

* Points are taken minus the mean of the games between the same agents in the same seats.
* In each block and process, the mean of an agent's games is compared with its first. Mean, variance and skewness of
the difference over all orders are known exactly, for any luck; blocks are independent of one another.
* Their sum is compared with the normal distribution, corrected for skewness by the first term of Cornish and Fisher's
expansion. With k agents tested, one is named below a p-value of 0.001 / k (Bonferroni): it is a grave word.

Games in processes of their own (``--isolate``) are not tested: agents could remember deals only in files.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pandas as pd
import scipy

from tag.tournaments.designs.schedule import playing_key
from tag.tournaments.ledger.folder import Folder, FolderOrPath
from tag.tournaments.results.machines.homogeneity import COMPARED, LEAST_BLOCKS, GameArrays, residuals_of
from tag.tournaments.results.tournament import CountedGames
from tag.tournaments.statistics.intervals import Bools, Floats, Ints
from tag.tournaments.statistics.plain_records import plain

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
    counted = CountedGames(Folder.of(folder), COMPARED)
    return memory_results(counted, counted.games.workers())


def memory_results(counted: CountedGames, workers: npt.NDArray[np.str_]) -> MemoryResults:
    """Test whether agents remember deals, in games that were played by ``workers``, empty where unknown."""
    void, *places = [counted.games.column(name) for name in ("void", "seed", "matchup", "seating")]
    is_known = ~void & (workers != "")
    if counted.definition.rules.isolate or not is_known.any():
        return MemoryResults([])
    labels = counted.definition.labels
    played = GameArrays.of(counted.games.table, len(labels)).where(is_known)
    key = playing_key(*[place[is_known].astype(np.uint64) for place in places])
    return MemoryResults(memory_tests(played, workers[is_known], key, labels))


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
