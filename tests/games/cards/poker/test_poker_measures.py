"""Poker: its heuristic, and what its metric measures."""

import pytest
from play.measuring import random_game, scripted
from play.valuing import heuristic_of
from poker_positions import card_set, play, table

from tag.engine.rng import Rng
from tag.games.cards.poker import Poker, PokerHeuristic, PokerHeuristicParameters, PokerParameters
from tag.games.cards.poker.data import DECK, strength
from tag.games.cards.poker.values import chance_to_win

pytestmark = pytest.mark.flow


def at_street(hole, board, street):
    """Return a position of two players with these cards of player 0."""
    _model, state = table(500, 500, hands=(hole,), board=board)
    state.phase = street
    return state


# --- the chance to win --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("better", "worse"),
    [("Ac Ad", "Kc Kd"), ("Kc Kd", "Ac Kd"), ("Ac Kc", "Ac Kd"), ("Ac Kd", "Ac 2d"), ("8c 7d", "7c 2d")],
)
def test_before_the_flop_better_hands_have_a_better_chance(better, worse):
    assert chance_to_win(at_street(better, "", 0), 0) > chance_to_win(at_street(worse, "", 0), 0)


@pytest.mark.parametrize(
    ("better", "worse", "board"),
    [
        ("Ac 2d", "Kc 2d", "3h 7s 9d"),
        ("9c 2d", "7c 2d", "3h 7s 9d"),
        ("Tc Td", "9c 2d", "3h 7s 9d"),
        ("3c 7d", "Qc 9c", "3h 7s 9d"),
        ("3c 3d", "3c 7d", "3h 7s 9d"),
        ("Kh 2h", "Kh 2c", "3h 7h 9d"),
    ],
)
def test_after_the_flop_better_hands_have_a_better_chance(better, worse, board):
    assert chance_to_win(at_street(better, board, 1), 0) > chance_to_win(at_street(worse, board, 1), 0)


def test_a_draw_is_worth_nothing_once_all_cards_are_dealt():
    board = "3h 7h 9d Jc Qs"
    suited, mixed = ("Kh 2h", "Kh 2c")
    assert chance_to_win(at_street(suited, board, 3), 0) == chance_to_win(at_street(mixed, board, 3), 0)


@pytest.mark.parametrize("street", [0, 1, 2, 3])
def test_the_chance_to_win_is_as_often_right_as_it_says(street):
    """In each quarter of the estimates, random deals are won as often within 0.06, and better than by a constant."""
    rng = Rng(street)
    found = []
    for _deal in range(4_000):
        deck = DECK[:]
        rng.shuffle(deck)
        state = at_street("2c 3d", "", street)
        state.cards = deck[:9]
        board = card_set(deck[4:9])
        mine, other = strength(board | card_set(deck[:2])), strength(board | card_set(deck[2:4]))
        found.append((chance_to_win(state, 0), 1.0 if mine > other else 0.5 if mine == other else 0.0))
    found.sort(key=lambda deal: deal[0])
    for quarter in range(4):
        part = found[1_000 * quarter : 1_000 * (quarter + 1)]
        assert sum(chance for chance, _won in part) == pytest.approx(sum(won for _chance, won in part), abs=60)
    error = sum((chance - won) ** 2 for chance, won in found) / len(found)
    assert error < [0.24, 0.215, 0.2, 0.18][street]


# --- the heuristic ----------------------------------------------------------------------------------------------------


def value(state, player, **weights):
    return PokerHeuristic(PokerHeuristicParameters(**weights)).value(state, player)


def test_chips_count():
    _model, state = table(700, 500, 300, hands=("2c 7d", "2d 7c", "2h 7s"))
    assert value(state, 0) > value(state, 1) > value(state, 2)
    assert value(state, 0) > 0 > value(state, 2)


def test_better_cards_count_while_in_the_hand():
    for fold, relation in ((False, True), (True, False)):
        values = []
        for hole in ("Ac Ad", "2c 7d"):
            model, state = table(500, 500, 500, hands=(hole,))
            play(model, state, "fold" if fold else "call")
            values.append(value(state, 0))
        assert (values[0] > values[1]) == relation


@pytest.mark.parametrize(("hole", "pays"), [("Ac Ad", True), ("2c 7d", False)])
def test_a_call_is_expected_only_if_the_cards_are_worth_the_price(hole, pays):
    model, state = table(500, 500, hands=("9c 9d", hole))
    play(model, state, 500)
    folded = state.copy()
    folded.fold(1)
    assert (value(state, 1) > value(folded, 1)) == pays
    assert value(state, 1) >= value(folded, 1)


def test_a_lead_is_worth_more_with_fewer_hands_left():
    values = []
    for n_hands in (1, 5, 10, 100):
        model, state = table(700, 300, n_hands=n_hands)
        play(model, state, "call")
        values.append(value(state, 0))
    assert values[0] > values[1] > values[2] == values[3] > 0


def test_cards_of_others_are_not_looked_at():
    values = set()
    for rival in ("Ac Ad", "2c 7d", "9h 9s"):
        model, state = table(500, 500, 500, hands=("Kc Qc", rival), board="Kd 7h 2s 5c 5d")
        play(model, state, 35, "call", "call")
        values.add(heuristic_of(state, 0))
    assert len(values) == 1


def test_a_player_out_of_chips_has_lost():
    model, state = table(50, 500, 500, n_hands=3, hands=("2c 3d", "Ac Ad"), board="Ah As 9d 8c Qh")
    play(model, state, 50, "call", "fold")
    assert heuristic_of(state, 0) == -1.0
    assert not state.is_terminal


# --- the metric -------------------------------------------------------------------------------------------------------


def test_a_hand_won_without_a_showdown():
    model, state = table(500, 500, 500)
    found = scripted(model, "poker", state, "raise by 100 % of the pot", "fold", "fold")
    assert found["pots"] == [2.5]  # ten of the raise, and the blinds
    assert (found["hands"], found["showdowns"], found["flops"]) == ([1.0], [0.0], [0.0])
    assert (found["voluntary"], found["preflop_raises"]) == ([1 / 3], [1 / 3])
    assert (found["raises"], found["aggression"], found["all_ins"]) == ([1.0], [1 / 3], [0.0])


def test_a_showdown():
    model, state = table(500, 500, hands=("Ac Ad", "Kc Kd"), board="2h 7s 9c Jd 3h")
    found = scripted(model, "poker", state, "call", "check", *["check"] * 5, "smallest raise", "call")
    assert found["pots"] == [4.0]
    assert (found["showdowns"], found["flops"]) == ([1.0], [1.0])
    assert (found["voluntary"], found["preflop_raises"]) == ([1 / 2], [0.0])
    assert (found["raises"], found["aggression"]) == ([1.0], [1 / 3])


def test_an_all_in_counts_as_a_raise_and_leaves_a_player_out():
    model, state = table(500, 500, hands=("Ac Ad", "Kc Kd"), board="2h 7s 9c Jd 3h")
    found = scripted(model, "poker", state, "all-in", "call")
    assert (found["pots"], found["all_ins"], found["out"]) == ([100.0], [1.0], [1.0])
    assert (found["showdowns"], found["flops"]) == ([1.0], [0.0])


@pytest.mark.parametrize("n_players", [2, 9])
def test_each_hand_of_a_game_is_counted_once(n_players):
    model = Poker(PokerParameters(raises="minimum"))
    state, _log, found = random_game(model, "poker", n_players, seed=n_players)
    assert found["hands"] == [float(state.round)] == [float(len(found["pots"]))]
    assert 0.0 < found["voluntary"][0] <= 1.0
    assert found["preflop_raises"][0] <= found["voluntary"][0]
    assert found["out"] == [float(state.stacks.count(0))]
