"""Sushi Go!: what players know, how the rest is dealt again, and views."""

from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import comb, prod, sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from play.valuing import features_of
from sushi_go_positions import all_cards, cards, has_chosen, letters, offered, play, position

from tag import packed_size
from tag.engine.rng import Draws, Rng
from tag.games.cards.sushi_go import SushiGo, SushiGoParameters
from tag.games.cards.sushi_go.data import (
    CHOPSTICKS,
    N_KINDS,
    NO_CARD,
    choice_of,
    count,
    double_choices,
    packed,
    random_choice,
)
from tag.games.cards.sushi_go.state import SushiGoState

pytestmark = pytest.mark.flow

SMALL = {name: 0 for name in ("sashimi", "maki_1", "maki_2", "maki_3", "eggs", "salmon", "squid", "wasabi")}


def single_choices(hand):
    return [choice_of(kind, NO_CARD) for kind in range(N_KINDS) if count(hand, kind)]


def observations(state, player, number=40, seed=1):
    rng = Rng(seed)
    return [state.observation(player, rng) for _each in range(number)]


def assert_as_likely(found, expected):
    """Compare numbers of draws with probabilities; a false alarm has less than one chance in 10,000."""
    draws = sum(found.values())
    assert set(found) == set(expected)
    for value, probability in expected.items():
        mean = draws * float(probability)
        assert abs(found[value] - mean) < 5 * sqrt(mean * (1 - float(probability))) + 1e-9


def hands_from(pool, number):
    """Return the probability of each hand of so many cards from ``pool``, by the hypergeometric distribution."""
    ways = Counter("".join(hand) for hand in combinations("".join(sorted(pool)), number))
    total = comb(len(pool), number)
    return {"".join(sorted(hand)): Fraction(count, total) for hand, count in ways.items()}


# --- dealing: against enumeration -------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [1, 2, 3])
def test_hands_are_dealt_with_hypergeometric_probabilities(number):
    pool = "tttdpc"
    found = Counter()
    draws = Draws()
    while True:
        state = SushiGoState(2, [0, 0], [0, 0], [0, 0], [0, 0])
        state.deck, state.deck_size = cards(pool), len(pool)
        hand = state.draw_hand(number, draws.rng())
        found["".join(sorted(letters(hand)))] += Fraction(draws.probability()).limit_denominator(1_000)
        assert (state.deck + hand, state.deck_size) == (cards(pool), len(pool) - number)
        if not draws.advance():
            break
    assert found == hands_from(pool, number)


def test_opening_hands_hold_each_kind_as_often_as_they_should():
    model, rng, games = SushiGo(), Rng(3), 3_000
    deck = model.rules.deck()
    found = Counter()
    for _game in range(games):
        state = model.setup(4, rng)
        found.update(kind for kind in range(N_KINDS) if count(state.hands[2], kind))
    for kind, copies in enumerate(deck):
        chance = 1 - comb(108 - copies, 8) / comb(108, 8)
        assert abs(found[kind] - games * chance) < 4.5 * sqrt(games * chance * (1 - chance))


# --- what is known ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n_players", [2, 3, 4, 5])
@pytest.mark.parametrize("both_ways", [False, True])
def test_a_hand_is_known_to_those_who_have_held_it_and_to_no_other(n_players, both_ways):
    model, rng = SushiGo(SushiGoParameters(both_ways=both_ways)), Rng(n_players)
    state = model.setup(n_players, rng)
    holders = {}
    while not state.is_terminal:
        if packed_size(state.hands[0]) == state.dealt and not any(has_chosen(state)):
            holders = {seat: {seat} for seat in range(n_players)}  # by the seat that was dealt the hand
        passed = int(state.dealt - state.cards)
        step = -1 if both_ways and state.round == 1 else 1
        for dealt_to, known_to in holders.items():
            seat = (dealt_to + step * passed) % n_players
            known_to.add(seat)
            for viewer in range(n_players):
                assert state.knows_hand(viewer, seat) == (viewer in known_to)
        model.next(state, model.random_action(state, rng), rng)


def test_a_hand_passed_on_stays_known_through_all_that_is_taken_from_it():
    model, state = position("tdss", "ppe1", "nnq2", "www3", tables=("", "c", "", ""))
    play(model, state, "t", "ep", "n", "w")
    assert {letters(seen.hands[1]) for seen in observations(state, 0)} == {"ssd"}
    assert {letters(seen.hands[2]) for seen in observations(state, 1)} == {"1pc"}
    play(model, state, "s", "c", "2", "3")
    assert {letters(seen.hands[2]) for seen in observations(state, 0)} == {"sd"}
    assert {letters(seen.hands[3]) for seen in observations(state, 1)} == {"1p"}


def test_hands_not_held_and_the_deck_are_not_known():
    model = SushiGo()
    state = model.setup(3, Rng(9))
    seen = observations(state, 0, 100)
    assert len({each.hands[1] for each in seen}) > 95
    assert len({each.deck for each in seen}) > 95
    assert len({each.hands[0] for each in seen}) == 1


def test_every_deal_of_a_hidden_hand_is_as_likely_as_it_should_be():
    parameters = {**SMALL, "tempura": 3, "dumplings": 6, "puddings": 2, "chopsticks": 1}
    parameters |= {f"hand_{n}": 2 for n in range(2, 6)}
    _model, state = position("tp", "dt", "dd", **parameters)
    draws = observations(state, 1, 6_000)
    unseen = "tt" + "ddddd" + "pp" + "c"
    for seat in (0, 2):
        assert_as_likely(Counter("".join(sorted(letters(seen.hands[seat]))) for seen in draws), hands_from(unseen, 2))
    assert {all_cards(seen) for seen in draws} == {all_cards(state)}


def test_every_deal_beside_chopsticks_put_back_is_as_likely_as_it_should_be():
    few = {**SMALL, "tempura": 6, "dumplings": 8, "puddings": 2, "chopsticks": 3}
    model, state = position(
        "tdtd", "pddd", "tttd", "cddp", tables=("c", "", "", ""), **few, **{f"hand_{n}": 3 for n in range(2, 6)}
    )
    play(model, state, "td", "d", "t", "c")
    found = Counter(
        "".join(sorted(letters(seen.hands[1]).replace("c", "", 1))) for seen in observations(state, 3, 6_000)
    )
    # Player 3 has held two hands, "cddp" and "tttd" without the cards shown; all other cards but those shown are unseen.
    unseen = Counter("t" * 6 + "d" * 8 + "pp" + "ccc") - Counter("cddp" + "tttd" + "td" + "d" + "c")
    assert_as_likely(found, hands_from("".join(unseen.elements()), 2))


def test_chopsticks_put_back_are_known_to_be_in_a_hand_until_taken():
    model, state = position("tdss", "ppe1", "nnq2", "ttt3", tables=("c", "", "", ""))
    play(model, state, "td", "p", "n", "t")  # the hand of seat 0 went to seat 1 with the chopsticks
    assert (state.put_back, letters(state.hands[1])) == ((0, 1, 0, 0), "ssc")
    assert all(count(seen.hands[1], CHOPSTICKS) >= 1 for seen in observations(state, 3))
    assert len({seen.hands[1] for seen in observations(state, 3)}) > 20
    play(model, state, "c", "p", "n", "t")
    assert state.put_back == (0, 0, 0, 0)
    assert min(count(seen.hands[2], CHOPSTICKS) for seen in observations(state, 3)) == 0


# --- hidden choices ---------------------------------------------------------------------------------------------------


def test_a_choice_is_hidden_from_all_but_the_chooser():
    model, state = position("tds", "ppe", "nnq")
    play(model, state, "d")
    for seen in observations(state, 0):
        assert seen.chosen == state.chosen
    for viewer in (1, 2):
        assert {seen.chosen[0] for seen in observations(state, viewer)} != {state.chosen[0]}
        assert all(has_chosen(seen) == [True, False, False] for seen in observations(state, viewer))


def test_choices_are_drawn_again_from_the_hand_each_as_likely():
    model, state = position("tdp", "qwe", tables=("", "c"), dealt=4)  # both players have held both hands
    state.current_player = 1
    options = offered(model, state)
    assert options == ["e", "q", "w", "eq", "ew", "we", "qw", "wq"]
    play(model, state, "e")
    codes = single_choices(cards("qwe")) + double_choices(cards("qwe"), cards("c"))
    found = Counter(seen.chosen[1] for seen in observations(state, 0, 8_000))
    assert_as_likely(found, {code: Fraction(1, len(codes)) for code in codes})


def test_knowledge_is_equal_whatever_another_player_has_chosen_or_not_shown():
    known = set()
    for text in ("t", "d", "s"):
        model, state = position("tds", "ppe", "nnq")
        play(model, state, text)
        known.add(state.knowledge(1))
        assert len({state.knowledge(0)}) == 1
    assert len(known) == 1


def test_random_choices_are_the_available_ones_in_their_order():
    rng, other = Rng(5), Rng(5)
    model = SushiGo()
    for hand, table in (("tds", ""), ("qqwe", "c"), ("qqwe", "cw"), ("t", "c"), ("tt", "cc"), ("tc", "c")):
        packed_hand, packed_table = cards(hand), cards(table)
        codes = single_choices(packed_hand)
        if "c" in table and len(hand) > 1:
            codes += double_choices(packed_hand, packed_table)
        assert [random_choice(packed_hand, packed_table, rng) for _draw in range(50)] == [
            other.choice(codes) for _draw in range(50)
        ]
    assert model.vocabulary(2).action(0) is not None


# --- against a record of all deals that are possible ------------------------------------------------------------------


def hands_now(pool, hand_size, shown):
    """Return what is left of each hand of so many cards of ``pool`` from which the cards ``shown`` can be taken.

    After two cards in a turn chopsticks are put back.
    """
    found = set()
    for start in set(combinations(sorted(pool), hand_size)):
        hand = Counter(start)
        for taken in shown:
            if Counter(taken) - hand:
                break
            hand = hand - Counter(taken) + Counter("c" * (len(taken) == 2))
        else:
            found.add("".join(sorted(hand.elements())))
    return found


@pytest.mark.parametrize("n_players", [3, 4, 5])
def test_observations_deal_just_the_hands_that_remain_possible(n_players):
    """The last hand that a player has not held can be all that the cards taken from it allow, and nothing else."""
    few = {**SMALL, "tempura": 8, "dumplings": 8, "puddings": 0, "chopsticks": 12, "rounds": 1}
    model = SushiGo(SushiGoParameters(**few, **{f"hand_{n}": n_players for n in range(2, 6)}))
    full = letters(packed(model.rules.deck()))
    certain = 0
    for seed in range(12):
        rng = Rng(seed)
        state = model.setup(n_players, rng)
        dealt = [letters(hand) for hand in state.hands]
        shown = [[] for _hand in dealt]  # by the seat that was dealt the hand
        for turn in range(n_players - 2):
            for _seat in range(n_players):
                seat = int(state.current_player)
                text = rng.choice(offered(model, state))
                shown[(seat - turn) % n_players].append(text)
                play(model, state, text)
        for viewer in range(n_players):
            hidden = (viewer + 1) % n_players  # is now one seat before the viewer
            pool = Counter(full) - Counter("".join(dealt[:hidden] + dealt[hidden + 1 :]))
            possible = hands_now(pool.elements(), len(dealt[0]), shown[hidden])
            seat = (viewer - 1) % n_players
            found = {"".join(sorted(letters(seen.hands[seat]))) for seen in observations(state, viewer, 400)}
            assert found == possible
            certain += state.put_back[seat] > 0
    assert certain > 0 or n_players == 3


# --- properties -------------------------------------------------------------------------------------------------------


@settings(derandomize=True, deadline=None, max_examples=8)
@given(n_players=st.integers(2, 5), seed=st.integers(0, 2**32))
def test_observation_keeps_what_is_known_and_loses_no_card(n_players, seed):
    model = SushiGo()
    rng = Rng(seed)
    state = model.setup(n_players, rng)
    while not state.is_terminal:
        if rng.below(4) == 0:
            for player in range(n_players):
                seen = state.observation(player, rng)
                assert seen.knowledge(player) == state.knowledge(player)
                assert all_cards(seen) == all_cards(state)
                assert seen.deck_size == packed_size(seen.deck) == state.deck_size
                assert features_of(seen, player) == features_of(state, player)
                assert seen.text(player) == state.text(player)
        model.next(state, model.random_action(state, rng), rng)


# --- views ------------------------------------------------------------------------------------------------------------


def test_text_shows_a_viewer_the_hands_held_and_the_own_choice():
    model, state = position("tds", "ppe", "nnq", tables=("", "cQ", ""))
    play(model, state, "d")
    assert "hand tempura, sashimi, dumpling (chosen: dumpling)" in state.text(0)
    assert "hand ? (has chosen)" in state.text(1)
    assert "table chopsticks, squid nigiri on wasabi" in state.text(2)
    assert str(state) == state.text(-1)
    play(model, state, "p", "n")
    assert "player 1  points 0  puddings 1  hand tempura, sashimi" in state.text(0)


def test_features_name_what_is_seen():
    model, state = position("tds", "ppe", "nnq", tables=("33", "cQ", "2"), scored=(4, 9, 0), kept=(1, 0, 2))
    features = features_of(state, 0)
    assert (features["points_1"], features["puddings_2"], features["maki_rolls_0"]) == (9.0, 2.0, 6.0)
    assert (features["hand_tempura_0"], features["knows_hand_1"], features["hand_pudding_1"]) == (1.0, 0.0, 0.0)
    assert features["table_squid_nigiri_on_wasabi_1"] == 1.0
    play(model, state, "d")
    assert [features_of(state, player)["chosen_dumpling"] for player in (0, 1)] == [1.0, 0.0]


def test_components_hold_all_cards_and_who_sees_them():
    _model, state = position("tds", "ppe", "nnq", tables=("33", "cQ", "2"), kept=(1, 0, 2))
    by_name = {component.name: component for component in state.components()}
    decks = [part for name, part in by_name.items() if not name.startswith("points")]
    assert sum(len(deck.items) for deck in decks) == 108
    assert [card.name for card in by_name["table of 1"].items] == ["squid nigiri", "wasabi", "chopsticks"]
    assert [by_name["hand of 1"].hidden_count(player) for player in range(3)] == [3, 0, 3]
    assert prod(by_name[f"puddings of {seat}"].hidden_count(0) == 0 for seat in range(3))
