"""How good a position is for a player, from what that player knows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from games.uno.cards import N_COLOURS

if TYPE_CHECKING:
    from games.uno.state import UnoState
    from games.uno.weights import Weights

_SHARE: Final = 1.0 / float(N_COLOURS)


def weighted(state: UnoState, player: i64, weights: Weights) -> float:
    """Weigh points and cards of ``player``, in [-1, 1]."""
    if state.is_terminal or (state.results and state.results[player] != 0):
        return state.result_value(player)
    points = state.points
    hands = state.hands
    team = state.team(player)
    rivals: i64 = 0
    theirs: i64 = 0
    fewest: i64 = 1000
    for rival in range(state.n_players):
        if state.team(rival) != team and not (state.fallen and state.fallen[rival]):
            rivals += 1
            theirs += min(points[rival], state.goal)
            fewest = min(fewest, hands[rival].size)
    sign = -1.0 if state.low_wins else 1.0
    goal = float(state.goal)
    value = sign * weights.player * min(float(points[player]) / goal, 1.0)
    value += sign * weights.opponent * float(theirs) / (goal * float(max(rivals, 1)))
    value += weights.cards * _share_of(hands[player].size, state.hand_size)
    value += weights.rivals_cards * _share_of(fewest, state.hand_size)
    if weights.looks_in_hand:
        value += _hand(state, player, weights)
    return max(-1.0, min(1.0, value))


def _share_of(cards: i64, dealt: i64) -> float:
    return float(cards) / float(cards + dealt)


def _hand(state: UnoState, player: i64, weights: Weights) -> float:
    """Weigh which cards ``player`` holds."""
    hand = state.hands[player]
    value = weights.hand_points * float(state.points_in_hand(player)) / float(state.goal)
    value += weights.wild_cards * float(hand.n_wilds + hand.n_wild_draw_fours)
    for colour in range(N_COLOURS):
        if hand.has_colour(colour):
            value += weights.playable * _SHARE
    return value
