"""A heuristic for Virus!: how far the own body is, and how far the rivals' bodies are."""

from __future__ import annotations

from typing import cast

from mypy_extensions import i64

from games.virus.parameters import VirusHeuristicParameters
from games.virus.state import VirusState
from games.virus.weights import Weights
from tag.heuristics import StateHeuristic
from tag.state import GameState


class VirusHeuristic(StateHeuristic):
    """The organs of the own body and of the best rival's, weighed by state; 1 for a win and -1 for a loss.

    TAG's heuristic, a fifth for each healthy organ, is
    ``virus:free=0.8,vaccinated=0.8,immunised=0.8,infected=0,rivals=0`` here.
    """

    parameters_class = VirusHeuristicParameters

    def __init__(self, parameters: VirusHeuristicParameters | None = None) -> None:
        chosen = VirusHeuristicParameters() if parameters is None else parameters
        super().__init__(chosen)
        self.weights = Weights(chosen)

    def value(self, state: GameState, player: i64) -> float:
        """Weigh the bodies as ``player`` sees them, in [-1, 1]."""
        return cast("VirusState", state).weighted(player, self.weights)
