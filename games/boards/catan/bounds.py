"""The least and greatest number of each resource that every player can hold, and hands between these bounds.

Hands are rows of five numbers, one after another in one list. The cards of each hand and of each kind are known: only who
holds which is not.
"""

from __future__ import annotations

from mypy_extensions import i64

from tag import Rng
from tag.games.boards.catan.data import N_KINDS


def tighten(least: list[int], most: list[int], sizes: list[int], totals: list[int]) -> None:
    """Bring bounds nearer, in place, until none follows from the others any more.

    Examples:
        >>> least, most = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0], [1, 1, 0, 0, 0, 1, 0, 0, 0, 0]
        >>> tighten(least, most, [1, 1], [1, 1, 0, 0, 0])
        >>> least == most, least
        (True, [0, 1, 0, 0, 0, 1, 0, 0, 0, 0])

    Args:
        least: the least numbers.
        most: the greatest numbers.
        sizes: the cards in each hand.
        totals: the cards of each kind in all hands.
    """
    changed = True
    while changed:
        changed = False
        for row in range(len(sizes)):
            changed = _squeeze(least, most, row * N_KINDS, 1, N_KINDS, sizes[row]) or changed
        for kind in range(N_KINDS):
            changed = _squeeze(least, most, kind, N_KINDS, len(sizes), totals[kind]) or changed


def _squeeze(least: list[int], most: list[int], first: i64, step: i64, number: i64, total: i64) -> bool:
    """Bring the bounds of numbers with a known sum nearer, and say whether any has changed."""
    low: i64 = 0
    high: i64 = 0
    for place in range(first, first + step * number, step):
        low += least[place]
        high += most[place]
    if low == high:
        return False
    changed = False
    for place in range(first, first + step * number, step):
        lower: i64 = least[place]
        upper: i64 = most[place]
        if lower < upper:
            least_here = total - high + upper
            most_here = total - low + lower
            if least_here > lower:
                least[place] = int(least_here)
                changed = True
            if most_here < upper:
                most[place] = int(most_here)
                changed = True
    return changed


def deal(least: list[int], most: list[int], sizes: list[int], totals: list[int], rng: Rng) -> list[int]:
    """Return hands between the bounds: each deal of the cards that are not certain is as likely.

    Deals are drawn until one fits.
    """
    pool: list[int] = []
    for kind in range(N_KINDS):
        left: i64 = totals[kind]
        for place in range(kind, len(least), N_KINDS):
            left -= least[place]
        for _card in range(left):
            pool.append(kind)
    if not pool:
        return least[:]
    while True:
        rng.shuffle(pool)
        hands = least[:]
        if _fill(hands, most, sizes, pool):
            return hands


def _fill(hands: list[int], most: list[int], sizes: list[int], pool: list[int]) -> bool:
    """Deal a pool to hands in its order, and say whether none holds more of a kind than it can."""
    card: i64 = 0
    for row in range(len(sizes)):
        first = row * N_KINDS
        need: i64 = sizes[row]
        for place in range(first, first + N_KINDS):
            need -= hands[place]
        for _card in range(need):
            place = first + pool[card]
            card += 1
            number = hands[place] + 1
            if number > most[place]:
                return False
            hands[place] = number
    return True
