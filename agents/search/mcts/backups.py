"""Back-ups: what the nodes of an iteration learn, from the leaf to the root.

`Backup` mixes the value of an iteration with means that the nodes have, as TAG's MCTS does. `ImplicitMinimax` keeps beside
the means what minimax makes of the heuristic's values.
"""

from __future__ import annotations

from typing import Final, final

from mypy_extensions import i64

from tag.agents.search.mcts.parameters import LAMBDA, MAX_MC, MctsParameters
from tag.agents.search.mcts.tree import TreeNode
from tag.agents.search.mcts.tree_policies import TreePolicy
from tag.engine.snapshot import Copyable
from tag.engine.state import AnyAction

_WORST: Final = -1e300


@final
class PathDecision(Copyable):
    """A decision of an iteration: the node at which it was made, and the actions that were available."""

    __slots__ = ("actions", "node")
    node: TreeNode
    actions: list[AnyAction]

    def __init__(self, node: TreeNode, actions: list[AnyAction]) -> None:
        """Store the two."""
        self.node = node
        self.actions = actions

    def best(self) -> TreeNode | None:
        """Return the child with the highest mean value of those that were available and visited, the first of equals."""
        best: TreeNode | None = None
        for action in self.actions:
            child = self.node.child(action)
            if child is not None and child.visits > 0 and (best is None or child.mean > best.mean):
                best = child
        return best

    def visits(self) -> i64:
        """Return the visits of all actions that were available."""
        total: i64 = 0
        for action in self.actions:
            child = self.node.child(action)
            if child is not None:
                total += child.visits
        return total


@final
class Backup(Copyable):
    """Passes on the value of an iteration, mixed with means of the nodes on its path.

    Each node adds the values that it is given, and passes on (for all players, by the view of who decided there)

    - ``max_mc``: with n visits above the threshold t, (n - t) / n of the best action's mean and t / n of the values, where
      another action was taken (Kozelek 2009, as in TAG); the values elsewhere;
    - ``lambda``: lambda of the values and 1 - lambda of the mean of the action taken, as Sarsa (lambda) would;
    - ``max_lambda``: the same with the mean of the best action, as Q (lambda) would.
    """

    def __init__(self, parameters: MctsParameters, tree_policy: TreePolicy) -> None:
        """Take the parameters; ``tree_policy`` learns what nodes are given."""
        self.is_mean = parameters.backs_up_means()
        self._kind = parameters.backup
        self._threshold = float(parameters.backup_threshold)
        self._lambda = parameters.backup_lambda
        self._policy = tree_policy

    def add(self, path: list[TreeNode], decisions: list[PathDecision], values: list[float]) -> None:
        """Add to the nodes of ``path``, that were chosen at ``decisions``, an iteration worth ``values``, one per player."""
        passed = values
        for index in range(len(path) - 1, -1, -1):
            child = path[index]
            totals = child.totals
            if totals is None:
                totals = [0.0] * len(passed)
                child.totals = totals
            for player in range(len(passed)):
                totals[player] += passed[player]
            if self._policy.learns:
                self._policy.learn([child], passed)
            child.add(passed[child.actor])
            passed = self._passed_on(child, decisions[index], passed)

    def _passed_on(self, child: TreeNode, decision: PathDecision, values: list[float]) -> list[float]:
        share = self._lambda
        other: TreeNode | None = child
        if self._kind != LAMBDA:
            other = decision.best()
        if self._kind == MAX_MC:
            visits = float(decision.visits())
            if other is child or visits <= self._threshold:
                return values
            share = self._threshold / visits
        totals = other.totals if other is not None else None
        if other is None or totals is None:
            return values
        rest = (1.0 - share) / float(other.visits)
        return [share * values[player] + rest * totals[player] for player in range(len(values))]


def back_up_minimax(path: list[TreeNode], decisions: list[PathDecision]) -> None:
    """Set the minimax values of the nodes of ``path`` that have new ones below (Lanctot et al. 2014).

    A node has the heuristic's values until all its actions were tried; from then on those of the best, for who decides.
    """
    for index in range(len(path) - 1, 0, -1):
        decision = decisions[index]
        player = decision.node.decider
        best: list[float] | None = None
        best_value = _WORST
        for action in decision.actions:
            child = decision.node.child(action)
            values = child.minimax if child is not None else None
            if values is None:
                return
            if values[player] > best_value:
                best_value = values[player]
                best = values
        path[index - 1].minimax = best
