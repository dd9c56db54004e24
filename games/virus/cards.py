"""The twenty kinds of cards, as integers: four groups of five (the four colours and the multicoloured one)."""

from __future__ import annotations

from typing import Final

from tag.components import Card, shared

RED: Final = 0
GREEN: Final = 1
BLUE: Final = 2
YELLOW: Final = 3
#: The multicoloured organ, virus and medicine.
WILD: Final = 4

N_COLOURS: Final = 5

#: A card is the first of its group plus a colour.
ORGANS: Final = 0
VIRUSES: Final = 5
MEDICINES: Final = 10
TREATMENTS: Final = 15

TRANSPLANT: Final = 15
ORGAN_THIEF: Final = 16
SPREADING: Final = 17
LATEX_GLOVE: Final = 18
MEDICAL_ERROR: Final = 19

N_KINDS: Final = 20

#: An empty place in a hand; hands are sorted, so that empty places come last.
NO_CARD: Final = 20

#: The most cards that a hand can hold.
LARGEST_HAND: Final = 5

#: The most players.
MOST_PLAYERS: Final = 6

COLOUR_NAMES: Final[list[str]] = ["red", "green", "blue", "yellow", "wild"]

#: The organs by colour.
ORGAN_NAMES: Final[list[str]] = ["heart", "stomach", "brain", "bone", "wild organ"]

#: The names of all cards.
NAMES: Final[list[str]] = [
    *ORGAN_NAMES,
    *[f"{colour} virus" for colour in COLOUR_NAMES],
    *[f"{colour} medicine" for colour in COLOUR_NAMES],
    "transplant",
    "organ thief",
    "spreading",
    "latex glove",
    "medical error",
]

_GROUPS: Final[list[str]] = ["organ", "virus", "medicine", "treatment"]


def _component(card: int) -> Card:
    group = _GROUPS[card // N_COLOURS]
    colour = "none" if card >= TREATMENTS else COLOUR_NAMES[card % N_COLOURS]
    return shared(Card(NAMES[card], (("group", group), ("colour", colour))))


#: The cards as components.
CARDS: Final[list[Card]] = [_component(card) for card in range(N_KINDS)]
