"""Dealing again what a player of Uno cannot know."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64

from games.uno.card_set import CardSet
from games.uno.cards import NO_CARD
from games.uno.sightings import Sighting, cards_seen

if TYPE_CHECKING:
    from games.uno.state import UnoState
    from tag.rng import Rng


def deal_again(state: UnoState, player: i64, rng: Rng) -> None:
    """Deal the draw pile and the hands of the others again, but for the cards that ``player`` has seen in them."""
    hidden = _gather(state, player)
    for holder in range(state.n_players):
        if hidden[holder]:
            last = state.deck.deal(state.hands[holder], hidden[holder], rng)
            if state.drawn != NO_CARD and holder == state.current_player:
                state.drawn = last
    if state.sightings:
        state.sightings = tuple([_doubted(state, seen, player, rng) for seen in state.sightings])


def _gather(state: UnoState, player: i64) -> list[int]:
    """Put all cards that ``player`` does not know into the draw pile, and return how many came from each hand."""
    deck = state.deck
    hidden: list[int] = []
    for holder in range(state.n_players):
        hand = state.hands[holder]
        before = deck.size
        if holder != player:
            deck.include(hand)
            hand.clear()
            known = cards_seen(state.sightings, player, holder) if state.sightings else None
            if known is not None:
                deck.exclude(known)
                hand.include(known)
        hidden.append(int(deck.size - before))
    return hidden


def _doubted(state: UnoState, seen: Sighting, player: i64, rng: Rng) -> Sighting:
    """Return ``seen`` as it may be for all that ``player`` knows: with other cards of the hand, and as many as may be.

    Of a hand that ``player`` has seen earlier the viewer has seen what ``player`` still knows of it.
    """
    if seen.concerns(player):
        return seen.copy()
    others = state.hands[seen.holder].copy()
    if state.drawn != NO_CARD and seen.holder == state.current_player:
        others.remove(state.drawn)
    cards = CardSet()
    certain = _seen_earlier(state, seen, player)
    if certain is not None:
        others.exclude(certain)
        cards.include(certain)
    fewest = max(seen.fewest, cards.size)
    count = fewest + rng.below(seen.most - fewest + 1)
    others.deal(cards, count - cards.size, rng)
    return Sighting(seen.viewer, seen.holder, seen.fewest, seen.most, cards)


def _seen_earlier(state: UnoState, seen: Sighting, player: i64) -> CardSet | None:
    """Return what ``player`` knows of the same hand, if it was seen before ``seen``."""
    for sighting in state.sightings:
        if sighting is seen:
            return None
        if sighting.viewer == player and sighting.holder == seen.holder:
            return sighting.cards
    return None
