"""Faults and failures on live pages: messages lead to their game at a table, and a run whose game raised says so."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from browsers.pages import started_browser
from browsers.web_visits import Visitor, visited

from tag.catalogue.trust import asking
from tag.errors import ContractError
from tag.tournaments import define, run_tournament
from tag.tournaments.driver.failures import FAILURE, failure_in
from tag.tournaments.ledger.folder import MANIFEST
from tag.tournaments.web.live import feed
from tag.tournaments.web.live.pages import live_pages
from tag.tournaments.web.live.tournament import LiveTournament
from tag.tournaments.web.server import new_token

TOKEN = new_token()
KINDS = {MANIFEST: LiveTournament}
AGENT = '''
from tag.playing.agent import Agent


class Breaks(Agent):
    """Raises in its second decision."""

    def start_game(self, observation):
        self.decisions = 0

    def act(self, observation, actions):
        self.decisions += 1
        if self.decisions == 2:
            raise ValueError("<b>oh no</b>")
        return actions[0]
'''
GAME = """
from tag import Action, ForwardModel, GameState, GameType, interned


class Heap(GameState):
    def copy(self):
        other = Heap(self.n_players)
        self.copy_to(other)
        return other


class Take(Action):
    def key(self):
        return ()

    def execute(self, state, rng):
        raise ZeroDivisionError("the rules <i>broke")


class Broken(ForwardModel):
    game_type = GameType("Broken", 2, 2)

    def _setup(self, n_players, rng):
        return Heap(n_players)

    def _available_actions(self, state):
        return [interned(Take()), interned(Take())]
"""


@pytest.fixture
def look_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed, "LOOK_EVERY", 0.05)


@pytest.fixture
def faulty(tmp_path: Path, look_often: None) -> Path:
    """A tournament with an agent that raises."""
    file = tmp_path / "breaks.py"
    file.write_text(AGENT)
    folder = tmp_path / "runs" / "faulty"
    run_tournament(define("tic_tac_toe", (f"{file}:Breaks", "osla"), 2, seed=1), folder, tracking=False)
    return folder


@pytest.fixture
def visitor(faulty: Path) -> Iterator[Visitor]:
    with visited(live_pages([faulty.parent], KINDS, TOKEN), TOKEN) as found:
        yield found


@pytest.mark.system
def test_a_message_leads_to_its_game_at_a_table(visitor: Visitor, faulty: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in faulty.rglob("*")}
    with started_browser() as browser:
        page = browser.new_page()
        page.set_default_timeout(60_000)
        page.goto(f"{visitor.origin}/?token={TOKEN}")
        page.get_by_role("link", name="runs/faulty").or_(page.get_by_role("link", name="faulty")).first.click()
        link = page.locator("#faults").get_by_role("link", name="<b>oh no</b>")
        assert "b0-m0-s0#" in link.get_attribute("href")
        link.click()
        page.get_by_text("Recorded game b0-m0-s0 of faulty").wait_for()
        assert not page.url.startswith(f"{visitor.origin}/")
        assert page.locator(".board, #board").first.is_visible()
    assert {path: path.stat().st_mtime_ns for path in faulty.rglob("*")} == before


@pytest.mark.system
def test_what_is_not_trusted_is_not_run(faulty: Path) -> None:
    with asking(["tag", "serve", "runs"]), visited(live_pages([faulty.parent], KINDS, TOKEN), TOKEN) as visitor:
        path = opened(visitor)
        answer = visitor.post(path, {})
        assert answer.status == 400
        assert "add --trust" in answer.json()["error"]
        page = visitor.get(path).text
        assert "tag table" in page
        assert str(faulty.parent) not in page


def opened(visitor: Visitor, game_id: str = "b0-m0-s0") -> str:
    text = visitor.get("/list/list-folders.csv").text
    return f"/folder/{text.splitlines()[1].partition(',')[0]}/games/{game_id}"


@pytest.mark.flow
@pytest.mark.parametrize("game_id", ["b9-m0-s0", "nothing", "..%2f..", "b0-m0-s0.csv", "b" + 99 * "9" + "-m0-s0"])
def test_games_that_are_not_there(visitor: Visitor, game_id: str) -> None:
    answer = visitor.post(opened(visitor, game_id), {})
    assert answer.status in (400, 404, 405)
    assert answer.json()["error"]


@pytest.mark.flow
def test_other_pages_open_no_games(visitor: Visitor) -> None:
    path = opened(visitor)
    assert visitor.post(path, {}, Origin="http://127.0.0.1:1").status == 403
    assert visitor.post(path, {}, Cookie=None).status == 403
    assert visitor.get(path, Cookie=None).status == 403


@pytest.mark.flow
def test_a_run_whose_game_raised_says_so(tmp_path: Path, look_often: None) -> None:
    file, folder = tmp_path / "broken.py", tmp_path / "runs" / "broken"
    file.write_text(GAME)
    with pytest.raises(ContractError):
        run_tournament(define(f"{file}:Broken", ("random", "random"), 2, seed=1), folder, tracking=False)
    assert "the rules <i>broke" in failure_in(folder)
    row = LiveTournament(folder, "broken").row()
    assert (row.state, "the rules <i>broke" in row.why, str(tmp_path) in row.why) == ("failed", True, False)
    with visited(live_pages([folder.parent], KINDS, TOKEN), TOKEN) as visitor:
        page = visitor.get("/").text
        assert "the rules &lt;i&gt;broke" in page
        assert "failed" in page
    (folder / FAILURE).write_text("{")
    assert LiveTournament(folder, "broken").row().state == "stopped"


def test_a_failure_is_forgotten_when_play_goes_on(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    (folder / FAILURE).write_text('{"error": "it broke"}')
    assert failure_in(folder) == "it broke"
    run_tournament(define("nim", ("random", "random"), 1, seed=1), folder, tracking=False)
    assert failure_in(folder) == ""
