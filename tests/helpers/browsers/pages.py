"""How to read a page, and how to have a browser show it: one for the tests of a file."""

from __future__ import annotations

import re
import shutil
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape, unescape
from html.parser import HTMLParser
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

#: Chromium without a desktop's windows takes 0.2 CPU seconds for a visitor, the whole Chromium 1.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, NAMES)), None)
#: Elements without an end.
VOID = {"meta", "link", "br"}
#: Colours of the page in each scheme.
PAPER = {"dark": (19, 20, 24), "light": (246, 246, 248)}
#: The browser counts what goes wrong, and tells it in the title: drawings with a size, and no wider than the window.
WATCH = "<script>var errors = 0; addEventListener('error', () => errors++, true)</script>"
TELL = """<script>
    const drawn = [...document.querySelectorAll("svg")].filter(svg => svg.getBBox().width > 100).length
    const width = document.documentElement.scrollWidth
    const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
        && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 0.35 * Math.min(a.height, b.height)
    const wrong = []
    for (const drawing of document.querySelectorAll("svg")) {
        const room = drawing.getBoundingClientRect(), title = drawing.getAttribute("aria-label").split(".")[0]
        const texts = drawing.checkVisibility() ? [...drawing.querySelectorAll("text")] : []
        const labels = texts.map(text => [text.textContent.trim(), text.getBoundingClientRect()])
        labels.forEach(([text, a], at) => {
            if (a.left < room.left - 1 || a.right > room.right + 1) wrong.push(`${title}: ${text} is cut`)
            for (const [other, b] of labels.slice(at + 1)) if (meet(a, b)) wrong.push(`${title}: ${text} on ${other}`)
        })
    }
    const said = `${drawn} drawings, ${wrong.join("; ") || "no"} labels overlap or are cut`
    document.title = `${errors} errors, ${said}, ${width} of ${innerWidth} pixels wide`
</script>"""


class Reading(HTMLParser):
    """What a page has, element by element; fails where elements are not closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.words: dict[str, list[str]] = {}
        self._open: list[str] = []
        self.feed(text)
        assert not self._open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)
            self.words.setdefault(tag, []).append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        for tag in set(self._open):
            self.words[tag][-1] += data

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]

    @property
    def labels(self) -> list[str]:
        """What each figure says in words, also those that are drawn twice, for wide and for narrow windows."""
        said = [attributes["aria-label"] or "" for attributes in self.all("svg")]
        return [label for label, before in zip(said, ["", *said], strict=False) if label != before]

    def label(self, title: str) -> str:
        """What the figure of that title says in words."""
        (found,) = [label for label in self.labels if label.startswith(f"{title}. ")]
        return found

    def rows(self, caption: str) -> list[list[str]]:
        """The words in the rows of the table with a caption that begins so."""
        (table,) = [part for part in self.text.split("<table") if f"<span>{escape(caption)}" in part]
        rows = table.partition("</table>")[0].split("<tr>")[2:]
        return [
            [
                unescape(re.sub(r"\s+", " ", re.sub("<[^>]*>", " ", cell)).strip())
                for cell in re.split("</t[hd]>", row)[:-1]
            ]
            for row in rows
        ]

    def check(self) -> None:
        """The page needs nothing else, links lead to one place, and figures are well-formed, in words and in its colours."""
        self._check_needs_nothing_else()
        self._check_links()
        assert len(self.labels) == len(self.all("figure")) == len(self.all("figcaption"))
        assert all(attributes["role"] == "img" for attributes in self.all("svg"))
        for attributes in self.all("th"):
            assert attributes["scope"] in ("col", "row", "rowgroup")
        for drawing in (part.partition("</svg>")[0] for part in self.text.split("<svg")[1:]):
            svg = ET.fromstring(f"<svg{drawing}</svg>")  # noqa: S314  our own
            assert "#01" not in drawing
            assert any("var(--" in element.get("style", "") for element in svg.iter())

    def _check_needs_nothing_else(self) -> None:
        for _tag, attributes in self.elements:
            for name in ("href", "src", "srcset", "xlink:href", "action"):
                assert (attributes.get(name) or "#").startswith(("#", "data:"))
        assert len(self.words["script"]) == 1
        assert all(attributes == {"type": "module"} for attributes in self.all("script"))
        assert "import" not in re.findall(r"^\w+", self.words["script"][0], re.MULTILINE)
        style = self.words["style"][0]
        assert "@import" not in style
        assert "url(" not in style

    def _check_links(self) -> None:
        ids = [attributes["id"] for _tag, attributes in self.elements if "id" in attributes]
        assert len(ids) == len(set(ids))
        for _tag, attributes in self.elements:
            if "href" in attributes and attributes["href"] != "data:,":
                assert (attributes["href"] or "").removeprefix("#") in ids
            for value in attributes.values():
                if value and value.startswith("url(#"):
                    assert value[5:-1] in ids


@contextmanager
def started_browser() -> Iterator[Any]:
    """Start Chromium; until it is closed, nothing in this thread can run a loop of asyncio."""
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed")
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as started:
        found = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield found
        found.close()


def check_shown(browser: Any, file: Path, scheme: str, width: int) -> None:
    """Check a page in a colour scheme, in a window so many pixels wide: its colours, drawings, labels, and no errors."""
    from PIL import Image

    text = file.read_text("utf-8")
    watched = file.with_name("watched.html")
    watched.write_text(text.replace("<head>", f"<head>{WATCH}").replace("</body>", f"{TELL}</body>"))
    context = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": 2000}, bypass_csp=True)
    try:
        page = context.new_page()
        page.goto(watched.as_uri())
        drawings = f"{text.count('<figure')} drawings, no labels overlap or are cut"
        assert page.title() == f"0 errors, {drawings}, {width} of {width} pixels wide"
        with Image.open(BytesIO(page.screenshot())) as image:
            assert image.convert("RGB").getpixel((2, 2)) == PAPER[scheme]
            assert len(image.convert("RGB").getcolors(image.width * image.height) or []) > 100
    finally:
        context.close()
