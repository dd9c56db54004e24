"""The heuristic of the TAG report for Love Letter (its appendix A.1)."""

from __future__ import annotations

from typing import cast

from mypy_extensions import i64

from games.love_letter.parameters import LoveLetterHeuristicParameters
from games.love_letter.state import LoveLetterState
from games.love_letter.weights import Weights
from tag.heuristics import StateHeuristic
from tag.state import GameState


class LoveLetterHeuristic(StateHeuristic):
    """Own hand and tokens, weighed; 1 for a win and -1 for a loss.

    The report counts the Countess, who may have to be played at any time, with a chance of nine in ten; here she counts
    for nine tenths, so that equal positions have equal values.
    """

    parameters_class = LoveLetterHeuristicParameters

    def __init__(self, parameters: LoveLetterHeuristicParameters | None = None) -> None:
        chosen = LoveLetterHeuristicParameters() if parameters is None else parameters
        super().__init__(chosen)
        self.weights = Weights(chosen)

    def value(self, state: GameState, player: i64) -> float:
        """Weigh what ``player`` has, in [-1, 1]."""
        return cast("LoveLetterState", state).weighted(player, self.weights)
