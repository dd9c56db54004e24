"""French cards as components."""

from __future__ import annotations

from typing import Final

from tag.components._kinds import Card, shared
from tag.engine.rules.tricks import CARD_NAMES, N_RANKS, SUIT_NAMES

_CARDS: Final[list[Card]] = [
    shared(Card(name, (("suit", SUIT_NAMES[at // N_RANKS]),))) for at, name in enumerate(CARD_NAMES)
]


def french_cards(numbers: list[int]) -> list[Card]:
    """Return the cards with these numbers (`tag.engine.rules.tricks`).

    Examples:
        >>> [card.name for card in french_cards([0, 51])]
        ['2c', 'As']
    """
    return [_CARDS[number] for number in numbers]
