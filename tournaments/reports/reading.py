"""The data of a tournament's report, read once from its folder, and the parts that its sections share."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pandas as pd

from tournaments.definition import STREAMS, Rules, TournamentDefinition
from tournaments.designs.schedule import Schedule
from tournaments.ledger.folder import TournamentManifest, read_manifest
from tournaments.ledger.games import read_faults, read_ledger, read_timings
from tournaments.reports.figures import Style, styles
from tournaments.reports.html.figures import Figure
from tournaments.reports.html.page import NOTHING, Block, Cell, Figures
from tournaments.results.machines import MachineResults, MemoryResults, read_machines, read_memory
from tournaments.results.measures import GameMeasure, read_metrics
from tournaments.results.ratings import RatingSummary, rate_games
from tournaments.results.tournament import TournamentResults, _ints, read_results, uncounted_in
from tournaments.statistics.intervals import ClusteredMean, ends_text
from tournaments.statistics.plackett_luce import RankedGames
from tournaments.statistics.standings import BlockSums, whole_match_ups

# --- all data of a tournament's report --------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Reading:
    """The data in a tournament's folder, complete or not.

    Attributes:
        manifest: of the tournament.
        results: the results so far.
        schedule: its games.
        games: those in the ledger.
        seats: their seats.
        counted: the seats of whole match-ups, the basis of standings and all else on strength.
        timings: the time of each agent in each game, where known.
        faults: all faults.
        measures: the values of the tournament's metrics.
        ratings: on one scale; None without a whole match-up, with a single agent, and where all win or lose together.
        machines: results by machine, and tests for differences.
        memory: the tests for agents that remember deals.
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


# --- data of reports beyond standings and ratings: courses and times --------------------------------------------------


#: The greatest number of points of a course.
_POINTS: Final = 60
#: The shares of values below which the columns p5 … p95 lie.
_QUANTILES: Final = {"p5": 0.05, "p25": 0.25, "median": 0.5, "p75": 0.75, "p95": 0.95}

_Floats = npt.NDArray[np.float64]
_Ints = npt.NDArray[np.int64]


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
    games = np.bincount(np.unique(_ints(counted, "block"), return_inverse=True)[1], _ints(counted, "seat") == 0)
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


#: Settings that are given once per value, with their options.
_REPEATED: Final = {"agents": "--agent", "metrics": "--metric", "compare": "--compare", "draw": "--draw"}


def as_command(definition: TournamentDefinition) -> str:
    """Return the command that plays the same tournament, an option per line."""
    said = dict(_said(definition))
    lines = [f"tag tournament {shlex.quote(said.pop('game'))}"]
    for name, value in said.items():
        option = _REPEATED.get(name, f"--{name.replace('_', '-')}")
        values = value if name in _REPEATED else [value]
        lines += [f"  {option}" if one is True else f"  {option} {shlex.quote(str(one))}" for one in values]
    return " \\\n".join(lines)


def as_toml(definition: TournamentDefinition) -> str:
    """Return a TOML file of the same tournament; the keys are those of `tournaments.commands.settings`."""
    return "\n".join(f"{name} = {_toml_value(value)}" for name, value in _said(definition))


def _said(definition: TournamentDefinition) -> Iterator[tuple[str, Any]]:
    """Yield the settings of a definition, rare ones only where they are set."""
    defaults = {
        **asdict(Rules()),
        "metrics": [],
        "sprt": "",
        "precision": 0.0,
        "compare": [],
        "draw": [],
        "record_actions": False,
        "streams": STREAMS[0],
    }
    for name, value in definition.to_json().items():
        if name not in defaults or value != defaults[name]:
            yield name, value


def _toml_value(value: Any) -> str:
    if isinstance(value, list):
        return "[\n" + "".join(f"    {_toml_value(one)},\n" for one in value) + "]"
    return json.dumps(value, ensure_ascii=False)  # TOML's texts and numbers are written as JSON's


# --- common parts of a tournament's report ----------------------------------------------------------------------------


#: With more agents there is no heat map, no list of pairs, and a course only for this many.
MOST_AGENTS: Final = 40
#: How to read names in figures.
NUMBERS: Final = "The numbers before the names are places in the standings."


@dataclass(frozen=True)
class Part:
    """A part of a report: a section of its own, or within that of an event.

    Attributes:
        name: identifies it in links.
        title: its heading.
        about: a line below it.
        blocks: the content.
    """

    name: str
    title: str
    about: str
    blocks: Sequence[Block]


class Subject:
    """The tournament of a report, and the looks of its agents.

    Attributes:
        reading: of its folder.
        styles: of the agents, in the order of the standings.
        by_label: the same by label.
        short: their short labels, by label.
    """

    def __init__(self, reading: Reading, prefix: str = "") -> None:
        """Give the agents their looks.

        Args:
            reading: of the tournament.
            prefix: of all names, which are unique on a page.
        """
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


def estimate(row: dict[str, float | None], name: str, scale: float = 1.0, digits: int = 3) -> Cell:
    """Return a mean with its interval below it."""
    value, low, high = (row[key] for key in (name, f"{name}_low", f"{name}_high"))
    if value is None or low is None or high is None:
        return Cell(NOTHING)
    return Cell(f"{scale * value:.{digits}f}", ends_text(scale * low, scale * high, f".{digits}f"))


def cells(texts: pd.Series) -> pd.Series:
    """Return texts as the cells of a column."""
    return pd.Series([Cell(text) for text in texts], texts.index, dtype=object)


def sentence(text: str) -> str:
    """Return a text with a capital."""
    return text[:1].upper() + text[1:]


def own_size(figure: Figure) -> Figures:
    """Return one figure at its own size."""
    return Figures([figure], "own")
