"""The game that is checked, its positions, and the base of the checks of games."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any, Final

from tag.check.evidence.deals import Deals, Twin
from tag.check.evidence.moves import deals_anew, hiding_moves
from tag.check.report import Check, Where
from tag.engine.forward_model import ForwardModel
from tag.engine.rng import Rng, derive_seed
from tag.engine.state import GameState

#: Players whose view of a position is examined, and the observations drawn for each.
_VIEWERS: Final = 4
_DRAWN: Final = 2


@dataclass
class GameSubject:
    """The game that is checked.

    Attributes:
        spec: its spec, with the parameters for checks.
        model: its rules.
        counts: the numbers of players to check it with.
        games: how many games to play with the fewest and with the most players.
        seed: the seed of the first game; the next ones follow.
        kept: for each number of players a few positions of random games.
    """

    spec: str
    model: ForwardModel[Any]
    counts: list[int]
    games: int
    seed: int
    kept: dict[int, list[tuple[GameState, Where]]] = field(default_factory=dict)
    _deals: dict[int, Deals] = field(default_factory=dict, init=False)
    _twins: dict[int, tuple[list[Twin], list[Twin]]] = field(default_factory=dict, init=False)

    def where(self, n_players: int, seed: int, tick: int = 0) -> Where:
        """Return a position of the random game with ``seed``."""
        return Where(self.spec, ("random",) * n_players, seed, tick)

    def some_counts(self) -> list[int]:
        """Return the fewest and the largest number of players."""
        return sorted({self.counts[0], self.counts[-1]})

    def deals(self, n_players: int) -> Deals:
        """Return set-ups, dealt when they are first asked for."""
        if n_players not in self._deals:
            seed = derive_seed(self.seed, "deals", n_players)
            self._deals[n_players] = Deals(self.model, n_players, lambda seed: self.where(n_players, seed), seed)
        return self._deals[n_players]

    def twins(self, n_players: int) -> tuple[list[Twin], list[Twin]]:
        """Return the twins of `Deals.twins` from the set-ups and the kept positions; made on the first call."""
        if n_players not in self._twins:
            twins, more = self.deals(n_players).twins(self.kept.get(n_players, []))
            self._twins[n_players] = [*twins, *self._later_twins(n_players)], more
        return self._twins[n_players]

    def _later_twins(self, n_players: int) -> list[Twin]:
        """Return twins among the deals of a move that deals all that is hidden anew, such as one that ends a round."""
        rng = Rng(derive_seed(self.seed, "later", n_players))
        where = partial(self.where, n_players)
        for move in hiding_moves(self.model, self.deals(n_players), where, rng):
            if deals_anew(self.model, move, rng):
                return Deals(self.model, n_players, where, rng.next32(), move).of_move(rng)
        return []


@dataclass
class Position:
    """One position of a random game, for the checks to examine.

    Attributes:
        model: the rules.
        state: the game's own state: to be looked at and copied, never changed.
        where: the game and the tick of the position.
    """

    model: ForwardModel[Any]
    state: GameState
    where: Where
    _drawn: dict[int, list[GameState]] = field(default_factory=dict, init=False)

    def rng(self, purpose: str) -> Rng:
        """Return a stream that depends on the position and on its purpose."""
        return Rng(derive_seed(self.where.seed, self.where.tick, purpose))

    @cached_property
    def players(self) -> list[int]:
        """Return the players whose view is examined: the one to move, and a few others."""
        others = [player for player in range(self.state.n_players) if player != self.state.current_player]
        self.rng("players").shuffle(others)
        return sorted([min(int(self.state.current_player), self.state.n_players - 1), *others[: _VIEWERS - 1]])

    def drawn(self, player: int) -> list[GameState]:
        """Return a few observations of ``player``, to be looked at and never changed."""
        if player not in self._drawn:
            rng = self.rng(f"observation {player}")
            self._drawn[player] = [self.state.observation(player, rng) for _draw in range(_DRAWN)]
        return self._drawn[player]


class GameCheck(Check):
    """One demand on games: it looks at positions, or at the game as a whole."""

    def at(self, position: Position) -> None:
        """Look at one position; called for many positions of every game, the first and the last ones among them."""

    def finish(self, subject: GameSubject) -> None:
        """Look at the game as a whole; called once, after all games."""
