"""State heuristics for all games, by name.

A game declares one of its own (`GameType.heuristic`), with weights as parameters; the game's name then stands for it
(``mcts:heuristic=(love_letter:affection=0.5)``). Any others are named by path.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

from mypy_extensions import i64

from tag.engine.forward_model import ForwardModel
from tag.engine.parameters import Parameters, real
from tag.engine.results import DRAW, LOSE, WIN
from tag.engine.state import GameState
from tag.engine.values import StateHeuristic
from tag.errors import ContractError


class GameHeuristic(StateHeuristic):
    """The game's own, in [-1, 1], with its default weights; by default the result."""

    def of(self, model: Any) -> StateHeuristic:
        """Return the heuristic that the game declares."""
        rules = cast("ForwardModel[Any]", model)
        return rules.heuristic()

    def value(self, state: GameState, player: i64) -> float:
        """Raise `ContractError`: a position does not tell which heuristic its game declares."""
        raise ContractError("the heuristic 'game' values no position itself; ask `of(model)` for that of a game")


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


@dataclass
class ScoreParameters(Parameters):
    """The factors of `ScoreHeuristic`."""

    win_factor: float = real(1.0, 0.0, 10.0, "factor of the score after a win; TAG's ScoreHeuristic has 1.5")
    loss_factor: float = real(1.0, 0.0, 10.0, "factor of the score after a loss; TAG's ScoreHeuristic has 0.5")


class ScoreHeuristic(StateHeuristic):
    """The game's points, which a win or a loss may multiply."""

    parameters_class = ScoreParameters

    def __init__(self, parameters: ScoreParameters | None = None) -> None:
        """Take the factors."""
        chosen = ScoreParameters() if parameters is None else parameters
        super().__init__(chosen)
        self.win_factor = chosen.win_factor
        self.loss_factor = chosen.loss_factor

    def value(self, state: GameState, player: i64) -> float:
        """Return the score, times the factor of the result."""
        points = state.score(player)
        result = state.result(player)
        if result == WIN:
            return points * self.win_factor
        return points * self.loss_factor if result == LOSE else points


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


@dataclass
class LeaderParameters(Parameters):
    """The factor of `LeaderHeuristic`."""

    end_factor: float = real(
        1.0, 0.0, 10.0, "factor of the margin after a win or a loss; TAG's LeaderHeuristic has 1.5"
    )


class LeaderHeuristic(StateHeuristic):
    """The margin in points over the best opponent (behind: negative)."""

    parameters_class = LeaderParameters

    def __init__(self, parameters: LeaderParameters | None = None) -> None:
        """Take the factor."""
        chosen = LeaderParameters() if parameters is None else parameters
        super().__init__(chosen)
        self.end_factor = chosen.end_factor

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
        margin = mine - best if any_rival else mine
        return margin * self.end_factor if state.result(player) in (WIN, LOSE) else margin


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
