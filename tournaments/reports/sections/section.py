"""A section of results as data: tables, figures and texts, which know nothing of the medium that shows them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from itertools import groupby
from math import isnan
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal

import pandas as pd

from tag.tournaments.reports.sections.matrix import Matrix
from tag.tournaments.statistics.intervals import ends_text, half_width_text, interval_text

if TYPE_CHECKING:
    from tag.tournaments.reports.html.figures import Figure

#: The text of a cell without a value.
NOTHING: Final = "-"


@dataclass(frozen=True)
class Cell:
    """A number with a note.

    Attributes:
        value: the number itself, or the text; None where there is none.
        ends: those of its interval.
        game: the id of the game that it is about, and after a ``#`` the actions before it; empty for none.
    """

    text: str
    note: str = ""
    value: float | str | None = None
    ends: tuple[float, float] | None = None
    game: str = ""


@dataclass(frozen=True)
class Column:
    """A column of a table, the same in every medium.

    Its place in a record (`tag.tournaments.statistics.plain_records.plain_record`) is the key in the mapping of columns. The
    ends of an interval are beside it, as ``points_low`` and ``points_high`` or as ``low`` and ``high``.

    Attributes:
        heading: of the column.
        unit: of the numbers on a page, where those in ``%`` are 100 times the record's.
        form: the format of the numbers; empty for texts, and for numbers to three digits.
        spread: what a terminal shows of the interval: both ``ends`` in a column of their own, or ``half`` its width.
        meaning: in words, for tooltips.
        omitted: how soon narrow terminals omit it, from 1 for the first; 0 for never.
        metric: what MLflow has of each row: its ``result`` in the end, or also its ``curve``, whose result has an interval.
    """

    heading: str
    unit: str = ""
    form: str = ""
    spread: Literal["", "ends", "half"] = ""
    meaning: str = ""
    omitted: int = 0
    metric: Literal["", "result", "curve"] = ""

    def cell(self, record: Mapping[str, Any], name: str) -> Cell:
        """Return the cell of a record on a page, with the ends of the interval as a note."""
        value, (low, high) = record[name], ends_of(record, name)
        if isinstance(value, Cell):
            return value
        if isinstance(value, str):
            return Cell(value, value=value)
        if not self.form or pd.isna(value):
            return Cell(number(value), value=value)
        scale, form = (100.0, ".1f") if self.unit == "%" else (1, self.form)
        if not self.spread or low is None or high is None or pd.isna(low):
            return Cell(format(scale * value, form), value=value)
        note = ends_text(scale * low, scale * high, form)
        return Cell(format(scale * value, form), note, value, (low, high))

    def texts(self, records: Sequence[Mapping[str, Any]], name: str) -> list[list[str]]:
        """Return the texts of each record on a terminal: the value, and the interval if that has a column of its own."""
        values, form = [record[name] for record in records], self.form
        if not form:
            return [[NOTHING if value is None else str(value)] for value in values]
        numbers = [NOTHING if value is None or isnan(value) else format(value, form) for value in values]
        if not self.spread:
            return [[text] for text in numbers]
        ends = [ends_of(record, name) for record in records]
        if self.spread == "ends":
            intervals = [interval_text(low, high, form) for low, high in ends]
            return [[text, interval] for text, interval in zip(numbers, intervals, strict=True)]
        halves = [
            half_width_text(None if low is None or high is None else (high - low) / 2.0, form) for low, high in ends
        ]
        return [[f"{text} ± {half}"] for text, half in zip(numbers, halves, strict=True)]


def ends_of(record: Mapping[str, Any], name: str) -> tuple[float | None, float | None]:
    """Return the ends of the interval of a value in a record; None where there is none."""
    prefix = f"{name}_" if f"{name}_low" in record else ""
    return record.get(f"{prefix}low"), record.get(f"{prefix}high")


def number(value: float | None) -> str:
    """Return a number to three digits or to the whole, a dash for none.

    >>> number(0.12345), number(12345.6), number(None)
    ('0.123', '12,346', '-')
    """
    if value is None or pd.isna(value):
        return NOTHING
    return f"{value:,.0f}" if abs(value) >= 100.0 else f"{value:.3g}"


def sentence(text: str) -> str:
    """Return a text with a capital."""
    return text[:1].upper() + text[1:]


def begun_text(created: str, form: str = "%d %B %Y, %H:%M UTC") -> str:
    """Return when something was begun, from ISO 8601; any other text is returned as it is."""
    try:
        return f"{datetime.fromisoformat(created):{form}}"
    except (TypeError, ValueError):
        return str(created)


@dataclass(frozen=True)
class TableData:
    """A table.

    Attributes:
        records: the rows: values by name, None or nan where there is none; a value may be a `Cell`.
        labels: the names of the texts that identify a row, one at least; neighbouring rows with the same first one are a
            group.
        by_name: the other columns, by name.
        short: the short forms of long labels.
        is_dense: whether it has so many columns that pages write small, and headings upright.
    """

    kind: ClassVar[str] = "table"
    records: Sequence[Mapping[str, Any]]
    caption: str
    labels: Sequence[str]
    by_name: Mapping[str, Column]
    short: Mapping[str, str] = field(default_factory=dict)
    is_dense: bool = False

    @property
    def columns(self) -> list[Column]:
        """The columns beside the labels."""
        return list(self.by_name.values())

    @cached_property
    def full(self) -> dict[str, str]:
        """The full forms of short labels."""
        return {form: label for label, form in self.short.items() if form != label}

    @cached_property
    def groups(self) -> list[tuple[str, list[tuple[list[str], list[Cell]]]]]:
        """The rows by their first labels: of each group that label, then the other labels and the cells of each row."""
        rows = [
            (
                [self.short.get(text, text) for text in (str(record[name]) for name in self.labels)],
                [column.cell(record, name) for name, column in self.by_name.items()],
            )
            for record in self.records
        ]
        return [(first, [(row[0][1:], row[1]) for row in same]) for first, same in groupby(rows, lambda row: row[0][0])]

    def metrics(self, names: Mapping[str, str]) -> dict[str, float]:
        """Return the results of the rows by the names of metrics, such as ``rating/mcts``.

        Args:
            names: the name of each row in a metric, by its first label.
        """
        found = {}
        for record in self.records:
            for name, column in self.by_name.items():
                low, high = ends_of(record, name)
                values = {"_low": low, "_high": high} if column.metric == "curve" else {"": record[name]}
                for end, value in values.items() if column.metric else ():
                    if value is not None and not isnan(value):
                        found[f"{name}{end}/{names[record[self.labels[0]]]}"] = float(value)
        return found


def table(
    rows: pd.DataFrame,
    caption: str,
    labels: Sequence[str],
    columns: Mapping[str, Column],
    short: Mapping[str, str] = MappingProxyType({}),
) -> TableData:
    """Return the rows of a data frame as a table."""
    records = [{str(name): value for name, value in record.items()} for record in rows.to_dict("records")]
    return TableData(records, caption, labels, columns, short)


@dataclass(frozen=True)
class Paragraph:
    """A paragraph."""

    kind: ClassVar[str] = "text"
    text: str


def remark(text: str) -> Paragraph:
    """Return a text without a capital and a full stop as a paragraph."""
    return Paragraph(f"{sentence(text)}.")


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


def own_size(figure: Figure) -> Figures:
    """Return one figure at its own size."""
    return Figures([figure], "own")


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


@dataclass(frozen=True)
class ProgressBar:
    """Progress between two ends.

    Attributes:
        share: from 0 at the ``low`` end to 1 at the ``high`` end.
        text: the state in words.
    """

    kind: ClassVar[str] = "progress"
    label: str
    share: float
    low: str
    high: str
    text: str


Block = Paragraph | Code | Key | Figures | Definitions | Heading | Folded | TableData | Matrix | ProgressBar


@dataclass(frozen=True)
class Section:
    """A part of a page with an entry in its navigation."""

    name: str
    title: str
    blocks: Sequence[Block] = field(default_factory=list)
    about: str = ""


def unfolded(blocks: Iterable[object]) -> Iterator[object]:
    """Yield all blocks, the content of folded ones in their place."""
    for block in blocks:
        if isinstance(block, Folded):
            yield from unfolded(block.blocks)
        else:
            yield block


def tables_in(blocks: Iterable[object]) -> Iterator[TableData]:
    """Return all tables, also folded ones, in the order of the page."""
    return (block for block in unfolded(blocks) if isinstance(block, TableData))


@dataclass(frozen=True)
class Page:
    """A report."""

    title: str
    about: str
    facts: Sequence[tuple[str, str]]
    sections: Sequence[Section]
