"""Boards as HTML: every game is drawn for every viewer, and views of games cannot do harm."""

from __future__ import annotations

import json
import re
from functools import cache
from html import unescape
from html.parser import HTMLParser
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tag.catalogue.registry import game_class, game_names
from tag.engine.rng import Rng
from tag.table.game import EVERYTHING, Start, TableGame
from tag.table.view import view
from tag.tournaments.web.tables.board import board_html, hex_centres, piles, ring, rows, short_name, template_of

KUHN = str(Path(__file__).parents[4] / "examples" / "kuhn_poker.py") + ":KuhnPoker"
#: In so many positions of each game all viewers' boards are drawn; they lie so many actions apart.
POSITIONS = [pytest.param((4, 11), id="4"), pytest.param((20, 5), id="20", marks=pytest.mark.slow)]

SYMBOLS = re.findall(
    r'<symbol id="s-([a-z-]+)"',
    (Path(str(find_spec("tag.tournaments.web").origin)).parent / "templates/tables/symbols.svg").read_text(),
)

HEXAGONS = '''
"""Stones on hexagons: who puts the last one wins."""
from tag import Action, ForwardModel, GameState, GameType, interned
from tag.components import HexBoard, HexGrid

GRID = HexGrid.hexagon(1)

class Stones(GameState):
    def __init__(self, n_players):
        super().__init__(n_players)
        self.cells = [-1] * 7

    def copy(self):
        other = Stones(self.n_players)
        self.copy_to(other)
        other.cells = self.cells[:]
        return other

    def components(self):
        return [HexBoard("board", GRID, self.cells)]

class Put(Action):
    def __init__(self, place):
        self.place = place

    def execute(self, state, rng):
        state.cells[self.place] = state.current_player

    def __str__(self):
        q, r = GRID.coordinates[self.place]
        return f"put a stone on ({q}, {r})"

class Hexagons(ForwardModel):
    game_type = GameType("Hexagons", 2, 3, hidden_information=False, chance=False)

    def _setup(self, n_players, rng):
        return Stones(n_players)

    def _available_actions(self, state):
        return [interned(Put(place)) for place in range(7) if state.cells[place] < 0]

    def _after_action(self, state, action, rng):
        if -1 not in state.cells:
            state.end_with_winner(state.current_player)
        else:
            self.end_player_turn(state)
'''


class Board(HTMLParser):
    """The elements of a board; fails where they are not closed in order."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[dict[str, str | None]] = []
        self._open: list[str] = []
        self.feed(html)
        assert not self._open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_startendtag(tag, attrs)
        self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _value in attrs]
        assert len(names) == len(set(names))
        assert tag not in ("script", "style", "link", "iframe", "form")
        assert not any(name.startswith("on") or name == "src" for name in names)
        assert dict(attrs).get("href", f"#s-{SYMBOLS[0]}")[3:] in SYMBOLS
        self.elements.append({"": tag, **dict(attrs)})

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def having(self, name: str) -> list[dict[str, str | None]]:
        return [element for element in self.elements if name in element]

    def check(self, actions: list[dict[str, str]] | None) -> None:
        """What can be chosen is in available actions, has a label, and can be reached by keys; keys are unique."""
        texts = [action["text"] for action in actions or []]
        for element in self.having("data-pick") + self.having("data-action"):
            assert element["role"] == "button"
            assert element["tabindex"] == "0"
            assert element["aria-label"]
        for element in self.having("data-pick"):
            label = re.escape(str(element["data-pick"]))
            assert any(re.search(rf"(?<!\w){label}(?!\w)", text) for text in texts)
        for element in self.having("data-action"):
            assert 0 <= int(str(element["data-action"])) < len(texts)
        keys = [element["data-key"] for element in self.having("data-key")]
        assert len(keys) == len(set(keys))
        assert all(re.fullmatch(r"[^@]+@[^@]+#\d+", str(key)) for key in keys)
        assert all(element.get("aria-label") for element in self.elements if element.get("role") in ("img", "group"))


@cache
def positions(game: str, players: int, count: int = 4, apart: int = 11) -> list[TableGame]:
    """Positions of a random game, from its set-up on."""
    rng = Rng(7)
    found = [TableGame(Start(game, players, 3))]
    while len(found) < count:
        played = TableGame(found[0].start, found[-1].line)
        for _step in range(apart):
            if played.actions:
                played.play(int(rng.below(len(played.actions))))
        found.append(played)
    return found


def players_of(game: str) -> int:
    kind = game_class(game).game_type
    return int(min(kind.max_players, max(kind.min_players, 3)))


@pytest.mark.flow
@pytest.mark.parametrize("many", POSITIONS)
@pytest.mark.parametrize("game", game_names())
def test_every_viewer_of_every_game_has_a_board(game, many):
    template = template_of(game)
    for played in positions(game, players_of(game), *many):
        for viewer in range(EVERYTHING, played.start.players):
            seen = view(played, viewer)
            for source in {template, ""}:
                html = board_html(seen, source)
                assert "mistake" not in html
                Board(html).check(seen["actions"])


@pytest.mark.parametrize("many", POSITIONS)
@pytest.mark.parametrize("game", game_names())
def test_a_board_depends_on_the_viewers_knowledge_alone(game, many):
    if not game_class(game).game_type.hidden_information:
        pytest.skip("nothing is hidden")
    template = template_of(game)
    for played in positions(game, players_of(game), *many):
        true = played.state
        for viewer in range(played.start.players):
            if played.state.current_player == viewer:
                continue  # the actions of others are not shown: a twin may have others
            html = board_html(view(played, viewer), template)
            played._game.state = true.observation(viewer, Rng(99))
            assert board_html(view(played, viewer), template) == html
            played._game.state = true


def test_a_board_needs_only_what_json_has():
    for game in ("love_letter", "hex", "pandemic"):
        seen = view(positions(game, 2)[3], 0)
        assert board_html(json.loads(json.dumps(seen)), template_of(game)) == board_html(seen, template_of(game))


def test_a_users_game_needs_no_view():
    game = TableGame(Start(KUHN, 3))
    html = board_html(view(game, 0), template_of(KUHN))
    Board(html).check(view(game, 0)["actions"])
    assert '<details class="words" open>' in html  # there is nothing but words
    assert "cards 2 ? ?" in html


def test_a_users_hexagons_are_drawn_and_clicked(tmp_path):
    path = tmp_path / "hexagons.py"
    path.write_text(HEXAGONS)
    spec = f"{path}:Hexagons"
    game = TableGame(Start(spec, 2), [3])
    seen = view(game, 1)
    board = Board(board_html(seen, template_of(spec)))
    board.check(seen["actions"])
    assert len(board.having("data-pick")) == 6
    assert sum("hexagon" in str(element.get("aria-label")) for element in board.elements) == 1
    assert any(element.get("aria-label") == "(0, 0): player 0" for element in board.elements)


@pytest.mark.parametrize("viewer", [0, EVERYTHING])
def test_equal_cards_of_other_players_are_not_picked(viewer):
    game = TableGame(Start("sushi_go", 2, 3))
    for _seat in range(2):
        game.play(0)
    while game.state.current_player != 0:
        game.play(0)
    seen = view(game, viewer)
    mine, theirs = (set(find(seen, f"hand of {seat}")["items"]) for seat in range(2))
    assert mine & theirs
    found = Board(board_html(seen, template_of("sushi_go"))).having("data-pick")
    assert {str(element["data-pick"]) for element in found} >= mine
    places = {str(element.get("data-key")).partition("@")[2].partition("#")[0] for element in found}
    assert "hand of 0" in places
    assert not places & {"hand of 1", "table of 1"}


def test_a_card_of_another_player_is_picked_where_an_action_mentions_both():
    part = {"kind": "deck", "name": "hand of 1", "owner": 1, "count": 1, "items": ["Paris"]}
    seen = view(TableGame(Start("tic_tac_toe", 2)), 0) | {"components": [part]}
    for text, number in (("fly to Paris", 0), ("fly to player 1", 0), ("take Paris from player 1", 1)):
        board = Board(board_html(seen | {"actions": [{"text": text, "group": ""}]}))
        assert len([element for element in board.having("data-pick") if element["data-pick"] == "Paris"]) == number


@pytest.mark.parametrize("game", game_names())
def test_points_are_shown_once(game):
    for played in positions(game, players_of(game)):
        seen = view(played, EVERYTHING)
        html = board_html(seen, template_of(game)).partition("<details")[0]
        for number, player in enumerate(seen["players"]):
            part = find(seen, f"points of {number}")
            assert html.count(f"points of {number}: ") == (part is not None and part["value"] != player["score"])
        assert len(re.findall(r"\bscore -?\d", html)) == len(seen["players"])


# --- what views say of games ----------------------------------------------------------------------------------------


def played_until(game, players, is_found, seeds=range(40), most=200):
    """The first position of random games of which this is so."""
    for seed in seeds:
        rng, played = Rng(seed), TableGame(Start(game, players, seed))
        while played.actions and len(played.line) < most:
            played.play(int(rng.below(len(played.actions))))
            if is_found(played):
                return played
    pytest.fail("no such position")


def events_of(played):
    return view(played, EVERYTHING)["log"][-1]["events"]


def test_a_showdown_shows_the_cards_the_winner_and_the_chips():
    def is_showdown(played):
        shown = [event for event in events_of(played) if event["name"] == "revealed" and event["player"] >= 0]
        return len(shown) > 1 and any(event["name"] == "pot won" for event in events_of(played))

    played = played_until("poker", 3, is_showdown)
    html = board_html(view(played, 0), template_of("poker"))
    panel = html[html.index('class="showdown"') : html.index("</section>", html.index('class="showdown"'))]
    names = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
    for event in events_of(played):
        if event["name"] == "revealed":
            for card in event["items"]:
                assert f'aria-label="{card[:-1].replace("T", "10")} of {names[card[-1]]}"' in panel
        if event["name"] == "pot won":
            assert f"<li>{event['text']}</li>" in panel
    assert panel.count(" winner") >= 1


@pytest.mark.parametrize("game", ["hearts", "spades"])
def test_cards_that_can_be_passed_or_played_are_clicked_in_the_own_hand_only(game):
    played = played_until(game, 4, lambda one: len(one.line) > 20 and len(one.actions) > 2)
    choices = [(number, str(action)) for number, action in enumerate(played.actions)]
    for viewer in range(4):
        html = board_html(view(played, viewer), template_of(game)).partition("<details")[0]
        clicked = re.findall(r'aria-label="(\w+) of (\w)\w+" role="button" tabindex="0" data-action="(\d+)"', html)
        own = [(int(number), f"play {rank.replace('10', 'T')}{suit}") for rank, suit, number in clicked]
        assert sorted(own) == (choices if viewer == played.state.current_player else [])
    first = TableGame(Start("hearts", 4, 1))
    assert len(re.findall(r"data-action", board_html(view(first, 0), template_of("hearts")))) == 13


def test_side_pots_are_what_each_player_can_win():
    def has_side_pot(played):
        seen = view(played, EVERYTHING)
        put = [find(seen, f"chips put in by {seat}")["value"] for seat in range(3)]
        stacks = [find(seen, f"stack of {seat}")["value"] for seat in range(3)]
        cards = [find(seen, f"hand of {seat}") for seat in range(3)]
        ins = [seat for seat in range(3) if cards[seat] and cards[seat]["count"]]
        short = [put[seat] for seat in ins if stacks[seat] == 0 and put[seat]]
        return len(ins) == 3 and bool(short) and min(short) < sorted(put)[1]

    played = played_until("poker", 3, has_side_pot)
    seen = view(played, 0)
    html = board_html(seen, template_of("poker"))
    pots = re.findall(r"(side pot|pot) <b>(\d+)</b>", html)
    assert [name for name, _sum in pots][:2] == ["pot", "side pot"]
    put = [find(seen, f"chips put in by {seat}")["value"] for seat in range(3)]
    assert sum(int(chips) for _name, chips in pots) == sum(put)
    assert int(pots[0][1]) == sum(min(chips, *filter(None, put)) for chips in put)


@pytest.mark.parametrize("players", [2, 4])
def test_bandits_have_names_and_the_own_purses_their_values(players):
    played = played_until("colt_express", players, lambda one: any(e["name"] == "opened" for e in events_of(one)))
    opened = next(event for event in events_of(played) if event["name"] == "opened")
    html = board_html(view(played, opened["player"]), template_of("colt_express"))
    words = json.loads(unescape(re.search('data-words="([^"]*)"', html)[1]))
    assert words["car 0"] == "the caboose"
    bandits = [name for name in words if name.startswith("bandit ")]
    assert len(bandits) == 4
    assert {words[name] for name in bandits} <= {"Belle", "Cheyenne", "Django", "Doc", "Ghost", "Tuco"}
    own = html[html.index(f'class="player p{opened["player"]}') :]
    assert f'aria-label="purse ${opened["value"]:.0f}"' in own


def prompt_of(played, viewer):
    found = re.search('data-prompt="([^"]*)"', board_html(view(played, viewer), template_of(played.start.game)))
    return unescape(found[1]) if found else ""


@pytest.mark.parametrize(
    ("game", "players", "action", "prompt"),
    [
        ("exploding_kittens", 3, "Nope", r"player \d plays .+: play a Nope\?"),
        ("hearts", 3, "pass ", r"choose card [123] to pass to player \d"),
        ("catan", 3, "accept", r"player \d offers \d [a-z]+ for 1 [a-z]+: accept\?"),
        ("uno", 3, "challenge", r"player \d has played a wild draw four: accept, or challenge it"),
        ("resistance", 5, "approve", r"approve the team of (player \d(, | and )?){2,3}\?"),
        ("pandemic", 3, "pass", "play an event now, or pass"),
    ],
)
def test_the_player_to_move_is_asked_in_words_and_no_other(game, players, action, prompt):
    def is_such(played):
        return any(text.startswith(action) for text in texts_of(played))

    played = played_until(game, players, is_such, most=600)
    mover = int(played.state.current_player)
    assert re.fullmatch(prompt, prompt_of(played, mover))
    assert not prompt_of(played, (mover + 1) % players)


@pytest.mark.flow
def test_a_militia_asks_for_as_many_cards_as_are_too_many():
    def is_such(played):
        return "to decide: Militia" in view(played, EVERYTHING)["text"]

    played = played_until("dominion", 2, is_such)
    mover = int(played.state.current_player)
    assert prompt_of(played, mover) == "Militia: discard 2 more cards"
    played.play(0)
    assert prompt_of(played, mover) == "Militia: discard 1 more card"


def texts_of(played):
    mover = int(played.state.current_player)
    return [action["text"] for action in view(played, mover)["actions"] or []]


def test_the_dice_thrown_are_on_the_board():
    played = played_until("cant_stop", 2, lambda one: any(e["name"] == "rolled" for e in events_of(one)))
    html = board_html(view(played, 0), template_of("cant_stop"))
    (rolled,) = (event for event in events_of(played) if event["name"] == "rolled")
    assert html.count('data-key="die@') == 4
    throw = html[html.index('class="throw"') : html.index("</div>", html.index('class="throw"'))]
    assert throw.count("<circle") == sum(rolled["items"])


def find(seen, name):
    return next((part for part in seen["components"] if part["name"] == name), None)


def test_a_view_stands_beside_its_game(tmp_path):
    path = tmp_path / "hexagons.py"
    path.write_text(HEXAGONS)
    assert template_of(f"{path}:Hexagons") == ""
    (tmp_path / "hexagons.jinja").write_text("my own {{ view.ply }}")
    spec = f"{path}:Hexagons"
    assert board_html(view(TableGame(Start(spec, 2), [0]), 0), template_of(spec)) == "my own 1"
    assert "discs" in template_of("connect_four:width=8")
    assert "Love Letter" in template_of("love_letter")
    assert template_of("tic_tac_toe") == ""


ENDLESS = "{% for a in range(9999) %}{% for b in range(9999) %}{% endfor %}{% endfor %}"


@pytest.mark.parametrize(
    ("template", "words"),
    [
        ("a\n{% for %}", "line 2"),
        ("{{ nothing_such }}", "line 1"),
        ("a\nb\n{{ 1 // 0 }}", "line 3"),
        ("{{ view.__class__.__mro__ }}", "__class__"),
        ("{{ component.__globals__ }}", "__globals__"),
        ("{{ ''.join.__self__ }}", "__self__"),
        ("{% include '/etc/passwd' %}", "passwd"),
        ("{% include '../board.py' %}", "board.py"),
        (ENDLESS, "100,000 steps"),
        ('{% extends "board.jinja" %}' + ENDLESS, "100,000 steps"),
        ("{% macro again() %}{{ again() }}{% endmacro %}{{ again() }}", "recursion"),
        ("{% macro x(n) %}{% if n %}{{ x(n - 1) }}{{ x(n - 1) }}{% endif %}{% endmacro %}{{ x(40) }}", "100,000 steps"),
        ("{{ 'x' * 1000000000 }}", "numbers only"),
        ("{{ 9 ** 999999999 }}", "multiplies"),
        ("{% for a in range(2000) %}{{ 'x'|center(1000) }}{% endfor %}", "1,000,000 characters"),
        ("{{ range(999999999)|length }}", "Range"),
        ("{% set _ = view.pop('log') %}{{ view.update({}) }}", "unsafe"),
    ],
)
def test_mistakes_of_a_view_are_told_in_a_sentence(template, words):
    seen = view(positions("tic_tac_toe", 2)[1], 0)
    before = json.dumps(seen)
    html = board_html(seen, template)
    sentence = re.search('<p class="mistake" role="alert">(.*)</p>', html)
    assert sentence is not None
    assert words in sentence[1]
    assert 'aria-label="grid, 3 by 3"' in html
    assert json.dumps(seen) == before


def test_texts_of_games_are_escaped():
    seen: dict[str, Any] = view(positions("tic_tac_toe", 2)[1], 0)
    seen["text"] = "<script>alert(1)</script>"
    seen["components"] = [{"kind": "thing", "name": '"><b>', "owner": -1, "text": "<i>"}]
    Board(board_html(seen))
    assert "<script>" not in board_html(seen)


def test_layouts():
    assert hex_centres([[0, 0], [1, 0], [0, 1]]) == [(0.0, 0.0), (1.732, 0.0), (0.866, 1.5)]
    assert ring(4) == [(0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)]
    assert len(set(rows(60))) == 60
    assert piles(["a", "b", "a"]) == [("a", 2), ("b", 1)]
    names = ["hand of 1", "figures of unit 12", "chips put in by 1", "spot of bandit 1", "square in 3 of 1", "deck"]
    owned = [{"name": name, "owner": 1} for name in names]
    assert [short_name(one) for one in owned] == [
        "hand",
        "figures of unit 12",
        "chips put in",
        "spot",
        "square in 3",
        "deck",
    ]
