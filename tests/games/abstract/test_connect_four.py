"""Connect Four: perft counts and every line against a naive implementation, sizes, and the heuristic."""

import pytest
from play.symmetric_play import assert_symmetric
from play.telling import told
from play.valuing import features_of, heuristic_of

from tag.engine.results import DRAW, LOSE, WIN
from tag.engine.rng import Rng
from tag.errors import ParameterError
from tag.games.abstract.connect_four import ConnectFour, ConnectFourParameters, Drop

RNG = Rng(0)


class Naive:
    """The rules written as plainly as can be: columns are lists of players, and a line is sought from each disc."""

    def __init__(self, width, height, length, moves=()):
        self.width, self.height, self.length = width, height, length
        self.columns = [[] for _column in range(width)]
        self.turn = 0
        for column in moves:
            self.drop(column)

    def drop(self, column):
        self.columns[column].append(self.turn)
        self.turn = 1 - self.turn

    def at(self, x, y):
        inside = 0 <= x < self.width and 0 <= y < len(self.columns[x])
        return self.columns[x][y] if inside else None

    def winner(self):
        for x in range(self.width):
            for y, player in enumerate(self.columns[x]):
                for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
                    if all(self.at(x + k * dx, y + k * dy) == player for k in range(self.length)):
                        return player
        return None

    def moves(self):
        if self.winner() is not None:
            return []
        return [x for x in range(self.width) if len(self.columns[x]) < self.height]

    def perft(self, depth):
        if depth == 0:
            return 1
        total = 0
        for column in self.moves():
            self.drop(column)
            total += self.perft(depth - 1)
            self.columns[column].pop()
            self.turn = 1 - self.turn
        return total


def game(width=7, height=6, length=4):
    model = ConnectFour(ConnectFourParameters(width=width, height=height, length=length))
    return model, model.setup(2, RNG)


def played(moves, width=7, height=6, length=4):
    model, state = game(width, height, length)
    for column in moves:
        model.next(state, model.drops[column], RNG)
    return state


def perft(model, state, depth):
    """Count the paths of ``depth`` drops; a game that has ended goes no further."""
    actions = model.available_actions(state)
    if depth <= 1:
        return len(actions) if depth else 1
    total = 0
    for drop in actions:
        after = state.copy()
        model.next(after, drop, RNG)
        total += perft(model, after, depth - 1)
    return total


@pytest.mark.parametrize(
    ("depth", "paths"), [(0, 1), (1, 7), (2, 49), (3, 343), (4, 2_401), (5, 16_807), (6, 117_649), (7, 823_536)]
)
def test_perft(depth, paths):
    assert perft(*game(), depth) == paths


@pytest.mark.parametrize(
    ("size", "depth"),
    [((7, 6, 4), 4), ((4, 4, 3), 7), ((3, 3, 3), 9), ((3, 3, 2), 6), ((5, 2, 3), 6), ((2, 5, 3), 10), ((2, 2, 2), 4)],
)
def test_perft_of_a_naive_implementation(size, depth):
    model, state = game(*size)
    for plies in range(depth + 1):
        assert perft(model, state, plies) == Naive(*size).perft(plies)


@pytest.mark.parametrize(
    "size", [(7, 6, 4), (8, 8, 4), (9, 7, 5), (20, 20, 5), (12, 3, 4), (3, 12, 4), (6, 6, 2), (10, 10, 7), (10, 20, 10)]
)
def test_random_games_end_like_those_of_a_naive_implementation(size):
    rng = Rng(11)
    model, _state = game(*size)
    for _game in range(4):
        state = model.setup(2, rng)
        naive = Naive(*size)
        while not state.is_terminal:
            actions = model.available_actions(state)
            assert [int(drop.column) for drop in actions] == naive.moves()
            drop = rng.choice(actions)
            model.next(state, drop, rng)
            naive.drop(drop.column)
        winner = naive.winner()
        assert naive.moves() == []
        assert state.results == (
            (DRAW, DRAW) if winner is None else tuple(WIN if p == winner else LOSE for p in (0, 1))
        )


def test_row_of_four_wins():
    assert played([0, 0, 1, 1, 2, 2, 3]).results == (WIN, LOSE)


def test_column_of_four_wins():
    assert played([0, 1, 0, 1, 0, 1, 0]).results == (WIN, LOSE)


def test_rising_diagonal_wins():
    assert played([0, 1, 1, 2, 2, 3, 2, 3, 3, 6, 3]).results == (WIN, LOSE)


def test_falling_diagonal_wins():
    assert played([6, 5, 5, 4, 4, 3, 4, 3, 3, 0, 3]).results == (WIN, LOSE)


def test_second_player_wins_too():
    assert played([0, 1, 0, 1, 0, 1, 6, 1]).results == (LOSE, WIN)


def test_line_does_not_run_from_the_top_of_a_column_into_the_next():
    state = played([0, 0, 0, 0, 0, 1, 0, 1])
    model, _state = game()
    assert not state.is_terminal
    for column in (2, 1):
        model.next(state, model.drops[column], RNG)
    assert not state.is_terminal


def test_full_grid_without_a_line_is_a_draw():
    state = played([0, 1, 0, 1, 1, 0], 2, 3, 3)
    assert state.free == 0
    assert state.results == (DRAW, DRAW)


def test_full_column_is_not_available():
    model, _state = game()
    state = played([3, 3, 3, 3, 3, 3])
    assert [int(drop.column) for drop in model.available_actions(state)] == [0, 1, 2, 4, 5, 6]


def test_length_that_does_not_fit_is_refused():
    with pytest.raises(ParameterError, match="length cannot be 8 on a grid of 7 by 6; the nearest value is 7"):
        ConnectFourParameters(length=8)
    assert ConnectFourParameters(width=3, height=8, length=8).length == 8


def test_heuristic_prefers_open_lines_and_is_symmetric():
    centre, corner = played([3]), played([0])
    assert heuristic_of(centre, 0) > heuristic_of(corner, 0) > 0.0
    assert heuristic_of(centre, 1) == -heuristic_of(centre, 0)
    assert heuristic_of(played([]), 0) == 0.0


def test_heuristic_counts_lines_begun_and_threats():
    # On 4 by 4 there are 10 lines of 4; player 0 has three at the bottom left, so one row lacks one disc.
    state = played([0, 0, 1, 1, 2], 4, 4, 4)
    # Player 0: that row (1 and 3 for the threat) and the third column; player 1: the second row.
    assert heuristic_of(state, 0) == pytest.approx((1 + 3 + 1 - 1) / (4 * 10))


def after(naive, column):
    """Return the game after a disc in the column."""
    found = Naive(naive.width, naive.height, naive.length)
    found.columns, found.turn = [discs[:] for discs in naive.columns], naive.turn
    found.drop(column)
    return found


def decided(naive):
    """Return 1 if the next player wins at once, -1 if the other player has a threat and wins after any disc, else 0."""
    replies = [after(naive, column) for column in naive.moves()]
    if any(reply.winner() == naive.turn for reply in replies):
        return 1
    passed = Naive(naive.width, naive.height, naive.length)
    passed.columns, passed.turn = naive.columns, 1 - naive.turn
    if not any(after(passed, column).winner() == passed.turn for column in passed.moves()):
        return 0
    wins = [any(after(reply, column).winner() == reply.turn for column in reply.moves()) for reply in replies]
    return -1 if all(wins) else 0


@pytest.mark.parametrize("size", [(7, 6, 4), (5, 4, 3), (4, 9, 4), (9, 8, 4)])
def test_heuristic_sees_wins_that_the_next_two_discs_bring(size):
    model, found, draws = game(*size)[0], [], Rng(4)
    for _game in range(12):
        state, naive = model.setup(2, RNG), Naive(*size)
        while not state.is_terminal:
            worth = heuristic_of(state, state.current_player)
            expected = decided(naive)
            found.append(expected)
            assert (abs(worth) > 0.9) == (expected != 0)
            assert expected == 0 or (worth > 0) == (expected > 0)
            assert heuristic_of(state, 1 - state.current_player) == -worth
            drop = draws.choice(model.available_actions(state))
            naive.drop(int(drop.column))
            model.next(state, drop, RNG)
    assert {1, 0, -1} == set(found)


@pytest.mark.parametrize("size", [(7, 6, 4), (4, 9, 3)])
def test_symmetries(size):
    assert_symmetric(game(*size)[0], games=5)


def test_free_cells_that_can_be_filled_now_are_told_apart():
    state = played([0, 0, 1, 0], 3, 3, 3)
    assert state.cell_values() == bytes([1, 2, 2, 1, 3, 0, 3, 0, 0])


def test_drawing_features_and_component():
    state = played([3, 3, 4])
    assert str(state) == ". . . . . . .\n" * 4 + ". . . R . . .\n. . . Y Y . .\na b c d e f g"
    assert str(Drop(3, 6)) == "d"
    assert features_of(state, 0)["cell_38"] == 1.0
    assert features_of(state, 1)["cell_38"] == -1.0
    (grid,) = state.components()
    assert grid.cells.count(0) == 2


def test_told_where_a_disc_falls_and_where_lines_are():
    model, state = game()
    assert told(model, state, "c") == ["the disc falls to c6"]
    assert told(model, played([0, 0, 1, 1, 2, 2]), "d")[1:] == ["player 0 completes the line a6, b6, c6, d6"]
    assert told(model, played([0, 6, 1, 6, 2, 6, 4]), "g")[1:3] == ["player 1 completes the line g6, g5, g4, g3"]


def test_told_of_lines_in_two_directions():
    model, _start = game(width=5, height=5, length=3)
    state = played([1, 4, 3, 1, 3, 4, 4, 0], width=5, height=5, length=3)
    assert told(model, state, "c")[1:] == [
        "player 0 completes the line b5, c5, d5",
        "player 0 completes the line c5, d4, e3",
    ]
