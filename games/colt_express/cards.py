"""The action cards, and sets of them as single integers.

A card's kind is its action, plus six for the second bandit of a player who has two. A set of cards (a hand, a deck) is one
integer: four bits per kind say how many there are, and the bits from the 48th on how many Bullet cards. Nobody knows the
order of a deck, so that a draw from the set is a draw from the shuffled deck.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from tag.components import Card, shared
from tag.rng import Rng

MOVE: Final = 0
FLOOR: Final = 1
SHOOT: Final = 2
ROB: Final = 3
MARSHAL: Final = 4
PUNCH: Final = 5

N_ACTIONS: Final = 6
N_KINDS: Final = 12
BULLET: Final = 12

ACTION_NAMES: Final[list[str]] = ["Move", "Floor Change", "Fire", "Robbery", "Marshal", "Punch"]

#: The names by kind; the last one is the Bullet card.
NAMES: Final[list[str]] = [*ACTION_NAMES, *[f"{name} of the second bandit" for name in ACTION_NAMES], "Bullet"]

#: The cards as components, by kind.
CARDS: Final[list[Card]] = [shared(Card(name, ())) for name in NAMES]

_BULLET_SHIFT: Final = 48
_NIBBLES: Final = 0x0F0F0F0F0F0F
_ONES: Final = 0x010101010101

#: All cards of a set but the Bullets.
ACTION_CARDS: Final = 0xFFFFFFFFFFFF

#: One card of each kind, as a set.
UNITS: Final[list[int]] = [1 << 4 * kind for kind in range(N_KINDS + 1)]


def count(cards: i64, kind: i64) -> i64:
    """Return how many cards of ``kind`` there are."""
    return cards >> _BULLET_SHIFT if kind == BULLET else (cards >> (4 * kind)) & 15


def size(cards: i64) -> i64:
    """Return how many cards there are."""
    actions = cards & ACTION_CARDS
    pairs = (actions & _NIBBLES) + ((actions >> 4) & _NIBBLES)
    return (((pairs * _ONES) >> 40) & 0xFF) + (cards >> _BULLET_SHIFT)


def draw(cards: i64, rng: Rng) -> i64:
    """Return the kind of a card drawn at random from ``cards``, which is not empty."""
    return _pick(cards, rng.below(size(cards)))


def draw_set(cards: i64, number: i64, rng: Rng) -> i64:
    """Return ``number`` cards drawn at random from ``cards``, all of them if there are no more."""
    total = size(cards)
    if number >= total:
        return cards
    is_rest = 2 * number > total  # then the cards left over are drawn, which are fewer
    draws = total - number if is_rest else number
    rest = cards
    for _card in range(draws):
        rest -= UNITS[_pick(rest, rng.below(total))]
        total -= 1
    return rest if is_rest else cards - rest


def _pick(cards: i64, place: i64) -> i64:
    """Return the kind of the card at ``place`` of ``cards``, the Bullets being the first ones."""
    left = place - (cards >> _BULLET_SHIFT)
    if left < 0:
        return BULLET
    kind: i64 = 0
    rest = cards
    while kind < N_KINDS:
        left -= rest & 15
        if left < 0:
            break
        rest >>= 4
        kind += 1
    return kind


def listed(cards: i64) -> list[int]:
    """Return the kinds of ``cards``, in order."""
    return [kind for kind in range(N_KINDS + 1) for _copy in range(count(cards, kind))]
