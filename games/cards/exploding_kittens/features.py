"""The features of Exploding Kittens: own cards, discards, the pile, and what can be seen of the other players."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from tag.games.cards.exploding_kittens.data import DEFUSE, EXPLODING_KITTEN, N_KINDS, NAMES, TACOCAT, count, size

if TYPE_CHECKING:
    from tag.games.cards.exploding_kittens.state import ExplodingKittensState

#: Cards at the top of the pile that are looked at.
_TOP: Final = 3


@cache
def feature_names(n_players: int) -> tuple[str, ...]:
    """Return the names of the features; of players 0 is oneself, 1 the next, and so on."""
    found = ["deck", "kittens", "my_turn", "due", "exploding"]
    for name in NAMES[DEFUSE:]:
        kind = name.lower().replace(" ", "_")
        found += [f"hand_{kind}", f"discarded_{kind}"]
    for depth in range(_TOP):
        found += [f"top_{depth}_seen", f"top_{depth}_kitten"]
    for offset in range(n_players):
        found += [f"alive_{offset}", f"cards_{offset}"]
        if offset:
            found += [f"known_{offset}", f"known_defuses_{offset}"]
    return (*found, "risk", "turns_at_risk", "pairs", "has_defuse")


def feature_values(state: ExplodingKittensState, player: i64) -> list[float]:
    """Return the features.

    The risk is that of drawing a kitten next, as far as ``player`` knows; it counts as often as turns are due to the player.
    """
    n = state.n_players
    pile: i64 = len(state.deck)
    kittens = n - len(state.out) - 1 - (1 if state.exploding >= 0 else 0)
    found = [
        float(pile),
        float(kittens),
        1.0 if state.turn_player == player else 0.0,
        float(state.due),
        1.0 if state.exploding == player else 0.0,
    ]
    hand = state.hand(player)
    pairs: i64 = 0
    for kind in range(DEFUSE, N_KINDS):
        held = count(hand, kind)
        found.append(float(held))
        found.append(float(count(state.discards, kind)))
        if kind >= TACOCAT and held > 1:
            pairs += 1
    risk = float(kittens) / float(max(pile, 1))
    for depth in range(_TOP):
        place = pile - 1 - depth
        card: i64 = state.seen_card(place, player) if place >= 0 else -1
        found.append(1.0 if card >= 0 else 0.0)
        found.append(1.0 if card == EXPLODING_KITTEN else 0.0)
        if depth == 0 and card >= 0:
            risk = 1.0 if card == EXPLODING_KITTEN else 0.0
    for offset in range(n):
        seat = (player + offset) % n
        found.append(float(state.alive >> seat & 1))
        found.append(float(state.size(seat)))
        if offset:
            known: i64 = state.known[player * n + seat]
            found.append(float(size(known)))
            found.append(float(count(known, DEFUSE)))
    found.append(risk)
    found.append(risk * float(state.due) if state.turn_player == player else 0.0)
    found.append(float(pairs))
    found.append(1.0 if count(hand, DEFUSE) > 0 else 0.0)
    return found
