"""Uno against Mattel's instruction sheet: one test per rule that can be got wrong."""

from collections import Counter

import pytest
from play.uno_positions import (
    all_cards,
    available,
    card,
    cards,
    dealt_with,
    full_deck,
    hand,
    play,
    position,
    random_positions,
    sizes,
)

from tag.engine.results import DRAW, LOSE, WIN
from tag.engine.rng import Rng
from tag.errors import ParameterError, PlayersError
from tag.games.cards.uno import Uno, UnoParameters
from tag.games.cards.uno.actions import Play
from tag.games.cards.uno.data import NAMES
from tag.table.events import event_texts

pytestmark = pytest.mark.flow

# --- contents and set-up ------------------------------------------------------------------------------------------------


def test_deck_has_the_108_printed_cards():
    # "19 cards of each colour, 0 to 9; 8 draw two, 8 reverse, 8 skip; 4 wild, 4 wild draw four".
    count = Counter(NAMES[kind] for kind in full_deck())
    assert sum(count.values()) == 108
    assert all(count[f"{colour} 0"] == 1 for colour in ("red", "yellow", "green", "blue"))
    assert all(count[f"red {symbol}"] == 2 for symbol in [*range(1, 10), "skip", "reverse", "draw two"])
    assert count["wild"] == count["wild draw four"] == 4


@pytest.mark.parametrize("n_players", range(2, 11))
def test_everybody_is_dealt_seven_and_a_card_is_turned_up(n_players):
    state = dealt_with("g4", n_players)
    assert sizes(state) == [7] * n_players
    assert all(len(hand(state, player)) == 7 for player in range(n_players))
    assert state.discards.size == 1
    assert state.deck.size == 108 - 7 * n_players - 1
    assert all_cards(state) == full_deck()


@pytest.mark.parametrize("n_players", [1, 11])
def test_two_to_ten_play(n_players):
    with pytest.raises(PlayersError):
        Uno().setup(n_players, Rng(1))


@pytest.mark.parametrize("n_players", [2, 4, 10])
def test_no_card_is_lost_or_made_and_sizes_are_right_in_random_games(n_players):
    for state in random_positions(n_players, seed=n_players, scoring="single"):
        assert all_cards(state) == full_deck()
        assert [len(hand(state, player)) for player in range(n_players)] == sizes(state)
        assert state.deck.size + state.discards.size + sum(sizes(state)) == 108


# --- the card turned up -------------------------------------------------------------------------------------------------


def test_number_turned_up_lets_the_player_to_the_left_of_the_dealer_begin():
    state = dealt_with("g4")
    assert (state.dealer, state.current_player, state.first_player) == (2, 0, 0)


def test_skip_turned_up_skips_the_player_to_the_left_of_the_dealer():
    assert dealt_with("gs").current_player == 1
    assert dealt_with("gs", 2).current_player == 1


def test_reverse_turned_up_lets_the_dealer_begin_and_play_go_right():
    state = dealt_with("gr", 4)
    assert (state.current_player, state.direction) == (3, -1)
    play(state, "draw", "keep the card drawn")
    assert state.current_player == 2


def test_reverse_turned_up_is_a_skip_for_two():
    assert dealt_with("gr", 2).current_player == 1


def test_draw_two_turned_up_makes_the_first_player_draw_and_lose_the_turn():
    state = dealt_with("gd")
    assert sizes(state) == [9, 7, 7]
    assert state.current_player == 1


def test_wild_turned_up_lets_the_first_player_name_the_colour_and_then_play():
    state = dealt_with("w")
    assert available(state) == {"name red", "name yellow", "name green", "name blue"}
    play(state, "name green")
    assert (state.current_player, state.turn, state.colour) == (0, 0, card("g1") // 13)
    green = {name for name in hand(state, 0) if name.startswith(("green", "wild"))}
    assert {action.split(" (")[0] for action in available(state)} == green | {"draw"}


def test_wild_draw_four_is_never_turned_up_and_goes_back_into_the_pile():
    # Twenty of them in a deck of which few others are left when ten hands are dealt.
    model = Uno(UnoParameters(wild_draw_fours=10, hand_size=1, zeros=0, numbers=1, skips=0, reverses=0, draw_twos=0))
    for seed in range(300):
        state = model.setup(10, Rng(seed))
        assert state.top != card("f")
        assert len(all_cards(state)) == 50
        assert state.deck.size == 39 - (sizes(state)[0] - 1)


# --- what can be played -------------------------------------------------------------------------------------------------


def test_colour_number_and_wild_cards_match():
    state = position(["r1 r9 b5 g6 w", "r1"], "r5")
    wild = {f"wild ({colour})" for colour in ("red", "yellow", "green", "blue")}
    assert available(state) == {"red 1", "red 9", "blue 5", "draw"} | wild


@pytest.mark.parametrize("symbol", ["s", "r", "d"])
def test_symbols_match_across_colours(symbol):
    state = position([f"b{symbol} g6", "r1"], f"r{symbol}")
    assert available(state) == {NAMES[card(f"b{symbol}")], "draw"}


def test_colour_named_with_a_wild_has_to_be_matched_and_nothing_else():
    state = play(position(["w r1", "g0 r0 b0 g1", "r1"]), "wild (green)")
    assert available(state) == {"green 0", "green 1", "draw"}


def test_wild_can_be_played_with_a_matching_card_in_hand_and_name_the_same_colour():
    assert "wild (red)" in available(position(["w r1", "r1"], "r5"))


def test_equal_cards_are_one_choice():
    assert available(position(["r1 r1", "r1"])) == {"red 1", "draw"}


# --- drawing ------------------------------------------------------------------------------------------------------------


def test_who_can_play_may_draw_and_then_play_only_the_card_drawn():
    state = play(position(["r1 r2", "r1"], deck="r9"), "draw")
    assert available(state) == {"keep the card drawn", "red 9"}
    assert state.current_player == 0
    play(state, "red 9")
    assert (state.current_player, sizes(state)[0], state.top) == (1, 2, card("r9"))


def test_playing_the_card_drawn_is_optional():
    state = play(position(["r1 r2", "r1"], deck="r9"), "draw", "keep the card drawn")
    assert (state.current_player, state.top) == (1, card("r5"))
    assert hand(state, 0) == ["red 1", "red 2", "red 9"]


def test_card_drawn_that_cannot_be_played_is_kept():
    assert available(play(position(["r1", "r1"], deck="g9"), "draw")) == {"keep the card drawn"}


def test_card_drawn_and_played_has_its_effect():
    state = play(position(["r1 r2", "r1", "r1"], deck="rs"), "draw", "red skip")
    assert state.current_player == 2
    assert "wild (blue)" in available(play(position(["r1", "r1"], deck="w"), "draw"))


def test_drawing_can_be_made_a_last_resort():
    assert available(position(["r1 g7", "r1"]), voluntary_draw=False) == {"red 1"}
    assert available(position(["g7", "r1"]), voluntary_draw=False) == {"draw"}


def test_discards_but_for_the_top_become_the_draw_pile_when_it_is_empty():
    state = play(position(["r1", "r1"], "r5", deck="", under="g1 g2 w"), "draw")
    assert state.deck.size == 2
    assert state.discards.size == 1
    assert (state.top, state.discards.cards()) == (card("r5"), [card("r5")])
    assert sizes(state)[0] == 2


def test_who_has_to_draw_more_than_there_is_draws_what_there_is():
    state = play(position(["rd r1", "r1", "r1"], "r5", deck="", under=""), "red draw two")
    assert sizes(state) == [1, 2, 1]  # the card that was under the draw two
    assert state.current_player == 2


def test_who_draws_where_no_card_is_left_passes_and_when_all_have_the_round_is_over():
    state = position(["g1 g2", "b3", "y9 y9"], "r5", deck="", goal=500)
    play(state, "draw")
    assert (state.current_player, state.passes, sizes(state)) == (1, 1, [2, 1, 2])
    play(state, "draw", "draw")
    assert state.round == 1
    assert all_cards(state) == full_deck()


def test_blocked_round_is_won_by_the_fewest_points_in_hand_and_by_nobody_if_two_are_equal():
    state = play(position(["g1 g1", "b3", "y9 y9"], "r5", deck=""), "draw", "draw", "draw")
    assert state.points == (21, 0, 0)
    state = play(position(["g1 g2", "b3", "y9 y9"], "r5", deck=""), "draw", "draw", "draw")
    assert state.points == (0, 0, 0)
    state = play(position(["g1", "b3"], deck="", scoring="single"), "draw", "draw", scoring="single")
    assert state.results == (WIN, LOSE)


def test_play_starts_the_count_of_passes_again():
    state = position(["g1 g2", "b3 r1", "y9 y9"], "r5", deck="")
    play(state, "draw", "red 1", "draw")
    assert (state.round, state.passes) == (0, 0)


def test_round_that_takes_too_long_ends_as_a_blocked_one():
    model = Uno(UnoParameters(max_turns=2, scoring="single"))
    state = model.setup(3, Rng(5))
    while not state.is_terminal:
        model.next(state, model.available_actions(state)[-1], Rng(1))
    assert state.turn == 2


# --- the action cards ---------------------------------------------------------------------------------------------------


def test_skip_makes_the_next_player_lose_the_turn():
    assert play(position(["rs r1", "r1", "r1"]), "red skip").current_player == 2
    assert play(position(["rs r1", "r1"]), "red skip").current_player == 0


def test_reverse_turns_the_direction_round():
    state = play(position(["rr r1", "r1", "r1 rr"]), "red reverse")
    assert state.current_player == 2
    assert play(state, "red reverse").current_player == 0


def test_reverse_is_a_skip_for_two():
    state = play(position(["rr r1", "r1"]), "red reverse")
    assert state.current_player == 0


def test_draw_two_makes_the_next_player_draw_two_and_lose_the_turn():
    state = play(position(["rd r1", "r1 gd", "r1"]), "red draw two")
    assert sizes(state) == [1, 4, 1]
    assert state.current_player == 2
    assert play(position(["rd r1", "r1"]), "red draw two").current_player == 0


def test_effects_follow_the_direction_of_play():
    state = position(["rd r1", "r1", "r1", "r1"])
    state.direction = -1
    play(state, "red draw two")
    assert sizes(state) == [1, 1, 1, 3]
    assert state.current_player == 2


# --- wild draw four -----------------------------------------------------------------------------------------------------

FOUR = "wild draw four (green)"


def test_next_player_is_asked_and_draws_four_and_loses_the_turn():
    state = play(position(["f b1", "r1", "r1"]), FOUR)
    assert (state.current_player, state.turn_player) == (1, 0)
    assert available(state) == {"accept", "challenge"}
    play(state, "accept")
    assert sizes(state) == [1, 5, 1]
    assert (state.current_player, state.colour) == (2, 2)


def test_guilty_draws_four_and_the_challenger_plays():
    state = play(position(["f r1", "r1", "r1"]), FOUR, "challenge")
    assert sizes(state) == [5, 1, 1]
    assert (state.current_player, state.colour) == (1, 2)


def test_failed_challenge_costs_six_and_the_turn():
    state = play(position(["f b1", "r1", "r1"]), FOUR, "challenge")
    assert sizes(state) == [1, 7, 1]
    assert state.current_player == 2


@pytest.mark.parametrize("innocent", ["b5", "w", "f", "gs"])
def test_number_symbol_and_wild_cards_are_no_cards_of_the_colour(innocent):
    state = play(position([f"f {innocent}", "r1", "r1"], "r5"), FOUR, "challenge")
    assert sizes(state)[1] == 7


def test_colour_that_counts_is_the_one_named_before_not_the_new_one():
    state = position(["w b1", "f b2", "r1"], "r5")
    play(state, "wild (blue)", FOUR, "challenge")
    assert sizes(state) == [1, 5, 1]
    state = play(position(["f g2", "r1", "r1"], "r5"), FOUR, "challenge")
    assert sizes(state) == [1, 7, 1]


def test_only_the_challenger_is_shown_the_hand():
    state = play(position(["f b1 b2", "r1", "r1"]), FOUR, "challenge")
    assert "blue 1, blue 2" in state.text(1)
    assert "blue" not in state.text(2)


def test_without_bluffing_it_is_played_without_a_card_of_the_colour_only_and_never_challenged():
    rules = {"bluffing": False}
    assert FOUR not in available(position(["f r1", "r1"]), **rules)
    assert FOUR not in available(play(position(["r1", "r1"], deck="f"), "draw"), **rules)
    state = play(position(["f b5", "r1", "r1"]), FOUR, **rules)
    assert (state.current_player, sizes(state)) == (2, [1, 5, 1])


def test_bluff_can_be_beyond_challenge():
    state = play(position(["f r1", "r1", "r1"]), FOUR, challenges=False)
    assert (state.current_player, sizes(state)) == (2, [1, 5, 1])


def test_card_drawn_can_be_a_wild_draw_four_and_a_bluff():
    state = play(position(["r1", "r1", "r1"], deck="f " + "y1 " * 9), "draw")
    if state.drawn == card("f"):
        play(state, FOUR, "challenge")
        assert sizes(state)[0] == 5
    assert available(play(position(["r1", "r1"], deck="f"), "draw")) >= {FOUR, "keep the card drawn"}


def test_cards_drawn_are_parameters():
    rules = {"draw_four": 3, "challenge_extra": 1, "draw_two": 5}
    assert sizes(play(position(["f b1", "r1", "r1"]), FOUR, "challenge", **rules))[1] == 5
    assert sizes(play(position(["rd b1", "r1", "r1"]), "red draw two", **rules))[1] == 6


# --- uno ----------------------------------------------------------------------------------------------------------------


def test_uno_is_always_called_unless_players_may_slip():
    assert sizes(play(position(["r1 r2", "r1"]), "red 1"))[0] == 1
    assert sizes(play(position(["r1 r2", "r1"]), "red 1", uno_slip=1.0))[0] == 3
    assert sizes(play(position(["r1 r2 r3", "r1"]), "red 1", uno_slip=1.0))[0] == 2
    assert sizes(play(position(["g1", "r1"], deck="g9"), "draw", "keep the card drawn", uno_slip=1.0))[0] == 2


# --- the end of a round and of the game ---------------------------------------------------------------------------------


def points_of(text, **parameters):
    """Return what a winner gets for the ``text`` of the other hand."""
    state = position(["r1", text, "g0"], **parameters)
    return play(state, "red 1", **parameters).points[0]


@pytest.mark.parametrize(("text", "points"), [("g0", 0), ("g1 b9", 10), ("gs gr gd", 60), ("w f", 100), ("g7 g7", 14)])
def test_cards_count_as_printed(text, points):
    assert points_of(text) == points


def test_points_of_action_and_wild_cards_are_parameters():
    assert points_of("gs w g3", action_points=5, wild_points=11) == 19


def test_who_has_no_card_left_gets_the_points_and_all_are_dealt_again():
    state = play(position(["r1", "g5", "w"]), "red 1")
    assert state.points == (55, 0, 0)
    assert state.round == 1
    assert sum(sizes(state)) >= 21
    assert all_cards(state) == full_deck()
    assert state.dealer == 0


def test_deal_passes_to_the_left_and_direction_starts_again():
    state = position(["rr", "r1", "g1", "g2"])
    state.direction = -1
    play(state, "red reverse")
    assert state.dealer == 0
    assert state.direction == (-1 if state.top % 13 == 11 and state.top < 52 else 1)


def test_draw_two_played_last_makes_the_next_player_draw_and_counts():
    assert play(position(["rd", "g5", "g1"], deck="w g9"), "red draw two").points[0] == 65


def test_wild_draw_four_played_last_cannot_be_challenged_and_counts():
    state = play(position(["f", "g5", "g1"], deck="b1 b1 b1 b1"), FOUR)
    assert state.points[0] == 10
    assert state.round == 1


def test_five_hundred_points_win():
    state = position(["r1", "w", "g1"])
    state.points = (449, 480, 0)
    play(state, "red 1")
    assert state.is_terminal
    assert state.results == (WIN, LOSE, LOSE)
    assert [state.ordinal(player) for player in range(3)] == [1, 2, 3]
    almost = position(["r1", "g9", "g1"])
    almost.points = (489, 480, 0)
    assert not play(almost, "red 1").is_terminal


def test_single_round_is_won_by_who_goes_out():
    state = play(position(["r1", "g0", "g1"], scoring="single"), "red 1", scoring="single")
    assert state.results == (WIN, LOSE, LOSE)
    assert [state.ordinal(player) for player in range(3)] == [1, 2, 3]
    assert state.points == (0, 0, 1)


def test_lowest_total_wins_when_somebody_reaches_the_goal():
    rules = {"scoring": "lowest"}
    state = position(["r1", "w", "g1"], **rules)
    state.points = (300, 450, 298)
    play(state, "red 1", **rules)
    assert state.points == (300, 500, 299)
    assert state.results == (LOSE, LOSE, WIN)
    draw = position(["r1", "w", "g1"], **rules)
    draw.points = (300, 450, 299)
    assert play(draw, "red 1", **rules).results == (DRAW, LOSE, DRAW)


OUT = {"scoring": "elimination"}


def test_who_reaches_the_goal_is_out_and_the_last_player_wins():
    state = position(["r1", "w", "g1", "g2"], **OUT)
    state.points = (400, 450, 498, 0)
    play(state, "red 1", **OUT)
    assert state.points == (400, 500, 499, 2)
    assert sizes(state)[1] == 0
    assert (state.active, state.results[1], state.is_terminal) == (3, LOSE, False)
    assert [state.seat_after(0, steps) for steps in (1, 2, 3)] == [2, 3, 0]


def test_two_left_play_head_to_head():
    state = position(["r1", "w", "rr g1"], **OUT)
    state.points = (400, 450, 0)
    play(state, "red 1", **OUT)
    assert state.active == 2
    again = position(["rr g1", "", "g1"], **OUT)
    again.active, again.fallen = 2, (0, 1, 0)
    assert play(again, "red reverse", **OUT).current_player == 0
    last = position(["r1", "", "w"], **OUT)
    last.active, last.fallen, last.points = 2, (0, 1, 0), (499, 510, 460)
    last.round = 3
    last.set_result(1, LOSE)
    play(last, "red 1", **OUT)
    assert last.results == (WIN, LOSE, LOSE)
    assert [last.ordinal(player) for player in range(3)] == [1, 3, 2]


def test_partners_win_points_together_from_both_opponents():
    rules = {"partners": True}
    state = position(["r1", "g5", "w", "g7"], **rules)
    state.points = (490, 0, 490, 0)
    play(state, "red 1", **rules)
    assert state.points == (502, 0, 502, 0)
    assert state.results == (WIN, LOSE, WIN, LOSE)


def test_round_limit_lets_the_score_decide():
    state = play(position(["r1", "g5", "w"], max_rounds=1), "red 1", max_rounds=1)
    assert state.results == (WIN, LOSE, LOSE)


def told(state, viewer, *actions):
    """Return what ``viewer`` is told after the last of some actions."""
    state.recording = True
    for action in actions:
        state.announced = ()
        play(state, action)
    return event_texts(state.announced, viewer)


def test_events_tell_who_has_won_a_round_and_what_for():
    texts = told(position(["r1", "g5 w"]), 0, "red 1")
    assert texts[:4] == [
        "player 1 shows green 5, wild: 55 points",
        "player 0 wins the round: no card is left in hand",
        "player 0 scores 55",
        "round 2 begins",
    ]
    assert "player 1 is dealt 7 cards" in texts
    assert " is turned up" in texts[-1]


def test_events_tell_who_draws_and_loses_the_turn():
    assert told(position(["rd y1", "g5", "b1"], deck="y1 " * 5), 1, "red draw two") == [
        "player 1 draws yellow 1, yellow 1: draw two",
        "player 1 loses the turn",
    ]
    assert told(position(["rr y1", "g5", "b1"]), 1, "red reverse") == ["play goes the other way round"]


@pytest.mark.parametrize(
    ("top", "sentence"),
    [
        ("g4", "green 4 is turned up"),
        ("gs", "green skip is turned up: player 0 loses the turn"),
        ("gr", "green reverse is turned up: player 2 begins, the other way round"),
        ("gd", "green draw two is turned up: player 0 has 2 cards more and loses the turn"),
        ("w", "wild is turned up: player 0 names a colour"),
    ],
)
def test_events_of_the_deal_tell_what_the_card_turned_up_does(top, sentence):
    state = dealt_with(top)
    state.recording = True
    Uno().announce_setup(state)
    assert event_texts(state.announced, 0)[-1] == sentence


def test_events_of_a_challenge_show_the_hand_to_the_challenger_only():
    hands = ["f r1", "g5", "b1"]
    shown = told(position(hands), 1, FOUR, "challenge")
    assert shown[0] == "player 0 shows red 1 to player 1: there is a red card"
    assert told(position(hands), 2, FOUR, "challenge") == [
        "player 0 shows a card to player 1: there is a red card",
        "player 0 draws 4 cards: the challenge is right",
    ]
    assert told(position(["f b1", "g5", "b1"]), 2, FOUR, "challenge")[1:] == [
        "player 1 draws 6 cards: the challenge is wrong",
        "player 1 loses the turn",
    ]


# --- parameters ---------------------------------------------------------------------------------------------------------


def test_deck_too_small_for_ten_hands_is_refused():
    with pytest.raises(ParameterError, match="hand_size cannot be 10: .* 99 cards .* the nearest value is 9"):
        UnoParameters(hand_size=10, wilds=3, zeros=0, skips=2)


def test_partners_score_for_the_winner_only():
    with pytest.raises(ParameterError, match="scoring cannot be 'lowest' with partners.*'winner'"):
        UnoParameters(partners=True, scoring="lowest")


@pytest.mark.parametrize("seed", range(12))
def test_random_parameters_can_be_played(seed):
    rng = Rng(seed)
    parameters = UnoParameters.sample(rng)
    model = Uno(parameters)
    state = model.setup(2 + int(rng.below(9)), rng)
    for _action in range(400):
        if state.is_terminal:
            break
        model.next(state, rng.choice(model.available_actions(state)), rng)
        assert len(all_cards(state)) == sum(parameters.deck())
        assert min(sizes(state)) >= 0


def test_actions_are_found_again_by_their_key():
    assert Play(card("r7"), 0).key() == (7, 0)
    assert cards("r0 y0 w f") == [0, 13, 52, 53]
