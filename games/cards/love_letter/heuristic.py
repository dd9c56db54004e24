"""The heuristic of the TAG report for Love Letter (its appendix A.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from mypy_extensions import i64

from tag import GameState, StateHeuristic
from tag.games.cards.love_letter.data import COUNTESS, N_KINDS, NO_CARD, PRINCESS
from tag.games.cards.love_letter.parameters import LoveLetterHeuristicParameters

if TYPE_CHECKING:
    from tag.games.cards.love_letter.state import LoveLetterState

_TOP_VALUE: Final = float(PRINCESS)


class LoveLetterHeuristic(StateHeuristic):
    """Own hand and tokens, weighed; 1 for a win and -1 for a loss.

    The report counts the Countess, who may have to be played at any time, with a chance of nine in ten; here she counts
    for nine tenths, so that equal positions have equal values.
    """

    parameters_class = LoveLetterHeuristicParameters

    def __init__(self, parameters: LoveLetterHeuristicParameters | None = None) -> None:
        super().__init__(parameters)
        weights = cast("LoveLetterHeuristicParameters", self.parameters)
        self.weights = weights
        # What each card in hand adds; index 0 is no card.
        self.holding = [
            0.0,
            weights.guard,
            weights.priest,
            weights.baron,
            weights.handmaid,
            weights.prince,
            weights.king,
            weights.countess,
            weights.princess,
        ]
        # By both cards, the one drawn last (0 for none): each position takes one number from here instead of two divisions.
        self.in_hand = [self._in_hand(card, drawn) for card in range(N_KINDS + 1) for drawn in range(N_KINDS + 1)]
        self.looks_at_rivals = weights.hidden != 0.0 or weights.advantage != 0.0

    def _in_hand(self, card: int, drawn: int) -> float:
        """Return what the cards in hand add, and the share that their value is of the highest, weighed."""
        doubt = self.weights.countess_doubt
        values = [float(held) * (1.0 - doubt if held == COUNTESS else 1.0) for held in (card, drawn)]
        highest = 1.0 + _TOP_VALUE * float((card != NO_CARD) + (drawn != NO_CARD))
        return self.holding[card] + self.holding[drawn] + self.weights.cards * (values[0] + values[1]) / highest

    def value(self, state: GameState, player: i64) -> float:
        """Weigh hand and tokens of ``player``, in [-1, 1]; what is hidden from the player does not count."""
        table = cast("LoveLetterState", state)
        if table.is_terminal:
            return table.result_value(player)
        cards = (N_KINDS + 1) * table.hands[player]
        if table.current_player == player:
            cards += table.drawn
        value = self.in_hand[cards]
        value += self.weights.affection * float(table.tokens[player]) / float(table.goal)
        if self.looks_at_rivals:
            value += self._weighted_rivals(table, player)
        return max(-1.0, min(1.0, value))

    def _weighted_rivals(self, table: LoveLetterState, player: i64) -> float:
        weights = self.weights
        best: i64 = 0
        unaware: i64 = 0
        for rival in range(table.n_players):
            if rival != player:
                best = max(best, table.tokens[rival])
                if not table.knows(rival, player):
                    unaware += 1
        hidden = float(unaware) / float(table.n_players - 1) if table.hands[player] != NO_CARD else 0.0
        lead = float(table.tokens[player] - best) / float(table.goal)
        return weights.hidden * hidden + weights.advantage * lead


DEFAULT_HEURISTIC: Final = LoveLetterHeuristic()
