"""Tables of a page, from data frames."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from types import MappingProxyType
from typing import ClassVar, Final

import pandas as pd

#: What stands in a cell without a value.
NOTHING: Final = "-"


@dataclass(frozen=True)
class Cell:
    """A number with what belongs to it.

    Attributes:
        text: the number.
        note: its range or interval, in smaller print.
    """

    text: str
    note: str = ""


@dataclass(frozen=True)
class Column:
    """A column of numbers.

    Attributes:
        heading: what they are.
        unit: what they are counted in.
    """

    heading: str
    unit: str = ""


@dataclass(frozen=True)
class Table:
    """A table.

    Attributes:
        caption: what it shows.
        labels: the headings of the columns that say what a row is of.
        columns: the columns of numbers.
        groups: the rows, those with the same first label together: the first label, then the other labels and the cells of
            each row.
        full: what short labels stand for.
    """

    kind: ClassVar[str] = "table"
    caption: str
    labels: Sequence[str]
    columns: Sequence[Column]
    groups: Sequence[tuple[str, Sequence[tuple[Sequence[str], Sequence[Cell]]]]]
    full: Mapping[str, str] = field(default_factory=dict)


def table(
    frame: pd.DataFrame,
    caption: str,
    labels: Sequence[str],
    columns: Mapping[str, Column],
    short: Mapping[str, str] = MappingProxyType({}),
) -> Table:
    """Return the rows of a data frame as a table.

    Args:
        frame: with the columns that ``labels`` and ``columns`` name; numbers or cells, missing where there is nothing.
        caption: what it shows.
        labels: the columns that say what a row is of, one at least; neighbouring rows with the same first one are a group.
        columns: the columns of numbers, by name.
        short: what is written for labels that are long.
    """
    names = [[short.get(name, name) for name in row] for row in frame[list(labels)].astype(str).to_numpy().tolist()]
    cells = [
        [value if isinstance(value, Cell) else Cell(number(value)) for value in row]
        for row in frame[list(columns)].to_numpy(object).tolist()
    ]
    rows = zip(names, cells, strict=True)
    groups = [(first, [(row[0][1:], row[1]) for row in same]) for first, same in groupby(rows, lambda row: row[0][0])]
    full = {form: label for label, form in short.items() if form != label}
    return Table(caption, labels, list(columns.values()), groups, full)


def number(value: float | None) -> str:
    """Return a number to three digits or to the whole, a dash for none.

    >>> number(0.12345), number(12345.6), number(None)
    ('0.123', '12,346', '-')
    """
    if value is None or pd.isna(value):
        return NOTHING
    return f"{value:,.0f}" if abs(value) >= 100.0 else f"{value:.3g}"
