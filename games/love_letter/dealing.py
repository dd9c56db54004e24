"""Dealing hands of Love Letter that contradict no public fact."""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from games.love_letter.ties import BITS

if TYPE_CHECKING:
    from games.love_letter.state import LoveLetterState
    from tag.rng import Rng

#: Bits of a holder in a set of barred cards.
BARS: Final = 10
#: Deals that are drawn before all possible ones are listed.
_TRIES: Final = 64


def deal_possible(state: LoveLetterState, hidden: list[int], pool: list[int], rng: Rng) -> None:
    """Deal the hands of the players ``hidden`` from ``pool``, each possible deal being as likely; leave the rest in order.

    Cards are drawn until they are possible; after 64 refusals one of all possible deals is drawn, which is as likely. A
    position laid out by hand may have none: then any cards are dealt.
    """
    hands = state.hands
    size: i64 = len(pool)
    for _try in range(_TRIES):
        last = size
        for index in range(len(hidden)):
            chosen = rng.below(last)
            last -= 1
            card = pool[chosen]
            pool[chosen] = pool[last]
            pool[last] = card
            hands[hidden[index]] = card
        if _is_possible(state, hidden):
            del pool[last:]
            return
    places = list(range(int(size - len(hidden)), int(size)))
    deals = _possible_places(state, hidden, pool)
    if deals:
        places = deals[rng.below(len(deals))]
    for index in range(len(hidden)):
        hands[hidden[index]] = pool[places[index]]
    for place in sorted(places, reverse=True):
        pool.pop(place)


def _possible_places(state: LoveLetterState, hidden: list[int], pool: list[int]) -> list[list[int]]:
    """Return all possible deals, each as the places in ``pool`` of the cards of ``hidden``."""
    found: list[list[int]] = []
    for places in permutations(range(len(pool)), len(hidden)):
        for index in range(len(hidden)):
            state.hands[hidden[index]] = pool[places[index]]
        if _is_possible(state, hidden):
            found.append(list(places))
    return found


def _is_possible(state: LoveLetterState, hidden: list[int]) -> bool:
    """Say whether the hands, those of ``hidden`` having been dealt again, contradict no public fact."""
    barred = state.barred
    for holder in hidden:
        if barred >> BARS * holder & BITS[state.hands[holder]]:
            return False
    for tie in state.ties:  # noqa: SIM110  a generator is slow, and compiled calls of it more so
        if not tie.is_possible(state.hands):
            return False
    return True
