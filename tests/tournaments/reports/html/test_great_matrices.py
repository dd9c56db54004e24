"""Pairs of many agents: a matrix whose heads stay in view, and a list of all pairs that can be sorted."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest
from browsers.pages import started_browser

from tag.tournaments.reports.figures import styles
from tag.tournaments.reports.html.page import page_html
from tag.tournaments.reports.sections.matrix import Matrix
from tag.tournaments.reports.sections.ratings import pairs_blocks
from tag.tournaments.reports.sections.section import Figures, Page, Paragraph, Section
from tag.tournaments.statistics.ratings.pairwise import PairwiseTable
from tag.tournaments.web.live.feed import LiveSection
from tag.tournaments.web.live.tournament import undrawn
from tag.tournaments.web.server import fragment

#: CPU seconds for the page of 60 agents, of which 0.1 were measured, and its characters.
SECONDS, CHARACTERS = 2.0, 900_000


def blocks(n: int) -> list[object]:
    """The blocks of agents of which the first in the alphabet are best."""
    labels = [f"agent_{number:03}_with_a_name" for number in range(n)]
    score = 0.5 + 0.5 * np.subtract.outer(-np.arange(n), -np.arange(n)) / n
    np.fill_diagonal(score, np.nan)
    p = np.where(np.abs(score - 0.5) > 0.4, 0.001, 0.5)
    games = np.full((n, n), 8.0)
    table = PairwiseTable(tuple(labels), games, score, score, score - 0.1, score + 0.1, p, p)
    return list(pairs_blocks("figure-pairs", table, styles(labels, labels)))


def test_shades_and_marks_follow_the_scores() -> None:
    matrix = Matrix(
        "m", ["a", "b"], [("1", "a"), ("2", "b")], [[None, 1.0], [0.26, 0.5]], [[False, True], [False, False]]
    )
    assert matrix.cells == [("a", [("", ""), ("100*", "h6")]), ("b", [("26", "l3"), ("50", "")])]


@pytest.mark.parametrize(("n", "kind"), [(3, Figures), (40, Figures), (41, Matrix), (100, Matrix), (101, Paragraph)])
def test_many_agents_have_a_matrix(n: int, kind: type[object]) -> None:
    found = blocks(n)
    assert any(isinstance(block, kind) for block in found)
    live = list(undrawn(found))  # type: ignore[arg-type]
    assert any(isinstance(block, Matrix) for block in live) == (n <= 100)


@pytest.mark.flow
def test_a_live_page_of_sixty_agents_is_made_soon() -> None:
    begin = time.process_time()
    section = LiveSection("pairs", "Pairs", list(undrawn(blocks(60))))  # type: ignore[arg-type]
    text = fragment("section.html.jinja", section=section, address="/x")
    assert time.process_time() - begin < SECONDS
    assert text.count("<tr") == 1 + 60 + 1 + 1_770
    assert len(text) < CHARACTERS


@pytest.mark.system
def test_heads_stay_in_view_and_pairs_are_sorted(tmp_path: Path) -> None:
    file = tmp_path / "pairs.html"
    file.write_text(page_html(Page("Page", "", [], [Section("pairs", "Pairs", blocks(60))])), "utf-8")  # type: ignore[arg-type]
    with started_browser() as browser:
        page = browser.new_page(viewport={"width": 1000, "height": 700})
        page.goto(file.as_uri())
        matrix = page.locator(".matrix")
        assert matrix.evaluate("one => one.scrollWidth > one.clientWidth && one.scrollHeight > one.clientHeight")
        matrix.evaluate("one => one.scrollTo(one.scrollWidth, one.scrollHeight)")
        room, name, head, cell = (
            matrix.locator(which).last.bounding_box() for which in ("xpath=.", "tbody th", "thead th", "tbody td")
        )
        assert room["x"] - 1 <= name["x"] < room["x"] + 2
        assert room["y"] - 1 <= head["y"] < room["y"] + 2
        assert (head["x"], name["y"]) == (pytest.approx(cell["x"], abs=1), pytest.approx(cell["y"], abs=1))
        assert page.evaluate("document.documentElement.scrollWidth") == 1000
        page.get_by_text("All pairs").first.click()
        begin = time.monotonic()
        page.get_by_role("button", name="score").click()
        page.locator("th[aria-sort=ascending]").wait_for()
        assert time.monotonic() - begin < 5.0  # 0.9 s were measured beside much other work
        scores = [float(text) for text in page.locator("details tbody tr td:nth-of-type(2)").evaluate_all("""
            cells => cells.map(cell => cell.firstChild.textContent)
        """)]  # fmt: skip
        assert len(scores) == 1_770
        assert scores == sorted(scores)
