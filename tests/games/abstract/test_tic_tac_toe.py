"""Tic-tac-toe: the known counts of the whole game, lines in every direction, larger grids."""

from collections import Counter

import pytest
from play.symmetric_play import assert_symmetric
from play.telling import told
from play.valuing import features_of, heuristic_of, vector_of

from tag.agents.random import Random
from tag.engine.results import DRAW, LOSE, ONGOING, WIN
from tag.engine.rng import Rng
from tag.engine.state import interned
from tag.errors import ParameterError
from tag.games.abstract.tic_tac_toe import Mark, TicTacToe, TicTacToeParameters
from tag.playing.game import Game

pytestmark = pytest.mark.flow

RNG = Rng(0)


def started(size):
    model = TicTacToe(TicTacToeParameters(size=size))
    return model, model.setup(2, RNG)


def played(size, cells):
    """Return the position after marks on ``cells`` in turn."""
    model, state = started(size)
    for cell in cells:
        mark = interned(Mark(cell, size))
        assert mark in model.available_actions(state)
        model.next(state, mark, RNG)
    return state


def alternating(winning, other):
    """Return the order of play in which player 0 marks ``winning`` and player 1 all but the last of ``other``."""
    return [cell for pair in zip(winning, other, strict=True) for cell in pair][:-1]


def test_whole_game_has_the_known_numbers_of_games_and_positions():
    model, start = started(3)
    ends = Counter()
    reached = set()
    stack = [start]
    while stack:
        state = stack.pop()
        reached.add((state.first, state.second))
        if state.is_terminal:
            ends[state.results] += 1
            continue
        for mark in model.available_actions(state):
            after = state.copy()
            model.next(after, mark, RNG)
            stack.append(after)
    assert len(reached) == 5_478
    assert sum(ends.values()) == 255_168
    assert ends == {(WIN, LOSE): 131_184, (LOSE, WIN): 77_904, (DRAW, DRAW): 46_080}


@pytest.mark.parametrize("size", [2, 3, 4, 7, 10])
def test_each_row_column_and_diagonal_wins(size):
    grid = [[row * size + column for column in range(size)] for row in range(size)]
    lines = [*grid, *[list(column) for column in zip(*grid, strict=True)]]
    lines += [[grid[at][at] for at in range(size)], [grid[at][size - 1 - at] for at in range(size)]]
    for line in lines:
        rest = [cell for row in grid for cell in row if cell not in line]
        others = rest[:size] if size == 2 else spread(rest, size)
        state = played(size, alternating(line, others))
        assert state.is_terminal
        assert state.results == (WIN, LOSE)


def spread(cells, size):
    """Return as many of ``cells`` as a line has, which are none themselves."""
    chosen = cells[:: max(1, len(cells) // size)][:size]
    return chosen if len(chosen) == size else cells[:size]


def test_second_player_wins_with_a_line_of_its_own():
    assert played(3, [0, 3, 1, 4, 8, 5]).results == (LOSE, WIN)


def test_line_with_the_other_players_mark_wins_nothing():
    state = played(3, [0, 1, 2])
    assert not state.is_terminal
    assert state.results == ()
    assert state.result(0) == ONGOING


def test_full_grid_without_a_line_is_a_draw():
    state = played(3, [0, 1, 2, 4, 3, 5, 7, 6, 8])
    assert state.is_terminal
    assert state.results == (DRAW, DRAW)


def test_line_in_the_last_free_cell_wins():
    state = played(3, [0, 1, 2, 4, 3, 5, 7, 8, 6])
    assert state.free == 0
    assert state.results == (WIN, LOSE)


def test_no_action_is_left_when_the_game_is_over():
    model, _state = started(3)
    assert model.available_actions(played(3, [0, 3, 1, 4, 2])) == []


def test_heuristic_counts_open_lines_for_either_player():
    state = played(3, [4])
    assert heuristic_of(state, 0) == 0.5 * 4 / 8
    assert heuristic_of(state, 1) == -heuristic_of(state, 0)
    assert heuristic_of(played(3, [0, 3, 1, 4, 2]), 1) == -1.0


def test_features_are_the_cells_as_the_player_sees_them():
    state = played(3, [0, 4])
    assert vector_of(state, 0) == [1.0, 0, 0, 0, -1.0, 0, 0, 0, 0]
    assert features_of(state, 1)["cell_4"] == 1.0


@pytest.mark.parametrize("size", [3, 4])
def test_symmetries(size):
    assert_symmetric(started(size)[0])


def test_cells_hold_the_marks_and_tuples_are_the_lines():
    state = played(3, [0, 4])
    assert state.cell_values() == bytes([1, 0, 0, 0, 2, 0, 0, 0, 0])
    tuples = started(3)[0].cells(2).tuples
    assert tuples["all"] == (tuple(range(9)),)
    assert set(tuples["lines"]) == {
        (0, 1, 2),
        (3, 4, 5),
        (6, 7, 8),
        (0, 3, 6),
        (1, 4, 7),
        (2, 5, 8),
        (0, 4, 8),
        (2, 4, 6),
    }


def test_drawing_and_names():
    assert str(played(3, [0, 4])) == "X . .\n. O .\n. . ."
    assert str(Mark(5, 3)) == "c2"


def test_grid_is_a_component():
    (grid,) = played(3, [0, 4]).components()
    assert grid.cells == [0, -1, -1, -1, 1, -1, -1, -1, -1]


def test_size_out_of_range_is_refused():
    with pytest.raises(ParameterError, match="the nearest value 10"):
        TicTacToeParameters(size=11)


def chances_of_random_play(model, state, rng, known):
    """Return the exact chances that player 0 wins, player 1 wins, and of a draw, if all play at random."""
    key = (state.first, state.second)
    if key not in known:
        if state.is_terminal:
            winner = [p for p in (0, 1) if state.result(p) == WIN]
            known[key] = (float(winner == [0]), float(winner == [1]), float(not winner))
        else:
            shares = []
            for action in model.available_actions(state):
                following = state.copy()
                model.next(following, action, rng)
                shares.append(chances_of_random_play(model, following, rng, known))
            known[key] = tuple(sum(share) / len(shares) for share in zip(*shares, strict=True))
    return known[key]


def test_random_play_comes_out_as_computed():
    model, rng = TicTacToe(), Rng(1)
    exact = chances_of_random_play(model, model.setup(2, rng), rng, {})
    assert exact == pytest.approx((0.584, 0.290, 0.127), abs=0.005)
    games = 4000
    results = [Game(model, [Random(), Random()], seed).play().results for seed in range(games)]
    shares = [sum(r == outcome for r in results) / games for outcome in ((WIN, LOSE), (LOSE, WIN), (DRAW, DRAW))]
    for share, chance in zip(shares, exact, strict=True):
        assert abs(share - chance) < 4 * (chance * (1 - chance) / games) ** 0.5


def test_told_of_all_lines_that_a_mark_completes():
    model, _start = started(3)
    state = played(3, [0, 3, 1, 4, 5, 6, 8, 7])
    assert told(model, state, "c1") == [
        "player 0 completes the line a1, b1, c1",
        "player 0 completes the line c1, c2, c3",
    ]
