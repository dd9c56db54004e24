"""Tables in LaTeX, with the rules of the package booktabs; they need no other."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from math import isnan
from typing import Final

import pandas as pd

from tag.tournaments.reports.sections.section import Column, TableData, ends_of, number
from tag.tournaments.statistics.intervals import interval_text

#: Signs that are commands in LaTeX, and those that its fonts lack, as they are written there.
_SIGNS: Final = {
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': "''",
    **{sign: f"\\{sign}" for sign in "{}#$%&_"},
    "±": r"$\pm$",
    "\N{MULTIPLICATION SIGN}": r"$\times$",
    "·": r"$\cdot$",
    "…": r"\dots{}",
    "\N{MINUS SIGN}": "$-$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "≈": r"$\approx$",
    "→": r"$\rightarrow$",
    "μ": r"$\mu$",
    "\u00a0": "~",
    "\u202f": r"\,",
}
_ENCODED: Final = str.maketrans(_SIGNS)
_MINUS: Final = re.compile(r"(?<![\w.-])-(?=\d)")


@dataclass(frozen=True)
class PaperTable:
    """A table of a paper.

    Attributes:
        name: names it in its run and in LaTeX's references, as ``tab:standings``.
        data: the table.
        bold: the cells in bold, as a row, from 0, and the name of a column.
        note: what bold means and how the numbers came about, after the caption.
    """

    name: str
    data: TableData
    bold: Collection[tuple[int, str]] = ()
    note: str = ""


def latex_text(text: str) -> str:
    r"""Return a text as LaTeX prints it, whatever signs it has.

    >>> latex_text("mcts:k=1_000 & 95 %, -0.5 ± 0.1")
    'mcts:k=1\\_000 \\& 95 \\%, $-$0.5 $\\pm$ 0.1'
    """
    return _MINUS.sub("$-$", text.translate(_ENCODED))


def latex_table(table: PaperTable) -> str:
    """Return a table as an environment of LaTeX, with caption and label.

    Numbers are as on a terminal; intervals stand after their numbers, in brackets.
    """
    data = table.data
    columns = {name: column for name, column in data.by_name.items() if _tells(data, name)}
    headings = [*("" if name in ("place", "agent") else name for name in data.labels)]
    headings += [column.heading for column in columns.values()]
    sides = ["l"] * len(data.labels) + ["r" if _is_numeric(data, name) else "l" for name in columns]
    rows = [[data.short.get(text, text) for text in (str(one[name]) for name in data.labels)] for one in data.records]
    cells = [[latex_text(text) for text in row] for row in rows]
    for name, column in columns.items():
        for at, (row, text) in enumerate(zip(cells, _cells(data, name, column), strict=True)):
            row.append(rf"\textbf{{{latex_text(text)}}}" if (at, name) in table.bold else latex_text(text))
    caption = ". ".join(text.rstrip(".") for text in (data.caption, table.note) if text)
    lines = [r"\begin{table}", r"  \centering", rf"  \caption{{{latex_text(caption)}.}}"]
    lines += [rf"  \label{{tab:{table.name}}}", rf"  \begin{{tabular}}{{{''.join(sides)}}}", r"    \toprule"]
    lines += [_line(map(latex_text, headings)), r"    \midrule", *map(_line, cells)]
    lines += [r"    \bottomrule", r"  \end{tabular}", r"\end{table}"]
    return "\n".join(lines) + "\n"


def _line(cells: Iterable[str]) -> str:
    text = " & ".join(cells)
    guard = "{}" if text.startswith(("[", "*")) else ""  # which would belong to the line end before it
    return f"    {guard}{text} \\\\"


def _tells(data: TableData, name: str) -> bool:
    """Say whether a column has a value in any row."""
    return any(pd.notna(one[name]) for one in data.records)


def _is_numeric(data: TableData, name: str) -> bool:
    return not any(isinstance(one[name], str) for one in data.records)


def _cells(data: TableData, name: str, column: Column) -> list[str]:
    """Return the texts of a column, each with its interval."""
    if not column.form:
        return [_plain(one[name]) for one in data.records]
    if column.spread != "ends":
        return [texts[0] for texts in column.texts(data.records, name)]
    return [
        f"{texts[0]} {_interval(one, name, column.form)}".rstrip()
        for one, texts in zip(data.records, column.texts(data.records, name), strict=True)
    ]


def _plain(value: object) -> str:
    """Return a value of a column without a format."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return getattr(value, "text", "-" if value is None else str(value))
    return "-" if isnan(value) else number(value)


def _interval(record: Mapping[str, object], name: str, form: str) -> str:
    low, high = ends_of(record, name)
    text = interval_text(low, high, form)
    return f"[{text.replace(' … ', ', ')}]" if "…" in text else ""
