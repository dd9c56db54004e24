"""Othello: perft counts, a naive implementation, passing and ending, the value of 4 by 4, symmetries, the heuristic."""

import pytest
from play.symmetric_play import assert_symmetric
from play.telling import told
from play.valuing import features_of

from tag.engine.results import DRAW, LOSE, WIN
from tag.engine.rng import Rng
from tag.engine.state import DO_NOTHING
from tag.errors import ParameterError
from tag.games.abstract.othello import (
    Othello,
    OthelloHeuristic,
    OthelloHeuristicParameters,
    OthelloParameters,
    OthelloState,
    moves_of,
)

RNG = Rng(0)
DIRECTIONS = [(right, down) for right in (-1, 0, 1) for down in (-1, 0, 1) if right or down]


class Naive:
    """The rules written as plainly as can be: squares in a dict, and lines followed step by step."""

    def __init__(self, size):
        half = size // 2
        self.size = size
        self.discs = {(half, half - 1): 0, (half - 1, half): 0, (half - 1, half - 1): 1, (half, half): 1}
        self.turn = 0

    def enclosed(self, square, player):
        found = []
        for right, down in DIRECTIONS:
            line, (x, y) = [], square
            while True:
                x, y = x + right, y + down
                if self.discs.get((x, y)) != 1 - player:
                    break
                line.append((x, y))
            if self.discs.get((x, y)) == player:
                found += line
        return found

    def moves(self, player):
        squares = [(x, y) for y in range(self.size) for x in range(self.size)]
        return [square for square in squares if square not in self.discs and self.enclosed(square, player)]

    def play(self, square):
        if square is not None:
            for turned in [*self.enclosed(square, self.turn), square]:
                self.discs[turned] = self.turn
        self.turn = 1 - self.turn

    def cell_values(self):
        return bytes(self.discs.get((x, y), -1) + 1 for y in range(self.size) for x in range(self.size))


def game(size=8):
    model = Othello(OthelloParameters(size=size))
    return model, model.setup(2, RNG)


def position(rows, player):
    """Return the position drawn in ``rows``, with ``player`` to move."""
    size = len(rows)
    letters = "".join(rows)
    first, second = [
        sum(-(2**63) if cell == 63 else 2**cell for cell, letter in enumerate(letters) if letter == disc)
        for disc in "XO"
    ]
    own, other = (first, second) if player == 0 else (second, first)
    state = OthelloState(2, size, first, second, moves_of(own, other, size))
    state.current_player = state.turn_player = player
    return Othello(OthelloParameters(size=size)), state


def perft(model, state, depth):
    """Count the paths of ``depth`` actions."""
    actions = model.available_actions(state)
    if depth == 1:
        return len(actions)
    total = 0
    for action in actions:
        after = state.copy()
        model.next(after, action, RNG)
        total += perft(model, after, depth - 1)
    return total


@pytest.mark.parametrize(("depth", "paths"), [(1, 4), (2, 12), (3, 56), (4, 244), (5, 1_396), (6, 8_200), (7, 55_092)])
def test_perft(depth, paths):
    assert perft(*game(), depth) == paths


@pytest.mark.slow
def test_deep_perft():
    assert perft(*game(), 8) == 390_216


@pytest.mark.parametrize("size", [4, 6, 8])
def test_random_games_are_those_of_a_naive_implementation(size):
    rng = Rng(3)
    model, _start = game(size)
    passes = 0
    for _game in range(8):
        state, naive = model.setup(2, rng), Naive(size)
        while not state.is_terminal:
            assert state.current_player == naive.turn
            squares = {(int(place.cell % size), int(place.cell // size)): place for place in model.places}
            moves = naive.moves(naive.turn)
            expected = [squares[square] for square in moves] or [DO_NOTHING]
            assert model.available_actions(state) == expected
            chosen = rng.below(len(expected))
            passes += not moves
            model.next(state, expected[chosen], rng)
            naive.play(moves[chosen] if moves else None)
            assert state.cell_values() == naive.cell_values()
        assert not naive.moves(0)
        assert not naive.moves(1)
        lead = state.score(0) - state.score(1)
        assert state.results == ((DRAW, DRAW) if lead == 0 else (WIN, LOSE) if lead > 0 else (LOSE, WIN))
    assert passes


def test_pass_is_offered_only_without_a_move_and_gives_the_turn_away():
    model, state = position(["XO..", "....", "....", "XO.."], 1)
    assert model.available_actions(state) == [DO_NOTHING]
    model.next(state, DO_NOTHING, RNG)
    assert state.current_player == 0
    assert [str(action) for action in model.available_actions(state)] == ["c1", "c4"]


def test_game_ends_before_the_board_is_full_if_neither_can_move():
    model, state = position(["XO..", "....", "....", "...."], 0)
    model.next(state, model.available_actions(state)[0], RNG)
    assert state.results == (WIN, LOSE)
    assert (state.score(0), state.score(1)) == (3.0, 0.0)


def test_equal_discs_are_a_draw():
    model, state = position([".OXO", "XXOO", "XXOO", "XOOO"], 0)
    model.next(state, model.places[0], RNG)
    assert state.score(0) == state.score(1) == 8.0
    assert state.results == (DRAW, DRAW)


def test_disc_in_the_last_corner_turns_lines_of_all_directions():
    rows = ["X......X", ".O.....O", "..O....O", "...O...O", "....O..O", ".....O.O", "......OO", "XOOOOOO."]
    model, state = position(rows, 0)
    corner = model.places[63]
    assert corner in model.available_actions(state)
    model.next(state, corner, RNG)
    assert state.score(0) == 22.0
    assert state.is_terminal


def value(model, state, known):
    """Return by how many discs player 0 wins if both play best."""
    if state.is_terminal:
        return state.score(0) - state.score(1)
    key = state.knowledge(0)
    if key not in known:
        values = []
        for action in model.available_actions(state):
            after = state.copy()
            model.next(after, action, RNG)
            values.append(value(model, after, known))
        known[key] = max(values) if state.current_player == 0 else min(values)
    return known[key]


@pytest.mark.slow
def test_second_player_wins_4_by_4_by_eight():
    assert value(*game(4), {}) == -8


def reflected(state, symmetry):
    """Return the position with its cells moved by ``symmetry``."""
    letters = ["."] * len(symmetry)
    for cell, disc in enumerate(state.cell_values()):
        letters[symmetry[cell]] = ".XO"[disc]
    size = int(state.size)
    _model, image = position(["".join(letters[at : at + size]) for at in range(0, len(letters), size)], 0)
    return image


@pytest.mark.parametrize("size", [4, 8])
def test_symmetries(size):
    assert_symmetric(game(size)[0], image=reflected)


def test_tuples_are_those_of_the_source():
    tuples = game()[0].cells(2).tuples
    assert {name: len(chosen) * 3 ** len(chosen[0]) for name, chosen in tuples.items()} == {
        "straight_2": 288,
        "straight_3": 648,
    }


def test_heuristic_weighs_corners_squares_beside_them_mobility_and_discs():
    _model, state = position(["XOX.", ".OX.", "....", "...."], 0)
    only = {name: 0.0 for name in ("corners", "near_corners", "beside_corners", "mobility", "discs")}
    values = {
        name: OthelloHeuristic(OthelloHeuristicParameters(**{**only, name: 1.0})).value(state, 0) for name in only
    }
    moves = [len(naive_copy(state).moves(player)) for player in (0, 1)]
    assert values == {
        "corners": 0.25,
        "near_corners": 0.25,
        "beside_corners": 0.125,  # b1 is beside a corner that is taken
        "mobility": (moves[0] - moves[1]) / sum(moves),
        "discs": 0.0625,
    }


def naive_copy(state):
    naive = Naive(int(state.size))
    size = naive.size
    naive.discs = {(at % size, at // size): disc - 1 for at, disc in enumerate(state.cell_values()) if disc}
    return naive


def test_drawing_features_and_component():
    model, state = game()
    model.next(state, model.places[19], RNG)
    assert str(state).splitlines()[3:6] == ["3 . . . X . . . .", "4 . . . X X . . .", "5 . . . X O . . ."]
    assert str(model.places[19]) == "d3"
    assert features_of(state, 0)["cell_19"] == 1.0
    assert features_of(state, 1)["cell_19"] == -1.0
    (board,) = state.components()
    assert board.cells.count(0) == 4


def test_size_out_of_range_is_refused():
    with pytest.raises(ParameterError, match="10"):
        OthelloParameters(size=10)


def test_told_which_discs_are_turned_over_and_why_the_game_ends():
    model, state = game(4)
    assert told(model, state, "b1") == ["player 0 turns over b2"]
    model, state = position([".OXO", "XXOO", "XXOO", "XOOO"], 0)
    end = ["player 0 turns over b1", "neither player can enclose a disc, the discs are 8 to 8"]
    assert told(model, state, "a1") == end
