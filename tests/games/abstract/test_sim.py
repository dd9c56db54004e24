"""Sim: triangles against a naive search, who is out, coalitions, values of small games, symmetries, the heuristic."""

from itertools import combinations

import pytest
from play.symmetric_play import assert_symmetric
from play.telling import told
from play.valuing import features_of, heuristic_of

from tag.engine.results import DRAW, LOSE, ONGOING, WIN
from tag.engine.rng import Rng
from tag.errors import ParameterError
from tag.games.abstract.sim import Sim, SimParameters, lines_between

RNG = Rng(0)


def game(n_players=2, nodes=6, coalition=False):
    model = Sim(SimParameters(nodes=nodes, coalition=coalition))
    return model, model.setup(n_players, RNG)


def played(names, n_players=2, nodes=6, coalition=False):
    """Return the position after the lines with these names, in turn."""
    model, state = game(n_players, nodes, coalition)
    for name in names.split():
        named = {str(action): action for action in model.available_actions(state)}
        model.next(state, named[name], RNG)
    return state


def triangles(state, player):
    """Count the triangles of ``player``, node by node."""
    nodes = int(state.nodes)
    lines = {line for line, value in zip(lines_between(nodes), state.cell_values(), strict=True) if value == player + 1}
    return sum(lines.issuperset(combinations(corners, 2)) for corners in combinations(range(nodes), 3))


@pytest.mark.parametrize("n_players", [2, 3])
@pytest.mark.parametrize("nodes", range(4, 9))
def test_random_games_put_players_out_by_their_first_triangle(nodes, n_players):
    rng = Rng(nodes)
    for _game in range(20):
        model, state = game(n_players, nodes)
        while not state.is_terminal:
            player = int(state.current_player)
            assert state.result(player) == ONGOING
            free = [line for line, value in enumerate(state.cell_values()) if value == 0]
            actions = model.available_actions(state)
            assert [int(action.line) for action in actions] == free
            assert state.left == len(free)
            model.next(state, rng.choice(actions), rng)
        has_triangle = [triangles(state, seat) > 0 for seat in range(n_players)]
        left = has_triangle.count(False)
        assert left == 1 or state.left == 0
        others = WIN if left == 1 else DRAW
        assert state.results == tuple(LOSE if has else others for has in has_triangle)


def test_triangle_of_the_own_colour_loses():
    assert played("ab cd ac ce bc").results == (LOSE, WIN)
    assert played("ab cd ac ce ad de").results == (WIN, LOSE)


def test_triangle_of_two_colours_loses_nothing():
    assert not played("ab ac bc").is_terminal


def test_five_nodes_can_be_a_draw():
    state = played("ab ac bc ce cd be de ad ae bd", nodes=5)
    assert state.results == (DRAW, DRAW)


def test_of_three_players_the_first_with_a_triangle_is_out_and_the_others_go_on():
    state = played("ab de af ac df bf bc", 3)
    assert not state.is_terminal
    assert state.results == (LOSE, ONGOING, ONGOING)
    assert state.current_player == 1
    model, _start = game(3)
    for name, following in (("bd", 2), ("cd", 1), ("ef", 2)):
        draw = next(action for action in model.available_actions(state) if str(action) == name)
        model.next(state, draw, RNG)
        assert state.is_terminal or state.current_player == following
    assert state.results == (LOSE, LOSE, WIN)


def test_coalition_wins_and_loses_together_by_the_first_triangle():
    assert played("ab de af ac df bf bc", 3, coalition=True).results == (LOSE, WIN, WIN)
    state = played("ab de af ac df bf ad ef", 3, coalition=True)
    assert state.results == (WIN, LOSE, LOSE)
    assert [state.team(player) for player in range(3)] == [0, 1, 1]


def test_coalition_means_nothing_to_two_players():
    assert played("ab cd ac ce bc", coalition=True).results == (LOSE, WIN)


def value(model, state, known, symmetries):
    """Return 1, 0 or -1 for the player to move with best play; positions with equal images are looked at once."""
    lines = state.cell_values()
    key = min(bytes([lines[line] for line in symmetry]) for symmetry in symmetries)
    if key not in known:
        best = -1
        for action in model.available_actions(state):
            after = state.copy()
            player = state.current_player
            model.next(after, action, RNG)
            found = after.result_value(player) if after.is_terminal else -value(model, after, known, symmetries)
            best = max(best, found)
            if best == 1:
                break
        known[key] = best
    return known[key]


@pytest.mark.parametrize(("nodes", "expected"), [(4, 0), (5, 0), pytest.param(6, -1, marks=pytest.mark.slow)])
def test_value_of_the_game(nodes, expected):
    model, state = game(nodes=nodes)
    assert value(model, state, {}, model.cells(2).symmetries) == expected


@pytest.mark.parametrize(("nodes", "n_players", "order"), [(5, 2, 120), (6, 3, 720), (8, 2, 720)])
def test_symmetries(nodes, n_players, order):
    model, _state = game(n_players, nodes)
    assert len(model.cells(n_players).symmetries) == order
    assert_symmetric(model, n_players)


def test_heuristic_counts_safe_lines():
    state = played("ab cd ac")
    assert heuristic_of(state, 0) == -1 / 12
    assert heuristic_of(state, 1) == 1 / 12
    state = played("ab cd ef ac", 3, coalition=True)
    assert heuristic_of(state, 0) == -1 / 11
    assert heuristic_of(state, 1) == heuristic_of(state, 2) == 1 / 11


def test_player_who_is_out_has_lost():
    assert heuristic_of(played("ab de af ac df bf bc", 3), 0) == -1.0


def test_text_features_and_component():
    state = played("ab cd ac", nodes=4)
    assert str(state) == "player 0: ab ac\nplayer 1: cd\nfree: ad bc bd"
    assert features_of(state, 0, nodes=4) == {"ab": 1.0, "ac": 1.0, "ad": 0.0, "bc": 0.0, "bd": 0.0, "cd": -1.0}
    (lines,) = state.components()
    assert lines.place_name(0) == "ab"
    assert len(lines.neighbours(0)) == 4
    assert lines.cells == [0, 0, -1, -1, -1, 1]


def test_nodes_out_of_range_are_refused():
    with pytest.raises(ParameterError, match="the nearest value 4"):
        SimParameters(nodes=3)


def test_told_which_triangle_puts_a_player_out():
    model, _start = game(3)
    assert told(model, played("ab ac ad ae be ce", 3), "ef") == []
    assert told(model, played("cf ab ad bf ef ae", 3), "bc") == ["player 0 is out: its lines make the triangle bcf"]
