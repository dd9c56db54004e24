"""The base of all checks of a game, and the positions they look at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from tag.check.report import Where
from tag.forward_model import ForwardModel
from tag.rng import Rng, derive_seed
from tag.state import GameState


@dataclass
class GameSubject:
    """The game that is checked.

    Attributes:
        spec: its spec.
        model: its rules.
        counts: the numbers of players to check it with.
        games: how many games to play with each number.
        seed: the seed of the first game; the next ones follow.
    """

    spec: str
    model: ForwardModel[Any]
    counts: list[int]
    games: int
    seed: int

    def where(self, n_players: int, seed: int, tick: int = 0) -> Where:
        """Return a position of the random game with ``seed``."""
        return Where(self.spec, ("random",) * n_players, seed, tick)


@dataclass
class Position:
    """One position of a random game, at which the checks look.

    Attributes:
        model: the rules.
        state: the game's own state: to be looked at and copied, never changed.
        where: which one it is.
    """

    model: ForwardModel[Any]
    state: GameState
    where: Where

    def rng(self, purpose: str) -> Rng:
        """Return a stream that depends on the position and on what it is for."""
        return Rng(derive_seed(self.where.seed, self.where.tick, purpose))


class GameCheck:
    """One demand of the contract. It shows a breach by raising `ContractError`, or whatever the game raises.

    Attributes:
        name: the name in reports.
        text: what is asked, in one sentence.
        where: the position a breach is about; set before `at`, and by `finish` where it knows one.
    """

    name: ClassVar[str]
    text: ClassVar[str]

    def __init__(self) -> None:
        self.where: Where | None = None

    def at(self, position: Position) -> None:
        """Look at one position; called for many positions of every game, the first and the last ones among them."""

    def finish(self, subject: GameSubject) -> None:
        """Look at the game as a whole; called once, after all games."""
