"""What the parts of a tournament's report have in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import pandas as pd

from tournaments.html.figures import Figure
from tournaments.html.page import Block, Figures
from tournaments.html.tables import NOTHING, Cell
from tournaments.intervals import ends_text
from tournaments.reports.figures import Style, styles
from tournaments.reports.reading import Reading

#: With more agents there is no heat map, no list of pairs, and a course for these many only.
MOST_AGENTS: Final = 40
#: How to read names in figures.
NUMBERS: Final = "The numbers before the names are places in the standings."


@dataclass(frozen=True)
class Part:
    """A part of a report: a section of its own, or within that of an event.

    Attributes:
        name: identifies it in links.
        title: its heading.
        about: a line below it.
        blocks: the content.
    """

    name: str
    title: str
    about: str
    blocks: Sequence[Block]


class Subject:
    """The tournament that a report is about, and how its agents look.

    Attributes:
        reading: of its folder.
        styles: of the agents, in the order of the standings.
        by_label: the same by label.
        short: their short labels, by label.
    """

    def __init__(self, reading: Reading, prefix: str = "") -> None:
        """Give the agents their looks.

        Args:
            reading: of the tournament.
            prefix: of all names, which are distinct on a page.
        """
        self.reading = reading
        labels = reading.definition.labels
        self.styles: list[Style] = styles([standing.agent for standing in reading.results.standings] or labels, labels)
        self.by_label = {style.label: style for style in self.styles}
        self.short = {style.label: style.short for style in self.styles}
        self._prefix = prefix

    @property
    def rate(self) -> str:
        """What a share of games won is called."""
        return "success rate" if self.reading.is_shared else "win rate"

    def figure(self, what: str) -> str:
        """Return the name of a figure."""
        return f"{self._prefix}figure-{what}"

    def part(self, name: str, title: str, about: str, blocks: Sequence[Block]) -> Part:
        """Return a part of the report."""
        return Part(f"{self._prefix}{name}", title, about, blocks)


def estimate(row: dict[str, float | None], name: str, scale: float = 1.0, digits: int = 3) -> Cell:
    """Return a mean with its interval below it."""
    value, low, high = (row[key] for key in (name, f"{name}_low", f"{name}_high"))
    if value is None or low is None or high is None:
        return Cell(NOTHING)
    return Cell(f"{scale * value:.{digits}f}", ends_text(scale * low, scale * high, f".{digits}f"))


def cells(texts: pd.Series) -> pd.Series:
    """Return texts as the cells of a column."""
    return pd.Series([Cell(text) for text in texts], texts.index, dtype=object)


def sentence(text: str) -> str:
    """Return a text with a capital."""
    return text[:1].upper() + text[1:]


def own_size(figure: Figure) -> Figures:
    """Return one figure at its own size."""
    return Figures([figure], "own")
