"""Virus!: what players know, how the rest is dealt again, and views."""

from collections import Counter
from itertools import combinations
from math import sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from play.valuing import features_of, vector_of
from virus_positions import (
    BLUE,
    CLEAN,
    GREEN,
    IMMUNE,
    LATEX_GLOVE,
    MEDICINE,
    RED,
    SPREADING,
    VIRUS,
    WILD,
    all_cards,
    play,
    position,
    random_positions,
    set_deck,
    sick,
    vaccinated,
)

from tag.engine.rng import Rng
from tag.games.cards.virus import Virus
from tag.games.cards.virus.actions import Discard, PlayLatexGlove, PlayMedicine, PlaySpreading, PlayVirus, Transplant
from tag.games.cards.virus.data import N_KINDS

PLAYERS = st.integers(2, 6)
SEEDS = st.integers(0, 2**32)


def observations(state, player, count=40, seed=1):
    rng = Rng(seed)
    return [state.observation(player, rng) for _each in range(count)]


# --- what is known ----------------------------------------------------------------------------------------------------


def test_the_own_hand_and_all_that_lies_open_are_known():
    state = position([RED, GREEN, BLUE], {RED: sick(RED)}, {GREEN: CLEAN}, {})
    play(state, Discard(RED))
    for player in range(3):
        for seen in observations(state, player):
            assert seen.hand(player) == state.hand(player)
            assert seen.bodies == state.bodies
            assert seen.discards == state.discards
            assert seen.deck_size == state.deck_size


def test_the_hands_of_others_and_the_deck_are_not_known():
    state = position([RED, GREEN, BLUE], {}, {}, hands=[[WILD, LATEX_GLOVE, RED]])
    seen = observations(state, 0, 100)
    assert len({tuple(each.hand(1)) for each in seen}) > 80
    assert len({tuple(each.deck) for each in seen}) > 80


def test_how_many_cards_the_others_hold_is_known():
    state = play(position([LATEX_GLOVE, RED, RED], {}, {}, {}), PlayLatexGlove())
    play(state, Discard())
    for player in range(3):
        for seen in observations(state, player):
            assert [len(seen.hand(other)) for other in range(3)] == [3, 3, 0]


@pytest.mark.flow
def test_every_deal_is_as_likely_as_it_should_be():
    # Two hearts, a stomach, a red virus and a glove are unknown to player 0, who knows that player 1 holds two of them.
    unknown = [RED, RED, GREEN, VIRUS + RED, LATEX_GLOVE]
    state = position([BLUE], {}, {}, hands=[[RED, GREEN]], hand_size=2)
    deck = [0] * N_KINDS
    for card in (RED, VIRUS + RED, LATEX_GLOVE):
        deck[card] += 1
    set_deck(state, deck, [0] * N_KINDS)
    draws = 20_000
    found = Counter(tuple(seen.hand(1)) for seen in observations(state, 0, draws))
    expected = Counter(combinations(unknown, 2))
    assert set(found) == set(expected)
    for hand, ways in expected.items():
        mean = draws * ways / 10
        assert abs(found[hand] - mean) < 4.5 * sqrt(mean)


def test_cards_are_drawn_with_the_chance_of_their_numbers_in_the_deck():
    deck = [0] * N_KINDS
    for card, count in ((RED, 3), (VIRUS + BLUE, 1), (MEDICINE + WILD, 2), (LATEX_GLOVE, 4)):
        deck[card] = count
    state = position([], {}, {}, hand_size=1)
    rng = Rng(8)
    draws = 20_000
    found = Counter()
    for _draw in range(draws):
        copy = state.copy()
        set_deck(copy, deck[:], [0] * N_KINDS)
        copy.draw_up(0, rng)
        found[copy.hand(0)[0]] += 1
    for card, count in enumerate(deck):
        mean = draws * count / 10
        assert abs(found[card] - mean) <= 4.5 * sqrt(mean)


# --- properties -------------------------------------------------------------------------------------------------------


@settings(derandomize=True, deadline=None, max_examples=8)
@given(n_players=PLAYERS, seed=SEEDS)
def test_observation_keeps_what_is_known_and_loses_no_card(n_players, seed):
    model = Virus()
    rng = Rng(seed)
    for state in random_positions(n_players, seed, max_rounds=30)[::3]:
        for player in range(n_players):
            seen = state.observation(player, rng)
            assert seen.knowledge(player) == state.knowledge(player)
            assert hash(seen.knowledge(player)) == hash(state.knowledge(player))
            assert all_cards(seen) == all_cards(state)
            assert seen.deck_size == sum(seen.deck)
            assert features_of(seen, player) == features_of(state, player)
            assert seen.text(player) == state.text(player)
            if player == state.current_player:
                assert model.available_actions(seen) == model.available_actions(state)


def test_knowledge_tells_own_hands_apart_and_nothing_hidden():
    one = position([RED, GREEN, BLUE], {}, {}, hands=[[RED, RED, RED]])
    other = position([RED, GREEN, BLUE], {}, {}, hands=[[GREEN, GREEN, VIRUS]])
    third = position([RED, GREEN, GREEN], {}, {}, hands=[[RED, RED, RED]])
    assert one.knowledge(0) == other.knowledge(0) != third.knowledge(0)
    assert one.knowledge(1) == third.knowledge(1) != other.knowledge(1)


def test_how_far_spreading_has_got_is_known():
    state = play(position([SPREADING], {RED: sick(RED)}, {RED: CLEAN}), PlaySpreading())
    later = state.copy()
    later.sequences[0].next_organ += 1
    assert later.knowledge(1) != state.knowledge(1)
    assert state.observation(1, Rng(1)).sequences[0].current_player(state) == 0


# --- views ------------------------------------------------------------------------------------------------------------


def test_text_shows_a_viewer_the_own_hand_only():
    state = position([RED, GREEN, LATEX_GLOVE], {}, {BLUE: vaccinated(WILD)}, hands=[[WILD, SPREADING, RED]])
    assert [("latex glove" in state.text(viewer)) for viewer in (0, 1, -1)] == [True, False, True]
    assert [("spreading" in state.text(viewer)) for viewer in (0, 1, -1)] == [False, True, True]
    assert "hand ?, ?, ?" in state.text(0)
    assert "body brain vaccinated (wild medicine)" in state.text(0)
    assert str(state) == state.text(-1)


def test_text_names_all_states_of_organs():
    state = position([], {RED: CLEAN, GREEN: sick(WILD), BLUE: IMMUNE}, {}, hands=[[]])
    assert "hand empty  body heart, stomach infected (wild virus), brain immunised (red medicine + red" in state.text(1)
    assert "player 1  hand empty  body empty" in state.text(1)


def test_actions_say_what_they_do():
    bodies = [
        {RED: sick(RED), GREEN: CLEAN, BLUE: vaccinated(BLUE)},
        {RED: CLEAN, GREEN: sick(GREEN), BLUE: vaccinated(BLUE)},
    ]
    state = position([], *bodies)
    medicines = [PlayMedicine(colour, colour).text(state, 1) for colour in (RED, GREEN, BLUE)]
    assert medicines == [
        "red medicine cures heart",
        "green medicine vaccinates stomach",
        "blue medicine immunises brain",
    ]
    viruses = [PlayVirus(WILD, 1, colour).text(state, 0) for colour in (RED, GREEN, BLUE)]
    assert viruses == [
        "wild virus infects heart of player 1",
        "wild virus destroys stomach of player 1",
        "wild virus neutralises medicine on brain of player 1",
    ]
    assert str(Transplant(0, RED, 1, WILD)) == "transplant heart of player 0 and wild organ of player 1"
    assert str(Discard(RED, VIRUS)) == "discard heart, red virus"
    assert str(Discard()) == "draw a new hand"
    for seen in random_positions(5, seed=3)[::5]:
        for action in Virus().available_actions(seen):
            assert action.text(seen, 0)
            assert str(action)


def test_features_name_what_is_seen():
    bodies = [{RED: sick(RED)}, {GREEN: vaccinated(GREEN)}, {WILD: IMMUNE}]
    features = features_of(position([RED, RED, LATEX_GLOVE], *bodies), 0)
    assert features["hand_heart"] == 2.0
    assert features["hand_latex glove"] == 1.0
    assert features["organ_red_0"] == features["infected_red_0"] == 1.0
    assert (features["medicines_green_1"], features["medicines_wild_2"]) == (1.0, 2.0)
    assert features["deck"] == 68 - 9 - 2 - 2 - 3
    state = position([RED], {}, {}, {})
    assert len({len(vector_of(state, player)) for player in range(3)}) == 1


def test_components_hold_all_cards_and_who_sees_them():
    state = position([RED, GREEN, LATEX_GLOVE], {BLUE: sick(WILD)}, {}, {})
    by_name = {component.name: component for component in state.components()}
    assert sum(len(pile.items) for pile in by_name.values()) == 68
    assert [card.name for card in by_name["body of 0"].items] == ["brain", "wild virus"]
    assert [by_name["hand of 0"].hidden_count(player) for player in range(3)] == [0, 3, 3]
    assert by_name["deck"].hidden_count(0) == state.deck_size
    assert by_name["body of 0"].hidden_count(1) == 0
