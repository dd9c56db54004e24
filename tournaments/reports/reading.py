"""The data of a tournament's report, read once from its folder, and the parts that its sections share."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from math import inf
from typing import Any, Final

import numpy as np
import pandas as pd

from tag.catalogue.options import options_in
from tag.tournaments.definition import Rules, TournamentDefinition, TournamentOptions
from tag.tournaments.designs.schedule import Schedule
from tag.tournaments.ledger.folder import Folder, FolderOrPath, TournamentManifest
from tag.tournaments.ledger.reading import LedgerGames
from tag.tournaments.reports.figures import Style, styles
from tag.tournaments.reports.html.figures import Figure
from tag.tournaments.reports.html.page import Block, Code, Definitions, Figures, Folded, Heading, Paragraph
from tag.tournaments.results.machines import MachineResults, MemoryResults, machine_results, memory_results
from tag.tournaments.results.measures import GameMeasure, read_metrics
from tag.tournaments.results.tournament import (
    CountedGames,
    RatingSummary,
    TournamentResults,
    points_by_seat,
    rate_games,
    results_of,
)
from tag.tournaments.statistics.intervals import ClusteredMean, Floats, Ints
from tag.tournaments.statistics.standings import INDEPENDENT, BlockSums


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

    def seat_points(self, agent: int | None = None) -> pd.DataFrame:
        """Return `tag.tournaments.results.tournament.seat_points` of all agents or of one, by number."""
        if agent is None:
            return points_by_seat(*(sums.sum(axis=0) for sums in (self.points, self.games, self.independent)))
        return points_by_seat(self.points[agent], self.games[agent], self.independent[agent])


def _by_agent_and_seat(seats: pd.DataFrame, n_agents: int, n_seats: int) -> BlockSums:
    cell = seats["agent_index"] * n_seats + seats["seat"]
    return BlockSums.over(seats.assign(cell=cell), n_agents * n_seats, ["win", "points", "score"], by="cell")


@dataclass(frozen=True, eq=False)
class Reading:
    """The data in a tournament's folder, complete or not.

    Attributes:
        games: all in the ledger.
        counted: sums over the seats of whole match-ups, the basis of standings and all else on strength.
        ratings: on one scale; None without a whole match-up, with a single agent, and where all win or lose together.
        is_shared: whether all win or lose together, as in a co-operative game and one for a single player.
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
    is_shared: bool

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
        return None if self.is_shared or meets_itself else self.counted.win_rate

    def timed_seats(self) -> pd.DataFrame:
        """Return the seats whose agent took a measurable time for decisions: its number, and ms, their mean milliseconds."""
        n_seats = len(self.games) * self.definition.players
        agent, ms, end = np.empty(n_seats, np.int16), np.empty(n_seats), 0
        for agents, decisions, seconds, _cpu_seconds in self.games.timed_seats():
            is_timed = (decisions > 0) & (seconds > 0.0)
            begin, end = end, end + int(is_timed.sum())
            agent[begin:end] = agents[is_timed]
            ms[begin:end] = 1000.0 * seconds[is_timed] / decisions[is_timed]
        return pd.DataFrame({"agent_index": agent[:end], "ms": ms[:end]}, copy=False)


def read_tournament(folder: FolderOrPath) -> Reading:
    """Return all data of a report.

    Raises:
        DataError: there is no tournament, or its ledger is damaged.
    """
    opened = Folder.of(folder)
    definition = opened.definition
    counted = CountedGames(opened)
    games, content_hash = counted.games, counted.games.content_hash()
    games.drop(_NOT_REPORTED)
    results = results_of(opened, counted, content_hash)
    sums = SeatSums.over(counted.seats(), len(definition.agents), definition.players)
    faults = _faults(counted, definition.labels)
    measures = read_metrics(games.measures(), definition.metrics, counted.independent_share())
    workers = games.workers()
    machines = machine_results(games, workers, counted.schedule)
    memory = memory_results(games, workers, definition.rules)
    ranked = counted.ranked() if len(definition.agents) > 1 and len(sums) else None
    del workers
    games.drop(_NOT_OF_GAMES)
    return Reading(
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
        is_shared=results.is_cooperative,
    )


#: Columns that only the content hash needs, and others that are only for standings and ratings.
_NOT_REPORTED: Final = ["game", "state_hash"]
_NOT_OF_GAMES: Final = ["game_id", "seed", "results", "ordinals", "teams", "scores", "faults"]


def _faults(counted: CountedGames, labels: Sequence[str]) -> pd.DataFrame:
    """Return `tournaments.read_faults` with the agents; all columns are there without any fault."""
    agents = [labels[agent] for of_game in counted.faults_by_game.values() for agent, _kind in of_game]
    columns = ["game_id", "seat", "tick", "kind", "message"]
    return (counted.games.faults() if agents else pd.DataFrame(columns=columns)).assign(agent=agents)


#: The greatest number of points of a course.
_POINTS: Final = 60
#: The shares of values below which the columns p5 … p95 lie.
_QUANTILES: Final = {"p5": 0.05, "p25": 0.25, "median": 0.5, "p75": 0.75, "p95": 0.95}


def courses(counted: SeatSums, *, by_score: bool = False) -> pd.DataFrame:
    """Return the courses of the agents' win rates, or scores, while blocks are added in schedule order.

    The last point of an agent is its standing; a point of fewer than two blocks with games of the agent has no interval
    and is left out.

    Args:
        counted: over the seats of whole match-ups.
        by_score: whether the means are scores instead of win rates.

    Returns:
        Columns agent_index, games (of all agents so far), mean, low and high (the ends of the 95 % interval).
    """
    n_blocks = len(counted.blocks)
    ends = np.unique(np.linspace(min(2, n_blocks), n_blocks, _POINTS).round().astype(np.int64)).tolist()
    so_far = np.cumsum(counted.games[:, 0].sum(axis=0).astype(np.int64))
    rows = []
    sums = (counted.scores if by_score else counted.wins).sum(axis=1)
    columns = (sums, counted.games.sum(axis=1), counted.independent.sum(axis=1))
    for agent, of_agent in enumerate(zip(*columns, strict=True)):
        for end in ends:
            mean = ClusteredMean.of(*(values[:end] for values in of_agent))
            if mean.clusters > 1:
                interval = mean.interval(-inf, inf) if by_score else mean.proportion_interval()
                rows.append((agent, int(so_far[end - 1]), mean.mean, *interval))
    return pd.DataFrame(rows, columns=["agent_index", "games", "mean", "low", "high"])


def decision_times(timed: pd.DataFrame) -> pd.DataFrame:
    """Return the distributions of the games' mean times per decision.

    Args:
        timed: columns agent_index and ms.

    Returns:
        Columns agent_index, games, p5, p25, median, p75 and p95, in milliseconds.
    """
    agents = timed["agent_index"].to_numpy()
    order = np.argsort(agents, kind="stable")
    found, begins = np.unique(agents[order], return_index=True)
    of_agents = np.split(timed["ms"].to_numpy()[order], begins[1:]) if len(found) else []
    quantiles = np.array([np.quantile(ms, list(_QUANTILES.values())) for ms in of_agents]).reshape(-1, len(_QUANTILES))
    rows = {name: quantiles[:, column] for column, name in enumerate(_QUANTILES)}
    return pd.DataFrame({"agent_index": found, "games": [len(ms) for ms in of_agents], **rows})


# --- playing a tournament again: as a command, and as a TOML file for ``tag tournament`` ------------------------------


#: The flags of options that are not called as the settings are.
_FLAGS: Final = {
    "agents": "--agent",
    **{one.name: about.flag for one, about in options_in(TournamentOptions) if about.flag},
}


def as_command(definition: TournamentDefinition) -> str:
    """Return the command that plays the same tournament, an option per line."""
    said = dict(_said(definition))
    lines = [f"tag tournament {shlex.quote(said.pop('game'))}"]
    for name, value in said.items():
        option = _FLAGS.get(name, f"--{name.replace('_', '-')}")
        values = value if isinstance(value, list) else [value]
        lines += [f"  {option}" if one is True else f"  {option} {shlex.quote(str(one))}" for one in values]
    return " \\\n".join(lines)


def as_toml(definition: TournamentDefinition) -> str:
    """Return a TOML file of the same tournament; the keys are those of `tag.tournaments.commands.settings`."""
    return "\n".join(f"{name} = {_toml_value(value)}" for name, value in _said(definition))


def _said(definition: TournamentDefinition) -> Iterator[tuple[str, Any]]:
    """Yield the settings of a definition, rare ones only where they are set."""
    defaults = {**asdict(TournamentOptions()), **asdict(Rules())}
    del defaults["design"]
    for name, value in definition.to_json().items():
        if name not in defaults or (tuple(value) if isinstance(value, list) else value) != defaults[name]:
            yield name, value


def _toml_value(value: Any) -> str:
    if isinstance(value, list):
        return "[\n" + "".join(f"    {_toml_value(one)},\n" for one in value) + "]"
    return json.dumps(value, ensure_ascii=False)  # TOML's texts and numbers are written as JSON's


#: With more agents there is no heat map, no list of pairs, and a course only for this many.
MOST_AGENTS: Final = 40
#: How to read names in figures.
NUMBERS: Final = "The numbers before the names are places in the standings."


@dataclass(frozen=True)
class Part:
    """A part of a report: a section of its own, or within that of an event."""

    name: str
    title: str
    about: str
    blocks: Sequence[Block]


class Subject:
    """The tournament of a report, and the looks of its agents."""

    def __init__(self, reading: Reading, prefix: str = "") -> None:
        """Give the agents their looks."""
        self.reading = reading
        labels = reading.definition.labels
        self.styles: list[Style] = styles([standing.agent for standing in reading.results.standings] or labels, labels)
        self.by_label = {style.label: style for style in self.styles}
        self.short = {style.label: style.short for style in self.styles}
        self._prefix = prefix

    @property
    def rate(self) -> str:
        """The name of a share of games won."""
        return "success rate" if self.reading.is_shared else "win rate"

    def figure(self, what: str) -> str:
        """Return the name of a figure."""
        return f"{self._prefix}figure-{what}"

    def part(self, name: str, title: str, about: str, blocks: Sequence[Block]) -> Part:
        """Return a part of the report."""
        return Part(f"{self._prefix}{name}", title, about, blocks)


def sentence(text: str) -> str:
    """Return a text with a capital."""
    return text[:1].upper() + text[1:]


def own_size(figure: Figure) -> Figures:
    """Return one figure at its own size."""
    return Figures([figure], "own")


def again_part(subject: Subject) -> Part:
    """Return the command and the TOML file that play the same again."""
    manifest = subject.reading.manifest
    blocks: list[Block] = [
        Code(as_command(manifest.definition)),
        Heading("The same as a file for tag tournament"),
        Code(as_toml(manifest.definition)),
    ]
    if manifest.sources:
        names = ", ".join(sorted(manifest.sources))
        text = (
            f"It uses files of its own, whose text or digest is in tournament.json: {names}. To run them from the folder, "
            "add --trust."
        )
        blocks.append(Paragraph(text))
    versions = [
        *manifest.versions.items(),
        ("tournament", manifest.id),
        ("ledger", subject.reading.results.content_hash),
    ]
    blocks += [Folded("Versions", [Definitions(versions)])]
    about = (
        "With deterministic budgets the same versions play the same games, and the ledger has the same hash. A single "
        "game: tag replay DIR b0-m0-s0, with the tournament's folder for DIR."
    )
    return subject.part("again", "Play it again", about, blocks)
