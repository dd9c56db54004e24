"""Values and features of positions: what a game declares of itself beside the rules (`GameType`).

A heuristic values a position for a player, for search to maximise. Features describe it to learners.
"""

from __future__ import annotations

from typing import Any, ClassVar, Final

from mypy_extensions import i64, mypyc_attr

from tag.engine.parameters import Parameters
from tag.engine.results import ONGOING
from tag.engine.snapshot import Copyable
from tag.engine.state import GameState

_LOWEST: Final = -1.7976931348623157e308
#: Values of games that go on are kept as they are up to here, and pressed together beyond it, by at most so much.
_KEPT: Final = 0.9
_PRESSED: Final = 0.09


def short_of_results(value: float) -> float:
    """Return ``value`` with its order kept, but nearer to 0 than a win (1) or a loss (-1): beyond 0.9 it approaches 0.99.

    Examples:
        >>> [round(short_of_results(value), 3) for value in (0.5, 0.9, 1.0, 2.0, -1.0)]
        [0.5, 0.9, 0.947, 0.983, -0.947]
    """
    beyond = abs(value) - _KEPT
    if beyond <= 0.0:
        return value
    size = _KEPT + _PRESSED * (beyond / (beyond + _PRESSED))
    return size if value > 0.0 else -size


@mypyc_attr(allow_interpreted_subclasses=True)
class StateHeuristic(Copyable):
    """Values a position for a player; greater is better, finished games are at the ends of the range.

    Examples:
        >>> from tag import Rng, make_game, make_heuristic
        >>> state = make_game("love_letter").setup(2, Rng(1))
        >>> heuristic = make_heuristic("love_letter")
        >>> values = [0.0, 0.0]
        >>> heuristic.value_all(state, values)
        >>> [round(value, 3) for value in values]
        [0.007, 0.002]

    Attributes:
        parameters_class: the class of the heuristic's parameters.
    """

    parameters_class: ClassVar[type[Parameters]] = Parameters

    def __init__(self, parameters: Parameters | None = None) -> None:
        """Take the parameters, or the defaults."""
        self.parameters: Parameters = self.parameters_class() if parameters is None else parameters

    def check_game(self, model: Any, n_players: int) -> None:
        """Raise `ParameterError` if the heuristic is not for this game with so many players; by default it is for all.

        The forward model has no type here, as forward models know heuristics and not the other way round.
        """

    def of(self, model: Any) -> StateHeuristic:
        """Return the heuristic for the game of a forward model: this one by default; a general one may return the game's.

        Agents call it once per game.
        """
        return self

    def is_of_afterstates(self) -> bool:
        """Say whether positions after a player's move and before any chance are valued; searches then ask there."""
        return False

    def value(self, state: GameState, player: i64) -> float:
        """Return how good ``state`` is for ``player``."""
        raise NotImplementedError

    def value_all(self, state: GameState, values: list[float]) -> None:
        """Set ``values`` to how good ``state`` is for each player; overridden where players share the work."""
        for player in range(len(values)):
            values[player] = self.value(state, player)


@mypyc_attr(allow_interpreted_subclasses=True)
class ResultHeuristic(StateHeuristic):
    """1 for a win, -1 for a loss or worse, 0 for a draw and while the game goes on: that of games that declare none."""

    def value(self, state: GameState, player: i64) -> float:
        """Look at the result only."""
        return state.result_value(player)


@mypyc_attr(allow_interpreted_subclasses=True)
class PlayerHeuristic(StateHeuristic):
    """Values one player at a time; results are the values of players whose game is over, and beyond all other values.

    A subclass values players whose game goes on (`_value_player`). However great such a value is, it stays below that of a
    win, 1, and above that of a loss, -1 (`short_of_results`), so that search declines no win for a promise.

    Examples:
        >>> from tag import Rng, make_game
        >>> model = make_game("virus")
        >>> state = model.setup(2, Rng(1))
        >>> model.heuristic().value(state, 0)
        0.0
    """

    def value(self, state: GameState, player: i64) -> float:
        """Return the result of ``player``, or as the subclass says while there is none."""
        if state.is_terminal or state.result(player) != ONGOING:
            return state.result_value(player)
        return short_of_results(self._value_player(state, player))

    def _value_player(self, state: GameState, player: i64) -> float:
        """Return how good ``state`` is for ``player``, whose game goes on: 0 is even, about 1 nearly won."""
        raise NotImplementedError


@mypyc_attr(allow_interpreted_subclasses=True)
class JointHeuristic(StateHeuristic):
    """Values all players together, as they are compared or share the work; results are beyond all other values.

    A subclass sets the values of a game that goes on (`_value_players`). They are kept below that of a win, 1, and above
    that of a loss, -1, as with `PlayerHeuristic`.

    Examples:
        >>> from tag import Rng, make_game
        >>> model = make_game("dots_and_boxes:width=2,height=2")
        >>> state = model.setup(2, Rng(1))
        >>> moves = model.rollout(state, 9, Rng(1))
        >>> values = [0.0, 0.0]
        >>> model.heuristic().value_all(state, values)
        >>> [round(value, 2) for value in values]
        [0.4, -0.4]
    """

    def value(self, state: GameState, player: i64) -> float:
        """Return the value for ``player`` out of those of all."""
        values = [0.0] * int(state.n_players)
        self.value_all(state, values)
        return values[player]

    def value_all(self, state: GameState, values: list[float]) -> None:
        """Set ``values`` to the results of players who have one, and for the others as the subclass does."""
        if not state.is_terminal:
            self._value_players(state, values)
        for player in range(state.n_players):
            if state.is_terminal or state.result(player) != ONGOING:
                values[player] = state.result_value(player)
            else:
                values[player] = short_of_results(values[player])

    def _value_players(self, state: GameState, values: list[float]) -> None:
        """Set ``values`` to how good ``state``, in which the game goes on, is for each player: 0 is even, 1 nearly won."""
        raise NotImplementedError


@mypyc_attr(allow_interpreted_subclasses=True)
class Features(Copyable):
    """Describes positions by numbers with names, the same ones in all positions of a game, for learners.

    Examples:
        >>> from tag import Rng, make_game
        >>> model = make_game("nim")
        >>> features = model.features()
        >>> features.named(model.setup(2, Rng(1)), 1)
        {'heap_0': 5.0, 'heap_1': 5.0, 'heap_2': 5.0, 'to_move': 0.0}

    Attributes:
        parameters: those of the game.
    """

    def __init__(self, parameters: Parameters) -> None:
        """Take the parameters of the game."""
        self.parameters: Parameters = parameters

    def names(self, n_players: i64) -> tuple[str, ...]:
        """Return the names of the features in a game of ``n_players``."""
        raise NotImplementedError

    def values(self, state: GameState, player: i64) -> list[float]:
        """Return the features of ``state`` for ``player``, in the order of `names`.

        They must depend on nothing hidden from that player.
        """
        raise NotImplementedError

    def named(self, state: GameState, player: i64) -> dict[str, float]:
        """Return the features of ``state`` for ``player`` by name."""
        return dict(zip(self.names(state.n_players), self.values(state, player), strict=True))


def best_two(values: list[float]) -> tuple[float, float]:
    """Return the greatest and the second greatest of the players' values, equal ones included; for `best_other`.

    Examples:
        >>> best_two([3.0, 7.0, 5.0])
        (7.0, 5.0)
        >>> [best_other(value, best_two([3.0, 7.0, 5.0])) for value in (3.0, 7.0, 5.0)]
        [7.0, 5.0, 7.0]
    """
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
