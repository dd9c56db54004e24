"""Backgammon: bots, the heuristic, features, the metric, and how random games end."""

from collections import Counter
from math import sqrt

import pytest
from backgammon_positions import play, position
from play.measuring import random_game, scripted

from tag import Rng, make_agent, make_heuristic
from tag.games.boards.backgammon.rules import Backgammon

START = {24: 2, 13: 5, 8: 3, 6: 5}


def choice_of(bot, model, state):
    return make_agent(bot).act(state, model.available_actions(state)).text(state, 0)


# --- bots ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dice", "wanted"), [((3, 1), "8/5, 6/5"), ((4, 2), "8/4, 6/4"), ((6, 1), "13/7, 8/7"), ((6, 5), "24/18, 18/13")]
)
def test_pubeval_begins_as_players_do(dice, wanted):
    """Of 3-1, 4-2, 6-1 and 6-5 the best play is known; pubeval finds it."""
    model, state = position(START, START, dice=dice)
    assert choice_of("backgammon:pubeval", model, state) == wanted


def test_pubeval_values_races_by_other_weights():
    model, state = position({5: 2, 2: 2}, {6: 2, 1: 2}, dice=(3, 2))
    assert not state.in_contact()
    assert choice_of("backgammon:pubeval", model, state) == "5/2, 2/off"


def test_hit_and_safe_hits():
    model, state = position({24: 2, 13: 5, 8: 3, 6: 5}, {24: 1, 20: 1, 13: 5, 8: 3, 6: 5}, dice=(3, 1))
    assert choice_of("backgammon:hit_and_safe", model, state) in ("8/5*, 6/5*", "8/5*, 6/5")


@pytest.mark.parametrize("bot", ["hit_and_safe", "pubeval"])
@pytest.mark.parametrize(("lead", "doubles", "takes"), [(0, False, True), (9, True, True), (14, True, False)])
def test_bots_double_and_drop_by_the_lead_in_pips(bot, lead, doubles, takes):
    """Both have 100 pips but for the lead, so that the lead in pips is that in per cent."""
    model, state = position({6: 10, 5: 8}, {6: 10, 5: 8}, cube=True)
    state.white, state.black = [0] * 26, [0] * 26
    state.white[10], state.black[10], state.black[1] = 10, 10, lead
    state.phase = 0
    agent = f"backgammon:{bot}"
    assert choice_of(agent, model, state) == ("double" if doubles else "roll")
    play(model, state, "double")
    assert choice_of(agent, model, state) == ("take" if takes else "drop")


# --- values --------------------------------------------------------------------------------------------------------------


HALF_A_ROLL = 49 / 12


def test_who_rolls_is_half_a_roll_ahead_and_in_races_only_pips_and_men_off_count():
    _model, state = position(START, START, player=1)
    heuristic = make_heuristic("backgammon:pips=1,off=0")
    assert [heuristic.value(state, player) for player in (0, 1)] == pytest.approx(
        [-HALF_A_ROLL / 167, HALF_A_ROLL / 167]
    )
    _model, state = position({6: 10}, {6: 5})
    assert heuristic.value(state, 0) == pytest.approx((30 - 60 + HALF_A_ROLL) / 167)
    assert make_heuristic("backgammon:pips=0,off=0.05").value(state, 0) == pytest.approx(-0.05 * 5)


WEIGHTS = ("pips", "off", "home", "prime", "anchor", "blots", "bar", "stack", "match")


@pytest.mark.parametrize(
    ("weight", "men", "worth"),
    [
        ("off", {13: 13}, 2 - 11),
        ("home", {6: 2, 5: 2, 10: 2, 13: 9}, 2),
        ("anchor", {20: 2, 24: 2, 13: 11}, 2),
        ("prime", {9: 2, 8: 2, 7: 2, 6: 2, 13: 7}, 3),
        ("bar", {"bar": 2, 13: 13}, -2),
        ("stack", {6: 5, 5: 3, 13: 7}, -6),
        ("blots", {20: 1, 13: 14}, -11 / 36),
        ("blots", {12: 1, 13: 14}, -11 / 36),
        ("blots", {3: 1, 13: 14}, 0),
    ],
)
def test_weights_count_what_they_are_of(weight, men, worth):
    """The other has two men each on the own 14-point and bar point: the points 11 and 18 of player 0."""
    _model, state = position(men, {14: 2, 7: 2})
    if weight == "blots" and 20 in men:
        state.black[6], state.black[7] = 2, 0
    weights = ",".join(f"{name}={0.02 if name == weight else 0}" for name in WEIGHTS)
    assert make_heuristic(f"backgammon:{weights}").value(state, 0) == pytest.approx(0.02 * worth)


def test_the_lead_in_points_counts_in_matches():
    _model, state = position(START, START, match=5)
    state.points = (3, 1)
    assert make_heuristic("backgammon:match=0.5,pips=0").value(state, 0) == pytest.approx(0.5 * 2 / 5)


def test_features_are_those_of_td_gammon():
    model, state = position({24: 2, 13: 5, 8: 3, 6: 1, "bar": 2}, START, dice=(6, 5), cube=True, match=7)
    named = model.features().named(state, 0)
    units = [[named[f"own_{point}_{unit}"] for unit in range(1, 5)] for point in (24, 13, 8, 6)]
    assert units == [[1, 1, 0, 0], [1, 1, 1, 1], [1, 1, 1, 0], [1, 0, 0, 0]]
    expected = {"own_bar": 1.0, "own_off": 2 / 15, "other_bar": 0.0, "my_turn": 1.0, "high": 6.0, "away": 7.0}
    assert {name: named[name] for name in expected} == pytest.approx(expected)
    assert len(named) == 8 + 2 * (24 * 4 + 2)


def test_the_metric_counts_hits_doubles_and_how_games_end():
    model, state = position({10: 1}, {21: 1, 18: 14}, dice=(6, 1), cube=True)
    found = scripted(model, "backgammon", state, "play 10 and 4")
    assert (found["hits"], found["plays"], found["gammons"]) == ([], [], [])
    model, state = position({1: 1}, {18: 15}, cube=True)
    found = scripted(model, "backgammon", state, "play 1")
    assert (found["gammons"], found["backgammons"], found["plays"], found["drops"]) == ([1.0], [0.0], [1.0], [])
    model, state = position(START, START, dice=(6, 5), cube=True)
    found = scripted(model, "backgammon", state, "play 24 and 18", "double", "drop")
    assert (found["doubles"], found["drops"], found["gammons"]) == ([1.0], [1.0], [0.0])


# --- random games --------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_random_games_end_as_measured():
    """Of 20,000 games 37.6 % were single wins, 35.9 % gammons and 26.5 % backgammons."""
    model, found, games = Backgammon(), Counter(), 3000
    for seed in range(games):
        rng = Rng(seed)
        state = model.setup(2, rng)
        while not state.is_terminal:
            model.next(state, model.random_action(state, rng), rng)
        found[sum(state.points)] += 1
    for stakes, share in enumerate((0.376, 0.3585, 0.2655), start=1):
        assert abs(found[stakes] / games - share) < 4 * sqrt(share * (1 - share) / games)


def test_random_players_play_by_these_rules():
    state, log, found = random_game(Backgammon(), "backgammon", 2, 3)
    assert found["plays"] == [float(len(log.actions))]
    assert found["hits"] == [float(sum(event.name == "hit" for event in log.events))]
    assert sum(state.points) == 1 + found["gammons"][0] + 2 * found["backgammons"][0]
