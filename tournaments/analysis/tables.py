"""The figures of an analysis as tables: tables 1 and 2 of the TAG report, and one more."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from typing import Any, Final

import pandas as pd
from rich.console import Console
from rich.table import Table as TerminalTable

from tournaments.analysis.results import AnalysisResults
from tournaments.html.tables import Cell, Column, Table, number, table
from tournaments.intervals import ends_text

_SPEED: Final = "speed:"
_PER_SECOND: Final = "k/s"
#: The tables: title, then columns by measure; a speed by its function.
_TABLES: Final[dict[str, dict[str, Column]]] = {
    "What players choose from, what is on the table, and how fast it is": {
        "actions": Column("actions"),
        "branching": Column("branching"),
        "components": Column("components"),
        "hidden": Column("hidden", "%"),
        "speed:setup": Column("setup", _PER_SECOND),
        "speed:next": Column("next", _PER_SECOND),
        "speed:actions": Column("actions", _PER_SECOND),
        "speed:copy": Column("copy", _PER_SECOND),
    },
    "How long it takes, and what rewards there are on the way": {
        "decisions": Column("decisions"),
        "ticks": Column("ticks"),
        "rounds": Column("rounds"),
        "actions_per_turn": Column("actions/turn"),
        "heuristic": Column("heuristic"),
        "single_actions": Column("no choice", "%"),
    },
    "Who wins, and when": {
        "decided": Column("won", "%"),
        "first_seat": Column("first seat", "%"),
        "lead_changes": Column("lead changes"),
        "decided_at": Column("decided at", "%"),
        "drama": Column("drama"),
        "skill": Column("skill", "%"),
        "team_skill": Column("team skill", "%"),
    },
}
#: Shown with their 95 % intervals; all else with the range of nine tenths of the values.
_ESTIMATES: Final = frozenset(["decided", "first_seat", "skill", "team_skill"])
#: How to read the tables.
NOTE: Final = (
    "Means, each game counting once, with the range of nine tenths of all values, or in brackets the 95 % interval where "
    "a rate is estimated. Speeds are medians in thousand calls per second of CPU time, with the range of nine tenths of "
    "the samples."
)


def summary_tables(results: AnalysisResults) -> Iterator[Table]:
    """Yield the tables, each with one row per event, without the columns that are empty."""
    measured = _by_event(results.summary) | _by_event(_speeds(results.speed))
    for title, columns in _TABLES.items():
        frame = _frame(results, columns, measured)
        shown = {name: column for name, column in columns.items() if frame[name].notna().any()}
        yield table(frame, title, ("game", "players"), shown)


def tables_text(results: AnalysisResults, width: int | None = None) -> str:
    """Return all tables as plain text without control codes, ``width`` columns at most."""
    console = Console(file=io.StringIO(), width=width or 140, highlight=False, color_system=None)
    with console.capture() as capture:
        for found in summary_tables(results):
            console.print(_for_terminal(found))
            console.print()
    return "\n".join(line.rstrip() for line in capture.get().rstrip().splitlines())


def _frame(
    results: AnalysisResults, columns: Mapping[str, Column], measured: Mapping[tuple[Any, Any, Any], Any]
) -> pd.DataFrame:
    """Return a table's cells, None where an event has no such measure."""
    rows = []
    for event in results.manifest.definition.events:
        found = {name: measured.get((event.game, event.players, name)) for name in columns}
        cells = {name: row and _cell(name, row, columns[name].unit) for name, row in found.items()}
        rows.append({"game": event.game, "players": event.players, **cells})
    return pd.DataFrame(rows)


def _by_event(summary: pd.DataFrame) -> dict[tuple[Any, Any, Any], Any]:
    """Return the rows of a summary by game, players and measure."""
    return {(row["game"], row["players"], row["measure"]): row for row in summary.to_dict("records")}


def _speeds(speed: pd.DataFrame) -> pd.DataFrame:
    """Return the speed of each function as rows of a summary."""
    by = speed.groupby(["game", "players", "function"], sort=False)["per_second"]
    frame = pd.DataFrame({"mean": by.median(), "p5": by.quantile(0.05), "p95": by.quantile(0.95)}).reset_index()
    return frame.assign(measure=_SPEED + frame["function"])


def _cell(name: str, row: Mapping[Any, Any], unit: str) -> Cell | None:
    """Return the figure of a measure with its spread."""
    scale = {"%": 100.0, _PER_SECOND: 0.001}.get(unit, 1.0)
    mean, low, high = (
        row.get(key) for key in (("mean", "low", "high") if name in _ESTIMATES else ("mean", "p5", "p95"))
    )
    if mean is None or low is None or high is None or pd.isna(mean):
        return None
    if name in _ESTIMATES:
        return Cell(f"{scale * mean:.1f}", f"[{ends_text(scale * low, scale * high, '.1f').replace(' … ', ', ')}]")
    return Cell(number(scale * mean), f"{number(scale * low)} … {number(scale * high)}")


def _for_terminal(found: Table) -> TerminalTable:
    shown = TerminalTable(
        box=None, pad_edge=False, header_style="bold", title=found.caption, title_justify="left", title_style="bold"
    )
    for position, label in enumerate(found.labels):
        shown.add_column(label, justify="right" if position else "left", overflow="fold")
    for column in found.columns:
        heading = f"{column.heading}, {column.unit}" if column.unit else column.heading
        shown.add_column(heading, justify="right", overflow="fold")
    for first, rows in found.groups:
        for labels, cells in rows:
            shown.add_row(first, *labels, *map(_plain, found.columns, cells))
    return shown


def _plain(column: Column, cell: Cell) -> str:
    """Return a cell in a line; there is no room for the ranges of speeds."""
    if not cell.note or column.unit == _PER_SECOND:
        return cell.text
    return f"{cell.text} {cell.note}" if cell.note.startswith("[") else f"{cell.text} ({cell.note})"
