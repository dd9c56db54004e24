"""The 54 kinds of cards, as integers.

A card is ``13 * colour + symbol``: symbols 0 to 9 are the numbers, then skip, reverse and draw two; 52 is the wild and
53 the wild draw four. Sets of cards are in `games.uno.card_set`.
"""

from __future__ import annotations

from typing import Final

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


def names_of(cards: list[int]) -> str:
    """Return ``cards`` for people."""
    return ", ".join([NAMES[card] for card in cards]) if cards else "none"
