"""TAG's heuristic for Uno, with more weights to try."""

from __future__ import annotations

from typing import cast

from mypy_extensions import i64

from games.uno.parameters import UnoHeuristicParameters
from games.uno.state import UnoState
from games.uno.values import weighted
from games.uno.weights import Weights
from tag.heuristics import StateHeuristic
from tag.state import GameState


class UnoHeuristic(StateHeuristic):
    """Own points, the opponents' and the cards in hand, weighed; 1 for a win and -1 for a loss.

    Cards in hand count as n / (n + cards dealt), so that the last ones count most and any number stays in range. Where low
    points win, points are costs.
    """

    parameters_class = UnoHeuristicParameters

    def __init__(self, parameters: UnoHeuristicParameters | None = None) -> None:
        """Take the weights."""
        chosen = UnoHeuristicParameters() if parameters is None else parameters
        super().__init__(chosen)
        self.weights = Weights(chosen)

    def value(self, state: GameState, player: i64) -> float:
        """Weigh what ``player`` has, in [-1, 1]."""
        return weighted(cast("UnoState", state), player, self.weights)
