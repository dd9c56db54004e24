"""Metrics of rewards during a game."""

from __future__ import annotations

from typing import Any, ClassVar

from mypy_extensions import i64

from tag.engine.forward_model import ForwardModel
from tag.engine.rng import Rng
from tag.engine.state import AnyAction, GameState
from tag.playing.agent import Agent
from tag.playing.metrics.metric import Metric


class RewardMetric(Metric):
    """Reward sparsity (μ7): the game's own heuristic as the players meet it."""

    measures: ClassVar[dict[str, str]] = {
        "heuristic": "the game's heuristic (-1 to 1) for the player to act, before each action",
        "final_heuristic": "the game's heuristic (-1 to 1) for each player, once the game is over",
    }

    def __init__(self, model: ForwardModel[Any], rng: Rng) -> None:
        """Start without values."""
        super().__init__(model, rng)
        self._heuristic = model.heuristic()
        self._on_the_way: list[float] = []
        self._final: list[float] = []

    def on_action_chosen(
        self, state: GameState, player: i64, action: AnyAction, actions: list[AnyAction], agent: Agent | None
    ) -> None:
        """Value the position for the acting player."""
        self._on_the_way.append(self._heuristic.value(state, player))

    def on_end(self, state: GameState) -> None:
        """Value the end for all players."""
        self._final = [self._heuristic.value(state, player) for player in range(state.n_players)]

    def values(self) -> dict[str, list[float]]:
        """Return the heuristic at each action and at the end."""
        return {"heuristic": self._on_the_way, "final_heuristic": self._final}
