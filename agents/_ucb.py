"""The tree policy: upper confidence bounds with first-play urgency, progressive widening and progressive bias.

UCT is by Kocsis and Szepesvári (2006); availability counts are by Cowling, Powley and Whitehouse (2012); progressive
widening and bias are by Chaslot et al. (2008).
"""

from __future__ import annotations

from math import log, sqrt
from typing import Any, Final, final

from mypy_extensions import i64

from agents._mcts_parameters import ALWAYS_FIRST, MctsParameters
from agents._tree import TreeNode
from tag.engine.action import AnyAction
from tag.engine.rng import Rng

_WORST: Final = -1e300

#: ``sqrt(log(n))`` for small n.
_N_WIDTHS: Final = 4096
_WIDTHS: Final[list[float]] = [0.0, *[sqrt(log(float(n))) for n in range(1, _N_WIDTHS)]]


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
        children = node.children
        if children is None:
            return self._expand(node, actions, len(actions))
        if self._tries_all and len(children) < len(actions):
            return self._expand(node, actions, self._count_untried(children, actions))
        origin = self.scale.origin[node.decider]
        unit = self.scale.unit[node.decider]
        k = self._k
        bias = self._bias
        by_availability = self._by_availability
        width = k * sqrt(log(float(node.visits))) if node.visits > 0 else 0.0
        best: TreeNode | None = None
        best_value = _WORST
        untried: i64 = 0
        likely = node.first
        for action in actions:
            child = likely
            if child is None or child.action is not action:
                child = children.get(action)
                if child is None:
                    untried += 1
                    continue
            likely = child.following
            if by_availability:
                count = child.availability
                child.availability = count + 1
                width = k * (_WIDTHS[count] if count < _N_WIDTHS else sqrt(log(float(count))))
            value = (child.mean - origin) * unit + width * child.spread
            if bias > 0.0:
                value += bias * (child.bias - origin) * unit / (float(child.visits) + 1.0)
            if value > best_value:
                best_value = value
                best = child
        if best is None or (untried > 0 and best_value < self._fpu and self._may_widen(node, len(actions) - untried)):
            return self._expand(node, actions, untried)
        return best

    def _count_untried(self, children: dict[AnyAction, TreeNode], actions: list[AnyAction]) -> i64:
        """Return how many of ``actions`` are not among ``children``; the others were available once more."""
        untried: i64 = 0
        for action in actions:
            child = children.get(action)
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

    def _expand(self, node: TreeNode, actions: list[AnyAction], untried: i64) -> TreeNode:
        """Return a new child for one of the ``untried`` ones among ``actions``, each as likely."""
        children = node.children
        skip = self._rng.below(untried)
        before: TreeNode | None = None
        for action in actions:
            child = None if children is None else children.get(action)
            if child is not None:
                before = child
            elif skip > 0:
                skip -= 1
            else:
                fresh = TreeNode(action, node.decider)
                node.adopt(fresh, before)
                return fresh
        raise AssertionError("fewer actions are untried than were counted")
