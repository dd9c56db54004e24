"""Cards, hands and shoes, as numbers.

The kinds of cards are 0 for an ace, 1 to 8 for a 2 to a 9, and 9 for all that count ten. A shoe is one number: 8 bits for
how many tens it has, then 6 bits for each other kind, from the ace on. A hand is one number, too: how many cards of each
kind it has, its points with aces as 1, how many cards it has, what has become of it, and whose it is. A card is added to a
hand, or to a shoe, by one sum.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from mypy_extensions import i64

from tag import MoreThan, Parameters, choice, flag, integer
from tag.components import Card, shared

N_KINDS: Final = 10
ACE: Final = 0
TEN: Final = 9
#: For cards that are not there.
NO_CARD: Final = -1
NAMES: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10")
CARDS: Final[list[Card]] = [shared(Card(name)) for name in NAMES]
#: The cards of each kind in a deck of 52, and their points with aces as 1.
IN_DECK: Final = (4, 4, 4, 4, 4, 4, 4, 4, 4, 16)
POINTS: Final = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
DECK: Final = 52
MOST_PLAYERS: Final = 7
MOST_HANDS: Final = 4
MOST_DECKS: Final = 8
#: Money is counted in tenths of the unit, so that a blackjack at 6 to 5 and half a bet are whole numbers.
UNIT: Final = 10

# What is decided.
#: The bets, or the word to deal; insurance; the hands.
BETTING: Final = 0
INSURING: Final = 1
PLAYING: Final = 2

# Shoes.
_TENS: Final = 255
_OTHERS: Final = 63
_TEN_BITS: Final = 8
_OTHER_BITS: Final = 6
#: One card of each kind.
ONE: Final[list[int]] = [1 << _TEN_BITS + _OTHER_BITS * kind for kind in range(TEN)] + [1]
_ONE_DECK: Final = sum([IN_DECK[kind] * ONE[kind] for kind in range(N_KINDS)])


def full_shoe(decks: i64) -> i64:
    """Return a shoe of so many decks."""
    return decks * _ONE_DECK


def count_of(shoe: i64, kind: i64) -> i64:
    """Return how many cards of a kind a shoe has."""
    return shoe & _TENS if kind == TEN else shoe >> _TEN_BITS + _OTHER_BITS * kind & _OTHERS


def without(shoe: i64, kind: i64) -> i64:
    """Return a shoe without the cards of one kind."""
    return shoe - count_of(shoe, kind) * ONE[kind]


def card_at(shoe: i64, place: i64) -> i64:
    """Return the kind of the card at a place, counted from 0, if the tens come first, then the aces, the 2s and so on."""
    place -= shoe & _TENS
    if place < 0:
        return TEN
    rest = shoe >> _TEN_BITS
    kind: i64 = 0
    while True:
        place -= rest & _OTHERS
        if place < 0:
            return kind
        rest >>= _OTHER_BITS
        kind += 1


def cards_of(shoe: i64) -> list[Card]:
    """Return the cards of a shoe, by kind."""
    found: list[Card] = []
    for kind in range(N_KINDS):
        found += [CARDS[kind]] * int(count_of(shoe, kind))
    return found


# A hand gets no card at 21 or more points, so with aces as 1 it has at most 30. That bounds how many cards of a kind it has.

_KIND_BITS: Final = (5, 4, 3, 3, 3, 3, 2, 2, 2, 2)
_KIND_AT: Final[list[int]] = [sum(_KIND_BITS[:kind]) for kind in range(N_KINDS)]
_KIND_MASK: Final[list[int]] = [(1 << bits) - 1 for bits in _KIND_BITS]
_ACES: Final = 31
_ALL_KINDS: Final = (1 << 29) - 1
_POINTS_AT: Final = 29
_CARDS_AT: Final = 34
_FIVE_BITS: Final = 31
#: No more decisions; twice the bet; from a split, of aces; given up.
DONE: Final = 1 << 39
DOUBLED: Final = 1 << 40
SPLIT: Final = 1 << 41
ACES_SPLIT: Final = 1 << 42
SURRENDERED: Final = 1 << 43
_OWNER_AT: Final = 44
OWNER: Final[list[int]] = [player << _OWNER_AT for player in range(MOST_PLAYERS)]
#: A card of each kind, to be added to a hand.
CARD: Final[list[int]] = [
    (1 << _KIND_AT[kind]) + (POINTS[kind] << _POINTS_AT) + (1 << _CARDS_AT) for kind in range(N_KINDS)
]
_PAIR: Final[list[int]] = [2 << _KIND_AT[kind] for kind in range(N_KINDS)]


def owner_of(hand: i64) -> i64:
    """Return the player whose hand it is."""
    return hand >> _OWNER_AT


def size_of(hand: i64) -> i64:
    """Return the number of cards."""
    return hand >> _CARDS_AT & _FIVE_BITS


def points_of(hand: i64) -> i64:
    """Return the points with all aces as 1."""
    return hand >> _POINTS_AT & _FIVE_BITS


def total_of(hand: i64) -> i64:
    """Return the points with an ace as 11 if that is at most 21 points."""
    points = hand >> _POINTS_AT & _FIVE_BITS
    return points + 10 if points <= 11 and hand & _ACES else points


def is_soft(hand: i64) -> bool:
    """Say whether an ace counts 11."""
    return hand & _ACES != 0 and hand >> _POINTS_AT & _FIVE_BITS <= 11


def is_21_on_two(hand: i64) -> bool:
    """Say whether the first two cards are an ace and a ten; those after a split do not count."""
    return hand & SPLIT == 0 and size_of(hand) == 2 and total_of(hand) == 21


def pair_of(hand: i64) -> i64:
    """Return the kind of two equal cards, or -1 for any other hand."""
    if size_of(hand) != 2:
        return NO_CARD
    kind = points_of(hand) // 2 - 1
    return kind if hand & _ALL_KINDS == _PAIR[kind] else NO_CARD


def kinds_of(hand: i64) -> list[int]:
    """Return the kinds of the cards, lowest first, an ace being lowest."""
    found: list[int] = []
    for kind in range(N_KINDS):
        found += [kind] * int(hand >> _KIND_AT[kind] & _KIND_MASK[kind])
    return found


def as_shoe(hand: i64) -> i64:
    """Return the cards of a hand as a shoe."""
    found: i64 = 0
    for kind in range(N_KINDS):
        found += (hand >> _KIND_AT[kind] & _KIND_MASK[kind]) * ONE[kind]
    return found


def hand_text(hand: i64) -> str:
    """Return the cards and their points: ``A 6 (soft 17)``."""
    cards = " ".join([NAMES[kind] for kind in kinds_of(hand)])
    return f"{cards} ({'soft ' if is_soft(hand) else ''}{total_of(hand)})"


@dataclass
class BlackjackParameters(Parameters):
    """The rules of the house, and the length of a game."""

    rounds: int = integer(10, 1, 1000, "rounds in a game", log=True)
    decks: int = integer(6, 1, MOST_DECKS, "decks of 52 cards in the shoe")
    penetration: int = integer(
        75, 0, 95, "percentage of the shoe after which it is shuffled before the next round; 0: before each round"
    )
    hits_soft_17: bool = flag(False, "the dealer takes a card at 17 with an ace that counts 11")
    hole_card: bool = flag(
        True, "the dealer has a face-down card from the start and looks for a blackjack, or takes the second card last"
    )
    blackjack: str = choice(
        "3to2", ("3to2", "6to5", "even", "none"), "what a blackjack pays; none: it is a 21 like any other"
    )
    double: str = choice("any", ("any", "9-11", "10-11", "none"), "first two cards that may be doubled: hard totals")
    double_after_split: bool = flag(
        True, "hands from a split may be doubled", active_if=("double", ("any", "9-11", "10-11"))
    )
    hands: int = integer(4, 1, MOST_HANDS, "hands that a player may make by splitting; 1: no splitting")
    hit_split_aces: bool = flag(
        False, "split aces may be played on, instead of one card for each", active_if=("hands", MoreThan(1))
    )
    resplit_aces: bool = flag(False, "split aces may be split again", active_if=("hands", MoreThan(2)))
    insurance: bool = flag(True, "players may insure against an ace", active_if=("blackjack", ("3to2", "6to5", "even")))
    surrender: bool = flag(False, "players may give up their first two cards for half of the bet")
    largest_bet: int = integer(1, 1, 10, "largest bet, in units, which players choose; 1: all bets are one unit")
    goal: str = choice(
        "most", ("most", "dealer"), "the player with the most money wins, or all who win from the dealer"
    )
