"""Live pages are updated in place: elements stay, with their focus, scrolling, open details and what was chosen."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from browsers.pages import started_browser
from browsers.web_visits import visited

from tag.tournaments.reports.sections.section import Column, Folded, Paragraph, TableData
from tag.tournaments.web.live import feed
from tag.tournaments.web.live.feed import FolderRow, LiveSection
from tag.tournaments.web.live.folders import LiveFolder
from tag.tournaments.web.live.pages import live_pages
from tag.tournaments.web.server import new_token

pytestmark = pytest.mark.system

TOKEN = new_token()
MARK = "growing.txt"


class Growing(LiveFolder):
    """A folder whose page has a row for each letter in its file, the last first."""

    kind = "growing"

    def changing(self) -> Sequence[Path]:
        return [self.folder / MARK]

    def row(self) -> FolderRow:
        return self.own_row("", "running", 0, 0, "")

    def parts(self) -> Sequence[Callable[[], Iterator[LiveSection]]]:
        return [self._rows]

    def _rows(self) -> Iterator[LiveSection]:
        letters = (self.folder / MARK).read_text()
        records = [
            {"letter": letter, "number": ord(letter), **dict.fromkeys(WIDE, 0.5)} for letter in reversed(letters)
        ]
        columns = {"number": Column("number", form="d"), **{name: Column(name) for name in WIDE}}
        yield LiveSection("rows", "Rows", [TableData(records, "Letters", ("letter",), columns)])
        yield LiveSection("more", "More", [Folded("Text", [Paragraph(f"{len(letters)} letters")])])


WIDE = tuple(f"a wide column, of which there are many: {number}" for number in range(12))


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.setattr(feed, "LOOK_EVERY", 0.05)
    (tmp_path / MARK).write_text("bca")
    with visited(live_pages([tmp_path], {MARK: Growing}, TOKEN), TOKEN) as visitor, started_browser() as browser:
        found = browser.new_page(viewport={"width": 800, "height": 600})
        said: list[str] = []
        found.on("console", lambda message: said.append(message.text))
        found.on("pageerror", lambda error: said.append(str(error)))
        found.goto(f"{visitor.origin}/?token={TOKEN}")
        found.get_by_role("link", name=tmp_path.name).click()
        found.locator("#rows tbody tr").nth(2).wait_for()
        yield found
        assert said == []


def letters(page: Any) -> str:
    return "".join(page.locator("#rows tbody th:visible").all_inner_texts())


def test_what_the_reader_does_survives_new_rows(page: Any, tmp_path: Path) -> None:
    assert letters(page) == "acb"
    page.get_by_role("button", name="number").click()
    page.get_by_role("button", name="number").click()
    assert letters(page) == "cba"
    page.locator("#more summary").click()
    page.locator("#rows").get_by_role("button", name="Filter").click()
    page.get_by_label("Filter by number", exact=True).fill("> 97")
    page.locator(".table").evaluate(
        "one => { one.scrollLeft = 120; window.kept = [...one.querySelectorAll('tbody tr')] }"
    )
    page.evaluate("scrollTo(0, 40)")
    (tmp_path / MARK).write_text("bcade")
    page.get_by_text("5 letters").wait_for()  # the details are still open
    assert letters(page) == "edcb"  # still sorted and filtered
    assert page.evaluate("kept.map(row => row.isConnected + row.cells[0].innerText)") == ["truec", "trueb", "truea"]
    assert (
        page.get_by_label("Filter by number", exact=True).evaluate("one => one === document.activeElement && one.value")
        == "> 97"
    )
    assert page.locator(".table").evaluate("one => one.scrollLeft") == 120
    assert page.evaluate("scrollY") == 40
    (tmp_path / MARK).write_text("bcadez")
    page.get_by_text("6 letters").wait_for()
    assert letters(page) == "zedcb"
    (tmp_path / MARK).write_text("zc")
    page.get_by_text("2 letters").wait_for()
    assert letters(page) == "zc"
    page.locator("#rows").get_by_role("button", name="Filter").click()
    page.get_by_role("button", name="number").click()
    assert letters(page) == "cz"  # as the server has them, the last first
