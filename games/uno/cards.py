"""The 54 kinds of cards, as integers, and counts of them packed into words.

A card is ``13 * colour + symbol``: symbols 0 to 9 are the numbers, then skip, reverse and draw two; 52 is the wild and
53 the wild draw four. A set of cards is five words, one per colour and one for the wild cards, with four bits to count
each kind: adding sets is adding words, and whether a colour is held is whether its word is 0.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from tag.components import Card, shared

NO_CARD: Final = -1
N_KINDS: Final = 54
N_COLOURS: Final = 4
N_SYMBOLS: Final = 13

SKIP: Final = 10
REVERSE: Final = 11
DRAW_TWO: Final = 12
#: The symbol of wild cards on top of the discard pile, which no card matches.
NO_SYMBOL: Final = 13

WILD: Final = 52
WILD_DRAW_FOUR: Final = 53

#: Words in a set of cards, and which of them has the wild cards.
N_WORDS: Final = 5
WILDS: Final = 4

COLOURS: Final[list[str]] = ["red", "yellow", "green", "blue"]
SYMBOLS: Final[list[str]] = [*[str(number) for number in range(10)], "skip", "reverse", "draw two"]

#: The names by card.
NAMES: Final[list[str]] = [
    *[f"{colour} {symbol}" for colour in COLOURS for symbol in SYMBOLS],
    "wild",
    "wild draw four",
]

#: The cards as components.
CARDS: Final[list[Card]] = [shared(Card(name, (("number", number),))) for number, name in enumerate(NAMES)]


#: What one card of each symbol adds to its word (a table, since compiled shifts of 1 are of 32 bits).
UNITS: Final[list[int]] = [1 << (4 * symbol) for symbol in range(N_SYMBOLS)]


def unit(card: i64) -> int:
    """Return what one ``card`` adds to its word."""
    return UNITS[card % N_SYMBOLS]


def cards_in(words: list[int], start: i64) -> list[int]:
    """Return the cards of the set that starts at index ``start``, in order."""
    found: list[int] = []
    for word in range(N_WORDS):
        rest: i64 = words[start + word]
        card: i64 = N_SYMBOLS * word
        while rest:
            for _copy in range(rest & 15):
                found.append(int(card))
            rest >>= 4
            card += 1
    return found


def words_of(cards: list[int]) -> list[int]:
    """Return ``cards`` as a set of five words."""
    words = [0] * N_WORDS
    for card in cards:
        words[card // N_SYMBOLS] += unit(card)
    return words


def names_of(cards: list[int]) -> str:
    """Return ``cards`` for people."""
    return ", ".join([NAMES[card] for card in cards]) if cards else "none"
