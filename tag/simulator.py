"""The forward model as an agent may use it: counted against its budget, with randomness of its own."""

from __future__ import annotations

from typing import Any, final

from mypy_extensions import i64

from tag.action import AnyAction
from tag.budget import Budget
from tag.forward_model import ForwardModel
from tag.rng import Rng
from tag.state import GameState


@final
class Simulator:
    """Rules, random stream and budget of one agent in one game.

    Attributes:
        model: the rules: a copy that is the agent's own.
        rng: the agent's own stream; draws from it change no chance outcome of the game.
        budget: the budget of the decision; search until ``budget.is_spent()``.
        calls: forward-model calls since the game began; the game loop compares the calls of a decision with the budget.
        copies: copies and observations since the game began, compared in the same way.
    """

    __slots__ = ("budget", "calls", "copies", "model", "rng")
    calls: i64
    copies: i64
    model: ForwardModel[Any]
    rng: Rng
    budget: Budget

    def __init__(self, model: ForwardModel[Any], rng: Rng, budget: Budget) -> None:
        """Bind the three together."""
        self.model = model
        self.rng = rng
        self.budget = budget
        self.calls = 0
        self.copies = 0

    def next(self, state: GameState, action: AnyAction) -> None:
        """Apply ``action`` to ``state`` in place: one forward-model call."""
        self.calls += 1
        self.budget.forward_model_calls += 1
        self.model.next(state, action, self.rng)

    def available_actions(self, state: GameState) -> list[AnyAction]:
        """Return the available actions of the current player of ``state``."""
        return self.model.available_actions(state)

    def copy(self, state: GameState) -> GameState:
        """Return an exact copy of ``state``."""
        self.copies += 1
        self.budget.copies += 1
        return state.copy()

    def observation(self, state: GameState, player: i64) -> GameState:
        """Return a copy of ``state`` with all that ``player`` cannot know dealt again."""
        self.copies += 1
        self.budget.copies += 1
        return state.observation(player, self.rng)

    def random_action(self, state: GameState) -> AnyAction:
        """Return one of the available actions, each as likely."""
        actions = self.model.available_actions(state)
        return actions[self.rng.below(len(actions))]

    def rollout(self, state: GameState, depth: i64) -> None:
        """Play ``state`` on at random, in place, for ``depth`` actions at most, while the budget allows calls."""
        model = self.model
        rng = self.rng
        budget = self.budget
        is_limited = budget.limits_steps
        while depth > 0 and not state.is_terminal and not (is_limited and budget.is_spent()):
            actions = model.available_actions(state)
            self.calls += 1
            budget.forward_model_calls += 1
            model.next(state, actions[rng.below(len(actions))], rng)
            depth -= 1
