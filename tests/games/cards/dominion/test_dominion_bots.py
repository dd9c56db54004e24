"""Big Money with actions: purchases as the end of a game comes near, and discards for a Militia."""

from __future__ import annotations

import pytest
from dominion_positions import hand, play, position

from tag import Rng, make_agent
from tag.playing.agent import Budget, Simulator

#: Ten cards last for two turns until the next shuffle.
TWO_TURNS = "10 Copper"


def choice(model, state):
    """Return what the bot does as the current player."""
    agent = make_agent("dominion:big_money_plus")
    agent.player = int(state.current_player)
    agent.sim = Simulator(model, Rng(1), Budget(1000))
    return str(agent.act(state, model.available_actions(state)))


def buying(coins, provinces, *, deck="", lead=0, buys=1, seat=0, supply=None):
    """Return what the bot does with so many coins and buys, which is so many points ahead."""
    discards = "2 Gold, Militia"
    mine = {"hand": "", "deck": deck, "discards": f"{discards}, {lead} Estate" if lead > 0 else discards}
    other = {"hand": "", "deck": "", "discards": f"{-lead} Estate" if lead < 0 else ""}
    players = (other, mine) if seat else (mine, other)
    model, state = position(*players, supply={"Province": provinces, **(supply or {})}, seat=seat)
    state.coins, state.buys = coins, buys
    return choice(model, state)


@pytest.mark.parametrize(
    ("coins", "provinces", "deck", "wanted"),
    [
        (7, 5, TWO_TURNS, "buy Duchy"),
        (7, 6, TWO_TURNS, "buy Gold"),
        (7, 4, "", "buy Gold"),
        (7, 3, "", "buy Duchy"),
        (3, 3, TWO_TURNS, "buy Estate"),
        (3, 4, TWO_TURNS, "buy Silver"),
        (3, 1, "", "buy Estate"),
        (3, 2, "", "buy Estate"),
        (3, 3, "", "buy Silver"),
    ],
)
def test_points_are_bought_the_earlier_the_longer_a_treasure_would_wait_for_the_shuffle(coins, provinces, deck, wanted):
    assert buying(coins, provinces, deck=deck) == wanted


@pytest.mark.parametrize(("provinces", "wanted"), [(2, "buy Estate"), (3, "buy Gold")])
def test_an_estate_comes_before_a_gold_when_two_provinces_are_left(provinces, wanted):
    assert buying(6, provinces, deck=TWO_TURNS, supply={"Duchy": 0}) == wanted


@pytest.mark.parametrize(
    ("golds", "turns", "wanted"), [(1, 12, "buy Gold"), (1, 13, "buy Province"), (2, 12, "buy Province")]
)
def test_provinces_wait_for_two_golds_or_the_fourteenth_turn(golds, turns, wanted):
    model, state = position({"hand": "", "discards": f"{golds} Gold, Militia"}, {"hand": ""})
    state.coins, state.turn = 8, 2 * turns
    assert choice(model, state) == wanted


@pytest.mark.parametrize(("terminals", "wanted"), [("", "buy Militia"), ("Militia", "buy Gold")])
def test_the_first_action_that_gives_none_back_comes_before_a_gold(terminals, wanted):
    model, state = position({"hand": "", "discards": terminals}, {"hand": "Militia"})
    state.coins = 7
    assert choice(model, state) == wanted


@pytest.mark.parametrize(
    ("lead", "seat", "wanted"),
    [(-5, 0, "buy Province"), (-6, 0, "buy Duchy"), (-6, 1, "buy Province"), (-7, 1, "buy Duchy")],
    ids=["wins", "a tie with more turns", "a tie with as many turns", "loses"],
)
def test_the_last_province_is_bought_if_that_does_not_lose(lead, seat, wanted):
    assert buying(8, 1, lead=lead, seat=seat) == wanted


@pytest.mark.parametrize(("lead", "wanted"), [(1, "buy Estate"), (-2, "buy Province")])
def test_the_third_pile_is_emptied_if_that_wins(lead, wanted):
    assert buying(8, 5, lead=lead, supply={"Estate": 1, "Cellar": 0, "Chapel": 0}) == wanted


@pytest.mark.parametrize(
    ("lead", "coins", "buys", "wanted"),
    [
        (0, 8, 1, "buy Province"),
        (-1, 8, 1, "buy Duchy"),
        (-4, 8, 1, "buy Duchy"),
        (-5, 8, 1, "buy Province"),
        (-1, 16, 2, "buy Province"),
        (-1, 16, 1, "buy Duchy"),
    ],
)
def test_who_is_a_little_behind_leaves_the_last_province_but_one(lead, coins, buys, wanted):
    assert buying(coins, 2, lead=lead, buys=buys) == wanted


@pytest.mark.parametrize(
    ("coins", "buys", "wanted"),
    [(10, 2, "buy Estate"), (9, 2, "buy Duchy"), (10, 1, "buy Duchy"), (13, 2, "buy Estate")],
)
def test_points_are_bought_before_the_last_province_if_both_win(coins, buys, wanted):
    assert buying(coins, 1, lead=-6, buys=buys) == wanted


@pytest.mark.parametrize(
    ("cards", "kept"),
    [
        ("2 Copper, Silver, Estate, Smithy", "Copper, Silver, Smithy"),
        ("2 Copper, Silver, 2 Smithy", "Copper, Silver, Smithy"),
        ("2 Copper, Village, 2 Smithy", "Village, 2 Smithy"),
        ("Gold, Silver, Copper, Estate, Market", "Silver, Gold, Market"),
        ("Copper, 4 Province", "Copper, 2 Province"),
    ],
)
def test_the_best_cards_are_kept_from_a_militia(cards, kept):
    model, state = position({"hand": "Militia"}, {"hand": cards})
    play(model, state, "play Militia")
    while state.current_player == 1:
        play(model, state, choice(model, state))
    assert hand(state, 1) == kept
