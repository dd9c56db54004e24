"""Dominion: its heuristic, what its metric measures, and random play without lists of actions."""

import pytest
from dominion_positions import play, position
from play.measuring import random_game, scripted
from play.valuing import heuristic_of

from tag.engine.rng import Draws, Rng
from tag.games.cards.dominion import Dominion, DominionHeuristic, DominionHeuristicParameters, DominionParameters
from tag.games.cards.dominion.data import KINGDOMS, N_BASIC, NAMES

START = "7 Copper, 3 Estate"
#: TAG's weights, with which each good card counts for itself; those that are tuned leave drawing to money.
PLAIN = {"province": 5.0, "power": 1.5, "effects": 1.0, "draws": 0.7}


def value(deck, player=0, supply=None, **weights):
    """Return the value for a player at the beginning of the turn of player 0, whose hand is empty."""
    _model, state = position({"discards": deck}, {"discards": START}, supply=supply)
    return DominionHeuristic(DominionHeuristicParameters(**(PLAIN | weights))).value(state, player)


# --- the heuristic ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("better", ["Silver", "Gold", "Laboratory", "Festival", "Market", "Witch", "Province"])
def test_good_cards_count(better):
    assert value(f"{START}, {better}") > value(START) == 0 > value(f"{START}, {better}", player=1)


@pytest.mark.parametrize("worse", ["Curse", "Copper", "Estate"])
def test_poor_cards_dilute_a_deck(worse):
    assert value(f"{START}, 3 Gold, {worse}") < value(f"{START}, 3 Gold")


def test_points_count_more_and_money_less_when_few_provinces_are_left():
    assert value(f"{START}, Estate", supply={"Province": 8}) < 0 < value(f"{START}, Estate", supply={"Province": 1})
    gold = [value(f"{START}, Gold", supply={"Province": left}) for left in (8, 4, 1)]
    assert gold == sorted(gold, reverse=True)


def test_a_second_terminal_action_counts_less_than_the_first():
    first = value(f"{START}, Smithy") - value(START)
    second = value(f"{START}, 2 Smithy") - value(f"{START}, Smithy")
    assert first > second
    assert value(f"{START}, 3 Smithy, 2 Village") > value(f"{START}, 3 Smithy")


def test_coins_of_the_current_turn_count_whether_in_play_or_in_hand():
    values = []
    for texts in ((), ("end the action phase",)):
        model, state = position({"hand": "Moat, 2 Gold"}, {"hand": "Copper"})
        play(model, state, *texts)
        values.append(heuristic_of(state, 0))
    _model, state = position({"hand": "Moat", "discards": "2 Gold"}, {"hand": "Copper"})
    assert values[0] == values[1] > heuristic_of(state, 0)


# --- the metric -------------------------------------------------------------------------------------------------------


def test_what_is_bought_played_attacked_and_trashed():
    victim = {"hand": "Moat", "deck": "2 Gold"}
    other = {"hand": "2 Duchy", "deck": "2 Gold, Province"}
    model, state = position({"hand": "Festival, Bandit, 2 Gold"}, victim, other, supply={"Province": 1})
    texts = ["play Festival", "play Bandit", "reveal Moat", "choose no card", "buy Province", "buy Copper"]
    found = scripted(model, "dominion", state, *texts)
    assert found["plays"] == [2.0]
    assert found["kingdom_buys"] == [0.0]
    assert (found["attacks"], found["blocked"]) == ([2 / 3], [1 / 2])
    assert found["trashed"] == [1 / 3]
    assert (found["turns_each"], found["ends_by_piles"]) == ([1 / 3], [0.0])
    assert found["provinces"] == [2 / 3]
    assert found["margin"] == [6.0]
    assert found["deck"] == [14 / 3]
    assert found["treasures"] == [7 / 14]


def test_without_attacks_there_is_no_share_of_blocked_ones():
    model, state = position({"hand": "4 Gold"}, {"hand": "Copper"}, supply={"Curse": 0, "Duchy": 0, "Market": 1})
    found = scripted(model, "dominion", state, "buy Market")
    assert (found["blocked"], found["kingdom_buys"], found["ends_by_piles"]) == ([], [1.0], [1.0])


@pytest.mark.parametrize("n_players", [2, 4])
def test_measures_of_random_games_agree_with_the_end(n_players):
    state, log, found = random_game(Dominion(), "dominion", n_players, seed=n_players)
    bought = [text for _player, text in log.actions if text.startswith("buy ")]
    assert found["turns_each"] == [state.turn / n_players]
    assert found["plays"] == [sum(text.startswith("play ") for _player, text in log.actions) / state.turn]
    basic = {f"buy {name}" for name in NAMES[:N_BASIC]}
    assert found["kingdom_buys"] == [sum(text not in basic for text in bought) / len(bought)]
    assert found["attacks"] == [sum(event.name == "attack" for event in log.events) / n_players]


# --- random play and outcomes -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kingdom", KINGDOMS)
def test_random_play_is_the_same_with_and_without_lists_of_actions(kingdom):
    model = Dominion(DominionParameters(kingdom=kingdom))
    one, other = Rng(3), Rng(3)
    state = model.setup(3, one)
    same = model.setup(3, other)
    while not state.is_terminal:
        actions = model.available_actions(state)
        model.next(state, actions[one.below(len(actions))], one)
        model.rollout(same, 1, other)
        assert state.snapshot() == same.snapshot()


def test_outcomes_of_an_action_are_all_cards_that_may_be_drawn():
    model, state = position({"hand": "Village", "deck": "3 Copper, 2 Estate, Gold"}, {"hand": "Copper"})
    outcomes = model.outcomes(state, model.available_actions(state)[0]).all()
    assert sorted(probability for probability, _state in outcomes) == pytest.approx([1 / 6, 2 / 6, 3 / 6])


@pytest.mark.parametrize(("deck", "discards"), [("3 Copper, Estate, Gold", ""), ("Gold", "3 Copper, Estate")])
def test_drawing_when_needed_is_as_likely_as_drawing_from_a_shuffled_deck(deck, discards):
    """Two cards of a set of five, without and with a card that must come first."""
    model, state = position({"hand": "Moat", "deck": deck, "discards": discards}, {"hand": "Copper"})
    found = {}
    draws = Draws()
    while True:
        other = state.copy()
        model.next(other, model.available_actions(state)[0], draws.rng())
        coins = int(other.coins)
        found[coins] = found.get(coins, 0.0) + draws.probability()
        if not draws.advance():
            break
    # 1: Copper and Estate, 2: two Coppers, 3: Gold and Estate, 4: Gold and Copper
    expected = {3: 1 / 4, 4: 3 / 4} if discards else {1: 3 / 10, 2: 3 / 10, 3: 1 / 10, 4: 3 / 10}
    assert found == pytest.approx(expected)
