"""The rules of Hearts, one test for each that can be got wrong."""

import pytest
from hearts_positions import cards, legal, passing, play, position, suit

from tag import DRAW, LOSE, WIN, Rng, make_game
from tag.engine.rules.tricks import card_names, cards_in
from tag.games.tricks.hearts import HeartsParameters
from tag.games.tricks.hearts.data import PASSING, PLAYING
from tag.table.events import event_text

FOUR = ("2c 3c", "4c 5d", "6c 7d", "8c 9s")


@pytest.mark.parametrize(
    ("n_players", "left_out", "each"),
    [(3, ("2d",), 17), (4, (), 13), (5, ("2c", "2d"), 10), (6, ("2c", "3c", "2d", "3d"), 8)],
)
def test_cards_are_left_out_so_that_all_have_as_many(n_players, left_out, each):
    state = make_game("hearts").setup(n_players, Rng(1))
    assert card_names((1 << 52) - 1 - state.deck) == left_out
    assert [len(cards_in(hand)) for hand in state.hands] == [each] * n_players
    assert sum(state.hands) == state.deck


@pytest.mark.parametrize(
    ("n_players", "targets"),
    [(4, [1, 3, 2, 0]), (3, [1, 2, 0]), (5, [1, 4, 0]), (6, [1, 5, 3, 0])],
)
def test_cards_are_passed_left_right_across_and_not_at_all(n_players, targets):
    model, rng, found = make_game("hearts:goal=500"), Rng(2), []
    state = model.setup(n_players, rng)
    for hand in range(2 * len(targets)):
        found.append(int(state.target(0)))
        assert state.phase == (PLAYING if found[-1] == 0 else PASSING)
        while state.round == hand:
            model.next(state, model.random_action(state, rng), rng)
    assert found == targets * 2


def test_passing_can_be_always_to_the_left_or_left_out():
    assert HeartsParameters(passing="left").directions(4) == [0]
    assert make_game("hearts:passing=none").setup(4, Rng(1)).phase == PLAYING


@pytest.mark.parametrize(
    ("direction", "got"), [(0, "Qc Qd 9c"), (1, "Kc Kd 9c"), (2, "2c 3c 9c")], ids=["left", "right", "across"]
)
def test_all_passes_are_chosen_before_any_is_seen(direction, got):
    hands = ("Ac Ad 9c", "Kc Kd 8c", "2c 3c 7c", "Qc Qd 6c")
    model, state = passing(*hands, direction=direction, pass_cards=2)
    play(model, state, "Ac Ad Kc Kd 2c 3c Qc")
    assert state.is_unresolved()
    assert state.hands == [cards(hand) for hand in hands]
    play(model, state, "Qd")
    assert not state.is_unresolved()
    assert state.hands[0] == cards(got)
    assert state.hands[state.current_player] & cards("2c")


def test_a_card_can_be_passed_once():
    model, state = passing(*FOUR, pass_cards=2)
    assert legal(model, play(model, state, "2c")) == "3c"


@pytest.mark.parametrize(("pass_cards", "n_players", "number"), [(3, 4, 3), (5, 6, 2)])
def test_no_more_cards_are_passed_than_there_are(pass_cards, n_players, number):
    assert HeartsParameters(pass_cards=pass_cards, ranks=4 if n_players == 6 else 13).passed(n_players) == number


def test_the_two_of_clubs_leads():
    model = make_game("hearts:passing=none")
    for seed in range(20):
        state = model.setup(4, Rng(seed))
        assert state.hands[state.current_player] & cards("2c")
        assert legal(model, state) == "2c"


def test_the_lowest_club_leads_where_the_two_is_left_out():
    assert legal(make_game("hearts:passing=none"), make_game("hearts:passing=none").setup(5, Rng(1))) == "3c"
    assert legal(make_game("hearts:passing=none"), make_game("hearts:passing=none").setup(6, Rng(1))) == "4c"


def test_suit_must_be_followed():
    model, state = position("2c 3d", "4c 5d", "6d 7d", "8c 9s")
    play(model, state, "2c")
    assert legal(model, state) == "4c"
    play(model, state, "4c")
    assert legal(model, state) == "6d 7d"


def test_no_points_are_played_to_the_first_trick():
    model, state = position("2c 3c", "4d 5h Qs", "6c 7d", "8c 9s", tricks=0)
    play(model, state, "2c")
    assert legal(model, state) == "4d"


def test_who_has_nothing_but_points_plays_any_of_them_to_the_first_trick():
    model, state = position("2c 3c", "4h 5h Qs", "6c 7d", "8c 9s", tricks=0)
    play(model, state, "2c")
    assert legal(model, state) == "4h 5h Qs"


def test_points_may_be_allowed_in_the_first_trick():
    model, state = position("2c 3c", "4d 5h Qs", "6c 7d", "8c 9s", tricks=0, first_points=True)
    play(model, state, "2c")
    assert legal(model, state) == "4d 5h Qs"


def test_points_may_be_discarded_from_the_second_trick_on():
    model, state = position("2c 3c", "4d 5h Qs", "6c 7d", "8c 9s")
    play(model, state, "2c")
    assert legal(model, state) == "4d 5h Qs"


def test_hearts_are_led_only_when_broken():
    model, state = position("2c 3h", *FOUR[1:])
    assert legal(model, state) == "2c"
    state.broken = True
    assert legal(model, state) == "2c 3h"


def test_hearts_are_led_by_who_has_nothing_else():
    model, state = position("2h 3h", *FOUR[1:])
    assert legal(model, state) == "2h 3h"
    model, state = position("2h Qs", *FOUR[1:])
    assert legal(model, state) == "Qs", "the queen is no heart"


def test_hearts_may_be_led_at_once_where_they_need_not_be_broken():
    model, state = position("2c 3h", *FOUR[1:], must_break=False)
    assert legal(model, state) == "2c 3h"


@pytest.mark.parametrize("queen_breaks", [False, True])
def test_a_heart_breaks_hearts_and_the_queen_by_choice(queen_breaks):
    model, state = position("2c 3c", "4d Qs", "6c 7d", "8c 9s", queen_breaks=queen_breaks)
    assert play(model, state, "2c Qs").broken == queen_breaks
    model, state = position("2c 3c", "4d 5h", "6c 7d", "8c 9s", queen_breaks=queen_breaks)
    assert play(model, state, "2c 5h").broken


def test_the_highest_card_of_the_suit_led_takes_the_trick_and_leads():
    model, state = position("2c 3d", "Jc 5d", "Ad 7d", "Tc 9s")
    play(model, state, "2c Jc Ad Tc")
    assert (state.current_player, state.taken[1]) == (1, cards("2c Jc Ad Tc"))
    assert (state.trick, state.led, state.tricks) == (0, -1, 2)


def test_aces_are_high():
    model, state = position("2c 3d", "Kc 5d", "Ac 7d", "Qc 9s")
    assert play(model, state, "2c Kc Ac Qc").current_player == 2


HEARTS_BUT_ONE = suit("h").replace("Ah", "").strip()


def last_trick(*, takes, rest, n=4, **rules):
    """Return the state after a last trick that player 0 takes, with cards that players have taken before."""
    hands = ["Ac", "2c", "3c", "4c", "5c", "6c"][:n]
    model, state = position(*hands, taken=(takes, *rest), played=("", *[""] * (n - 1)), broken=True, **rules)
    state.deck = (1 << 52) - 1
    return play(model, state, " ".join(hands))


def test_hearts_count_one_and_the_queen_thirteen():
    state = last_trick(takes="2h 3h", rest=("Qs", "4h 9d", ""), goal=13)
    assert state.points == (2, 13, 1, 0)
    assert state.results == (LOSE, LOSE, LOSE, WIN)
    assert [state.ordinal(player) for player in range(4)] == [3, 4, 2, 1]


@pytest.mark.parametrize(
    ("moon", "points"), [("others", (0, 26, 26, 26)), ("own", (-26, 0, 0, 0)), ("none", (26, 0, 0, 0))]
)
def test_who_takes_all_points_has_shot_the_moon(moon, points):
    assert last_trick(takes=f"{suit('h')} Qs", rest=("", "", ""), moon=moon, hands=1).points == points


@pytest.mark.parametrize(("takes", "other"), [(suit("h"), "Qs"), (f"{HEARTS_BUT_ONE} Qs", "Ah")])
def test_the_moon_needs_all_hearts_and_the_queen(takes, other):
    points = last_trick(takes=takes, rest=(other, "", ""), hands=1).points
    assert points == ((13, 13, 0, 0) if other == "Qs" else (25, 1, 0, 0))


def test_the_jack_of_diamonds_counts_only_by_choice_and_beside_the_moon():
    assert last_trick(takes="Jd", rest=("Qs", "", ""), hands=1).points == (0, 13, 0, 0)
    assert last_trick(takes="Jd", rest=("Qs", "", ""), jack=10, hands=1).points == (-10, 13, 0, 0)
    state = last_trick(takes=f"{suit('h')} Qs", rest=("Jd", "", ""), jack=10, hands=1)
    assert state.points == (0, 16, 26, 26)


def test_other_points_of_the_queen_count_for_the_moon_as_well():
    assert last_trick(takes=f"{suit('h')} Qs", rest=("", "", ""), queen=5, hands=1).points == (0, 18, 18, 18)


def test_the_game_ends_when_a_player_has_the_goal_after_a_hand():
    assert not last_trick(takes="2h", rest=("Qs", "", ""), goal=14).is_terminal
    assert last_trick(takes="2h", rest=("Qs", "", ""), goal=13).is_terminal


def test_equal_fewest_points_share_the_first_place_or_are_played_off():
    state = last_trick(takes="2h", rest=("Qs", "", ""), goal=13)
    assert state.results == (LOSE, LOSE, DRAW, DRAW)
    assert not last_trick(takes="2h", rest=("Qs", "", ""), goal=13, play_on=True).is_terminal
    assert last_trick(takes="2h", rest=("Qs", "3h", ""), goal=13, play_on=True).is_terminal


def test_hands_may_be_limited():
    assert not last_trick(takes="2h", rest=("", "", ""), hands=2).is_terminal
    assert last_trick(takes="2h", rest=("", "", ""), hands=1).is_terminal


def test_all_cards_are_dealt_again_after_a_hand():
    state = last_trick(takes="2h", rest=("Qs", "", ""))
    assert [len(cards_in(hand)) for hand in state.hands] == [13] * 4
    assert (state.taken, state.played, state.tricks, state.broken) == ((0,) * 4, [0] * 4, 0, False)
    assert (state.round, state.shift, state.phase) == (1, 3, PASSING)


@pytest.mark.parametrize("n_players", [3, 4, 5, 6])
def test_the_points_of_a_hand_add_up(n_players):
    model, rng = make_game("hearts:hands=1"), Rng(n_players)
    for _game in range(15):
        state = model.setup(n_players, rng)
        while not state.is_terminal:
            model.next(state, model.random_action(state, rng), rng)
        assert sum(state.points) in (26, 26 * (n_players - 1))
        assert sum(state.taken) == state.deck


def test_events_tell_what_happens_and_passed_cards_to_two_only():
    model, state = passing("Ac 9h", "Kc 8c", "2c 7c", "Qc 6c", pass_cards=1, hands=1)
    state.recording = True
    play(model, state, "9h Kc 2c Qc")
    told = [[event_text(event.known_to(viewer)) for event in state.announced] for viewer in range(4)]
    assert told[0][0] == "player 0 lays 9h aside"
    assert told[1][0] == "player 0 lays a card aside"
    assert "player 0 passes 9h to player 1" in told[1]
    assert "player 0 passes a card to player 1" in told[2]
    assert told[2][-1] == "player 3 has the 2c and leads it"
    state.announced = ()
    play(model, state, "2c Ac 8c 7c Qc 9h Kc 6c")
    texts = [event_text(event) for event in state.announced if event_text(event)]
    assert texts[:3] == [
        "player 0 takes the trick: 2c, 7c, 8c, Ac",
        "hearts are broken",
        "player 2 takes the trick: 6c, Qc, Kc, 9h",
    ]


def test_the_moon_is_announced():
    hands = ["Ac", "2c", "3c", "4c"]
    model, state = position(*hands, taken=(f"{suit('h')} Qs", "", "", ""), broken=True, hands=1)
    state.deck, state.recording = (1 << 52) - 1, True
    play(model, state, " ".join(hands))
    texts = [event_text(event) for event in state.announced]
    assert "player 0 has shot the moon" in texts
    assert "player 1 scores 26: 26 in all" in texts
