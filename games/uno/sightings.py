"""Hands seen in challenges, or counted: what of them is still known, and what everybody can tell of that."""

from __future__ import annotations

from typing import Any, final

from mypy_extensions import i64

from games.uno.card_set import CardSet


@final
class Sighting:
    """What is left of a hand that somebody has seen; treated as immutable, and shared by copies of a state.

    Since equal cards look the same, a card played from the hand is taken to be the one seen if there was one. Third players
    cannot tell whether a card played was seen, or drawn since: hence the fewest and the most.

    Attributes:
        viewer: who has seen it.
        holder: whose hand it was.
        fewest: the fewest cards of it that are still held, as far as everybody can tell.
        most: the most.
        cards: the cards of it that are still held.
    """

    __slots__ = ("cards", "fewest", "holder", "most", "viewer")
    viewer: i64
    holder: i64
    fewest: i64
    most: i64
    cards: CardSet

    def __init__(self, viewer: i64, holder: i64, fewest: i64, most: i64, cards: CardSet) -> None:
        """Take the cards over."""
        self.viewer = viewer
        self.holder = holder
        self.fewest = fewest
        self.most = most
        self.cards = cards

    def copy(self) -> Sighting:
        """Return the same for an observation, which is its player's to change."""
        return Sighting(self.viewer, self.holder, self.fewest, self.most, self.cards.copy())

    def concerns(self, player: i64) -> bool:
        """Say whether ``player`` knows which cards these are: who has seen them, or holds them."""
        return player == self.viewer or player == self.holder

    def knowledge(self, player: i64) -> tuple[object, ...]:
        """Return what ``player`` knows of it."""
        public = (int(self.viewer), int(self.holder), int(self.fewest), int(self.most))
        return (*public, self.cards.words()) if self.concerns(player) else public

    def after_play(self, card: i64, size: i64) -> Sighting:
        """Return what is left after its holder has played ``card``, and has ``size`` cards left."""
        cards = self.cards.copy()
        if cards.count(card):
            cards.remove(card)
        return Sighting(self.viewer, self.holder, max(0, self.fewest - 1), min(self.most, size), cards)

    def __reduce__(self) -> Any:
        """Pickle by the fields."""
        return (Sighting, (int(self.viewer), int(self.holder), int(self.fewest), int(self.most), self.cards))


Sightings = tuple[Sighting, ...]


def with_sighting(sightings: Sightings, viewer: i64, holder: i64, hand: CardSet) -> Sightings:
    """Return ``sightings`` and, in the place of an earlier one, that of all cards in ``hand``."""
    kept = [seen for seen in sightings if seen.viewer != viewer or seen.holder != holder]
    kept.append(Sighting(viewer, holder, hand.size, hand.size, hand.copy()))
    return tuple(kept)


def with_card_played(sightings: Sightings, holder: i64, card: i64, size: i64) -> Sightings:
    """Return ``sightings`` after ``holder`` has played ``card`` from the hand, which leaves ``size`` cards."""
    found: list[Sighting] = []
    for seen in sightings:
        if seen.holder != holder:
            found.append(seen)
        else:
            found.append(seen.after_play(card, size))
    return tuple(found)


def cards_seen(sightings: Sightings, viewer: i64, holder: i64) -> CardSet | None:
    """Return what ``viewer`` has seen and still knows of the hand of ``holder``, None without a sighting."""
    for seen in sightings:
        if seen.viewer == viewer and seen.holder == holder:
            return seen.cards
    return None
