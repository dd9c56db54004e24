"""Tic-tac-toe on an N by N grid: the first with a full row, column or diagonal wins.

Rules: two players alternate, cross first, on free cells; a full grid without a line is a draw. (Traditional; the size is
the variant of the TAG report, section 4.1.)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from mypy_extensions import i64, mypyc_attr

from tag.action import Action, AnyAction, interned
from tag.components import Component, GridBoard
from tag.dimensions import integer
from tag.forward_model import ForwardModel
from tag.game_type import GameType
from tag.parameters import Parameters
from tag.rng import Rng
from tag.state import GameState

_MARKS: Final = "XO"
_EMPTY: Final = -1
_LARGEST: Final = 10


@dataclass
class TicTacToeParameters(Parameters):
    """The size of the grid."""

    size: int = integer(3, 2, _LARGEST, "cells on a side, and in a line that wins")


@mypyc_attr(allow_interpreted_subclasses=True)
class TicTacToeState(GameState):
    """The grid, row by row: -1 for a free cell, else the player; and how many cells of each line a player holds."""

    __slots__ = ("cells", "free", "lines", "size")
    size: i64
    cells: list[int]
    lines: list[int]
    free: i64

    def __init__(self, n_players: i64, size: i64) -> None:
        """Start with an empty grid."""
        super().__init__(n_players)
        self.size = size
        self.cells = [_EMPTY] * (size * size)
        self.lines = [0] * (2 * (2 * size + 2))
        self.free = size * size

    def copy(self) -> TicTacToeState:
        """Copy the grid."""
        other = TicTacToeState(self.n_players, self.size)
        self.copy_to(other)
        other.cells = self.cells[:]
        other.lines = self.lines[:]
        other.free = self.free
        return other

    def heuristic(self, player: i64) -> float:
        """Return the lines still open to ``player`` less those open to the other, as a share of all."""
        if self.is_terminal:
            return self.result_value(player)
        lines = 2 * self.size + 2
        mine, theirs = player * lines, (1 - player) * lines
        balance: i64 = 0
        for line in range(lines):
            if self.lines[theirs + line] == 0:
                balance += 1
            if self.lines[mine + line] == 0:
                balance -= 1
        return 0.5 * float(balance) / float(lines)

    def components(self) -> list[Component]:
        """Return the grid."""
        return [GridBoard("grid", self.size, self.size, self.cells)]

    def features(self, player: i64) -> dict[str, float]:
        """Return for each cell 1 for the player's mark, -1 for the other's, 0 for none."""
        marks = {_EMPTY: 0.0, int(player): 1.0, int(1 - player): -1.0}
        return {f"cell_{index}": marks[cell] for index, cell in enumerate(self.cells)}

    def __str__(self) -> str:
        """Draw the grid."""
        letters = ["." if cell == _EMPTY else _MARKS[cell] for cell in self.cells]
        size = int(self.size)
        return "\n".join([" ".join(letters[row * size : (row + 1) * size]) for row in range(size)])


class Mark(Action[TicTacToeState]):
    """Mark a cell."""

    __slots__ = ("cell", "size")
    cell: i64
    size: i64

    def __init__(self, cell: i64, size: i64) -> None:
        """Name the cell of a grid of ``size`` by its number, row by row."""
        self.cell = cell
        self.size = size

    def key(self) -> tuple[object, ...]:
        """Return cell and size."""
        return (self.cell, self.size)

    def execute(self, state: TicTacToeState, rng: Rng) -> None:
        """Put the mark and end the game where it completes a line."""
        player = state.current_player
        size = state.size
        state.cells[self.cell] = int(player)
        state.free -= 1
        row = self.cell // size
        column = self.cell % size
        first = player * (2 * size + 2)
        won = self._extend(state, first + row)
        won = self._extend(state, first + size + column) or won
        if row == column:
            won = self._extend(state, first + 2 * size) or won
        if row + column == size - 1:
            won = self._extend(state, first + 2 * size + 1) or won
        if won:
            state.end_with_winner(player)
        elif state.free == 0:
            state.end_with_draw()

    def _extend(self, state: TicTacToeState, line: i64) -> bool:
        """Count one more mark in ``line`` and say whether it is complete."""
        marks = state.lines[line] + 1
        state.lines[line] = marks
        return marks == state.size

    def __str__(self) -> str:
        """Name the cell as column and row: ``b3``."""
        return f"{'abcdefghij'[self.cell % self.size]}{self.cell // self.size + 1}"


class TicTacToe(ForwardModel[TicTacToeState]):
    """The rules."""

    game_type = GameType(
        "Tic-tac-toe",
        2,
        2,
        TicTacToeParameters,
        categories=("abstract", "simple"),
        mechanics=("pattern building", "grid placement"),
    )

    def __init__(self, parameters: TicTacToeParameters | None = None) -> None:
        """Make the actions of a grid of the size."""
        chosen = TicTacToeParameters() if parameters is None else parameters
        super().__init__(chosen)
        self.size: i64 = chosen.size
        self.marks: list[AnyAction] = [interned(Mark(cell, chosen.size)) for cell in range(chosen.size**2)]

    def _setup(self, n_players: i64, rng: Rng) -> TicTacToeState:
        return TicTacToeState(n_players, self.size)

    def _available_actions(self, state: TicTacToeState) -> list[AnyAction]:
        marks = self.marks
        cells = state.cells
        return [marks[cell] for cell in range(len(cells)) if cells[cell] == _EMPTY]
