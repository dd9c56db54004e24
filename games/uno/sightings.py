"""Hands seen in challenges: what of them is still known, and what everybody can tell of that.

A sighting is a tuple: who has seen it, whose hand it was, the fewest and the most cards of it that are still held as far as
everybody can tell, and the cards of it that are still held, as a set of five words. Since equal cards look the same, a card
played from the hand is taken to be the one seen if there was one. Third players cannot tell whether a card
played was seen, or drawn since: hence the fewest and the most.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from games.uno.cards import N_SYMBOLS, unit

VIEWER: Final = 0
HOLDER: Final = 1
FEWEST: Final = 2
MOST: Final = 3
#: Where the set of cards starts.
SEEN: Final = 4

Sightings = tuple[tuple[int, ...], ...]


def with_sighting(sightings: Sightings, viewer: i64, holder: i64, size: i64, hand: list[int]) -> Sightings:
    """Return ``sightings`` and, in the place of an earlier one, that of all ``size`` cards in ``hand``."""
    kept = [seen for seen in sightings if seen[VIEWER] != viewer or seen[HOLDER] != holder]
    kept.append((int(viewer), int(holder), int(size), int(size), *hand))
    return tuple(kept)


def with_card_played(sightings: Sightings, holder: i64, card: i64, size: i64) -> Sightings:
    """Return ``sightings`` after ``holder`` has played ``card`` from the hand, which leaves ``size`` cards."""
    found: list[tuple[int, ...]] = []
    for seen in sightings:
        if seen[HOLDER] != holder:
            found.append(seen)
        elif min(seen[MOST], int(size)) > 0:
            found.append(_reduced(seen, card, size))
    return tuple(found)


def _reduced(seen: tuple[int, ...], card: i64, size: i64) -> tuple[int, ...]:
    changed = list(seen)
    changed[FEWEST] = max(0, seen[FEWEST] - 1)
    changed[MOST] = min(seen[MOST], int(size))
    word = SEEN + int(card // N_SYMBOLS)
    one = unit(card)
    if seen[word] // one & 15:
        changed[word] -= one
    return tuple(changed)


def seen_by(sightings: Sightings, viewer: i64, holder: i64) -> tuple[int, ...]:
    """Return the sighting that ``viewer`` has of the hand of ``holder``, an empty tuple if there is none."""
    for seen in sightings:
        if seen[VIEWER] == viewer and seen[HOLDER] == holder:
            return seen
    return ()


def public_part(seen: tuple[int, ...]) -> tuple[int, ...]:
    """Return what everybody knows of a sighting."""
    return seen[:SEEN]
