"""Results by machines and workers.

The results of a tournament by machine: games played, tests for differences, and the table without deviating machines.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa

from tag.tournaments.ledger.folder import Folder, FolderOrPath
from tag.tournaments.ledger.rows import seat_columns
from tag.tournaments.results.machines.homogeneity import COMPARED, GameArrays, PlaceTest, machine_of, place_tests
from tag.tournaments.results.tournament import CountedGames, StandingSums
from tag.tournaments.statistics.plain_records import plain
from tag.tournaments.statistics.standings import Standing, WholeMatchUps


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
    counted = CountedGames(Folder.of(folder), COMPARED)
    return machine_results(counted, counted.games.workers())


def machine_results(counted: CountedGames, workers: npt.NDArray[np.str_]) -> MachineResults:
    """Return the results by machine of games, each played by one of the ``workers``, empty where unknown."""
    if len(pd.unique(workers)) < 2:
        return MachineResults((), [])
    games, labels = counted.games, counted.definition.labels
    is_played = ~games.column("void")
    tests = place_tests(GameArrays.of(games.table, len(labels)).where(is_played), workers[is_played])
    if not any(test.is_flagged for test in tests):
        return MachineResults(labels, tests)
    without = [
        WithoutPlaces(places, _standings(counted, ~played_at(places, workers)))
        for places in _left_out([test.place for test in tests if test.is_flagged], workers)
    ]
    return MachineResults(labels, tests, without)


def _standings(counted: CountedGames, is_kept: npt.NDArray[np.bool_]) -> list[Standing]:
    """Return the standings of some of the games."""
    table = counted.games.table.filter(pa.array(is_kept))
    whole = WholeMatchUps(table, counted.schedule.design.n_seatings)
    whole.leave_out(seat_columns(table, ["block", "matchup", "agent_index"]), counted.pauses.uncounted())
    tally = StandingSums(counted.definition.labels, counted.definition.players)
    tally.add(table, table, whole.count(table))
    for timed in counted.games.timed_seats(is_kept):
        tally.add_times(timed)
    return tally.standings()


def played_at(places: Sequence[str], workers: npt.NDArray[np.str_]) -> npt.NDArray[np.bool_]:
    """Return for each game whether it was played at one of the ``places``."""
    played: npt.NDArray[np.bool_] = np.isin(workers, places) | np.isin(machine_of(workers), places)
    return played


def _left_out(flagged: Sequence[str], workers: npt.NDArray[np.str_]) -> Iterator[tuple[str, ...]]:
    """Yield the places to leave out: all flagged ones, or each in turn if nothing else would be left."""
    if played_at(flagged, workers).all():
        yield from ((place,) for place in flagged)
    else:
        yield tuple(flagged)
