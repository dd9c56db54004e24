"""Tree policies: the choice among the actions of a node.

UCT with UCB1 is by Kocsis and Szepesvári (2006); availability counts are by Cowling, Powley and Whitehouse (2012);
progressive widening and bias are by Chaslot et al. (2008).
"""

from __future__ import annotations

from math import exp, log, sqrt
from typing import Any, Final, final

from mypy_extensions import i64

from tag.agents.search.mcts.parameters import (
    ALWAYS_FIRST,
    EXP3,
    GREEDY,
    NO_PRIORS,
    ONE,
    PUCT,
    REGRET_MATCHING,
    UCB_TUNED,
    UNIFORM,
    MctsParameters,
)
from tag.agents.search.mcts.tree import Scale, TreeNode, place_of, shares_of
from tag.engine.rng import Rng
from tag.engine.snapshot import Copyable, reduced
from tag.engine.state import AnyAction

_WORST: Final = -1e300

#: ``sqrt(log(n))`` for small n.
_N_WIDTHS: Final = 4096
_WIDTHS: Final[list[float]] = [0.0, *[sqrt(log(float(n))) for n in range(1, _N_WIDTHS)]]
_SQRT_2: Final = sqrt(2.0)


def _width(n: i64) -> float:
    return _WIDTHS[n] if n < _N_WIDTHS else sqrt(log(float(n)))


class TreePolicy(Copyable):
    """Chooses among the available actions of a node.

    Attributes:
        scale: the scale on which values are compared.
        learns: whether `learn` does anything.
    """

    def __init__(self, scale: Scale, rng: Rng) -> None:
        """Compare values on ``scale`` and draw from ``rng``."""
        self.scale = scale
        self.learns = False
        self._rng = rng

    def choose(self, node: TreeNode, actions: list[Any]) -> TreeNode:
        """Return the child of ``node`` to go to, an old or a new one; it stands for one of ``actions``."""
        raise NotImplementedError

    def best_child(self, node: TreeNode) -> TreeNode:
        """Return the child to go to when all have been tried, and their actions are available."""
        actions = node.actions
        if actions is None:
            raise AssertionError("the node keeps no actions")
        return self.choose(node, actions)

    def advise(self, action: AnyAction) -> None:
        """Take the choice of an adviser for the next decision; nothing here."""

    def begin_decision(self, root: TreeNode) -> None:
        """Prepare for the search of a decision at ``root``; nothing here."""

    def begin_iteration(self) -> None:
        """Prepare for an iteration; nothing here."""

    def learn(self, path: list[TreeNode], values: list[float]) -> None:
        """Learn from an iteration in which the nodes of ``path`` were chosen and the players got ``values``."""

    def estimate(self, child: TreeNode) -> float:
        """Return the value of ``child`` for its actor; without visits, the lowest."""
        return child.mean if child.visits > 0 else _WORST

    def finalists(self, actions: list[AnyAction]) -> list[AnyAction]:
        """Return the candidates for the final choice: all of ``actions``."""
        return actions

    def share(self, child: TreeNode) -> float:
        """Return the weight of ``child`` in the average policy: its visits."""
        return float(child.visits)

    def children_of(self, node: TreeNode, actions: list[Any]) -> list[TreeNode]:
        """Return the children of ``node`` for ``actions``, in order, with new ones for those not tried yet."""
        found: list[TreeNode] = []
        before: TreeNode | None = None
        likely = node.first
        for action in actions:
            child = likely
            if child is None or child.action is not action:
                child = node.child(action)
                if child is None:
                    child = TreeNode(action, node.decider)
                    node.adopt(child, before)
            likely = child.following
            before = child
            found.append(child)
        return found


# --- upper confidence bounds -----------------------------------------------------------------------------------------


class Ucb1(TreePolicy):
    """Chooses the greatest upper confidence bound by UCB1 (Auer, Cesa-Bianchi and Fischer 2002)."""

    def __init__(self, parameters: MctsParameters, scale: Scale, rng: Rng, by_availability: bool) -> None:
        """Take the parameters of the bounds; ``by_availability`` is for information sets."""
        super().__init__(scale, rng)
        self._k = parameters.k
        always_first = parameters.fpu >= ALWAYS_FIRST
        self._fpu = -_WORST if always_first else parameters.fpu
        self._tries_all = always_first and not parameters.widening
        self._bias = parameters.progressive_bias
        self._minimax = parameters.implicit_minimax
        self._widening = parameters.widening
        self._widening_constant = parameters.widening_constant
        self._widening_exponent = parameters.widening_exponent
        self._by_availability = by_availability

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
        by_availability = self._by_availability
        width = _width(node.visits)
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
                width = _width(child.availability)
                child.availability += 1
            value = self.bound(child, width, origin, unit)
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
        width = _width(node.visits)
        best = child = node.first
        best_value = _WORST
        while child is not None:
            value = self.bound(child, width, origin, unit)
            if value > best_value:
                best_value = value
                best = child
            child = child.following
        if best is None:
            raise AssertionError("the node has no children")
        return best

    def bound(self, child: TreeNode, width: float, origin: float, unit: float) -> float:
        """Return the bound of a visited child: ``width`` is ``sqrt(log(N))``, the rest its actor's `Scale`."""
        mean = child.mean if self._minimax == 0.0 else with_minimax(child, child.mean, self._minimax)
        value = (mean - origin) * unit + self._k * width * child.spread
        if self._bias > 0.0:
            value += self._bias * (child.bias - origin) * unit / (float(child.visits) + 1.0)
        return value

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


@final
class UcbTuned(Ucb1):
    """Chooses the greatest bound by UCB1-tuned, in which actions of little variance are explored less.

    The bound of a child with n visits is ``q + k * sqrt(log(N) / n * min(1/4, v))``, where v is the variance of its values
    on the scale from 0 to 1 plus ``sqrt(2 * log(N) / n)`` (Auer, Cesa-Bianchi and Fischer 2002).
    """

    def __init__(self, parameters: MctsParameters, scale: Scale, rng: Rng, by_availability: bool) -> None:
        """Take the parameters of the bounds; ``by_availability`` is for information sets."""
        super().__init__(parameters, scale, rng, by_availability)
        self.learns = True

    def bound(self, child: TreeNode, width: float, origin: float, unit: float) -> float:
        """Return the bound of a visited child, with a smaller width if its values vary little."""
        squares = child.squares / float(child.visits) - child.mean * child.mean
        variance = max(squares, 0.0) * unit * unit + _SQRT_2 * width * child.spread
        return super().bound(child, width * sqrt(min(0.25, variance)), origin, unit)

    def learn(self, path: list[TreeNode], values: list[float]) -> None:
        """Add the squares of the values."""
        for node in path:
            value = values[node.actor]
            node.squares += value * value


@final
class Greedy(Ucb1):
    """Chooses the greatest mean value once all actions were tried, but for a share of random choices."""

    def __init__(self, parameters: MctsParameters, scale: Scale, rng: Rng, by_availability: bool) -> None:
        """Take the share of random choices; nothing else bounds what is tried."""
        super().__init__(MctsParameters(implicit_minimax=parameters.implicit_minimax), scale, rng, by_availability)
        self._k = 0.0
        self._exploration = parameters.exploration

    def choose(self, node: TreeNode, actions: list[Any]) -> TreeNode:
        """Return the child of ``node`` to go to, an old or a new one."""
        if self._rng.uniform() < self._exploration:
            return self.children_of(node, actions)[self._rng.below(len(actions))]
        return super().choose(node, actions)

    def best_child(self, node: TreeNode) -> TreeNode:
        """Return the child of ``node`` to go to; all have been tried, and their actions are available."""
        if self._rng.uniform() < self._exploration:
            return node.children()[self._rng.below(node.n_children)]
        return super().best_child(node)


@final
class Uniform(TreePolicy):
    """Chooses each action as likely."""

    def choose(self, node: TreeNode, actions: list[Any]) -> TreeNode:
        """Draw a child of ``node``, an old or a new one."""
        return self.children_of(node, actions)[self._rng.below(len(actions))]


def with_minimax(child: TreeNode, mean: float, share: float) -> float:
    """Return the ``mean`` value of ``child`` mixed with a ``share`` of its implicit minimax value, once it has one."""
    values = child.minimax
    return mean if values is None else (1.0 - share) * mean + share * values[child.actor]


@final
class Puct(TreePolicy):
    """Chooses the greatest ``q + k * p * sqrt(N) / (n + 1)``, with p the prior probability of the action, or 1.

    N is the number of visits of all available children. PUCT is by Rosin (2011), in the form of Silver et al. (2017). The
    weights of priors are set by the search; without, all are alike, and an action without visits has the mean value of those
    with visits. With priors, the value just after the action counts in q as ``prior_visits`` visits, after Gelly and Silver
    (2007). It is taken to be on the scale of the heuristic. Ties are drawn.
    """

    def __init__(self, parameters: MctsParameters, scale: Scale, rng: Rng) -> None:
        """Take the weights of exploration and of priors."""
        super().__init__(scale, rng)
        self._k = parameters.k
        self._prior_visits = 0.0 if parameters.priors == NO_PRIORS else parameters.prior_visits
        self._weighs_ones = parameters.prior_weight == ONE
        self._minimax = parameters.implicit_minimax

    def choose(self, node: TreeNode, actions: list[Any]) -> TreeNode:
        """Return the child with the greatest bound, an old or a new one."""
        return self._greatest(node, self.children_of(node, actions))

    def best_child(self, node: TreeNode) -> TreeNode:
        """Return the child with the greatest bound when there is one for each action."""
        return self._greatest(node, node.children())

    def estimate(self, child: TreeNode) -> float:
        """Return the mean value, in which the prior counts as some visits."""
        if self._prior_visits == 0.0:
            return super().estimate(child)
        return (child.total + self._prior_visits * child.bias) / (float(child.visits) + self._prior_visits)

    def _greatest(self, node: TreeNode, children: list[TreeNode]) -> TreeNode:
        weights = total = visits = 0.0
        for child in children:
            weights += child.weight
            total += child.total
            visits += float(child.visits)
        origin = self.scale.origin[node.decider]
        unit = self.scale.unit[node.decider]
        prior_visits = self._prior_visits
        untried = total / visits if visits > 0.0 else origin
        weighs_ones = self._weighs_ones
        width = self._k * sqrt(max(visits, 1.0)) / (1.0 if weighs_ones else weights)
        best = children[0]
        best_value = _WORST
        ties: i64 = 1
        for child in children:
            if prior_visits > 0.0:
                mean = (child.total + prior_visits * child.bias) / (float(child.visits) + prior_visits)
            else:
                mean = child.mean if child.visits > 0 else untried
            if self._minimax > 0.0:
                mean = with_minimax(child, mean, self._minimax)
            weight = 1.0 if weighs_ones else child.weight
            value = (mean - origin) * unit + width * weight / (float(child.visits) + 1.0)
            if value > best_value:
                best_value = value
                best = child
                ties = 1
            elif value == best_value:
                ties += 1
                if self._rng.below(ties) == 0:
                    best = child
        return best


# --- mixed policies --------------------------------------------------------------------------------------------------

#: The greatest exponent of a weight that is a power of e: a sum of many is still a number.
_LARGEST_EXPONENT: Final = 300.0
_MIDDLE: Final = 0.5


@final
class Offer:
    """A choice of a mixed policy: the children that were available, their probabilities, and the one that was drawn.

    Attributes:
        children: the available children.
        shares: their probabilities without exploration.
        chosen: the index of the one that was drawn.
        probability: its probability with exploration.
    """

    __slots__ = ("children", "chosen", "probability", "shares")

    def __init__(self, children: list[TreeNode], shares: list[float], chosen: i64, probability: float) -> None:
        """Store the values."""
        self.children = children
        self.shares = shares
        self.chosen: i64 = chosen
        self.probability = probability

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle by fields."""
        return reduced(self, [], [], 0, 0.0)


class MixedPolicy(TreePolicy):
    """Draws actions by probabilities that follow from regrets, with a share of uniform draws.

    Values are on the scale from 0 to 1. Only the action drawn has a value in an iteration; divided by its probability, it is
    right on average. In two-player zero-sum games the average of the policy approaches an equilibrium, where the last policy
    may not, if all that is hidden are choices below the root. The average leaves out the uniform draws, which the other
    player meets nevertheless: that shifts it a little.
    """

    def __init__(self, parameters: MctsParameters, scale: Scale, rng: Rng) -> None:
        """Take the share of uniform draws."""
        super().__init__(scale, rng)
        self.learns = True
        self._exploration = parameters.exploration
        #: The choices of this iteration, from the root down.
        self._offers: list[Offer] = []

    def choose(self, node: TreeNode, actions: list[Any]) -> TreeNode:
        """Draw a child, and add the policy to the average."""
        children = self.children_of(node, actions)
        shares = self.policy(children)
        uniform = self._exploration / float(len(children))
        kept = 1.0 - self._exploration
        probabilities: list[float] = []
        for index in range(len(children)):
            children[index].share += shares[index]
            probabilities.append(kept * shares[index] + uniform)
        chosen = place_of(probabilities, self._rng.uniform())
        self._offers.append(Offer(children, shares, chosen, probabilities[chosen]))
        return children[chosen]

    def learn(self, path: list[TreeNode], values: list[float]) -> None:
        """Add to the regrets."""
        for index in range(len(path)):
            player = path[index].actor
            self.regret(self._offers[index], self.scale.normal(player, values[player]))
        self._offers.clear()

    def share(self, child: TreeNode) -> float:
        """Return the sum of the probabilities of ``child``."""
        return child.share

    def policy(self, children: list[TreeNode]) -> list[float]:
        """Return the probability of each of ``children`` without exploration."""
        raise NotImplementedError

    def regret(self, offer: Offer, value: float) -> None:
        """Add to the regrets of the children after a choice that brought ``value``."""
        raise NotImplementedError


@final
class Exp3(MixedPolicy):
    """Draws by EXP3 (Auer, Cesa-Bianchi, Freund and Schapire 2002), of which ``exploration`` is gamma.

    Probabilities are proportional to ``exp(gamma * R / K)``, for K actions. R is the sum of the estimated values, less that
    of the values obtained while the action was available: this makes a difference only where not all are always available.
    """

    def policy(self, children: list[TreeNode]) -> list[float]:
        """Return powers of e, scaled to a sum of 1."""
        rate = self._exploration / float(len(children))
        best = max([child.regret for child in children])
        return shares_of([exp(max(rate * (child.regret - best), -_LARGEST_EXPONENT)) for child in children])

    def regret(self, offer: Offer, value: float) -> None:
        """Add the value, divided by its probability, to what was chosen, and take it from all."""
        for child in offer.children:
            child.regret -= value
        offer.children[offer.chosen].regret += value / offer.probability


@final
class RegretMatching(MixedPolicy):
    """Draws in proportion to positive regrets, uniformly where there are none (Hart and Mas-Colell 2000, 2001).

    The value of each action is estimated by its mean, corrected where it was chosen: this leaves the estimate right on
    average, with less variance than a value of 0 elsewhere (Schmid et al. 2019).
    """

    def policy(self, children: list[TreeNode]) -> list[float]:
        """Return the positive regrets, scaled to a sum of 1."""
        return shares_of([max(child.regret, 0.0) for child in children])

    def regret(self, offer: Offer, value: float) -> None:
        """Add the estimated value of each child less that of the policy."""
        children = offer.children
        values = [self._estimate(child) for child in children]
        values[offer.chosen] += (value - values[offer.chosen]) / offer.probability
        obtained = 0.0
        for index in range(len(children)):
            obtained += offer.shares[index] * values[index]
        for index in range(len(children)):
            children[index].regret += values[index] - obtained

    def _estimate(self, child: TreeNode) -> float:
        """Return the mean value before this iteration; without visits, the middle of the scale."""
        return self.scale.normal(child.actor, child.mean) if child.visits > 0 else _MIDDLE


def new_tree_policy(parameters: MctsParameters, scale: Scale, rng: Rng, by_availability: bool) -> TreePolicy:
    """Return the policy that ``parameters`` name; ``by_availability`` is for information sets."""
    name = parameters.tree_policy
    if name == PUCT:
        return Puct(parameters, scale, rng)
    if name == EXP3:
        return Exp3(parameters, scale, rng)
    if name == REGRET_MATCHING:
        return RegretMatching(parameters, scale, rng)
    if name == UNIFORM:
        return Uniform(scale, rng)
    if name == GREEDY:
        return Greedy(parameters, scale, rng, by_availability)
    if name == UCB_TUNED:
        return UcbTuned(parameters, scale, rng, by_availability)
    return Ucb1(parameters, scale, rng, by_availability)
