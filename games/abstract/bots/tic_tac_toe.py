"""The bot of tic-tac-toe."""

from __future__ import annotations

from typing import Final, cast

from mypy_extensions import i64, mypyc_attr

from tag import AnyAction, RuleBot
from tag.games.abstract.tic_tac_toe import Mark, TicTacToeState

_WIN: Final = 100.0
_BLOCK: Final = 90.0
_FORK: Final = 80.0
_FORCE: Final = 70.0
_TAKE_FORK: Final = 60.0


@mypyc_attr(allow_interpreted_subclasses=True)
class Perfect(RuleBot[TicTacToeState]):
    """Never loses on the grid of three by three; on larger ones it plays by the same rules.

    It wins; blocks; makes two threats at once, a fork; has the other player block where that makes no fork, or takes the
    cell of a fork; else it marks the cell with the most open lines, of equal ones the one with the most lines.

    Source: A. Newell and H. A. Simon, "Human Problem Solving", 1972.
    """

    def worth(self, state: TicTacToeState, action: AnyAction) -> float:
        """Return the worth of the first rule that asks for a cell."""
        cell = cast("Mark", action).bit
        mine, theirs = (state.first, state.second) if self.player == 0 else (state.second, state.first)
        if _n_lacking(state, mine | cell, theirs, 0):
            return _WIN
        if _n_lacking(state, theirs | cell, mine, 0):
            return _BLOCK
        threats = _n_lacking(state, mine | cell, theirs, 1)
        if threats > 1:
            return _FORK
        own = [line for line in state.lines if line & cell]
        open_lines = float(sum([1 for line in own if not line & theirs])) + 0.1 * float(len(own))
        forks = _forks(state, theirs, mine)
        if not forks:
            return open_lines
        if threats == 1 and not _forks(state, theirs, mine | cell) & _missing(state, mine | cell, theirs):
            return _FORCE + open_lines
        return (_TAKE_FORK if forks & cell else 0.0) + open_lines


def _n_lacking(state: TicTacToeState, mine: int, theirs: int, lacking: i64) -> int:
    """Return how many lines without marks of the other lack so many marks."""
    return sum(
        [1 for line in state.lines if not line & theirs and (line & mine).bit_count() + lacking == int(state.size)]
    )


def _forks(state: TicTacToeState, mine: int, theirs: int) -> int:
    """Return the free cells where a mark makes two threats."""
    found = 0
    free = state.free & ~(mine | theirs)
    while free:
        cell = free & -free
        if _n_lacking(state, mine | cell, theirs, 1) > 1:
            found |= cell
        free ^= cell
    return found


def _missing(state: TicTacToeState, mine: int, theirs: int) -> int:
    """Return the cells that complete lines which lack one mark."""
    found = 0
    for line in state.lines:
        if not line & theirs and (line & mine).bit_count() + 1 == int(state.size):
            found |= line & ~mine
    return found
