"""Games of backgammon beside OpenSpiel's, move by move: the same plays, by the positions that they lead to, and results."""

from collections import Counter
from math import sqrt

import pytest

from tag import Rng, make_game
from tag.games.boards.backgammon.data import PLAY

pyspiel = pytest.importorskip("pyspiel")

_POINTS = 24
_PASS = 1


def theirs(state, player):
    """Return the men of a player in OpenSpiel's position, by the player's own points; off first, the bar last."""
    board = [state.board(player, place) for place in range(_POINTS)]
    tensor = state.observation_tensor(player)[8 * _POINTS :]
    return (int(tensor[1]), *(board[::-1] if player == 0 else board), int(tensor[0]))


def their_position(state):
    return theirs(state, 0), theirs(state, 1)


def our_position(state):
    return tuple(state.white), tuple(state.black)


def roll(other, state):
    """Have OpenSpiel's dice fall as ours did."""
    dice = sorted(f"{state.low}{state.high}")
    starts = "X" if state.turn_player == 0 else "O"
    for action in other.legal_actions():
        text = other.action_to_string(-1, action)
        if sorted(text[-3:-1]) == dice and ("starts" not in text or f"{starts} starts" in text):
            other.apply_action(action)
            return
    raise AssertionError(dice)


def beside_open_spiel(games, first_seed=0):
    """Play games of both, each order of a play as likely; return the number of actions, and of games by stakes."""
    game = pyspiel.load_game("backgammon(scoring_type=full_scoring)")
    model = make_game("backgammon")
    played, results = 0, Counter()
    for seed in range(first_seed, first_seed + games):
        rng = Rng(seed)
        state, other = model.setup(2, rng), game.new_initial_state()
        while not state.is_terminal:
            if other.is_chance_node():
                roll(other, state)
            assert (state.phase, state.current_player) == (PLAY, other.current_player())
            assert our_position(state) == their_position(other)
            ours = {our_position(model.afterstate(state, one)): one for one in model.available_actions(state)}
            plays = {action: their_position(other.child(action)) for action in other.legal_actions()}
            assert len(ours) == len(model.available_actions(state))
            assert ours.keys() == set(plays.values())
            chosen, player = rng.choice(sorted(plays)), state.turn_player
            other.apply_action(chosen)
            model.next(state, ours[plays[chosen]], rng)
            played += 1
            if other.current_player() == player != state.turn_player:
                assert len(other.legal_actions()) == _PASS  # the rest of a double cannot be moved: there it is a pass
                other.apply_action(other.legal_actions()[0])
        assert other.is_terminal()
        points = [state.points[0] - state.points[1], state.points[1] - state.points[0]]
        assert other.returns() == points
        results[abs(points[0])] += 1
    return played, results


@pytest.mark.flow
def test_games_are_those_of_open_spiel():
    assert beside_open_spiel(12)[0] > 1000


@pytest.mark.slow
def test_100000_actions_are_those_of_open_spiel():
    """Of 10,000 random games by OpenSpiel itself, 37.5 % were single wins, 36.8 % gammons and 25.7 % backgammons."""
    games = 1100
    played, results = beside_open_spiel(games, 100)
    assert played > 100_000
    for stakes, share in enumerate((0.375, 0.368, 0.257), start=1):
        assert abs(results[stakes] / games - share) < 4 * sqrt(share * (1 - share) * (1 / games + 1 / 10_000))
