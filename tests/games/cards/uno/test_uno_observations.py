"""Uno: what players know, how the rest is dealt again, the heuristic, and views of a position."""

from collections import Counter
from itertools import chain, islice, permutations
from math import sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from play.uno_positions import all_cards, card, cards_of, hand, play, position, random_positions, sizes
from play.valuing import features_of, heuristic_of

from tag.catalogue.registry import make_heuristic
from tag.components import PartiallyObservableDeck
from tag.engine.rng import Rng
from tag.games.cards.uno import Uno, UnoHeuristic, UnoHeuristicParameters
from tag.games.cards.uno.state import known_hand

pytestmark = pytest.mark.flow

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
        assert seen.discards.cards() == state.discards.cards()
        assert sizes(seen) == sizes(state)
        assert all_cards(seen) == all_cards(state)
    assert len({tuple(hand(seen, 1)) for seen in observations(state, 0)}) > 10


def hides_drawn(state, holder, player):
    """Say whether ``holder`` has just drawn a card that ``player`` cannot see."""
    return state.drawn >= 0 and holder == state.current_player != player


def consistent_deals(state, player):
    """Return every deal of what ``player`` does not know, with the number of ways to deal it if equal cards differ."""
    seen = {sighting.holder: sighting.cards for sighting in state.sightings if sighting.viewer == player}
    seen[player] = state.hands[player]
    certain = [seen[holder].cards() if holder in seen else [] for holder in range(state.n_players)]
    unknown = Counter(all_cards(state)) - Counter(state.discards.cards()) - Counter(chain(*certain))
    found = Counter()
    for order in permutations(unknown.elements()):
        rest = iter(order)
        deal = []
        for holder, known in enumerate(certain):
            dealt = list(islice(rest, state.hands[holder].size - len(known)))
            deal.append((tuple(sorted([*known, *dealt])), dealt[-1] if hides_drawn(state, holder, player) else None))
        found[tuple(deal)] += 1
    return found


def deal_in(state, player):
    """Return the deal in an observation of ``player``, in the form of `consistent_deals`."""
    return tuple(
        (tuple(hand.cards()), state.drawn if hides_drawn(state, holder, player) else None)
        for holder, hand in enumerate(state.hands)
    )


DEALS = {
    "two hands": lambda: (position(["r1", "g1 g2", "g3"], deck="b1 b2"), 0),
    "equal cards": lambda: (position(["r1", "g1 w", "w"], deck="g1 g1 f"), 0),
    "no draw pile": lambda: (position(["r1 r2", "g1 g2", "b1 b2"], deck=""), 0),
    "a card just drawn": lambda: (play(position(["r1 r2", "g1", "g2"], deck="b1 b1 b2"), "draw"), 1),
    "a hand seen": lambda: (
        play(position(["f b1 b2", "r1", "r3 b3"], deck="y1 y1 y2 y3 y4 y5 y6 y7"), FOUR, "challenge"),
        1,
    ),
}


@pytest.mark.parametrize("name", DEALS)
def test_every_consistent_deal_is_equally_likely(name):
    state, player = DEALS[name]()
    ways = consistent_deals(state, player)
    draws = 200 * len(ways)
    found = Counter(deal_in(seen, player) for seen in observations(state, player, draws))
    assert found.keys() <= ways.keys()
    expected = {deal: draws * count / ways.total() for deal, count in ways.items()}
    surprise = sum((found[deal] - count) ** 2 / count for deal, count in expected.items())
    freedom = len(ways) - 1
    assert freedom > 4
    assert surprise < freedom + 4 * sqrt(2 * freedom)  # chi-square: its mean and four standard deviations


def test_card_just_drawn_is_hidden_from_the_others():
    state = play(position(["r1 r2", "g1 g2"], deck="b1 b2 b3 r9"), "draw")
    assert {int(seen.drawn) for seen in observations(state, 0)} == {int(state.drawn)}
    dealt = observations(state, 1)
    assert len({int(seen.drawn) for seen in dealt}) > 3
    assert all(seen.hands[0].count(seen.drawn) for seen in dealt)
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
        outcomes.add(sizes(play(seen, "challenge"))[0])
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
        state.deck = cards_of("b9")
        state.current_player = state.turn_player = 0
        state.colour = 3
        play(state, "draw", "keep the card drawn")
        state.current_player = state.turn_player = 0
        play(state, "blue 1" if played == "b1" else "blue 9")
        found.append(state)
    one, other = found
    assert [len(known_hand(state, 0, 1)) for state in found] == [1, 2]
    for state in found:
        assert [(seen.fewest, seen.most) for seen in state.sightings] == [(1, 2)]
        counts = {len(known_hand(seen, 0, 1)) for seen in observations(state, 2)}
        assert counts == {1, 2}
        assert {len(known_hand(seen, 0, 1)) for seen in observations(state, 0)} == {len(known_hand(state, 0, 1))}
    assert sizes(one) == sizes(other)


def test_sightings_are_forgotten_with_the_round():
    state = challenged()
    assert state.sightings
    state.hands[0] = cards_of("r1")
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
            assert [len(hand(seen, holder)) for holder in range(n_players)] == sizes(state)
            assert seen.text(player) == state.text(player)
            assert features_of(seen, player) == features_of(state, player)
            assert heuristic_of(seen, player) == heuristic_of(state, player)
            if player == state.current_player and not state.is_terminal:
                assert model.available_actions(seen) == model.available_actions(state)


@settings(derandomize=True, deadline=None, max_examples=12)
@given(n_players=st.sampled_from([3, 4, 6]), seed=st.integers(0, 2**32))
@pytest.mark.system
def test_what_others_have_seen_of_a_hand_is_in_it(n_players, seed):
    rng = Rng(seed)
    for state in random_positions(n_players, seed, scoring="single", wild_draw_fours=10)[::12]:
        for position_ in (state, state.observation(0, rng)):
            for sighting in position_.sightings:
                held = position_.hands[sighting.holder]
                assert Counter(sighting.cards.cards()) <= Counter(held.cards())
                assert sighting.fewest <= sighting.cards.size <= sighting.most <= held.size


# --- views and heuristic ------------------------------------------------------------------------------------------------


def test_components_hold_all_cards_and_who_sees_them():
    state = challenged()
    by_name = {component.name: component for component in state.components()}
    shown = by_name["hand of 0"]
    assert isinstance(shown, PartiallyObservableDeck)
    assert [shown.is_item_visible(0, player) for player in range(3)] == [True, True, False]
    assert by_name["draw pile"].hidden_count(0) == state.deck.size
    assert by_name["discards"].items[-1].name == "wild draw four"
    total = sum(len(by_name[name].items) for name in by_name if name.startswith(("hand", "d")))
    assert total == len(all_cards(state))


def test_features_name_what_is_seen():
    features = features_of(challenged(), 1)
    assert features["seen_2"] == 2.0
    assert features["seen_1"] == 0.0
    assert features["hand_red_1"] == 1.0
    assert features["gone_wild_draw_four"] == 1.0
    assert features["match_green"] == 1.0
    assert features["cards_2"] == 2.0


def test_text_names_the_colour_of_a_wild_card_and_the_direction():
    assert "on top: wild draw four (green)" in challenged().text(2)
    assert "other way round" in play(position(["rr r1", "r1", "r1"]), "red reverse").text(0)


#: Expected points off, and what makes hands easy to play.
PLAIN = {"cards": 0.0, "prospects": 0.0, "turn": 0.0, "wild_cards": 0.0, "matching": 0.0, "colours": 0.0}


def weighed(state, seat, **weights):
    """Return the value with the plain weights, but for ``weights``."""
    return UnoHeuristic(UnoHeuristicParameters(**{**PLAIN, **weights})).value(state, seat)


def test_heuristic_weighs_points_and_cards():
    state = position(["r1 r2 r3", "g1", "w"])
    state.points = (100, 50, 250)
    weights = {"player": 0.5, "opponent": -0.2, "cards": -0.3}
    assert weighed(state, 0, **weights) == pytest.approx(0.5 * 0.2 - 0.2 * 0.3 - 0.3 * 3 / 10)
    assert weighed(state, 0, rivals_cards=0.4) - weighed(state, 0) == pytest.approx(0.4 * 1 / 8)
    assert UnoHeuristic().value(state, 0) == heuristic_of(state, 0)
    state.low_wins = True
    assert weighed(state, 0, **weights) == pytest.approx(-0.5 * 0.2 + 0.2 * 0.3 - 0.3 * 3 / 10)


def test_expected_points_are_those_of_other_hands_by_the_chance_to_go_out_first():
    state = position(["r9 r8", "g1"])
    mean = 1240 / 108
    weights = {"player": 1.0, "opponent": -1.0, "prospects": 1.0, "power": 1.0, "hand_points": 1.0}
    assert weighed(state, 0, **weights) == pytest.approx((1 / 3 * mean - 2 / 3 * 17) / 500)
    assert weighed(state, 1, **weights) == pytest.approx((2 / 3 * 2 * mean - 1 / 3 * 1) / 500)
    state.low_wins = True
    assert weighed(state, 0, **weights) == pytest.approx((-2 / 3 * 17 + 1 / 3 * mean) / 500)


@pytest.mark.parametrize(("weight", "cards"), [("turn", 1), ("wild_cards", 1), ("matching", 2), ("colours", 2)])
def test_hands_that_are_easy_to_play_count_as_fewer_cards(weight, cards):
    """Player 0 has the turn, a wild card, two cards that match the red 5 on top, and two colours."""
    state = position(["r1 r2 g3 w", "g1 g2 g3 g4"], top="r5")
    chances = {"player": 1.0, "opponent": 0.0, "prospects": 1.0, "power": 1.0}
    chance = weighed(state, 0, **chances, **{weight: 0.5}) * 500 / (4 * 1240 / 108)
    left = 4 - 0.5 * cards
    assert chance == pytest.approx((1 / left) / (1 / left + 1 / 4))


def by_default(mine, theirs, n_players, **parameters):
    """Return the default value for player 0 of a round with these two hands, and further ones of three cards."""
    hands = [mine, theirs, *["g1 g2 g3"] * (n_players - 2)]
    return heuristic_of(position(hands, **parameters), 0)


@pytest.mark.parametrize("n_players", range(2, 7))
def test_by_default_wild_cards_are_worth_more_than_numbers_and_rivals_near_the_end_are_a_danger(n_players):
    numbers = by_default("g1 b2 b3", "y1 y2 y3", n_players)
    assert by_default("g1 b2 w", "y1 y2 y3", n_players) > numbers
    assert by_default("g1 b2 b3", "y1", n_players) < numbers


@pytest.mark.parametrize("n_players", range(2, 7))
@pytest.mark.parametrize("scoring", ["lowest", "elimination"])
def test_by_default_points_in_hand_are_a_danger_where_low_points_win(scoring, n_players):
    low = by_default("g1 b2 b3", "y1 y2 y3", n_players, scoring=scoring)
    assert by_default("g1 b2 b9", "y1 y2 y3", n_players, scoring=scoring) < low


def test_round_that_is_won_is_worth_more_than_the_last_card():
    before = position(["r1", "g9 b8 yd"], scoring="winner")
    after = play(position(["r1", "g9 b8 yd"], scoring="winner"), "red 1", scoring="winner")
    assert after.points[0] > 0
    heuristic = make_heuristic("uno:prospects=0.8,opponent=-0.5,cards=0")
    assert heuristic.value(after, 0) > heuristic.value(before, 0)


def test_heuristic_is_one_at_the_end_and_found_by_name():
    state = play(position(["r1", "g1"], scoring="single"), "red 1", scoring="single")
    assert [heuristic_of(state, player) for player in range(2)] == [1.0, -1.0]
    start = position(["r1", "g1"])
    assert make_heuristic("uno:prospects=0,cards=-1").value(start, 0) == pytest.approx(-1 / 8)
