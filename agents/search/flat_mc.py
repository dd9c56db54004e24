"""Flat Monte Carlo: random play after each action, without a tree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import log, sqrt
from typing import Final

from mypy_extensions import i64

from tag.catalogue.registry import make_heuristic
from tag.engine.parameters import choice, integer, real
from tag.engine.snapshot import Copyable
from tag.engine.state import AnyAction, GameState
from tag.engine.values import StateHeuristic
from tag.playing.agent import Agent, SearchParameters
from tag.playing.search_tree import SearchNode, valued_actions

_EVEN: Final = "even"
_UCB: Final = "ucb"
_LOWEST: Final = -1e300


@dataclass
class FlatMcParameters(SearchParameters):
    """Parameters of flat Monte Carlo."""

    rollout_length: int = integer(
        1_000_000, 0, 1_000_000, "actions played after the first; the maximum means until the end", log=True
    )
    allocation: str = choice(_EVEN, (_EVEN, _UCB), "rollouts per action: as many for each, or by UCB1")
    k: float = real(1.0, 0.001, 100.0, "weight of exploration in UCB", log=True, active_if=("allocation", (_UCB,)))
    votes: int = integer(1, 1, 100, "independent estimates, each of which votes for its best action", log=True)


class FlatMc(Agent):
    """Plays the action after which random play went best on average.

    Each rollout has a deal of the hidden information of its own. Simultaneous choices have happened where its length begins
    to count and where it is valued. With a heuristic of afterstates it ends before the chance of its last action.

    With several votes, the rollouts are divided, each part votes for the action with its greatest mean, and the mean over
    all rollouts breaks ties; else ties are drawn.
    """

    parameters_class = FlatMcParameters
    _heuristic: StateHeuristic

    def __init__(self, parameters: FlatMcParameters | None = None) -> None:
        """Take the parameters, or the defaults."""
        chosen = FlatMcParameters() if parameters is None else parameters
        super().__init__(chosen)
        self._given_heuristic = make_heuristic(chosen.heuristic)
        self._rollout_length: i64 = chosen.rollout_length
        self._uses_ucb = chosen.allocation == _UCB
        self._k = chosen.k
        self._n_parts: i64 = chosen.votes
        self._of_afterstates = False
        self._parts: list[Estimates] = []
        self._actions: list[AnyAction] = []
        self._choice: AnyAction | None = None
        self._rollouts: i64 = 0

    def use_heuristic(self, heuristic: StateHeuristic) -> None:
        """Value positions by ``heuristic`` from the next game on."""
        self._given_heuristic = heuristic

    def start_game(self, observation: GameState) -> None:
        """Prepare for a new game."""
        self._heuristic = self._given_heuristic.of(self.sim.model)
        self._of_afterstates = self._heuristic.is_of_afterstates() and self.sim.model.game_type.chance

    def act(self, observation: GameState, actions: list[AnyAction]) -> AnyAction:
        """Roll out until the budget is spent and return the best of ``actions``.

        >>> from tag import Game, make_agent, make_game
        >>> agents = [make_agent("flat_mc:budget=200"), make_agent("random")]
        >>> state = Game(make_game("tic_tac_toe"), agents, seed=1).play()
        >>> [int(state.ordinal(player)) for player in range(2)]
        [1, 2]
        """
        sim = self.sim
        sim.rng.shuffle(actions)
        n = len(actions)
        self._actions = actions
        self._parts = [Estimates(n) for _part in range(self._n_parts)]
        self._rollouts = 0
        while not sim.budget.is_spent():
            part = self._parts[self._rollouts % self._n_parts]
            index = part.most_promising(self._k) if self._uses_ucb else part.least_visited()
            part.add(index, self._value_after(observation, actions[index]))
            sim.budget.iterations += 1
            self._rollouts += 1
        votes = [0.0] * n
        for part in self._parts:
            if part.n_visits > 0.0:
                votes[part.best()] += 1.0
        total = self._total()
        best: i64 = 0
        for index in range(n):
            if votes[index] > votes[best] or (votes[index] == votes[best] and total.mean(index) > total.mean(best)):
                best = index
        self._choice = actions[best]
        return actions[best]

    def _value_after(self, observation: GameState, action: AnyAction) -> float:
        sim = self.sim
        hides = sim.model.game_type.hidden_information
        state = sim.observation(observation, self.player) if hides else sim.copy(observation)
        if not (sim.budget.limits_steps and sim.budget.is_spent()):
            state = self._rolled_out(state, action)
        return self._heuristic.value(state, self.player)

    def _rolled_out(self, state: GameState, action: AnyAction) -> GameState:
        """Return the position after ``action`` and random play; with a heuristic of afterstates, before the last chance."""
        sim = self.sim
        length = self._rollout_length
        if not self._of_afterstates:
            sim.next(state, action)
            sim.resolve(state, sim.rng)
            sim.rollout(state, length)
            sim.resolve(state, sim.rng)
            return state
        if sim.budget.most_calls >= 0:
            length = min(length, sim.budget.left - 1)
        if length > 0:
            sim.next(state, action)
            sim.rollout(state, length - 1)
            if state.is_terminal:
                return state
            action = sim.random_action(state)
        after = sim.afterstate(state, action)
        if after is not None:
            return after
        sim.next(state, action)
        return state

    def _total(self) -> Estimates:
        total = Estimates(len(self._actions))
        for part in self._parts:
            for index in range(len(part.visits)):
                total.visits[index] += part.visits[index]
                total.totals[index] += part.totals[index]
        return total

    def statistics(self) -> Mapping[str, object]:
        """Return the figures of the last decision: rollouts, calls, copies, and the visits and mean value of each action."""
        budget = self.sim.budget
        total = self._total()
        return {
            "rollouts": int(self._rollouts),
            "forward_model_calls": int(budget.forward_model_calls),
            "copies": int(budget.copies),
            "actions": [
                {
                    "action": str(action),
                    "value": total.mean(index) if total.visits[index] > 0.0 else None,
                    "visits": int(total.visits[index]),
                }
                for index, action in enumerate(self._actions)
            ],
        }

    def search_tree(self, least_visits: int = 1, most_nodes: int = 2000) -> SearchNode | None:
        """Return the actions of the last decision, with their visits and mean values."""
        if self._choice is None:
            return None
        total = self._total()
        visits: list[int | None] = [int(count) for count in total.visits]
        values = [total.mean(index) if total.visits[index] > 0.0 else None for index in range(len(total.visits))]
        return valued_actions(self.player, self._choice, self._actions, values, visits)


class Estimates(Copyable):
    """Sums and numbers of the values of some actions, and the range of all values."""

    def __init__(self, n: i64) -> None:
        """Start without values of ``n`` actions."""
        self.totals = [0.0] * n
        self.visits = [0.0] * n
        self.n_visits = 0.0
        self.low = -_LOWEST
        self.high = _LOWEST

    def add(self, index: i64, value: float) -> None:
        """Add a value of the action with this index."""
        self.totals[index] += value
        self.visits[index] += 1.0
        self.n_visits += 1.0
        self.low = min(self.low, value)
        self.high = max(self.high, value)

    def mean(self, index: i64) -> float:
        """Return the mean value of an action; the lowest number without values."""
        visits = self.visits[index]
        return self.totals[index] / visits if visits > 0.0 else _LOWEST

    def least_visited(self) -> i64:
        """Return the first of the actions with the fewest values."""
        least: i64 = 0
        for index in range(len(self.visits)):
            if self.visits[index] < self.visits[least]:
                least = index
        return least

    def most_promising(self, k: float) -> i64:
        """Return the action with the greatest bound (UCB1, values scaled to 0 … 1), those without values first."""
        least = self.least_visited()
        if self.visits[least] == 0.0:
            return least
        scale = 1.0 / (self.high - self.low) if self.high > self.low else 1.0
        width = log(self.n_visits)
        best: i64 = 0
        best_bound = _LOWEST
        for index in range(len(self.visits)):
            bound = (self.mean(index) - self.low) * scale + k * sqrt(width / self.visits[index])
            if bound > best_bound:
                best_bound = bound
                best = index
        return best

    def best(self) -> i64:
        """Return the first of the actions with the greatest mean."""
        best: i64 = 0
        for index in range(len(self.visits)):
            if self.mean(index) > self.mean(best):
                best = index
        return best
