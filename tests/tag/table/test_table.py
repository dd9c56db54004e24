"""Games at a table: lines, trees of positions, saved games, and views that depend on nothing hidden."""

from __future__ import annotations

import json

import pytest

from tag import Rng
from tag.catalogue.registry import game_class, game_names
from tag.components import VISIBLE_TO_OWNER, PartiallyObservableDeck
from tag.engine.snapshot import state_hash
from tag.errors import DataError, ParameterError
from tag.orders import GameOrder, play_order
from tag.table.game import Adviser, Start, TableGame, cells_of
from tag.table.tree import GameTree, SavedGame
from tag.table.view import component_view, view

HIDDEN = [name for name in game_names() if game_class(name).game_type.hidden_information]


def start_of(game, seed=1):
    kind = game_class(game).game_type
    return Start(game, max(kind.min_players, min(3, kind.max_players)), seed)


def play_on(game, rng, actions):
    for _action in range(actions):
        if game.actions:
            game.play(rng.below(len(game.actions)))


# --- views ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", HIDDEN)
def test_a_view_depends_on_nothing_that_the_viewer_cannot_know(name):
    pairs = 0
    for seed in range(2):
        game, rng = TableGame(start_of(name, seed)), Rng(seed)
        while game.actions and len(game.line) < (120 if pairs > 5 else 400):
            for viewer in range(game.start.players):
                true = game.state
                shown = json.dumps(view(game, viewer))
                game._game.state = true.observation(viewer, Rng(100 * seed + len(game.line)))
                pairs += state_hash(game.state) != state_hash(true)
                assert json.dumps(view(game, viewer)) == shown
                game._game.state = true
            play_on(game, rng, 5)
    assert pairs > 5  # in some the deal differed


@pytest.mark.parametrize("name", game_names())
def test_actions_are_shown_to_the_player_to_move_only_and_hashes_to_one_who_sees_everything(name):
    game = TableGame(start_of(name))
    play_on(game, Rng(2), 6)
    for viewer in (-1, *range(game.start.players)):
        shown = view(game, viewer)
        knows = bool(game.actions) and viewer in (-1, game.state.current_player)
        assert (shown["actions"] is not None) == knows
        assert ("hash" in shown) == (viewer == -1)
        assert [row["text"] for row in shown["log"]] == [taken.texts[viewer] for taken in game.taken]
        if knows:
            assert len(shown["actions"]) == len(game.actions)


def test_hidden_cards_have_no_names_and_a_hidden_deck_only_its_size():
    game = TableGame(Start("love_letter", 3, 4))
    parts = {part["name"]: part for part in view(game, 1)["components"]}
    assert parts["deck"]["items"] is None
    assert parts["deck"]["count"] > 5
    assert None not in parts["hand of 1"]["items"]
    assert parts["hand of 0"]["items"] is None
    everything = {part["name"]: part for part in view(game, -1)["components"]}
    assert None not in everything["deck"]["items"] + everything["hand of 0"]["items"]


def test_known_cards_of_a_hand_come_before_hidden_ones_wherever_these_lie():
    def seen(*cards):
        hand = PartiallyObservableDeck("hand", list(cards), 2, 0, VISIBLE_TO_OWNER)
        hand.show_items(["king"], 1)
        return [component_view(hand, viewer)["items"] for viewer in range(2)]

    assert seen("ace", "king", "two") == [["ace", "king", "two"], ["king", None, None]]
    assert seen("king", "ten", "two")[1] == seen("ace", "king", "two")[1]


def test_boards_name_their_places():
    found = view(TableGame(Start("connect_four", 2)), 0)["components"][0]
    assert (found["kind"], found["width"], found["height"]) == ("grid", 7, 6)
    assert len(found["items"]) == len(found["places"]) == 42 == len(set(found["places"]))
    hexes = view(TableGame(Start("hex", 2)), 0)["components"][0]
    assert hexes["kind"] == "hexes"
    assert len(hexes["coordinates"]) == len(hexes["items"]) == 121
    (lines,) = [part for part in view(TableGame(Start("sim", 2)), 0)["components"] if part["kind"] == "graph"]
    assert len(lines["places"]) == 15


@pytest.mark.parametrize("name", game_names())
def test_every_component_of_every_game_has_a_view(name):
    game = TableGame(start_of(name))
    play_on(game, Rng(3), 10)
    for component in game.state.components():
        found = component_view(component, 0)
        assert found["kind"] != "thing", found
        assert json.loads(json.dumps(found)) == found


# --- lines and trees --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", game_names())
def test_going_back_and_forth_leads_to_the_same_positions(name):
    game, rng = TableGame(start_of(name)), Rng(5)
    hashes = [state_hash(game.state)]
    while game.actions and len(game.line) < 60:
        play_on(game, rng, 1)
        hashes.append(state_hash(game.state))
    line = game.line
    for ply in (len(line), len(line) // 2, 0, len(line) // 3, len(line)):
        game.go(line[:ply])
        assert state_hash(game.state) == hashes[ply]
        assert len(game.taken) == ply


def test_actions_that_are_not_there_are_refused_and_change_nothing():
    game = TableGame(Start("tic_tac_toe", 2), (4, 0))
    for number in (-1, 7):
        with pytest.raises(ParameterError, match=f"action 3 cannot be number {number}; there are 0 to 6"):
            game.play(number)
    assert game.line == (4, 0)
    game.go((4, 0, 0, 0, 0, 0, 0, 0, 0)[: len(game.line) + 7])
    while game.actions:
        game.play(0)
    with pytest.raises(ParameterError, match="the game is over after"):
        game.play(0)


def test_a_tree_keeps_branches_and_redo_follows_the_last_one():
    tree = GameTree()
    first = tree.play(0, 3)
    second = tree.play(first, 1)
    other = tree.play(first, 2)
    assert tree.children(first) == [second, other]
    assert tree.play(first, 1) == second
    assert tree.redo(first) == second
    assert tree.redo(second) == second
    assert tree.undo(second) == first
    assert tree.undo(0) == 0
    assert tree.line(other) == (3, 2)
    assert tree.path(other) == [0, first, other]


# --- saved games --------------------------------------------------------------------------------


def test_a_saved_game_comes_back_with_its_branches(tmp_path):
    saved = SavedGame(Start("connect_four:width=5", 2, 9), ("human", "mcts:budget=50"))
    saved.position = saved.tree.play(saved.tree.play(0, 2), 3)
    saved.tree.play(0, 1)
    saved.save(tmp_path / "game.json")
    again = SavedGame.load(tmp_path / "game.json")
    assert again.to_json() == saved.to_json()
    assert again.line == (2, 3)
    assert TableGame(again.start, again.line).line == (2, 3)


def test_redo_in_a_saved_game_leads_to_where_it_was_saved():
    """Not to a branch that was visited before, and has a higher number."""
    saved = SavedGame(Start("tic_tac_toe", 2), ("human", "random"))
    saved.position = saved.tree.play(0, 4)
    saved.tree.play(0, 1)
    saved.tree.play(0, 4)
    assert saved.tree.redo(0) == saved.position
    assert SavedGame.from_json(saved.to_json()).tree.redo(0) == saved.position


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"tag_game": 2}, '"tag_game": 1'),
        ({"players": 0}, "players of a saved game is a number from 1 to 100, not 0"),
        ({"players": True}, "not True"),
        ({"seed": -1}, "seed of a saved game"),
        ({"seats": ["random"]}, "has 2 seats, not 1"),
        ({"seats": [1, 2]}, "a list of texts"),
        ({"game": None}, "not None"),
        ({"parents": [0, 5]}, "position 2 of a saved game cannot follow position 5"),
        ({"parents": [0, 0], "choices": [1, 1]}, "position 2 of a saved game cannot follow position 0 by action 1"),
        ({"parents": [0, -1]}, "cannot follow position -1"),
        ({"parents": [0]}, "as many parents as choices"),
        ({"choices": [0, "1"]}, "whole numbers"),
        ({"choices": [0, True]}, "whole numbers"),
        ({"position": 3}, "position of a saved game is a number from 0 to 2, not 3"),
    ],
)
def test_damaged_saved_games_are_refused_in_a_sentence(change, sentence):
    saved = SavedGame(Start("tic_tac_toe", 2), ("random", "random"), GameTree.of_line((4, 0)), 2)
    with pytest.raises(DataError) as refused:
        SavedGame.from_json({**saved.to_json(), **change})
    assert sentence in str(refused.value)


@pytest.mark.parametrize("text", ["", "[]", "nul", "[" * 100_000, '{"tag_game": 1}', "\ud800"])
def test_files_that_are_no_saved_games_are_refused(tmp_path, text):
    (tmp_path / "x.json").write_bytes(text.encode("utf-8", "surrogatepass"))
    with pytest.raises(DataError, match=r"x\.json"):
        SavedGame.load(tmp_path / "x.json")


# --- agents in one seat ---------------------------------------------------------------------------------------------------


def test_an_agent_of_one_seat_decides_as_in_a_game_and_only_there():
    seats = ("mcts:budget=60", "osla")
    game = TableGame(Start("connect_four", 2, 5))
    advisers = [Adviser(game.start, spec, seat=seat) for seat, spec in enumerate(seats)]
    while game.actions:
        adviser = advisers[game.state.current_player]
        assert adviser.goes_on_to(game.line)
        game.play(adviser.choice(game.line))
        assert not adviser.has_decided(game.line)
    record = play_order(GameOrder("x", "connect_four", seats, 5))
    assert state_hash(game.state) == record.state_hash
    assert not advisers[0].goes_on_to((0,))


def test_a_log_does_not_say_what_others_could_have_done():
    game, rng = TableGame(Start("uno", 2, 4)), Rng(1)
    while game.actions and len(game.line) < 60:
        play_on(game, rng, 1)
    assert any(taken.is_forced for taken in game.taken)
    for viewer in (-1, 0, 1):
        for shown, taken in zip(view(game, viewer)["log"], game.taken, strict=True):
            assert shown["is_forced"] == (taken.is_forced and viewer in (-1, taken.player))


# --- positions set up by hand -------------------------------------------------------------------------------------------


def test_a_game_begins_in_a_position_that_was_set_up_by_hand_and_is_saved_with_it():
    start = Start("tic_tac_toe", 2, 1, (2, 1, 0, 0, 1, 0, 0, 0, 1), 1)
    game = TableGame(start)
    assert game.state.text(-1) == "O X .\n. X .\n. . X"
    assert game.state.current_player == 1
    game.play(0)
    game.go(())
    assert game.state.text(-1) == "O X .\n. X .\n. . X"
    saved = SavedGame(start, ("human", "random"))
    assert SavedGame.from_json(saved.to_json()).start == start
    adviser = Adviser(start, "mcts:budget=200")
    while game.actions:  # O has to block at b3, as X wins there at once
        game.play(adviser.choice(game.line))
    assert game.taken[0].texts[-1] == "b3"


def test_positions_that_are_not_there_are_refused():
    with pytest.raises(ParameterError, match="cannot be set up by hand"):
        TableGame(Start("love_letter", 2, 1, (1, 2)))
    with pytest.raises(ParameterError, match="hold 0 to 255"):
        TableGame(Start("tic_tac_toe", 2, 1, (-1,) * 9))


@pytest.mark.parametrize("text", ["1 2 x,", "12-", "1,b", "ä", ",,"])
def test_cells_that_are_no_values_are_refused(text):
    with pytest.raises(ParameterError, match="a cell cannot be"):
        cells_of(text)


# --- observations -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", HIDDEN)
def test_an_observation_follows_from_what_the_player_knows_and_the_random_numbers(name):
    """Not only its distribution: an agent asked at a table would betray the true deal by its figures otherwise."""
    pairs = 0
    for seed in range(2):
        game, rng = TableGame(start_of(name, seed)), Rng(seed)
        while game.actions and len(game.line) < (100 if pairs > 5 else 400):
            for viewer in range(game.start.players):
                other = game.state.observation(viewer, Rng(1000 + len(game.line)))
                pairs += state_hash(other) != state_hash(game.state)
                again = other.observation(viewer, Rng(7)).snapshot()
                assert again == game.state.observation(viewer, Rng(7)).snapshot()
            play_on(game, rng, 5)
    assert pairs > 5
