"""That people choose where the hand is: on the pieces, by mouse, touch and keys, with few clicks, and keep their place."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from statistics import mean, median
from typing import Any

import pytest
from browsers.served_tables import SHOWN, TableServer, table_server, wait_for

from tag import Rng
from tag.catalogue.registry import game_class, game_names

pytestmark = pytest.mark.system

#: So many own actions are played of a game, and so many clicks per action are too many.
MOST_ACTIONS = 60
MOST_CLICKS = 1.5
READY = """() => !document.querySelector("main.waiting")
    && (document.getElementById("status").textContent.startsWith("The game is over")
        || document.querySelector("#actions button:enabled"))"""
#: The point of a thing on which a click falls on nothing else, after scrolling there.
POINT = """thing => {
    thing.scrollIntoView({ block: "center", inline: "center" })
    const { left, top, width, height } = thing.getBoundingClientRect()
    const steps = [4, 3, 5, 2, 6, 1, 7, 8]
    for (const i of steps) for (const j of steps) {
        const x = left + width * i / 9 + 0.01, y = top + height * j / 9 + 0.01
        const hit = document.elementFromPoint(x, y)
        if (hit && hit.closest("[data-pick], [data-action], button") === thing) return [x, y]
    }
    return null
}"""
#: The pieces that lead to an action, with how many actions each leaves.
WAYS = r"""number => {
    const mentions = (text, label) =>
        new RegExp(`(?<![\\p{L}\\p{N}_])${label.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?![\\p{L}\\p{N}_])`, "u").test(text)
    const texts = window.texts
    return [...document.querySelectorAll("#board [data-pick]:not(.idle):not(.picked)")]
        .filter(thing => mentions(texts[number], thing.dataset.pick))
        .map(thing => [thing.dataset.pick, texts.filter(text => mentions(text, thing.dataset.pick)).length])
        .sort((one, other) => one[1] - other[1])
}"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TableServer]:
    with table_server(tmp_path_factory.mktemp("tables")) as found:
        yield found


class Hand:
    """A person at a page who plays actions on the pieces by mouse or touch, and counts the clicks."""

    def __init__(self, page: Any, is_touch: bool = False) -> None:
        self.page = page
        self.is_touch = is_touch
        self.clicks = 0

    def click(self, selector: str) -> None:
        thing = self.page.locator(selector).first
        point = thing.evaluate(POINT)
        assert point is not None, f"{selector} is covered"
        (self.page.touchscreen.tap if self.is_touch else self.page.mouse.click)(*point)
        self.clicks += 1

    def play(self, texts: list[str], number: int) -> None:
        """Play the action where it is, on the piece that leaves the fewest; where it has none, in the list."""
        self.page.evaluate("found => { window.texts = found }", texts)
        if self.page.locator(f'#board [data-action="{number}"]').count():
            self.click(f'#board [data-action="{number}"]')
            return
        ways = self.page.evaluate(WAYS, number)
        if not ways:
            self.click(f'#actions button[data-number="{number}"]')
            return
        label, left = ways[0]
        self.click(f"#board [data-pick={quoted(label)}]:not(.idle)")
        if left > 1:
            self.go_on(number)

    def go_on(self, number: int) -> None:
        """Choose among the actions of a picked piece: in its menu, on another piece, or in the list."""
        if self.page.locator("#menu:visible").count():
            self.click(f'#menu button[data-number="{number}"]')
            return
        ways = self.page.evaluate(WAYS, number)
        other = [label for label, left in ways if left == 1 or len(ways) == 1]
        place = f"#board [data-pick={quoted(other[0])}]:not(.idle)" if other and not self.is_touch else ""
        self.click(place or f'#actions button[data-number="{number}"]')


def quoted(label: str) -> str:
    return '"' + label.replace("\\", "\\\\").replace('"', '\\"') + '"'


@contextmanager
def seated(browser: Any, server: TableServer, game: str, **options: Any) -> Iterator[tuple[Any, Any]]:
    """A person against random agents: the guest, and the page."""
    kind = game_class(game).game_type
    players = int(max(kind.min_players, min(kind.max_players, 3)))
    spec = f"{game}:{kind.check_parameters}" if kind.check_parameters else game
    seats = ["human", *["random"] * (players - 1)]
    (guest, *_others) = server.create(game=spec, players=players, seats=seats, seed=5)
    guest.done("pace", paused=False, seconds=0)
    context = browser.new_context(**{"reduced_motion": "reduce", **options})
    page = context.new_page()
    page.set_default_timeout(20_000)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda said: said.type == "error" and errors.append(said.text))
    try:
        page.goto(f"{server.host.origin}{guest.path}")
        yield guest, page
        assert errors == []
    finally:
        context.close()


def own_turns(
    guest: Any, page: Any, most: int = MOST_ACTIONS, go_on: Callable[[], object] | None = None
) -> Iterator[list[str]]:
    """The texts of the actions in each position in which this person decides, until the game is over.

    ``go_on`` does so after the pause at the end of a round, by a click if omitted.
    """
    last = -1
    for _turn in range(most):
        wait_for(page, READY, None, go_on)
        for _try in range(500):
            shown = guest.position()
            if shown["view"]["player"] is None or (shown["can"]["play"] and shown["view"]["ply"] != last):
                break
            page.wait_for_timeout(20)
        else:
            pytest.fail("the action was not played")
        if shown["view"]["player"] is None:
            return
        last = shown["view"]["ply"]
        wait_for(page, SHOWN, last, go_on)
        wait_for(page, READY, None, go_on)
        yield [action["text"] for action in shown["view"]["actions"]]


def clicks_of(browser: Any, server: TableServer, game: str, **options: Any) -> tuple[int, int]:
    """Play a random game on the pieces; return the actions and the clicks."""
    rng, actions = Rng(3), 0
    with seated(browser, server, game, **options) as (guest, page):
        hand = Hand(page, bool(options.get("has_touch")))
        button = page.locator("#round button")
        for texts in own_turns(guest, page, go_on=button.tap if hand.is_touch else button.click):
            hand.play(texts, int(rng.below(len(texts))))
            actions += 1
    return actions, hand.clicks


SOME = ("love_letter", "dominion", "battlelore")


@pytest.mark.parametrize("game", [pytest.param(g, marks=() if g in SOME else pytest.mark.slow) for g in game_names()])
def test_an_action_takes_two_clicks_at_most(browser, server, game):
    actions, clicks = clicks_of(browser, server, game)
    assert 0 < actions <= clicks <= 2 * actions


@pytest.mark.slow
def test_the_median_game_takes_one_and_a_half_clicks_per_action(browser, server):
    found = {game: clicks_of(browser, server, game) for game in game_names()}
    assert median(clicks / actions for actions, clicks in found.values()) <= MOST_CLICKS
    assert mean(clicks / actions for actions, clicks in found.values()) <= MOST_CLICKS


# --- by touch and by keys -----------------------------------------------------------------------------------------

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
ALSO = ("connect_four", "nim")


@pytest.mark.parametrize("game", [pytest.param(g, marks=() if g in ALSO else pytest.mark.slow) for g in game_names()])
def test_a_whole_game_is_played_by_touch_alone(browser, server, game):
    actions, taps = clicks_of(browser, server, game, **PHONE)
    assert 0 < actions <= taps <= 2 * actions


@pytest.mark.parametrize(
    "game", [pytest.param(g, marks=() if g in (*ALSO, "liars_dice") else pytest.mark.slow) for g in game_names()]
)
def test_a_whole_game_is_played_by_keys_alone(browser, server, game):
    rng, actions = Rng(4), 0
    with seated(browser, server, game) as (guest, page):
        for texts in own_turns(guest, page, go_on=lambda: page.keyboard.press("Enter")):
            page.keyboard.type(str(int(rng.below(len(texts))) + 1))
            page.keyboard.press("Enter")
            actions += 1
    assert actions > 0


def test_a_menu_is_opened_used_and_closed_by_keys(browser, server):
    with seated(browser, server, "love_letter") as (guest, page):
        for texts in own_turns(guest, page):
            card = page.locator("#board .own .card[data-pick]").first
            label = card.get_attribute("data-pick")
            if sum(label in text for text in texts) > 1:
                break
            guest.done("play", at=guest.position()["position"], number=0)
        else:
            pytest.fail("no card has a choice")
        page.keyboard.press("Tab")  # from here on by keys
        card.focus()
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.closest('#menu') !== null")
        assert label in page.locator("#menu").get_attribute("aria-label")
        page.keyboard.press("Escape")
        assert page.locator("#menu").is_hidden()
        assert page.evaluate("document.activeElement.dataset.pick") == label
        before = guest.position()["view"]["ply"]
        page.keyboard.press("Enter")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        page.wait_for_function(
            f"() => !document.getElementById('ply').textContent.startsWith('after {before} ')", polling=20
        )


# --- what can be chosen, and what a card does -----------------------------------------------------------------------


def test_what_can_be_chosen_is_marked_and_after_a_pick_only_what_goes_with_it(browser, server):
    with seated(browser, server, "battlelore") as (guest, page):
        for texts in own_turns(guest, page):
            if any(text.startswith("move ") for text in texts):
                break
            guest.done("play", at=guest.position()["position"], number=0)
        else:
            pytest.fail("nothing moves")
        marked = "all => all.map(one => one.dataset.pick)"
        places = set(page.eval_on_selector_all("#board [data-pick]:not(.idle)", marked))
        assert places == {place for text in texts for place in re.findall(r"[A-L][1-9]", text)}
        unit = next(re.search(r"at (..) to", text)[1] for text in texts if text.startswith("move "))
        Hand(page).click(f'#board [data-pick="{unit}"]')
        left = [text for text in texts if re.search(rf"\b{unit}\b", text)]
        if len(left) > 1:
            places = set(page.eval_on_selector_all("#board [data-pick]:not(.idle)", marked))
            assert places == {place for text in left for place in re.findall(r"[A-L][1-9]", text)}


def test_a_card_tells_what_it_does_when_pointed_at_focused_or_touched(browser, server):
    with seated(browser, server, "love_letter") as (guest, page):
        next(own_turns(guest, page))
        card = page.locator("#board .own .card[data-tip]").first
        text = card.get_attribute("data-tip")
        card.hover()
        assert page.locator("#tip").inner_text().endswith(text)
        assert card.get_attribute("aria-describedby") == "tip"
        page.mouse.move(1, 1)
        assert page.locator("#tip").is_hidden()
        card.focus()
        assert page.locator("#tip").inner_text().endswith(text)
    with seated(browser, server, "love_letter", **PHONE) as (guest, page):
        next(own_turns(guest, page))
        page.locator("#board .own .card[data-tip]").first.tap()
        if guest.position()["view"]["ply"] == 0:
            assert page.locator("#tip").is_visible()
            action = page.locator("#actions button").first
            top = action.bounding_box()["y"]
            page.locator("#board .own .card[data-tip]").first.blur()  # as when a finger comes down elsewhere
            assert action.bounding_box()["y"] == top
            page.locator("#status").tap()
            assert page.locator("#tip").is_hidden()


# --- what is in view ------------------------------------------------------------------------------------------------

FOLD = """() => [document.querySelector("#board .own").getBoundingClientRect().bottom,
    document.querySelector(".choices").getBoundingClientRect().top,
    document.querySelector(".tabletop > header").getBoundingClientRect().height]"""
TALL = ("battlelore", "pandemic")


@pytest.mark.parametrize("game", [pytest.param(g, marks=() if g in TALL else pytest.mark.slow) for g in game_names()])
def test_the_hand_and_the_choices_are_above_the_fold_below_a_head_of_one_line(browser, server, game):
    kind = game_class(game).game_type
    players = int(max(kind.min_players, min(4, kind.max_players)))
    guests = server.create(game=game, players=players, seats=["human"] * players, seed=3)[:players]
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    try:
        page.goto(f"{server.host.origin}{guests[guests[0].position()['view']['player']].path}")
        page.wait_for_selector("#actions button:enabled")
        hand, choices, head = page.evaluate(FOLD)
        assert hand <= choices + 1
        assert choices < 800
        assert head < 32
    finally:
        page.close()


def test_the_cells_of_hex_can_be_touched_on_a_phone(browser, server):
    with seated(browser, server, "hex", **PHONE) as (guest, page):
        next(own_turns(guest, page))
        box = page.locator("#board [data-pick] > .cell").first.bounding_box()
        assert min(box["width"], box["height"]) >= 32


# --- elements are kept ------------------------------------------------------------------------------------------------

KEEP = """() => {
    const thing = document.querySelector("#board .own [tabindex='0'], #board [tabindex='0']")
    thing.focus({ preventScroll: true })
    window.kept = thing
    scrollTo(0, 40)
    for (const one of document.querySelectorAll("#board .scroll")) one.scrollLeft = 30
    return [...[...document.querySelectorAll("#board .scroll")].map(one => one.scrollLeft)]
}"""
KEPT = """() => [!kept.isConnected || document.activeElement === kept, scrollY > 0,
    ...[...document.querySelectorAll("#board .scroll")].map(one => one.scrollLeft)]"""
MOVED = ("hex", "pandemic", "uno")


@pytest.mark.parametrize("game", [pytest.param(g, marks=() if g in MOVED else pytest.mark.slow) for g in game_names()])
def test_focus_and_scrolling_survive_every_move(browser, server, game):
    kind = game_class(game).game_type
    players = int(max(kind.min_players, min(kind.max_players, 3)))
    guests = server.create(game=game, players=players, seats=["human"] * players, seed=1)[:players]
    viewer = guests[0].position()["view"]["player"]
    context = browser.new_context(viewport={"width": 390, "height": 844}, reduced_motion="reduce")
    context.add_init_script("localStorage.setItem('rounds', 'off')")
    page = context.new_page()
    try:
        page.goto(f"{server.host.origin}{guests[viewer].path}")
        page.wait_for_selector("#actions button:enabled")
        if not page.locator("#board [tabindex='0']").count():
            pytest.skip("nothing on the board can be chosen at first")
        page.keyboard.press("Tab")
        scrolled = page.evaluate(KEEP)
        for actions in range(1, 9):
            shown = guests[0].position()
            if shown["view"]["player"] is None:
                break
            mover = guests[shown["view"]["player"]]
            mover.done("play", at=shown["position"], number=0)
            page.wait_for_function(SHOWN, arg=actions, polling=20)
            assert page.evaluate(KEPT) == [True, True, *scrolled]
    finally:
        context.close()


# --- motion ------------------------------------------------------------------------------------------------------------


MOST_MILLISECONDS = 300
WATCHED = """() => {
    window.found = []
    const look = () => {
        found.push(...document.getAnimations().map(one => one.effect.getComputedTiming().duration))
        requestAnimationFrame(look)
    }
    look()
}"""


@pytest.mark.parametrize("is_reduced", [False, True])
def test_motion_shows_what_moved_in_a_third_of_a_second_and_can_be_off(browser, server, is_reduced):
    guests = server.create(game="uno", players=2, seats=["human"] * 2, seed=1)[:2]
    context = browser.new_context(reduced_motion="reduce" if is_reduced else "no-preference")
    page = context.new_page()
    try:
        page.goto(f"{server.host.origin}{guests[0].path}")
        page.wait_for_selector("#board .card")
        page.evaluate(WATCHED)
        for actions in range(1, 4):
            shown = guests[0].position()
            guests[shown["view"]["player"]].done("play", at=shown["position"], number=0)
            page.wait_for_function(f"() => document.getElementById('ply').textContent.startsWith('after {actions} ')")
            page.wait_for_timeout(100)
        found = page.evaluate("found")
        assert bool(found) is not is_reduced
        assert all(duration <= MOST_MILLISECONDS for duration in found)
    finally:
        context.close()


# --- accessibility -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{}, PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(
    "game", [pytest.param(g, marks=() if g in ("uno", "pandemic") else pytest.mark.slow) for g in game_names()]
)
def test_axe_finds_nothing(browser, server, game, theme, options):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    with seated(browser, server, game, color_scheme=theme, **options) as (guest, page):
        for _texts in own_turns(guest, page, 4):
            shown = guest.position()
            guest.done("play", at=shown["position"], number=0)
        page.wait_for_selector("#board .board")
        found = axe.Axe().run(page).response["violations"]
        assert [(one["id"], one["impact"], [node["html"] for node in one["nodes"]]) for one in found] == []
