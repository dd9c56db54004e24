"""Turn orders: rules for the next player to decide.

* Alternating: the default of `ForwardModel`, seat by seat; `next_in_game` skips players who are out of the game.
* Reversing: a `ReversibleState` holds the direction:

      def _next_player(self, state: MyState) -> i64:
          return next_in_game(state, state.turn_player, state.direction)

* Reactive: a `ReactionSequence` asks players out of turn.
* Simultaneous: a `SimultaneousSequence` asks one player after another, hides each choice until all have chosen, and
  then lets the choices happen in order.
"""

from __future__ import annotations

from mypy_extensions import i64, mypyc_attr

from tag.engine.results import ONGOING
from tag.engine.state import GameState


def is_in_game(state: GameState, player: i64) -> bool:
    """Say whether the game still goes on for ``player``."""
    return state.result(player) == ONGOING


def next_in_game(state: GameState, player: i64, direction: i64 = 1) -> i64:
    """Return the next seat after ``player`` whose game goes on; ``direction`` is 1, or -1 for the other way round.

    If the game goes on for no other player, it is ``player`` again.
    """
    n = state.n_players
    seat = player
    for _step in range(n):
        seat = (seat + direction + n) % n
        if is_in_game(state, seat):
            return seat
    return player


def players_in_game(state: GameState, first: i64, direction: i64 = 1) -> tuple[int, ...]:
    """Return all players whose game goes on, in the order of play from ``first`` (who need not be one of them)."""
    n = state.n_players
    seats = [(first + direction * step + n) % n for step in range(n)]
    return tuple([int(seat) for seat in seats if is_in_game(state, seat)])


@mypyc_attr(allow_interpreted_subclasses=True)
class ReversibleState(GameState):
    """A state with a direction of play.

    Attributes:
        direction: 1 for seat by seat, -1 for the other way round.
    """

    __slots__ = ("direction",)
    direction: i64

    def __init__(self, n_players: i64) -> None:
        """Start seat by seat."""
        super().__init__(n_players)
        self.direction = 1

    def copy_to(self, other: GameState) -> None:
        """Copy the common fields and the direction to ``other``."""
        super().copy_to(other)
        if isinstance(other, ReversibleState):
            other.direction = self.direction

    def reverse(self) -> None:
        """Turn the direction of play round."""
        self.direction = -self.direction
