"""Pages of studies while they run: figures soon, values in view, and trials that stay sorted while new ones arrive."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browsers.pages import started_browser
from browsers.web_visits import visited
from studies.great_studies import SEARCH, great_definition, write_great_study, write_trials

from tag.tournaments.reports.sections.section import Figures, TableData
from tag.tournaments.web.live import feed
from tag.tournaments.web.live.feed import LiveSection
from tag.tournaments.web.live.pages import live_pages
from tag.tournaments.web.server import fragment, new_token
from tag.tuning.commands.live import KINDS, LiveStudy
from tag.tuning.reports.sections.coordinates import fixed_parameters
from tag.tuning.study.files import TRIALS, read_frame, write_frame

TOKEN = new_token()
#: Trials of a great study, and CPU seconds until its first figure, of which a second was measured.
MANY, SECONDS = 10_000, 4.0


@pytest.fixture(autouse=True)
def _figures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed, "LOOK_EVERY", 0.05)
    monkeypatch.setattr(feed, "_SHARE", 1e6)


def drawn(section: LiveSection) -> str:
    return fragment("section.html.jinja", section=section, address="/x")


@pytest.mark.system
def test_a_great_study_has_its_first_figure_soon(tmp_path: Path) -> None:
    write_great_study(tmp_path, MANY)
    begin, seconds, sizes = time.process_time(), {}, 0
    live = LiveStudy(tmp_path, "great")
    live.row()
    for part in live.parts()[:2]:
        for section in part():
            text = drawn(section)
            sizes += len(text)
            if "<svg" in text:
                seconds[section.name] = time.process_time() - begin
    assert list(seconds) == ["course", "coordinates"]
    assert seconds["course"] < SECONDS
    assert sizes < 600_000


@pytest.mark.flow
def test_what_is_the_same_in_all_trials_is_named_and_not_listed(tmp_path: Path) -> None:
    definition = write_great_study(tmp_path, 20, search=("k", "rollout_length", "max_tree_depth"))
    trials = read_frame(tmp_path / TRIALS)
    spec = [text.replace(f"max_tree_depth={depth}", "max_tree_depth=7") for text, depth in zip(
        trials["spec"], trials["parameter.max_tree_depth"], strict=True
    )]  # fmt: skip
    trials = trials.assign(spec=spec, **{"parameter.max_tree_depth": 7})
    write_frame(tmp_path / TRIALS, trials)
    assert fixed_parameters(definition.space, trials) == ["max_tree_depth"]
    assert fixed_parameters(definition.space, trials[:1]) == []
    live = LiveStudy(tmp_path, "some")
    found = {section.name: section for part in live.parts()[1:3] for section in part()}
    (table,) = [block for block in found["latest"].blocks if isinstance(block, TableData)]
    assert [column.heading for column in table.columns][-2:] == ["k", "rollout_length"]
    assert "The same in all trials: max_tree_depth = 7." in drawn(found["latest"])
    (figure,) = [one for block in found["coordinates"].blocks if isinstance(block, Figures) for one in block.figures]
    assert "rollout_length" in figure.label
    assert "max_tree_depth" not in figure.label


@pytest.fixture
def page(tmp_path: Path) -> Iterator[Any]:
    write_great_study(tmp_path / "great", 60, 120)
    with visited(live_pages([tmp_path], KINDS, TOKEN), TOKEN) as visitor, started_browser() as browser:
        found = browser.new_page(viewport={"width": 1280, "height": 800})
        found.set_default_timeout(60_000)
        said: list[str] = []
        found.on("console", lambda message: said.append(message.text))
        found.on("pageerror", lambda error: said.append(str(error)))
        found.goto(f"{visitor.origin}/?token={TOKEN}")
        found.get_by_role("link", name="great").click()
        found.locator("#latest tbody tr").nth(59).wait_for()
        yield found
        assert said == []


@pytest.mark.system
def test_values_of_23_parameters_are_in_view_and_trials_stay_sorted(page: Any, tmp_path: Path) -> None:
    table = page.locator("#latest .table")
    assert table.evaluate("one => [one.scrollWidth - one.clientWidth, document.documentElement.scrollWidth]") == [
        0,
        1280,
    ]
    heads = table.locator("thead th").all_inner_texts()
    assert set(SEARCH) <= set(heads)
    cells = table.locator("tbody tr").first.locator("td").all()
    assert all(box["x"] >= 0 and box["x"] + box["width"] <= 1280 for box in (cell.bounding_box() for cell in cells))
    assert page.locator("#course svg:visible").count() >= 1
    assert page.locator("#coordinates svg:visible").count() == 1
    table.get_by_role("button", name="value").click()
    table.get_by_role("button", name="value").click()
    assert values(page) == sorted(values(page), reverse=True)
    write_trials(tmp_path / "great", great_definition(120), 80)
    page.locator("#latest tbody tr").nth(79).wait_for()
    assert values(page) == sorted(values(page), reverse=True)
    assert table.locator("th[aria-sort=descending]").inner_text().startswith("value")
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") == 390


def values(page: Any) -> list[float]:
    return [float(text) for text in page.locator("#latest tbody td:nth-child(3)").all_inner_texts()]
