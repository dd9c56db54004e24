"""The nodes of a search tree: slim, and without references upwards, so that a dropped tree is freed at once."""

from __future__ import annotations

from math import sqrt
from typing import final

from mypy_extensions import i64

from tag.engine.action import DO_NOTHING, AnyAction
from tag.engine.rng import Rng
from tag.engine.state import GameState

_NOBODY = -1


# No mypyc_attr(acyclic=True), although nodes are: mypyc 2.4.1 then corrupts memory when a deep tree is freed.
@final
class TreeNode:
    """Statistics of an action after the actions above it, with a child for each action tried after it.

    Attributes:
        action: the action that leads here (`DO_NOTHING` at the root).
        actor: the player who chose it.
        visits: iterations that passed.
        availability: iterations in which the action could have been chosen, since it was first tried.
        total: the sum of the values for ``actor`` in those that passed.
        mean: ``total / visits``, stored because it is read far more often than it changes; ``spread`` too.
        spread: ``1 / sqrt(visits)``.
        bias: the heuristic for ``actor`` just after the action, where it is used.
        children: the nodes of the actions tried after it, by action; None before the first.
        first: the child whose action comes first among the available ones, as a rule.
        following: the sibling whose action comes next, as a rule: selection follows these and looks up exceptions only.
        decider: the player whose decision ``children`` are, -1 while unknown.
        others: nodes for other players who may have to decide here, depending on hidden cards or dice.
        state: the position, set in a closed loop only.
        actions: the available actions of ``state``, once they were needed.
    """

    __slots__ = (
        "action",
        "actions",
        "actor",
        "availability",
        "bias",
        "children",
        "decider",
        "first",
        "following",
        "mean",
        "others",
        "spread",
        "state",
        "total",
        "visits",
    )
    action: AnyAction
    actor: i64
    visits: i64
    availability: i64
    total: float
    mean: float
    spread: float
    bias: float
    children: dict[AnyAction, TreeNode] | None
    first: TreeNode | None
    following: TreeNode | None
    decider: i64
    others: list[TreeNode] | None
    state: GameState
    actions: list[AnyAction] | None

    def __init__(self, action: AnyAction, actor: i64) -> None:
        """Start without visits, available once."""
        self.action = action
        self.actor = actor
        self.visits = 0
        self.availability = 1
        self.total = 0.0
        self.mean = 0.0
        self.spread = 1.0
        self.bias = 0.0
        self.children = None
        self.first = None
        self.following = None
        self.decider = _NOBODY
        self.others = None
        self.actions = None

    def add(self, value: float) -> None:
        """Count a visit that was worth ``value`` to the actor."""
        self.visits += 1
        visits = float(self.visits)
        self.total += value
        self.mean = self.total / visits
        self.spread = 1.0 / sqrt(visits)

    def adopt(self, child: TreeNode, before: TreeNode | None) -> None:
        """Add ``child``, whose action comes after that of ``before``, or first."""
        if self.children is None:
            self.children = {}
        self.children[child.action] = child
        if before is None:
            child.following = self.first
            self.first = child
        else:
            child.following = before.following
            before.following = child

    def decided_by(self, player: i64) -> TreeNode:
        """Return the node under which the decisions of ``player`` are kept: this one for the first who decides here."""
        if self.decider == player:
            return self
        if self.decider == _NOBODY:
            self.decider = player
            return self
        if self.others is None:
            self.others = []
        for other in self.others:
            if other.decider == player:
                other.visits += 1
                return other
        fresh = TreeNode(self.action, self.actor)
        fresh.decider = player
        fresh.visits = 1
        self.others.append(fresh)
        return fresh

    def detach(self) -> None:
        """Drop the references to nodes beside this one, so that they are freed."""
        self.following = None
        self.others = None

    def size(self) -> i64:
        """Return the number of nodes from here down."""
        count: i64 = 0
        stack = [self]
        while stack:
            node = stack.pop()
            count += 1
            if node.children is not None:
                stack.extend(node.children.values())
            if node.others is not None:
                stack.extend(node.others)
        return count


def new_root(player: i64) -> TreeNode:
    """Return a tree of one node, in which ``player`` decides."""
    root = TreeNode(DO_NOTHING, player)
    root.decider = player
    return root


def most_visited(root: TreeNode, actions: list[AnyAction], rng: Rng) -> AnyAction:
    """Return the one of ``actions`` with most visits, then the highest mean value; ties are drawn."""
    return _best(root, actions, True, rng)


def most_valued(root: TreeNode, actions: list[AnyAction], rng: Rng) -> AnyAction:
    """Return the one of ``actions`` with the highest mean value, then most visits; ties are drawn."""
    return _best(root, actions, False, rng)


def _best(root: TreeNode, actions: list[AnyAction], by_visits: bool, rng: Rng) -> AnyAction:
    """Return the best of ``actions`` in both respects; any of them where none was tried."""
    best: list[AnyAction] = []
    best_first = best_second = 0.0
    children = root.children
    for action in actions:
        child = None if children is None else children.get(action)
        if child is None or child.visits == 0:
            continue
        visits = float(child.visits)
        first, second = (visits, child.mean) if by_visits else (child.mean, visits)
        if not best or first > best_first or (first == best_first and second > best_second):
            best = []
            best_first = first
            best_second = second
        if first == best_first and second == best_second:
            best.append(action)
    candidates = best or actions
    return candidates[rng.below(len(candidates))]
