"""Uno: what players know, how the rest is dealt again, the heuristic, and views of a position."""

from collections import Counter
from itertools import combinations
from math import sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from uno_positions import all_cards, card, hand, play, position, random_positions, recount

from games.uno import Uno, UnoHeuristic, UnoHeuristicParameters
from games.uno.cards import cards_in
from games.uno.sightings import FEWEST, MOST, SEEN, seen_by
from games.uno.state import HANDS
from games.uno.views import known_hand
from tag.components import PartiallyObservableDeck
from tag.registry import make_heuristic
from tag.rng import Rng

FOUR = "wild draw four (green)"


def observations(state, player, count=60, seed=1):
    rng = Rng(seed)
    return [state.observation(player, rng) for _each in range(count)]


def challenged():
    """Return a position after player 1 has seen the blue 1 and blue 2 of player 0 in a failed challenge."""
    return play(position(["f b1 b2", "r1", "r1 b3"]), FOUR, "challenge")


# --- what is hidden and what is not ---------------------------------------------------------------------------------


def test_own_hand_and_discards_stay_and_other_hands_are_dealt_again():
    state = position(["r1 r2 w", "g1 g2 g3", "b1 b2 b3"], under="y1 y2")
    for seen in observations(state, 0):
        assert hand(seen, 0) == hand(state, 0)
        assert seen.words[5:10] == state.words[5:10]
        assert seen.sizes == state.sizes
        assert all_cards(seen) == all_cards(state)
    assert len({tuple(hand(seen, 1)) for seen in observations(state, 0)}) > 10


def test_every_consistent_hand_is_equally_likely():
    state = position(["r1", "g1 g2"], deck="b1 b2 b3")
    unknown = [card(short) for short in ("g1", "g2", "b1", "b2", "b3")]
    draws = 10_000
    found = Counter(tuple(cards_in(seen.words, HANDS + 5)) for seen in observations(state, 0, draws))
    expected = {tuple(sorted(pair)) for pair in combinations(unknown, 2)}
    assert set(found) == expected
    for count in found.values():
        assert abs(count - draws / 10) < 4.5 * sqrt(draws / 10)


def test_equal_cards_weigh_by_their_number():
    state = position(["r1", "g1"], deck="b1 b1 b1")
    found = Counter(hand(seen, 1)[0] for seen in observations(state, 0, 4000))
    assert abs(found["green 1"] - 1000) < 4.5 * sqrt(1000)


def test_card_just_drawn_is_hidden_from_the_others():
    state = play(position(["r1 r2", "g1 g2"], deck="b1 b2 b3 r9"), "draw")
    assert {int(seen.drawn) for seen in observations(state, 0)} == {int(state.drawn)}
    dealt = observations(state, 1)
    assert len({int(seen.drawn) for seen in dealt}) > 3
    assert all(seen.drawn in cards_in(seen.words, HANDS) for seen in dealt)
    assert "?)" in state.text(1)


def test_whether_the_card_drawn_could_be_played_is_hidden():
    useful = play(position(["g2 g3", "g1"], deck="r1"), "draw")
    useless = play(position(["g2 g3", "g1"], deck="b1"), "draw")
    assert useful.knowledge(1) == useless.knowledge(1)
    assert useful.knowledge(0) != useless.knowledge(0)
    assert play(useful, "keep the card drawn").knowledge(1) == play(useless, "keep the card drawn").knowledge(1)


def test_whether_a_wild_draw_four_was_a_bluff_is_hidden_until_it_is_challenged():
    bluff, honest = play(position(["f r1", "g1"]), FOUR), play(position(["f b1", "g1"]), FOUR)
    assert bluff.knowledge(1) == honest.knowledge(1)
    outcomes = set()
    for seen in observations(bluff, 1, 300):
        outcomes.add(play(seen, "challenge").sizes[0])
    assert outcomes == {1, 5}


def test_all_hands_are_shown_in_the_end():
    state = play(position(["r1", "g1 g2"], scoring="single"), "red 1", scoring="single")
    assert all(hand(seen, 1) == ["green 1", "green 2"] for seen in observations(state, 0, 5))
    assert "green 1, green 2" in state.text(0)


# --- hands seen in challenges -----------------------------------------------------------------------------------------


def test_hand_seen_stays_known_to_the_challenger_while_it_is_held():
    state = challenged()
    assert all(hand(seen, 0) == ["blue 1", "blue 2"] for seen in observations(state, 1))
    assert len({tuple(hand(seen, 0)) for seen in observations(state, 2)}) > 3
    state.current_player = state.turn_player = 0
    state.colour = 3
    play(state, "blue 1")
    assert [hand(seen, 0) for seen in observations(state, 1, 3)] == [["blue 2"]] * 3


def test_cards_drawn_after_the_challenge_are_unknown():
    state = challenged()
    state.current_player = state.turn_player = 0
    play(state, "draw", "keep the card drawn")
    dealt = [hand(seen, 0) for seen in observations(state, 1)]
    assert all({"blue 1", "blue 2"} <= set(cards) for cards in dealt)
    assert len({tuple(cards) for cards in dealt}) > 2
    assert known_hand(state, 0, 1) == [card("b1"), card("b2")]


def test_penalty_of_the_guilty_is_unknown():
    state = play(position(["f r1", "g1", "g3"]), FOUR, "challenge")
    assert known_hand(state, 0, 1) == [card("r1")]
    assert len({tuple(hand(seen, 0)) for seen in observations(state, 1)}) > 1


def test_third_players_cannot_tell_whether_a_card_seen_or_one_drawn_was_played():
    # Player 0 draws a blue card and plays a blue one that was, or was not, seen.
    found = []
    for played in ("b1", "b9"):
        state = challenged()
        state.words[0:5] = [0, 0, 0, 1 << 36, 0]
        state.deck_size = 1
        recount(state)
        state.current_player = state.turn_player = 0
        state.colour = 3
        play(state, "draw", "keep the card drawn")
        state.current_player = state.turn_player = 0
        play(state, "blue 1" if played == "b1" else "blue 9")
        found.append(state)
    one, other = found
    assert [len(known_hand(state, 0, 1)) for state in found] == [1, 2]
    for state in found:
        assert seen_by(state.sightings, 1, 0)[FEWEST : MOST + 1] == (1, 2)
        counts = {len(known_hand(seen, 0, 1)) for seen in observations(state, 2)}
        assert counts == {1, 2}
        assert {len(known_hand(seen, 0, 1)) for seen in observations(state, 0)} == {len(known_hand(state, 0, 1))}
    assert one.sizes == other.sizes


def test_sightings_are_forgotten_with_the_round():
    state = challenged()
    assert state.sightings
    state.sizes[0] = 1
    state.words[10:15] = [1 << 4, 0, 0, 0, 0]
    state.current_player = state.turn_player = 0
    state.colour = 0
    play(state, "red 1")
    assert (state.round, state.sightings) == (1, ())


# --- properties -----------------------------------------------------------------------------------------------------


@settings(derandomize=True, deadline=None, max_examples=12)
@given(n_players=st.sampled_from([2, 3, 4, 6, 10]), seed=st.integers(0, 2**32))
def test_observation_keeps_what_is_known_and_loses_no_card(n_players, seed):
    model = Uno()
    rng = Rng(seed)
    for state in random_positions(n_players, seed, scoring="single")[::30]:
        for player in range(n_players):
            seen = state.observation(player, rng)
            assert seen.knowledge(player) == state.knowledge(player)
            assert all_cards(seen) == all_cards(state)
            assert min(seen.words) >= 0
            assert [len(hand(seen, holder)) for holder in range(n_players)] == state.sizes
            assert seen.text(player) == state.text(player)
            assert seen.features(player) == state.features(player)
            assert seen.heuristic(player) == state.heuristic(player)
            if player == state.current_player and not state.is_terminal:
                assert model.available_actions(seen) == model.available_actions(state)


@settings(derandomize=True, deadline=None, max_examples=12)
@given(n_players=st.sampled_from([3, 4, 6]), seed=st.integers(0, 2**32))
def test_what_others_have_seen_of_a_hand_is_in_it(n_players, seed):
    rng = Rng(seed)
    for state in random_positions(n_players, seed, scoring="single", wild_draw_fours=10)[::12]:
        for position_ in (state, state.observation(0, rng)):
            for sighting in position_.sightings:
                held = Counter(cards_in(position_.words, HANDS + 5 * sighting[1]))
                known = Counter(cards_in(list(sighting[SEEN:]), 0))
                assert known <= held
                assert sighting[FEWEST] <= known.total() <= sighting[MOST] <= position_.sizes[sighting[1]]


# --- views and heuristic ------------------------------------------------------------------------------------------------


def test_components_hold_all_cards_and_who_sees_them():
    state = challenged()
    by_name = {component.name: component for component in state.components()}
    shown = by_name["hand of 0"]
    assert isinstance(shown, PartiallyObservableDeck)
    assert [shown.is_item_visible(0, player) for player in range(3)] == [True, True, False]
    assert by_name["draw pile"].hidden_count(0) == state.deck_size
    assert by_name["discards"].items[-1].name == "wild draw four"
    total = sum(len(by_name[name].items) for name in by_name if name.startswith(("hand", "d")))
    assert total == len(all_cards(state))


def test_features_name_what_is_seen():
    features = challenged().features(1)
    assert features["seen_2"] == 2.0
    assert features["seen_1"] == 0.0
    assert features["hand_red_1"] == 1.0
    assert features["gone_wild_draw_four"] == 1.0
    assert features["match_green"] == 1.0
    assert features["cards_2"] == 2.0


def test_text_names_the_colour_of_a_wild_card_and_the_direction():
    assert "on top: wild draw four (green)" in challenged().text(2)
    assert "other way round" in play(position(["rr r1", "r1", "r1"]), "red reverse").text(0)


def test_heuristic_weighs_points_and_cards():
    state = position(["r1 r2 r3", "g1", "w"])
    state.points = (100, 50, 250)
    assert state.heuristic(0) == pytest.approx(0.5 * 0.2 - 0.2 * 0.3 - 0.3 * 3 / 10)
    assert UnoHeuristic().value(state, 0) == state.heuristic(0)
    state.low_wins = True
    assert state.heuristic(0) == pytest.approx(-0.5 * 0.2 + 0.2 * 0.3 - 0.3 * 3 / 10)


def test_further_weights_look_at_the_own_hand():
    state = position(["r1 g2 w f", "g1", "w"])
    off = {"player": 0.0, "opponent": 0.0, "cards": 0.0}
    for weight, value in (("wild_cards", 0.5), ("playable", 0.125), ("hand_points", 0.25 * 103 / 500)):
        heuristic = UnoHeuristic(UnoHeuristicParameters(**off, **{weight: 0.25}))
        assert heuristic.value(state, 0) == pytest.approx(value)
    rivals = UnoHeuristic(UnoHeuristicParameters(**off, rivals_cards=0.4))
    assert rivals.value(state, 0) == pytest.approx(0.4 * 1 / 8)


def test_heuristic_is_one_at_the_end_and_found_by_name():
    state = play(position(["r1", "g1"], scoring="single"), "red 1", scoring="single")
    assert [state.heuristic(player) for player in range(2)] == [1.0, -1.0]
    start = position(["r1", "g1"])
    assert make_heuristic("uno:cards=-1").value(start, 0) == pytest.approx(-1 / 8)
