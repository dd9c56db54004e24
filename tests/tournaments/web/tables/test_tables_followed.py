"""That people can follow a game at a table: names, prompts, what happened since, whose turn it is, and the next game."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from browsers.served_tables import SHOWN, Guest, TableServer, table_server, wait_for

from tag.catalogue.registry import game_class, game_names
from tag.tournaments.web.tables.rules import rules_of
from tag.tournaments.web.tables.stored import seat_names

pytestmark = pytest.mark.system

COUNTED_FROM_0 = re.compile(r"\b(player|seat|pawn) 0\b", re.IGNORECASE)
#: Of what is in the window of a browser, whole.
IN_VIEW = """thing => { const box = thing.getBoundingClientRect()
    return box.height > 0 && box.top >= 0 && box.bottom <= innerHeight }"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TableServer]:
    with table_server(tmp_path_factory.mktemp("tables")) as found:
        yield found


def opened(browser: Any, server: TableServer, guest: Guest, **options: Any) -> Any:
    """The page of a guest, once the position is there."""
    page = browser.new_context(reduced_motion="reduce", **options).new_page()
    page.set_default_timeout(20_000)
    page.goto(f"{server.host.origin}{guest.path}")
    page.wait_for_function("() => document.getElementById('status').textContent")
    return page


def people(*names: str) -> list[str]:
    """The specs of people with these names."""
    return [f"human:name={name}" for name in names]


def words(page: Any) -> str:
    """All that a page says, also to a screen reader."""
    labels = page.eval_on_selector_all("[aria-label]", "all => all.map(one => one.getAttribute('aria-label'))")
    return "\n".join([page.locator("main").inner_text(), *labels])


def moved(guests: list[Guest], number: int = 0) -> int:
    """Play an action of the player to move, and return the player."""
    shown = guests[0].position()
    player = shown["view"]["player"]
    guests[player].done("play", at=shown["position"], number=number)
    return int(player)


def finished(guests: list[Guest]) -> None:
    """Play until the game is over."""
    while guests[0].position()["view"]["player"] is not None:
        moved(guests)


# --- names and words ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "game",
    [pytest.param(game, marks=() if game in ("love_letter", "poker") else pytest.mark.slow) for game in game_names()],
)
def test_players_have_names_and_are_never_counted_from_0(browser, server, game):
    kind = game_class(game).game_type
    players = int(max(kind.min_players, min(kind.max_players, 2)))
    names = ["Ann", "Zoë-Lou", "Bo", "Kim", "Eve"][:players]
    guests = server.create(game=game, players=players, seats=people(*names), seed=3)[:players]
    pages = [opened(browser, server, guest) for guest in guests]
    try:
        for actions in range(1, 7):
            if guests[0].position()["view"]["player"] is None:  # three cards that do not fit end Hanabi
                break
            moved(guests)
            for page in pages:
                wait_for(page, SHOWN, actions)
        for page in pages:
            assert not COUNTED_FROM_0.search(words(page))
            assert all(name in words(page) for name in names)
    finally:
        for page in pages:
            page.context.close()


def test_equal_and_missing_names_are_told_apart_by_the_seat():
    assert seat_names(["human", "human:name=Ann", "osla", "osla"]) == ["player 1", "Ann", "osla 3", "osla 4"]
    assert seat_names(["human:name=Ann", "human:name=Ann"]) == ["Ann 1", "Ann 2"]
    assert seat_names(["mine.py:Mine:depth=2"]) == ["Mine"]


def test_a_name_is_a_text_and_nothing_else(browser, server):
    name = "<img src=x onerror=alert(1)>"
    seats = [f"human:name={name}", "human:name=player 0"]
    (guest, *_others) = server.create(game="love_letter", players=2, seats=seats, seed=3)
    page = opened(browser, server, guest)
    assert page.locator("#board h3", has_text=name).count() == 1
    assert page.locator("#board img").count() == 0
    page.context.close()


def test_the_page_says_whose_turn_it_is_what_is_asked_and_what_happened_since(browser, server):
    guests = server.create(game="love_letter", players=2, seats=people("Ann", "Ben"), seed=3)[:2]
    page, other = (opened(browser, server, guest) for guest in guests)
    try:
        mine, theirs = (page, other) if guests[0].position()["view"]["player"] == 0 else (other, page)
        assert mine.title() == "● your turn · Love Letter"
        assert re.fullmatch(r"Your turn: [a-z, ]+( or [a-z]+)?\.", mine.locator("#status").inner_text())
        assert theirs.title() in ("Ann · Love Letter", "Ben · Love Letter")
        assert "is to move." in theirs.locator("#status").inner_text()
        mover = moved(guests)
        theirs.wait_for_function("() => document.title.startsWith('●')")
        since = theirs.locator("#since").inner_text()
        assert since.startswith("Since your last turn")
        assert f"{('Ann', 'Ben')[mover]}: " in since
        assert "draws" in since  # what followed, not the choice alone
    finally:
        page.context.close()
        other.context.close()


def test_a_page_pauses_at_the_end_of_a_round(browser, server):
    guests = server.create(game="love_letter", players=2, seats=people("Ann", "Bo"), seed=1)[:2]
    ann, bo = (opened(browser, server, guest) for guest in guests)
    try:
        bo.get_by_label("a pause at the end of rounds").uncheck()
        while ann.locator("#round").is_hidden():
            before = guests[0].position()["view"]["ply"]
            moved(guests)
            bo.wait_for_function(SHOWN, arg=before + 1)
            ann.wait_for_function(
                f"after => !document.getElementById('round').hidden || ({SHOWN})(after)", arg=before + 1
            )
        assert re.search("(Ann|Bo) wins the round", ann.locator("#round").inner_text())
        assert "round 2 begins" not in ann.locator("#round").inner_text()
        assert "round 2 begins" in ann.locator("#log").inner_text() or bo.locator("#round").is_hidden()
        assert ann.locator("#actions").is_hidden()
        assert f"after {before} of {before + 1} " in ann.locator("#ply").inner_text()
        assert not ann.locator("#board [data-pick]:not(.idle)").count()
        ann.keyboard.press("Enter")
        ann.wait_for_function(SHOWN, arg=before + 1)
        assert ann.locator("#round").is_hidden()
        assert ann.locator("#actions").is_visible()
        bo.reload()
        assert not bo.get_by_label("a pause at the end of rounds").is_checked()
    finally:
        for page in (ann, bo):
            page.context.close()


def test_a_game_says_what_it_asks_for_with_the_names_of_people(browser, server):
    guests = server.create(game="hearts", players=3, seats=people("Ann", "Bo", "Cy"), seed=1)[:3]
    page = opened(browser, server, guests[guests[0].position()["view"]["player"]])
    assert re.fullmatch("Your turn: choose card 1 to pass to (Ann|Bo|Cy)[.]", page.locator("#status").inner_text())
    page.context.close()


def test_the_rules_are_a_click_away(browser, server):
    (guest, *_others) = server.create(game="love_letter", players=2, seats=["human", "osla"], seed=3)
    page = opened(browser, server, guest)
    with page.context.expect_page() as asked:
        page.click("text=rules")
    rules = asked.value
    assert rules.locator("h1").inner_text() == "Rules of Love Letter"
    assert rules.locator("li").first.inner_text().startswith("Guard: name another player and a card")
    assert rules.locator("section").count() > 1
    page.context.close()


def test_every_game_has_rules_in_paragraphs():
    for game in game_names():
        found = rules_of(game)
        assert sum(len(section["blocks"]) for section in found["sections"]) > 2, game


def test_the_result_has_its_reason(browser, server):
    guests = server.create(game="poker:hands=1", players=2, seats=people("Ann", "Ben"), seed=5)[:2]
    finished(guests)
    page = opened(browser, server, guests[0])
    said = page.locator("#status").inner_text()
    page.context.close()
    assert re.match(r"The game is over: (Ann|Ben|Ann and Ben) won\. .+\.$", said), said


# --- where the hand is -------------------------------------------------------------------------------------------


#: How far the own hand reaches below the choices, in pixels, and how many of the things to choose on the board are in view.
FIRST_SCREEN = """() => {
    const fold = document.querySelector(".choices").getBoundingClientRect().top
    const boxes = found => [...document.querySelectorAll(found)].map(thing => thing.getBoundingClientRect())
    const marked = boxes("#board :is([data-pick], [data-action]):not(.idle)")
    return {
        below: Math.max(0, ...boxes("#board .own .hand .card").map(({ bottom }) => bottom - fold)),
        marked: marked.length,
        in_view: marked.filter(({ top, bottom }) => top >= 0 && bottom <= fold + 1).length,
    }
}"""


@pytest.mark.parametrize("most", [False, True])
@pytest.mark.parametrize(
    "game",
    [
        pytest.param(game, marks=() if game in ("uno", "pandemic", "seven_wonders") else pytest.mark.slow)
        for game in game_names()
    ],
)
def test_on_a_phone_prompt_hand_and_choices_are_in_view(browser, server, game, most):
    """At the first decision, and after twelve actions, with the fewest and with the most players."""
    kind = game_class(game).game_type
    players = int(kind.max_players if most else kind.min_players)
    guests = server.create(game=game, players=players, seats=["human"] * players, seed=1)[:players]
    for actions in (0, 12):
        while guests[0].position()["view"]["player"] is not None and guests[0].position()["view"]["ply"] < actions:
            moved(guests)
        player = guests[0].position()["view"]["player"]
        if player is None:
            return
        page = opened(browser, server, guests[player], viewport={"width": 390, "height": 844}, has_touch=True)
        try:
            page.wait_for_selector("#actions button:enabled")
            assert page.locator("#status").evaluate(IN_VIEW)
            assert page.locator("#actions button:enabled").first.evaluate(IN_VIEW)
            found = page.evaluate(FIRST_SCREEN)
            assert found["below"] <= 1, f"the hand reaches {found['below']:.0f} pixels below the choices"
            assert found["in_view"] > 0 or not found["marked"]
            page.evaluate("scrollTo(0, document.body.scrollHeight)")  # and wherever one looks on the board
            assert page.locator("#actions button:enabled").first.evaluate(IN_VIEW)
        finally:
            page.context.close()


FIRST_CHOICE = (
    "() => document.activeElement.closest('#actions button:enabled, #board [data-pick], #board [data-action]')"
)


@pytest.mark.parametrize(
    "game",
    [pytest.param(game, marks=() if game in ("blackjack", "nim") else pytest.mark.slow) for game in game_names()],
)
def test_the_first_choice_is_a_few_tab_stops_away(browser, server, game):
    players = int(game_class(game).game_type.min_players)
    guests = server.create(game=game, players=players, seats=["human"] * players, seed=1, open=True)[:players]
    page = opened(browser, server, guests[guests[0].position()["view"]["player"]])
    try:
        stops = 0
        while not page.evaluate(f"Boolean(({FIRST_CHOICE})())"):
            page.keyboard.press("Tab")
            stops += 1
            assert stops <= 6, "five stops before the first choice"
    finally:
        page.context.close()


def test_focus_stays_with_the_choices_of_who_plays_by_keys(browser, server):
    (guest, *_watch) = server.create(game="cant_stop", players=2, seats=["human"] * 2, seed=1)
    page = opened(browser, server, guest)
    try:
        page.locator("#actions button").first.focus()
        for actions in range(1, 4):
            if guest.position()["view"]["player"] != 0:
                break
            page.keyboard.press("Enter")
            page.wait_for_function(
                f"() => document.getElementById('ply').textContent.startsWith('after {actions} ')"
                " && !document.querySelector('main.waiting')"
            )
            if guest.position()["can"]["play"]:
                assert page.evaluate(f"Boolean(({FIRST_CHOICE})())")
        assert actions > 1
    finally:
        page.context.close()


def test_arrows_play_where_actions_are_called_after_them(browser, server):
    (guest, *_watch) = server.create(game="twenty_forty_eight", players=1, seats=["human"], seed=1)
    page = opened(browser, server, guest)
    texts = [action["text"].lower() for action in guest.position()["view"]["actions"]]
    page.keyboard.press(f"Arrow{texts[0].capitalize()}")
    page.wait_for_function("() => document.getElementById('ply').textContent.startsWith('after 1 of 1 ')")
    page.context.close()


# --- the next game ---------------------------------------------------------------------------------------------------


def test_players_meet_again_with_seats_changed(browser, server):
    guests = server.create(game="tic_tac_toe", players=2, seats=people("Ann", "Ben"), seed=1, open=False, free=False)[
        :2
    ]
    assert guests[0].post("rematch").status == 403  # not before the end
    finished(guests)
    page, other = (opened(browser, server, guest) for guest in guests)
    try:
        page.click("#rematch")
        page.wait_for_url(lambda url: guests[0].path not in url)
        other.wait_for_selector("#again:visible")
        assert other.locator("#rematch").is_hidden()
        again = Guest(guests[0].visitor, other.locator("#again").get_attribute("href"))
        first = Guest(guests[0].visitor, re.sub(r"^https?://[^/]+|#.*$", "", page.url))
        assert (first.position()["view"]["viewer"], again.position()["view"]["viewer"]) == (1, 0)
        assert [seat["name"] for seat in again.position()["seats"]] == ["Ben", "Ann"]
        assert again.position()["can"]["play"]
        assert guests[1].post("rematch").json()["href"] == again.path  # whoever asks, it is one table
        assert guests[0].position()["rematch"] == first.path
    finally:
        page.context.close()
        other.context.close()


def test_who_only_watches_neither_begins_the_next_game_nor_gets_a_seat_in_it(server):
    *players, watcher = server.create(game="tic_tac_toe", players=2, seats=["human", "random"], seed=1)
    with players[0].events() as events:
        for name, shown in events:
            if name == "over":
                break
            if name == "position" and shown["can"]["play"]:
                players[0].done("play", at=shown["position"], number=0)
    assert watcher.position()["view"]["player"] is None
    assert watcher.position()["rematch"] == ""
    assert watcher.post("rematch").status == 403
    players[0].done("rematch")
    path = watcher.position()["rematch"]
    assert not Guest(watcher.visitor, path).position()["can"]["play"]
