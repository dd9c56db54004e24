"""The rules of Hanabi, one by one, on positions laid out by hand."""

import pytest
from hanabi_positions import act, card, cards, discard, marks, play, position, rising, tell, texts

from tag import Rng, make_game
from tag.engine.results import DRAW, LOSE, WIN
from tag.errors import ParameterError
from tag.games.cards.hanabi import Hanabi, HanabiParameters
from tag.games.cards.hanabi.data import EMPTY, size_of

MINE = "r1 r2 r3 r4 r5"
THEIRS = "y1 y2 g3 g4 w5"
FULL = "RYGWB12345"


def names_in(state, player):
    return [one for one in state.hands[player * state.size : (player + 1) * state.size] if one != EMPTY]


@pytest.mark.parametrize(("n_players", "hand"), [(2, 5), (3, 5), (4, 4), (5, 4)])
def test_two_or_three_players_have_five_cards_others_four(n_players, hand):
    state = Hanabi().setup(n_players, Rng(3))
    assert [state.held(player) for player in range(n_players)] == [hand] * n_players
    assert size_of(state.full) == 50
    assert size_of(state.deck) == 50 - n_players * hand
    assert (state.hints, state.fuses) == (8, 3)


def test_each_colour_has_three_ones_two_of_each_between_and_a_five():
    assert Hanabi().setup(2, Rng(1)).full == cards(
        "1 1 1 2 2 3 3 4 4 5".join([])
        or " ".join(f"{colour}{rank}" for colour in "rygwb" for rank in (1, 1, 1, 2, 2, 3, 3, 4, 4, 5))
    )


def test_a_hint_names_what_the_hand_has():
    model, state = position(MINE, "y1 y2 y2 g4 w4")
    told = [text for text in texts(model, state) if text.startswith("tell")]
    assert told == [f"tell player 1: {what}" for what in ("yellow", "green", "white", "1", "2", "4")]


def test_an_edition_allows_empty_hints():
    model, state = position(MINE, "y1 y2 y2 g4 w4", empty_hints=True)
    assert len([text for text in texts(model, state) if text.startswith("tell")]) == 10
    act(model, state, tell(1, "r"))
    assert marks(state, 1) == ["YGWB12345"] * 5
    assert state.touched == 0


def test_nobody_is_told_about_the_own_hand():
    model, state = position(MINE, THEIRS, "b1 b1 b2 b2 b3", player=1)
    assert {text[12] for text in texts(model, state) if text.startswith("tell")} == {"0", "2"}


def test_a_hint_marks_all_cards_of_its_kind_and_says_what_the_others_are_not():
    model, state = position(MINE, "y1 y2 g1 g4 w5")
    act(model, state, tell(1, "y"))
    assert marks(state, 1) == ["Y12345", "Y12345", "RGWB12345", "RGWB12345", "RGWB12345"]
    assert (state.hints, state.touched >> 8, state.fresh >> 8) == (7, 0b00011, 0b00011)
    state.current_player = state.turn_player = 0
    act(model, state, tell(1, 1))
    assert marks(state, 1) == ["Y1", "Y2345", "RGWB1", "RGWB2345", "RGWB2345"]
    assert (state.touched >> 8, state.fresh >> 8) == (0b00111, 0b00101)
    assert marks(state, 0) == [FULL] * 5


def test_without_hints_none_is_given():
    model, state = position(MINE, THEIRS, hints=0)
    assert not [text for text in texts(model, state) if text.startswith("tell")]


def test_with_all_hints_no_card_is_discarded():
    model, state = position(MINE, THEIRS)
    assert not [text for text in texts(model, state) if text.startswith("discard")]
    state.hints = 7
    assert len([text for text in texts(model, state) if text.startswith("discard")]) == 5
    act(model, state, discard(1))
    assert state.hints == 8


def test_an_edition_allows_discards_with_all_hints():
    model, state = position(MINE, THEIRS, free_discards=True)
    act(model, state, discard(0))
    assert (state.hints, state.discards) == (8, cards("r1"))


def test_a_card_that_fits_goes_to_its_firework_and_is_replaced():
    model, state = position(MINE, THEIRS, fireworks=rising(r=2), hints=3)
    act(model, state, play(2))
    assert (state.fireworks, state.discards, state.fuses, state.hints) == (cards("r1 r2 r3"), 0, 3, 3)
    assert names_in(state, 0)[:4] == [card(name) for name in ("r1", "r2", "r4", "r5")]
    assert state.held(0) == 5


def test_a_card_that_does_not_fit_is_discarded_face_up_and_burns_a_fuse():
    model, state = position(MINE, THEIRS, hints=3)
    act(model, state, play(1))
    assert (state.fireworks, state.discards, state.fuses, state.hints) == (0, cards("r2"), 2, 3)
    assert "discards red 2" in state.text(0)
    act(model, state, play(0))
    act(model, state, play(0))
    assert state.fireworks == cards("r1 y1")
    state.hands[0] = card("r1")
    act(model, state, play(0), 2)  # a second red 1
    assert (state.fuses, size_of(state.discards)) == (1, 2) or state.current_player == 0


def test_a_card_that_is_there_already_does_not_fit():
    model, state = position(MINE, THEIRS, fireworks="r1")
    act(model, state, play(0))
    assert (state.fireworks, state.discards, state.fuses) == (cards("r1"), cards("r1"), 2)


@pytest.mark.parametrize(("hints", "after"), [(0, 1), (7, 8), (8, 8)])
def test_a_five_gives_a_hint_back_if_one_is_spent(hints, after):
    model, state = position(MINE, THEIRS, fireworks=rising(r=4), hints=hints)
    act(model, state, play(4))
    assert state.hints == after


def test_the_highest_card_of_a_shorter_firework_gives_the_hint_and_none_by_another_rule():
    model, state = position("r1 r2 r3 y1 y2", "g1 g1 g2 g2 g3", fireworks=rising(r=2), hints=2, ranks=3)
    assert act(model, state, play(2)).hints == 3
    model, state = position(MINE, THEIRS, fireworks=rising(r=4), hints=2, hint_back=False)
    assert act(model, state, play(4)).hints == 2


@pytest.mark.parametrize(("third_fuse", "score"), [("zero", 0.0), ("points", 2.0)])
def test_the_third_fuse_ends_the_game_with_a_loss(third_fuse, score):
    model, state = position(MINE, THEIRS, fireworks=rising(y=2), fuses=1, third_fuse=third_fuse)
    act(model, state, play(3))
    assert state.is_terminal
    assert state.results == (LOSE, LOSE)
    assert [state.score(player) for player in (0, 1)] == [score] * 2
    assert state.points() == 2


def test_the_game_ends_at_once_with_all_points():
    model, state = position(MINE, THEIRS, fireworks=rising(r=4, y=5, g=5, w=5, b=5), deck="y1 y1 g1")
    state.full = Hanabi().setup(2, Rng(1)).full
    act(model, state, play(4))
    assert state.is_terminal
    assert state.results == (WIN, WIN)
    assert state.score(0) == 25.0


def test_after_the_last_card_each_player_has_one_more_turn_also_who_has_drawn_it():
    model, state = position("r1 r2 r3 r4 r5", "y1 y2 y3 y4 y5", "g1 g2 g3 g4 g5", deck="w1", hints=5)
    act(model, state, play(0))  # and draws the last card
    movers = []
    while not state.is_terminal:
        movers.append(int(state.current_player))
        act(model, state, play(0))
    assert movers == [1, 2, 0]
    assert state.results == (DRAW,) * 3
    assert state.score(0) == 4.0
    assert [state.held(player) for player in range(3)] == [4, 4, 4]


def test_hints_do_not_draw():
    model, state = position(MINE, THEIRS)
    before = state.deck
    act(model, state, tell(1, 1))
    assert state.deck == before


def test_in_the_last_round_a_hint_is_a_turn_too():
    model, state = position("r1 r2 r3 r4 r5", "y1 y2 y3 y4 y5", deck="w1", hints=5)
    act(model, state, play(0))
    act(model, state, tell(0, "r"))
    assert not state.is_terminal
    act(model, state, tell(1, "y"))
    assert state.is_terminal


def test_the_new_card_is_the_newest_and_marks_move_with_their_cards():
    model, state = position(MINE, THEIRS, hints=5)
    act(model, state, tell(1, "g"))  # cards 3 and 4
    assert state.touched == 0b01100 << 8
    act(model, state, discard(1))
    assert marks(state, 1) == ["RYWB12345", "G12345", "G12345", "RYWB12345", FULL]
    assert state.touched == 0b00110 << 8
    assert state.fresh == 0


def test_a_hint_is_fresh_until_its_holder_has_had_a_turn():
    model, state = position(MINE, THEIRS, "b1 b1 b2 b2 b3")
    act(model, state, tell(2, 1))
    act(model, state, tell(0, 1))
    assert (state.fresh >> 16, state.fresh & 255) == (0b00011, 1)
    act(model, state, tell(0, 2))
    assert (state.fresh >> 16, state.fresh & 255) == (0, 2)
    assert state.touched >> 16 == 0b00011


@pytest.mark.parametrize("player", range(5))
def test_a_turn_makes_the_hints_of_one_player_old(player):
    """Compiled, sets of cards in hand are machine integers, of which the last players have the upper half."""
    model, state = position(*["r1 y1 g1 w1", "r2 y2 g2 w2", "r3 y3 g3 w3", "r4 y4 g4 w4", "b1 b1 b2 b2"], player=player)
    others = [other for other in range(5) if other != player]
    state.fresh = state.touched = sum(0b0101 << 8 * seat for seat in range(5))
    act(model, state, tell(others[-1], "b" if others[-1] == 4 else "r"))
    rows = [state.fresh >> 8 * seat & 255 for seat in range(5)]
    assert rows[player] == 0
    assert [rows[other] for other in others[:-1]] == [0b0101] * 3
    assert rows[others[-1]] == (0b1111 if others[-1] == 4 else 0b0001)
    assert state.fresh >> 40 == 0


def test_multicolour_cards_are_marked_by_every_colour_and_named_by_none():
    model, state = position(MINE, "m1 y2 g3 m4 w5", colours=6, multicolour=True)
    told = [text for text in texts(model, state) if text.startswith("tell")]
    assert told[:5] == [f"tell player 1: {what}" for what in ("red", "yellow", "green", "white", "blue")]
    act(model, state, tell(1, "r"))
    assert marks(state, 1) == ["RM12345", "YGWB12345", "YGWB12345", "RM12345", "YGWB12345"]
    assert state.touched >> 8 == 0b01001
    state.current_player = state.turn_player = 0
    act(model, state, tell(1, "y"))
    assert marks(state, 1)[0] == "M12345"


def test_a_sixth_colour_is_like_the_others_else():
    model, state = position(MINE, "m1 y2 g3 m4 w5", colours=6)
    act(model, state, tell(1, "m"))
    assert marks(state, 1) == ["M12345", *["RYGWB12345"] * 2, "M12345", "RYGWB12345"]
    assert size_of(state.full) == 60


def test_dead_and_critical_cards():
    _model, state = position(MINE, THEIRS, fireworks="y1", discards="b2 b2 w4 g1 g1")
    assert state.playable() == cards("r1 y2 g1 w1 b1")
    assert state.useful() & cards("b1 b2 b3 b4 b5 y1") == cards("b1")
    assert state.critical() == cards("r5 y5 g5 w5 g1 w4")
    assert size_of(state.useful()) == 25 - 1 - 4


def test_small_decks_deal_smaller_hands_and_the_smallest_are_refused():
    model = make_game("hanabi:colours=1,lowest=2")
    assert [model.setup(n, Rng(1)).held(0) for n in (2, 3, 4, 5)] == [4, 2, 2, 1]
    with pytest.raises(ParameterError, match="a deck of 5 cards cannot be played"):
        HanabiParameters(colours=1, lowest=1, middle=1)


def test_the_same_seed_has_the_same_deck_whoever_draws():
    model, orders = Hanabi(), []
    for kind in ("play", "discard"):
        state, rng, drawn = model.setup(2, Rng(5)), Rng(6), []
        for _turn in range(2):
            deck = state.deck
            state.hints = 5
            actions = [one for one in model.available_actions(state) if str(one).startswith(kind)]
            model.next(state, actions[-1], rng)
            drawn.append(deck - state.deck)
        orders.append(drawn)
    assert orders[0] == orders[1]
