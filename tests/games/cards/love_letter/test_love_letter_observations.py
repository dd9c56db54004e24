"""Love Letter: what players know, and how the rest is dealt again."""

from collections import Counter
from itertools import permutations
from math import sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from love_letter_positions import (
    BARON,
    COUNTESS,
    GUARD,
    HANDMAID,
    KING,
    PRIEST,
    PRINCE,
    PRINCESS,
    knowers,
    known,
    play,
    position,
    random_positions,
)
from play.valuing import features_of, vector_of

from tag.components import PartiallyObservableDeck
from tag.engine.rng import Rng
from tag.games.cards.love_letter import LoveLetter
from tag.games.cards.love_letter.actions import Baron, Countess, Guard, Handmaid, King, Priest, Prince

pytestmark = pytest.mark.flow


def observations(state, player, count=40, seed=1):
    rng = Rng(seed)
    return [state.observation(player, rng) for _each in range(count)]


def hidden_values(state, player, pick, count=60):
    """Return which values ``pick`` takes in observations of ``player``."""
    return {pick(seen) for seen in observations(state, player, count)}


# --- what becomes known, and how long ---------------------------------------------------------------------------------


def test_priest_shows_the_hand_to_its_player_only():
    state = play(position([GUARD, PRINCESS, GUARD], PRIEST), Priest(1))
    assert known(state, 0) == [GUARD, PRINCESS, 0]
    assert known(state, 1) == [0, PRINCESS, 0]
    assert known(state, 2) == [0, 0, GUARD]
    assert hidden_values(state, 0, lambda seen: seen.hands[1]) == {PRINCESS}


def test_hand_seen_stays_known_while_its_holder_plays_another_card():
    state = play(position([GUARD, PRINCESS, GUARD], PRIEST, deck=[GUARD, GUARD, HANDMAID]), Priest(1))
    play(state, Handmaid())
    assert known(state, 0)[1] == PRINCESS


def test_hand_seen_is_unknown_once_it_is_played():
    state = play(position([GUARD, HANDMAID, GUARD], PRIEST, deck=[GUARD, GUARD, KING]), Priest(1))
    play(state, Handmaid())
    assert state.hands[1] == KING
    assert known(state, 0)[1] == 0


def test_which_of_two_equal_cards_was_played_cannot_be_told():
    # Player 1 holds the Handmaid seen and draws another: keeping either looks the same to player 0.
    state = play(position([GUARD, HANDMAID, GUARD], PRIEST, deck=[GUARD, GUARD, HANDMAID]), Priest(1))
    play(state, Handmaid())
    assert state.hands[1] == HANDMAID
    assert known(state, 0)[1] == 0


def test_hand_seen_is_unknown_once_a_prince_has_it_discarded():
    state = play(position([GUARD, HANDMAID, GUARD], PRIEST, deck=[GUARD, GUARD, PRINCE]), Priest(1))
    play(state, Prince(1))
    assert known(state, 0)[1] == 0


def test_king_shows_both_hands_to_both_players():
    state = play(position([PRIEST, PRINCESS, GUARD], KING), King(1))
    assert known(state, 0) == [PRINCESS, PRIEST, 0]
    assert known(state, 1) == [PRINCESS, PRIEST, 0]
    assert known(state, 2) == [0, 0, GUARD]


def test_own_card_given_away_stays_known_when_it_is_traded_on():
    state = play(position([PRIEST, PRINCESS, GUARD], KING, deck=[GUARD, GUARD, KING]), King(1))
    play(state, King(2))
    assert state.hands == [PRINCESS, GUARD, PRIEST]
    assert known(state, 0) == [PRINCESS, 0, PRIEST]
    assert known(state, 1) == [PRINCESS, GUARD, PRIEST]


def test_hand_seen_by_a_third_player_stays_known_when_it_is_traded():
    state = position([GUARD, PRINCESS, BARON], PRIEST, deck=[GUARD, GUARD, KING])
    play(state, Priest(1))
    play(state, King(2))
    assert known(state, 0) == [GUARD, 0, PRINCESS]


def test_baron_tie_shows_both_hands():
    state = play(position([PRIEST, PRIEST, GUARD], BARON), Baron(1))
    assert known(state, 0) == [PRIEST, PRIEST, 0]
    assert known(state, 1) == [PRIEST, PRIEST, 0]
    assert known(state, 2) == [0, 0, GUARD]


def test_loser_of_a_baron_has_seen_the_winner_and_all_see_the_loser():
    state = play(position([KING, PRIEST, GUARD], BARON), Baron(1))
    assert known(state, 1)[0] == KING
    assert known(state, 2)[0] == 0
    assert state.discards_of(1) == (PRIEST,)


def test_own_cards_are_known_and_a_drawn_card_is_hidden_from_others():
    state = position([PRINCE, HANDMAID], KING, deck=[GUARD, PRIEST, BARON, COUNTESS])
    assert all((seen.hands[0], seen.drawn) == (PRINCE, KING) for seen in observations(state, 0))
    assert len(hidden_values(state, 1, lambda seen: int(seen.drawn))) > 3
    assert hidden_values(state, 1, lambda seen: seen.hands[1]) == {HANDMAID}


def test_cards_face_up_are_known_and_the_card_removed_face_down_is_not():
    state = LoveLetter().setup(2, Rng(3))
    for player in (0, 1):
        assert hidden_values(state, player, lambda seen: seen.face_up) == {state.face_up}
        assert len(hidden_values(state, player, lambda seen: int(seen.removed))) > 3


def test_hands_are_shown_at_the_end_of_a_round_but_for_who_won_unopposed():
    compared = play(position([KING, GUARD], PRIEST, deck=[], tokens=[6, 6]), Priest(1))
    unopposed = play(position([KING, PRIEST], GUARD, tokens=[6, 6]), Guard(1, PRIEST))
    assert compared.is_terminal
    assert unopposed.is_terminal
    assert known(compared, 1) == [KING, GUARD]
    assert known(unopposed, 1) == [0, 0]


# --- what is known of what others know ----------------------------------------------------------------------------------


def test_everybody_notices_who_has_seen_whose_hand():
    state = play(position([GUARD, PRINCESS, GUARD], PRIEST), Priest(1))
    assert hidden_values(state, 2, lambda seen: frozenset(knowers(seen, 1))) == {frozenset({0})}


@pytest.mark.parametrize("drawn", [HANDMAID, COUNTESS])
def test_whether_a_hand_seen_was_played_is_hidden_from_third_players(drawn):
    # Player 1 plays the card seen (keeping the Countess) or the card drawn: player 2 cannot tell which.
    hand = COUNTESS if drawn == HANDMAID else HANDMAID
    state = play(position([GUARD, hand, GUARD], PRIEST, deck=[GUARD, GUARD, drawn]), Priest(1))
    play(state, Handmaid())
    assert knowers(state, 1) == ({0} if hand == COUNTESS else set())
    assert hidden_values(state, 2, lambda seen: seen.knows(0, 1)) == {True, False}
    assert hidden_values(state, 0, lambda seen: seen.knows(0, 1)) == {hand == COUNTESS}
    assert hidden_values(state, 1, lambda seen: seen.knows(0, 1)) == {hand == COUNTESS}


# --- properties -----------------------------------------------------------------------------------------------------

PLAYERS = st.integers(2, 4)
SEEDS = st.integers(0, 2**32)


def unordered_cards(state):
    """Return all cards that are not discarded."""
    cards = [*state.deck, int(state.removed), *state.face_up, *state.hands, int(state.drawn)]
    return sorted(card for card in cards if card)


@settings(derandomize=True, deadline=None, max_examples=30)
@given(n_players=PLAYERS, seed=SEEDS)
def test_observation_keeps_what_is_known_and_loses_no_card(n_players, seed):
    model = LoveLetter()
    rng = Rng(seed)
    for state in random_positions(n_players, seed):
        for player in range(n_players):
            seen = state.observation(player, rng)
            assert seen.knowledge(player) == state.knowledge(player)
            assert known(seen, player) == known(state, player)
            assert unordered_cards(seen) == unordered_cards(state)
            assert seen.discards == state.discards
            assert len(seen.deck) == len(state.deck)
            if player == state.current_player:
                assert model.available_actions(seen) == model.available_actions(state)


@settings(derandomize=True, deadline=None, max_examples=20)
@given(n_players=PLAYERS, seed=SEEDS)
def test_certain_knowers_know_and_knowers_are_certain_or_doubtful(n_players, seed):
    for state in random_positions(n_players, seed):
        assert state.public & ~state.known == 0
        assert state.known & ~(state.public | state.doubtful) == 0
        assert state.doubtful & state.public == 0
        for holder in range(n_players):
            own_bit = 1 << (4 * holder + holder)
            out_row = 0 if state.hands[holder] else 15 << 4 * holder
            assert (state.known | state.doubtful) & (own_bit | out_row) == 0


def arrangement(state):
    """Return the hidden cards in their places."""
    return (state.hands[1], int(state.removed), *state.deck)


def test_every_consistent_deal_is_equally_likely():
    # Unknown to player 0: the other hand, the card removed and a deck of two.
    unknown = [GUARD, GUARD, PRIEST, PRINCESS]
    state = position([BARON, PRIEST], HANDMAID, deck=[GUARD, PRINCESS], removed=GUARD)
    draws = 24_000
    found = Counter(arrangement(seen) for seen in observations(state, 0, draws))
    expected = Counter(permutations(unknown))
    assert set(found) == set(expected)
    assert len(expected) == 12
    for deal, ways in expected.items():
        mean = draws * ways / 24
        assert abs(found[deal] - mean) < 4.5 * sqrt(mean)


def test_cards_known_take_no_part_in_the_deal():
    state = position([BARON, PRIEST, COUNTESS], HANDMAID, deck=[GUARD, PRINCESS], removed=GUARD)
    state.show(1, 0)
    dealt = observations(state, 0, 300)
    assert {seen.hands[1] for seen in dealt} == {PRIEST}
    assert {seen.hands[2] for seen in dealt} == {GUARD, PRINCESS, COUNTESS}
    assert {int(seen.removed) for seen in dealt} == {GUARD, PRINCESS, COUNTESS}


# --- views ------------------------------------------------------------------------------------------------------------


def test_text_shows_a_viewer_what_that_viewer_knows():
    state = play(position([GUARD, PRINCESS, KING], PRIEST, deck=[GUARD, GUARD, HANDMAID]), Priest(1))
    assert [("Princess" in state.text(viewer)) for viewer in (0, 1, 2, -1)] == [True, True, False, True]
    assert [("Handmaid" in state.text(viewer)) for viewer in (0, 1, 2, -1)] == [False, True, False, True]


def test_features_and_knowledge_tell_nothing_hidden():
    for state in random_positions(3, seed=8):
        for player in range(3):
            seen = state.observation(player, Rng(2))
            assert features_of(seen, player) == features_of(state, player)
            assert seen.text(player) == state.text(player)
            assert hash(seen.knowledge(player)) == hash(state.knowledge(player))


def test_features_name_what_is_seen():
    state = play(position([GUARD, PRINCESS, KING], PRIEST, tokens=[1, 2, 0]), Priest(1))
    features = features_of(state, 0)
    assert features["hand_guard"] == 1.0
    assert features["gone_priest"] == 1.0
    assert features["known_1"] == PRINCESS
    assert features["known_2"] == 0.0
    assert features["tokens_1"] == 2 / 5
    assert features_of(state, 1)["knows_me_2"] == 1.0
    assert len({len(vector_of(state, player)) for player in range(3)}) == 1


def test_components_hold_all_cards_and_who_sees_them():
    state = play(position([GUARD, PRINCESS, KING], PRIEST), Priest(1))
    by_name = {component.name: component for component in state.components()}
    hand = by_name["hand of 1"]
    assert isinstance(hand, PartiallyObservableDeck)
    assert [card.name for card in hand.items] == ["Princess", "Guard"]
    assert [hand.is_item_visible(0, player) for player in range(3)] == [True, True, False]
    assert [hand.is_item_visible(1, player) for player in range(3)] == [False, True, False]
    assert by_name["deck"].hidden_count(0) == 2
    assert by_name["removed"].hidden_count(0) == 1
    assert by_name["discards of 0"].text(2) == by_name["discards of 0"].text(0)


def test_guess_and_target_are_public_and_shown_to_all():
    state = position([GUARD, PRINCESS, KING], GUARD)
    guess = Guard(1, KING)
    assert guess.text(state, 2) == guess.text(state, 0) == "Guard on player 1 (King?)"
    assert Countess().text(state, 1) == "Countess"
