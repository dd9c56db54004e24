"""The features of Uno: what is to be matched, the own hand, the discards, and each player's cards and points."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from mypy_extensions import i64

from tag.games.cards.uno.data import COLOURS, N_COLOURS, N_KINDS, N_SYMBOLS, NAMES, NO_CARD, SKIP, SYMBOLS, CardSet

if TYPE_CHECKING:
    from tag.games.cards.uno.state import UnoState


@cache
def feature_names(n_players: int) -> tuple[str, ...]:
    """Return the names of the features; of players 0 is oneself, 1 the next seat, and so on."""
    found = ["my_turn", "phase", "challenge", "direction", "deck", "drawn"]
    found += [f"match_{name.replace(' ', '_')}" for name in (*COLOURS, *SYMBOLS)]
    for name in NAMES:
        key = name.replace(" ", "_")
        found += [f"hand_{key}", f"gone_{key}"]
    for offset in range(n_players):
        found += [f"cards_{offset}", f"points_{offset}", f"turn_{offset}", f"out_{offset}", f"share_{offset}"]
        if offset:
            found.append(f"seen_{offset}")
    return (*found, "hand_colours", "hand_actions", "playable", "hand_points")


def feature_values(state: UnoState, player: i64) -> list[float]:
    """Return the features.

    A player's share is n / (n + cards dealt) for n cards in hand; playable cards are those of the own hand that match what
    lies on top, wild cards included.
    """
    n = state.n_players
    hand = state.hands[player]
    found = [
        1.0 if state.current_player == player else 0.0,
        float(state.phase),
        float(len(state.sequences)),
        float(state.direction),
        float(state.deck.size),
        1.0 if state.drawn != NO_CARD and state.current_player == player else 0.0,
    ]
    for colour in range(N_COLOURS):
        found.append(1.0 if state.colour == colour else 0.0)
    for symbol in range(N_SYMBOLS):
        found.append(1.0 if state.symbol == symbol else 0.0)
    _add_cards(found, state, player)
    goal = float(state.goal)
    for offset in range(n):
        seat = (player + offset) % n
        cards = state.hands[seat].size
        found.append(float(cards))
        found.append(float(state.points[seat]) / goal)
        found.append(1.0 if state.turn_player == seat else 0.0)
        found.append(1.0 if state.fallen and state.fallen[seat] != 0 else 0.0)
        found.append(float(cards) / float(cards + state.hand_size))
        if offset:
            seen = state.hands[seat] if state.is_terminal else state.cards_seen(player, seat)
            found.append(0.0 if seen is None else float(seen.size))
    _add_hand(found, state, hand)
    found.append(float(state.points_in_hand(player)))
    return found


def _add_cards(found: list[float], state: UnoState, player: i64) -> None:
    """Add how often each card is in the own hand and among the discards."""
    hand = state.hands[player]
    discards = state.discards
    for card in range(N_KINDS):
        found.append(float(hand.count(card)))
        found.append(float(discards.count(card)))


def _add_hand(found: list[float], state: UnoState, hand: CardSet) -> None:
    """Add the colours, actions and playable cards in a hand."""
    colours: i64 = 0
    actions: i64 = 0
    playable = hand.n_wilds + hand.n_wild_draw_fours
    for colour in range(N_COLOURS):
        left = hand.counts(colour)
        if left:
            colours += 1
        symbol: i64 = 0
        while left:
            held = left & 15
            if colour == state.colour or symbol == state.symbol:
                playable += held
            if symbol >= SKIP:
                actions += held
            left >>= 4
            symbol += 1
    found.append(float(colours))
    found.append(float(actions))
    found.append(float(playable))
