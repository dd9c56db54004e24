"""Features, heuristic, metric, events and bots of 7 Wonders."""

import pytest
from play.measuring import random_game, scripted
from play.telling import told
from seven_wonders_positions import act, names_in, position, turn

from tag import WIN, Rng, make_agent, make_game, make_heuristic
from tag.orders import GameOrder, play_order

HANDS = (("Altar", "Theater"), ("Baths", "Loom"), ("Press", "Marketplace"))
BABYLON = ("Babylon B", "Giza A", "Rhodes A")


def test_features_tell_cities_and_the_own_hand():
    cities = (("Clay Pool", "Mine", "Walls", "School"), (), ("Quarry",))
    model, state = position(*cities, hands=(("Altar", "Baths", "Loom"),), stages=(1, 0, 2), coins=(7, 3, 3))
    state.defeats = [2, 0, 1]
    found = model.features().named(state, 0)
    assert (found["age"], found["cards"], found["hand_blue"], found["hand_grey"]) == (0, 3, 2, 1)
    assert (found["coins_0"], found["stages_0"], found["stages_left_0"], found["defeats_0"]) == (7, 1, 2, 2)
    assert (found["clay_0"], found["stone_0"], found["choices_0"], found["shields_0"]) == (1, 1, 1, 2)
    assert (found["tablet_0"], found["brown_0"], found["stone_2"], found["stages_2"]) == (1, 2, 2, 2)
    assert model.features().named(state, 1)["stone_1"] == 2, "the left neighbour of player 1 is player 2"


def test_the_heuristic_follows_points_armies_and_resources():
    heuristic = make_heuristic("seven_wonders")
    _model, even = position(wonders=("Giza A", "Rhodes A", "Olympia A"))
    base = heuristic.value(even, 0)
    for better in (("Altar",), ("Stockade",), ("Clay Pool",), ("Loom",), ("Apothecary",)):
        _model, state = position(better, wonders=("Giza A", "Rhodes A", "Olympia A"))
        assert heuristic.value(state, 0) > base
        assert heuristic.value(state, 1) <= heuristic.value(even, 1)
    _model, late = position(("Clay Pool",), age=2, cards=2, wonders=("Giza A", "Rhodes A", "Olympia A"))
    _model, none = position(age=2, cards=2, wonders=("Giza A", "Rhodes A", "Olympia A"))
    _model, early = position(("Clay Pool",), wonders=("Giza A", "Rhodes A", "Olympia A"))
    assert heuristic.value(late, 0) - heuristic.value(none, 0) < heuristic.value(early, 0) - base


def test_values_of_all_are_those_of_each():
    heuristic, model = make_heuristic("seven_wonders"), make_game("seven_wonders")
    state = model.setup(4, Rng(3))
    model.rollout(state, 30, Rng(3))
    values = [0.0] * 4
    heuristic.value_all(state, values)
    assert values == [heuristic.value(state, seat) for seat in range(4)]
    assert all(-0.99 <= value <= 0.99 for value in values)


def test_the_metric_counts_points_uses_trade_and_wonders():
    model, state = position(wonders=("Giza A", "Rhodes A", "Olympia A"), hands=HANDS, ages=1)
    texts = ["build Altar", "build Baths, paying 2 to the right", "build Press"]
    found = scripted(model, "seven_wonders", state, *[text.partition(",")[0] for text in texts])
    assert (found["bought"], found["discards"], found["splits"]) == ([2 / 3], [0.0], [0.0])
    assert (found["civilian_points"], found["treasury_points"]) == ([5 / 3], [2 / 3])
    assert (found["rhodes_wins"], found["giza_wins"], found["babylon_wins"]) == ([0.0], [1.0], [])
    assert (found["winning_points"], found["stages"]) == ([3.0], [0.0])
    _state, _log, more = random_game(make_game("seven_wonders"), "seven_wonders", 5, 3)
    assert set(more) == set(model.game_type.metric.measures)


def test_others_are_told_what_is_built_but_not_what_lies_face_down():
    model, state = position((), (), ("Stone Pit",), wonders=("Giza A", "Rhodes A", "Olympia A"), hands=HANDS)
    assert told(model, state, "lay Altar under the wonder", 1) == []
    act(model, state, "lay Altar under the wonder, paying 2 to the right")
    assert told(model, state, "discard Baths", 0) == []
    act(model, state, "discard Baths")
    shown = told(model, state, "build Press", 1)
    wanted = ["player 0 pays 2 to player 2", "player 0 builds stage 1 with a card", "player 1 discards Baths"]
    assert shown[:5] == [*wanted, "player 2 builds Press", "player 1 gets 3"]
    assert shown[6] == "player 1 discards the last card: Loom"


def test_the_last_card_of_babylon_is_told_as_far_as_it_is_seen():
    model, state = position(wonders=BABYLON, hands=HANDS, stages=(2,))
    turn(model, state, "build Altar", "build Loom", "build Press")
    texts = {action.text(state, 1) for action in model.available_actions(state)}
    assert texts == {"build Theater", "discard the last card"}


# --- bots --------------------------------------------------------------------------------------------------------------


def chosen(bot, model, state):
    agent = make_agent(f"seven_wonders:{bot}")
    agent.player = state.current_player
    seen = state.observation(state.current_player, Rng(1))
    return agent.act(seen, model.available_actions(state)).text(state, int(state.current_player))


def test_fixed_order_takes_lacking_resources_then_armies_then_points():
    model, state = position(hands=(("Stone Pit", "Clay Pool", "Altar"),), wonders=("Giza A", "Rhodes A", "Olympia A"))
    assert chosen("fixed_order", model, state) == "build Clay Pool"
    model, state = position(("Ore Vein",), hands=(("Barracks", "Altar"),))
    assert chosen("fixed_order", model, state) == "build Barracks"
    model, state = position(("Ore Vein", "Stockade"), hands=(("Barracks", "Altar"),))
    assert chosen("fixed_order", model, state) == "build Altar"


def test_point_counter_weighs_points():
    model, state = position(hands=(("Gardens", "Senate"),), age=2, coins=9, stages=(3,))
    state.made[0] = 0x2222
    assert chosen("point_counter", model, state) == "build Senate"
    model, state = position(("Walls",), ("Walls", "Stockade"), hands=(("Arsenal", "Gardens"),), age=2)
    state.made[0] = 0x1002222
    assert chosen("point_counter", model, state) == "build Arsenal"
    model, state = position(hands=(("Altar", "Altar"),), n_players=5)
    assert chosen("point_counter", model, state) == "build Altar"
    assert names_in(state, 0) == ["Altar", "Altar"]


@pytest.mark.flow
@pytest.mark.parametrize(("better", "worse"), [("point_counter", "fixed_order"), ("fixed_order", "random")])
def test_bots_win_against_weaker_ones(better, worse):
    won = 0.0
    for seed in range(12):
        other = worse if worse == "random" else f"seven_wonders:{worse}"
        agents = [other] * 3
        agents[seed % 3] = f"seven_wonders:{better}"
        won += play_order(GameOrder("x", "seven_wonders", tuple(agents), seed)).results[seed % 3] == WIN
    assert won >= 6
