"""The heuristic of TAG for Pandemic, with its terms as shares."""

from __future__ import annotations

from typing import cast

from mypy_extensions import i64

from games.pandemic.parameters import PandemicHeuristicParameters
from games.pandemic.state import PandemicState
from games.pandemic.weights import Weights
from tag.heuristics import StateHeuristic
from tag.state import GameState


class PandemicHeuristic(StateHeuristic):
    """Cures, cubes, cards, outbreaks and stations, weighed; 1 for a win and -1 for a loss.

    TAG's terms with TAG's weights, where its Java version divides integers and counts the colours with cubes left as
    cures.
    """

    parameters_class = PandemicHeuristicParameters

    def __init__(self, parameters: PandemicHeuristicParameters | None = None) -> None:
        """Take the weights."""
        chosen = PandemicHeuristicParameters() if parameters is None else parameters
        super().__init__(chosen)
        self.weights = Weights(chosen)

    def value(self, state: GameState, player: i64) -> float:
        """Weigh the table, in [-1, 1]; it is the same for all players."""
        return cast("PandemicState", state).weighted(player, self.weights)
