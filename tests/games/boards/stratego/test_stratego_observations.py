"""What observations of Stratego deal again: each deal that fits, by enumeration, and nothing of plans."""

from collections import Counter
from itertools import permutations
from math import sqrt

import pytest
from stratego_positions import position

from tag import Rng, make_game
from tag.check import check_game
from tag.games.boards.stratego.data import BOMB, KIND, MOVED, PLAY, SHOWN, SIDE


def surprise(found, expected):
    """Return by how many standard deviations a chi-square exceeds its mean, all of ``expected`` being as likely."""
    assert set(found) <= set(expected)
    mean = sum(found.values()) / len(expected)
    chi_square = sum((found[one] - mean) ** 2 / mean for one in expected)
    return (chi_square - len(expected) + 1) / sqrt(2 * max(len(expected) - 1, 1))


def deals(state, viewer):
    """Return all boards that fit what a viewer knows, by going through all orders of the hidden pieces."""
    side = SIDE * (1 - viewer)
    squares = [place for place, cell in enumerate(state.board) if cell & KIND and cell & (SIDE | SHOWN) == side]
    kinds = [state.board[place] & KIND for place in squares]
    found = []
    for order in set(permutations(kinds)):
        other = state.copy()
        for place, kind in zip(squares, order, strict=True):
            other.board[place] = state.board[place] & ~KIND | kind
        stays = all(kind < BOMB or not state.board[place] & MOVED for place, kind in zip(squares, order, strict=True))
        if stays and (state.current_player == viewer or other.can_move(1 - viewer)):
            found.append(tuple(other.board))
    return found


def check_deals(state):
    """Compare the deals of each viewer with all that fit; return how many were compared."""
    compared = 0
    for viewer in range(2):
        expected = deals(state, viewer)
        rng = Rng(7)
        found = Counter(tuple(state.observation(viewer, rng).board) for _draw in range(30 * len(expected)))
        if len(expected) > 1:
            assert surprise(found, expected) < 4.5
            compared += 1
        else:
            assert set(found) == set(expected)
    return compared


def played(spec, actions, seed):
    rng = Rng(seed)
    model = make_game(spec)
    state = model.setup(2, rng)
    while not state.is_terminal and (state.phase != PLAY or state.turn < actions):
        model.next(state, rng.choice(model.available_actions(state)), rng)
    return state


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("actions", [0, 1, 2, 4, 7])
def test_deals_of_a_tiny_board_are_uniform(seed, actions):
    state = played("stratego:variant=tiny", actions, seed)
    if not state.is_terminal:
        assert check_deals(state) >= (1 if actions < 4 else 0)


@pytest.mark.flow
@pytest.mark.parametrize("seed", range(6))
def test_deals_of_a_small_board_are_uniform(seed):
    state = played("stratego:variant=small,scouts=1,miners=0,spies=0,bombs=1", 2 + 3 * seed, seed)
    if not state.is_terminal:
        check_deals(state)


def test_pieces_that_have_moved_are_neither_bombs_nor_flags():
    drawing = """
    -F -B -Bm .  .  .
    .  .  .  -5m .  .
    . ~~  .  . ~~  .
    . ~~  .  . ~~  .
    .  .  .  .  .  .
    .  .  .  .  +4 +F
    """
    _model, state = position(drawing.replace("-Bm", "-6m"), player=0)
    assert len(deals(state, 0)) == 4
    assert check_deals(state) == 2


def test_a_player_to_move_is_dealt_a_piece_that_moves():
    drawing = """
    -F -B -5  .  .  .
    -Bs -Bs .  .  .  .
    . ~~  .  . ~~  .
    . ~~  .  . ~~  .
    .  .  .  .  .  .
    .  .  .  .  +4m +F
    """
    _model, state = position(drawing, player=1)
    assert len(deals(state, 0)) == 2
    state.current_player = 0
    assert len(deals(state, 0)) == 6
    assert check_deals(state) >= 1
    state.current_player = 1
    assert check_deals(state) >= 1


@pytest.mark.parametrize("setup", ["plans", "pieces"])
def test_choices_of_the_set_up_do_not_leak(setup):
    model = make_game(f"stratego:variant=tiny,setup={setup}")
    state = model.setup(2, Rng(1))
    choices = model.available_actions(state)
    after = [state.copy() for _choice in choices]
    for action, other in zip(choices, after, strict=True):
        model.next(other, action, Rng(1))
        assert action.text(state, 1) == "set up in secret"
    assert len({other.knowledge(1) for other in after}) == 1
    assert len({other.text(1) for other in after}) == 1
    assert len({other.knowledge(0) for other in after}) == len(choices)
    seen = [Counter(str(other.observation(1, Rng(seed)).snapshot()) for seed in range(60)) for other in after]
    assert all(one == seen[0] for one in seen)
    assert len(seen[0]) == len(choices)


def test_plans_of_the_enemy_are_forgotten_in_play():
    one = played("stratego:variant=tiny", 0, 1)
    assert one.plans == ((), ())
    boards = Counter(tuple(one.observation(0, Rng(seed)).board[30:]) for seed in range(24 * 30))
    assert len(boards) == 24


@pytest.mark.flow
def test_no_observation_contradicts_what_all_know():
    checked = 0
    for seed in range(24):
        rng = Rng(seed)
        model = make_game("stratego:variant=barrage,max_moves=300")
        state = model.setup(2, rng)
        while not state.is_terminal:
            for viewer in range(2):
                seen = state.observation(viewer, rng)
                assert seen.knowledge(viewer) == state.knowledge(viewer)
                assert not any(cell & MOVED and cell & KIND >= BOMB for cell in seen.board)
                assert [cell & ~KIND for cell in seen.board] == [cell & ~KIND for cell in state.board]
                assert (
                    sorted(cell & (KIND | SIDE) for cell in seen.board)
                    == sorted(cell & (KIND | SIDE) for cell in state.board)
                    or state.phase != PLAY
                )
                checked += 1
            model.next(state, rng.choice(model.available_actions(state)), rng)
    assert checked > 8_000


@pytest.mark.flow
@pytest.mark.parametrize("rules", ["variant=small,setup=drawn,max_moves=60", "variant=tiny,setup=pieces"])
def test_other_set_ups_keep_the_contract(rules):
    checks = ["observation_blind", "observation_knowledge", "observation_actions", "views_blind", "events_blind"]
    report = check_game(f"stratego:{rules}", games=4, seed=2, only=checks)
    assert not report.failures(), str(report)
