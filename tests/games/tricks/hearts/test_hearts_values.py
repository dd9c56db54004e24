"""Heuristic, features and metric of Hearts, on positions laid out by hand."""

import pytest
from hearts_positions import cards, passing, play, position, suit
from play.measuring import random_game, scripted
from play.valuing import features_of

from tag import Rng, make_game, make_heuristic
from tag.games.tricks.hearts import Hearts, HeartsHeuristic, HeartsHeuristicParameters

#: What one point is worth.
POINT = 1.5 / 100
FOUR = ("2c 3d", "4c 5d", "6c 7d", "8c 9d")
NONE = dict.fromkeys(("rival", "queen", "guard", "high", "hearts", "void", "moon"), 0.0)


def points(state, player=0, **weights):
    """Return the value in points by the weights given and no others."""
    return HeartsHeuristic(HeartsHeuristicParameters(**(NONE | weights))).value(state, player) / POINT


def test_points_count_against_the_mean_of_the_others_and_the_best_of_them():
    _model, state = position(*FOUR, points=(10, 20, 30, 7), taken=("2h 3h", "", "", ""))
    assert points(state) == pytest.approx(19 - 12)
    assert points(state, rival=1.0) == pytest.approx(7 - 12)


def test_the_queen_is_less_dangerous_with_lower_spades():
    _model, state = position("Qs 2c", *FOUR[1:])
    assert points(state, queen=6.0) == pytest.approx(-6)
    _model, state = position("Qs 2s 3s", *FOUR[1:])
    assert points(state, queen=6.0) == pytest.approx(-2)


def test_the_king_and_the_ace_are_dangerous_while_the_queen_is_out():
    _model, state = position("Ks As 2s", *FOUR[1:])
    assert points(state, guard=3.0) == pytest.approx(-3)
    state.played = [0, cards("Qs"), 0, 0]
    assert points(state, guard=3.0) == 0


def test_high_cards_are_dangerous_and_hearts_more_so():
    _model, state = position("6c 7d Ah", *FOUR[1:])
    assert points(state, high=0.5) == pytest.approx(-0.5 * 1)
    assert points(state, high=0.5, hearts=2.0) == pytest.approx(-0.5 * (1 + 2 * 8))


def test_a_suit_without_a_card_is_good_also_after_cards_have_been_chosen():
    _model, state = position("6c 7d Ah", *FOUR[1:])
    assert points(state, void=1.0) == pytest.approx(1)
    _model, state = passing("6c 7d Ah", *FOUR[1:], pass_cards=2)
    state.choose(cards("7d"))
    assert points(state, void=1.0) == pytest.approx(2)


def test_many_points_count_less_for_who_has_all_of_them():
    _model, state = position(*FOUR, taken=("Qs 2h 3h", "", "", ""))
    assert points(state, moon=0.5) == pytest.approx(-7.5)
    _model, state = position(*FOUR, taken=("Qs 2h 3h", "4h", "", ""))
    assert points(state, moon=0.5) == pytest.approx(1 / 3 - 15)
    _model, state = position(*FOUR, taken=("Qs 2h 3h", "", "", ""), moon="none")
    assert points(state, moon=0.5) == pytest.approx(-15)


def test_the_value_depends_on_no_hands_of_others():
    model, rng = Hearts(), Rng(3)
    heuristic = make_heuristic("hearts")
    state = model.setup(4, rng)
    for step in range(60):
        values = {heuristic.value(state.observation(step % 4, rng), step % 4) for _look in range(3)}
        assert values == {heuristic.value(state, step % 4)}
        model.next(state, model.random_action(state, rng), rng)


def test_features_tell_the_hand_the_trick_and_voids():
    model, state = position("2c 3d Qs", "5d 4h 6d", "6c 7d 7s", "8c 9d Ts", points=(1, 2, 3, 4), broken=True)
    state.deck = (1 << 52) - 1
    play(model, state, "2c 4h")
    found = features_of(state, 2)
    wanted = {"passing": 0, "tricks": 1, "broken": 1, "best_rank": 1, "trick_points": 1, "to_follow": 2, "led_clubs": 1}
    assert {name: found[name] for name in wanted} == wanted
    assert [found[f"points_{offset}"] for offset in range(4)] == [3, 4, 1, 2]
    assert [found[f"no_clubs_{offset}"] for offset in range(4)] == [0, 0, 0, 1]
    assert (found["hand_7s"], found["hand_Ts"], found["out_Ts"], found["out_4h"], found["out_7s"]) == (1, 0, 1, 0, 0)
    state.taken = (cards("Qs"), 0, 0, 0)
    assert features_of(state, 2)["taken_2"] == 13


def test_the_metric_counts():
    hands = ("2c 3c", "Qs 4c", "5c 2h", "6c 7c")
    model, state = position(*hands, hands=1, taken=(suit("h").replace("2h", ""), "", "", ""), broken=False)
    state.deck = (1 << 52) - 1
    texts = [f"play {name}" for name in ("2c", "4c", "5c", "6c", "7c", "3c", "Qs", "2h")]
    assert scripted(model, "hearts", state, *texts) == {
        "hands": [1.0],
        "moons": [0.0],
        "broken_in": [3.0],
        "points_discarded": [1.0],
        "queen_to_leader": [1.0],
    }


@pytest.mark.flow
@pytest.mark.parametrize("n_players", [3, 6])
def test_the_metric_agrees_with_the_events_of_random_games(n_players):
    state, log, found = random_game(make_game("hearts:goal=40"), "hearts", n_players, 6)[:3]
    moons = sum(event.name == "moon" for event in log.events)
    assert found["hands"] == [state.round]
    assert found["moons"] == [moons / state.round]
    assert sum(state.points) == 26 * (state.round - moons) + 26 * (n_players - 1) * moons
