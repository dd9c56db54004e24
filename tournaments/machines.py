"""The results of a tournament by machine: who played how many games, whether one differs, and the table without it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from rich.table import Table

from tournaments.folder import read_manifest
from tournaments.homogeneity import PlaceTest, machine_of, place_tests
from tournaments.ledger import read_ledger, read_timings
from tournaments.plain import plain
from tournaments.results import uncounted_in
from tournaments.standings import Standing, standings
from tournaments.tables import standings_text, table_text

_HEADINGS = ("machine or worker", "games", "blocks", "chi-square", "df", "p", "")


@dataclass(frozen=True)
class WithoutPlaces:
    """The table without the games of some places.

    Attributes:
        places: whose games are left out.
        standings: one per agent, best first.
    """

    places: tuple[str, ...]
    standings: list[Standing]


@dataclass(frozen=True)
class MachineResults:
    """What can be said about the machines and workers that have played.

    Attributes:
        agents: the labels; empty where there is nothing to compare.
        tests: of all places, machines first; empty where there is one only.
        without: the table without those that are flagged; for two that differ from one another, without each.
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
        """Return everything as plain values."""
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
    """Return who played each game, empty where that is not known.

    Args:
        games: from `tournaments.read_ledger`.
        timings: from `tournaments.read_timings`.
    """
    known = timings.drop_duplicates("game_id").set_index("game_id")["worker"].astype(str)
    return games["game_id"].map(known).fillna("").to_numpy(dtype=np.str_)


def machines_text(found: MachineResults, width: int | None = None) -> str:
    """Return the results by machine for a terminal: all places, and the table without those that are flagged."""
    if not found.tests:
        return "one worker has played all games, or it is not known who has: there is nothing to compare"
    parts = [table_text(_table(found.tests), width), *found.sentences()]
    for each in found.without:
        parts.append(f"without the match-ups in which {' and '.join(each.places)} played:")
        parts.append(standings_text(each.standings, width))
    return "\n\n".join(parts)


def verdict(test: PlaceTest) -> str:
    """Return what a test has come to, in a word or two."""
    if not test.degrees:
        return "too few blocks"
    return "differs" if test.is_flagged else ""


def _table(tests: Sequence[PlaceTest]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in _HEADINGS:
        table.add_column(heading, justify="left" if heading in (_HEADINGS[0], "") else "right", overflow="fold")
    for test in tests:
        numbers = (f"{test.chi_square:.1f}", str(test.degrees), f"{test.p_value:.2g}") if test.degrees else ("-",) * 3
        table.add_row(test.place, f"{test.games:,}", f"{test.blocks:,}", *numbers, verdict(test))
    return table


def _left_out(flagged: Sequence[str], workers: npt.NDArray[np.str_]) -> Iterator[tuple[str, ...]]:
    """Yield what to leave out: all that is flagged, or one after the other where nothing else would be left."""
    if _played_at(flagged, workers).all():
        yield from ((place,) for place in flagged)
    else:
        yield tuple(flagged)


def _played_at(places: Sequence[str], workers: npt.NDArray[np.str_]) -> npt.NDArray[np.bool_]:
    """Say of each game whether it was played at one of the ``places``."""
    played: npt.NDArray[np.bool_] = np.isin(workers, places) | np.isin(machine_of(workers), places)
    return played
