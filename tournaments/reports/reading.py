"""The data of a tournament's report, read once from its folder, and the parts that its sections share."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import pandas as pd

from tag.catalogue.options import options_in
from tournaments.definition import Rules, TournamentDefinition, TournamentOptions
from tournaments.designs.schedule import Schedule
from tournaments.ledger.folder import TournamentManifest, read_manifest
from tournaments.ledger.games import judged_ledger, read_faults, read_ledger, read_timings
from tournaments.reports.figures import Style, styles
from tournaments.reports.html.figures import Figure
from tournaments.reports.html.page import Block, Code, Definitions, Figures, Folded, Heading, Paragraph
from tournaments.results.machines import MachineResults, MemoryResults, read_machines, read_memory
from tournaments.results.measures import GameMeasure, read_metrics
from tournaments.results.tournament import RatingSummary, TournamentResults, rate_games, read_results
from tournaments.statistics.intervals import ClusteredMean
from tournaments.statistics.plackett_luce import RankedGames
from tournaments.statistics.standings import BlockSums, whole_match_ups


@dataclass(frozen=True, eq=False)
class Reading:
    """The data in a tournament's folder, complete or not.

    Attributes:
        counted: the seats of whole match-ups, the basis of standings and all else on strength.
        ratings: on one scale; None without a whole match-up, with a single agent, and where all win or lose together.
        is_shared: whether all win or lose together, as in a co-operative game and one for a single player.
    """

    manifest: TournamentManifest
    results: TournamentResults
    schedule: Schedule
    games: pd.DataFrame
    seats: pd.DataFrame
    counted: pd.DataFrame
    timings: pd.DataFrame
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
    """Return all data of a report.

    Raises:
        DataError: there is no tournament, or its ledger is damaged.
    """
    manifest = read_manifest(folder)
    schedule = manifest.definition.schedule()
    games, seats = read_ledger(folder)
    uncounted = judged_ledger(folder, schedule, games)[0].uncounted()
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


#: The greatest number of points of a course.
_POINTS: Final = 60
#: The shares of values below which the columns p5 … p95 lie.
_QUANTILES: Final = {"p5": 0.05, "p25": 0.25, "median": 0.5, "p75": 0.75, "p95": 0.95}


def courses(counted: pd.DataFrame) -> pd.DataFrame:
    """Return the courses of the agents' win rates while blocks are added in schedule order.

    The last point of an agent is its standing; a point of fewer than two blocks with games of the agent has no interval
    and is left out.

    Args:
        counted: the seats of whole match-ups.

    Returns:
        Columns agent_index, games (of all agents so far), mean, low and high (the ends of the 95 % interval).
    """
    n_agents = len(counted["agent"].cat.categories)
    sums = BlockSums(counted, n_agents)
    games = np.bincount(np.unique(counted["block"], return_inverse=True)[1], counted["seat"] == 0)
    n_blocks = len(games)
    ends = np.unique(np.linspace(min(2, n_blocks), n_blocks, _POINTS).round().astype(np.int64)).tolist()
    so_far = np.cumsum(games)
    rows = []
    for agent in range(n_agents):
        found = sums.of(agent)
        for end in ends:
            rate = ClusteredMean.of(found["win"][:end], found["games"][:end])
            if rate.clusters > 1:
                rows.append((agent, int(so_far[end - 1]), rate.mean, *rate.proportion_interval()))
    return pd.DataFrame(rows, columns=["agent_index", "games", "mean", "low", "high"])


def decision_times(timed: pd.DataFrame) -> pd.DataFrame:
    """Return the distributions of the games' mean times per decision.

    Args:
        timed: columns agent_index and ms.

    Returns:
        Columns agent_index, games, p5, p25, median, p75 and p95, in milliseconds.
    """
    by = timed.groupby("agent_index")["ms"]
    return pd.DataFrame(
        {"games": by.size(), **{name: by.quantile(at) for name, at in _QUANTILES.items()}}
    ).reset_index()


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
    """Return a TOML file of the same tournament; the keys are those of `tournaments.commands.settings`."""
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
        text = f"It uses files of its own, whose text is in tournament.json: {', '.join(sorted(manifest.sources))}."
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
