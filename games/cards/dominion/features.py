"""The features of Dominion: supply and turn, the own cards by kind, and what all know of each player."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from mypy_extensions import i64

from tag.games.cards.dominion.data import DISCARDS, HAND, KNOWN, N_KINDS, OWNED, SPAN, key_of, size

if TYPE_CHECKING:
    from tag.games.cards.dominion.state import DominionState


@cache
def feature_names(n_players: int) -> tuple[str, ...]:
    """Return the names of the features; of players 0 is oneself, 1 the next seat, and so on."""
    keys = [key_of(kind) for kind in range(N_KINDS)]
    found = ["turn", "phase", "own_turn", "actions", "buys", "coins", "merchants", "empty_piles"]
    found += [f"supply_{key}" for key in keys]
    found += [f"hand_{key}" for key in keys]
    found += [f"discards_{key}" for key in keys]
    for offset in range(n_players):
        found += [
            f"points_{offset}",
            f"cards_{offset}",
            f"money_{offset}",
            f"hand_size_{offset}",
            f"known_in_hand_{offset}",
        ]
        found += [f"on_top_{offset}", f"deck_size_{offset}", *[f"owned_{key}_{offset}" for key in keys]]
    return tuple(found)


def feature_values(state: DominionState, player: i64) -> list[float]:
    """Return the features; cards that are not in the game count 0."""
    n = state.n_players
    found = [
        float(state.turn),
        float(state.phase),
        1.0 if state.turn_player == player else 0.0,
        float(state.actions),
        float(state.buys),
        float(state.coins),
        float(state.merchants),
        float(state.empty_piles()),
    ]
    slots = state.slots
    for kind in range(N_KINDS):
        slot: i64 = slots[kind]
        found.append(float(state.in_supply(slot)) if slot >= 0 else 0.0)
    _add_cards(found, state, player, HAND)
    _add_cards(found, state, player, DISCARDS)
    for offset in range(n):
        seat = (player + offset) % n
        at = SPAN * seat
        found.append(float(state.points(seat)))
        found.append(float(state.owned(seat)))
        found.append(float(state.money(seat)))
        found.append(float(state.hand_count(seat)))
        found.append(float(size(state.cards[at + KNOWN]) + size(state.cards[at + KNOWN + 1])))
        found.append(float(len(state.tops[seat])))
        found.append(float(state.pile_count(seat)))
        _add_cards(found, state, seat, OWNED)
    return found


def _add_cards(found: list[float], state: DominionState, player: i64, zone: i64) -> None:
    """Add the number of cards of each kind in a set of ``player``."""
    for kind in range(N_KINDS):
        slot: i64 = state.slots[kind]
        found.append(float(state.count(player, zone, slot)) if slot >= 0 else 0.0)
