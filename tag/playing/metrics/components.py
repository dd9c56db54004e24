"""Metrics of the components on the table and of their visibility."""

from __future__ import annotations

from typing import Any, ClassVar

from mypy_extensions import i64

from tag.engine.forward_model import ForwardModel
from tag.engine.rng import Rng
from tag.engine.state import AnyAction, GameState
from tag.playing.agent import Agent
from tag.playing.metrics.metric import Metric, Stride


class TableMetric(Metric):
    """State size (μ3) and hidden information (μ4), by `GameState.components`."""

    measures: ClassVar[dict[str, str]] = {
        "components": "components in the state, at one action of eight",
        "hidden": "share of the components that the player to act cannot see, at one action of eight",
    }

    def __init__(self, model: ForwardModel[Any], rng: Rng) -> None:
        """Start without counts."""
        super().__init__(model, rng)
        self._stride = Stride(rng)
        self._counts: list[float] = []
        self._hidden: list[float] = []

    def on_action_chosen(
        self, state: GameState, player: i64, action: AnyAction, actions: list[AnyAction], agent: Agent | None
    ) -> None:
        """Count all components, and those hidden."""
        if not self._stride.picks():
            return
        count = 0
        hidden = 0
        for component in state.components():
            count += component.count()
            hidden += component.hidden_count(player)
        self._counts.append(float(count))
        if count:
            self._hidden.append(hidden / count)

    def values(self) -> dict[str, list[float]]:
        """Return both counts at each action that was picked."""
        return {"components": self._counts, "hidden": self._hidden}
