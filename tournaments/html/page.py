"""Pages: what a report is made of, and how it becomes the text of one HTML file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import ClassVar, Final, Literal

from tournaments.html.figures import Figure
from tournaments.html.tables import Table

_TEMPLATE: Final = "page.html.jinja"
_STYLE: Final = "page.css"


@dataclass(frozen=True)
class Text:
    """A paragraph.

    Attributes:
        text: plain text.
    """

    kind: ClassVar[str] = "text"
    text: str


@dataclass(frozen=True)
class Key:
    """What the colours of the figures below stand for.

    Attributes:
        title: what they tell apart.
        entries: pairs of a colour (`tournaments.html.figures.series_colour`) and what has it.
    """

    kind: ClassVar[str] = "key"
    title: str
    entries: Sequence[tuple[str, str]]


@dataclass(frozen=True)
class Figures:
    """Figures side by side, as many as the window has room for.

    Attributes:
        figures: in their order.
        layout: how much room each gets: that of ``small`` multiples, more for ``wide`` ones, or of its ``own`` size,
            which is scrolled where a window is much too narrow for it.
    """

    kind: ClassVar[str] = "figures"
    figures: Sequence[Figure]
    layout: Literal["small", "wide", "own"] = "small"


@dataclass(frozen=True)
class Definitions:
    """Words and what they mean.

    Attributes:
        entries: pairs of a word and its meaning.
    """

    kind: ClassVar[str] = "definitions"
    entries: Sequence[tuple[str, str]]


@dataclass(frozen=True)
class Heading:
    """A heading within a section.

    Attributes:
        text: plain text.
    """

    kind: ClassVar[str] = "heading"
    text: str


@dataclass(frozen=True)
class Folded:
    """What only some readers want: closed until it is clicked, and open in print.

    Attributes:
        title: what is in it.
        blocks: the content.
    """

    kind: ClassVar[str] = "folded"
    title: str
    blocks: Sequence[Block]


@dataclass(frozen=True)
class Code:
    """Lines to be copied as they are.

    Attributes:
        text: the lines.
    """

    kind: ClassVar[str] = "code"
    text: str


Block = Text | Code | Key | Figures | Definitions | Heading | Folded | Table


@dataclass(frozen=True)
class Section:
    """A part of a page with an entry in its navigation.

    Attributes:
        name: identifies it in links.
        title: its heading.
        blocks: the content.
        about: a line below the heading.
    """

    name: str
    title: str
    blocks: Sequence[Block]
    about: str = ""


@dataclass(frozen=True)
class Page:
    """A report.

    Attributes:
        title: its heading, and the browser's.
        about: a sentence below it.
        facts: pairs of a word and a value: what the report is about.
        sections: the content.
    """

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
