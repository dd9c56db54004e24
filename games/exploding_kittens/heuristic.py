"""The heuristic of the TAG report for Exploding Kittens."""

from __future__ import annotations

from typing import cast

from mypy_extensions import i64

from games.exploding_kittens.parameters import ExplodingKittensHeuristicParameters
from games.exploding_kittens.state import ExplodingKittensState
from games.exploding_kittens.weights import Weights
from tag.heuristics import StateHeuristic
from tag.state import GameState


class ExplodingKittensHeuristic(StateHeuristic):
    """What the cards in hand are worth, over their number and one; 1 for a win and -1 for an explosion."""

    parameters_class = ExplodingKittensHeuristicParameters

    def __init__(self, parameters: ExplodingKittensHeuristicParameters | None = None) -> None:
        chosen = ExplodingKittensHeuristicParameters() if parameters is None else parameters
        super().__init__(chosen)
        self.weights = Weights(chosen)

    def value(self, state: GameState, player: i64) -> float:
        """Weigh what ``player`` has, in [-1, 1]."""
        return cast("ExplodingKittensState", state).weighted(player, self.weights)
