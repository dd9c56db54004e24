"""Tables of reports in a browser: sorted and filtered by their heads, and all there without a script."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browsers.pages import started_browser

from tag.tournaments.reports.html.page import page_html
from tag.tournaments.reports.sections.section import Cell, Column, Page, Section, TableData

pytestmark = pytest.mark.system

COLUMNS = {"games": Column("games", form=","), "gain": Column("gain"), "rate": Column("rate", "%", ".3f", "ends")}
ROWS = [("nim", "b", 1_200, "+0.3", 0.5), ("nim", "a", 9, "-", 0.123), ("go", "C", 40, "-0.2", None)]
RECORDS = [
    {"game": game, "agent": agent, "games": games, "gain": Cell(gain, "± 1"), "rate": rate, "low": 0.1, "high": 0.9}
    for game, agent, games, gain, rate in ROWS
]
PAGE = Page(
    "Page", "", [], [Section("s", "Section", [TableData(RECORDS, "Rows of <all>", ("game", "agent"), COLUMNS)])]
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with started_browser() as found:
        yield found


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "report.html"
    path.write_text(page_html(PAGE), "utf-8")
    return path


@pytest.fixture
def page(browser: Any, file: Path) -> Iterator[Any]:
    context = browser.new_context()
    said: list[str] = []
    found = context.new_page()
    found.on("console", lambda message: said.append(message.text))
    found.on("pageerror", lambda error: said.append(str(error)))
    found.goto(file.as_uri())
    yield found
    context.close()
    assert said == []


def agents(page: Any) -> str:
    return "".join(page.locator("tbody tr:visible th.inner").all_inner_texts())


def sorts(page: Any) -> list[str | None]:
    return [head.get_attribute("aria-sort") for head in page.locator("thead tr:first-child th").all()]


@pytest.mark.parametrize(
    ("heading", "up", "down"),
    [("games", "aCb", "bCa"), ("gain", "Cba", "bCa"), ("rate", "abC", "baC"), ("agent", "abC", "Cba")],
)
def test_numbers_are_sorted_by_value_texts_by_letter_and_what_is_missing_last(
    page: Any, heading: str, up: str, down: str
) -> None:
    head = page.get_by_role("button", name=heading)
    head.click()
    assert agents(page) == up
    assert sorts(page).count("ascending") == 1
    head.click()
    assert agents(page) == down
    head.click()
    assert (agents(page), set(sorts(page))) == ("baC", {"none"})


def test_a_table_is_sorted_and_filtered_by_keyboard(page: Any) -> None:
    page.get_by_role("button", name="games").focus()
    page.keyboard.press("Enter")
    assert agents(page) == "aCb"
    page.keyboard.press("Space")  # the focus stays
    assert agents(page) == "bCa"
    page.get_by_role("button", name="Filter").focus()
    page.keyboard.press("Enter")
    page.keyboard.type("NIM")  # the first field has the focus
    assert agents(page) == "ba"
    page.get_by_label("Filter by games").fill(">= 1000")
    assert agents(page) == "b"
    page.get_by_label("Filter by games").fill("5..50")
    assert agents(page) == "a"
    page.get_by_label("Filter by rate").fill("> 12")  # as it is shown, in percent
    assert agents(page) == "a"
    page.get_by_role("button", name="Filter").click()
    assert agents(page) == "bCa"


def test_rows_of_a_group_keep_its_name(page: Any) -> None:
    rows = page.locator("tbody tr")
    assert [row.locator("th").count() for row in rows.all()] == [2, 1, 2]
    page.get_by_role("button", name="games").click()
    assert [row.locator("th").first.inner_text() for row in rows.all()] == ["nim", "go", "nim"]


def test_without_a_script_and_in_print_everything_is_there(browser: Any, file: Path) -> None:
    context = browser.new_context(java_script_enabled=False)
    bare = context.new_page()
    bare.goto(file.as_uri())
    assert bare.locator("tbody td").count() == 9
    assert bare.locator("button").count() == 0
    context.close()
    context = browser.new_context()
    printed = context.new_page()
    printed.goto(file.as_uri())
    printed.get_by_role("button", name="Filter").click()
    printed.emulate_media(media="print")
    assert printed.locator("input:visible, .sift:visible").count() == 0
    assert printed.locator("tbody td:visible").count() == 9
    context.close()


def test_no_other_script_runs(browser: Any, file: Path) -> None:
    file.write_text(
        file.read_text("utf-8").replace("</main>", "<script>document.title = 'hit'</script></main>"), "utf-8"
    )
    context = browser.new_context()
    page = context.new_page()
    page.goto(file.as_uri())
    assert page.title() == "Page"
    page.get_by_role("button", name="games").click()
    assert agents(page) == "aCb"
    context.close()
