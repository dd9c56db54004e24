"""State heuristics: values of a position for a player, for search to maximise.

The generic ones are here, by name. A game adds its own, with weights as parameters, as ``<Game>Heuristic`` in its module
(``mcts:heuristic=(love_letter:affection=0.5)``); any others are named by path.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Final

from mypy_extensions import i64, mypyc_attr

from tag.engine.forward_model import ForwardModel
from tag.engine.parameters import Parameters, real
from tag.engine.results import DRAW, WIN
from tag.engine.snapshot import Copyable
from tag.engine.state import GameState


@mypyc_attr(allow_interpreted_subclasses=True)
class StateHeuristic(Copyable):
    """Values a position for a player; greater is better, finished games are at the ends of the range.

    Attributes:
        parameters_class: the class of the heuristic's parameters.
    """

    parameters_class: ClassVar[type[Parameters]] = Parameters

    def __init__(self, parameters: Parameters | None = None) -> None:
        """Take the parameters, or the defaults."""
        self.parameters: Parameters = self.parameters_class() if parameters is None else parameters

    def check_game(self, model: ForwardModel[Any], n_players: int) -> None:
        """Raise `ParameterError` if it is not for this game with so many players; it is for all by default."""

    def is_of_afterstates(self) -> bool:
        """Say whether it is for positions after a player's move and before any chance; searches ask it there then."""
        return False

    def value(self, state: GameState, player: i64) -> float:
        """Return how good ``state`` is for ``player``."""
        raise NotImplementedError

    def value_all(self, state: GameState, values: list[float]) -> None:
        """Set ``values`` to how good ``state`` is for each player; overridden where players share the work."""
        for player in range(len(values)):
            values[player] = self.value(state, player)


@mypyc_attr(allow_interpreted_subclasses=True)
class JointHeuristic(StateHeuristic):
    """Values all players together, as they are compared or share the work; results are the values at the end of the game.

    A subclass sets the values of a game that goes on (`_value_players`).
    """

    def value(self, state: GameState, player: i64) -> float:
        """Return the value for ``player`` out of those of all."""
        values = [0.0] * int(state.n_players)
        self.value_all(state, values)
        return values[player]

    def value_all(self, state: GameState, values: list[float]) -> None:
        """Set ``values`` to the results at the end of the game, and as the subclass does before."""
        if not state.is_terminal:
            self._value_players(state, values)
            return
        for player in range(state.n_players):
            values[player] = state.result_value(player)

    def _value_players(self, state: GameState, values: list[float]) -> None:
        """Set ``values`` to how good ``state``, in which the game goes on, is for each player."""
        raise NotImplementedError


class GameHeuristic(StateHeuristic):
    """The game's own (`GameState.heuristic`), in [-1, 1]."""

    def value(self, state: GameState, player: i64) -> float:
        """Ask the game."""
        return state.heuristic(player)

    def value_all(self, state: GameState, values: list[float]) -> None:
        """Ask the game."""
        state.heuristic_all(values)


class NullHeuristic(StateHeuristic):
    """0 for every position: MCTS with it has no `priors`."""

    def value(self, state: GameState, player: i64) -> float:
        """Tell no position from another."""
        return 0.0


class WinHeuristic(StateHeuristic):
    """1 for a win, 0 for a loss, 0.5 for a draw and while the game goes on."""

    def value(self, state: GameState, player: i64) -> float:
        """Look at the result only."""
        return 0.5 + 0.5 * state.result_value(player)


class ScoreHeuristic(StateHeuristic):
    """The game's points."""

    def value(self, state: GameState, player: i64) -> float:
        """Return the score."""
        return state.score(player)


@dataclass
class ScoreWinParameters(Parameters):
    """The bonus of `ScoreWinHeuristic`."""

    bonus: float = real(10.0, 0.0, 10_000.0, "points that a win is worth; a draw is worth half, a loss costs as much")


class ScoreWinHeuristic(StateHeuristic):
    """The game's points, and a bonus at the end of the game."""

    parameters_class = ScoreWinParameters

    def __init__(self, parameters: ScoreWinParameters | None = None) -> None:
        """Take the bonus."""
        chosen = ScoreWinParameters() if parameters is None else parameters
        super().__init__(chosen)
        self.bonus = chosen.bonus

    def value(self, state: GameState, player: i64) -> float:
        """Add the bonus to the score."""
        points = state.score(player)
        if not state.is_terminal:
            return points
        result = state.result(player)
        if result == WIN:
            return points + self.bonus
        return points + 0.5 * self.bonus if result == DRAW else points - self.bonus


class LeaderHeuristic(StateHeuristic):
    """The margin in points over the best opponent (behind: negative)."""

    def value(self, state: GameState, player: i64) -> float:
        """Compare with the best of the other teams."""
        mine = state.score(player)
        team = state.team(player)
        best = 0.0
        any_rival = False
        for other in range(state.n_players):
            if state.team(other) != team:
                points = state.score(other)
                if not any_rival or points > best:
                    best = points
                    any_rival = True
        return mine - best if any_rival else mine


class OrdinalHeuristic(StateHeuristic):
    """The place, from 1 for first down to 0 for last; a tie shares the better place."""

    def value(self, state: GameState, player: i64) -> float:
        """Return the value of the place."""
        team = state.team(player)
        rivals = 0
        for other in range(state.n_players):
            if state.team(other) != team:
                rivals += 1
        if rivals == 0:
            return 1.0
        return max(0.0, 1.0 - float(state.ordinal(player) - 1) / float(rivals))


# --- the best of the others: for heuristics that compare players --------------------------------------------------------

_LOWEST: Final = -1.7976931348623157e308


def best_two(values: list[float]) -> tuple[float, float]:
    """Return the greatest and the second greatest of the players' values, equal ones included; for `best_other`."""
    best = second = _LOWEST
    for value in values:
        if value > best:
            best, second = value, best
        elif value > second:
            second = value
    return best, second


def best_other(value: float, two: tuple[float, float]) -> float:
    """Return the greatest value of the other players, for a player's ``value`` and `best_two` of all values."""
    return two[1] if value == two[0] else two[0]


# --- names --------------------------------------------------------------------------------------------------------------

#: The generic heuristics by name.
HEURISTICS: dict[str, type[StateHeuristic]] = {
    "game": GameHeuristic,
    "win": WinHeuristic,
    "score": ScoreHeuristic,
    "score_win": ScoreWinHeuristic,
    "leader": LeaderHeuristic,
    "ordinal": OrdinalHeuristic,
    "null": NullHeuristic,
}
