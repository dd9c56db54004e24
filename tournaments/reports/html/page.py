"""Pages of a report: tables, figures and text, rendered as one HTML file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from itertools import groupby
from types import MappingProxyType
from typing import Any, ClassVar, Final, Literal

import pandas as pd

from tag.tournaments.reports.html.figures import Figure
from tag.tournaments.statistics.intervals import ends_text

#: The text of a cell without a value.
NOTHING: Final = "-"


@dataclass(frozen=True)
class Cell:
    """A number with a note.

    Attributes:
        value: the number itself, or the text; None where there is none.
        ends: those of its interval.
    """

    text: str
    note: str = ""
    value: float | str | None = None
    ends: tuple[float, float] | None = None


@dataclass(frozen=True)
class Column:
    """A column of a table, on a page and on a terminal.

    Its place in a record (`tag.tournaments.statistics.intervals.plain_record`) is the key in the mapping of columns. The
    ends of an interval are beside it, as ``points_low`` and ``points_high`` or as ``low`` and ``high``.

    Attributes:
        heading: of the column.
        unit: of the numbers on a page, where those in ``%`` are 100 times the record's.
        form: the format of the numbers; empty for texts, and for numbers to three digits.
        spread: what a terminal shows of the interval: both ``ends`` in a column of their own, or ``half`` its width.
    """

    heading: str
    unit: str = ""
    form: str = ""
    spread: Literal["", "ends", "half"] = ""

    def cell(self, record: Mapping[str, Any], name: str) -> Cell:
        """Return the cell of a record on a page, with the ends of the interval as a note."""
        value, (low, high) = record[name], ends_of(record, name)
        if isinstance(value, str):
            return Cell(value, value=value)
        if not self.form or pd.isna(value):
            return Cell(number(value), value=value)
        scale, form = (100.0, ".1f") if self.unit == "%" else (1, self.form)
        if not self.spread or low is None or high is None or pd.isna(low):
            return Cell(format(scale * value, form), value=value)
        note = ends_text(scale * low, scale * high, form)
        return Cell(format(scale * value, form), note, value, (low, high))


def ends_of(record: Mapping[str, Any], name: str) -> tuple[float | None, float | None]:
    """Return the ends of the interval of a value in a record; None where there is none."""
    prefix = f"{name}_" if f"{name}_low" in record else ""
    return record.get(f"{prefix}low"), record.get(f"{prefix}high")


@dataclass(frozen=True)
class Table:
    """A table.

    Attributes:
        labels: the headings of the columns that identify a row.
        groups: the rows, those with the same first label together: the first label, then the other labels and the cells
            of each row.
        full: the full forms of short labels.
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
        frame: with the columns that ``labels`` and ``columns`` name; numbers or cells, missing where there is no value.
        caption: of the table.
        labels: the columns that identify a row, one at least; neighbouring rows with the same first one are a group.
        columns: the columns of numbers, by name.
        short: the short forms of long labels.
    """
    names = [[short.get(name, name) for name in row] for row in frame[list(labels)].astype(str).to_numpy().tolist()]
    cells = [
        [value if isinstance(value, Cell) else Cell(number(value), value=value) for value in row]
        for row in frame[list(columns)].to_numpy(object).tolist()
    ]
    rows = zip(names, cells, strict=True)
    groups = [(first, [(row[0][1:], row[1]) for row in same]) for first, same in groupby(rows, lambda row: row[0][0])]
    full = {form: label for label, form in short.items() if form != label}
    return Table(caption, labels, list(columns.values()), groups, full)


def records_table(
    records: Sequence[Mapping[str, Any]],
    caption: str,
    labels: Sequence[str],
    columns: Mapping[str, Column],
    short: Mapping[str, str] = MappingProxyType({}),
) -> Table:
    """Return records as a table, their numbers as the columns say; the other arguments are those of `table`."""
    rows = [{**one, **{name: column.cell(one, name) for name, column in columns.items()}} for one in records]
    return table(pd.DataFrame(rows, columns=[*labels, *columns]), caption, labels, columns, short)


def number(value: float | None) -> str:
    """Return a number to three digits or to the whole, a dash for none.

    >>> number(0.12345), number(12345.6), number(None)
    ('0.123', '12,346', '-')
    """
    if value is None or pd.isna(value):
        return NOTHING
    return f"{value:,.0f}" if abs(value) >= 100.0 else f"{value:.3g}"


# --- pages: their parts, and rendering as HTML ------------------------------------------------------------------------


_TEMPLATE: Final = "page.html.jinja"
_STYLE: Final = "page.css"


@dataclass(frozen=True)
class Paragraph:
    """A paragraph."""

    kind: ClassVar[str] = "text"
    text: str


@dataclass(frozen=True)
class Key:
    """The legend of the colours in the figures below.

    Attributes:
        entries: pairs of a colour (`tag.tournaments.reports.html.figures.series_colour`) and its category.
    """

    kind: ClassVar[str] = "key"
    title: str
    entries: Sequence[tuple[str, str]]


@dataclass(frozen=True)
class Figures:
    """Figures side by side, as many as the window has room for.

    Attributes:
        layout: how much room each gets: that of ``small`` multiples, more for ``wide`` ones, or of its ``own`` size,
            which is scrolled where a window is much too narrow for it.
    """

    kind: ClassVar[str] = "figures"
    figures: Sequence[Figure]
    layout: Literal["small", "wide", "own"] = "small"


@dataclass(frozen=True)
class Definitions:
    """Words with their meanings."""

    kind: ClassVar[str] = "definitions"
    entries: Sequence[tuple[str, str]]


@dataclass(frozen=True)
class Heading:
    """A heading within a section."""

    kind: ClassVar[str] = "heading"
    text: str


@dataclass(frozen=True)
class Folded:
    """Content for some readers: closed until it is clicked, and open in print."""

    kind: ClassVar[str] = "folded"
    title: str
    blocks: Sequence[Block]


@dataclass(frozen=True)
class Code:
    """Lines for copying."""

    kind: ClassVar[str] = "code"
    text: str


Block = Paragraph | Code | Key | Figures | Definitions | Heading | Folded | Table


@dataclass(frozen=True)
class Section:
    """A part of a page with an entry in its navigation."""

    name: str
    title: str
    blocks: Sequence[Block]
    about: str = ""


@dataclass(frozen=True)
class Page:
    """A report."""

    title: str
    about: str
    facts: Sequence[tuple[str, str]]
    sections: Sequence[Section]


def page_html(page: Page) -> str:
    """Return the page as the text of an HTML file; equal pages give equal texts."""
    from jinja2 import Environment, PackageLoader, StrictUndefined  # noqa: PLC0415  only who writes a report waits for it

    environment = Environment(
        loader=PackageLoader(__package__, ""),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    style = files(__package__).joinpath(_STYLE).read_text("utf-8")
    return environment.get_template(_TEMPLATE).render(page=page, style=style)
