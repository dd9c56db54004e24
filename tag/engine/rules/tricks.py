"""Tricks of card games: following suit, trumps, and who takes a trick.

A card of the French deck is ``13 * suit + rank``: suits are clubs, diamonds, hearts and spades, ranks go from 0 (a two) to
12 (an ace). A set of cards is one number with a bit for each card. So all cards of a trick are one set, and who played which
follows from the sets of the cards that each player has played.

    legal = following(hand, led)                       # what may be played to a trick in which the suit `led` was led
    winner = owner(played, taker(trick, led, trump))   # the player who takes it

`tag.engine.rules.hidden_deals` deals the cards again that a player does not see.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

N_CARDS: Final = 52
N_RANKS: Final = 13
N_SUITS: Final = 4
#: The suits, and a trump for games without one.
CLUBS: Final = 0
DIAMONDS: Final = 1
HEARTS: Final = 2
SPADES: Final = 3
NO_SUIT: Final = -1
#: The ranks of court cards.
JACK: Final = 9
QUEEN: Final = 10
ACE: Final = 12

SUIT_NAMES: Final[list[str]] = ["clubs", "diamonds", "hearts", "spades"]
CARD_NAMES: Final[list[str]] = [rank + suit for suit in "cdhs" for rank in "23456789TJQKA"]
#: The set of one card.
BIT: Final[list[int]] = [1 << card for card in range(N_CARDS)]
#: The set of the cards of a suit, and of all cards.
SUIT: Final[list[int]] = [8191 << N_RANKS * suit for suit in range(N_SUITS)]
ALL_CARDS: Final = (1 << N_CARDS) - 1


def following(hand: i64, led: i64) -> i64:
    """Return the cards of a hand that may be played to a trick: those of the suit ``led``, or all if there are none.

    Examples:
        >>> hand = BIT[3] | BIT[30]
        >>> following(hand, CLUBS) == BIT[3], following(hand, SPADES) == hand
        (True, True)
    """
    of_suit: i64 = SUIT[led]
    fits = hand & of_suit
    return fits if fits else hand


def highest(cards: i64) -> i64:
    """Return the set of the highest card of a set: of the last suit that it has, the highest rank; 0 for none."""
    cards |= cards >> 1
    cards |= cards >> 2
    cards |= cards >> 4
    cards |= cards >> 8
    cards |= cards >> 16
    cards |= cards >> 32
    return cards - (cards >> 1)


def taker(trick: i64, led: i64, trump: i64 = NO_SUIT) -> i64:
    """Return the card, as a set, that takes a trick: the highest trump, else the highest card of the suit ``led``.

    Examples:
        >>> trick = BIT[0] | BIT[12] | BIT[13]
        >>> taker(trick, CLUBS) == BIT[12], taker(trick, CLUBS, trump=DIAMONDS) == BIT[13]
        (True, True)
    """
    if trump >= 0:
        trumps: i64 = SUIT[trump]
        if trick & trumps:
            return highest(trick & trumps)
    of_suit: i64 = SUIT[led]
    return highest(trick & of_suit)


def owner(sets: list[int], card: i64) -> i64:
    """Return the player whose set of cards has this one, a set too; -1 for none."""
    for player in range(len(sets)):
        cards: i64 = sets[player]
        if cards & card:
            return player
    return -1


def card_of(bit: i64) -> i64:
    """Return the number of the card of which ``bit`` is the set."""
    card: i64 = 0
    while bit > 255:
        bit >>= 8
        card += 8
    while bit > 1:
        bit >>= 1
        card += 1
    return card


def cards_in(cards: i64) -> list[int]:
    """Return the numbers of the cards of a set, in order."""
    found: list[int] = []
    while cards:
        lowest = cards & -cards
        found.append(int(card_of(lowest)))
        cards ^= lowest
    return found


def card_names(cards: i64) -> tuple[str, ...]:
    """Return the names of the cards of a set, in order.

    Examples:
        >>> card_names(BIT[0] | BIT[51])
        ('2c', 'As')
    """
    return tuple([CARD_NAMES[card] for card in cards_in(cards)])
