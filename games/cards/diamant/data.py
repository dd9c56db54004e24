"""The cards, as numbers.

A set of cards is one number: a bit for each of the 15 treasures, four bits for the number of cards of each hazard, and a bit
for each relic. Sets of players are bit masks.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from mypy_extensions import i64

from tag import Parameters, bit_count, choice, integer, packed_size
from tag.components import Card, shared

N_TREASURES: Final = 15
N_HAZARDS: Final = 5
N_RELICS: Final = 5
COUNT_BITS: Final = 4
COUNT: Final = 15
HAZARDS: Final = N_TREASURES
RELICS: Final = N_TREASURES + COUNT_BITS * N_HAZARDS
ALL_TREASURES: Final = (1 << N_TREASURES) - 1
ALL_HAZARDS: Final = (1 << RELICS) - (1 << HAZARDS)
ALL_RELICS: Final = (1 << N_RELICS) - 1
#: One hazard card of each kind, one relic of each number.
HAZARD: Final[list[int]] = [1 << HAZARDS + COUNT_BITS * kind for kind in range(N_HAZARDS)]
RELIC: Final[list[int]] = [1 << RELICS + number for number in range(N_RELICS)]
BIT: Final[list[int]] = [1 << number for number in range(N_TREASURES)]
#: How many relics a set of them has.
HOW_MANY: Final[list[int]] = [relics.bit_count() for relics in range(1 << N_RELICS)]

#: Bits for the rubies that lie on a treasure card: fewer than the players who shared them.
LYING_BITS: Final = 3
LYING: Final = 7

TREASURES: Final[dict[str, tuple[int, ...]]] = {
    "printed": (1, 2, 3, 4, 5, 5, 7, 7, 9, 11, 11, 13, 14, 15, 17),
    "tag": (1, 2, 3, 4, 5, 7, 9, 10, 11, 12, 13, 14, 15, 16, 17),
}
HAZARD_NAMES: Final = ("spider", "snake", "lava", "boulder", "ram")
#: The rubies on numbered relics.
NUMBERED: Final = (5, 7, 8, 10, 12)
#: The relics that count as early ones, if they count by the order in which they are taken.
EARLY: Final = 3
MOST_PLAYERS: Final = 6
HAZARD_CARDS: Final[list[Card]] = [shared(Card(name)) for name in HAZARD_NAMES]
RELIC_CARDS: Final[list[Card]] = [shared(Card(f"relic {number + 1}")) for number in range(N_RELICS)]


def _treasure(rubies: int) -> Card:
    return shared(Card(f"treasure {rubies}", (("rubies", rubies),)))


def size_of(players: i64) -> i64:
    """Return how many players a set has; for these few, `bit_count` takes 1.7 times as many instructions."""
    found: i64 = 0
    while players:
        players &= players - 1
        found += 1
    return found


def first_of(members: i64) -> i64:
    """Return the first member of a set of players or treasures, which is not empty."""
    found: i64 = 0
    while members >> found & 1 == 0:
        found += 1
    return found


def n_cards(cards: i64) -> i64:
    """Return how many treasures and hazards a set has."""
    return bit_count(cards & ALL_TREASURES) + packed_size((cards & ALL_HAZARDS) >> HAZARDS)


def cards_of(cards: i64, values: tuple[int, ...]) -> list[Card]:
    """Return the cards of a set, with the rubies of each treasure."""
    found = [_treasure(value) for card, value in enumerate(values) if cards >> card & 1]
    for kind in range(N_HAZARDS):
        found += [HAZARD_CARDS[kind]] * int(cards >> HAZARDS + COUNT_BITS * kind & COUNT)
    return found + [RELIC_CARDS[number] for number in range(N_RELICS) if cards >> RELICS + number & 1]


@dataclass
class DiamantParameters(Parameters):
    """The caves and the deck; the defaults are the printed game."""

    caves: int = integer(5, 1, 10, "caves")
    hazards: int = integer(3, 1, 10, "cards of each of the five hazards")
    fatal: int = integer(2, 2, 5, "hazards of one kind that end a cave")
    treasures: str = choice("printed", ("printed", "tag"), "the treasures: as printed (124 rubies), or TAG's (139)")
    relics: str = choice(
        "shuffled",
        ("shuffled", "one_per_cave", "numbered", "none"),
        "relics: all in the deck, one more for each cave, the same with rubies on them, or none",
    )
    relic: int = integer(
        5, 0, 20, "rubies for each of the first three relics", active_if=("relics", ("shuffled", "one_per_cave"))
    )
    late_relic: int = integer(
        10, 0, 20, "rubies for each later relic", active_if=("relics", ("shuffled", "one_per_cave"))
    )
    sharing: str = choice("card", ("card", "path"), "players who leave share the rubies on each card, or all together")
