"""Sequential halving: the choice of actions at the root as that of the best arm of a bandit."""

from __future__ import annotations

from math import ceil, log2, sqrt
from typing import Any, Final, final

from mypy_extensions import i64

from tag.agents.search.mcts.tree import TreeNode
from tag.agents.search.mcts.tree_policies import TreePolicy
from tag.engine.snapshot import Copyable
from tag.engine.state import AnyAction, is_among
from tag.playing.agent import Simulator

#: So many differences have a standard error that tells something.
_FEWEST: Final = 5.0


@final
class Gain(Copyable):
    """The worth of an action beside another, from the differences of their values.

    Attributes:
        count: the differences.
        total: their sum.
        squares: the sum of their squares.
    """

    __slots__ = ("count", "squares", "total")

    def __init__(self) -> None:
        """Start without differences."""
        self.count = 0.0
        self.total = 0.0
        self.squares = 0.0

    def add(self, difference: float) -> None:
        """Add a difference."""
        self.count += 1.0
        self.total += difference
        self.squares += difference * difference

    def exceeds(self, errors: float) -> bool:
        """Say whether the mean difference is above 0 by so many of its standard errors; never with very few differences."""
        if self.count < _FEWEST or self.total <= 0.0:
            return False
        mean = self.total / self.count
        variance = max(self.squares / self.count - mean * mean, 0.0) / (self.count - 1.0)
        return mean > errors * sqrt(variance)


@final
class SequentialHalving(TreePolicy):
    """Visits the actions of the root in turn, and keeps the better half of them in each of several rounds.

    Karnin, Koren and Somekh (2013); as root policy of tree search Pepels, Cazenave, Winands and Lanctot (2014). With n
    actions there are log2(n) rounds, rounded up, and each may cost an equal share of what is left of the budget. A round
    visits all of its actions equally often, once at least. Below the root another policy chooses. Values count as that
    policy estimates them, with its priors.

    With common random numbers, the visits of all actions have the same deals and draws, one sweep after the other, so that
    the actions are compared under the same luck.

    With an adviser, its choice stays in all rounds, and the last one is between it and the best other action. It is final
    unless the other gains by ``errors`` standard errors of the differences, one of each sweep.
    """

    def __init__(self, rest: TreePolicy, sim: Simulator, common: bool, is_advised: bool, errors: float) -> None:
        """Choose below the root by ``rest``; with ``common``, use common random numbers."""
        super().__init__(rest.scale, sim.rng)
        self.learns = rest.learns or is_advised
        self._errors = errors
        self._advice: AnyAction | None = None
        #: The node of the advice; its value in this sweep, if it has one; and what others gain beside it.
        self._advised: TreeNode | None = None
        self._is_compared = False
        self._value = 0.0
        self._gains: dict[TreeNode, Gain] = {}
        self._chosen: TreeNode | None = None
        self._rest = rest
        self._sim = sim
        self._common = common
        self._root: TreeNode | None = None
        #: Draws the order of the actions, and nothing that common random numbers are for.
        self._order = sim.rng
        #: The actions that are left, their next one, and the sweeps over them in this round and in all.
        self._left: list[TreeNode] = []
        self._next: i64 = 0
        self._sweeps: i64 = 0
        self._all_sweeps: i64 = 0
        self._rounds: i64 = 0
        self._allowed = 0.0
        self._at_start = 0.0
        self._stream: i64 = 0

    def advise(self, action: AnyAction) -> None:
        """Take the adviser's choice, before the decision begins."""
        self._advice = action

    def begin_decision(self, root: TreeNode) -> None:
        """Begin with all actions of ``root``."""
        self._root = root
        self._left = []
        self._advised = None
        self._gains = {}
        self._next = 0
        self._all_sweeps = 0
        self._order = self._rng.split()
        if self._common:
            self._stream = self._rng.next32() >> 1

    def begin_iteration(self) -> None:
        """Go to the random numbers of the sweep, before anything is dealt."""
        if self._left and self._next == len(self._left):
            self._end_sweep()
        if self._common:
            self._rng.select(self._stream + self._all_sweeps)

    def choose(self, node: TreeNode, actions: list[Any]) -> TreeNode:
        """Return the child of ``node`` to go to: at the root the next one that is left."""
        if node is not self._root:
            return self._rest.choose(node, actions)
        if not self._left:
            self._left = self._rest.children_of(node, actions)
            self._order.shuffle(self._left)
            self._rounds = ceil(log2(float(max(len(self._left), 2))))
            self._put_advice_first(node)
            self._begin_round()
        child = self._left[self._next]
        self._next += 1
        self._chosen = child
        return child

    def _put_advice_first(self, root: TreeNode) -> None:
        """Have each sweep begin with the advice, and count the round in which only one other action is left."""
        advised = None if self._advice is None else root.child(self._advice)
        if advised is None or advised not in self._left:
            return
        self._advised = advised
        self._left.remove(advised)
        self._rounds = ceil(log2(float(max(len(self._left), 1)))) + 1
        self._left.insert(0, advised)

    def best_child(self, node: TreeNode) -> TreeNode:
        """Return the child to go to when all have been tried."""
        return self._rest.best_child(node) if node is not self._root else self.choose(node, node.actions or [])

    def learn(self, path: list[TreeNode], values: list[float]) -> None:
        """Let the policy below learn, and compare the action at the root with the advice."""
        if self._rest.learns:
            self._rest.learn(path, values)
        if self._advised is None or not path or path[0] is not self._chosen:
            return
        child = path[0]
        value = values[child.actor]
        if child is self._advised:
            self._value = value
            self._is_compared = True
        elif self._is_compared:
            gain = self._gains.get(child)
            if gain is None:
                gain = Gain()
                self._gains[child] = gain
            gain.add(value - self._value)

    def estimate(self, child: TreeNode) -> float:
        """Return the value of ``child`` by the policy below."""
        return self._rest.estimate(child)

    def finalists(self, actions: list[AnyAction]) -> list[AnyAction]:
        """Return the best of the actions that are left, or the advice; all of ``actions`` if none was visited."""
        visited = [child for child in self._left if child.visits > 0]
        if not visited:
            return actions
        if self._advised is not None:
            visited = [child for child in visited if self._gains_enough(child)] or [self._advised]
        best = max([self.estimate(child) for child in visited])
        chosen = [child.action for child in visited if self.estimate(child) == best]
        return [action for action in actions if is_among(action, chosen)] or actions

    def _gains_enough(self, child: TreeNode) -> bool:
        """Say whether an action is clearly better than the advice."""
        gain = self._gains.get(child)
        return gain is not None and gain.exceeds(self._errors)

    # --- rounds -----------------------------------------------------------------------------------------------------

    def _budget_left(self) -> float:
        """Return the rest of the budget, in its units; of time, in seconds."""
        budget = self._sim.budget
        return float(budget.left) if budget.is_deterministic else budget.seconds_left

    def _begin_round(self) -> None:
        self._sweeps = 0
        self._at_start = self._budget_left()
        self._allowed = self._at_start / float(max(self._rounds, 1))

    def _end_sweep(self) -> None:
        """End the round if it cannot pay for another sweep, and keep the better half."""
        self._next = 0
        self._sweeps += 1
        self._all_sweeps += 1
        self._is_compared = False
        spent = self._at_start - self._budget_left()
        first = 0 if self._advised is None else 1
        others = self._left[first:]
        if len(others) <= 1 or spent + spent / float(self._sweeps) <= self._allowed:
            return
        ranked = sorted([(-self.estimate(child), place) for place, child in enumerate(others)])
        self._left = self._left[:first] + [others[place] for _value, place in ranked[: (len(ranked) + 1) // 2]]
        self._rounds -= 1
        self._begin_round()
