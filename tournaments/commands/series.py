"""Series: one tournament per game type and number of players, between the same agents, and one overall table."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from math import inf, isnan, nan, sqrt
from pathlib import Path
from typing import Any, Final, NamedTuple

import click
import pandas as pd

from tag.catalogue.registry import game_class
from tag.cli.process import print_json
from tag.cluster import Workers
from tag.cluster.workers import at_work
from tag.engine.parameters import parse_spec
from tag.errors import DataError, PlayersError
from tag.tournaments import run as running
from tag.tournaments.commands.settings import (
    ResumableCommand,
    Settings,
    declared_options,
    given_options,
    players_of,
    read_toml,
    shown_options,
    stopped,
    table_width,
)
from tag.tournaments.definition import TournamentDefinition
from tag.tournaments.ledger import folder as folders
from tag.tournaments.ledger import storage
from tag.tournaments.reports import displays, figures, terminal
from tag.tournaments.reports import text as texts
from tag.tournaments.reports.progress import Progress
from tag.tournaments.reports.sections import section as pages
from tag.tournaments.results import tournament as outcomes
from tag.tournaments.statistics.clustered_means import independent_clusters
from tag.tournaments.statistics.intervals import Interval, student
from tag.tournaments.statistics.plain_records import plain_record

# --- series -----------------------------------------------------------------------------------------------------------
#
# A series has one tournament per game type and number of players, between the same agents, and one overall table.
#
# Each event is a tournament in a folder of its own, with a ledger like any other. All are played on the same workers,
# and every event has the same weight in the overall table.


@dataclass(frozen=True, slots=True)
class OverallStanding:
    """The results of one agent in all events.

    Attributes:
        agent: its label in the first event.
        strength: the mean over the events of its points per seat, relative to an equal share: 1 is average, 0 means
            that it never wins, and in a game of four players 4 that it always does.
        by_event: its strength in each event, in their order; nan where it has no whole match-up yet.
    """

    agent: str
    strength: float
    interval: Interval
    by_event: tuple[float, ...]

    def to_json(self) -> dict[str, Any]:
        """Return all attributes as plain values, nan and infinity as None."""
        return plain_record(self)


class _Strength(NamedTuple):
    """An agent's strength in one event, its standard error, and the number of its blocks."""

    mean: float
    error: float
    blocks: int
    agent: str


@dataclass(frozen=True)
class SeriesResults:
    """The results of a series so far.

    Attributes:
        events: the results of each event, by name.
        overall: over the events with equal fields, those not in ``apart``; empty if there are none.
        apart: the events that have been given other agents than the series, by name, with these agents. Their strengths are
            of another field, so they are not in ``overall``.
    """

    folder: Path
    events: dict[str, outcomes.TournamentResults]
    overall: list[OverallStanding]
    total: int
    apart: dict[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def compared(self) -> list[str]:
        """The names of the events in the overall table."""
        return [name for name in self.events if name not in self.apart]

    @property
    def notice(self) -> str:
        """A sentence on events that are not in the overall table; empty if all are."""
        if not self.apart:
            return ""
        added = "; ".join(f"{name} also has {', '.join(agents)}" for name, agents in self.apart.items())
        return (
            f"not in the overall table, as their fields differ: {added}; give all events the same agents with "
            "tag tournament DIR --extend"
        )

    @property
    def games(self) -> int:
        """The games in all ledgers."""
        return sum(results.games for results in self.events.values())

    @property
    def complete(self) -> bool:
        """True if all games have been played."""
        return self.games == self.total

    @property
    def total_text(self) -> str:
        """The total in words."""
        return f"{'at most ' if any(results.at_most for results in self.events.values()) else ''}{self.total:,}"

    def to_json(self) -> dict[str, Any]:
        """Return all attributes but the folder as plain values."""
        return {
            "overall": [standing.to_json() for standing in self.overall],
            "events": {name: results.to_json() for name, results in self.events.items()},
            "games": self.games,
            "total": self.total,
            "complete": self.complete,
            "apart": {name: list(agents) for name, agents in self.apart.items()},
        }


def run_series(
    events: Sequence[TournamentDefinition],
    out: Path,
    *,
    workers: Workers | int = 1,
    tracking: bool | str = True,
    progress: Progress | None = None,
) -> SeriesResults:
    """Play the missing games of the ``events``, one after the other, and return the results.

    Each agent has the same place in all events, and may have another spec in each. The other arguments are those of
    `tournaments.run_tournament`.

    Raises:
        TagError: the folder or a file of the user's does not fit, or a game breaks its contract.
    """
    named = {folders.event_name(event.game, event.players): event.to_json() for event in events}
    parts = {out / folders.event_name(event.game, event.players): event for event in events}
    _check(parts, out)
    parts = {folder: _extended(folder, event) for folder, event in parts.items()}
    with at_work(workers) as processes:
        running.check_all(parts, out, processes)
        out.mkdir(parents=True, exist_ok=True)
        storage.write_whole(out / folders.SERIES, json.dumps({"events": named}, indent=2))
        running.run_all(parts, processes, tracking=tracking, progress=progress or Progress())
    return read_series(out)


def read_series(folder: Path) -> SeriesResults:
    """Return the results of the series in ``folder``."""
    events = {name: _extended(folder / name, event) for name, event in folders.read_events(folder).items()}
    begun = {
        name: outcomes.read_results(folder / name) for name in events if (folder / name / folders.MANIFEST).exists()
    }
    apart = _apart(
        {name: events[name] for name in begun}, min(len(event.agents) for event in folders.read_events(folder).values())
    )
    tables = [_table(results, events[name]) for name, results in begun.items() if name not in apart]
    total = sum(begun[name].total if name in begun else len(event.schedule()) for name, event in events.items())
    return SeriesResults(folder, begun, _overall(tables) if tables else [], total, apart)


def _extended(folder: Path, event: TournamentDefinition) -> TournamentDefinition:
    """Return an event as it is in its folder, where it may have been given more agents and blocks; else as it is said."""
    if not (folder / folders.MANIFEST).exists():
        return event
    own = folders.read_manifest(folder).definition
    return event if event.difference(own) else own


def _apart(events: Mapping[str, TournamentDefinition], n_agents: int) -> dict[str, tuple[str, ...]]:
    """Return the agents of each event after the first ``n_agents``, where these are not the same in all events."""
    added = {name: event.named_agents[n_agents:] for name, event in events.items()}
    if len(set(added.values())) <= 1:
        return {}
    return {name: agents for name, agents in added.items() if agents}


def _check(events: Mapping[Path, TournamentDefinition], out: Path) -> None:
    """Raise unless ``events``, by folder, make a series, and ``out`` is new, empty, or has no other events in it."""
    storage.check_is_ours(out, folders.SERIES, "series")
    if len({len(event.agents) for event in events.values()}) != 1:
        raise PlayersError("all events of a series are between the same number of agents")
    for name in folders.read_events(out) if (out / folders.SERIES).exists() else ():
        if out / name not in events:
            raise DataError(f"{str(out)!r} holds a series with {name}; name that as well, or a new folder with --out")


def _table(results: outcomes.TournamentResults, event: TournamentDefinition) -> list[_Strength]:
    """Return the strength of each agent in one event, by the agent's number."""
    by_label = {standing.agent: standing for standing in results.standings}
    found = [by_label.get(label) for label in event.labels]
    shares = results.repeats.shares if results.repeats else (1.0,) * len(found)
    return [
        _Strength(
            event.players * standing.points,
            event.players * standing.points_error,
            independent_clusters(standing.blocks, share),
            label,
        )
        if standing
        else _Strength(nan, nan, 0, label)
        for label, standing, share in zip(event.labels, found, shares, strict=True)
    ]


def _overall(tables: list[list[_Strength]]) -> list[OverallStanding]:
    """Return the means over the events, with equal weights; the events are independent of one another."""
    standings = []
    for strengths in zip(*tables, strict=True):
        mean = sum(one.mean for one in strengths) / len(strengths)
        error = sqrt(sum(one.error**2 for one in strengths)) / len(strengths)
        blocks = min(one.blocks for one in strengths)
        half = student(blocks) * error if blocks > 1 and not isnan(error) else inf
        interval = Interval(max(0.0, mean - half), mean + half)
        by_event = tuple(one.mean for one in strengths)
        standings.append(OverallStanding(strengths[0].agent, mean, interval, by_event))
    return sorted(standings, key=lambda standing: (isnan(standing.strength), -standing.strength, standing.agent))


def series_text(results: SeriesResults, width: int | None = None) -> str:
    """Return the overall table of a series and the standings of each event as plain text."""
    table = terminal.records_text(_overall_records(results), {"agent": "agent"}, _overall_columns(results), width)
    parts = [*([table] if results.overall else []), *([results.notice] if results.notice else [])]
    parts += [f"{name}\n{texts.results_text(found, width)}" for name, found in results.events.items()]
    return "\n\n".join(parts)


def _overall_columns(results: SeriesResults) -> dict[str, pages.Column]:
    of_events = {f"event {name}": pages.Column(name, form=".3f") for name in results.compared}
    return {"strength": pages.Column("strength", "", ".3f", "ends"), **of_events}


def _overall_records(results: SeriesResults) -> list[dict[str, Any]]:
    """Return a record per agent, with its strength in each event."""
    records = []
    for one in (standing.to_json() for standing in results.overall):
        of_events = zip(results.compared, one["by_event"], strict=True)
        records.append({**one, **{f"event {name}": strength for name, strength in of_events}})
    return records


def series_page(folder: Path) -> pages.Page:
    """Return the report of the series in ``folder``, complete or not."""
    from tag.tournaments.reports.sections.data import read_tournament  # noqa: PLC0415  only who draws waits for these
    from tag.tournaments.reports.sections.tournament import event_section  # noqa: PLC0415

    results = read_series(folder)
    events = {name: _extended(folder / name, event) for name, event in folders.read_events(folder).items()}
    sections = [_overall_section(results, events)]
    for at, (name, event) in enumerate(events.items()):
        reading = read_tournament(folder / name) if name in results.events else None
        sections.append(event_section(f"event-{at}", event, reading))
    played = f"{results.total:,}, complete" if results.complete else f"{results.games:,} of {results.total:,}"
    facts = [("Events", str(len(events))), ("Agents", str(len(next(iter(events.values())).agents))), ("Games", played)]
    return pages.Page(
        f"Series of {len(events)} events", "In the overall table every event weighs the same.", facts, sections
    )


def _overall_section(results: SeriesResults, events: dict[str, TournamentDefinition]) -> pages.Section:
    about = (
        "An agent's strength is its points per seat in shares of an equal part, averaged over the events: 1 is average, 0 "
        "means that it never wins. Intervals are at 95 %."
    )
    notice = [pages.remark(results.notice)] if results.notice else []
    if not results.overall:
        return pages.Section("overall", "Overall", notice or [pages.Paragraph("No game has been played yet.")], about)
    labels = [standing.agent for standing in results.overall]
    drawn = figures.styles(labels, events[results.compared[0]].labels)
    records = [
        {**one, "place": style.number, "name": style.name, "colour": style.colour, "mean": one["strength"]}
        for one, style in zip(_overall_records(results), drawn, strict=True)
    ]
    frame, short = pd.DataFrame(records), {style.label: style.short for style in drawn}
    listed = pages.TableData(records, "Strength over all events", ("place", "agent"), _overall_columns(results), short)
    blocks: list[pages.Block] = [listed, *notice]
    measured = frame[frame["mean"].notna()].astype({"mean": float, "low": float, "high": float})
    if not measured.empty:
        figure = figures.ranges_figure(
            "overall-figure", "Strength", "The line is an equal share.", measured, reference=1.0
        )
        blocks.append(pages.Figures([figure], "own"))
    return pages.Section("overall", "Overall", blocks, about)


#: Settings that an event of a TOML file may have of its own; the others are common to all.
_OF_AN_EVENT: Final = ("game", "players", "agents", "blocks", "design", "draw")


@click.command(cls=ResumableCommand)
@click.argument("games", nargs=-1, required=True, metavar="GAME...")
@click.option("--players", metavar="N,N,...", default="", help="Numbers of seats; each game's fewest by default.")
@click.option("--out", metavar="DIR", default="runs/series", show_default=True, help="The folder.")
@declared_options(
    Settings, "agents", "budgets", "blocks", "design", "seed", "workers", "ray", "address", "tracking_uri", "tracking"
)
@shown_options
def series(
    games: tuple[str, ...], players: str, out: str, progress: str, quiet: bool, as_json: bool, **options: Any
) -> int:
    """Play a tournament of each GAME at each number of players, between the same agents; one table over all.

    A game that cannot seat some number of players is left out there. A TOML file in place of the games says the same. It
    has the keys of a tournament's file, and [[events]] with game, players, agents, blocks, design and draw: an event may
    have agents of its own.

    Example: tag series love_letter uno --players 2,4 --agent random --agent osla --blocks 20
    """
    given = given_options(options)
    if len(games) == 1 and games[0].endswith(".toml"):
        values = read_toml(Path(games[0]))
        events = _events_of_file(values.pop("events", None), games[0])
        out = str(values.pop("out", out))
    else:
        values = {}
        events = list(_events(games, players_of(players)))
    settings = [Settings.from_values({**values, **event, **given}, "the events") for event in events]
    definitions = [one.definition() for one in settings]
    with settings[0].make_workers() as workers:
        shown = displays.make_progress(quiet, progress)
        found = run_series(definitions, Path(out), workers=workers, tracking=settings[0].store, progress=shown)
    if as_json:
        print_json(found.to_json())
    else:
        click.echo(series_text(found, table_width()))
    if not found.complete:
        return stopped(found.games, found.total_text)
    return 0


def _events(games: tuple[str, ...], players: tuple[int, ...]) -> Iterator[Mapping[str, object]]:
    """Yield the events of games at numbers of players."""
    for game in games:
        kind = game_class(parse_spec(game).name).game_type
        seats = [n for n in players or (kind.min_players,) if kind.min_players <= n <= kind.max_players]
        if not seats:
            raise PlayersError(f"{kind.title} is not for {', '.join(map(str, players))} players; leave it out")
        for n in seats:
            yield {"game": game, "players": n}


def _events_of_file(events: object, file: str) -> list[Mapping[str, object]]:
    """Return the events of a TOML file, or raise the first error in them."""
    if not isinstance(events, list) or not events or not all(isinstance(event, dict) for event in events):
        raise DataError(f"{file!r} has no events; add [[events]] with a game each")
    known = {one.name for one in fields(Settings)}
    for event in events:
        for name in event:
            if name in known and name not in _OF_AN_EVENT:
                raise DataError(f"{name} in {file!r} is the same for all events; move it above [[events]]")
    return events
