"""Metrics of actions: how many are available, what they lead to, and how many a turn has."""

from __future__ import annotations

from typing import Any, ClassVar

from mypy_extensions import i64

from tag.engine.forward_model import ForwardModel
from tag.engine.rng import Rng
from tag.engine.state import AnyAction, GameState
from tag.playing.agent import Agent
from tag.playing.metrics.metric import Metric, Stride


class ActionSpaceMetric(Metric):
    """Action space size (μ1 of the TAG report) and the share of actions without an alternative.

    Examples:
        >>> from tag import Game, make_agent, make_game
        >>> model = make_game("tic_tac_toe")
        >>> sizes = ActionSpaceMetric(model, Rng(1))
        >>> agents = [make_agent("random"), make_agent("random")]
        >>> state = Game(model, agents, seed=1, listeners=[sizes]).play()
        >>> sizes.values()
        {'actions': [9.0, 8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0], 'single_actions': [0.1111111111111111]}
    """

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
