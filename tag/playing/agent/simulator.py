"""The forward model as an agent may use it: counted against its budget, with randomness of its own."""

from __future__ import annotations

from typing import Any, Final, final

from mypy_extensions import i64

from tag.engine.forward_model import ForwardModel
from tag.engine.rng import Rng
from tag.engine.snapshot import reduced
from tag.engine.state import AnyAction, GameState
from tag.playing.agent.budget import Budget

#: An action with more outcomes than this has some of them drawn by `Simulator.outcomes`.
MOST_OUTCOMES: Final = 200
DRAWN_OUTCOMES: Final = 20


@final
class Simulator:
    """Rules, random stream and budget of one agent in one game.

    Examples:
        >>> from tag import make_game
        >>> model = make_game("connect_four")
        >>> sim = Simulator(model, Rng(1), Budget(100))
        >>> state = model.setup(2, Rng(1))
        >>> for action in sim.available_actions(state):
        ...     sim.next(sim.copy(state), action)
        >>> sim.calls, sim.copies, sim.budget.left
        (7, 7, 93)

    Attributes:
        model: the rules: a copy that is the agent's own.
        rng: the agent's own stream; draws from it change no chance outcome of the game.
        budget: the budget of the decision; search until ``budget.is_spent()``.
        calls: forward-model calls since the game began; the game loop compares the calls of a decision with the budget.
        copies: copies and observations since the game began, compared in the same way.
        has_sampled: whether the outcomes told last were drawn, so that they are not all and prove nothing.
    """

    __slots__ = ("budget", "calls", "copies", "has_sampled", "model", "rng")
    calls: i64
    copies: i64
    has_sampled: bool
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
        self.has_sampled = False

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle by fields."""
        return reduced(self, self.model, self.rng, self.budget)

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

    def new_game(self, n_players: i64) -> GameState:
        """Return the beginning of another game of the same rules, dealt by the agent's own stream; it costs a copy."""
        self.copies += 1
        self.budget.copies += 1
        state: GameState = self.model.setup(n_players, self.rng)
        return state

    def observation(self, state: GameState, player: i64) -> GameState:
        """Return a copy of ``state`` with all that ``player`` cannot know dealt again."""
        self.copies += 1
        self.budget.copies += 1
        return state.observation(player, self.rng)

    def afterstate(self, state: GameState, action: AnyAction) -> GameState | None:
        """Return the position after the player's part of ``action``, before chance: one call and one copy.

        None, at no cost, where the game cannot tell it, or a budget of calls or copies is spent.
        """
        if self.budget.limits_moves and self.budget.left == 0:
            return None
        after: GameState | None = self.model.afterstate(state, action)
        if after is not None:
            self._charge(1)
        return after

    def resolve_chance(self, afterstate: GameState) -> None:
        """Apply the chance part of a move to its `afterstate`, in place; the call is counted there."""
        self.model.resolve_chance(afterstate, self.rng)

    def outcomes(self, state: GameState, action: AnyAction) -> list[tuple[float, GameState]]:
        """Return the positions that ``action`` can lead to, with their probabilities; each costs a call and a copy.

        Where the game has more than `MOST_OUTCOMES`, `DRAWN_OUTCOMES` are drawn, each as likely; `has_sampled` says so. A
        budget of calls or copies with fewer left is spent, and gives none.
        """
        budget = self.budget
        limit: i64 = MOST_OUTCOMES
        if budget.limits_moves and budget.left < limit:
            limit = budget.left
        outcomes = self.model.outcomes(state, action, limit)
        found = outcomes.all()
        self._charge(outcomes.calls)
        self.has_sampled = False
        if len(found) == 0 and limit == MOST_OUTCOMES:
            self.has_sampled = True
            n_drawn: i64 = DRAWN_OUTCOMES
            if budget.limits_moves and budget.left < n_drawn:
                n_drawn = budget.left
            for _draw in range(n_drawn):
                other = state.copy()
                self.model.next(other, action, self.rng)
                found.append((1.0 / float(n_drawn), other))
            self._charge(n_drawn)
        elif len(found) == 0:
            self._charge(budget.left)
        return found

    def _charge(self, moves: i64) -> None:
        """Count calls with a copy each."""
        self.calls += moves
        self.copies += moves
        self.budget.forward_model_calls += moves
        self.budget.copies += moves

    def random_action(self, state: GameState) -> AnyAction:
        """Return one of the available actions, each as likely."""
        return self.model.random_action(state, self.rng)

    def rollout(self, state: GameState, depth: i64) -> None:
        """Play ``state`` on at random, in place, for ``depth`` actions at most, while the budget allows calls."""
        budget = self.budget
        while depth > 0 and not state.is_terminal:
            allowed = budget.calls_until_question(depth)
            if allowed == 0:
                return
            played = self.model.rollout(state, allowed, self.rng)
            self.calls += played
            budget.count_calls(played)
            if played < allowed:
                return
            depth -= played

    def resolve(self, state: GameState, rng: Rng, player: i64 = -1) -> None:
        """Play ``state`` on at random, in place, until simultaneous choices have happened (`GameState.is_unresolved`).

        Draws come from ``rng``. It ends as well where ``player`` has a choice to make. It costs nothing, as an observation
        deals the choices of those who were asked before for nothing: else who is asked first would pay more for the same.
        """
        while state.is_unresolved() and not state.is_terminal:
            actions = self.available_actions(state)
            if state.current_player == player and len(actions) > 1:
                return
            self.model.next(state, actions[rng.below(len(actions))], self.rng)

    def take_back_cost(self) -> None:
        """Take back the cost of a call and its copy: of a choice beside which others still make theirs, as in `resolve`."""
        self._charge(-1)
