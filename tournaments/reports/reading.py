"""All that the report of a tournament draws on, read once from its folder."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from tournaments.analysis.measures import Measure, read_metrics
from tournaments.definition import TournamentDefinition
from tournaments.folder import Manifest, read_manifest
from tournaments.ledger import read_faults, read_ledger, read_timings
from tournaments.machines import MachineResults, read_machines
from tournaments.memory import MemoryResults, read_memory
from tournaments.ratings.games import RankedGames
from tournaments.ratings.summary import RatingSummary, rate_games
from tournaments.results import TournamentResults, read_results, uncounted_in
from tournaments.schedule import Schedule
from tournaments.standings import whole_match_ups


@dataclass(frozen=True, eq=False)
class Reading:
    """A tournament as its folder has it, complete or not.

    Attributes:
        manifest: what it is.
        results: what it came to so far.
        schedule: its games.
        games: those in the ledger.
        seats: their seats.
        counted: the seats of whole match-ups, which standings and all else on strength are from.
        timings: how long each agent took in each game, where that is known.
        faults: what went wrong.
        measures: what the tournament's metrics measured.
        ratings: on one scale; None without a whole match-up, with a single agent, and where all win or lose together.
        machines: who played, and whether any of them differs.
        memory: which agents seem to remember deals.
        is_shared: whether all win or lose together, as in a co-operative game and one for a single player.
    """

    manifest: Manifest
    results: TournamentResults
    schedule: Schedule
    games: pd.DataFrame
    seats: pd.DataFrame
    counted: pd.DataFrame
    timings: pd.DataFrame
    faults: pd.DataFrame
    measures: list[Measure]
    ratings: RatingSummary | None
    machines: MachineResults
    memory: MemoryResults
    is_shared: bool

    @property
    def definition(self) -> TournamentDefinition:
        """What is played."""
        return self.manifest.definition

    @property
    def mean_rate(self) -> float | None:
        """The share of seats that win, which is that of each agent if all are equal.

        None where that says nothing: where all win or lose together, and where agents meet copies of themselves, which
        win for them whoever wins.
        """
        meets_itself = len(self.definition.agents) < 2 or self.definition.design.startswith("self_play")
        return None if self.is_shared or meets_itself else float(self.counted["win"].mean())

    def played_games(self) -> pd.DataFrame:
        """Return the games that are not void."""
        return self.games[~self.games["void"].to_numpy(dtype=bool)]

    def timed_seats(self) -> pd.DataFrame:
        """Return the seats whose agent took a measurable time for decisions, with ms: their mean milliseconds."""
        known = self.seats[["game_id", "seat", "agent_index", "decisions"]].merge(self.timings, on=["game_id", "seat"])
        timed = known[(known["decisions"] > 0) & (known["seconds"] > 0.0)]
        return timed.assign(ms=1000.0 * timed["seconds"] / timed["decisions"])


def read_tournament(folder: Path) -> Reading:
    """Return all that a report draws on.

    Raises:
        DataError: there is no tournament, or its ledger is damaged.
    """
    manifest = read_manifest(folder)
    schedule = manifest.definition.schedule()
    games, seats = read_ledger(folder)
    uncounted = uncounted_in(folder, schedule, games)
    counted = whole_match_ups(games, seats, schedule.design.n_seatings, uncounted)
    results = read_results(folder)
    is_contest = len(manifest.definition.agents) > 1 and not results.is_cooperative
    return Reading(
        manifest=manifest,
        results=results,
        schedule=schedule,
        games=games,
        seats=seats,
        counted=counted,
        timings=read_timings(folder),
        faults=read_faults(folder),
        measures=read_metrics(folder, manifest.definition.metrics),
        ratings=rate_games(RankedGames.of(counted)) if is_contest and len(counted) else None,
        machines=read_machines(folder),
        memory=read_memory(folder),
        is_shared=results.is_cooperative,
    )
