"""Metrics of turns."""

from __future__ import annotations

from typing import Any, ClassVar

from mypy_extensions import i64

from tag.action import AnyAction
from tag.forward_model import ForwardModel
from tag.metrics._metric import Metric
from tag.rng import Rng
from tag.state import GameState


class TurnsMetric(Metric):
    """Actions per turn (part of μ6); ticks, rounds and decisions of a game are in every ledger anyway."""

    measures: ClassVar[dict[str, str]] = {
        "actions_per_turn": "actions in a turn, reactions of others included, the turn in which the game ends included",
    }

    def __init__(self, model: ForwardModel[Any], rng: Rng) -> None:
        """Start before the first turn."""
        super().__init__(model, rng)
        self._actions: i64 = 0
        self._turns: list[float] = []

    def on_action_taken(self, state: GameState, player: i64, action: AnyAction) -> None:
        """Count the action."""
        self._actions += 1

    def on_turn_over(self, state: GameState) -> None:
        """Close the turn."""
        self._turns.append(float(self._actions))
        self._actions = 0

    def on_end(self, state: GameState) -> None:
        """Close the last turn, unless it is closed."""
        if self._actions:
            self.on_turn_over(state)

    def values(self) -> dict[str, list[float]]:
        """Return the actions in each turn."""
        return {"actions_per_turn": self._turns}
