"""A search tree, the final choice among the actions at its root, and the scale of its values.

Nodes are slim and have no references upwards, so that a dropped tree is freed at once.
"""

from __future__ import annotations

from math import sqrt
from typing import Any, Final, final

from mypy_extensions import i64

from tag.engine.rng import Rng, float_sum
from tag.engine.snapshot import Copyable, field_values
from tag.engine.state import DO_NOTHING, AnyAction, GameState

# --- nodes -----------------------------------------------------------------------------------------------------------

#: No player has decided at a node yet, or several have.
_NOBODY: Final = -1
_SEVERAL: Final = -2
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
        squares: the sum of the squares of these values, where the tree policy uses it.
        totals: the sums of the values for all players, where the back-up uses them.
        minimax: the values for all players that minimax makes of the heuristic's, where they are used.
        bias: the value for ``actor`` just after the action, where it is used: by the heuristic, or by that of the priors.
        weight: what the prior probability of the action, or the probability of an outcome of chance, is proportional to.
        prior_unit: the factor on differences between priors of the children, 0 while these are all the same.
        regret: what a mixed policy would have gained by always choosing the action.
        share: the sum of the probabilities with which a mixed policy was to choose it.
        n_children: the nodes of actions tried after it.
        first: the one whose action comes first among the available ones, as a rule; None before the first is tried.
        following: the sibling whose action comes next, as a rule: selection follows these and looks up exceptions only.
        by_action: the children by action, once they are too many to look through.
        decider: the player whose decision the children are, -1 while unknown, -2 if hidden cards or dice decide who it is.
        others: in that case a node for each of them, with the children and the visits in which the player decided; in a tree
            with chance nodes, one for each outcome.
        is_sample: whether ``others`` are outcomes that were drawn, so that there may be more.
        state: the position, set in a closed loop only.
        actions: the available actions of ``state``, once they were needed, without those that are proven lost.
        end: a final position to which perfect play leads from here, once that is proven.
    """

    __slots__ = (
        "action",
        "actions",
        "actor",
        "availability",
        "bias",
        "by_action",
        "decider",
        "end",
        "first",
        "following",
        "is_sample",
        "mean",
        "minimax",
        "n_children",
        "others",
        "prior_unit",
        "regret",
        "share",
        "spread",
        "squares",
        "state",
        "total",
        "totals",
        "visits",
        "weight",
    )
    action: AnyAction
    actor: i64
    visits: i64
    availability: i64
    total: float
    mean: float
    spread: float
    squares: float
    totals: list[float] | None
    minimax: list[float] | None
    bias: float
    weight: float
    prior_unit: float
    regret: float
    share: float
    n_children: i64
    first: TreeNode | None
    following: TreeNode | None
    by_action: dict[AnyAction, TreeNode] | None
    decider: i64
    others: list[TreeNode] | None
    is_sample: bool
    state: GameState
    actions: list[AnyAction] | None
    end: GameState | None

    def __init__(self, action: AnyAction, actor: i64) -> None:
        """Start without visits, available once."""
        self.action = action
        self.actor = actor
        self.visits = 0
        self.availability = 1
        self.total = 0.0
        self.mean = 0.0
        self.spread = 1.0
        self.squares = 0.0
        self.totals = None
        self.minimax = None
        self.bias = 0.0
        self.weight = 1.0
        self.prior_unit = 0.0
        self.regret = 0.0
        self.share = 0.0
        self.n_children = 0
        self.first = None
        self.following = None
        self.by_action = None
        self.decider = _NOBODY
        self.others = None
        self.is_sample = False
        self.actions = None
        self.end = None

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle with the children as a list: a chain of many siblings would nest too deeply."""
        values = field_values(self)
        for name in ("first", "following", "by_action"):
            del values[name]
        return (_node_of, (values, self.children(), self.by_action is not None))

    def add(self, value: float) -> None:
        """Count a visit that was worth ``value`` to the actor."""
        self.visits += 1
        visits = float(self.visits)
        self.total += value
        self.mean = self.total / visits
        self.spread = 1.0 / sqrt(visits)

    def absorb(self, other: TreeNode) -> None:
        """Add the visits of ``other``, which stands for the same action in another tree, and keep it among `others`."""
        self.visits += other.visits
        self.total += other.total
        self.share += other.share
        if self.visits > 0:
            self.mean = self.total / float(self.visits)
        self.decider = _SEVERAL
        others = self.others
        self.others = [other] if others is None else [*others, other]

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
        """Return the node under which the decisions of ``player`` are kept: this one, unless others may decide here too."""
        if self.decider == player:
            return self
        if self.decider == _NOBODY:
            self.decider = player
            return self
        others = self.others
        if others is None:
            others = [self._moved()]
            self.others = others
        for other in others:
            if other.decider == player:
                return other
        fresh = TreeNode(self.action, self.actor)
        fresh.decider = player
        others.append(fresh)
        return fresh

    def _moved(self) -> TreeNode:
        """Return a node that has taken over the children and their visits, as another player may decide here."""
        taker = TreeNode(self.action, self.actor)
        taker.decider = self.decider
        taker.first = self.first
        taker.by_action = self.by_action
        taker.n_children = self.n_children
        taker.prior_unit = self.prior_unit
        for child in self.children():
            taker.visits += child.visits
        self.decider = _SEVERAL
        self.first = None
        self.by_action = None
        self.n_children = 0
        return taker

    def detach(self) -> None:
        """Drop the references to nodes beside this one, so that they are freed."""
        self.following = None
        self.others = None

    def size(self) -> i64:
        """Return the number of nodes from here down that were visited, this one included; those for deciders are none."""
        count: i64 = 1
        stack = [self]
        while stack:
            node = stack.pop()
            below = node.children()
            others = node.others
            if others is not None and node.decider == _SEVERAL:
                for other in others:
                    below += other.children()
            elif others is not None:
                below += others
            for child in below:
                if child.visits > 0:
                    count += 1
            stack.extend(below)
        return count


def _node_of(values: dict[str, Any], children: list[TreeNode], is_by_action: bool) -> TreeNode:
    """Return a node with these fields and children: the inverse of `TreeNode.__reduce__`."""
    node: Any = TreeNode(DO_NOTHING, 0)
    for name, value in values.items():
        setattr(node, name, value)
    before: TreeNode | None = None
    for child in children:
        if before is None:
            node.first = child
        else:
            before.following = child
        before = child
    node.by_action = {child.action: child for child in children} if is_by_action else None
    found: TreeNode = node
    return found


def new_root(player: i64) -> TreeNode:
    """Return a tree of one node, in which ``player`` decides."""
    root = TreeNode(DO_NOTHING, player)
    root.decider = player
    return root


def drawn(actions: list[AnyAction], shares: list[float], rng: Rng) -> AnyAction:
    """Return one of ``actions``, each with a probability proportional to its share; any of them if all shares are 0."""
    total = float_sum(shares)
    if total <= 0.0:
        return actions[rng.below(len(actions))]
    return actions[place_of(shares, rng.uniform() * total)]


def shares_of(weights: list[float]) -> list[float]:
    """Return ``weights`` divided by their sum, equal shares if the sum is 0."""
    total = float_sum(weights)
    n = len(weights)
    return [weight / total for weight in weights] if total > 0.0 else [1.0 / float(n)] * n


def place_of(weights: list[float], point: float) -> i64:
    """Return the index at which the running sum of ``weights`` exceeds ``point``, the last positive one at most."""
    last: i64 = 0
    for index in range(len(weights)):
        weight = weights[index]
        if weight > 0.0:
            last = index
            point -= weight
            if point < 0.0:
                return index
    return last


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


# --- values ------------------------------------------------------------------------------------------------------------

_WORST: Final = -1e300
#: A range of less counts as none: the inverse of a denormal number is infinite, and bounds with it are no numbers.
_LEAST_RANGE: Final = 1e-300


@final
class Scale(Copyable):
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
        self.unit[player] = 1.0 / (high - low) if high - low > _LEAST_RANGE else 1.0

    def see_one(self, player: i64, value: float) -> None:
        """Extend the range of one player by ``value``."""
        if self._normalise and (value < self._low[player] or value > self._high[player]):
            self._stretch(player, value)

    def normal(self, player: i64, value: float) -> float:
        """Return ``value`` on the scale of ``player``."""
        return (value - self.origin[player]) * self.unit[player]
