"""Contents of live pages, section by section, computed only while they are watched, in little of the machine's time."""

from __future__ import annotations

import asyncio
import csv
import io
import logging
import os
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from dataclasses import astuple, dataclass, field, fields
from math import isnan
from typing import ClassVar, Final

import numpy as np
import pandas as pd

from tag.errors import TagError
from tag.tournaments.reports.sections.section import NOTHING, Block, Cell, TableData, remark
from tag.tournaments.web.server import PageEvent, fragment, without_folders

_LOG: Final = logging.getLogger(__name__)

#: Seconds between two looks at whether something has changed.
LOOK_EVERY: Final = 2.0
#: The greatest share of the machine's time for computing one part of a page again and again.
_SHARE: Final = 0.003


@dataclass(frozen=True)
class Intervals:
    """Values with their intervals on one scale, drawn as bars.

    Attributes:
        rows: the name, value and ends of each, as shares of the scale, and all of it in words.
    """

    kind: ClassVar[str] = "intervals"
    label: str
    low: str
    high: str
    rows: Sequence[tuple[str, float, float, float, str]]

    @classmethod
    def of(cls, label: str, rows: pd.DataFrame, unit: str) -> Intervals:
        """Return the bars of rows with name, mean, low and high; percents have the whole scale, unknown ends its middle."""
        values = rows[["mean", "low", "high"]].to_numpy(np.float64)
        low, high = (0.0, 100.0) if unit == "%" else (float(np.nanmin(values)), float(np.nanmax(values)))
        shares = np.nan_to_num(((values - low) / max(high - low, 1e-9)).clip(0.0, 1.0), nan=0.5).tolist()
        first, last = (f"{end:.4g} {unit}".strip() for end in (low, high))
        words = [
            f"{name}: {mean:.4g} {unit}, {begin:.4g} to {end:.4g}".replace(" ,", ",")
            for name, (mean, begin, end) in zip(rows["name"], values.tolist(), strict=True)
        ]
        found = [(str(name), *share, text) for name, share, text in zip(rows["name"], shares, words, strict=True)]
        return cls(label, first, last, found)


@dataclass(frozen=True)
class FolderRow:
    """A tournament, study or training in the list, with its games so far and in all, and why it failed if it has."""

    key: str
    name: str
    kind: str
    game: str
    state: str
    games: int
    total: int
    begun: str
    why: str = ""


@dataclass(frozen=True)
class FolderList:
    """All tournaments, studies and trainings, for choosing."""

    kind: ClassVar[str] = "folders"
    rows: Sequence[FolderRow]


LiveBlock = Block | Intervals | FolderList


@dataclass(frozen=True)
class LiveSection:
    """A part of a live page, as `tag.tournaments.reports.sections.section.Section` is one of a report.

    Attributes:
        games: the address below which games of its tables are opened; empty where they are not.
    """

    name: str
    title: str
    blocks: Sequence[LiveBlock]
    about: str = ""
    games: str = ""


def table_csv(table: TableData) -> str:
    """Return a table as CSV: labels in full, numbers with all digits, and the ends of intervals in columns of their own."""
    rows = [([first, *rest], cells) for first, same in table.groups for rest, cells in same]
    has_ends = [any(cells[at].ends for _labels, cells in rows) for at in range(len(table.columns))]
    heading = list(table.labels)
    for column, with_ends in zip(table.columns, has_ends, strict=True):
        heading += [column.heading, *([f"{column.heading} low", f"{column.heading} high"] if with_ends else [])]
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(heading)
    for labels, cells in rows:
        line: list[object] = [_harmless(table.full.get(label, label)) for label in labels]
        for cell, with_ends in zip(cells, has_ends, strict=True):
            line += [_plain(cell), *((cell.ends or ("", "")) if with_ends else ())]
        writer.writerow(line)
    return file.getvalue()


def folders_csv(listed: FolderList) -> str:
    """Return the list of all runs as CSV."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow([one.name for one in fields(FolderRow)])
    for row in listed.rows:
        writer.writerow([_harmless(value) if isinstance(value, str) else value for value in astuple(row)])
    return file.getvalue()


def _plain(cell: Cell) -> object:
    """Return the value of a cell, empty for none; its text where it has only that."""
    if cell.value is None:
        return _harmless(cell.text) if cell.text != NOTHING else ""
    if isinstance(cell.value, str):
        return _harmless(cell.value)
    return "" if isnan(cell.value) else cell.value


def _harmless(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula."""
    return f"'{text}" if text[:1] in ("=", "@", "\t", "\r") else text


class LiveSubject:
    """Subject of a page; the base of all that can be watched.

    Attributes:
        title: the heading of the page.
        is_at_work: whether a process is at work on it, as far as was last seen.
    """

    title: str
    is_at_work: bool = False

    def parts(self) -> Sequence[Callable[[], Iterator[LiveSection]]]:
        """Return functions that compute the sections of the page: each call yields the same ones again, with new numbers."""
        raise NotImplementedError

    def stamp(self) -> object:
        """Return something that is equal as long as the page need not be computed again; it must cost very little."""
        raise NotImplementedError


@dataclass
class _Part:
    """Source of some sections: its function, their names, its input, and the time of the next computation."""

    compute: Callable[[], Iterator[LiveSection]]
    stamp: object = None
    due: float = 0.0
    names: list[str] = field(default_factory=list)


class Feed:
    """The sections of one page, kept up to date as long as it has readers.

    Attributes:
        sections: as they were last computed, by name.
        is_computed: set once every part has been computed, or has failed.
    """

    def __init__(self, subject: LiveSubject, address: str, thread: ThreadPoolExecutor) -> None:
        """Compute nothing yet.

        Args:
            subject: of the page.
            address: of the page, for links to its tables.
            thread: where everything is computed, for all pages; one, as figures are drawn in it.
        """
        self.subject = subject
        self.sections: dict[str, LiveSection] = {}
        self.is_computed = asyncio.Event()
        self._address = address
        self._thread = thread
        self._parts = [_Part(compute) for compute in subject.parts()]
        self._html: dict[str, tuple[int, str]] = {}
        self._version = 0
        self._listeners: set[asyncio.Event] = set()
        self._readers = 0
        self._task: asyncio.Task[None] | None = None

    @property
    def has_readers(self) -> bool:
        """True if the page is kept up to date."""
        return self._readers > 0

    @property
    def html(self) -> list[tuple[str, str, str]]:
        """The name, title and HTML of each section, in the order of the page."""
        return [(name, self.sections[name].title, self._html[name][1]) for name in self._order()]

    @asynccontextmanager
    async def reader(self) -> AsyncIterator[None]:
        """Keep the sections up to date as long as this is open."""
        self._readers += 1
        self._task = self._task or asyncio.create_task(self._run())
        try:
            yield
        finally:
            self._readers -= 1
            if not self._readers:
                self._task.cancel()
                self._task = None

    async def events(self) -> AsyncIterator[PageEvent]:
        """Yield all sections, then those that change, each time with the names of all in order."""
        seen, news = 0, asyncio.Event()
        self._listeners.add(news)
        try:
            async with self.reader():
                while True:
                    changed = [name for name in self._order() if self._html[name][0] > seen]
                    seen = self._version
                    sections = [
                        {"name": name, "title": self.sections[name].title, "html": self._html[name][1]}
                        for name in changed
                    ]
                    yield PageEvent(
                        "sections",
                        {"order": self._order(), "changed": sections, "at_work": self.subject.is_at_work},
                    )
                    await news.wait()
                    news.clear()
        finally:
            self._listeners.discard(news)

    def _order(self) -> list[str]:
        names = (name for part in self._parts for name in part.names if name in self._html)
        return list(dict.fromkeys(names))  # several parts may have the same problem

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            for part in self._parts:
                await loop.run_in_executor(self._thread, self._refresh, part, loop)
            self.is_computed.set()
            await asyncio.sleep(LOOK_EVERY)

    def _refresh(self, part: _Part, loop: asyncio.AbstractEventLoop) -> None:
        """Compute a part anew if it is due and something has changed; runs in the thread."""
        found: list[str] = []
        begin = time.thread_time()
        try:
            stamp = self.subject.stamp()
            if stamp == part.stamp or (self.subject.is_at_work and time.monotonic() < part.due):
                return
            part.stamp = stamp
            for section in part.compute():
                found.append(section.name)
                self._hand_over(part, found, section, loop)
        except Exception as error:  # noqa: BLE001  folders change and get damaged while they are shown
            if not isinstance(error, TagError):
                _LOG.exception("a part of %s cannot be computed", self._address)
            section = _failed(error)
            found.append(section.name)
            self._hand_over(part, found, section, loop)
        _later(loop, self._forget, part, list(dict.fromkeys(found)))
        part.due = time.monotonic() + (time.thread_time() - begin) / (_SHARE * (os.cpu_count() or 1))

    def _hand_over(
        self, part: _Part, found: Sequence[str], section: LiveSection, loop: asyncio.AbstractEventLoop
    ) -> None:
        html = fragment("section.html.jinja", section=section, address=self._address)
        names = list(dict.fromkeys([*part.names, *found]))
        _later(loop, self._publish, part, names, section, html)

    def _publish(self, part: _Part, names: list[str], section: LiveSection, html: str) -> None:
        part.names = names
        self.sections[section.name] = section
        if self._html.get(section.name, (0, ""))[1] != html:
            self._version += 1
            self._html[section.name] = (self._version, html)
            self._wake()

    def _forget(self, part: _Part, names: list[str]) -> None:
        """Remove the sections of a part that it has no longer."""
        if part.names != names:
            part.names = names
            self._wake()

    def _wake(self) -> None:
        for listener in self._listeners:
            listener.set()


def _failed(error: Exception) -> LiveSection:
    text = str(error) if isinstance(error, TagError) else "this cannot be shown; the terminal of the server says why"
    return LiveSection("problem", "Problem", [remark(without_folders(text))])


def _later(loop: asyncio.AbstractEventLoop, function: Callable[..., None], *arguments: object) -> None:
    """Call a function in the server's thread; no more once the server has ended."""
    with suppress(RuntimeError):  # the loop is closed
        loop.call_soon_threadsafe(function, *arguments)
