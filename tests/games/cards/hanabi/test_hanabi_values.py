"""Heuristic, features and metric of Hanabi, on positions laid out by hand."""

import pytest
from hanabi_positions import ALL, act, position, rising, tell
from play.measuring import random_game, scripted
from play.valuing import features_of

from tag import Rng, make_heuristic
from tag.engine.results import DRAW
from tag.games.cards.hanabi import Hanabi, HanabiHeuristic, HanabiHeuristicParameters

MINE = "r1 r2 r3 r4 r5"
THEIRS = "y1 y2 g3 g4 w5"
#: What one point is worth, and none.
POINT, NONE = 0.9 * 2 / 25, -0.9


def value(state, player=0, **weights):
    bare = {"known": 0.0, "told": 0.0, "hint": 0.0, "fuse": 0.0, "lost": 0.0, "danger": 0.0}
    return HanabiHeuristic(HanabiHeuristicParameters(**(bare | weights))).value(state, player)


def points(state, player=0, **weights):
    """Return what the weights add, in points."""
    return (value(state, player, **weights) - value(state, player)) / POINT


def test_points_are_the_value_and_an_end_between_has_its_share():
    _model, state = position(MINE, THEIRS, fireworks=rising(r=5, y=5))
    assert value(state) == pytest.approx(10 * POINT + NONE)
    state.end_for_all(DRAW)
    assert make_heuristic("hanabi").value(state, 1) == pytest.approx(10 * POINT + NONE)


def test_hints_and_fuses_left_count():
    _model, state = position(MINE, THEIRS, fireworks=rising(**dict.fromkeys(ALL, 3)), hints=5, fuses=2)
    assert points(state, hint=1.0) == pytest.approx(5)
    assert points(state, fuse=1.0) == pytest.approx(-1)


def test_points_that_cannot_be_made_count_against():
    _model, state = position(MINE, THEIRS, fireworks=rising(y=5, g=5), discards="b2 b2 w4 w4")
    assert points(state, lost=0.5) == pytest.approx(-0.5 * (4 + 2))


def test_cards_that_their_holders_know_to_fit_count():
    model, state = position(MINE, THEIRS, fireworks=rising(y=3, g=5))
    assert points(state, known=1.0) == 0
    act(model, state, tell(1, 1))
    assert points(state, known=1.0, told=0.0) == 0, "it may be a yellow or green 1"
    model, state = position(MINE, "g4 y4 g3 y3 b5", fireworks=rising(y=3, g=3), hints=5)
    act(model, state, tell(1, 4))
    act(model, state, tell(0, 1))
    assert points(state, 0, known=1.0) == 0, "other colours have no threes"
    act(model, state, tell(1, "g"))
    assert points(state, 0, known=1.0) == pytest.approx(1)
    assert points(state, 1, known=1.0) == pytest.approx(1)


def test_marked_cards_that_fit_count_less():
    model, state = position(MINE, "y1 y4 g3 g4 w5", fireworks=rising(b=3), hints=5)
    act(model, state, tell(1, "y"))
    assert points(state, 0, told=1.0) == pytest.approx(1), "player 0 sees that one of both fits"
    assert 0.2 < points(state, 1, told=1.0) < 1.0, "player 1 does not"


def test_a_critical_card_that_is_next_to_be_discarded_is_a_danger():
    _model, state = position("r2 r2 r3 r4 r1", "w5 y1 y2 g3 g4", fireworks=rising(b=4))
    own = 4 / 41  # the fives of four colours, but for the one that player 0 sees, and b5
    assert points(state, 0, danger=1.0) == pytest.approx(-1 - own)
    state.touched = 1 << 8
    assert points(state, 0, danger=1.0) == pytest.approx(-own)


def test_the_value_does_not_depend_on_the_own_cards():
    model, rng = Hanabi(), Rng(3)
    heuristic = make_heuristic("hanabi")
    state, looked = model.setup(3, rng), 0
    while not state.is_terminal:
        for player in range(3):
            seen = [state.observation(player, rng) for _look in range(3)]
            assert {heuristic.value(one, player) for one in seen} == {heuristic.value(state, player)}
            looked += 1
        model.next(state, model.random_action(state, rng), rng)
    assert looked > 10


def test_features_of_others_are_true_and_of_the_own_hand_chances():
    model, state = position("r1 y5 r3 r4 r5", "y1 y2 g3 g4 w5", fireworks=rising(w=4), discards="g3 r1 r1", hints=5)
    found = features_of(state, 0)
    assert [found[name] for name in ("points", "reachable", "hints", "fuses", "left", "turns_left")] == [
        4,
        25,
        5,
        3,
        33,
        3,
    ]
    assert [found[f"height_{colour}"] for colour in range(5)] == [0, 0, 0, 4, 0]
    assert [found[f"playable_1_{place}"] for place in range(5)] == [1, 0, 0, 0, 1]
    assert [found[f"critical_1_{place}"] for place in range(5)] == [0, 0, 1, 0, 1]
    assert [found[f"dead_1_{place}"] for place in range(5)] == [0] * 5
    assert found["playable_0_0"] == found["playable_0_4"] == pytest.approx(9 / 38), (
        "1 red, 2 yellow, 3 green and blue of 38"
    )
    state.current_player = state.turn_player = 1
    act(model, state, tell(0, 5))
    found = features_of(state, 0)
    assert (found["critical_0_1"], found["critical_0_0"]) == (1, pytest.approx(1 / 34))
    assert (found["marked_0_1"], found["marked_0_0"]) == (1, 0)
    assert found["known_0_1"] == 0


def test_the_metric_counts():
    _model, state = position(MINE, THEIRS, hints=5)
    found = scripted(_model, "hanabi", state, "tell player 1: 1", "play card 1", "play card 2", "tell player 0: red")
    assert found == {
        "fireworks": [1.0],
        "perfect": [0.0],
        "in_vain": [1.0],
        "hints_given": [2.0],
        "marked_plays": [1.0],
    }


@pytest.mark.parametrize("n_players", [2, 5])
def test_the_metric_agrees_with_the_words_of_random_games(n_players):
    state, log, found = random_game(Hanabi(), "hanabi", n_players, 6)[:3]
    texts = [text for _player, text in log.actions]
    assert found["hints_given"] == [sum(text.startswith("tell") for text in texts)]
    played = sum(text.startswith("play") for text in texts)
    assert found["in_vain"] == [played - found["fireworks"][0]]
    assert found["fireworks"] == [state.points()]
