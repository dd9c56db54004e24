"""Play-tests in a browser: people and agents are seated by clicks, share a page, are watched, and say how it was."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from typing import Any

import pytest
from browsers.pages import CHROMIUM
from browsers.served_tables import Guest, TableServer, table_server

from tag.tournaments.ledger.feedback import read_feedback

pytestmark = [pytest.mark.system, pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")]

PHONE = {"width": 390, "height": 844}
UNNAMED = """[...document.querySelectorAll('button, input, select')].filter(one => one.checkVisibility() &&
    !one.textContent.trim() && !one.ariaLabel && !one.labels?.length && !one.title).length"""
WIDTH = "document.documentElement.scrollWidth"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TableServer]:
    with table_server(tmp_path_factory.mktemp("tables")) as found:
        yield found


class Browser:
    """A browser of one person; all that the server sends to it, and each error of its pages, is kept."""

    def __init__(self, browser: Any, server: TableServer, path: str, **options: Any) -> None:
        self.context = browser.new_context(**{"reduced_motion": "reduce", **options})
        self.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=server.host.origin)
        self.page = self.context.new_page()
        self.page.set_default_timeout(20_000)
        self.errors: list[str] = []
        self.asked: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("request", lambda request: self.asked.append(request.url.removeprefix(server.host.origin)))
        self.page.goto(f"{server.host.origin}{path}")

    def close(self) -> None:
        self.context.close()
        assert self.errors == []

    def text(self, name: str) -> str:
        return str(self.page.locator(name).inner_text())

    def copied(self) -> str:
        """The path that was copied last, as it is sent to a person."""
        address = str(self.page.evaluate("navigator.clipboard.readText()"))
        assert address.startswith("http://127.0.0.1:")
        return re.sub(r"^http://[^/]+", "", address)


@pytest.fixture
def open_browser(browser: Any, server: TableServer) -> Iterator[Any]:
    found: list[Browser] = []

    def opened(path: str, **options: Any) -> Browser:
        found.append(Browser(browser, server, path, **options))
        return found[-1]

    yield opened
    for one in found:
        one.close()


def host_page(server: TableServer, path: str = "/tables") -> str:
    return f"{path}?token={server.host.token}"


# --- the story ------------------------------------------------------------------------------------------------------


def seat_five(host: Browser) -> None:
    """Set a table of poker for Ann, Bo, somebody and two agents by clicks in the form of the host."""
    page = host.page
    page.get_by_label("game", exact=True).select_option("poker")
    page.locator("#game summary").click()
    page.locator("#game [name=hands]").fill("1")
    page.fill("#players", "5")
    for seat, agent in enumerate(["human", "human", "human", "random", "osla"]):
        page.locator("#seat-choices .chooser > select").nth(seat).select_option(agent)
    for seat, name in enumerate(["Ann", "Bo"]):
        page.get_by_label(f"name of player {seat + 1}").fill(name)
    page.locator("#free").uncheck()
    page.get_by_role("button", name="Start").click()
    page.wait_for_selector(".invitations")


def copy_of(host: Browser, label: str) -> str:
    host.page.locator(f"input[aria-label='link {label}'] + button").click()
    host.page.wait_for_function("said => document.getElementById('progress').textContent.includes(said)", arg=label)
    return host.copied()


def step(person: Browser) -> int:
    """Lift the curtain or play the first choice, if there is one; return whether the curtain was lifted."""
    for name in ("#curtain button", "#actions button:enabled"):
        found = person.page.locator(name).first
        if found.is_visible():
            found.click()
            person.page.wait_for_timeout(150)
            return name == "#curtain button"
    return 0


def test_three_people_and_two_agents_are_seated_and_play_within_two_minutes(open_browser, server):
    begin = time.monotonic()
    host = open_browser(host_page(server))
    seat_five(host)
    host.page.locator("#together").get_by_label("player 3").uncheck()
    pair_path, third_path = copy_of(host, "for several people"), copy_of(host, "for player 3")
    host.page.fill("#label", "the publisher")
    host.page.keyboard.press("Enter")
    watch_path = copy_of(host, "for watcher the publisher")
    third = open_browser(third_path)
    third.page.fill("#own-name", "Cy")
    third.page.keyboard.press("Enter")
    third.page.wait_for_selector("#seats:has-text('Cy')")
    assert third.page.locator("#naming").is_hidden()
    pair, watcher = open_browser(pair_path), open_browser(watch_path)
    seated = time.monotonic() - begin
    lifted = 0
    while "The game is over" not in watcher.text("#status"):
        lifted += step(pair)
        step(third)
        assert watcher.page.locator("#actions button:enabled").count() == 0
        assert time.monotonic() - begin < 120.0
    assert lifted
    for name, rating in (("Ann", 4), ("Bo", 5)):
        say(pair, f"{name}, how did you like the game?", rating, f"{name} was here")
    say(third, "How did you like the game?", 1, "")
    third.page.wait_for_selector("#note:has-text('This game is recorded')")
    (table,) = server.folder.glob("poker-*.json")
    while server.file(table.stem)["untold"]:
        third.page.wait_for_timeout(50)
    ledger = server.folder / "people" / "poker_hands=1-5p"
    said = {one.agent: (one.rating, one.note) for one in read_feedback(ledger)}
    people = ("Ann", "Bo", "Cy")
    assert said == dict(
        zip([f"human:name={name}" for name in people], [(4, "Ann was here"), (5, "Bo was here"), (1, "")], strict=True)
    )
    assert seated < 60.0


def say(person: Browser, question: str, rating: int, note: str) -> None:
    form = person.page.locator("form.feedback", has=person.page.get_by_text(question, exact=True))
    form.get_by_label(str(rating), exact=True).check()
    form.locator("[name=note]").fill(note)
    form.get_by_role("button").click()
    form.get_by_text("Thank you.").wait_for()


# --- the curtain ----------------------------------------------------------------------------------------------------


def hand_of(guest: Guest, seat: int) -> list[str]:
    parts = {part["name"]: part for part in guest.position()["view"]["components"]}
    return [str(item) for item in parts[f"hand of {seat}"]["items"]]


@pytest.mark.parametrize("options", [{}, {"viewport": PHONE, "color_scheme": "dark"}])
def test_nothing_of_the_next_hand_is_sent_before_the_curtain_is_lifted(open_browser, server, options):
    """By keys alone, on a screen and on a phone."""
    people = ["human:name=Ann", "human:name=Bo"]
    guests = server.create(game="poker", players=2, seats=people, seed=3, free=False)
    keys = [guest.path.removeprefix("/t/") for guest in guests]
    hands = [hand_of(guest, seat) for seat, guest in enumerate(guests)]
    assert not {*hands[0]} & {*hands[1]}
    first = guests[0].position()["view"]["player"]
    person = open_browser(f"/t/{keys[0]}?viewer=-2&with={keys[1]}", **options)
    for seat in (first, 1 - first):
        person.page.wait_for_selector(f"#curtain button:has-text('Show what {('Ann', 'Bo')[seat]} sees')")
        shown = person.page.locator("#board [role=img], #board .card").evaluate_all(
            "all => all.map(one => one.getAttribute('aria-label') ?? one.textContent)"
        )
        assert not {*hands[0], *hands[1]} & {*shown}
        asked = [path for path in person.asked if path.startswith("/t/") and "viewer=-2" not in path]
        assert all(path.startswith(f"/t/{keys[1 - seat]}/play?") for path in asked), asked  # of who had the page before
        person.asked.clear()
        assert person.page.evaluate(UNNAMED) == 0
        assert person.page.evaluate(WIDTH) <= person.page.evaluate("innerWidth")
        person.page.keyboard.press("Enter")  # the button of the curtain has the focus
        person.page.wait_for_selector("#actions button:enabled")
        own = person.page.locator("#board .own").inner_html()
        assert all(card[:-1] in own for card in hands[seat])
        assert not [path for path in person.asked if keys[1 - seat] in path.partition("?")[0]]
        person.asked.clear()
        person.page.locator("#actions button:enabled").nth(1).focus()
        person.page.keyboard.press("Enter")
    person.page.wait_for_selector("#curtain button, #actions:has-text('over')")
    assert person.page.evaluate("history.length") <= 2  # no way back to a hand


def test_the_curtain_stays_down_while_an_agent_moves_and_falls_again(open_browser, server):
    seats = ["human:name=Ann", "osla", "human:name=Bo"]
    guests = server.create(game="love_letter", players=3, seats=seats, seed=3, free=False)
    shared = f"/t/{guests[0].path[3:]}?viewer=-2&with={guests[2].path[3:]}"
    person = open_browser(shared)
    lifted = []
    for _turn in range(4):
        button = person.page.locator("#curtain button")
        button.wait_for()
        lifted.append(str(button.text_content()))
        button.click()
        person.page.wait_for_selector("#actions button:enabled")
        person.page.locator("#actions button:enabled").first.click()
    assert {"Show what Ann sees", "Show what Bo sees"} == {*lifted}


# --- the host's pages -----------------------------------------------------------------------------------------------


def test_tables_are_searched_closed_and_deleted_by_keys(open_browser, server):
    for name in ("Zoe", "Yan"):
        server.create(game="nim", players=2, seats=[f"human:name={name}", "osla"], seed=1)
    host = open_browser(host_page(server), viewport=PHONE)
    page = host.page
    assert (page.evaluate(WIDTH), page.evaluate(UNNAMED)) == (PHONE["width"], 0)
    page.locator("#search").focus()
    page.keyboard.type("nim ZOE")
    rows = page.locator("#list tbody tr:visible")
    assert rows.count() == 1
    assert host.text("#matches").startswith("1 of ")
    rows.get_by_role("button", name="Close").press("Enter")
    page.wait_for_selector("tr:has-text('Zoe'):has-text('closed')")
    page.wait_for_load_state()
    row = page.locator("tr", has_text="Zoe")
    row.get_by_role("button", name="Delete").press("Enter")
    assert page.locator("#deletion").is_visible()
    assert "Nim with Zoe, osla" in host.text("#deletion")
    page.keyboard.press("Enter")  # to keep it is what has the focus
    assert page.locator("tr", has_text="Zoe").count() == 1
    row.get_by_role("button", name="Delete").press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_function("() => !document.body.textContent.includes('Zoe')")
    assert page.locator("tr", has_text="Yan").count() == 1


def test_a_person_who_is_sent_away_is_told_why(open_browser, server):
    server.create(game="nim", players=2, seats=["human", "human"], seed=1)
    table = server.table
    label = "<img src=x onerror=alert(1)>"
    host = open_browser(host_page(server, f"/lobby/{table}"), viewport=PHONE, color_scheme="dark")
    host.page.fill("#label", label)
    host.page.get_by_role("button", name="Add a watcher").click()
    host.page.wait_for_selector("#watchers li")
    assert host.text("#watchers b") == label
    watcher = open_browser(copy_of(host, f"for watcher {label}"))
    watcher.page.wait_for_selector("#board .board")
    host.page.reload()
    assert host.text("#watchers b") == label
    host.page.get_by_role("button", name="Revoke").click()
    watcher.page.wait_for_selector("[role=alert]:has-text('The host has taken this link back.')")
    assert host.page.locator("#watchers li").count() == 0
    assert (host.page.evaluate(WIDTH), host.page.evaluate(UNNAMED)) == (PHONE["width"], 0)
