"""Love Letter against the printed rules: one test per rule that can be got wrong."""

from collections import Counter

import pytest
from love_letter_positions import (
    BARON,
    COUNTESS,
    GUARD,
    HANDMAID,
    KING,
    PRIEST,
    PRINCE,
    PRINCESS,
    available,
    play,
    position,
    random_positions,
)

from tag.engine.results import DRAW, LOSE, WIN
from tag.engine.rng import Rng
from tag.errors import ParameterError, PlayersError
from tag.games.cards.love_letter import LoveLetter, LoveLetterParameters
from tag.games.cards.love_letter.actions import Baron, Countess, Guard, Handmaid, King, Priest, Prince, Princess
from tag.playing.listener import Listener

NOBODY = -1


def setup(n_players, **parameters):
    return LoveLetter(LoveLetterParameters(**parameters)).setup(n_players, Rng(3))


def all_cards(state):
    """Return every card of the round, wherever it is."""
    cards = [*state.deck, int(state.removed), *state.face_up, *state.hands, int(state.drawn)]
    for player in range(state.n_players):
        cards.extend(state.discards_of(player))
    return sorted(card for card in cards if card)


# --- set-up ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n_players", "in_deck", "face_up"), [(2, 9, 3), (3, 11, 0), (4, 10, 0)])
def test_one_card_is_removed_face_down_and_three_face_up_with_two_players(n_players, in_deck, face_up):
    state = setup(n_players)
    assert state.removed
    assert len(state.face_up) == face_up
    assert all(state.hands)
    assert state.drawn
    assert len(state.deck) == in_deck


def test_deck_has_the_sixteen_printed_cards():
    printed = {GUARD: 5, PRIEST: 2, BARON: 2, HANDMAID: 2, PRINCE: 2, KING: 1, COUNTESS: 1, PRINCESS: 1}
    assert Counter(all_cards(setup(4))) == printed


@pytest.mark.parametrize("n_players", [1, 5])
def test_two_to_four_play(n_players):
    with pytest.raises(PlayersError):
        setup(n_players)


@pytest.mark.parametrize("n_players", [2, 3, 4])
def test_no_card_is_lost_or_made_in_random_games(n_players):
    for state in random_positions(n_players, seed=n_players, games=3):
        assert all_cards(state) == LoveLetterParameters().deck()


# --- a turn ---------------------------------------------------------------------------------------------------------


def test_either_card_can_be_played_and_the_other_is_kept():
    old, new = position([PRIEST, GUARD], HANDMAID), position([PRIEST, GUARD], HANDMAID)
    play(old, Priest(1))
    play(new, Handmaid())
    assert (old.hands[0], old.discards_of(0)) == (HANDMAID, (PRIEST,))
    assert (new.hands[0], new.discards_of(0)) == (PRIEST, (HANDMAID,))


def test_two_equal_cards_are_one_choice():
    assert available(position([PRIEST, GUARD], PRIEST)) == ["Priest on player 1"]


def test_turn_passes_to_the_left_over_players_out_of_the_round():
    state = play(position([PRIEST, 0, GUARD, GUARD], HANDMAID), Handmaid())
    assert state.current_player == 2
    assert state.drawn
    assert len(state.deck) == 2


# --- the cards ------------------------------------------------------------------------------------------------------


def test_guard_knocks_out_who_holds_the_card_named():
    state = play(position([PRIEST, BARON, GUARD], GUARD), Guard(1, BARON))
    assert state.alive == 0b101
    assert state.discards_of(1) == (BARON,)


def test_guard_with_a_wrong_name_does_nothing():
    state = play(position([PRIEST, BARON, GUARD], GUARD), Guard(1, PRINCE))
    assert state.alive == 0b111
    assert state.hands[1] == BARON
    assert state.discards_of(1) == ()


def test_guard_cannot_name_the_guard():
    guesses = [str(action) for action in LoveLetter().available_actions(position([GUARD, GUARD], GUARD))]
    names = ["Priest", "Baron", "Handmaid", "Prince", "King", "Countess", "Princess"]
    assert guesses == [f"Guard on player 1 ({name}?)" for name in names]


def test_effect_of_a_card_discarded_by_being_knocked_out_does_not_apply():
    state = play(position([PRIEST, PRINCE, GUARD], GUARD, deck=[GUARD, GUARD]), Guard(1, PRINCE))
    assert state.hands == [PRIEST, 0, GUARD]
    assert len(state.deck) == 1


def test_priest_changes_no_card():
    state = play(position([GUARD, PRINCESS, GUARD], PRIEST), Priest(1))
    assert state.hands == [GUARD, PRINCESS, GUARD]
    assert state.alive == 0b111


def test_baron_knocks_out_the_lower_hand():
    stronger = play(position([PRINCE, BARON, GUARD], BARON), Baron(1))
    weaker = play(position([GUARD, KING, GUARD], BARON), Baron(1))
    assert (stronger.alive, stronger.discards_of(1)) == (0b101, (BARON,))
    assert (weaker.alive, weaker.discards_of(0)) == (0b110, (BARON, GUARD))


def test_baron_compares_the_card_kept_not_the_baron():
    assert play(position([BARON, PRIEST, GUARD], GUARD), Baron(1)).alive == 0b110


def test_baron_does_nothing_on_a_tie():
    state = play(position([PRIEST, PRIEST, GUARD], BARON), Baron(1))
    assert state.alive == 0b111
    assert [state.discards_of(player) for player in range(3)] == [(BARON,), (), ()]


def test_handmaid_protects_from_all_others():
    state = play(position([GUARD, PRIEST, PRIEST], HANDMAID, deck=[GUARD, GUARD, PRINCE]), Handmaid())
    assert available(state) == ["Priest on player 2", "Prince on player 1", "Prince on player 2"]


def test_handmaid_protects_until_the_own_next_turn():
    state = play(position([GUARD, COUNTESS, COUNTESS], HANDMAID, deck=[GUARD] * 5), Handmaid())
    play(state, Countess())
    assert state.protected == 0b001
    play(state, Countess())
    assert state.current_player == 0
    assert state.protected == 0


def test_two_players_can_be_protected_at_once():
    state = position([GUARD, HANDMAID, PRIEST], HANDMAID, deck=[GUARD, PRINCE, GUARD])
    play(state, Handmaid())
    play(state, Handmaid())
    assert available(state) == ["Priest", "Prince on player 2"]


@pytest.mark.parametrize(
    ("card", "action"),
    [(GUARD, Guard(NOBODY, 0)), (PRIEST, Priest(NOBODY)), (BARON, Baron(NOBODY)), (KING, King(NOBODY))],
)
def test_card_is_played_without_effect_when_all_others_are_protected(card, action):
    state = position([PRINCESS, PRIEST, PRIEST], card)
    state.protected = 0b110
    play(state, action)
    assert state.hands == [PRINCESS, PRIEST, PRIEST]
    assert state.known == 0
    assert state.discards_of(0) == (card,)


def test_card_must_be_used_on_the_one_player_not_protected():
    state = position([PRINCESS, PRIEST, PRIEST], KING)
    state.protected = 0b010
    assert available(state) == ["Princess", "King on player 2"]


def test_players_out_of_the_round_are_no_targets():
    assert available(position([PRIEST, 0, GUARD], KING)) == ["Priest on player 2", "King on player 2"]


def test_prince_makes_the_target_discard_without_effect_and_draw():
    state = play(position([GUARD, HANDMAID, GUARD], PRINCE, deck=[GUARD, GUARD, KING]), Prince(1))
    assert state.hands[1] == KING
    assert state.discards_of(1) == (HANDMAID,)
    assert state.protected == 0
    assert state.current_player == 1


def test_prince_may_be_used_on_oneself():
    state = play(position([PRIEST, GUARD], PRINCE, deck=[GUARD, GUARD, KING]), Prince(0))
    assert state.hands[0] == KING
    assert state.discards_of(0) == (PRINCE, PRIEST)


def test_prince_must_be_used_on_oneself_when_all_others_are_protected():
    state = position([PRINCE, GUARD, GUARD], PRINCE)
    state.protected = 0b110
    assert available(state) == ["Prince on player 0"]


def test_princess_discarded_by_a_prince_knocks_out_and_draws_nothing():
    state = play(position([GUARD, PRINCESS, GUARD], PRINCE), Prince(1))
    assert state.alive == 0b101
    assert state.hands[1] == 0
    assert state.discards_of(1) == (PRINCESS,)
    assert len(state.deck) == 2


def test_princess_discarded_by_the_own_prince_knocks_out():
    state = play(position([PRINCESS, GUARD, GUARD], PRINCE), Prince(0))
    assert state.alive == 0b110
    assert state.discards_of(0) == (PRINCE, PRINCESS)


def test_prince_on_an_empty_deck_gives_the_card_removed_at_the_start():
    # Player 1 takes the King removed, which wins the round for the token.
    state = play(position([PRINCE, GUARD], PRINCE, deck=[], removed=KING), Prince(1))
    assert state.tokens == (0, 1)


def test_king_trades_hands():
    state = play(position([PRIEST, PRINCESS, GUARD], KING), King(1))
    assert state.hands == [PRINCESS, PRIEST, GUARD]


@pytest.mark.parametrize("other", [KING, PRINCE])
def test_countess_must_be_played_with_king_or_prince(other):
    assert available(position([COUNTESS, GUARD], other)) == ["Countess"]
    assert available(position([other, GUARD], COUNTESS)) == ["Countess"]


@pytest.mark.parametrize("other", [PRIEST, BARON, HANDMAID, PRINCESS])
def test_countess_may_be_kept_with_other_cards_and_played_as_a_bluff(other):
    texts = available(position([COUNTESS, GUARD], other))
    assert len(texts) == 2
    assert "Countess" in texts


def test_countess_has_no_effect():
    state = play(position([COUNTESS, PRINCESS], GUARD), Countess())
    assert state.hands == [GUARD, PRINCESS]
    assert state.alive == 0b11


def test_princess_played_knocks_out_her_player():
    state = play(position([PRINCESS, GUARD, GUARD], PRIEST), Princess())
    assert state.alive == 0b110
    assert state.discards_of(0) == (PRINCESS, PRIEST)


# --- the end of a round ---------------------------------------------------------------------------------------------


def test_last_player_left_wins_the_round_whatever_the_card():
    state = play(position([GUARD, PRINCESS], PRINCE), Prince(1))
    assert state.tokens == (1, 0)
    assert state.round == 1


def test_player_who_knocks_oneself_out_loses_the_round():
    assert play(position([PRINCESS, GUARD], PRIEST), Princess()).tokens == (0, 1)


def test_highest_hand_wins_when_the_deck_is_empty_at_the_end_of_a_turn():
    state = play(position([KING, PRINCE, COUNTESS], PRIEST, deck=[]), Priest(1))
    assert state.tokens == (0, 0, 1)


def test_round_goes_on_while_a_card_is_in_the_deck():
    state = play(position([KING, PRINCE, COUNTESS], PRIEST, deck=[GUARD]), Priest(1))
    assert state.tokens == (0, 0, 0)
    assert state.deck == []


def test_hands_of_players_out_of_the_round_do_not_count():
    assert play(position([KING, 0, PRINCE], PRIEST, deck=[]), Priest(2)).tokens == (1, 0, 0)


def test_equal_hands_are_separated_by_the_total_of_the_discards():
    piles = [(GUARD, GUARD), (PRINCE,), (PRINCESS,)]
    state = play(position([PRINCE, PRINCE, GUARD], PRIEST, deck=[], discards=piles), Priest(1))
    assert state.tokens == (0, 1, 0)


def test_players_equal_in_hand_and_discards_all_get_a_token():
    piles = [(GUARD,), (BARON,), ()]
    state = play(position([PRINCE, PRINCE, GUARD], PRIEST, deck=[], discards=piles), Priest(1))
    assert state.tokens == (1, 1, 0)


def test_winner_starts_the_next_round():
    state = play(position([KING, PRINCE, COUNTESS], PRIEST, deck=[]), Priest(1))
    assert state.first_player == 2
    assert state.current_player == 2


@pytest.mark.parametrize(("first", "starter"), [(0, 1), (1, 0), (2, 0)])
def test_shared_round_is_followed_by_the_first_winner_after_its_starter(first, starter):
    piles = [(GUARD,), (BARON,), ()]
    state = play(position([PRINCE, PRINCE, GUARD], PRIEST, deck=[], discards=piles, first=first), Priest(1))
    assert state.first_player == starter


def test_next_round_is_dealt_from_the_whole_deck():
    state = play(position([GUARD, PRINCESS], PRINCE), Prince(1))
    assert all_cards(state) == LoveLetterParameters().deck()
    assert len(state.face_up) == 3
    assert state.discards == []
    assert state.alive == 0b11
    assert state.protected == 0
    assert state.known == state.public == state.doubtful == 0


# --- the end of the game --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n_players", "goal"), [(2, 7), (3, 5), (4, 4)])
def test_tokens_that_win_the_game(n_players, goal):
    others = [GUARD] * (n_players - 1)
    short = position([KING, *others], PRIEST, deck=[], tokens=[goal - 2] * n_players)
    last = position([KING, *others], PRIEST, deck=[], tokens=[goal - 1] * n_players)
    assert not play(short, Priest(1)).is_terminal
    play(last, Priest(1))
    assert last.is_terminal
    assert last.results == (WIN, *[LOSE] * (n_players - 1))
    assert [last.ordinal(player) for player in range(n_players)] == [1, *[2] * (n_players - 1)]
    assert available(last) == []


def test_players_who_reach_the_tokens_together_draw():
    piles = [(GUARD,), (BARON,), ()]
    state = position([PRINCE, PRINCE, GUARD], PRIEST, deck=[], discards=piles, tokens=[4, 4, 0])
    play(state, Priest(1))
    assert state.results == (DRAW, DRAW, LOSE)


def test_round_limit_ends_the_game_by_tokens():
    state = position([KING, GUARD, GUARD], PRIEST, deck=[], tokens=[1, 1, 0])
    play(state, Priest(1), max_rounds=1)
    assert state.is_terminal
    assert state.results == (WIN, LOSE, LOSE)


def test_score_is_the_number_of_tokens():
    state = position([KING, GUARD], PRIEST, tokens=[3, 1])
    assert (state.score(0), state.score(1)) == (3.0, 1.0)


def test_winners_of_rounds_are_announced():
    class Winners(Listener):
        def __init__(self):
            self.tokens = Counter()

        def on_game_event(self, state, event):
            self.tokens[int(event.player)] += event.name == "round won"

    from tag.agents.random import Random
    from tag.playing.game import Game

    winners = Winners()
    final = Game(LoveLetter(), [Random(), Random(), Random()], 5, listeners=[winners]).play()
    assert [winners.tokens[player] for player in range(3)] == list(final.tokens)


# --- variants -------------------------------------------------------------------------------------------------------


def test_variants_of_deck_tokens_and_cards_face_up():
    state = setup(2, guards=8, kings=2, face_up=5, tokens_2=3)
    assert len(all_cards(state)) == 20
    assert len(state.face_up) == 5
    assert state.goal == 3


def test_deck_too_small_to_deal_is_refused():
    with pytest.raises(ParameterError, match="a deck of 5 cards cannot be played; four players need at least 6"):
        LoveLetterParameters(guards=0, priests=0, barons=0, handmaids=0)


def test_too_many_cards_face_up_are_refused():
    with pytest.raises(ParameterError, match="face_up cannot be 8 with a deck of 11 cards; the nearest value is 7"):
        LoveLetterParameters(guards=0, face_up=8)


def test_smallest_deck_can_be_played_by_any_number():
    parameters = LoveLetterParameters(guards=1, priests=0, barons=0, handmaids=0, face_up=2)
    rng = Rng(4)
    for n_players in (2, 3, 4):
        model = LoveLetter(parameters)
        state = model.setup(n_players, rng)
        while not state.is_terminal:
            model.next(state, rng.choice(model.available_actions(state)), rng)
        assert max(state.tokens) == state.goal


# --- for people -----------------------------------------------------------------------------------------------------


def test_actions_in_words():
    texts = [str(Guard(1, KING)), str(Guard(NOBODY, 0)), str(Priest(2)), str(Handmaid())]
    assert texts == ["Guard on player 1 (King?)", "Guard", "Priest on player 2", "Handmaid"]


def test_table_in_words():
    state = position([KING, GUARD, 0], PRIEST, discards=[(GUARD,), (), (BARON, PRIEST)], tokens=[2, 0, 1])
    state.protected = 0b010
    assert state.text(1).splitlines() == [
        "Round 1, player 0 to play; 3 cards in the deck",
        "player 0  tokens 2/5  hand ? + ?  discards Guard",
        "player 1  tokens 0/5  hand Guard (protected)  discards none",
        "player 2  tokens 1/5  hand out  discards Baron, Priest",
    ]
    assert "King + Priest" in str(state)
