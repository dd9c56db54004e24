"""The features of Sushi Go!: cards and points of each player, and the hands that a player knows."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from mypy_extensions import i64

from tag.games.cards.sushi_go.data import BITS, MASK, N_KINDS, N_PLACES, NAMES, PUDDING, first_of, maki_in, second_of

if TYPE_CHECKING:
    from tag.games.cards.sushi_go.state import SushiGoState


@cache
def feature_names(n_players: int) -> tuple[str, ...]:
    """Return the names of the features; of players 0 is oneself, 1 the next seat, and so on."""
    found = ["round", "cards", *[f"chosen_{NAMES[kind]}" for kind in range(N_KINDS)]]
    for offset in range(n_players):
        found += [f"points_{offset}", f"puddings_{offset}", f"maki_rolls_{offset}", f"knows_hand_{offset}"]
        found += [f"table_{NAMES[place]}_{offset}" for place in range(N_PLACES) if place != PUDDING]
        found += [f"hand_{NAMES[kind]}_{offset}" for kind in range(N_KINDS)]
    return tuple([name.replace(" ", "_") for name in found])


def feature_values(state: SushiGoState, player: i64) -> list[float]:
    """Return the features: numbers of cards, of points, and whether hands are known; those that are not count as empty."""
    found = [float(state.round), float(state.cards)]
    n = state.n_players
    choice: i64 = state.chosen[player]
    first, second = first_of(choice), second_of(choice)
    for kind in range(N_KINDS):
        found.append(float((first == kind) + (second == kind)))
    for offset in range(n):
        seat = (player + offset) % n
        table: i64 = state.tables[seat]
        is_known = state.knows_hand(player, seat)
        hand: i64 = state.hands[seat] if is_known else 0
        found.append(float(state.points[seat]))
        found.append(float(state.puddings[seat]))
        found.append(float(maki_in(table)))
        found.append(1.0 if is_known else 0.0)
        for place in range(N_PLACES):
            if place != PUDDING:
                found.append(float(table >> (BITS * place) & MASK))
        for kind in range(N_KINDS):
            found.append(float(hand >> (BITS * kind) & MASK))
    return found
