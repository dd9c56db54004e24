"""Bots of Othello: corners and mobility, and weighted squares."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64, mypyc_attr

from tag import AnyAction, RuleBot
from tag.games.abstract.othello import OthelloState, Place, count, moves_of, turned

_CORNER: Final = 1000.0
#: What the squares diagonal to a free corner cost, and those beside it.
_DIAGONAL: Final = 100.0
_BESIDE: Final = 50.0

#: The weights of the squares of a quarter of the board, row by row from the corner.
_WEIGHTS: Final = (
    *(120, -20, 20, 5),
    *(-20, -40, -5, -5),
    *(20, -5, 15, 3),
    *(5, -5, 3, 3),
)


def _boards(state: OthelloState, player: i64) -> tuple[i64, i64]:
    """Return the discs of the player and of the other."""
    return (state.first, state.second) if player == 0 else (state.second, state.first)


def _from_edge(at: i64, size: i64) -> i64:
    """Return how far a row or column is from the nearer edge."""
    return min(at, size - 1 - at)


@mypyc_attr(allow_interpreted_subclasses=True)
class CornerFirst(RuleBot[OthelloState]):
    """Takes corners, keeps off the squares beside free ones, and leaves the other player as few moves as possible.

    Source: B. Rose, "Othello: A Minute to Learn, A Lifetime to Master", 2005, on corners and mobility.
    """

    def worth(self, state: OthelloState, action: AnyAction) -> float:
        """Weigh the square, and count the moves of the other player after it."""
        if not isinstance(action, Place):
            return 0.0
        size = state.size
        own, other = _boards(state, self.player)
        flipped = turned(own, other, action.disc, size)
        moves = count(moves_of(other ^ flipped, own | flipped | action.disc, size))
        column, row = action.cell % size, action.cell // size
        x, y = _from_edge(column, size), _from_edge(row, size)
        if x == 0 and y == 0:
            return _CORNER - float(moves)
        if x > 1 or y > 1 or _is_corner_taken(own | other, column, row, size):
            return -float(moves)
        return -float(moves) - (_DIAGONAL if x == 1 and y == 1 else _BESIDE)


def _is_corner_taken(discs: i64, column: i64, row: i64, size: i64) -> bool:
    """Say whether a disc lies in the corner nearest to a square."""
    corner: i64 = 0 if 2 * column < size else size - 1
    if 2 * row >= size:
        corner += size * (size - 1)
    return discs >> corner & 1 == 1


@mypyc_attr(allow_interpreted_subclasses=True)
class Positional(RuleBot[OthelloState]):
    """Plays for the greatest sum of the weights of its squares, less those of the other player.

    Source: the "weighted squares" of P. Norvig, "Paradigms of Artificial Intelligence Programming", 1992, chapter 18; on
    smaller boards the weights of the squares nearest to the corners.
    """

    def worth(self, state: OthelloState, action: AnyAction) -> float:
        """Add the weight of the new disc and twice those of the discs turned."""
        if not isinstance(action, Place):
            return 0.0
        own, other = _boards(state, self.player)
        flipped = turned(own, other, action.disc, state.size)
        total = _weight(action.cell, state.size)
        for cell in range(state.size * state.size):
            if flipped >> cell & 1:
                total += 2 * _weight(cell, state.size)
        return float(total)


def _weight(cell: i64, size: i64) -> i64:
    return _WEIGHTS[4 * _from_edge(cell // size, size) + _from_edge(cell % size, size)]
