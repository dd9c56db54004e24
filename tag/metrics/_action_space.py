"""Metrics of the available actions: action space size and branching factor."""

from __future__ import annotations

from typing import Any, ClassVar

from mypy_extensions import i64

from tag.action import AnyAction
from tag.agent import Agent
from tag.forward_model import ForwardModel
from tag.metrics._metric import Metric, Stride
from tag.rng import Rng
from tag.state import GameState


class ActionSpaceMetric(Metric):
    """Action space size (μ1 of the TAG report) and the share of actions without an alternative."""

    measures: ClassVar[dict[str, str]] = {
        "actions": "actions available to the player to act, at every action of the game",
        "single_actions": "share of a game's actions that were the only one available",
    }

    def __init__(self, model: ForwardModel[Any], rng: Rng) -> None:
        """Start without counts."""
        super().__init__(model, rng)
        self._sizes: list[float] = []
        self._single: i64 = 0

    def on_action_chosen(
        self, state: GameState, player: i64, action: AnyAction, actions: list[AnyAction], agent: Agent | None
    ) -> None:
        """Count the available actions."""
        self._sizes.append(float(len(actions)))
        if len(actions) == 1:
            self._single += 1

    def values(self) -> dict[str, list[float]]:
        """Return the size at each action, and the share of ones."""
        if not self._sizes:
            return {}
        return {"actions": self._sizes, "single_actions": [self._single / len(self._sizes)]}


class BranchingMetric(Metric):
    """Branching factor (μ2): how many different states the available actions lead to, under the same chance."""

    measures: ClassVar[dict[str, str]] = {
        "branching": "distinct states that the available actions lead to with the same luck, at one action of eight",
    }

    def __init__(self, model: ForwardModel[Any], rng: Rng) -> None:
        """Start without counts."""
        super().__init__(model, rng)
        self._stride = Stride(rng)
        self._counts: list[float] = []

    def on_action_chosen(
        self, state: GameState, player: i64, action: AnyAction, actions: list[AnyAction], agent: Agent | None
    ) -> None:
        """Try all actions on copies."""
        if not self._stride.picks():
            return
        luck = self.rng.snapshot()
        successors: set[object] = set()
        for available in actions:
            successor = state.copy()
            self.rng.restore(luck)
            self.model.next(successor, available, self.rng)
            successors.add(successor.snapshot())
        self._counts.append(float(len(successors)))

    def values(self) -> dict[str, list[float]]:
        """Return the number of successors at each action that was picked."""
        return {"branching": self._counts}
