"""The data of a tournament's report, read once from its folder, and the looks of its agents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import pandas as pd

from tag.tournaments.definition import TournamentDefinition
from tag.tournaments.designs.schedule import Schedule
from tag.tournaments.ledger.folder import Folder, FolderOrPath, TournamentManifest
from tag.tournaments.ledger.reading import LedgerGames
from tag.tournaments.reports.figures import Style, styles
from tag.tournaments.reports.html.figures import variable
from tag.tournaments.reports.sections.section import Block, Key, Section
from tag.tournaments.results.live import FirstFault
from tag.tournaments.results.machines.machines import MachineResults, machine_results
from tag.tournaments.results.machines.memory import MemoryResults, memory_results
from tag.tournaments.results.measures import GameMeasure, read_metrics
from tag.tournaments.results.tournament import (
    CountedGames,
    RatingSummary,
    TournamentResults,
    rate_games,
    results_of,
)
from tag.tournaments.statistics.intervals import Floats, Ints
from tag.tournaments.statistics.repeats import INDEPENDENT
from tag.tournaments.statistics.standings import BlockSums, points_by_seat

#: With more agents there is no heat map, no list of pairs, and a course only for this many.
MOST_AGENTS: Final = 40
#: How to read names in figures.
NUMBERS: Final = "The numbers before the names are places in the standings."


@dataclass(frozen=True, eq=False)
class SeatSums:
    """Sums over the seats of whole match-ups, by block.

    Attributes:
        blocks: the numbers of the blocks, of shape (blocks,).
        games: of shape (agents, seats, blocks), as are the others.
        independent: the games that repeat no earlier one.
    """

    blocks: Ints
    games: Floats
    independent: Floats
    wins: Floats
    points: Floats
    scores: Floats

    @classmethod
    def over(cls, parts: Iterable[pd.DataFrame], n_agents: int, n_seats: int) -> SeatSums:
        """Add up the seats of parts of a ledger, at least one."""
        found = BlockSums.joined([_by_agent_and_seat(part, n_agents, n_seats) for part in parts])
        shape = (n_agents, n_seats, len(found.blocks))
        names = ("games", INDEPENDENT, "win", "points", "score")
        return cls(found.blocks, *(found.all(name).reshape(shape) for name in names))

    def __len__(self) -> int:
        return int(self.games.sum())

    @property
    def win_rate(self) -> float:
        """The share of seats that win."""
        return float(self.wins.sum() / self.games.sum())

    def seat_points(self) -> pd.DataFrame:
        """Return `tag.tournaments.statistics.standings.seat_points` of all agents."""
        return points_by_seat(*(sums.sum(axis=0) for sums in (self.points, self.games, self.independent)))

    def seat_points_by_agent(self) -> pd.DataFrame:
        """Return the same of each agent in each seat that it took, with its number in a column agent."""
        _n_agents, n_seats, n_blocks = self.points.shape
        found = points_by_seat(*(sums.reshape(-1, n_blocks) for sums in (self.points, self.games, self.independent)))
        return found.assign(agent=found["seat"] // n_seats, seat=found["seat"] % n_seats)


def _by_agent_and_seat(seats: pd.DataFrame, n_agents: int, n_seats: int) -> BlockSums:
    cell = seats["agent_index"] * n_seats + seats["seat"]
    return BlockSums.over(seats.assign(cell=cell), n_agents * n_seats, ["win", "points", "score"], by="cell")


@dataclass(frozen=True, eq=False)
class TournamentData:
    """The data in a tournament's folder, complete or not.

    Attributes:
        games: all in the ledger.
        counted: sums over the seats of whole match-ups, the basis of standings and all else on strength.
        ratings: on one scale; None without a whole match-up, with a single agent, and where all win or lose together.
    """

    manifest: TournamentManifest
    results: TournamentResults
    schedule: Schedule
    games: LedgerGames
    counted: SeatSums
    faults: pd.DataFrame
    measures: list[GameMeasure]
    ratings: RatingSummary | None
    machines: MachineResults
    memory: MemoryResults

    @property
    def definition(self) -> TournamentDefinition:
        """The definition of the tournament."""
        return self.manifest.definition

    @property
    def mean_rate(self) -> float | None:
        """The share of seats that win, which every agent has if all are equal.

        None where that is meaningless: where all win or lose together, and where agents meet copies of themselves, one
        of which may win in any case.
        """
        meets_itself = len(self.definition.agents) < 2 or self.definition.design.startswith("self_play")
        return None if self.results.is_cooperative or meets_itself else self.counted.win_rate

    def timed_seats(self) -> pd.DataFrame:
        """Return the seats whose agent took a measurable time for decisions: its number, and ms, their mean milliseconds."""
        n_seats = len(self.games) * self.definition.players
        agent, ms, end = np.empty(n_seats, np.int16), np.empty(n_seats), 0
        for timed in self.games.timed_seats():
            decisions, seconds = timed.decisions, timed.seconds
            is_timed = (decisions > 0) & (seconds > 0.0)
            begin, end = end, end + int(is_timed.sum())
            agent[begin:end] = timed.agents[is_timed]
            ms[begin:end] = 1000.0 * seconds[is_timed] / decisions[is_timed]
        return pd.DataFrame({"agent_index": agent[:end], "ms": ms[:end]}, copy=False)


def read_tournament(folder: FolderOrPath) -> TournamentData:
    """Return all data of a report.

    Raises:
        DataError: there is no tournament, or its ledger is damaged.
    """
    opened = Folder.of(folder)
    definition = opened.definition
    counted = CountedGames(opened)
    games, results = counted.games, results_of(counted, _NOT_REPORTED)
    sums = SeatSums.over(counted.seats(), len(definition.agents), definition.players)
    faults = _faults(counted, definition.labels)
    measures = read_metrics(games.measures(), definition.metrics, counted.independent_share())
    workers = games.workers()
    machines = machine_results(counted, workers)
    memory = memory_results(counted, workers)
    ranked = counted.ranked() if len(definition.agents) > 1 and len(sums) else None
    del workers
    games.drop(_NOT_OF_GAMES)
    return TournamentData(
        manifest=opened.manifest,
        results=results,
        schedule=counted.schedule,
        games=games,
        counted=sums,
        faults=faults,
        measures=measures,
        ratings=rate_games(ranked, repeats=counted.repeats) if ranked is not None else None,
        machines=machines,
        memory=memory,
    )


#: Columns that only the content hash needs, and others that are only for standings and ratings.
_NOT_REPORTED: Final = ["game", "state_hash"]
_NOT_OF_GAMES: Final = ["game_id", "seed", "results", "ordinals", "teams", "scores", "faults"]


def _faults(counted: CountedGames, labels: Sequence[str]) -> pd.DataFrame:
    """Return `tournaments.read_faults` with the agents; all columns are there without any fault."""
    agents = [labels[agent] for of_game in counted.faults_by_game.values() for agent, _kind in of_game]
    columns = ["game_id", "seat", "tick", "kind", "message"]
    return (counted.games.faults() if agents else pd.DataFrame(columns=columns)).assign(agent=agents)


class ReportContext:
    """The results of a tournament, as far as they are known, and the looks of its agents.

    Attributes:
        labels: those of all agents.
        data: all data of the tournament; None where only the results are known, as during play.
        ratings: if known.
        faults: the first of each agent and kind, during play.
        styles: those of the agents, best first.
        short: the short forms of labels.
    """

    def __init__(
        self,
        results: TournamentResults,
        labels: Sequence[str],
        *,
        data: TournamentData | None = None,
        ratings: RatingSummary | None = None,
        faults: Mapping[tuple[str, str], FirstFault] | None = None,
        prefix: str = "",
    ) -> None:
        """Give the agents their looks; names of sections and figures begin with the ``prefix``."""
        self.results = results
        self.labels = list(labels)
        self.data = data
        self.ratings = ratings
        self.faults = faults or {}
        self.styles: list[Style] = styles([standing.agent for standing in results.standings] or labels, labels)
        self.by_label = {style.label: style for style in self.styles}
        self.short = {style.label: style.short for style in self.styles}
        self._prefix = prefix

    @property
    def rate(self) -> str:
        """The name of a share of games won."""
        return "success rate" if self.results.is_cooperative else "win rate"

    @property
    def key(self) -> Key:
        """The colours of the agents."""
        return Key("agents", [(variable(style.colour), style.name) for style in self.styles])

    def figure(self, what: str) -> str:
        """Return the name of a figure."""
        return f"{self._prefix}figure-{what}"

    def section(self, name: str, title: str, about: str, blocks: Sequence[Block]) -> Section:
        """Return a section."""
        return Section(f"{self._prefix}{name}", title, blocks, about)
