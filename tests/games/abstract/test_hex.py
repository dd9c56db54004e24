"""Hex: a naive implementation, swapping, the values of small boards, symmetries, the heuristic."""

from itertools import combinations

import pytest
from play.symmetric_play import assert_symmetric
from play.telling import told
from play.valuing import features_of, heuristic_of

from tag.engine.results import LOSE, WIN
from tag.engine.rng import Rng
from tag.engine.state import interned
from tag.errors import ParameterError
from tag.games.abstract.hex import Hex, HexParameters, Swap

RNG = Rng(0)
SWAP = interned(Swap())


def game(size, swap=False):
    model = Hex(HexParameters(size=size, swap=swap))
    return model, model.setup(2, RNG)


def played(size, *moves, swap=False):
    """Return the position after stones on the cells named, or ``swap``, in turn."""
    model, state = game(size, swap)
    for move in moves:
        named = {str(action): action for action in model.available_actions(state)}
        model.next(state, named[move], RNG)
    return state


def joins(stones, size, player):
    """Say, by a search from one side, whether ``stones`` (x, y) of ``player`` join its sides."""
    along = 1 - player
    reached = [stone for stone in stones if stone[along] == 0]
    for x, y in reached:
        near = [(x, y - 1), (x + 1, y - 1), (x - 1, y), (x + 1, y), (x - 1, y + 1), (x, y + 1)]
        reached += [one for one in near if one in stones and one not in reached]
    return any(stone[along] == size - 1 for stone in reached)


@pytest.mark.parametrize(("size", "games"), [(2, 10), (3, 20), (5, 20), (11, 2), (14, 1)])
def test_random_games_end_when_a_search_finds_the_chain(size, games):
    rng = Rng(size)
    for _game in range(games):
        model, state = game(size)
        stones = [set(), set()]
        while not state.is_terminal:
            player = int(state.current_player)
            free = [cell for cell, value in enumerate(state.cell_values()) if value == 0]
            actions = model.available_actions(state)
            assert [int(action.cell) for action in actions] == free
            assert state.free == len(free)
            chosen = rng.choice(actions)
            model.next(state, chosen, rng)
            stones[player].add((int(chosen.cell) % size, int(chosen.cell) // size))
            assert state.is_terminal == joins(stones[player], size, player)
        assert state.result(player) == WIN
        assert state.result(1 - player) == LOSE


def test_first_player_joins_top_and_bottom_and_second_left_and_right():
    assert played(3, "b1", "a1", "b2", "a2", "b3").results == (WIN, LOSE)
    assert not played(3, "b1", "a2", "a3", "b2").is_terminal
    assert played(3, "b1", "a2", "a3", "b2", "c3", "c2").results == (LOSE, WIN)


def test_cells_touch_along_one_diagonal_only():
    assert played(2, "b1", "a1", "a2").is_terminal
    assert not played(2, "a1", "b1", "b2").is_terminal


def test_last_stone_joins_long_chains():
    assert played(3, "a1", "b1", "c3", "c1", "a2", "b3", "c2").results == ()
    assert played(3, "a1", "b1", "c3", "c1", "a2", "b3", "c2", "a3", "b2").results == (WIN, LOSE)


def test_swap_takes_over_the_reflected_stone_and_is_offered_once():
    state = played(4, "b1", "swap", swap=True)
    assert state.current_player == 0
    assert state.cell_values() == bytes([0, 0, 0, 0, 2, *[0] * 11])
    model, _start = game(4, swap=True)
    assert SWAP not in model.available_actions(state)
    assert SWAP not in model.available_actions(played(4, "b1", "swap", "a1", swap=True))
    assert SWAP not in model.available_actions(played(4, swap=True))
    assert SWAP in model.available_actions(played(4, "b1", swap=True))
    assert SWAP not in game(4)[0].available_actions(played(4, "b1"))


def test_swapped_stone_keeps_its_sides():
    """The stone joined to the top is joined to the left, as the stone of the other player."""
    state = played(3, "a1", "swap", "c3", "b1", "c2", "c1", swap=True)
    assert state.results == (LOSE, WIN)


def value(model, state, known):
    """Return 1 if the player to move wins with best play, else -1."""
    key = state.knowledge(0)
    if key not in known:
        known[key] = -1
        for action in model.available_actions(state):
            after = state.copy()
            model.next(after, action, RNG)
            if after.is_terminal or value(model, after, known) == -1:
                known[key] = 1
                break
    return known[key]


@pytest.mark.parametrize("size", [2, 3, pytest.param(4, marks=pytest.mark.slow)])
def test_first_player_wins(size):
    assert value(*game(size), {}) == 1


@pytest.mark.parametrize("size", [2, 3])
def test_second_player_wins_with_the_swap_rule(size):
    assert value(*game(size, swap=True), {}) == -1


@pytest.mark.parametrize("swap", [False, True])
def test_symmetries(swap):
    assert_symmetric(game(5, swap)[0], games=5)


def test_neighbours_are_those_of_the_rhombus():
    neighbours = game(3)[0].cells(2).neighbours
    assert sorted(neighbours[4]) == [1, 2, 3, 5, 6, 7]
    assert [len(near) for near in neighbours] == [2, 4, 3, 4, 6, 4, 3, 4, 2]


def test_heuristic_counts_the_stones_that_are_lacking():
    state = played(5, "c1", "a1", "c2")
    assert (state.lacking(0), state.lacking(1)) == (3, 5)
    assert heuristic_of(state, 0) == (5 - 3) / 5
    assert heuristic_of(state, 1) == -heuristic_of(state, 0)


def test_lacking_stones_are_the_fewest_that_join_the_sides():
    rng, size = Rng(4), 4
    for _position in range(30):
        model, state = game(size)
        model.rollout(state, rng.below(10), rng)
        if state.is_terminal:
            continue
        stones = [set(), set(), set()]
        for cell, owner in enumerate(state.cell_values()):
            stones[owner].add((cell % size, cell // size))
        for player in (0, 1):
            lacking = int(state.lacking(player))
            assert any(joins(stones[player + 1] | set(more), size, player) for more in combinations(stones[0], lacking))
            assert not any(
                joins(stones[player + 1] | set(more), size, player) for more in combinations(stones[0], lacking - 1)
            )


def test_drawing_features_and_component():
    state = played(3, "b1", "a3")
    assert str(state) == "   a b c\n 1 . X .\n  2 . . .\n   3 O . ."
    assert features_of(state, 0, size=3)["cell_1"] == 1.0
    assert features_of(state, 1, size=3)["cell_1"] == -1.0
    (board,) = state.components()
    assert board.neighbours(4) == [5, 7, 6, 3, 1, 2]


def test_size_out_of_range_is_refused():
    with pytest.raises(ParameterError, match="the nearest value 14"):
        HexParameters(size=15)


def test_told_of_joined_sides_and_of_the_stone_taken_over():
    assert told(game(2)[0], played(2, "a1", "b1"), "a2") == ["player 0 joins top and bottom"]
    assert told(game(2)[0], played(2, "a1", "b1", "b2"), "a2") == ["player 1 joins left and right"]
    taken = ["player 1 takes over the stone, which is now on a2"]
    assert told(game(4, swap=True)[0], played(4, "b1", swap=True), "swap") == taken
