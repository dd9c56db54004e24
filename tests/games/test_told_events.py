"""Events of games in words: what a player is told of a showdown, an elimination, a bust or an outbreak."""

from __future__ import annotations

import pytest

from tag.table.events import event_texts
from tag.table.game import Start, TableGame


def told(game, players, seed, line, viewer, names=()):
    """What a viewer is told of what followed from the last action of a line."""
    table = TableGame(Start(game, players, seed), line)
    return event_texts(table.taken[-1].events, viewer, names)


def test_a_showdown_names_cards_hands_pots_and_reasons():
    line = [5, 0, 0, 2, 1, 0, 3, 1, 3, 1, 1, 0, 3, 5, 1, 1]
    texts = told("poker", 3, 4, line, 2)
    assert texts[:11] == [
        "the flop: 2h, Qs, Td",
        "the turn: Th",
        "the river: 9h",
        "player 0 shows 2c, Kh: two pair",
        "player 1 shows 9c, 4c: two pair",
        "player 2 shows 5c, 6c: pair",
        "player 1 gets 2325 chips: the best hand, two pair by rank",
        "player 0 gets 460 chips: the best hand for a side pot, two pair",
        "hand 4 begins, player 0 has the button",
        "player 0 is dealt 2 cards",
        "player 1 is dealt 2 cards",
    ]
    assert texts[-2:] == ["player 1 posts the small blind, 5", "player 2 posts the big blind, 10"]


def test_chips_that_no_one_has_called_and_pots_of_folded_hands_have_their_reason():
    line = [2, 2, 2, 2, 2, 2, 3, 5, 0, 0, 3, 1, 1, 0, 2, 5, 0, 1]
    assert "player 1 gets 100 chips: no one has called them" in told("poker", 3, 1, line, 0)
    assert told("poker", 2, 1, [0], 0)[0] == "player 1 gets 15 chips: all others have folded"


@pytest.mark.parametrize(("viewer", "shown"), [(0, "Priest"), (2, "Priest"), (1, "a card"), (-1, "Priest")])
def test_hands_under_the_baron_are_shown_to_the_two_players_only(viewer, shown):
    texts = told("love_letter", 3, 1, [0, 3, 0], viewer, ["Ada", "Ben", "Cem"])
    assert texts[:3] == [
        f"Cem shows {shown} to Ada",
        f"Ada shows {shown} to Cem",
        "Ada and Cem hold the same card",
    ]


def test_who_is_out_of_a_round_or_wins_it_is_told_the_reason():
    assert told("love_letter", 3, 1, [0, 3, 0, 1, 3, 3, 1, 1, 0, 0, 1, 1, 3], 2)[:2] == [
        "player 0 is out of the round: player 1 has named the Baron",
        "player 0 discards Baron",
    ]
    texts = told("love_letter", 2, 1, [0, 0, 3, 2, 3, 3, 1, 0, 1, 0], 1, ["Ada", "Ben"])
    assert "Ada wins the round: the highest card, and the most in discards" in texts
    assert texts[-2:] == ["Ben is dealt " + texts[-2].split()[-1], "Ada draws a card"]


def test_a_bust_and_a_column_won_are_told():
    bust = [0, 2, 1, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 0, 0, 1, 2]
    bust += [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 3, 1]
    assert told("cant_stop", 2, 2, bust, 0) == ["player 1 goes bust: no marker can be moved with 1, 2, 2, 2"]
    line = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 1, 1, 2, 0, 0, 0]
    line += [
        1,
        0,
        1,
        0,
        0,
        0,
        0,
        1,
        2,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        1,
        1,
        2,
        1,
        0,
        1,
        1,
        0,
        0,
        1,
        0,
        0,
        0,
        1,
        2,
        1,
        0,
        1,
        0,
        1,
        0,
        0,
    ]
    assert told("cant_stop", 2, 1, line, 0) == [
        "player 0 keeps the progress in 6, 8",
        "player 0 reaches the top and wins column 2",
    ]


def test_an_epidemic_is_told_in_the_order_of_its_steps():
    line = [25, 1, 3, 3, 3, 0, 1, 7, 1, 1, 5, 1, 2, 0, 4, 7, 0, 1, 11, 2, 2, 5, 3, 3, 2, 1, 3, 10, 4, 2, 30, 7, 8, 2]
    line += [9, 8, 9, 1, 4, 1, 1, 4, 0, 2, 0, 0, 4, 2, 1, 0, 0, 1, 4]
    texts = told("pandemic", 2, 1, line, 0)
    assert texts[:4] == [
        "player 1 draws Epidemic, São Paulo",
        "epidemic in Santiago, the infection rate is 2",
        "Santiago gets 2 yellow cubes",
        "the yellow disease breaks out in Santiago",
    ]
    assert texts[-2:] == ["there are too many outbreaks", "all players lose the game"]
