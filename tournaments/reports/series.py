"""The report of a series as a page: one table over all, and all about each event."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pandas as pd

from tournaments.definition import TournamentDefinition
from tournaments.html.page import Block, Figures, Heading, Page, Section, Text
from tournaments.html.tables import Cell, Column, table
from tournaments.reports.figures import ranges_figure, styles
from tournaments.reports.parts import Subject
from tournaments.reports.reading import Reading, read_tournament
from tournaments.reports.tournament import facts_of, title_of, tournament_parts
from tournaments.series import SeriesResults, read_events, read_series
from tournaments.tables import number_text


def series_page(folder: Path) -> Page:
    """Return the report of the series in ``folder``, complete or not.

    Raises:
        DataError: there is no series, or a ledger is damaged.
    """
    events, results = read_events(folder), read_series(folder)
    sections = [_overall(results, events)]
    for at, (name, event) in enumerate(events.items()):
        reading = read_tournament(folder / name) if name in results.events else None
        title = f"{title_of(event.game)}, {event.players} player{'s' if event.players != 1 else ''}"
        blocks = [Text("Not begun yet.")] if reading is None else list(_event_blocks(reading, f"event-{at}-"))
        sections.append(Section(f"event-{at}", title, blocks, _event_state(reading)))
    played = f"{results.total:,}, complete" if results.complete else f"{results.games:,} of {results.total:,}"
    facts = [("Events", str(len(events))), ("Agents", str(len(next(iter(events.values())).agents))), ("Games", played)]
    return Page(f"Series of {len(events)} events", "In the overall table every event weighs the same.", facts, sections)


def _overall(results: SeriesResults, events: dict[str, TournamentDefinition]) -> Section:
    about = (
        "An agent's strength is its points per seat in shares of an equal part, averaged over the events: 1 is average, 0 "
        "means that it never wins. Intervals are at 95 %."
    )
    if not results.overall:
        return Section("overall", "Overall", [Text("No game has been played yet.")], about)
    labels = [standing.agent for standing in results.overall]
    rows = []
    drawn = styles(labels, next(iter(events.values())).labels)
    for standing, style in zip((one.to_json() for one in results.overall), drawn, strict=True):
        mean, low, high = standing["strength"], standing["low"], standing["high"]
        strength = Cell(number_text(mean, ".3f"), f"{number_text(low, '.3f')} … {number_text(high, '.3f')}")
        by_event = dict(zip(results.events, standing["by_event"], strict=True))
        row = {"place": style.number, "agent": style.label, "strength": strength, **by_event}
        rows.append({**row, "name": style.name, "colour": style.colour, "mean": mean, "low": low, "high": high})
    frame = pd.DataFrame(rows)
    columns = {"strength": Column("strength"), **{name: Column(name) for name in results.events}}
    blocks: list[Block] = [
        table(frame, "Strength over all events", ("place", "agent"), columns, {one.label: one.short for one in drawn})
    ]
    measured = frame[frame["mean"].notna()].astype({"mean": float, "low": float, "high": float})
    if not measured.empty:
        figure = ranges_figure("overall-figure", "Strength", "The line is an equal share.", measured, reference=1.0)
        blocks.append(Figures([figure], "own"))
    return Section("overall", "Overall", blocks, about)


def _event_blocks(reading: Reading, prefix: str) -> Iterator[Block]:
    """Yield all parts of an event, each under a heading."""
    for part in tournament_parts(Subject(reading, prefix)):
        yield Heading(part.title)
        yield Text(part.about)
        yield from part.blocks


def _event_state(reading: Reading | None) -> str:
    if reading is None:
        return ""
    return " · ".join(f"{word.lower()} {value}" for word, value in facts_of(reading))
