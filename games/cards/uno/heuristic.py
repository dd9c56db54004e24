"""TAG's heuristic for Uno, with more weights to try."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from mypy_extensions import i64

from tag import GameState, StateHeuristic
from tag.games.cards.uno.data import N_COLOURS
from tag.games.cards.uno.parameters import UnoHeuristicParameters

if TYPE_CHECKING:
    from tag.games.cards.uno.state import UnoState

_SHARE: Final = 1.0 / float(N_COLOURS)


class UnoHeuristic(StateHeuristic):
    """Own points, the opponents' and the cards in hand, weighed; 1 for a win and -1 for a loss.

    Cards in hand count as n / (n + cards dealt), so that the last ones count most and any number stays in range. Where low
    points win, points are costs.
    """

    parameters_class = UnoHeuristicParameters

    def __init__(self, parameters: UnoHeuristicParameters | None = None) -> None:
        super().__init__(parameters)
        self.weights = cast("UnoHeuristicParameters", self.parameters)
        self.looks_at_rivals = self.weights.rivals_cards != 0.0
        self.looks_in_hand = any([self.weights.hand_points, self.weights.wild_cards, self.weights.playable])

    def value(self, state: GameState, player: i64) -> float:
        table = cast("UnoState", state)
        if table.is_terminal or (table.results and table.results[player] != 0):
            return table.result_value(player)
        weights = self.weights
        points = table.points
        hands = table.hands
        team = table.team(player)
        rivals: i64 = 0
        theirs: i64 = 0
        fewest: i64 = 1000
        for rival in range(table.n_players):
            if rival == player or (table.partners and table.team(rival) == team):
                continue
            if not (table.fallen and table.fallen[rival]):
                rivals += 1
                held: i64 = points[rival]
                theirs += min(held, table.goal)
                if self.looks_at_rivals:
                    fewest = min(fewest, hands[rival].size)
        sign = -1.0 if table.low_wins else 1.0
        goal = float(table.goal)
        value = sign * weights.player * min(float(points[player]) / goal, 1.0)
        value += sign * weights.opponent * float(theirs) / (goal * float(max(rivals, 1)))
        value += weights.cards * _share_of(hands[player].size, table.hand_size)
        if self.looks_at_rivals:
            value += weights.rivals_cards * _share_of(fewest, table.hand_size)
        if self.looks_in_hand:
            value += self._hand(table, player)
        return max(-1.0, min(1.0, value))

    def _hand(self, state: UnoState, player: i64) -> float:
        weights = self.weights
        hand = state.hands[player]
        value = weights.hand_points * float(state.points_in_hand(player)) / float(state.goal)
        value += weights.wild_cards * float(hand.n_wilds + hand.n_wild_draw_fours)
        for colour in range(N_COLOURS):
            if hand.has_colour(colour):
                value += weights.playable * _SHARE
        return value


def _share_of(cards: i64, dealt: i64) -> float:
    return float(cards) / float(cards + dealt)


DEFAULT_HEURISTIC: Final = UnoHeuristic()
