"""Positions that are set up by hand: those of random games, by their cells, are the same positions."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tag import ParameterError, Rng, make_game
from tag.catalogue.registry import game_class, game_names
from tag.components import GridBoard, HexBoard
from tag.engine.parameters import Spec
from tag.engine.snapshot import field_values
from tag.playing.decorators import PositionForwardModel

pytestmark = pytest.mark.flow

#: Games whose positions can be set up.
BOARDS = ["connect_four", "dots_and_boxes", "hex", "nim", "othello", "sim", "tic_tac_toe", "twenty_forty_eight"]
#: Fields that cells do not hold: how long the game has lasted, and the score of 2048.
_NOT_IN_CELLS = {"tick", "turn", "round", "history"}
_NOT_IN_CELLS_OF = {"twenty_forty_eight": {"points"}}


def positions_of(game, seed):
    """Yield the rules and positions of a random game with random parameters; of late ones some, and no final one."""
    rng = Rng(seed)
    kind = game_class(game).game_type
    model = make_game(Spec(game, dict(kind.parameters.sample(rng).changes())))
    n_players = kind.min_players + rng.below(kind.max_players - kind.min_players + 1)
    state = model.setup(n_players, rng)
    while not state.is_terminal:
        if state.tick < 30 or rng.below(10) == 0:
            yield model, state
        model.next(state, model.random_action(state, rng), rng)


@pytest.mark.parametrize("game", BOARDS)
@pytest.mark.parametrize("seed", range(5))
def test_positions_of_random_games_are_the_same_when_set_up_by_hand(game, seed):
    for model, state in positions_of(game, seed):
        found = model.position(state.n_players, state.cell_values(), state.current_player)
        left_out = _NOT_IN_CELLS | _NOT_IN_CELLS_OF.get(game, set())
        mine, theirs = field_values(found), field_values(state)
        assert {name: mine[name] for name in theirs if name not in left_out} == {
            name: value for name, value in theirs.items() if name not in left_out
        }
        assert model.available_actions(found) == model.available_actions(state)
        assert found.cell_values() == state.cell_values()


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("game", ["connect_four", "hex", "othello", "tic_tac_toe", "twenty_forty_eight"])
def test_cells_lie_in_rows_as_on_the_board(game, seed):
    for model, state in positions_of(game, seed):
        (board,) = [one for one in state.components() if isinstance(one, GridBoard | HexBoard)]
        rows, values = model.cells(state.n_players).rows, state.cell_values()
        seen = {}
        for place, cell in enumerate(cell for row in rows for cell in row):
            seen.setdefault(board.item_text(place, -1), set()).add(values[cell])
        held = [value for found in seen.values() for value in found]
        assert len(held) == len(set(held)), "a value of a cell is another thing at another place"
        assert len(rows) in (getattr(board, "height", len(rows)), len(values) ** 0.5)


@pytest.mark.parametrize("game", BOARDS)
def test_final_positions_are_refused(game):
    refused = 0
    for seed in range(10):
        *_others, (model, state) = positions_of(game, seed)
        while not state.is_terminal:
            model.next(state, model.random_action(state, Rng(seed)), Rng(seed))
        with pytest.raises(ParameterError):
            model.position(state.n_players, state.cell_values(), state.current_player)
        refused += 1
    assert refused == 10


@pytest.mark.parametrize("game", BOARDS)
@settings(derandomize=True, deadline=None, max_examples=60)
@given(data=st.data())
def test_any_cells_are_a_game_that_ends_or_are_refused(game, data):
    spec = {"dots_and_boxes": "dots_and_boxes:width=2,height=2", "hex": "hex:size=3", "othello": "othello:size=4"}
    model = make_game(spec.get(game, game))
    n_players = model.game_type.min_players
    declared = model.cells(n_players)
    values = data.draw(st.lists(st.integers(0, declared.n_values), min_size=1, max_size=declared.number + 1))
    cells = bytes((values * declared.number)[: declared.number + (len(values) > declared.number)])
    player = data.draw(st.integers(-1, n_players))
    rng = Rng(1)
    try:
        placed = PositionForwardModel(model, cells, player)
        state = placed.setup(n_players, rng)
    except ParameterError:
        return
    assert state.current_player == player
    assert placed.copy().setup(n_players, rng).snapshot() == state.snapshot()
    for _action in range(3000):
        if state.is_terminal:
            break
        placed.next(state, placed.random_action(state, rng), rng)
    assert state.is_terminal


@pytest.mark.parametrize("game", [name for name in game_names() if name not in BOARDS])
def test_other_games_say_that_they_cannot(game):
    model = make_game(game)
    n_players = model.game_type.min_players
    declared = model.cells(n_players)
    with pytest.raises(ParameterError, match="cannot be set up by hand"):
        model.position(n_players, bytes(0 if declared is None else declared.number), 0)


@pytest.mark.parametrize(
    ("game", "cells", "player", "sentence"),
    [
        ("tic_tac_toe", [1] * 8, 0, "has 9 cells here, not 8"),
        ("tic_tac_toe", [3] * 9, 0, "cannot be 3; it is 0 to 2"),
        ("tic_tac_toe", [0] * 9, 2, "player 2 cannot be to move; the players are 0 to 1"),
        ("tic_tac_toe", [1, 1, 1, 2, 2, 0, 0, 0, 0], 1, "would be over"),
        ("connect_four", [0, 1, *[0] * 40], 1, "column a, row 2 from below, hangs in the air"),
        ("othello:size=4", [1] * 15 + [0], 1, "would be over"),
        ("nim", [0, 0, 0], 0, "would be over"),
        ("nim", [6, 0, 0], 0, "cannot be 6; it is 0 to 5"),
        ("dots_and_boxes:width=1,height=1", [1, 1, 1, 1, 2], 0, "box 0 cannot have an owner"),
        ("dots_and_boxes:width=1,height=1", [0, 0, 0, 0, 0], 0, "box 0 cannot have no owner"),
        ("sim:nodes=5", [1, 1, 0, 0, 1, 0, 0, 0, 0, 0], 0, "would be over"),
    ],
)
def test_impossible_positions_are_refused_in_a_sentence(game, cells, player, sentence):
    model = make_game(game)
    with pytest.raises(ParameterError) as refused:
        model.position(2, bytes(cells), player)
    assert sentence in str(refused.value)


def test_a_player_of_sim_with_a_triangle_is_out():
    model = make_game("sim:nodes=5")
    cells = bytes([1, 1, 0, 0, 1, 0, 0, 0, 0, 0])
    state = model.position(3, cells, 1)
    assert state.result(0) < 0
    with pytest.raises(ParameterError, match="player 0 cannot be to move"):
        model.position(3, cells, 0)
