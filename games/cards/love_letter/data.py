"""The eight characters, as integers: a card is its value. Sets of cards are bit masks."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from tag.components import Card, shared

NO_CARD: Final = 0
GUARD: Final = 1
PRIEST: Final = 2
BARON: Final = 3
HANDMAID: Final = 4
PRINCE: Final = 5
KING: Final = 6
COUNTESS: Final = 7
PRINCESS: Final = 8

N_KINDS: Final = 8

#: The names by value; index 0 is no card.
NAMES: Final[list[str]] = ["-", "Guard", "Priest", "Baron", "Handmaid", "Prince", "King", "Countess", "Princess"]

#: The cards as components, by value; index 0 is a blank.
CARDS: Final[list[Card]] = [shared(Card(name, (("value", value),))) for value, name in enumerate(NAMES)]

#: The set that holds one card, by card; sets of cards have bit ``card`` set for each card.
BITS: Final[list[int]] = [1 << card for card in range(N_KINDS + 1)]
ALL_CARDS: Final = (1 << (N_KINDS + 1)) - 2


def up_to(card: i64) -> i64:
    """Return the set of all cards as low as ``card`` or lower."""
    return 2 * BITS[card] - 2
