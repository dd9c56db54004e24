"""The features of Poker: chips, the own cards, and what they are worth."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from mypy_extensions import i64

from tag.games.cards.poker.data import BIT, HOLE_CARDS, N_RANKS, category
from tag.games.cards.poker.heuristic import chance_to_win

if TYPE_CHECKING:
    from tag.games.cards.poker.state import PokerState


@cache
def feature_names(n_players: int) -> tuple[str, ...]:
    """Return the names of the features; of players 0 is oneself, 1 the next seat, and so on."""
    found = ["hands_played", "street", "pot", "owed", "smallest_raise", "big_blind"]
    found += ["high_rank", "low_rank", "is_suited", "category", "chance_to_win"]
    for offset in range(n_players):
        found += [f"stack_{offset}", f"put_in_{offset}", f"in_hand_{offset}", f"has_acted_{offset}", f"button_{offset}"]
    return tuple(found)


def feature_values(state: PokerState, player: i64) -> list[float]:
    """Return the features, chips in big blinds; a player without a hand has no cards."""
    blind = float(state.big_blind)
    owed = state.owed(player) if state.live & BIT[player] else 0
    found = [
        float(state.round),
        float(state.phase),
        float(state.pot) / blind,
        float(owed) / blind,
        float(state.step) / blind,
        blind,
        *_card_values(state, player),
    ]
    n = state.n_players
    for offset in range(n):
        seat = (player + offset) % n
        found.append(float(state.stacks[seat]) / blind)
        found.append(float(state.paid[seat]) / blind)
        found.append(1.0 if state.live & BIT[seat] else 0.0)
        found.append(1.0 if state.acted & BIT[seat] else 0.0)
        found.append(1.0 if state.button == seat else 0.0)
    return found


def _card_values(state: PokerState, player: i64) -> list[float]:
    if state.dealt & BIT[player] == 0:
        return [0.0] * 5
    first: i64 = state.cards[HOLE_CARDS * player]
    second: i64 = state.cards[HOLE_CARDS * player + 1]
    ranks = [float(first % N_RANKS), float(second % N_RANKS)]
    return [
        max(ranks),
        min(ranks),
        1.0 if first // N_RANKS == second // N_RANKS else 0.0,
        float(category(state.hole(player) | state.board_set())),
        chance_to_win(state, player),
    ]
