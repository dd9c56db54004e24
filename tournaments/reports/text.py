"""Results as text: tables for a terminal, Markdown and CSV, and the progress of a tournament."""

from __future__ import annotations

import csv
import io
import json
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import isnan
from pathlib import Path
from time import perf_counter
from typing import Any, Final, Protocol

import click
from rich.console import Console, Group
from rich.live import Live
from rich.padding import Padding
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from tournaments.definition import budgets_of
from tournaments.designs.stopping import StoppingResult
from tournaments.ledger.folder import is_at_work
from tournaments.ledger.games import arrivals
from tournaments.ledger.labels import legend, short_labels
from tournaments.statistics.intervals import ends_text, half_width_text
from tournaments.statistics.pairwise import PairwiseTable
from tournaments.statistics.results import FaultCount, PausedAgent, TournamentResults, VariantStandings, read_results
from tournaments.statistics.standings import Standing, TeamStanding

# --- standings as tables: for a terminal, Markdown and CSV --------------------------------------------------------------


#: Of CPU or of wall time, as `clock_of` says.
_TIME: Final = "ms/decision"
_HEADINGS: Final = ("agent", "games", "win rate", "95 % interval", "mean ordinal", "points", _TIME, "faults")
#: What a narrow terminal does without, in this order; faults have a table of their own where there are any.
_LESS_NEEDED: Final = ("mean ordinal", "faults", "points")
#: Agents of more letters are folded before a column is left out.
_AGENT: Final = 20
#: Between two columns.
_GAP: Final = 2
#: More teams than this are not shown.
_MOST_TEAMS: Final = 20
#: Where all win or lose together there are no places and no shares.
_OF_ALL: Final = tuple(heading not in ("mean ordinal", "points") for heading in _HEADINGS)


def standings_table(standings: Sequence[Standing], is_cooperative: bool = False, width: int | None = None) -> Table:
    """Return the standings for a terminal, without places and points where the game is co-operative.

    Agents have short labels. Points are left out where they are the win rates, faults where there are none and, where
    ``width`` columns have no room for all, what is needed least: JSON has it.
    """
    clock = clock_of(standings)
    short = short_labels([standing.agent for standing in standings])
    rows = [_cells({**standing.to_json(), "agent": short[standing.agent]}, clock) for standing in standings]
    headings = _headings(clock)
    shown = _OF_ALL if is_cooperative else (True,) * len(_HEADINGS)
    columns = {heading: [row[place] for row in rows] for place, heading in enumerate(headings) if shown[place]}
    for heading in _that_say_nothing(standings):
        columns.pop(heading, None)
    for heading in _LESS_NEEDED:
        if width is not None and _width_of(columns) > width:
            columns.pop(heading, None)
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in columns:
        left = heading == "agent"
        name = "success rate" if is_cooperative and heading == "win rate" else heading
        table.add_column(name, justify="left" if left else "right", overflow="fold", no_wrap=not left)
    for row in zip(*columns.values(), strict=True):
        table.add_row(*row)
    return table


def _headings(clock: str) -> tuple[str, ...]:
    return tuple(f"{clock} {heading}" if heading == _TIME else heading for heading in _HEADINGS)


def _that_say_nothing(standings: Sequence[Standing]) -> list[str]:
    """Return the headings of columns with the numbers of another, or with nothing but zeros."""
    has_shares = any(standing.points != standing.win_rate for standing in standings if standing.games)
    has_faults = any(standing.faults for standing in standings)
    return [*([] if has_shares else ["points"]), *([] if has_faults else ["faults"])]


def _width_of(columns: Mapping[str, Sequence[str]]) -> int:
    """Return how wide a table is, whose agents may be folded."""
    widths = {heading: max(map(len, (heading, *cells))) for heading, cells in columns.items()}
    widths["agent"] = min(widths["agent"], _AGENT)
    return sum(widths.values()) + _GAP * (len(widths) - 1)


def clock_of(standings: Sequence[Standing]) -> str:
    """Return which time per decision is shown: ``CPU`` where that of all agents is known, otherwise ``wall``."""
    return "wall" if any(isnan(one.decision_cpu_ms) and not isnan(one.decision_ms) for one in standings) else "CPU"


def standings_text(standings: Sequence[Standing], width: int | None = None, is_cooperative: bool = False) -> str:
    """Return the standings as plain text without control codes, ``width`` columns at most."""
    return table_text(standings_table(standings, is_cooperative, width), width)


def teams_text(teams: Sequence[TeamStanding], width: int | None = None) -> str:
    """Return how often teams succeed as plain text, ``width`` columns at most."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("team", overflow="fold")
    for heading in ("games", "success rate", "95 % interval"):
        table.add_column(heading, justify="right")
    for team in teams[:_MOST_TEAMS]:
        interval = ends_text(team.success_rate_low, team.success_rate_high, ".3f")
        table.add_row(team.team, f"{team.games:,}", f"{team.success_rate:.3f}", interval)
    more = len(teams) - _MOST_TEAMS
    return table_text(table, width) + (f"\nand {more:,} more teams (--json has all)" if more > 0 else "")


def legend_text(labels: Sequence[str]) -> str:
    """Return which label each short label stands for, a line each; empty where none is shortened."""
    return "\n".join(f"{short} is {label}" for short, label in legend(labels).items())


def faults_text(faults: Sequence[FaultCount], labels: Sequence[str], width: int | None = None) -> str:
    """Return what went wrong, by agent and kind, as plain text, ``width`` columns at most.

    Args:
        faults: by agent and kind.
        labels: those of all agents, from which short ones are made.
        width: in columns.
    """
    short = short_labels(labels)
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading, justify in (("agent", "left"), ("fault", "left"), ("times", "right"), ("games", "right")):
        table.add_column(heading, justify=justify, overflow="fold")  # type: ignore[arg-type]
    for count in faults:
        table.add_row(short.get(count.agent, count.agent), count.kind, f"{count.faults:,}", f"{count.games:,}")
    return table_text(table, width)


def results_text(results: TournamentResults, width: int | None = None) -> str:
    """Return the standings, how the stopping rule stands if there is one, and what went wrong if anything did."""
    parts = [standings_text(results.standings, width, results.is_cooperative)]
    labels = [standing.agent for standing in results.standings]
    parts.append(legend_text(labels))
    if results.teams:
        parts.append(teams_text(results.teams, width))
    if results.grid:
        parts.append(grid_text(results.grid, width))
    parts += [
        variants_text(parameter, list(variants), results, width)
        for parameter, variants in groupby(results.variants, key=lambda variant: variant.parameter)
    ]
    if results.stopping:
        parts.append(results.stopping.text)
    if results.faults:
        parts.append(faults_text(results.faults, labels, width))
    return "\n\n".join(part for part in [*parts, *map(paused_text, results.paused)] if part)


def grid_text(grid: PairwiseTable, width: int | None = None) -> str:
    """Return the score of every agent against every other with half the length of its interval, in the agents' order."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("", overflow="fold")
    short = short_labels(grid.labels)
    for heading in budgets_of(grid.labels) or short.values():
        table.add_column(heading, justify="right", overflow="fold")
    halves = (grid.high - grid.low) / 2.0
    for label, scores, half in zip(grid.labels, grid.score, halves, strict=True):
        cells = [
            "-" if isnan(score) else f"{score:.2f} ± {half_width_text(error, '.2f')}"
            for score, error in zip(scores, half, strict=True)
        ]
        table.add_row(short[label], *cells)
    return f"how often the row is placed above the column, a shared place counting half:\n{table_text(table, width)}"


def variants_text(
    parameter: str, variants: Sequence[VariantStandings], results: TournamentResults, width: int | None = None
) -> str:
    """Return the points or success rate of every agent by the value of a parameter that is drawn."""
    what, column = ("success rate", "win_rate") if results.is_cooperative else ("points", "points")
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("agent", overflow="fold")
    for variant in variants:
        table.add_column(variant.value, justify="right")
    rows = [{standing.agent: standing.to_json() for standing in variant.standings} for variant in variants]
    for agent, short in short_labels([standing.agent for standing in results.standings]).items():
        table.add_row(short, *(_with_interval(row[agent], column, ".3f") for row in rows))
    blocks = ", ".join(str(max(standing.blocks for standing in variant.standings)) for variant in variants)
    return f"{what} by {parameter}, drawn anew for each block ({blocks} blocks):\n{table_text(table, width)}"


def paused_text(paused: PausedAgent) -> str:
    """Return what became of a paused agent in a line."""
    return (
        f"{paused.agent} is paused after game {paused.after} ({paused.reason}): {paused.not_played:,} of its games are "
        f"not played, and none from block {paused.from_block} on counts"
    )


def table_text(table: Table, width: int | None) -> str:
    """Return a table as plain text without control codes."""
    console = Console(file=io.StringIO(), width=width or 140, highlight=False, color_system=None)
    with console.capture() as capture:
        console.print(table)
    return "\n".join(line.rstrip() for line in capture.get().splitlines())


def standings_markdown(standings: Sequence[Standing]) -> str:
    """Return the standings as a Markdown table."""
    clock = clock_of(standings)
    rows = [_headings(clock), ("---", *["---:"] * (len(_HEADINGS) - 1))]
    rows += [tuple(cell.replace("|", "\\|") for cell in _cells(standing.to_json(), clock)) for standing in standings]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def standings_csv(standings: Sequence[Standing]) -> str:
    """Return all fields of the standings as CSV."""
    rows = [standing.to_json() for standing in standings]
    file = io.StringIO()
    writer = csv.DictWriter(file, fieldnames=list(rows[0]) if rows else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return file.getvalue()


def _cells(row: dict[str, Any], clock: str) -> tuple[str, ...]:
    return (
        str(row["agent"]),
        f"{row['games']:,}",
        number_text(row["win_rate"], ".3f"),
        interval_text(row, ("win_rate_low", "win_rate_high"), ".3f"),
        _with_interval(row, "mean_ordinal", ".2f"),
        _with_interval(row, "points", ".3f"),
        number_text(row["decision_cpu_ms" if clock == "CPU" else "decision_ms"], ",.2f"),
        f"{row['faults']:,}",
    )


def _with_interval(row: dict[str, Any], name: str, form: str) -> str:
    """Return a number with half the length of its interval."""
    low, high = row[f"{name}_low"], row[f"{name}_high"]
    half = "-" if low is None or high is None else half_width_text((high - low) / 2.0, form)
    return f"{number_text(row[name], form)} ± {half}"


def interval_text(row: Mapping[str, Any], ends: tuple[str, str], form: str) -> str:
    """Return the interval between two numbers of a row; dashes where there is none."""
    low, high = (row[end] for end in ends)
    if low is None or high is None:
        return f"{number_text(low, form)} … {number_text(high, form)}"
    return ends_text(low, high, form)


def number_text(value: float | None, form: str) -> str:
    """Return a number in ``form``, or a dash where there is none."""
    return "-" if value is None else format(value, form)


# --- showing how a tournament comes along: live on a terminal, plain lines elsewhere, always on standard error ----------


AUTO: Final = "auto"
_PLAIN: Final = "plain"
_JSON: Final = "json"
PROGRESS_KINDS: Final = (AUTO, _PLAIN, _JSON)

_SECONDS_BETWEEN_LINES: Final = 5.0
_REFRESHES_PER_SECOND: Final = 4


class Note(Protocol):
    """How something stands that is shown beside the games: a stopping rule, a search."""

    @property
    def text(self) -> str:
        """How it stands, in a line."""

    def to_json(self) -> dict[str, Any]:
        """Return the same and more as plain values."""


class Progress:
    """What the runner tells of its work. This one shows nothing but sentences: the quiet one.

    Attributes:
        wants_standings: whether `show_standings` is worth calling.
        total: the games of the tournament, at most where a stopping rule may end it.
        product: what makes them so many, such as ``10 blocks x 3 match-ups x 2 seatings``; empty where that is not known.
        done: the games in the ledger, or about to be.
        faults: the faults of the games played since the start.
        stopping: how the stopping rule stands, if there is one.
        notes: what else stands how, and the stopping rule, by the name that it has in JSON.
    """

    wants_standings = False

    def __init__(self) -> None:
        """Start with nothing known."""
        self.total = 0
        self.product = ""
        self.done = 0
        self.faults = 0
        self.stopping: StoppingResult | None = None
        self.notes: dict[str, Note] = {}
        self._done_at_first = 0
        self._first = 0.0

    def start(self, total: int, done: int, product: str = "") -> None:
        """Play begins, with ``done`` of ``total`` games in the ledger from before, and ``product`` making the total."""
        self.total = total
        self.product = product
        self.done = done

    def skip(self, games: int) -> None:
        """So many more games turn out to have been played before."""
        self.done += games
        self._done_at_first += games

    def advance(self, games: int, faults: int) -> None:
        """So many more games have been played, with so many faults in them."""
        self.done += games
        self.faults += faults
        if not self._first:
            self._first, self._done_at_first = perf_counter(), self.done

    def show_standings(self, standings: Sequence[Standing], is_cooperative: bool) -> None:
        """These are the standings so far, of a game in which all win or lose together or of another."""

    def show_stopping(self, stopping: StoppingResult) -> None:
        """The stopping rule stands like this."""
        self.stopping = stopping
        self.show_note("stopping", stopping)

    def show_note(self, name: str, note: Note) -> None:
        """What goes by ``name`` in JSON stands like this."""
        self.notes[name] = note

    def conclude(self, standings: Sequence[Standing]) -> None:
        """These are the standings in the end, whether all has been played or not."""

    def end(self, status: str) -> None:
        """All is read and written; the ``status`` is that of a run of MLflow."""

    def say(self, sentence: str) -> None:
        """Print a sentence for people."""
        click.echo(f"tag: {sentence}", err=True)

    def close(self) -> None:
        """Play has ended, for whatever reason."""

    @property
    def games_per_second(self) -> float:
        """The speed since the first games came in: workers take seconds to start."""
        if not self._first:
            return 0.0
        return (self.done - self._done_at_first) / max(perf_counter() - self._first, 1e-9)

    @property
    def at_most(self) -> bool:
        """Whether a stopping rule may end it before the total."""
        return self.stopping is not None and not self.stopping.is_decided

    @property
    def text(self) -> str:
        """Games done, speed, time left and faults in one line."""
        most = "at most " if self.at_most else ""
        speed = self.games_per_second
        product = f" ({self.product})" if self.product and not speed else ""
        parts = [f"{self.done:,} of {most}{self.total:,} games{product}"]
        if speed:
            parts.append(f"{speed:,.{1 if speed < 100 else 0}f} games/s")
        if speed and self.done < self.total:
            parts.append(f"{most}{duration((self.total - self.done) / speed)} left")
        if self.faults:
            parts.append(f"{self.faults:,} fault{'s' if self.faults > 1 else ''}")
        return ", ".join(parts)


class PlainProgress(Progress):
    """A line every few seconds, without control codes: for logs."""

    def __init__(self) -> None:
        """Start with nothing shown."""
        super().__init__()
        self._last_line = 0.0

    def start(self, total: int, done: int, product: str = "") -> None:
        """Print the first line."""
        super().start(total, done, product)
        self._last_line = perf_counter()
        if done < total:
            self._print()

    def advance(self, games: int, faults: int) -> None:
        """Print a line if the last is old enough."""
        super().advance(games, faults)
        now = perf_counter()
        if now - self._last_line >= _SECONDS_BETWEEN_LINES or self.done == self.total:
            self._last_line = now
            self._print()

    def _print(self) -> None:
        click.echo("; ".join([self.text, *(note.text for note in self.notes.values())]), err=True)


class LiveProgress(Progress):
    """A bar and the standings, kept up to date in place on a terminal."""

    wants_standings = True

    def __init__(self, console: Console | None = None) -> None:
        """Draw on ``console``, by default standard error."""
        super().__init__()
        self._standings: Sequence[Standing] = ()
        self._is_cooperative = False
        self._console = console or Console(stderr=True, highlight=False)
        self._live = Live(
            console=self._console,
            get_renderable=self._picture,
            refresh_per_second=_REFRESHES_PER_SECOND,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )

    def start(self, total: int, done: int, product: str = "") -> None:
        """Draw from now on."""
        super().start(total, done, product)
        if done < total:
            self._live.start()

    def show_standings(self, standings: Sequence[Standing], is_cooperative: bool) -> None:
        """Draw these from now on."""
        self._standings = standings
        self._is_cooperative = is_cooperative

    def say(self, sentence: str) -> None:
        """Print above the picture."""
        self._console.print(f"tag: {sentence}", markup=False, soft_wrap=True)

    def close(self) -> None:
        """Take the picture away."""
        self._live.stop()

    def _picture(self) -> Group:
        bar = Padding(ProgressBar(total=max(self.total, 1), completed=self.done, width=60), 0)  # on a line of its own
        head = Group(bar, Text(self.text), *(Text(note.text) for note in self.notes.values()))
        table = standings_table(self._standings, self._is_cooperative, self._console.width)
        return Group(table, Text(""), head) if self._standings else head


class JsonProgress(Progress):
    """A JSON object per line, every second and at the end: for programs."""

    wants_standings = True

    def __init__(self) -> None:
        """Start with nothing shown."""
        super().__init__()
        self._standings: Sequence[Standing] = ()
        self._last_line = 0.0

    def start(self, total: int, done: int, product: str = "") -> None:
        """Print where it begins."""
        super().start(total, done, product)
        self._print()

    def advance(self, games: int, faults: int) -> None:
        """Print how far it is if the last line is old enough."""
        super().advance(games, faults)
        if perf_counter() - self._last_line >= 1.0 or self.done == self.total:
            self._print()

    def close(self) -> None:
        """Print how it ended, if a stopping rule did that."""
        if self.stopping is not None and self.stopping.is_decided:
            self._print()

    def show_standings(self, standings: Sequence[Standing], is_cooperative: bool) -> None:
        """Print these with every line from now on."""
        self._standings = standings

    def conclude(self, standings: Sequence[Standing]) -> None:
        """Print a last line with these."""
        self._standings = standings
        self._print()

    def say(self, sentence: str) -> None:
        """Print a sentence as an object of its own."""
        click.echo(json.dumps({"said": sentence}), err=True)

    def _print(self) -> None:
        self._last_line = perf_counter()
        speed = self.games_per_second
        line = {
            "games": self.done,
            "total": self.total,
            "at_most": self.at_most,
            "games_per_second": speed,
            "seconds_left": (self.total - self.done) / speed if speed else None,
            "faults": self.faults,
            "stopping": None,
            **{name: note.to_json() for name, note in self.notes.items()},
            "agents": [standing.to_json() for standing in self._standings],
        }
        click.echo(json.dumps(line), err=True)


def make_progress(quiet: bool, kind: str = AUTO) -> Progress:
    """Return what fits standard error: live on a terminal, plain lines elsewhere; or the kind that was asked for.

    Args:
        quiet: whether to show next to nothing.
        kind: one of `PROGRESS_KINDS`.
    """
    if quiet:
        return Progress()
    if kind == _JSON:
        return JsonProgress()
    return LiveProgress() if kind == AUTO and sys.stderr.isatty() else PlainProgress()


def duration(seconds: float) -> str:
    """Return a time span for people: ``45 s``, ``3 min 20 s``, ``2 h 5 min``."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


# --- how a tournament stands, for another process than the one at work on it: from its folder alone ---------------------


#: The speed is that of so many seconds before the last games arrived.
_WINDOW: Final = 60.0


@dataclass(frozen=True)
class Status:
    """How a tournament stands.

    Attributes:
        results: what it came to so far.
        at_work: whether a process on this machine is at work on it.
        games_per_second: in the last minute before the last games arrived; 0 where that cannot be told.
    """

    results: TournamentResults
    at_work: bool
    games_per_second: float

    @property
    def seconds_left(self) -> float | None:
        """How long the rest takes at that speed, at most where a stopping rule may end it; None if nobody is at work."""
        left = self.results.total - self.results.games
        return left / self.games_per_second if self.at_work and self.games_per_second else None

    @property
    def text(self) -> str:
        """Games, speed, time left and faults in one line."""
        results = self.results
        parts = [f"{results.games:,} of {results.total_text} games"]
        if self.at_work:
            parts.append(f"{self.games_per_second:,.3g} games/s" if self.games_per_second else "at work")
        elif not results.complete:
            parts.append("nobody at work")
        if self.seconds_left:
            parts.append(f"{'at most ' if results.at_most else ''}{duration(self.seconds_left)} left")
        faults = sum(standing.faults for standing in results.standings)
        if faults:
            parts.append(f"{faults:,} fault{'s' if faults > 1 else ''}")
        return ", ".join(parts)

    def to_json(self) -> dict[str, Any]:
        """Return everything as plain values."""
        own = {
            "at_work": self.at_work,
            "games_per_second": self.games_per_second,
            "seconds_left": self.seconds_left,
        }
        return {**self.results.to_json(), **own}


def read_status(folder: Path) -> Status:
    """Return how the tournament in ``folder`` stands.

    Raises:
        DataError: there is no tournament.
    """
    results = read_results(folder)
    return Status(results, is_at_work(folder), _speed(arrivals(folder)))


def _speed(arrived: list[tuple[float, int]]) -> float:
    """Return games per second from the times of arrival, in seconds of the clock, and the games that arrived then."""
    recent = [(when, games) for when, games in arrived if when > arrived[-1][0] - _WINDOW]
    if len(recent) < 2 or time.time() - recent[-1][0] > _WINDOW:
        return 0.0
    return sum(games for _when, games in recent[1:]) / (recent[-1][0] - recent[0][0])
