"""Metrics of rewards during a game."""

from __future__ import annotations

from typing import Any, ClassVar

from mypy_extensions import i64

from tag.action import AnyAction
from tag.agent import Agent
from tag.forward_model import ForwardModel
from tag.metrics._metric import Metric
from tag.rng import Rng
from tag.state import GameState


class RewardMetric(Metric):
    """Reward sparsity (μ7): the game's own heuristic as the players meet it."""

    measures: ClassVar[dict[str, str]] = {
        "heuristic": "the game's heuristic (-1 to 1) for the player to act, before each action",
        "final_heuristic": "the game's heuristic (-1 to 1) for each player, once the game is over",
    }

    def __init__(self, model: ForwardModel[Any], rng: Rng) -> None:
        """Start without values."""
        super().__init__(model, rng)
        self._on_the_way: list[float] = []
        self._final: list[float] = []

    def on_action_chosen(
        self, state: GameState, player: i64, action: AnyAction, actions: list[AnyAction], agent: Agent | None
    ) -> None:
        """Value the position for the acting player."""
        self._on_the_way.append(state.heuristic(player))

    def on_end(self, state: GameState) -> None:
        """Value the end for all players."""
        self._final = [state.heuristic(player) for player in range(state.n_players)]

    def values(self) -> dict[str, list[float]]:
        """Return the heuristic at each action and at the end."""
        return {"heuristic": self._on_the_way, "final_heuristic": self._final}
