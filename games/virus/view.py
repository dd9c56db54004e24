"""Positions of Virus! for people, learners and analysis."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64

from games.virus.data import (
    ABSENT,
    CARDS,
    COLOUR_NAMES,
    FREE,
    IMMUNISED,
    N_COLOURS,
    N_KINDS,
    NAMES,
    ORGAN_NAMES,
    VACCINATED,
    cards_in,
    cards_on,
    state_of,
)
from tag.components import HIDDEN_TO_ALL, VISIBLE_TO_OWNER, Component, Deck

if TYPE_CHECKING:
    from games.virus.state import VirusState


def features_of(state: VirusState, player: i64) -> dict[str, float]:
    """Return the own hand, what lies open, and each player's body (0: oneself, 1: the next …)."""
    found = {
        "deck": float(state.deck_size),
        "my_turn": float(state.turn_player == player),
        "spreading": float(len(state.sequences)),
    }
    hand = state.hand(player)
    for card in range(N_KINDS):
        found[f"hand_{CARDS[card].name}"] = float(hand.count(card))
        found[f"discards_{CARDS[card].name}"] = float(state.discards[card])
    for offset in range(state.n_players):
        seat = (player + offset) % state.n_players
        found[f"cards_{offset}"] = float(len(state.hand(seat)))
        _add_body(found, state.bodies[seat], offset)
    return found


def components_of(state: VirusState) -> list[Component]:
    """Return the cards in their places."""
    found: list[Component] = [
        Deck("deck", [CARDS[card] for card in _listed(state.deck)], visibility=HIDDEN_TO_ALL),
        Deck("discards", [CARDS[card] for card in _listed(state.discards)]),
    ]
    for player in range(state.n_players):
        hand = [CARDS[card] for card in state.hand(player)]
        found.append(Deck(f"hand of {player}", hand, player, VISIBLE_TO_OWNER))
        found.append(Deck(f"body of {player}", [CARDS[card] for card in cards_in(state.bodies[player])], player))
    return found


def text_of(state: VirusState, viewer: i64) -> str:
    """Return the table as ``viewer`` sees it, the cards of other hands as question marks."""
    shown = "over" if state.is_terminal else f"player {state.current_player} to play"
    lines = [f"Round {state.round + 1}, {shown}; deck {state.deck_size}, discards {sum(state.discards)}"]
    for player in range(state.n_players):
        hand = _hand_text(state.hand(player), viewer < 0 or viewer == player)
        lines.append(f"player {player}  hand {hand}  body {_body_text(state.bodies[player])}")
    return "\n".join(lines)


def _hand_text(cards: list[int], is_open: bool) -> str:
    """Return the cards of a hand, as question marks unless it is open."""
    if not cards:
        return "empty"
    return ", ".join([NAMES[card] if is_open else "?" for card in cards])


def _state_text(state: i64) -> str:
    """Return what has become of an organ: ``infected (red virus)``, or nothing while it is free."""
    cards = " + ".join([NAMES[card] for card in cards_on(state)])
    if state <= FREE:
        return ""
    if state < VACCINATED:
        return f"infected ({cards})"
    return f"{'vaccinated' if state < IMMUNISED else 'immunised'} ({cards})"


def _body_text(body: i64) -> str:
    """Return the organs of a body, each with what lies on it."""
    organs: list[str] = []
    for organ in range(N_COLOURS):
        state = state_of(body, organ)
        if state != ABSENT:
            organs.append(f"{ORGAN_NAMES[organ]} {_state_text(state)}".rstrip())
    return ", ".join(organs) if organs else "empty"


def _add_body(found: dict[str, float], body: i64, offset: i64) -> None:
    """Add the features of the body of the player ``offset`` seats on."""
    for organ in range(N_COLOURS):
        state = state_of(body, organ)
        name = f"{COLOUR_NAMES[organ]}_{offset}"
        found[f"organ_{name}"] = float(state != ABSENT)
        found[f"infected_{name}"] = float(FREE < state < VACCINATED)
        found[f"medicines_{name}"] = 0.0 if state < VACCINATED else 1.0 if state < IMMUNISED else 2.0


def _listed(counts: list[int]) -> list[int]:
    """Return the cards that ``counts`` counts, in order."""
    return [card for card in range(N_KINDS) for _copy in range(counts[card])]
