"""The rules of Spades, one test for each that can be got wrong."""

import pytest
from spades_positions import bid, cards, last_trick, legal, play, position

from tag import LOSE, WIN, Rng, make_game
from tag.engine.rules.tricks import cards_in
from tag.games.tricks.spades.data import BIDDING, BLIND, PLAYING
from tag.table.events import event_text

FOUR = ("2c 3c", "4c 5d", "6c 7d", "8c 9s")


def test_partners_sit_across():
    state = make_game("spades").setup(4, Rng(1))
    assert [state.team(seat) for seat in range(4)] == [0, 1, 0, 1]
    assert [len(cards_in(hand)) for hand in state.hands] == [13] * 4


def test_all_bid_once_in_turn_and_the_first_bidder_leads():
    model = make_game("spades")
    state = model.setup(4, Rng(1))
    assert len(model.available_actions(state)) == 14
    bid(model, state, 3, 0, 4)
    assert (state.current_player, state.phase) == (3, BIDDING)
    bid(model, state, 5)
    assert (state.current_player, state.phase, state.bids) == (0, PLAYING, (3, 0, 4, 5))


def test_bidding_begins_one_seat_further_in_each_hand():
    state = last_trick((1, 1, 1, 1), (3, 3, 3, 3))
    assert (state.current_player, state.phase, state.round) == (1, BIDDING, 1)
    model = make_game("spades")
    bid(model, state, 1, 2, 3, 4)
    assert (state.bids, state.current_player) == ((4, 1, 2, 3), 1)


def test_partners_may_bid_more_than_all_tricks_unless_it_is_ruled_out():
    model = make_game("spades")
    assert len(model.available_actions(bid(model, model.setup(4, Rng(1)), 9, 1))) == 14
    model = make_game("spades:team_limit=true")
    assert len(model.available_actions(bid(model, model.setup(4, Rng(1)), 9, 1))) == 5


def test_who_has_the_two_of_clubs_leads_it_by_choice():
    model = make_game("spades:first_lead=club")
    state = bid(model, model.setup(4, Rng(3)), 1, 1, 1, 1)
    assert state.hands[state.current_player] & cards("2c")
    assert legal(model, state) == "2c"


def test_suit_must_be_followed_and_trumping_is_free():
    model, state = position("2c 3d", "4c 5d", "6d 7s", "8c 9s")
    play(model, state, "2c")
    assert legal(model, state) == "4c"
    play(model, state, "4c")
    assert legal(model, state) == "6d 7s"


def test_spades_are_led_only_when_broken():
    model, state = position("2c 3s", *FOUR[1:])
    assert legal(model, state) == "2c"
    state.broken = True
    assert legal(model, state) == "2c 3s"
    model, state = position("2s 3s", *FOUR[1:])
    assert legal(model, state) == "2s 3s", "nothing else is in hand"


def test_a_spade_breaks_spades():
    model, state = position("2c 3c", "4d 5s", "6c 7d", "8c 9s")
    assert not play(model, state, "2c").broken
    assert play(model, state, "5s").broken


@pytest.mark.parametrize(
    ("trick", "winner"), [("2c Kc Ac 3c", 2), ("Ac 2s 3s Kc", 2), ("Ac Kd Ad Ah", 0), ("9s 2s 3s Ts", 3)]
)
def test_the_highest_spade_or_card_of_the_suit_led_takes_the_trick(trick, winner):
    hands = [f"{card} {other}" for card, other in zip(trick.split(), ("4h", "5h", "6h", "7h"), strict=True)]
    model, state = position(*hands, broken=True)
    play(model, state, trick)
    assert (state.current_player, state.won[winner], sum(state.won)) == (winner, 1, 1)


@pytest.mark.parametrize(
    ("bids", "won", "points", "bags"),
    [
        ((4, 3, 3, 3), (3, 3, 3, 3), (70, 60), (0, 0)),  # player 0 takes one more
        ((3, 3, 2, 2), (3, 3, 3, 3), (52, 51), (2, 1)),
        ((4, 4, 4, 3), (3, 3, 3, 3), (-80, -70), (0, 0)),
        ((2, 3, 0, 3), (6, 3, 0, 3), (125, 60), (5, 0)),
        ((7, 3, 0, 3), (5, 3, 1, 3), (-30, 60), (0, 0)),
        ((7, 3, 0, 3), (5, 3, 0, 3), (30, 60), (0, 0)),
        ((0, 6, 0, 6), (0, 6, 0, 6), (1, 120), (1, 0)),
    ],
    ids=["made", "bags", "set", "nil made", "nil failed counts", "set beside a nil", "double nil"],
)
def test_points_of_a_hand(bids, won, points, bags):
    state = last_trick(bids, won)
    assert (state.points, state.bags) == (points, bags)


def test_the_tricks_of_a_failed_nil_may_be_bags():
    state = last_trick((7, 3, 0, 3), (6, 3, 1, 2), nil_tricks="bags")
    assert (state.points, state.bags) == ((-100 + 70 + 1, -60), (1, 0))
    state = last_trick((7, 3, 0, 3), (5, 3, 2, 2), nil_tricks="bags")
    assert (state.points[0], state.bags[0]) == (-100 - 70 + 2, 2)


def test_ten_bags_cost_a_hundred_points_and_are_taken_off():
    state = last_trick((3, 3, 2, 2), (3, 3, 3, 3), points=(200, 200), bags=(9, 8))
    assert (state.points, state.bags) == ((200 + 52 - 100, 251), (1, 9))
    state = last_trick((1, 3, 0, 2), (12, 0, 0, 0), bags=(9, 0), bag_penalty=50)
    assert (state.points[0], state.bags[0]) == (100 + 10 + 12 - 100, 1)


def test_other_points_of_a_nil():
    assert last_trick((2, 3, 0, 3), (1, 5, 0, 5), nil=50).points[0] == 70


def test_the_game_ends_at_the_goal_and_more_points_win():
    assert not last_trick((4, 3, 3, 3), (3, 3, 3, 3), points=(429, 300)).is_terminal
    state = last_trick((4, 3, 3, 3), (3, 3, 3, 3), points=(430, 460))
    assert (state.points, state.results) == ((500, 520), (LOSE, WIN, LOSE, WIN))


def test_equal_sides_play_another_hand():
    state = last_trick((4, 3, 3, 3), (3, 3, 3, 3), points=(440, 450))
    assert (state.points, state.is_terminal) == ((510, 510), False)
    state = last_trick((4, 3, 3, 3), (3, 3, 3, 3), points=(441, 450))
    assert (state.results, state.round) == ((WIN, LOSE, WIN, LOSE), 1)


def test_the_game_ends_when_a_side_is_far_below_zero():
    assert not last_trick((4, 3, 4, 3), (3, 3, 3, 3), points=(-419, 0)).is_terminal
    state = last_trick((4, 3, 4, 3), (3, 3, 3, 3), points=(-420, 0))
    assert state.results == (LOSE, WIN, LOSE, WIN)


def test_hands_may_be_limited():
    assert last_trick((4, 3, 3, 3), (3, 3, 3, 3), hands=1).is_terminal
    assert not last_trick((4, 3, 3, 3), (3, 3, 3, 3), hands=2).is_terminal


def blind_hand():
    """Return the model and a hand in which the side of players 1 and 3 is 100 points behind."""
    state = last_trick((4, 3, 3, 3), (3, 3, 3, 3), points=(130, 40), blind_nil=True, nil=100)
    return make_game("spades:blind_nil=true"), state


def test_nil_may_be_bid_before_the_deal_by_a_side_that_is_far_behind():
    model, state = blind_hand()
    assert (state.points, state.phase, state.current_player, state.hands) == ((200, 100), BLIND, 1, [0] * 4)
    yes, no = [next(one for one in model.blind if one.accepts == accepts) for accepts in (True, False)]
    model.next(state, yes, Rng(1))
    assert (state.phase, state.current_player) == (BLIND, 3)
    model.next(state, no, Rng(1))
    assert (state.phase, state.current_player, state.bids[1]) == (BIDDING, 2, 0)
    bid(model, state, 4, 5, 3)
    assert (state.phase, state.bids) == (PLAYING, (3, 0, 4, 5))


def test_a_blind_nil_counts_twice():
    assert last_trick((4, 0, 3, 6), (3, 0, 3, 6), blind=2).points[1] == 260
    assert last_trick((4, 0, 3, 6), (3, 1, 3, 5), blind=2).points[1] == -140


def test_events_tell_bids_tricks_and_points():
    hands = ["Ac 2d", "2c 3d", "2s 4d", "4c 5d"]
    model, state = position(*hands, bids=(1, 1, 0, 1), won=(3, 3, 2, 3), hands=1)
    state.recording = True
    play(model, state, "Ac 2c 2s 4c 4d 5d 2d 3d")
    texts = [event_text(event) for event in state.announced if event_text(event)]
    assert texts[:3] == [
        "spades are broken",
        "player 2 takes the trick: 2c, 4c, Ac, 2s",
        "player 3 takes the trick: 2d, 3d, 4d, 5d",
    ]
    assert "player 0 and player 2 score -85: -85 in all" in texts
