"""Individuals: sequences of a player's own actions, as evolved by RHEA and RMHC."""

from __future__ import annotations

from typing import Final, final

from mypy_extensions import i64

from tag.engine.action import Action, AnyAction, interned
from tag.engine.rng import Rng
from tag.engine.state import GameState


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
        fitness: the result of the last evaluation, greater is better.
        tie: a number drawn by the evaluation, which orders individuals of equal fitness.
    """

    __slots__ = ("fitness", "genes", "tie", "used")
    genes: list[AnyAction]
    used: i64
    fitness: float
    tie: i64

    def __init__(self, genes: list[AnyAction]) -> None:
        """Take the genes; they are repaired in place."""
        self.genes = genes
        self.used = len(genes)
        self.fitness = 0.0
        self.tie = 0

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
