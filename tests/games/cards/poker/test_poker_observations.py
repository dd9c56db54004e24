"""Poker: what players know, how the rest is dealt again, and views."""

from collections import Counter
from math import sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from play.valuing import features_of, heuristic_of
from poker_positions import cards, play, table

from tag.engine.rng import Draws, Rng
from tag.games.cards.poker import Poker, PokerParameters
from tag.games.cards.poker.data import ON_BOARD, deal


def observations(state, player, number=40, seed=1):
    rng = Rng(seed)
    return [state.observation(player, rng) for _each in range(number)]


def assert_uniform(found, values):
    """Say that all ``values`` were drawn, equally often: each within five standard deviations."""
    draws = sum(found.values())
    assert set(found) == set(values)
    mean = draws / len(set(values))
    assert all(abs(number - mean) < 5 * sqrt(mean) for number in found.values())


# --- dealing: against enumeration -------------------------------------------------------------------------------------


@pytest.mark.parametrize("kept", [[], [0], [1, 3]])
def test_all_deals_are_as_likely(kept):
    """All draws are gone through: each ordered deal of two cards from those not kept comes up once."""
    before = cards("As Kd 2c Qh")[: len(kept) + 2]
    found = Counter()
    draws = Draws()
    while True:
        dealt = before[:]
        deal(dealt, kept, draws.rng())
        found[tuple(dealt)] += 1
        if not draws.advance():
            break
    left = 52 - len(kept)
    assert len(found) == left * (left - 1)
    assert set(found.values()) == {1}
    assert all(len(set(dealt)) == len(dealt) for dealt in found)
    assert all(dealt[place] == before[place] for dealt in found for place in kept)


def test_hole_cards_and_board_are_dealt_from_one_deck():
    model, rng = Poker(), Rng(3)
    found = Counter()
    for _game in range(1_500):
        state = model.setup(9, rng)
        assert len(set(state.cards)) == 23
        found.update([state.cards[5], state.cards[22]])
    assert_uniform(found, range(52))


# --- what is known ----------------------------------------------------------------------------------------------------


def test_a_player_knows_the_own_cards_and_the_board():
    model, state = table(500, 500, 500, hands=("Ac Ad", "Kc Kd", "Qc Qd"), board="2h 3h 4h 5s 6s")
    for on_board, choices in ((0, ["call", "call", "check"]), (3, ["check"] * 3), (4, ["check"] * 3), (5, [])):
        for player in range(3):
            for seen in observations(state, player, 15):
                assert seen.cards[2 * player : 2 * player + 2] == state.cards[2 * player : 2 * player + 2]
                assert seen.board() == state.board() == cards("2h 3h 4h 5s 6s")[:on_board]
        play(model, state, *choices)


def test_all_other_cards_are_dealt_again_each_as_likely():
    model, state = table(500, 500, 500, hands=("Ac Ad", "Kc Kd", "Qc Qd"), board="2h 3h 4h 5s 6s")
    play(model, state, "call", "call", "check")
    known = cards("Ac Ad 2h 3h 4h")
    unseen = [card for card in range(52) if card not in known]
    draws = observations(state, 0, 4_000)
    for place in (2, 3, 4, 5, 9, 10):
        assert_uniform(Counter(seen.cards[place] for seen in draws), unseen)
    assert all(len(set(seen.cards)) == 11 for seen in draws)


def test_pairs_of_hidden_cards_are_as_likely():
    """The last two cards of the board and a rival's first: all orders of them."""
    model, state = table(500, 500, hands=("Ac Ad", "Kc Kd"), board="2h 3h 4h 5s 6s")
    play(model, state, "call", "check")
    draws = observations(state, 0, 6_000)
    orders = Counter(
        tuple(sorted(range(3), key=[seen.cards[2], seen.cards[7], seen.cards[8]].__getitem__)) for seen in draws
    )
    assert len(orders) == 6
    assert_uniform(orders, list(orders))


def test_a_folded_hand_stays_hidden_and_known_to_its_player():
    model, state = table(500, 500, 500, hands=("Ac Ad", "Kc Kd", "Qc Qd"), board="2h 3h 4h 5s 6s")
    play(model, state, "fold")
    assert len({tuple(seen.cards[:2]) for seen in observations(state, 1)}) > 35
    assert {tuple(seen.cards[:2]) for seen in observations(state, 0)} == {tuple(cards("Ac Ad"))}
    assert "cards Ac Ad (folded)" in state.text(0)
    assert "cards ? ? (folded)" in state.text(1)


def test_after_the_last_showdown_the_cards_shown_are_known_to_all():
    model, state = table(50, 50, 50, hands=("Ac Ad", "Kc Kd", "Qc Qd"), board="2h 3h 4h 5s 6s")
    play(model, state, 50, "fold", "call")
    assert state.is_terminal
    for viewer in range(3):
        for seen in observations(state, viewer, 10):
            assert [seen.cards[:2], seen.cards[4:6]] == [state.cards[:2], state.cards[4:6]]
            assert seen.board() == state.board()
    assert len({tuple(seen.cards[2:4]) for seen in observations(state, 0)}) > 35


def test_after_all_others_have_folded_no_card_is_known():
    model, state = table(50, 50, hands=("Ac Ad", "Kc Kd"))
    play(model, state, "fold")
    assert state.is_terminal
    assert len({tuple(seen.cards[:2]) for seen in observations(state, 1)}) > 35


def test_cards_of_an_earlier_hand_are_forgotten():
    """A new hand is dealt from a full deck, so they tell nothing."""
    model, state = table(50, 500, 500, n_hands=3)
    play(model, state, 50, "fold", "call")
    assert (state.round, state.shown, state.board()) == (1, 0, [])


def test_a_player_who_is_out_knows_no_cards():
    hands = ("2c 3d", "Ac Ad", "Kc Kd")
    model, state = table(50, 500, 500, n_hands=3, hands=hands, board="Ah As 9d 8c Qh")
    play(model, state, 50, "call", "fold")
    assert state.result(0) < 0
    assert not any(state.sees(0, seat) for seat in range(3))
    assert len({tuple(seen.cards) for seen in observations(state, 0)}) == 40
    assert "out" in state.text(0).split("\n")[1]


# --- against an independent record of what is certain -------------------------------------------------------------------


@settings(derandomize=True, deadline=None, max_examples=20)
@given(n_players=st.integers(2, 9), seed=st.integers(0, 2**32))
def test_observations_keep_what_is_certain_and_deal_cards_once(n_players, seed):
    model, rng = Poker(PokerParameters(hands=3, stack=100)), Rng(seed)
    state = model.setup(n_players, rng)
    while True:
        street = int(state.phase)
        for player in range(n_players):
            seen = state.observation(player, rng)
            has_hand = state.stacks[player] + state.paid[player] > 0
            certain = state.cards[2 * n_players :][: ON_BOARD[street]]
            certain += state.cards[2 * player : 2 * player + 2] if has_hand else []
            assert set(certain) <= set(seen.cards)
            assert len(set(seen.cards)) == len(seen.cards)
            assert seen.knowledge(player) == state.knowledge(player)
            assert features_of(seen, player) == features_of(state, player)
            assert seen.text(player) == state.text(player)
            assert heuristic_of(seen, player) == heuristic_of(state, player)
        if state.is_terminal:
            break
        model.next(state, model.random_action(state, rng), rng)


# --- views ------------------------------------------------------------------------------------------------------------


def test_text_shows_the_own_cards_the_board_and_all_chips():
    model, state = table(500, 500, 500, hands=("Ac Ad", "Kc Kd", "Qc Qd"), board="2h 3h 4h 5s 6s")
    play(model, state, 35, "call", "fold")
    assert state.text(1).split("\n") == [
        "Hand 1 of 1, flop, player 1 to act; board 2h 3h 4h, pot 80, blinds 5 and 10",
        "player 0  stack 465  put in 35  cards ? ?  button",
        "player 1  stack 465  put in 35  cards Kc Kd",
        "player 2  stack 490  put in 10  cards ? ? (folded)",
    ]
    assert "cards Ac Ad  button" in str(state)


def test_actions_say_their_chips():
    model, state = table(500, 500, 500)
    texts = [action.text(state, 1) for action in model.available_actions(state)]
    assert texts[:3] == ["fold", "call 10", "raise to 20 (smallest raise)"]
    assert texts[4:] == ["raise to 35 (raise by 100 % of the pot)", "raise to 500 (all-in)"]
    play(model, state, "call", "call", "check")
    texts = [action.text(state, 1) for action in model.available_actions(state)]
    assert texts[:3] == ["check", "bet 10 (smallest raise)", "bet 15 (raise by 50 % of the pot)"]


def test_features_are_the_own_cards_and_chips_in_big_blinds():
    model, state = table(500, 400, 300, hands=("Ac Kc", "Kd Qh", "2c 2d"), board="2h 3h 4h 5s 6s")
    play(model, state, 35)
    features = features_of(state, 1)
    assert (features["stack_0"], features["put_in_0"], features["stack_2"]) == (39.5, 0.5, 46.5)
    assert (features["owed"], features["pot"], features["smallest_raise"]) == (3.0, 5.0, 2.5)
    assert (features["high_rank"], features["low_rank"], features["is_suited"]) == (11.0, 10.0, 0.0)
    assert (features["button_2"], features["in_hand_0"], features["has_acted_2"]) == (1.0, 1.0, 1.0)
    play(model, state, "call", "call")
    assert [features_of(state, player)["category"] for player in range(3)] == [0.0, 0.0, 3.0]


def test_components_hold_all_cards_and_who_sees_them():
    model, state = table(500, 500, 0, 500, hands=("Ac Ad", "Kc Kd"), board="2h 3h 4h 5s 6s")
    play(model, state, "call", "call", "check")
    by_name = {component.name: component for component in state.components()}
    decks = [part for name, part in by_name.items() if hasattr(part, "items")]
    assert sum(len(deck.items) for deck in decks) == 52
    assert "hand of 2" not in by_name
    assert [card.name for card in by_name["board"].items] == ["2h", "3h", "4h"]
    assert [by_name["hand of 1"].hidden_count(player) for player in range(4)] == [2, 0, 2, 2]
    assert by_name["deck"].hidden_count(0) == 52 - 6 - 3
    assert by_name["stack of 2"].value == 0
