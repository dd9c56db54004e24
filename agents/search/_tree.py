"""A search tree and its policy: upper confidence bounds with first-play urgency, progressive widening and progressive bias.

Nodes are slim and have no references upwards, so that a dropped tree is freed at once. UCT is by Kocsis and Szepesvári
(2006); availability counts are by Cowling, Powley and Whitehouse (2012); progressive widening and bias are by Chaslot et
al. (2008).
"""

from __future__ import annotations

from math import log, sqrt
from typing import Any, Final, final

from mypy_extensions import i64

from agents.search._mcts_parameters import ALWAYS_FIRST, MctsParameters
from tag.engine.action import DO_NOTHING, AnyAction
from tag.engine.rng import Rng
from tag.engine.state import GameState

# --- nodes -----------------------------------------------------------------------------------------------------------

_NOBODY: Final = -1
#: So many children are looked through one by one: a dictionary for each node would cost a sixth of a search of tic-tac-toe.
_FEW: Final = 8


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
        n_children: the nodes of actions tried after it.
        first: the one whose action comes first among the available ones, as a rule; None before the first is tried.
        following: the sibling whose action comes next, as a rule: selection follows these and looks up exceptions only.
        by_action: the children by action, once they are too many to look through.
        decider: the player whose decision the children are, -1 while unknown.
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
        "by_action",
        "decider",
        "first",
        "following",
        "mean",
        "n_children",
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
    n_children: i64
    first: TreeNode | None
    following: TreeNode | None
    by_action: dict[AnyAction, TreeNode] | None
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
        self.n_children = 0
        self.first = None
        self.following = None
        self.by_action = None
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
        if before is None:
            child.following = self.first
            self.first = child
        else:
            child.following = before.following
            before.following = child
        self.n_children += 1
        if self.by_action is not None:
            self.by_action[child.action] = child
        elif self.n_children > _FEW:
            self.by_action = {child.action: child for child in self.children()}

    def child(self, action: AnyAction) -> TreeNode | None:
        """Return the child that stands for ``action``, None if it has not been tried."""
        if self.by_action is not None:
            return self.by_action.get(action)
        child = self.first
        while child is not None and child.action is not action:
            child = child.following
        return child

    def children(self) -> list[TreeNode]:
        """Return the nodes of all actions tried after this one."""
        found: list[TreeNode] = []
        child = self.first
        while child is not None:
            found.append(child)
            child = child.following
        return found

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
            stack.extend(node.children())
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
    for action in actions:
        child = root.child(action)
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


# --- the policy ------------------------------------------------------------------------------------------------------

_WORST: Final = -1e300

#: ``sqrt(log(n))`` for small n.
_N_WIDTHS: Final = 4096
_WIDTHS: Final[list[float]] = [0.0, *[sqrt(log(float(n))) for n in range(1, _N_WIDTHS)]]


def _width(n: i64) -> float:
    return _WIDTHS[n] if n < _N_WIDTHS else sqrt(log(float(n)))


@final
class Scale:
    """Range of the values seen by each player; normalised values are mapped from it to 0 … 1.

    Attributes:
        origin: the value that is mapped to 0, per player.
        unit: the factor on differences in value, per player.
    """

    __slots__ = ("_high", "_low", "_n_players", "_normalise", "origin", "unit")
    origin: list[float]
    unit: list[float]
    _low: list[float]
    _high: list[float]
    _n_players: i64
    _normalise: bool

    def __init__(self, n_players: i64, normalise: bool) -> None:
        """Start without values."""
        self._normalise = normalise
        self._n_players = n_players
        self.forget()

    def forget(self) -> None:
        """Start again."""
        n = int(self._n_players)
        self.origin = [0.0] * n
        self.unit = [1.0] * n
        self._low = [-_WORST] * n
        self._high = [_WORST] * n

    def see(self, values: list[float]) -> None:
        """Extend the range by a value per player."""
        if not self._normalise:
            return
        for player in range(len(values)):
            value = values[player]
            if value < self._low[player] or value > self._high[player]:
                self._stretch(player, value)

    def _stretch(self, player: i64, value: float) -> None:
        low = min(self._low[player], value)
        high = max(self._high[player], value)
        self._low[player] = low
        self._high[player] = high
        self.origin[player] = low
        self.unit[player] = 1.0 / (high - low) if high > low else 1.0

    def normal(self, player: i64, value: float) -> float:
        """Return ``value`` on the scale of ``player``."""
        return (value - self.origin[player]) * self.unit[player]


@final
class TreePolicy:
    """Chooses among the available actions of a node.

    Attributes:
        scale: the scale on which values are compared.
    """

    __slots__ = (
        "_bias",
        "_by_availability",
        "_fpu",
        "_k",
        "_rng",
        "_tries_all",
        "_widening",
        "_widening_constant",
        "_widening_exponent",
        "scale",
    )
    scale: Scale
    _k: float
    _fpu: float
    _tries_all: bool
    _bias: float
    _widening: bool
    _widening_constant: float
    _widening_exponent: float
    _by_availability: bool
    _rng: Rng

    def __init__(self, parameters: MctsParameters, scale: Scale, rng: Rng, by_availability: bool) -> None:
        """Take the parameters of the tree policy; ``by_availability`` is for information sets."""
        self.scale = scale
        self._k = parameters.k
        always_first = parameters.fpu >= ALWAYS_FIRST
        self._fpu = -_WORST if always_first else parameters.fpu
        self._tries_all = always_first and not parameters.widening
        self._bias = parameters.progressive_bias
        self._widening = parameters.widening
        self._widening_constant = parameters.widening_constant
        self._widening_exponent = parameters.widening_exponent
        self._by_availability = by_availability
        self._rng = rng

    def choose(self, node: TreeNode, actions: list[Any]) -> TreeNode:
        """Return the child of ``node`` to go to: the one of ``actions`` with the greatest bound, or a new one.

        The bound of a child with mean value q and n visits is ``q + k * sqrt(log(N) / n)``, with q on the `Scale`, plus
        ``progressive_bias * h / (n + 1)``. N is the number of visits of ``node``. In information-set search N is the child's
        availability, as not every action is available in every iteration.
        """
        if node.n_children == 0:
            return self._expand(node, actions, len(actions))
        if self._tries_all and node.n_children < len(actions):
            return self._expand(node, actions, self._count_untried(node, actions))
        origin = self.scale.origin[node.decider]
        unit = self.scale.unit[node.decider]
        k = self._k
        bias = self._bias
        by_availability = self._by_availability
        width = k * _width(node.visits)
        best: TreeNode | None = None
        best_value = _WORST
        untried: i64 = 0
        likely = node.first
        for action in actions:
            child = likely
            if child is None or child.action is not action:
                child = node.child(action)
                if child is None:
                    untried += 1
                    continue
            likely = child.following
            if by_availability:
                count = child.availability
                child.availability = count + 1
                width = k * _width(count)
            value = (child.mean - origin) * unit + width * child.spread
            if bias > 0.0:
                value += bias * (child.bias - origin) * unit / (float(child.visits) + 1.0)
            if value > best_value:
                best_value = value
                best = child
        if best is None or (untried > 0 and best_value < self._fpu and self._may_widen(node, len(actions) - untried)):
            return self._expand(node, actions, untried)
        return best

    def best_child(self, node: TreeNode) -> TreeNode:
        """Return the child of ``node`` with the greatest bound; all have been visited, and their actions are available."""
        origin = self.scale.origin[node.decider]
        unit = self.scale.unit[node.decider]
        width = self._k * _width(node.visits)
        bias = self._bias
        best = child = node.first
        best_value = _WORST
        while child is not None:
            value = (child.mean - origin) * unit + width * child.spread
            if bias > 0.0:
                value += bias * (child.bias - origin) * unit / (float(child.visits) + 1.0)
            if value > best_value:
                best_value = value
                best = child
            child = child.following
        if best is None:
            raise AssertionError("the node has no children")
        return best

    def _count_untried(self, node: TreeNode, actions: list[Any]) -> i64:
        """Return how many of ``actions`` have no child of ``node``; the others were available once more."""
        untried: i64 = 0
        for action in actions:
            child = node.child(action)
            if child is None:
                untried += 1
            else:
                child.availability += 1
        return untried

    def _may_widen(self, node: TreeNode, tried: i64) -> bool:
        """Say whether ``node`` has visits enough for one more action than those ``tried``."""
        if not self._widening:
            return True
        limit: float = self._widening_constant * float(node.visits) ** self._widening_exponent
        return float(tried) < limit

    def _expand(self, node: TreeNode, actions: list[Any], untried: i64) -> TreeNode:
        """Return a new child for one of the ``untried`` ones among ``actions``, each as likely."""
        skip = self._rng.below(untried)
        before: TreeNode | None = None
        for action in actions:
            child = node.child(action)
            if child is not None:
                before = child
            elif skip > 0:
                skip -= 1
            else:
                fresh = TreeNode(action, node.decider)
                node.adopt(fresh, before)
                return fresh
        raise AssertionError("fewer actions are untried than were counted")
