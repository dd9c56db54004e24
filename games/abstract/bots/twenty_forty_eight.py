"""The bot of 2048."""

from __future__ import annotations

from typing import Final, cast

from mypy_extensions import i64, mypyc_attr

from tag import AnyAction, RuleBot
from tag.games.abstract.twenty_forty_eight import Slide, TwentyFortyEightState

_SIDE: Final = 4
#: The cells of the grid, row by row, in the order of a snake from the top left corner: to the right, then to the left, …
_SNAKE: Final = (0, 1, 2, 3, 7, 6, 5, 4, 8, 9, 10, 11, 15, 14, 13, 12)
#: By how much a tile counts less than on the cell before.
_DECAY: Final = 0.5
#: What a free cell is worth, and each doubling between two neighbours costs, where the largest tile is worth 1.
_FREE: Final = 0.1
_STEP: Final = 0.02


@mypyc_attr(allow_interpreted_subclasses=True)
class Snake(RuleBot[TwentyFortyEightState]):
    """Slides so that large tiles lie in a snake from the top left corner, each next to one of about its size.

    A tile counts half on each next cell of the snake; free cells count a little, and so do neighbours of like size.

    Source: the "snake" of players, as weights in the answers to "What is the optimal algorithm for the game 2048?", Stack
    Overflow, 2014; these weights are our own.
    """

    def worth(self, state: TwentyFortyEightState, action: AnyAction) -> float:
        """Weigh the grid after the slide, before the new tile."""
        after = state.copy()
        after.slide(cast("Slide", action).direction)
        tiles = after.cell_values()
        weight = 1.0
        total = 0.0
        largest = float(1 << max(tiles))
        for cell in _SNAKE:
            if tiles[cell]:
                total += weight * float(1 << tiles[cell]) / largest
            weight *= _DECAY
        return total + _FREE * float(after.n_free()) - _STEP * float(_steps(tiles))


def _steps(tiles: bytes) -> i64:
    """Return the differences of the exponents of all neighbours."""
    steps: i64 = 0
    for line in range(_SIDE):
        for at in range(_SIDE - 1):
            row = _SIDE * line + at
            column = _SIDE * at + line
            steps += abs(int(tiles[row]) - int(tiles[row + 1])) + abs(int(tiles[column]) - int(tiles[column + _SIDE]))
    return steps
