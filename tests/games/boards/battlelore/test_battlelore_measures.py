"""BattleLore: its heuristic, what its metric measures, and its vocabulary."""

import pytest
from battlelore_positions import COMMAND, attack, battle, do, offered
from play.measuring import metric_of, random_game
from play.valuing import heuristic_of

from tag import Rng, make_game
from tag.games.boards.battlelore import Battlelore, BattleloreHeuristic, BattleloreHeuristicParameters


def value(*units, player=0, points=(0, 0), scenario="learning", **weights):
    _model, state = battle(*units, phase=COMMAND, points=points, scenario=scenario)
    return BattleloreHeuristic(BattleloreHeuristicParameters(**weights)).value(state, player)


# --- the heuristic -------------------------------------------------------------------------------------------------------


def test_both_players_start_alike():
    state = Battlelore().setup(2, Rng(1))
    assert heuristic_of(state, 0) == -heuristic_of(state, 1) == pytest.approx(0.0)


@pytest.mark.parametrize("player", [0, 1])
def test_points_figures_and_strong_units_count(player):
    sign = 1 if player == 0 else -1
    assert sign * value("h3 A1", "G3 L9", player=player, points=(1, 0)) > 0
    assert sign * value("h3 A1", "G2 L9", player=player) > 0
    assert sign * value("h2 A1", "G1 L9", player=player, figure=0.0) > 0
    assert value("h2 A1", "G1 L9", figure=0.0, strong=0.0) == 0


def test_units_that_come_nearer_to_enemies_or_banners_are_worth_more():
    assert value("h3 F6", "v3 L7", "G3 L9") > value("h3 E6", "v3 L7", "G3 L9")
    assert value("h3 D5", "G3 L9", scenario="banners") > value("h3 D4", "G3 L9", scenario="banners")
    assert value("h3 C5", "G3 L9", scenario="banners") > value("h3 D5", "G3 L9", scenario="banners") + 0.05


# --- the metric ----------------------------------------------------------------------------------------------------------


def measured(model, state, *steps):
    """Return the measures after these steps: texts of actions, or an attack with the faces of the dice."""
    metric = metric_of(model, "battlelore")
    state.recording = True
    for step in steps:
        state.announced = ()
        if isinstance(step, str):
            by_text = {action.text(state, -1): action for action in model.available_actions(state)}
            metric.on_action_chosen(state, state.current_player, by_text[step], list(by_text.values()), None)
            do(model, state, step)
        else:
            attack(model, state, *step)
        for event in state.announced:
            metric.on_game_event(state, event)
    metric.on_end(state)
    return metric.values()


def test_attacks_damage_retreats_and_points():
    model, state = battle("h3 E5", "v3 A5", "h1 L1", "G1 F5", "A3 C5", "G3 L9", hands=(("Wedge",), ()))
    found = measured(model, state, ("A5", "C5", "pierce", "morale"), ("E5", "F5", "strike", "lore", "lore"), "advance")
    assert (found["attacks"], found["damage"], found["retreats"]) == ([2.0], [1.0], [0.5])
    assert (found["advances"], found["units_lost"], found["unit_points"]) == ([0.5], [1.0], [1.0])
    assert (found["counters"], found["counter_damage"], found["margin"]) == ([0.0], [], [1.0])


def test_cards_by_section():
    hands = (("Patrol Left", "Wedge"), ("Attack Center", "Patrol Right"))
    model, state = battle("h3 L1", "G3 F6", phase=COMMAND, hands=hands, scenario="banners")
    steps = ["play Patrol Left", "end moves", "play Attack Center", "end moves", "play Wedge", "end moves"]
    found = measured(model, state, *steps, "play Patrol Right to order any one unit", "end moves")
    names = ("left", "centre", "right", "wide")
    assert [found[f"{name}_cards"] for name in names] == [[0.25], [0.25], [0.0], [0.25]]
    assert (found["any_unit"], found["damage"]) == ([0.25], [])


def test_points_by_banners_and_by_units_are_all_points():
    model = make_game("battlelore:scenario=banners")
    for seed in range(3):
        state, log, found = random_game(model, "battlelore", 2, seed)
        assert found["unit_points"][0] + found["banner_points"][0] == sum(state.points)
        assert found["units_lost"] == found["unit_points"]
        assert found["attacks"] == [float(sum("attack unit" in text for _player, text in log.actions))]
        assert found["margin"] == [abs(state.points[0] - state.points[1])]
        counters = sum(text == "counter" for _player, text in log.actions)
        assert found["counters"] == [counters / found["attacks"][0]]


# --- the vocabulary ------------------------------------------------------------------------------------------------------


def test_every_action_has_a_number():
    model = Battlelore()
    vocabulary = model.vocabulary(2)
    assert len(vocabulary) == 8 + 8 + 18 + 18 * 104 + 18 * 18 + 6
    state = model.setup(2, Rng(1))
    numbers = [vocabulary.index(action) for action in model.available_actions(state)]
    assert [vocabulary.action(number) for number in numbers] == model.available_actions(state)
    assert offered(model, state)
