"""The features of Blackjack: the hand that is played, the dealer's card, the cards not seen, and money."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from mypy_extensions import i64

from tag.games.cards.blackjack.data import (
    BETTING,
    N_KINDS,
    NAMES,
    NO_CARD,
    PLAYING,
    UNIT,
    count_of,
    is_soft,
    owner_of,
    pair_of,
    size_of,
    total_of,
)

if TYPE_CHECKING:
    from tag.games.cards.blackjack.state import BlackjackState


@cache
def feature_names(n_players: int) -> tuple[str, ...]:
    """Return the names of the features; of players 0 is oneself, 1 the next seat, and so on."""
    found = ["round", "phase", "up_card", "total", "soft", "cards", "pair", "others", "bet", "insured"]
    found += [f"unseen_{name}" for name in NAMES]
    return (*found, "unseen", *[f"money_{offset}" for offset in range(n_players)], "lead")


def feature_values(state: BlackjackState, player: i64) -> list[float]:
    """Return the features: a hand of the player, the one being played if it is; shares of each kind among cards unseen.

    ``pair`` is the points of one card of a pair, ``others`` the number of further hands.
    """
    mine = _hand_of(state, player)
    pair = pair_of(mine)
    is_dealt = state.phase != BETTING
    found = [
        float(state.round),
        float(state.phase),
        float(state.up_card() + 1) if is_dealt else 0.0,
        float(total_of(mine)),
        1.0 if is_soft(mine) else 0.0,
        float(size_of(mine)),
        0.0 if pair == NO_CARD else float(pair + 1),
        float(max(state.hands_of(player) - 1, 0)) if is_dealt else 0.0,
        float(state.bets[player]) / UNIT,
        float(state.insured >> player & 1),
    ]
    unseen = state.unseen()
    size = state.left if state.hole == NO_CARD else state.left + 1
    for kind in range(N_KINDS):
        found.append(float(count_of(unseen, kind)) / float(size) if size else 0.0)
    found.append(float(size))
    best: i64 = 0
    for offset in range(state.n_players):
        seat = (player + offset) % state.n_players
        money: i64 = state.money[seat]
        found.append(float(money) / UNIT)
        if offset == 1 or (offset and money > best):
            best = money
    found.append(float(state.money[player] - best) / UNIT)
    return found


def _hand_of(state: BlackjackState, player: i64) -> i64:
    """Return the hand that the player plays, or else its first one; 0 before the cards are dealt."""
    if state.phase == BETTING:
        return 0
    if state.phase == PLAYING and state.current_player == player:
        hand: i64 = state.hands[state.at]
        return hand
    for other in state.hands:
        if owner_of(other) == player:
            found: i64 = other
            return found
    return 0
