"""The workbench in a real browser: runs are started, paused, resumed and extended, and found again after a kill."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browsers.pages import started_browser
from browsers.workbench_server import PATIENCE, WorkbenchServer, workbench_server

from tag.tournaments import read_results
from tag.tournaments.ledger.folder import read_manifest

pytestmark = pytest.mark.system


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with started_browser() as found:
        yield found


@pytest.fixture
def server(tmp_path: Path) -> Iterator[WorkbenchServer]:
    with workbench_server(tmp_path) as found:
        yield found


class Bench:
    """The page, as a person uses it; fails at the end where the page had an error."""

    def __init__(self, browser: Any, server: WorkbenchServer) -> None:
        self.server = server
        self.errors: list[str] = []
        self.page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
        self.page.set_default_timeout(1000.0 * PATIENCE)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.open()

    def open(self) -> None:
        self.page.goto(self.server.address)
        self.page.get_by_role("link", name="Workbench").click()
        self.page.locator("#command").filter(has_text="tag").wait_for()

    def fill(self, label: str, text: str) -> None:
        self.page.get_by_label(label, exact=True).fill(text)

    def option(self, heading: str, label: str, text: str) -> None:
        """Say an option that is folded."""
        self.page.get_by_text(heading, exact=True).click()
        field = self.page.get_by_label(label, exact=True)
        if field.evaluate("one => one.tagName") == "SELECT":
            field.select_option(text)
        else:
            field.fill(text)

    def choose(self, group: str, name: str, at: int = 0) -> None:
        self.page.get_by_role("group", name=group).locator(".chooser > select").nth(at).select_option(name)

    def alone(self) -> None:
        """One process plays, and no MLflow run is written."""
        self.option("Workers", "workers", "1")
        self.option("MLflow", "tracking", "false")

    def start(self, name: str) -> None:
        self.fill("name", name)
        self.page.get_by_role("button", name="Start").click()
        self.page.get_by_text(f"{name} has been started.").wait_for()

    def press(self, action: str, name: str) -> None:
        self.page.get_by_role("button", name=f"{action} {name}").click()

    def sees(self, name: str, state: str) -> None:
        self.page.locator("#runs tr").filter(has_text=name).locator(f".state.{state}").wait_for()


def test_a_tournament_is_started_paused_resumed_extended_and_survives_the_server(browser, server) -> None:
    bench = Bench(browser, server)
    bench.choose("game", "tic_tac_toe")
    bench.choose("agents", "mcts")
    group = bench.page.get_by_role("group", name="agents")
    group.get_by_text("parameters").first.click()
    group.get_by_label("budget", exact=True).first.fill("300")
    bench.fill("blocks", "200000")  # minutes, also compiled
    bench.fill("seed", "1")
    bench.alone()
    bench.page.locator("#command").filter(has_text="mcts:budget=300").wait_for()
    bench.page.get_by_role("button", name="Estimate").click()
    bench.page.locator("#estimated").filter(has_text="400,000 games, about").wait_for()
    bench.start("first")
    server.wait("first", lambda row: row["state"] == "running" and row["games"] > 0)
    bench.press("Pause", "first")
    bench.sees("first", "stopped")
    games = server.rows()["first"]["games"]
    assert 0 < games < 400_000
    bench.press("Resume", "first")
    bench.sees("first", "running")
    pid = server.pids()[0]
    server.kill()
    assert os.getsid(pid) == pid
    server.start()
    server.wait("first", lambda row: row["state"] == "running" and row["games"] > games)
    bench.open()
    bench.press("Extend", "first")
    bench.page.get_by_role("dialog").get_by_label("blocks").fill("2000")
    bench.page.get_by_role("dialog").get_by_role("button", name="Extend").click()
    bench.page.get_by_text("can only grow").wait_for()  # the sentence of the command
    bench.page.get_by_role("dialog").get_by_label("blocks").fill("200100")
    bench.page.get_by_role("dialog").get_by_role("button", name="Extend").click()
    bench.page.locator("#runs").get_by_text("of 400,200").wait_for()
    assert server.rows()["first"]["state"] == "running"
    bench.press("Pause", "first")
    bench.sees("first", "stopped")
    assert read_manifest(server.runs / "first").definition.blocks == 200_100
    assert read_results(server.runs / "first").games >= games
    assert bench.errors == []


def test_a_study_is_started_paused_and_resumed(browser, server) -> None:
    bench = Bench(browser, server)
    bench.page.get_by_label("kind").select_option("study")
    bench.choose("agents", "mcts")
    bench.choose("game", "tic_tac_toe")
    for name in ("k", "rollout_length"):
        bench.page.get_by_role("checkbox", name=name, exact=True).check()
    bench.fill("values of k", "0.5..2")
    bench.fill("games", "50000")
    bench.fill("validation", "0")
    bench.alone()
    bench.page.locator("#command").filter(has_text="--search k=0.5..2 --search rollout_length").wait_for()
    bench.start("tuned")
    server.wait("tuned", lambda row: row["state"] == "running" and row["games"] > 0)
    bench.press("Pause", "tuned")
    bench.sees("tuned", "stopped")
    games = server.rows()["tuned"]["games"]
    bench.press("Resume", "tuned")
    server.wait("tuned", lambda row: row["state"] == "running" and row["games"] > games)
    bench.press("Pause", "tuned")
    bench.sees("tuned", "stopped")
    assert bench.errors == []


def test_a_training_is_started_by_keys_alone_and_ends(browser, server) -> None:
    bench = Bench(browser, server)
    kind = bench.page.get_by_label("kind")
    kind.focus()
    bench.page.keyboard.type("training")
    bench.page.keyboard.press("Tab")
    bench.page.keyboard.type("td_n")
    bench.page.get_by_label("game").locator("select").or_(bench.page.get_by_label("game", exact=True)).first.focus()
    bench.page.keyboard.type("tic")
    for label, text in (("episodes", "200"), ("evaluate", "random")):
        bench.page.get_by_label(label, exact=True).focus()
        bench.page.keyboard.press("ControlOrMeta+a")
        bench.page.keyboard.type(text)
    bench.alone()
    bench.page.get_by_label("name", exact=True).focus()
    bench.page.keyboard.type("learned")
    bench.page.keyboard.press("Enter")
    bench.sees("learned", "complete")
    assert (server.runs / "learned" / "1.safetensors").is_file()
    assert bench.errors == []


def test_files_of_the_host_are_played_where_the_host_trusts(browser, tmp_path) -> None:
    (tmp_path / "own.py").write_text((Path(__file__).parents[4] / "examples" / "staircase.py").read_text())
    with workbench_server(tmp_path, "--trust") as server:
        bench = Bench(browser, server)
        bench.choose("game", "other")
        typed = bench.page.get_by_label("game as a spec")
        typed.fill("own.py:Staircase")
        typed.press("Tab")
        bench.fill("blocks", "20")
        bench.alone()
        bench.page.locator("#command").filter(has_text="own.py:Staircase").wait_for()
        bench.page.get_by_role("button", name="Estimate").click()
        bench.page.locator("#estimated").filter(has_text="40 games, about").wait_for()
        bench.start("own")
        bench.sees("own", "complete")
        bench.press("Extend", "own")  # the folder names the file, which is trusted
        bench.page.get_by_role("dialog").get_by_label("blocks").fill("40")
        bench.page.get_by_role("dialog").get_by_role("button", name="Extend").click()
        bench.page.locator("#runs").get_by_text("80 of 80").wait_for()
        bench.page.get_by_role("group", name="game").get_by_label("game as a spec").fill("none.py:Staircase")
        bench.page.get_by_role("button", name="Estimate").click()
        bench.page.get_by_role("alert").filter(has_text="cannot read 'none.py'").wait_for()
        assert bench.errors == []
