"""The tables of a series: one over all events, and the standings of each."""

from __future__ import annotations

from rich.table import Table

from tournaments.series import SeriesResults
from tournaments.tables import interval_text, number_text, results_text, table_text


def series_text(results: SeriesResults, width: int | None = None) -> str:
    """Return the overall table of a series and the standings of each event as plain text."""
    overall = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("agent", "strength", "95 % interval", *results.events):
        overall.add_column(heading, justify="left" if heading == "agent" else "right", overflow="fold")
    for row in (standing.to_json() for standing in results.overall):
        interval = interval_text(row, ("low", "high"), ".3f")
        overall.add_row(
            row["agent"],
            number_text(row["strength"], ".3f"),
            interval,
            *(number_text(one, ".3f") for one in row["by_event"]),
        )
    parts = [table_text(overall, width)]
    parts += [f"{name}\n{results_text(found, width)}" for name, found in results.events.items()]
    return "\n\n".join(parts)
