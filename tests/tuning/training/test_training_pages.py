"""Live pages of trainings: true to the folder, up to date while learners train, without a trace in the folder."""

from __future__ import annotations

import csv
import io
import re
import shutil
from html import unescape
from pathlib import Path

import pytest
from browsers.pages import started_browser
from browsers.web_visits import Visitor, visited
from small_trainings import small, trained

from tag.tournaments.ledger.storage import locked, write_whole
from tag.tournaments.web.live import feed
from tag.tournaments.web.live.pages import live_pages
from tag.tournaments.web.server import new_token
from tag.tuning.commands.live import KINDS
from tag.tuning.study.files import write_frame
from tag.tuning.training.files import COURSES, CURVES, LearnerHistory, read_courses, read_curves, write_courses
from tag.tuning.training.results import last_evaluations, read_training

TOKEN = new_token()
SECTIONS = ("progress", "result", "learners", "curves", "settings", "cost")


@pytest.fixture(autouse=True)
def look_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed, "LOOK_EVERY", 0.05)
    monkeypatch.setattr(feed, "_SHARE", 1e6)


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A complete training; tests must not change it."""
    out = tmp_path_factory.mktemp("pages") / "done"
    assert trained(small(), out).complete
    return out


def interrupted(done: Path, out: Path) -> Path:
    """Return a copy of a training as it was when the first learner had played 50 of its 150 games, and the second none."""
    shutil.copytree(done, out)
    curves = read_curves(done)
    write_frame(out / CURVES, curves[(curves["seed"] == 1) & (curves["episode"] == 50)])
    course = read_courses(done)[1]
    write_courses(out, {1: LearnerHistory(1, 50, *course.marks[50], marks={50: course.marks[50]})})
    return out


def row_of(visitor: Visitor) -> dict[str, str]:
    (row,) = csv.DictReader(io.StringIO(visitor.get("/list/list-folders.csv").text))
    return row


def sections(visitor: Visitor, *wanted: str) -> dict[str, str]:
    """The HTML of the sections of the only page, once these are there."""
    found: dict[str, str] = {}
    with visitor.events(f"/folder/{row_of(visitor)['key']}/events") as events:
        for _name, data in events:
            found |= {one["name"]: one["html"] for one in data["changed"]}
            if found.keys() >= set(wanted):
                return {name: found[name] for name in data["order"]}
    raise AssertionError("the stream has ended")


def words(html: str) -> str:
    return unescape(re.sub(r"\s+", " ", re.sub("<[^>]*>", " ", html)))


def test_a_training(done: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in [done, *done.rglob("*")]}
    with visited(live_pages([done], KINDS, TOKEN), TOKEN) as visitor:
        row = row_of(visitor)
        assert (row["name"], row["kind"], row["game"]) == ("done", "training", "tic_tac_toe, 2 players")
        assert (row["state"], row["games"], row["total"]) == ("complete", "300", "300")
        found = sections(visitor, *SECTIONS)
        assert tuple(found) == SECTIONS
        assert "State complete" in words(found["progress"])
        assert "300 of 300" in words(found["progress"])
        for evaluation in last_evaluations(read_curves(done)).to_dict("records"):
            assert f"{evaluation['value']:.3f}" in words(found["result"])
        assert "<svg" in found["curves"]
        assert "seeds 2" in words(found["settings"])
        for link in re.findall(r'href="([^"]*\.csv)"', "".join(found.values())):
            assert len(list(csv.reader(io.StringIO(visitor.get(link).text)))) > 1
        assert "All evaluations" in visitor.get(f"/folder/{row['key']}/report").text
    assert {path: path.stat().st_mtime_ns for path in [done, *done.rglob("*")]} == before


def test_an_interrupted_training_and_one_at_work(done: Path, tmp_path: Path) -> None:
    out = interrupted(done, tmp_path / "some")
    with visited(live_pages([out], KINDS, TOKEN), TOKEN) as visitor:
        assert row_of(visitor)["state"] == "stopped"
        progress = words(sections(visitor, "progress", "result")["progress"])
        assert "stopped: it was paused, interrupted or killed" in progress
        assert "50 of 300" in progress
        with locked(out / ".lock"), visitor.events(f"/folder/{row_of(visitor)['key']}/events") as events:
            assert any("State running" in words(one["html"]) for _name, data in events for one in data["changed"])


def test_a_training_that_has_just_begun_or_is_damaged(done: Path, tmp_path: Path) -> None:
    out = shutil.copytree(done, tmp_path / "begun", ignore=shutil.ignore_patterns(COURSES, CURVES, "*.safetensors"))
    with visited(live_pages([out], KINDS, TOKEN), TOKEN) as visitor:
        found = sections(visitor, "progress", "learners", "settings", "cost")
        assert "0 of 300" in words(found["progress"])
        assert "result" not in found
    write_whole(out / CURVES, "no table")
    with visited(live_pages([out], KINDS, TOKEN), TOKEN) as visitor:
        assert "is damaged" in words(sections(visitor, "problem")["problem"])
        assert row_of(visitor)["state"] == "damaged"


@pytest.mark.system
def test_a_browser_follows_a_training(done: Path, tmp_path: Path) -> None:
    out = interrupted(done, tmp_path / "mine")
    with (
        visited(live_pages([tmp_path], KINDS, TOKEN), TOKEN) as visitor,
        started_browser() as browser,
        locked(out / ".lock"),
    ):
        page = browser.new_page()
        said: list[str] = []
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.goto(f"{visitor.origin}/?token={TOKEN}")
        page.get_by_role("row").filter(has_text="training").get_by_role("link", name="mine").click()
        page.get_by_text("50 of 300").wait_for()
        page.locator("#curves svg").first.wait_for()
        for name in (CURVES, COURSES):
            shutil.copy(done / name, out / name)
        page.get_by_text("300 of 300").wait_for()
        assert read_training(out).complete
        page.locator("#progress").get_by_text("complete").wait_for()
        page.locator("#curves summary").click()
        page.locator("#curves tbody tr").nth(len(read_curves(done)) - 1).wait_for()
        page.set_viewport_size({"width": 360, "height": 700})
        assert page.evaluate("document.documentElement.scrollWidth") == 360
        assert said == []
