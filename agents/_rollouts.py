"""Rollout policies: play after the tree, and for the opponents who are not in it."""

from __future__ import annotations

from math import exp
from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from agents._mcts_parameters import MAST, MctsParameters
from agents._tree import TreeNode
from agents._ucb import Scale
from tag.engine.action import AnyAction
from tag.engine.state import GameState
from tag.playing.agent import Simulator

#: The value of an action never seen, on the scale from 0 to 1: it should be tried.
_UNSEEN: Final = 1.0


@mypyc_attr(allow_interpreted_subclasses=True)
class RolloutPolicy:
    """Plays at random."""

    def __init__(self, sim: Simulator) -> None:
        """Play with the rules, stream and budget of ``sim``."""
        self.sim = sim

    def step(self, state: GameState) -> None:
        """Play one action in ``state``, in place."""
        sim = self.sim
        sim.next(state, sim.random_action(state))

    def play(self, state: GameState, depth: i64) -> None:
        """Play ``state`` on, in place, for ``depth`` actions at most, while the budget allows calls."""
        self.sim.rollout(state, depth)

    def begin_decision(self) -> None:
        """Prepare for a new decision; nothing here."""

    def learn(self, path: list[TreeNode], values: list[float]) -> None:
        """Learn from an iteration that took ``path`` in the tree and was worth ``values``; nothing here."""


@final
class ActionValue:
    """The values of the iterations in which a player took an action: their (discounted) sum and number."""

    __slots__ = ("total", "visits")
    total: float
    visits: float

    def __init__(self) -> None:
        """Start without iterations."""
        self.total = 0.0
        self.visits = 0.0


class MastPolicy(RolloutPolicy):
    """The move-average sampling technique: actions that went well anywhere are played more often.

    Finnsson and Björnsson (2008): the probability of an action is proportional to ``exp(q / temperature)``, q its mean
    value over the tree and the rollouts.
    """

    def __init__(self, sim: Simulator, parameters: MctsParameters, scale: Scale, n_players: i64) -> None:
        """Start with nothing learnt."""
        super().__init__(sim)
        self._gamma = parameters.mast_gamma
        self._temperature = parameters.mast_temperature
        self._scale = scale
        self._tables: list[dict[AnyAction, ActionValue]] = [{} for _player in range(n_players)]
        self._actions: list[AnyAction] = []
        self._players: list[i64] = []

    def begin_decision(self) -> None:
        """Let the learnt values fade."""
        gamma = self._gamma
        for player in range(len(self._tables)):
            if gamma == 0.0:
                self._tables[player] = {}
            for entry in self._tables[player].values():
                entry.total *= gamma
                entry.visits *= gamma

    def step(self, state: GameState) -> None:
        """Play one action and remember it."""
        player = state.current_player
        action = self.choose(state)
        self._actions.append(action)
        self._players.append(player)
        self.sim.next(state, action)

    def play(self, state: GameState, depth: i64) -> None:
        """Play by the action values."""
        budget = self.sim.budget
        is_limited = budget.limits_steps
        while depth > 0 and not state.is_terminal and not (is_limited and budget.is_spent()):
            self.step(state)
            depth -= 1

    def choose(self, state: GameState) -> AnyAction:
        """Draw an action from the Boltzmann distribution over the available ones."""
        actions = self.sim.available_actions(state)
        values = [self.value(state.current_player, action) for action in actions]
        best = max(values)
        weights = [exp((value - best) / self._temperature) for value in values]
        left = self.sim.rng.uniform() * sum(weights)
        for index in range(len(actions)):
            left -= weights[index]
            if left < 0.0:
                return actions[index]
        return actions[-1]

    def value(self, player: i64, action: AnyAction) -> float:
        """Return the mean value of ``action`` for ``player``, on the scale."""
        entry = self._tables[player].get(action)
        if entry is None or entry.visits == 0.0:
            return _UNSEEN
        return self._scale.normal(player, entry.total / entry.visits)

    def learn(self, path: list[TreeNode], values: list[float]) -> None:
        """Add ``values`` to every action of the iteration."""
        for node in path:
            self._add(node.actor, node.action, values)
        for index in range(len(self._actions)):
            self._add(self._players[index], self._actions[index], values)
        self._actions.clear()
        self._players.clear()

    def _add(self, player: i64, action: AnyAction, values: list[float]) -> None:
        table = self._tables[player]
        entry = table.get(action)
        if entry is None:
            entry = ActionValue()
            table[action] = entry
        entry.total += values[player]
        entry.visits += 1.0


def rollout_policy(parameters: MctsParameters, sim: Simulator, scale: Scale, n_players: i64) -> RolloutPolicy:
    """Return the policy that ``parameters`` name."""
    if parameters.rollout_policy == MAST:
        return MastPolicy(sim, parameters, scale, n_players)
    return RolloutPolicy(sim)
