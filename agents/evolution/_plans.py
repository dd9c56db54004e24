"""Plans of rolling-horizon evolution, and estimates of how good they are."""

from __future__ import annotations

from typing import Any, Final, final

from mypy_extensions import i64

from tag.engine.rng import Rng
from tag.engine.snapshot import Copyable, reduced
from tag.engine.state import Action, AnyAction, GameState, interned

# --- plans -----------------------------------------------------------------------------------------------------------


class AnyAvailable(Action[GameState]):
    """A gene that is still open: never available itself, so that repair puts a random available action in its place."""

    __slots__ = ()

    def execute(self, state: GameState, rng: Rng) -> None:
        """Change nothing; it is never executed."""

    def __str__(self) -> str:
        """Return the word for people."""
        return "any"


ANY: Final = interned(AnyAvailable())


@final
class Individual:
    """A plan: the actions of the player at its next decisions.

    Attributes:
        genes: one action per decision, as many as the horizon; `ANY` where nothing is planned yet.
        used: how many genes the last evaluation played before the game was over for the player.
        total: the sum of the values that its evaluations found.
        visits: how many evaluations these are.
        fitness: the estimate of its value (`PlanEstimates`), greater is better.
        tie: a number drawn by the evaluation, which orders individuals of equal fitness.
    """

    __slots__ = ("fitness", "genes", "tie", "total", "used", "visits")
    genes: list[AnyAction]
    used: i64
    total: float
    visits: i64
    fitness: float
    tie: i64

    def __init__(self, genes: list[AnyAction]) -> None:
        """Take the genes; they are repaired in place."""
        self.genes = genes
        self.used = len(genes)
        self.total = 0.0
        self.visits = 0
        self.fitness = 0.0
        self.tie = 0

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle by fields."""
        return reduced(self, [])

    def __lt__(self, other: Individual) -> bool:
        """Say whether this one is better, so that sorting puts the best first."""
        if self.fitness != other.fitness:
            return self.fitness > other.fitness
        return self.tie < other.tie


def open_genes(horizon: i64) -> list[AnyAction]:
    """Return the genes of an individual without a plan: repair gives it random actions."""
    genes: list[AnyAction] = [ANY] * horizon
    return genes


def shifted(genes: list[AnyAction]) -> list[AnyAction]:
    """Return ``genes`` without the first, which has been played, and with an open one at the end."""
    return [*genes[1:], ANY]


# --- estimates -------------------------------------------------------------------------------------------------------


@final
class FirstAction:
    """The evaluations of a decision whose plans begin with one action.

    Attributes:
        best: the greatest value that they found.
        total: the sum of their values.
        visits: their number.
    """

    __slots__ = ("best", "total", "visits")

    def __init__(self, value: float) -> None:
        """Count an evaluation of this value."""
        self.best = value
        self.total = value
        self.visits: i64 = 1

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle by fields."""
        return reduced(self, 0.0)

    def add(self, value: float) -> None:
        """Count one more."""
        self.best = max(self.best, value)
        self.total += value
        self.visits += 1


@final
class PlanEstimates(Copyable):
    """Estimates the values of plans from their evaluations in one decision.

    One evaluation of a plan is a sample where chance, hidden information or the others' choices decide as well. Plans that
    were lucky once outlive better ones, the more surely the longer the search: a prize of 1 with probability 0.3 is taken
    instead of 0.6 for sure. So evaluations of similar plans are pooled: with n values of its own and the weight w,

        estimate = (sum of the n values + w m) / (n + w)

    where m is the mean over all evaluations whose plans begin with the same action, and the mean over all evaluations counts
    as one of these. With w = 0 it is the mean of the plan's own values: the thesis's algorithm, which evaluates plans once.

    Attributes:
        by_first: the evaluations by the action that their plans begin with.
    """

    __slots__ = ("_total", "_visits", "_weight", "by_first")

    def __init__(self, weight: float) -> None:
        """Take w, in evaluations."""
        self._weight = weight
        self.by_first: dict[AnyAction, FirstAction] = {}
        self._total = 0.0
        self._visits: i64 = 0

    def start_decision(self) -> None:
        """Forget all evaluations."""
        self.by_first = {}
        self._total = 0.0
        self._visits = 0

    def add(self, plan: Individual, value: float) -> None:
        """Count an evaluation of ``plan``; its fitness is the mean of its own values until it is ranked."""
        plan.total += value
        plan.visits += 1
        plan.fitness = plan.total / float(plan.visits)
        self._total += value
        self._visits += 1
        first = plan.genes[0]
        known = self.by_first.get(first)
        if known is None:
            self.by_first[first] = FirstAction(value)
        else:
            known.add(value)

    def rank(self, plans: list[Individual]) -> None:
        """Set the fitness of ``plans``, which were evaluated, to their estimates by now, and sort them, the best first."""
        weight = self._weight
        if weight > 0.0:
            for plan in plans:
                plan.fitness = (plan.total + weight * self._mean(plan.genes[0])) / (float(plan.visits) + weight)
        plans.sort()

    def _mean(self, first: AnyAction) -> float:
        """Return m, of plans that begin with ``first``."""
        known = self.by_first[first]
        return (known.total + self._total / float(self._visits)) / float(known.visits + 1)

    def value(self, first: AnyAction) -> float | None:
        """Return the value to show for ``first``: m, or without pooling the best of its plans; None without evaluations."""
        known = self.by_first.get(first)
        if known is None:
            return None
        return self._mean(first) if self._weight > 0.0 else known.best

    def visits(self, first: AnyAction) -> int:
        """Return how many evaluations begin with ``first``."""
        known = self.by_first.get(first)
        return 0 if known is None else int(known.visits)
