"""The cards of Hearts and their points; sets of cards are numbers (`tag.engine.rules.tricks`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from mypy_extensions import i64

from tag import Parameters, bit_count, choice, flag, integer
from tag.engine.rules.tricks import (
    BIT,
    CLUBS,
    DIAMONDS,
    HEARTS,
    JACK,
    N_RANKS,
    N_SUITS,
    QUEEN,
    SPADES,
    SUIT,
)

MOST_PLAYERS: Final = 6
#: Phases: cards are chosen to be passed, and played.
PASSING: Final = 0
PLAYING: Final = 1

ALL_HEARTS: Final = SUIT[HEARTS]
QUEEN_OF_SPADES: Final = BIT[N_RANKS * SPADES + QUEEN]
JACK_OF_DIAMONDS: Final = BIT[N_RANKS * DIAMONDS + JACK]
#: The king and the ace of spades, which take the queen.
ABOVE_QUEEN: Final = 3 * BIT[N_RANKS * SPADES + QUEEN + 1]
#: The cards that are no good to take.
POINTS: Final = ALL_HEARTS | QUEEN_OF_SPADES
#: The directions of passing, as words and as seats for four players.
LEFT: Final = 0
RIGHT: Final = 1
ACROSS: Final = 2
HOLD: Final = 3


@dataclass
class HeartsParameters(Parameters):
    """The length of the game, passing, what may be played, and points."""

    goal: int = integer(100, 1, 500, "points of a player that end the game")
    hands: int = integer(0, 0, 12, "hands after which the game ends in any case, 0 for no such limit")
    ranks: int = integer(13, 4, 13, "cards of each suit, from the ace down")
    passing: str = choice(
        "cycle",
        ("cycle", "left", "none"),
        "to whom cards are passed: left, right, across and nobody in turns; left; nobody",
    )
    pass_cards: int = integer(3, 1, 5, "cards that each player passes")
    first_points: bool = flag(False, "whether hearts and the queen of spades may be played to the first trick")
    must_break: bool = flag(True, "whether hearts may be led only after one has been played")
    queen_breaks: bool = flag(False, "whether the queen of spades breaks hearts, too")
    queen: int = integer(13, 0, 30, "points of the queen of spades")
    jack: int = integer(0, 0, 10, "points that the jack of diamonds takes away")
    moon: str = choice(
        "others",
        ("others", "own", "none"),
        "all points of the cards: added to all others, taken from the own, or as always",
    )
    play_on: bool = flag(False, "whether another hand is played while several have the fewest points at the end")

    def deck(self, n_players: int) -> int:
        """Return the cards of a game, as a set: without the lowest diamonds and clubs that are too many."""
        lowest = N_RANKS - self.ranks
        ranks = SUIT[CLUBS] >> lowest << lowest
        cards = sum([ranks << N_RANKS * suit for suit in range(N_SUITS)])
        for number in range(N_SUITS * self.ranks % n_players):
            suit = CLUBS if number % 2 else DIAMONDS
            cards -= BIT[N_RANKS * suit + lowest + number // 2]
        return cards

    def passed(self, n_players: int) -> int:
        """Return the number of cards that each player passes, at most those that there are in hand."""
        return min(self.pass_cards, N_SUITS * self.ranks // n_players)

    def directions(self, n_players: int) -> list[int]:
        """Return the directions of passing, hand by hand, from the first again after the last."""
        if self.passing != "cycle":
            return [LEFT if self.passing == "left" else HOLD]
        return [LEFT, RIGHT, ACROSS, HOLD] if n_players % 2 == 0 else [LEFT, RIGHT, HOLD]


def points_of(cards: i64, queen: i64, jack: i64) -> i64:
    """Return the points of a set of cards."""
    points = bit_count(cards & ALL_HEARTS)
    if cards & QUEEN_OF_SPADES:
        points += queen
    if cards & JACK_OF_DIAMONDS:
        points -= jack
    return points
