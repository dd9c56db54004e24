"""The cards, as integers, and sets of them as one number each.

Equal cards are the same number. In a set the low eight bits are the size; four bits for each kind follow, in order of
kind. So adding a card is adding its `unit`, taking a set out of another one is a subtraction, and 0 is the empty set. No
kind has more than 15 cards.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from tag.components import Card, shared

EXPLODING_KITTEN: Final = 0
DEFUSE: Final = 1
ATTACK: Final = 2
SKIP: Final = 3
FAVOR: Final = 4
SHUFFLE: Final = 5
SEE_THE_FUTURE: Final = 6
NOPE: Final = 7
#: The first of the five kinds of cats, which do nothing alone.
TACOCAT: Final = 8

N_KINDS: Final = 13
MAX_PLAYERS: Final = 5

NAMES: Final[list[str]] = [
    "Exploding Kitten",
    "Defuse",
    "Attack",
    "Skip",
    "Favor",
    "Shuffle",
    "See the Future",
    "Nope",
    "Tacocat",
    "Cattermelon",
    "Hairy Potato Cat",
    "Beard Cat",
    "Rainbow-Ralphing Cat",
]

CARDS: Final[list[Card]] = [shared(Card(name, (("kind", kind),))) for kind, name in enumerate(NAMES)]


def changed(numbers: tuple[int, ...], index: i64, number: i64) -> tuple[int, ...]:
    """Return ``numbers`` with another one at ``index``."""
    found = list(numbers)
    found[index] = int(number)
    return tuple(found)


# --- sets of cards ---------------------------------------------------------------------------------------------------

#: The bits of the size.
_SIZE: Final = 8


def unit(kind: i64) -> i64:
    """Return the set of one card of ``kind``."""
    return _shifted(1, _SIZE + 4 * kind) + 1


def _shifted(bits: i64, places: i64) -> i64:
    """Return ``bits << places``; compiled, a literal 1 would be shifted in 32 bits, and an `int` at eight times the cost."""
    return bits << places


def count(cards: i64, kind: i64) -> i64:
    """Return how many of ``cards`` are of ``kind``."""
    return cards >> (_SIZE + 4 * kind) & 15


def size(cards: i64) -> i64:
    """Return how many ``cards`` there are."""
    return cards & 255


def counts(cards: i64) -> i64:
    """Return the numbers of ``cards`` of each kind, four bits each, to be looked at one after the other."""
    return cards >> _SIZE


def different(numbers: i64) -> i64:
    """Return how many of ``numbers``, as `counts` returns them, are not zero."""
    found: i64 = 0
    while numbers:
        if numbers & 15:
            found += 1
        numbers >>= 4
    return found


def packed(kinds: list[int] | tuple[int, ...]) -> i64:
    """Return the set of the cards ``kinds``."""
    cards: i64 = 0
    for kind in kinds:
        cards += unit(kind)
    return cards


def listed(cards: i64) -> list[int]:
    """Return the kinds of ``cards``, in order."""
    kinds: list[int] = []
    append_to(kinds, cards)
    return kinds


def append_to(kinds: list[int], cards: i64) -> None:
    """Append the kinds of ``cards`` to ``kinds``, in order."""
    left = counts(cards)
    kind: i64 = 0
    while left:
        for _copy in range(left & 15):
            kinds.append(kind)
        left >>= 4
        kind += 1


def without_one_of_each(cards: i64) -> i64:
    """Return what is left for sure of ``cards`` when any one of them may be gone: one less of each kind."""
    found = cards
    left = counts(cards)
    kind: i64 = 0
    while left:
        if left & 15:
            found -= unit(kind)
        left >>= 4
        kind += 1
    return found


def card_at(cards: i64, place: i64) -> i64:
    """Return the kind of the card at ``place`` of ``cards``, in order of kind."""
    left = counts(cards)
    kind: i64 = 0
    place -= left & 15
    while place >= 0:
        left >>= 4
        kind += 1
        place -= left & 15
    return kind
