"""The bot of Can't Stop."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64, mypyc_attr

from tag import AnyAction, RuleBot, bit_count
from tag.games.dice.cant_stop import Advance, CantStopState, Stop

#: Points for each step in columns 2 to 12, and the points with which a turn ends.
_POINTS: Final = (6, 5, 4, 3, 2, 1, 2, 3, 4, 5, 6)
_ENOUGH: Final = 28
_ODDS: Final = 2
_EVENS: Final = -2
_ONE_SIDE: Final = 4
#: The columns 3, 5, 7, 9 and 11 as a set, those below 7, and those above.
_ODD: Final = 0b01010101010
_LOW: Final = 0b00000011111
_HIGH: Final = 0b11111000000
#: What a marker that is put down counts against a move, as a share of a column.
_NEW_MARKER: Final = 0.1


@mypyc_attr(allow_interpreted_subclasses=True)
class RuleOf28(RuleBot[CantStopState]):
    """Stops as soon as the turn has 28 points, or wins the game.

    A marker brings the points of its column and those for each step: 1 in column 7, 2 in 6 and 8, up to 6 in 2 and 12. With
    all markers on the board, odd columns only bring 2 points, even ones only cost 2, and columns on one side of 7 bring 4.
    Of two moves it prefers the one over the greater share of columns; that is our own.

    Source: M. Keller's "rule of 28", Solitaire Laboratory, 1986; described by J. Glenn and C. Aloi, "A generalized
    heuristic for Can't Stop", FLAIRS 2009.
    """

    def worth(self, state: CantStopState, action: AnyAction) -> float:
        """Weigh the points of the turn, or the way of a move."""
        if isinstance(action, Stop):
            won = int(state.score(state.current_player)) + bit_count(state.topped)
            return 1.0 if won >= state.goal or _points(state) >= _ENOUGH else -1.0
        if isinstance(action, Advance):
            way = _way(state, action.first - 2)
            return way + _way(state, action.second - 2) if action.second else way
        return 0.0


def _points(state: CantStopState) -> i64:
    """Return the points of the current turn."""
    points: i64 = 0
    for column in range(len(_POINTS)):
        if state.marked >> column & 1:
            steps = state.place(column) - state.square(state.current_player, column)
            points += _POINTS[column] * (steps + 1)
    if state.free:
        return points
    odd = state.marked & _ODD
    if odd == state.marked:
        points += _ODDS
    elif odd == 0:
        points += _EVENS
    if state.marked & ~_LOW == 0 or state.marked & ~_HIGH == 0:
        points += _ONE_SIDE
    return points


def _way(state: CantStopState, column: i64) -> float:
    """Return the worth of a step in a column."""
    new = 0.0 if state.marked >> column & 1 else _NEW_MARKER
    return 1.0 / float(state.length(column)) - new
