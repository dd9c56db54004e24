"""The cards, as integers: equal cards are the same number."""

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
CATTERMELON: Final = 9
HAIRY_POTATO_CAT: Final = 10
BEARD_CAT: Final = 11
RAINBOW_CAT: Final = 12

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

#: The cards as components, by kind.
CARDS: Final[list[Card]] = [shared(Card(name, (("kind", kind),))) for kind, name in enumerate(NAMES)]


def names(cards: tuple[int, ...] | list[int]) -> str:
    """Return the names of ``cards``, "none" if there are none."""
    return ", ".join([NAMES[card] for card in cards]) if cards else "none"


def changed(numbers: tuple[int, ...], index: i64, number: i64) -> tuple[int, ...]:
    """Return ``numbers`` with another one at ``index``."""
    found = list(numbers)
    found[index] = int(number)
    return tuple(found)
