"""Positions of Uno for people, learners and analysis."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from games.uno.data import (
    CARDS,
    COLOURS,
    N_KINDS,
    NAMES,
    NO_CARD,
    SYMBOLS,
    WILD,
    names_of,
)
from tag.components import HIDDEN_TO_ALL, VISIBLE_TO_OWNER, Card, Component, Counter, Deck, PartiallyObservableDeck

if TYPE_CHECKING:
    from games.uno.state import UnoState

_KEYS: Final[list[str]] = [name.replace(" ", "_") for name in NAMES]


def known_hand(state: UnoState, holder: i64, viewer: i64) -> list[int]:
    """Return the cards in the hand of ``holder`` that ``viewer`` (-1: sees all) knows."""
    if viewer < 0 or viewer == holder or state.is_terminal:
        return state.hands[holder].cards()
    seen = state.cards_seen(viewer, holder)
    return [] if seen is None else seen.cards()


def features_of(state: UnoState, player: i64) -> dict[str, float]:
    """Return named features for ``player``; of players 0 is oneself, 1 the next seat, and so on."""
    found = {
        "my_turn": float(state.current_player == player),
        "phase": float(state.phase),
        "challenge": float(len(state.sequences)),
        "direction": float(state.direction),
        "deck": float(state.deck.size),
    }
    for colour, name in enumerate(COLOURS):
        found[f"match_{name}"] = float(state.colour == colour)
    for symbol, name in enumerate(SYMBOLS):
        found[f"match_{name.replace(' ', '_')}"] = float(state.symbol == symbol)
    for card in range(N_KINDS):
        found[f"hand_{_KEYS[card]}"] = float(state.hands[player].count(card))
        found[f"gone_{_KEYS[card]}"] = float(state.discards.count(card))
        found[f"drawn_{_KEYS[card]}"] = float(state.drawn == card and state.current_player == player)
    for offset in range(state.n_players):
        seat = (player + offset) % state.n_players
        found[f"cards_{offset}"] = float(state.hands[seat].size)
        found[f"points_{offset}"] = float(state.points[seat]) / float(state.goal)
        found[f"turn_{offset}"] = float(state.turn_player == seat)
        found[f"out_{offset}"] = float(bool(state.fallen) and state.fallen[seat] != 0)
        if offset:
            found[f"seen_{offset}"] = float(len(known_hand(state, seat, player)))
    return found


def components_of(state: UnoState) -> list[Component]:
    """Return the cards in their places, and the points."""
    discards = state.discards.cards()
    if state.top != NO_CARD:
        discards.remove(int(state.top))
        discards.append(int(state.top))
    found: list[Component] = [
        Deck("draw pile", _cards(state.deck.cards()), visibility=HIDDEN_TO_ALL),
        Deck("discards", _cards(discards)),
    ]
    for player in range(state.n_players):
        found.append(_hand(state, player))
        found.append(Counter(f"points of {player}", state.points[player], owner=player))
    return found


def _hand(state: UnoState, player: i64) -> Component:
    """Return the cards in a hand, each with who knows it."""
    cards = known_hand(state, player, -1)
    seen = [1 << int(player)] * len(cards)
    for sighting in state.sightings:
        if sighting.holder == player:
            known = sighting.cards.cards()
            for index, card in enumerate(cards):
                if card in known:
                    known.remove(card)
                    seen[index] |= 1 << int(sighting.viewer)
    if state.is_terminal:
        seen = [(1 << int(state.n_players)) - 1] * len(cards)
    hand = PartiallyObservableDeck(f"hand of {player}", _cards(cards), state.n_players, player, VISIBLE_TO_OWNER)
    hand.seen = seen
    return hand


def text_of(state: UnoState, viewer: i64) -> str:
    """Return the table as ``viewer`` sees it, unknown cards as question marks."""
    shown = "over" if state.is_terminal else f"player {state.current_player} to decide"
    way = "" if state.direction == 1 else "; play goes the other way round"
    lines = [f"Round {state.round + 1}, {shown}; {state.deck.size} cards in the draw pile{way}", _top_text(state)]
    for player in range(state.n_players):
        lines.append(_player_text(state, player, viewer))
    return "\n".join(lines)


def _top_text(state: UnoState) -> str:
    if state.top == NO_CARD:
        return "no discards"
    name = NAMES[state.top]
    if state.top >= WILD:
        name += " (no colour yet)" if state.phase == 2 else f" ({COLOURS[state.colour]})"
    return f"on top: {name}; {state.discards.size} discards"


def _player_text(state: UnoState, player: i64, viewer: i64) -> str:
    text = f"player {player}  points {state.points[player]}  {state.hands[player].size} cards"
    if state.fallen and state.fallen[player]:
        return f"{text}  out of the game"
    known = known_hand(state, player, viewer)
    unknown = state.hands[player].size - len(known)
    hand = names_of(known) if known else "" if unknown else "none"
    text += f": {hand}{', ' if known and unknown else ''}{'? ' * unknown}".rstrip()
    if state.drawn != NO_CARD and player == state.current_player:
        text += f" (just drawn: {NAMES[state.drawn] if viewer < 0 or viewer == player else '?'})"
    return text


def _cards(kinds: list[int]) -> list[Card]:
    return [CARDS[kind] for kind in kinds]
