"""The figures of an analysis as tables for a terminal: tables 1 and 2 of the TAG report, and one more."""

from __future__ import annotations

import io
from typing import Any, Final

import pandas as pd
from rich.console import Console
from rich.table import Table

from tournaments.analysis.run import AnalysisResults

#: The tables: title, then headings by measure; a speed by its function.
TABLES: Final[dict[str, dict[str, str]]] = {
    "What players choose from, what is on the table, and how fast it is": {
        "actions": "actions",
        "branching": "branching",
        "components": "components",
        "hidden": "hidden",
        "speed:setup": "setup/s",
        "speed:next": "next/s",
        "speed:actions": "actions/s",
        "speed:copy": "copy/s",
    },
    "How long it takes, and what rewards there are on the way": {
        "decisions": "decisions",
        "ticks": "ticks",
        "rounds": "rounds",
        "actions_per_turn": "actions/turn",
        "heuristic": "heuristic",
        "single_actions": "no choice",
    },
    "Who wins, and when": {
        "decided": "won",
        "first_seat": "first seat",
        "lead_changes": "lead changes",
        "decided_at": "decided at",
        "drama": "drama",
        "skill": "skill",
        "team_skill": "team skill",
    },
}
#: Rates, as mean with half their interval in percent; all else is the mean with the range of nine tenths of the values.
_SHARES: Final = frozenset(["decided", "first_seat", "skill", "team_skill"])
_PERCENT: Final = frozenset(["hidden", "single_actions", "decided_at"])


def tables_text(results: AnalysisResults, width: int | None = None) -> str:
    """Return all tables as plain text without control codes, ``width`` columns at most."""
    console = Console(file=io.StringIO(), width=width or 140, highlight=False, color_system=None)
    with console.capture() as capture:
        for title, headings in TABLES.items():
            console.print(_table(title, headings, results))
            console.print()
    return "\n".join(line.rstrip() for line in capture.get().rstrip().splitlines())


def cells(results: AnalysisResults, headings: dict[str, str]) -> list[list[str]]:
    """Return the rows of a table, one per event: game, players, and a text per heading."""
    speeds = results.speed.groupby(["game", "players", "function"])["per_second"].median()
    rows = []
    for (game, players), measured in results.summary.groupby(["game", "players"], sort=False):
        by_name: dict[str, dict[Any, Any]] = {row["measure"]: row for row in measured.to_dict("records")}
        found = [
            _rate(speeds.get((game, players, name.removeprefix("speed:"))))
            if name.startswith("speed:")
            else _cell(name, by_name.get(name))
            for name in headings
        ]
        rows.append([str(game), str(players), *found])
    return rows


def _table(title: str, headings: dict[str, str], results: AnalysisResults) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold", title=title, title_justify="left", title_style="bold")
    rows = cells(results, headings)
    shown = [0, 1, *(column for column in range(2, len(headings) + 2) if any(row[column] != "-" for row in rows))]
    names = ["game", "players", *headings.values()]
    for column in shown:
        table.add_column(names[column], justify="left" if column == 0 else "right", overflow="fold")
    for row in rows:
        table.add_row(*(row[column] for column in shown))
    return table


def _cell(name: str, row: dict[Any, Any] | None) -> str:
    """Return the figure of a measure with its spread."""
    if row is None or pd.isna(row["mean"]):
        return "-"
    if name in _SHARES:
        half = (row["high"] - row["low"]) / 2.0
        return f"{row['mean']:.1%} ± {half:.1%}".replace("%", " %")
    form = "{:.0%}" if name in _PERCENT else "{:.3g}"
    mean = "{:.1%}" if name in _PERCENT else "{:.3g}" if abs(row["mean"]) < 100 else "{:,.0f}"
    low, high = (form.format(row[end]) for end in ("p5", "p95"))
    return f"{mean.format(row['mean'])} ({low} … {high})"


def _rate(per_second: float | None) -> str:
    """Return calls per second in thousands or millions."""
    if per_second is None:
        return "-"
    return f"{per_second / 1e6:.2g} M" if per_second >= 1e6 else f"{per_second / 1e3:.3g} k"
