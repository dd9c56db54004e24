"""Tables on terminals, and as Markdown."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from tag.tournaments.reports.sections.section import Block, Paragraph, TableData

_INTERVAL: Final = "95 % interval"
#: Agents with longer labels are folded before a column is omitted.
_AGENT: Final = 20
#: The space between two columns.
_GAP: Final = 2


def terminal_table(
    data: TableData, headings: Mapping[str, str] | None = None, width: int | None = None, folds: bool = True
) -> Table:
    """Return a table for a terminal.

    If ``width`` columns have no room for all, those that may be omitted are; JSON has them.

    Args:
        data: the table.
        headings: of the labels, if they are not their names.
        width: of the terminal; None if it has room for all.
        folds: whether columns after the first are folded as well where they are too wide.
    """
    columns = dict(data.by_name)
    for _order, name in sorted((column.omitted, name) for name, column in columns.items() if column.omitted):
        if width is not None and _width_of(replace(data, by_name=columns), headings) > width:
            del columns[name]
    texts, rows = _texts(replace(data, by_name=columns), headings)
    is_left = [True] * len(data.labels)
    for column in columns.values():
        is_left += [not column.form, *([False] if column.spread == "ends" else [])]
    table = _table(texts, rows, is_left)
    for drawn in table.columns[1:]:
        drawn.no_wrap = not folds
    return table


def data_text(data: TableData, width: int | None = None, headings: Mapping[str, str] | None = None) -> str:
    """Return `terminal_table` of all columns as plain text."""
    return table_text(terminal_table(data, headings), width)


def blocks_text(blocks: Iterable[Block], width: int | None = None) -> str:
    """Return the tables and paragraphs among the blocks of a section as plain text."""
    shown = [
        block.text if isinstance(block, Paragraph) else data_text(block, width)
        for block in blocks
        if isinstance(block, (Paragraph, TableData))
    ]
    return "\n\n".join(shown)


def rows_text(headings: Sequence[str], rows: Iterable[Sequence[str]], width: int | None = None, left: int = 1) -> str:
    """Return texts as a table, the first ``left`` columns flush left and the others flush right."""
    return table_text(_table(headings, rows, [at < left for at in range(len(headings))]), width)


def table_text(table: Table, width: int | None) -> str:
    """Return a table as plain text without control codes."""
    console = Console(file=io.StringIO(), width=width or 140, highlight=False, color_system=None, force_jupyter=False)
    with console.capture() as capture:
        console.print(table)
    return "\n".join(line.rstrip() for line in capture.get().splitlines())


def _texts(data: TableData, headings: Mapping[str, str] | None = None) -> tuple[list[str], list[list[str]]]:
    """Return the headings and the rows of a table."""
    texts = list(headings.values()) if headings else list(data.labels)
    rows = [[data.short.get(text, text) for text in (str(one[name]) for name in data.labels)] for one in data.records]
    for name, column in data.by_name.items():
        texts += [column.heading, *([_INTERVAL] if column.spread == "ends" else [])]
        for row, cells in zip(rows, column.texts(data.records, name), strict=True):
            row.extend(cells)
    return texts, rows


def _width_of(data: TableData, headings: Mapping[str, str] | None) -> int:
    """Return the width of a table whose first labels may be folded."""
    texts, rows = _texts(data, headings)
    first, *widths = (max(map(len, column)) for column in zip(texts, *rows, strict=True))
    return min(first, _AGENT) + sum(widths) + _GAP * len(widths)


def _table(headings: Sequence[str], rows: Iterable[Sequence[str]], is_left: Sequence[bool]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading, left in zip(headings, is_left, strict=True):
        table.add_column(Text(heading), justify="left" if left else "right", overflow="fold")
    for row in rows:
        table.add_row(*map(Text, row))  # as they are: names and notes of people may look like rich's markup
    return table


def empty_table(first: str, *others: str) -> Table:
    """Return a table without rows: one column of names, others of values."""
    return _table((first, *others), (), [True, *[False] * len(others)])


def markdown(data: TableData) -> str:
    """Return a table as Markdown, with labels in full."""
    headings, rows = _texts(replace(data, short={}))
    lines = [headings, ["---", *["---:"] * (len(headings) - 1)]]
    lines += [[cell.replace("|", "\\|") for cell in row] for row in rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
