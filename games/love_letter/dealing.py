"""Dealing hands of Love Letter that contradict no public fact."""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from games.love_letter.cards import NO_CARD

if TYPE_CHECKING:
    from games.love_letter.state import LoveLetterState
    from tag.rng import Rng

#: Bits of a holder in a set of barred cards.
BARS: Final = 10
#: Deals that are drawn before all possible ones are listed.
_TRIES: Final = 64


def deal_possible(state: LoveLetterState, player: i64, seen: i64, pool: list[int], rng: Rng) -> None:
    """Deal the hands that ``player`` does not know again, each possible deal with the ``pool`` being as likely.

    Cards are drawn until they are possible; after 64 refusals one of all possible deals is drawn, which is as likely. A
    position laid out by hand may have none: then any cards are dealt.

    Args:
        state: the position, the hidden hands of which are impossible.
        player: who observes.
        seen: the hands that ``player`` knows: bit 4 * holder.
        pool: the other hidden cards; shuffled.
        rng: the source of chance.
    """
    hands = state.hands
    hidden: list[int] = []
    for holder in range(state.n_players):
        if holder != player and hands[holder] != NO_CARD and not seen >> 4 * holder & 1:
            hidden.append(int(holder))
            pool.append(hands[holder])
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
        if is_possible(state):
            del pool[last:]
            rng.shuffle(pool)
            return
    places = list(range(int(size - len(hidden)), int(size)))
    deals = _possible_places(state, hidden, pool)
    if deals:
        places = deals[rng.below(len(deals))]
    for index in range(len(hidden)):
        hands[hidden[index]] = pool[places[index]]
    for place in sorted(places, reverse=True):
        pool.pop(place)
    rng.shuffle(pool)


def _possible_places(state: LoveLetterState, hidden: list[int], pool: list[int]) -> list[list[int]]:
    """Return all possible deals, each as the places in ``pool`` of the cards of ``hidden``."""
    found: list[list[int]] = []
    for places in permutations(range(len(pool)), len(hidden)):
        for index in range(len(hidden)):
            state.hands[hidden[index]] = pool[places[index]]
        if is_possible(state):
            found.append(list(places))
    return found


def is_possible(state: LoveLetterState) -> bool:
    """Say whether the hands contradict no public fact."""
    hands = state.hands
    barred = state.barred
    holder: i64 = 0
    while barred:  # ends with the last hand of which anything is certain
        card: i64 = hands[holder]
        if barred >> card & 1:
            return False
        barred >>= BARS
        holder += 1
    for tie in state.ties:  # noqa: SIM110  a generator is slow, and compiled calls of it more so
        if not tie.is_possible(hands):
            return False
    return True
