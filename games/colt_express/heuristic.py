"""The heuristic of the TAG report for Colt Express."""

from __future__ import annotations

from typing import cast

from mypy_extensions import i64

from games.colt_express.parameters import ColtExpressHeuristicParameters
from games.colt_express.state import ColtExpressState
from games.colt_express.weights import Weights
from tag.heuristics import StateHeuristic
from tag.state import GameState


class ColtExpressHeuristic(StateHeuristic):
    """Loot and bullets, weighed as in TAG, and the lead over the richest rival; 1 for a win and -1 for a loss.

    Own purses count what they hold, and those of others their average until their value is known. TAG divides whole
    numbers, so that its shares are mostly 0; here they are shares.
    """

    parameters_class = ColtExpressHeuristicParameters

    def __init__(self, parameters: ColtExpressHeuristicParameters | None = None) -> None:
        chosen = ColtExpressHeuristicParameters() if parameters is None else parameters
        super().__init__(chosen)
        self.weights = Weights(chosen)

    def value(self, state: GameState, player: i64) -> float:
        """Weigh what ``player`` has, in [-1, 1]."""
        return cast("ColtExpressState", state).weighted(player, self.weights)
