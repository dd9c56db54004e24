"""The features of Diamant: the cave and its risk, what leaving and going on may bring, and all chests."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from mypy_extensions import i64

from tag.games.cards.diamant.data import HAZARD_NAMES, HOW_MANY, N_HAZARDS

if TYPE_CHECKING:
    from tag.games.cards.diamant.state import DiamantState


@cache
def feature_names(n_players: int) -> tuple[str, ...]:
    """Return the names of the features; of players 0 is oneself, 1 the next seat, and so on."""
    found = ["cave", "left", "risk", "mean_share", "carried", "lying", "relics_on_path", "worth_of_relics"]
    found += ["n_inside", "leaving", *[f"met_{name}" for name in HAZARD_NAMES]]
    for offset in range(n_players):
        found += [f"chest_{offset}", f"relics_{offset}", f"inside_{offset}"]
    return (*found, "lead")


def feature_values(state: DiamantState, player: i64) -> list[float]:
    """Return the features; a choice that is not shown yet is the player's own only."""
    n = state.n_players
    inside = state.n_inside()
    relics = state.relics_on_path()
    found = [
        float(state.round),
        float(state.left),
        state.risk(),
        state.mean_share(inside),
        float(state.carried) if state.inside >> player & 1 else 0.0,
        float(state.rubies_lying()),
        float(HOW_MANY[relics]),
        float(state.worth_of_relics(relics)),
        float(inside),
        float(state.leaving >> player & 1),
    ]
    for kind in range(N_HAZARDS):
        found.append(float(state.met(kind)))
    best: i64 = 0
    for offset in range(n):
        seat = (player + offset) % n
        found.append(float(state.chests[seat]))
        found.append(float(state.n_relics(seat)))
        found.append(float(state.inside >> seat & 1))
        if offset:
            best = max(best, state.chests[seat])
    found.append(float(state.chests[player] - best))
    return found
