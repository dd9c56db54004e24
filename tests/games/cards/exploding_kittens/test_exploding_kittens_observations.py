"""Exploding Kittens: what players know, and how the rest is dealt again."""

from collections import Counter

import pytest
from exploding_kittens_positions import (
    ATTACK,
    BEARD,
    DEFUSE,
    FAVOR,
    KITTEN,
    MELON,
    NOPE,
    POTATO,
    RAINBOW,
    SEE,
    SHUFFLE,
    SKIP,
    TACO,
    hand,
    observations,
    passes,
    pile,
    play,
    played,
    position,
    random_positions,
    seen_pile,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from play.valuing import features_of

from tag.components import PartiallyObservableDeck
from tag.engine.rng import Rng
from tag.games.cards.exploding_kittens import ExplodingKittens
from tag.games.cards.exploding_kittens.actions import (
    Demand,
    Draw,
    Favor,
    FiveDifferent,
    Give,
    Lay,
    Nope,
    Pair,
    Reinsert,
    Retrieve,
    SeeTheFuture,
    Shuffle,
    Skip,
    Three,
)
from tag.games.cards.exploding_kittens.data import listed, packed, size

pytestmark = pytest.mark.flow

#: A pile whose cards are all different, but for two kittens.
CARDS = [TACO, MELON, POTATO, KITTEN, BEARD, RAINBOW, KITTEN]


def piles(state, player, count=200):
    """Return the piles that observations of ``player`` have, the top first."""
    return {tuple(pile(seen)) for seen in observations(state, player, count)}


def kitten_place(cards):
    """Return where the first kitten is in ``cards``."""
    return cards.index(KITTEN)


# --- the pile ---------------------------------------------------------------------------------------------------------


def test_nobody_knows_the_pile_at_first():
    state = ExplodingKittens().setup(4, Rng(1))
    for player in range(4):
        assert set(seen_pile(state, player)) == {-1}
        tops = Counter(pile(seen)[0] for seen in observations(state, player, 300))
        assert len(tops) > 8


def test_future_seen_is_known_to_its_player_only():
    state = played(position([[SEE], [SKIP], [SKIP]], CARDS), SeeTheFuture())
    assert seen_pile(state, 0) == [TACO, MELON, POTATO, -1, -1, -1, -1]
    assert set(seen_pile(state, 1)) == {-1}
    assert {cards[:3] for cards in piles(state, 0)} == {(TACO, MELON, POTATO)}
    assert len({cards[:3] for cards in piles(state, 1)}) > 10


def test_future_of_a_small_pile_is_all_of_it():
    state = played(position([[SEE], [SKIP]], [TACO, KITTEN]), SeeTheFuture())
    assert seen_pile(state, 0) == [TACO, KITTEN]


def test_future_that_was_noped_shows_nothing():
    state = position([[SEE], [NOPE], [SKIP]], CARDS)
    passes(play(state, SeeTheFuture(), Nope()))
    assert set(seen_pile(state, 0)) == {-1}


def test_cards_seen_stay_known_until_drawn():
    state = played(position([[SEE], [], []], CARDS), SeeTheFuture(), Draw(), Draw())
    assert seen_pile(state, 0) == [POTATO, -1, -1, -1, -1]
    play(state, Draw())
    assert set(seen_pile(state, 0)) == {-1}


def test_card_seen_and_drawn_by_another_player_is_known_in_that_hand():
    state = played(position([[SEE], [SKIP], [SKIP]], CARDS), SeeTheFuture(), Draw(), Draw())
    assert state.known_cards(1, 0) == [MELON]
    assert state.known_cards(1, 2) == []
    assert all(hand(seen, 1).count(MELON) == 1 for seen in observations(state, 0))


def test_shuffling_makes_everything_unknown():
    state = position([[SEE, SHUFFLE], [SKIP], [SKIP]], CARDS)
    played(state, SeeTheFuture(), Shuffle())
    assert set(seen_pile(state, 0)) == {-1}
    assert state.deck_knowledge(0) == state.deck_knowledge(1)


def test_place_of_the_own_kitten_is_known_and_to_others_it_can_be_anywhere():
    state = play(position([[DEFUSE], [SKIP], [SKIP]], [KITTEN, TACO, MELON, POTATO, KITTEN]), Draw(), Reinsert(0, 1))
    assert seen_pile(state, 0) == [-1, KITTEN, -1, -1, -1]
    assert all(cards[1] == KITTEN for cards in piles(state, 0))
    assert set(seen_pile(state, 1)) == {-1}
    places = {tuple(place for place, card in enumerate(cards) if card == KITTEN) for cards in piles(state, 1, 500)}
    assert len(places) == 10


def test_shuffling_hides_the_own_kitten_too():
    state = play(position([[DEFUSE], [SHUFFLE], []], [KITTEN, TACO, MELON, KITTEN]), Draw(), Reinsert(0, 0))
    played(state, Shuffle())
    assert set(seen_pile(state, 0)) == {-1}


def test_kitten_put_back_by_another_leaves_the_order_of_cards_seen():
    # Player 1 sees a kitten, Tacocat and Cattermelon, skips; player 2 defuses.
    state = position([[], [SEE, SKIP], [DEFUSE]], [BEARD, KITTEN, TACO, MELON, POTATO, RAINBOW, KITTEN])
    played(state, Draw(), SeeTheFuture(), Skip(), Draw(), Reinsert(2, 4))
    assert pile(state) == [TACO, MELON, POTATO, RAINBOW, KITTEN, KITTEN]
    assert set(seen_pile(state, 1)) == {-1}
    starts = {cards[:3] for cards in piles(state, 1, 800)}
    assert {(KITTEN, TACO, MELON), (TACO, KITTEN, MELON)} < starts
    assert {cards[2] for cards in piles(state, 1, 800) if cards[:2] == (TACO, MELON)} == {
        KITTEN,
        POTATO,
        RAINBOW,
        BEARD,
    }
    for cards in piles(state, 1, 800):
        assert [card for card in cards if card in (TACO, MELON)] == [TACO, MELON]
        assert cards.index(MELON) <= 2


def test_kitten_put_back_is_not_among_the_cards_seen_later():
    state = position([[DEFUSE], [SEE], []], [KITTEN, TACO, MELON, POTATO, BEARD, RAINBOW, KITTEN])
    played(state, Draw(), Reinsert(0, 4), SeeTheFuture())
    assert seen_pile(state, 1) == [TACO, MELON, POTATO, -1, -1, -1, -1]
    assert {cards[:3] for cards in piles(state, 1)} == {(TACO, MELON, POTATO)}
    places = {tuple(place for place, card in enumerate(cards) if card == KITTEN) for cards in piles(state, 1, 500)}
    assert places == {(3, 4), (3, 5), (3, 6), (4, 5), (4, 6), (5, 6)}


def test_kitten_put_back_is_known_once_it_is_seen():
    state = position([[DEFUSE], [SEE], []], [KITTEN, TACO, MELON, POTATO, BEARD, KITTEN])
    played(state, Draw(), Reinsert(0, 1), SeeTheFuture())
    assert seen_pile(state, 1) == [TACO, KITTEN, MELON, -1, -1, -1]
    assert {cards[:3] for cards in piles(state, 1)} == {(TACO, KITTEN, MELON)}


def test_own_kitten_keeps_its_depth_above_or_under_one_put_back_before():
    # Player 0 puts a kitten back where player 1 does not know; player 1 draws the other one and puts it back third.
    state = position([[DEFUSE], [DEFUSE], []], [KITTEN, KITTEN, TACO, MELON, POTATO, BEARD])
    play(state, Draw(), Reinsert(0, 4), Draw(), Reinsert(1, 2))
    assert pile(state) == [TACO, MELON, KITTEN, POTATO, KITTEN, BEARD]
    assert seen_pile(state, 1) == [-1, -1, KITTEN, -1, -1, -1]
    found = piles(state, 1, 500)
    assert all(cards[2] == KITTEN for cards in found)
    assert {kitten_place((*cards[:2], TACO, *cards[3:])) for cards in found} == {0, 1, 3, 4, 5}
    # To player 0 the second kitten floats: the own one is fifth of the five other cards.
    assert {tuple(p for p, card in enumerate(cards) if card == KITTEN) for cards in piles(state, 0, 500)} == {
        (0, 4),
        (1, 4),
        (2, 4),
        (3, 4),
        (3, 5),
    }


def test_position_of_a_floating_kitten_is_uniform():
    state = play(position([[DEFUSE], [], []], [KITTEN, TACO, MELON, POTATO]), Draw(), Reinsert(0, 0))
    places = Counter(pile(seen).index(KITTEN) for seen in observations(state, 1, 4000))
    assert [places[place] for place in range(4)] == pytest.approx([1000] * 4, abs=150)


# --- hands ------------------------------------------------------------------------------------------------------------


def test_everybody_knows_of_everybodys_first_defuse():
    state = ExplodingKittens().setup(4, Rng(1))
    assert all(
        state.known_cards(holder, viewer) == [DEFUSE] for viewer in range(4) for holder in range(4) if viewer != holder
    )
    assert all(hand(seen, 1).count(DEFUSE) >= 1 for seen in observations(state, 0))


def test_hands_are_dealt_from_all_cards_that_are_hidden():
    state = position([[SKIP], [TACO, MELON], [SEE]], [POTATO, KITTEN, BEARD])
    found = {tuple(hand(seen, 1)) for seen in observations(state, 0, 500)}
    assert len(found) == 10
    assert all(KITTEN not in cards for cards in found)
    assert {tuple(hand(seen, 0)) for seen in observations(state, 0)} == {(SKIP,)}


def test_favor_is_known_to_giver_and_taker():
    state = play(played(position([[FAVOR, MELON], [SKIP, TACO, RAINBOW], [BEARD]]), Favor(1)), Give(1, 0, TACO))
    assert state.known_cards(0, 1) == [TACO]
    assert state.known_cards(0, 2) == []
    assert all(TACO in hand(seen, 0) for seen in observations(state, 1))
    assert len({tuple(hand(seen, 0)) for seen in observations(state, 2)}) > 3


def test_stolen_card_is_known_to_both():
    state = played(position([[TACO, TACO], [SKIP, MELON], [BEARD]]), Pair(TACO, 1))
    assert state.known_cards(0, 1) == hand(state, 0)
    assert state.known_cards(0, 2) == []


def test_card_demanded_is_known_to_all():
    state = played(play(position([[TACO] * 3, [DEFUSE, SKIP], [BEARD]]), Three(TACO, 1)), Demand(1, DEFUSE))
    assert [state.known_cards(0, viewer) for viewer in (1, 2)] == [[DEFUSE], [DEFUSE]]


def test_card_taken_from_the_discards_is_known_to_all():
    state = position([[SKIP, TACO, MELON, POTATO, BEARD], [SEE], [SEE]], discards=[DEFUSE])
    play(state, FiveDifferent(), Lay(SKIP), Lay(TACO), Lay(MELON), Lay(POTATO), Lay(BEARD))
    play(passes(state), Retrieve(DEFUSE))
    assert [state.known_cards(0, viewer) for viewer in (1, 2)] == [[DEFUSE], [DEFUSE]]


def test_card_known_is_unknown_once_an_equal_one_is_played():
    state = position([[FAVOR], [SKIP, TACO], []])
    play(played(state, Favor(1)), Give(1, 0, SKIP))
    state.add(0, SKIP)
    assert state.known_cards(0, 1) == [SKIP]
    played(state, Skip())
    assert state.known_cards(0, 1) == []


def test_one_card_of_each_kind_is_doubtful_once_a_card_leaves_the_hand_in_secret():
    state = position([[TACO, TACO], [DEFUSE, SKIP, SKIP], [BEARD]])
    cards = packed([DEFUSE, SKIP, SKIP])
    state.known = [0, cards, 0] + [0] * 3 + [0, cards, 0]
    played(state, Pair(TACO, 1))
    assert state.known_cards(1, 2) == [SKIP]
    assert state.known_cards(1, 0) == hand(state, 1)


def test_what_others_know_of_each_other_is_drawn():
    state = play(played(position([[FAVOR], [SKIP, TACO, RAINBOW], [BEARD]]), Favor(1)), Give(1, 0, TACO))
    found = {tuple(seen.known_cards(0, 1)) for seen in observations(state, 2, 300)}
    assert {(), (TACO,), (SKIP,), (RAINBOW,)} <= found
    assert {tuple(seen.known_cards(0, 1)) for seen in observations(state, 0)} == {(TACO,)}


def test_who_takes_a_card_in_secret_may_still_know_the_others():
    state = position([[TACO, TACO], [DEFUSE, SKIP, SKIP, SKIP], [BEARD]])
    state.known = [0, packed([DEFUSE]), 0] * 3
    played(state, Pair(TACO, 1))
    assert hand(state, 0) == [SKIP]
    assert state.known_cards(1, 0) == [DEFUSE]
    assert state.known_cards(1, 2) == []
    assert [DEFUSE] in [seen.known_cards(1, 0) for seen in observations(state, 2, 200)]


def test_nobody_knows_more_in_secret_than_the_bounds_say():
    for state in random_positions(4, 11, games=5):
        for holder in range(4):
            public = size(state.known[holder * 4 + holder])
            for viewer in range(4):
                most = state.secrets[holder] >> 8 * viewer & 255
                assert viewer == holder or size(state.known[viewer * 4 + holder]) - public <= most


# --- views ------------------------------------------------------------------------------------------------------------


def test_texts_hide_what_a_viewer_must_not_see():
    state = play(position([[DEFUSE, SKIP], [TACO], []], [KITTEN, TACO, KITTEN]), Draw())
    action = Reinsert(0, 1)
    assert "under 1 cards" in action.text(state, 0)
    assert "under 1 cards" in action.text(state, -1)
    assert "1" not in action.text(state, 1)
    assert Give(0, 1, SKIP).text(state, 2) == "give player 1 a card"
    assert Give(0, 1, SKIP).text(state, 1) == "give player 1 Skip"
    play(state, action)
    assert "Exploding Kitten" in state.text(0).splitlines()[1]
    assert "pile from the top" not in state.text(1)
    assert "Skip" not in state.text(1)
    assert "Skip" in state.text(0)


def test_features_tell_of_a_kitten_on_top_to_who_knows():
    state = play(position([[DEFUSE], [TACO], []], [KITTEN, TACO, KITTEN]), Draw(), Reinsert(0, 0))
    assert features_of(state, 0)["top_0_kitten"] == 1.0
    assert features_of(state, 1)["top_0_seen"] == 0.0


def test_components_say_who_sees_what():
    state = played(position([[SEE], [SKIP], [ATTACK]], CARDS), SeeTheFuture())
    found = {component.name: component for component in state.components()}
    pile_seen = found["pile"]
    assert isinstance(pile_seen, PartiallyObservableDeck)
    assert pile_seen.seen == [0, 0, 0, 0, 1, 1, 1]
    hand_seen = found["hand of 1"]
    assert isinstance(hand_seen, PartiallyObservableDeck)
    assert hand_seen.seen == [2]


# --- everything, in random games --------------------------------------------------------------------------------------


@settings(derandomize=True, deadline=None, max_examples=12)
@given(seed=st.integers(0, 2**32), n_players=st.integers(2, 5))
def test_observations_keep_what_is_known_and_all_cards(seed, n_players):
    rng = Rng(seed)
    for state in random_positions(n_players, seed):
        for player in range(n_players):
            seen = state.observation(player, rng)
            assert seen.knowledge(player) == state.knowledge(player)
            assert seen_pile(seen, player) == seen_pile(state, player)
            assert sorted(all_cards(seen)) == sorted(all_cards(state))
            for viewer in range(n_players):
                for holder in range(n_players):
                    known = Counter(seen.known_cards(holder, viewer))
                    assert known <= Counter(hand(seen, holder))
                    public = listed(seen.known[holder * n_players + holder])
                    assert Counter(public) <= known


def all_cards(state):
    """Return all cards in pile and hands."""
    return pile(state) + [card for player in range(state.n_players) for card in hand(state, player)]


def test_possible_piles_are_those_of_an_independent_enumeration():
    """Two kittens are put back around a look; every pile that fits is found, and no other."""
    state = position([[DEFUSE], [DEFUSE], [SEE], []], [KITTEN, KITTEN, TACO, MELON, POTATO, BEARD, RAINBOW])
    play(state, Draw(), Reinsert(0, 5), Draw(), Reinsert(1, 6))
    played(state, SeeTheFuture())
    assert seen_pile(state, 2) == [TACO, MELON, POTATO, -1, -1, -1, -1]
    found = piles(state, 2, 1500)
    rest = {tuple(cards[3:]) for cards in found}
    expected = set()
    for first in range(3):
        for second in range(4):
            for pair in ((BEARD, RAINBOW), (RAINBOW, BEARD)):
                cards = list(pair)
                cards.insert(first, KITTEN)
                cards.insert(second, KITTEN)
                expected.add(tuple(cards))
    assert rest == expected
    assert {cards[:3] for cards in found} == {(TACO, MELON, POTATO)}
