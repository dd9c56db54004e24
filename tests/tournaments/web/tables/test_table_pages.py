"""Pages of tables in a browser: whole games by clicks, every seat by its own page, and a server that is killed."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from browsers.pages import CHROMIUM
from browsers.served_tables import SHOWN, Guest, TableServer, table_server, wait_for

from tag.catalogue.registry import game_class, game_names
from tag.engine.rng import Rng
from tag.table.events import event_texts
from tag.table.game import Start, TableGame
from tag.table.view import view

pytestmark = [pytest.mark.system, pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")]
KUHN = str(Path(__file__).parents[4] / "examples" / "kuhn_poker.py") + ":KuhnPoker"
#: A random game that takes more actions is a mistake.
MOST_ACTIONS = 1200
#: The page shows the position after so many actions, and waits for nothing.


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TableServer]:
    with table_server(tmp_path_factory.mktemp("tables")) as found:
        yield found


class Visitor:
    """A person with a browser of their own, at one link; any error on the page fails the test at the end."""

    def __init__(self, browser: Any, address: str, **options: Any) -> None:
        self.context = browser.new_context(**{"reduced_motion": "reduce", **options})
        self.page = self.context.new_page()
        self.page.set_default_timeout(20_000)
        self.errors: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", lambda said: said.type == "error" and self.errors.append(said.text))
        self.page.goto(address)
        self.page.wait_for_selector("#seats li")

    def wait(self, actions: int) -> None:
        wait_for(self.page, SHOWN, actions)

    def choices(self) -> Any:
        return self.page.locator("#actions button:enabled")

    def text(self, name: str) -> str:
        return str(self.page.locator(name).inner_text())


@contextmanager
def visitors(browser: Any, server: TableServer, guests: list[Guest], **options: Any) -> Iterator[list[Visitor]]:
    found = [Visitor(browser, f"{server.host.origin}{guest.path}?{guest.query}", **options) for guest in guests]
    try:
        yield found
        assert [visitor.errors for visitor in found] == [[] for _visitor in found]
    finally:
        for visitor in found:
            visitor.context.close()


def play_by_clicks(people: list[Visitor], seed: int = 1) -> int:
    """Click random actions, on the board where there is one to click, until the game is over; return their number."""
    rng = Rng(seed)
    for actions in range(MOST_ACTIONS):
        for person in people:
            person.wait(actions)
        (player,) = [person for person in people if person.choices().count()] or [None]
        if player is None:
            assert "The game is over" in people[0].text("#status")
            return actions
        on_board = player.page.locator("#board [data-action]")
        choices = on_board if on_board.count() else player.choices()
        choices.nth(int(rng.below(choices.count()))).click()
    pytest.fail(f"the game is not over after {MOST_ACTIONS:,} actions")


def whole_game(browser: Any, server: TableServer, game: str, players: int) -> int:
    guests = server.create(game=game, players=players, seats=["human"] * players, seed=5)[:players]
    with visitors(browser, server, guests) as people:
        return play_by_clicks(people)


# --- play -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "players"), [("tic_tac_toe", 2), ("connect_four", 2), (KUHN, 3)])
def test_a_whole_game_is_played_by_clicks_from_every_seat(browser, server, game, players):
    assert whole_game(browser, server, game, players) > 0


@pytest.mark.slow
@pytest.mark.parametrize("game", game_names())
def test_a_whole_game_of_every_kind_is_played_by_clicks(browser, server, game):
    kind = game_class(game).game_type
    spec = f"{game}:{kind.check_parameters}" if kind.check_parameters else game
    assert whole_game(browser, server, spec, int(max(kind.min_players, min(kind.max_players, 3)))) > 0


def test_things_are_picked_on_the_board(browser, server):
    guests = server.create(game="dots_and_boxes", players=2, seats=["human", "human"], seed=1)[:2]
    with visitors(browser, server, guests) as (first, second):
        first.page.locator('[data-pick="a1-b1"] .wide').dispatch_event("click")
        second.wait(1)
        assert "player 1: a1-b1" in second.text("#log")
        second.page.locator('[data-pick="a1-a2"]').focus()
        second.page.keyboard.press("Enter")
        first.wait(2)


def test_picks_narrow_the_list_until_one_action_is_left(browser, server):
    hands = {seed: seen_hand(seed) for seed in range(20)}
    seed = next(seed for seed, hand in hands.items() if hand[0] == "Guard" != hand[1])
    guests = server.create(game="love_letter", players=3, seats=["human"] * 3, seed=seed)[:1]
    with visitors(browser, server, guests) as (person,):
        page = person.page
        total = person.choices().count()
        texts = page.locator("#actions button:enabled span").all_inner_texts()
        card = page.locator("#board .own .card[data-pick]").first
        label = card.get_attribute("data-pick")
        card.click()
        assert person.choices().count() == sum(bool(re.search(rf"\b{label}\b", text)) for text in texts) < total
        assert card.get_attribute("aria-pressed") == "true"
        page.keyboard.press("Escape")
        assert person.choices().count() == total


def seen_hand(seed: int) -> list[str]:
    components = view(TableGame(Start("love_letter", 3, seed)), 0)["components"]
    return next(part["items"] for part in components if part["name"] == "hand of 0")


def test_keys_choose_actions(browser, server):
    (guest, *_others) = server.create(game="connect_four", players=2, seats=["human", "human"], seed=1)
    with visitors(browser, server, [guest]) as (person,):
        person.page.keyboard.press("3")
        person.page.keyboard.press("ArrowDown")
        person.page.keyboard.press("Enter")
        person.wait(1)
        assert "player 1: d" in person.text("#log")


# --- what is seen -------------------------------------------------------------------------------------------------------


def test_two_browsers_at_one_table_see_their_own_hands(browser, server):
    guests = server.create(game="love_letter", players=2, seats=["human", "human"], seed=3)[:2]
    with visitors(browser, server, guests) as people:
        for seat, person in enumerate(people):
            hands = {part["name"]: part for part in guests[seat].position()["view"]["components"]}
            assert person.page.locator(".own .hand .card b").all_inner_texts() == hands[f"hand of {seat}"]["items"]
            assert hands[f"hand of {1 - seat}"]["items"] is None
            other = hands[f"hand of {1 - seat}"]["count"]
            assert person.page.locator(".players .hand .card.back").count() == other


QUICK = [("love_letter", "dark"), ("pandemic", "light")]
PHONES = [
    pytest.param(game, scheme, marks=() if (game, scheme) in QUICK else pytest.mark.slow)
    for game in game_names()
    for scheme in ("light", "dark")
]


@pytest.mark.parametrize(("game", "scheme"), PHONES)
def test_a_phone_shows_it_without_a_horizontal_scroll(browser, server, game, scheme):
    players = int(game_class(game).game_type.max_players)
    guests = server.create(game=game, players=players, seats=["human"] * players, seed=1)[:1]
    options = {"viewport": {"width": 360, "height": 700}, "color_scheme": scheme}
    with visitors(browser, server, guests, **options) as (person,):
        person.page.wait_for_selector("#board .board")
        assert person.page.evaluate("document.documentElement.scrollWidth") == 360
        unnamed = "[...document.querySelectorAll('button, input, select')].filter(one => one.checkVisibility() && "
        unnamed += "!one.textContent.trim() && !one.ariaLabel && !one.labels?.length && !one.title)"
        assert person.page.evaluate(f"{unnamed}.length") == 0


def test_an_agent_is_replaced_and_asked(browser, server):
    (guest, *_others) = server.create(game="tic_tac_toe", players=2, seats=["human", "human"], seed=1, free=True)
    with visitors(browser, server, [guest]) as (person,):
        page = person.page
        page.locator("#seats > li:nth-child(2) > details > summary").click()
        page.locator("#seats > li:nth-child(2) select").first.select_option("random")
        page.get_by_role("button", name="Replace").last.click()
        page.wait_for_function("() => document.querySelector('#seats li:nth-child(2) b').textContent === 'random'")
        page.click("#add-agent")
        page.click("#ask")
        page.wait_for_selector("#analysis-result h3")
        assert page.locator("#analysis-result h3").all_inner_texts() == ["mcts", "osla"]
        assert page.locator("#analysis-result section:first-child tbody tr").count() == 9
        page.click("#chances")
        page.wait_for_selector("svg.chances .point")


# --- positions set up by hand --------------------------------------------------------------------------------------------


SLOW_ANSWERS = """
const request = window.fetch
window.fetch = async (...asked) => {
  const answer = await request(...asked)
  await new Promise(done => setTimeout(done, asked[0].startsWith("/tables/forms") ? 1500 : 200))
  return answer
}
"""


def test_a_position_is_set_up_by_hand_and_played(browser, server):
    page = browser.new_context(viewport={"width": 360, "height": 700}).new_page()
    page.add_init_script(SLOW_ANSWERS)  # keys are faster than answers
    page.goto(f"{server.host.origin}/tables?token={server.host.token}")
    page.get_by_label("game", exact=True).select_option("connect_four")
    page.locator("#placed summary").click()
    page.locator(".cells button").nth(41).wait_for()
    assert page.locator(".cells .row").count() == 6
    page.locator(".cells .row").last.locator("button").nth(2).click()
    page.wait_for_selector("#placed circle.token.p0")
    page.locator(".cells .row").first.locator("button").first.press("2")
    hanging = page.locator("#placed [role=alert]")
    hanging.wait_for()
    assert hanging.inner_text() == "the disc in column a, row 6 from below, hangs in the air"
    page.locator(".cells .row").first.locator("button").first.press("0")
    page.locator(".cells .row").last.locator("button").nth(3).press("ArrowUp")
    page.wait_for_function("() => document.querySelectorAll('#placed circle.token').length === 2")
    page.get_by_label("player to move").fill("1")
    page.get_by_label("player to move").press("Tab")
    page.locator("#seat-choices select").nth(1).select_option("human")
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    page.get_by_role("button", name="Start").click()
    page.locator(".invitations").get_by_role("link", name="open").first.click()
    page.wait_for_selector("#board circle.token")
    assert page.locator("#board circle.token").count() == 2
    newest = max(server.folder.glob("connect_four-*.json"), key=lambda file: file.stat().st_mtime)
    start = server.file(newest.stem)["saved"]
    assert (start["cells"][12], start["cells"][18], start["to_move"]) == (1, 1, 1)
    page.context.close()


# --- steps --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "game", [pytest.param(game, marks=() if game == "tic_tac_toe" else pytest.mark.slow) for game in game_names()]
)
def test_a_game_is_taken_back_to_the_start_and_played_again(browser, server, game):
    kind = game_class(game).game_type
    spec = f"{game}:{kind.check_parameters}" if kind.check_parameters else game
    players = int(max(kind.min_players, min(kind.max_players, 2)))
    humans = ["human"] * players
    guests = server.create(game=spec, players=players, seats=humans, seed=1, free=True, open=True)[:players]
    everything = Guest(guests[0].visitor, guests[0].path, "viewer=-1")
    with visitors(browser, server, guests) as people:
        actions = play_by_clicks(people)
        hashes = [everything.position(at)["view"]["hash"] for at in everything.position()["line"]]
        assert len(hashes) == actions + 1
        for button, last in (("#undo", hashes[0]), ("#redo", hashes[-1])):
            while people[0].page.locator(button).is_enabled():
                before = people[0].text("#ply")
                people[0].page.click(button)
                people[0].page.wait_for_function(
                    "before => document.getElementById('ply').textContent !== before", arg=before
                )
                shown = everything.position()
                assert shown["view"]["hash"] == hashes[shown["view"]["ply"]]
            assert everything.position()["view"]["hash"] == last


def test_steps_are_private_and_have_addresses(browser, server):
    guests = server.create(game="tic_tac_toe", players=2, seats=["human", "human"], seed=1, free=True)[:2]
    with visitors(browser, server, guests) as (first, second):
        first.choices().nth(4).click()
        second.wait(1)
        second.choices().nth(0).click()
        first.wait(2)
        first.page.click("#start")
        first.wait(0)
        assert first.page.url.endswith("#0")
        assert "after 2 of 2" in second.text("#ply")
        first.page.click("#forward")
        first.wait(1)
        first.page.click("#to-present")
        first.wait(2)


#: What is marked as the last action's, by what it is and where.
LAST = """() => [...document.querySelectorAll("#board .last")].map(thing => thing.dataset.key).sort()"""


@pytest.mark.parametrize("game", ["tic_tac_toe", "connect_four", "othello", "hex", "sim", "dots_and_boxes"])
def test_the_last_action_is_marked_for_all_who_watch_and_in_each_position(browser, server, game):
    """The same for the players, for one who comes later, and for one who steps back and on again."""
    guests = server.create(game=game, players=2, seats=["human", "human"], seed=1, free=True, open=True)
    with visitors(browser, server, guests[:2]) as people:
        assert people[0].page.evaluate(LAST) == []
        marks = []
        for actions in range(1, 5):
            (player,) = [person for person in people if person.choices().count()]
            player.choices().first.click()
            for person in people:
                person.wait(actions)
            marks.append(people[0].page.evaluate(LAST))
            assert marks[-1] == people[1].page.evaluate(LAST) != []
            assert people[0].page.locator("#log .last").count() == 1
            assert people[0].text("#log .last") == people[0].page.locator("#log li").nth(actions - 1).inner_text()
        assert all(one != other for one, other in pairwise(marks))
        with visitors(browser, server, guests[1:2]) as (late,):
            for at in (4, 2, 1, 3):
                late.page.locator("#log button").nth(at - 1).click()
                late.wait(at)
                late.page.wait_for_function(
                    f"found => JSON.stringify(({LAST})()) === JSON.stringify(found)", arg=marks[at - 1]
                )


def test_the_log_tells_each_seat_what_followed_as_far_as_it_may_know(browser, server):
    guests = server.create(game="love_letter", players=2, seats=["human", "human"], seed=1, free=True)[:2]
    with visitors(browser, server, guests) as people:
        for actions in range(1, 5):
            (player,) = [person for person in people if person.choices().count()]
            player.choices().first.click()
            for person in people:
                person.wait(actions)
        logs = [person.page.locator("#log p").all_inner_texts() for person in people]
        names = ["player 1", "player 2"]  # on pages, from 1
        table = TableGame(Start("love_letter", 2, 1), [0] * 4)
        for seat, log in enumerate(logs):
            assert log == [text for taken in table.taken for text in event_texts(taken.events, seat, names)]
        assert logs[0] != logs[1]
        people[0].page.click("#back")
        people[0].wait(3)
        assert people[0].page.locator("#log p").all_inner_texts() == logs[0]


def test_looking_back_is_not_playing_until_that_is_asked_for(browser, server):
    guests = server.create(game="tic_tac_toe", players=2, seats=["human", "human"], seed=1, free=True)[:2]
    with visitors(browser, server, guests) as (first, second):
        first.choices().nth(4).click()
        second.wait(1)
        first.page.click("#back")
        first.wait(0)
        assert first.choices().count() == 0
        first.page.locator('[data-pick="c3"]').click()
        assert "counts" in first.text("#note")
        assert len(guests[0].position()["line"]) == 2
        first.page.click("#go")
        second.wait(0)
        first.page.locator('[data-pick="c3"]').click()
        for person in (first, second):
            person.wait(1)
            person.page.wait_for_selector("text=player 1: c3")
        first.page.click("#start")
        first.wait(0)
        branches = first.page.locator("#branches button")
        assert branches.all_inner_texts() == ["b2", "c3"]
        branches.first.click()
        first.page.click("#go")
        second.page.wait_for_selector("text=player 1: b2")


def test_agents_are_watched_stopped_and_sped_up(browser, server):
    *_seats, watch = server.create(game="tic_tac_toe", players=2, seats=["random", "osla"], seed=1)
    with visitors(browser, server, [watch]) as (person,):
        person.page.click("#paused")
        person.page.wait_for_selector("#paused:text('Play on')")
        person.page.fill("#seconds", "0")
        person.page.keyboard.press("Tab")
        person.page.click("#paused")
        person.page.wait_for_selector("#status:text('The game is over')")
        assert person.page.locator("#log li").count() >= 5


# --- the server goes ----------------------------------------------------------------------------------------------------


def started(folder: Path, port: int) -> tuple[subprocess.Popen[str], str]:
    home = os.pathsep.join([entry or str(Path.cwd()) for entry in sys.path])
    command = [sys.executable, "-P", "-m", "tag", "table", "tic_tac_toe", "--agent", "human"]
    process = subprocess.Popen(
        [*command, "--port", str(port), "--out", str(folder)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "PYTHONPATH": home, "PYTHONUNBUFFERED": "1", "BROWSER": "true"},
    )
    assert process.stdout is not None
    return process, process.stdout.readline().strip()


def test_a_page_comes_back_after_the_server_was_killed(browser, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    process, address = started(tmp_path, port)
    person = Visitor(browser, address)
    try:
        person.choices().nth(4).click()
        person.wait(1)
        os.kill(process.pid, signal.SIGKILL)
        process.communicate()
        person.page.wait_for_selector("#connection", state="visible")
        process, _address = started(tmp_path, port)
        person.page.wait_for_selector("#connection", state="hidden")
        person.wait(1)
        assert "player 1: b2" in person.text("#log")
    finally:
        person.context.close()
        process.kill()
        process.communicate()
