"""Tic-tac-toe, the traditional game for 2 players, on a grid of any size: the first with a full line wins.

Rules: two players mark free cells by turns, cross first. The first with all cells of a row, column or diagonal wins; a full
grid without such a line is a draw.

Where the rules leave it to the players: seat 0 has the crosses.

Variants (`TicTacToeParameters`): the size of the grid (the variant of the TAG report, section 4.1), and with it the
length of the lines.

What a player knows: everything.

Unlike TAG's Java version, the heuristic counts the lines still open to the opponent against the player; TAG adds them.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cache
from typing import Final, cast

from mypy_extensions import i64, mypyc_attr

from tag import (
    DO_NOTHING,
    Action,
    Actions,
    AnyAction,
    Cells,
    Event,
    Features,
    ForwardModel,
    GameState,
    GameType,
    Parameters,
    PlayerHeuristic,
    Rng,
    Vocabulary,
    integer,
    interned,
)
from tag.components import Component, GridBoard
from tag.engine.encoding import grid_neighbours, grid_rows, square_symmetries

_MARKS: Final = "XO"
_EMPTY: Final = -1
_LARGEST: Final = 10
#: The largest grid of which all boards are looked up; looking through the lines takes a sixth of a search.
_TABLED: Final = 3


@dataclass
class TicTacToeParameters(Parameters):
    """The size of the grid."""

    size: int = integer(3, 2, _LARGEST, "cells on a side, and in a line that wins")


@mypyc_attr(allow_interpreted_subclasses=True)
class TicTacToeState(GameState):
    """The grid, as one bit board per player: bit 0 is the top left cell, and so on row by row.

    Attributes:
        size: cells on a side.
        lines: the rows, columns and diagonals, as boards.
        first: the marks of player 0.
        second: the marks of player 1.
        free: the free cells.
    """

    def __init__(self, n_players: i64, size: i64, lines: tuple[int, ...], free: int) -> None:
        """Start with nothing marked; ``free`` are all cells."""
        super().__init__(n_players)
        self.size = size
        self.lines = lines
        self.first: int = 0
        self.second: int = 0
        self.free = free

    def copy(self) -> TicTacToeState:
        other = TicTacToeState(self.n_players, self.size, self.lines, self.free)
        self.copy_to(other)
        other.first = self.first
        other.second = self.second
        return other

    def knowledge(self, player: i64) -> Hashable:
        """Return the boards: all is open."""
        return (int(self.current_player), self.first, self.second)

    def cells(self) -> list[int]:
        """Return the grid row by row: -1 for a free cell, else the player."""
        n_cells = int(self.size * self.size)
        return [0 if self.first >> cell & 1 else 1 if self.second >> cell & 1 else _EMPTY for cell in range(n_cells)]

    def cell_values(self) -> bytes:
        """Return for each cell 0 if it is free, 1 for a cross and 2 for a nought."""
        return bytes([cell + 1 for cell in self.cells()])

    def components(self) -> list[Component]:
        return [GridBoard("grid", self.size, self.size, self.cells())]

    def __str__(self) -> str:
        letters = ["." if cell == _EMPTY else _MARKS[cell] for cell in self.cells()]
        size = int(self.size)
        return "\n".join([" ".join(letters[row * size : (row + 1) * size]) for row in range(size)])


class Mark(Action[TicTacToeState]):
    """Mark a cell."""

    def __init__(self, cell: i64, size: i64) -> None:
        """Name the cell of a grid of ``size`` by its number, row by row."""
        self.cell = cell
        self.size = size
        self.bit: int = 1 << int(cell)

    def execute(self, state: TicTacToeState, rng: Rng) -> None:
        if state.current_player == 0:
            state.first |= self.bit
        else:
            state.second |= self.bit
        state.free ^= self.bit
        if state.recording:
            state.announce(Event("placed", state.current_player, places=(f"grid/{self}",)))

    def __str__(self) -> str:
        """Name the cell as column and row: ``b3``."""
        return f"{'abcdefghij'[self.cell % self.size]}{self.cell // self.size + 1}"


def all_lines(size: int) -> list[int]:
    """Return the rows, columns and diagonals of a grid as boards."""
    side = range(size)
    lines = [[row * size + column for column in side] for row in side]
    lines += [[row * size + column for row in side] for column in side]
    lines += [[at * size + at for at in side], [at * size + size - 1 - at for at in side]]
    return [sum([1 << cell for cell in line]) for line in lines]


@cache
def winning_boards(size: int) -> bytes:
    """Return for each board of one player whether it has a full line."""
    lines = all_lines(size)
    return bytes([_has_line(marks, lines) for marks in range(1 << size * size)])


def _has_line(marks: int, lines: list[int]) -> bool:
    return any([marks & line == line for line in lines])


class TicTacToeFeatures(Features):
    """For each cell 1 for the player's mark, -1 for the other's, 0 for none."""

    def names(self, n_players: i64) -> tuple[str, ...]:
        """Return a name for each cell, row by row."""
        rules = cast("TicTacToeParameters", self.parameters)
        return tuple([f"cell_{cell}" for cell in range(rules.size * rules.size)])

    def values(self, state: GameState, player: i64) -> list[float]:
        """Return the features."""
        values = {_EMPTY: 0.0, int(player): 1.0, int(1 - player): -1.0}
        return [values[cell] for cell in cast("TicTacToeState", state).cells()]


class TicTacToeHeuristic(PlayerHeuristic):
    """The lines still open to the player less those open to the other, as a share of all, halved."""

    def _value_player(self, state: GameState, player: i64) -> float:
        """Return the lines still open to ``player`` less those open to the other, as a share of all, halved."""
        grid = cast("TicTacToeState", state)
        mine, theirs = (grid.first, grid.second) if player == 0 else (grid.second, grid.first)
        balance = 0
        for line in grid.lines:
            if not theirs & line:
                balance += 1
            if not mine & line:
                balance -= 1
        return 0.5 * balance / len(grid.lines)


class TicTacToe(ForwardModel[TicTacToeState]):
    """The rules.

    >>> from tag import make_game
    >>> model = make_game("tic_tac_toe:size=4")
    >>> state = model.setup(2, Rng(1))
    >>> model.next(state, model.available_actions(state)[5], Rng(1))
    >>> print(state)
    . . . .
    . X . .
    . . . .
    . . . .
    >>> len(model.available_actions(state))
    15
    """

    game_type = GameType(
        "Tic-tac-toe",
        2,
        2,
        TicTacToeParameters,
        categories=("abstract", "simple"),
        mechanics=("pattern building", "grid placement"),
        hidden_information=False,
        chance=False,
        heuristic=TicTacToeHeuristic,
        features=TicTacToeFeatures,
    )

    def __init__(self, parameters: TicTacToeParameters | None = None) -> None:
        chosen = TicTacToeParameters() if parameters is None else parameters
        super().__init__(chosen)
        self.size: i64 = chosen.size
        self.lines = all_lines(chosen.size)
        self.wins = winning_boards(chosen.size) if chosen.size <= _TABLED else b""
        self.too_free: i64 = chosen.size * chosen.size - 2 * chosen.size + 1
        self.marks = [interned(Mark(cell, chosen.size)) for cell in range(chosen.size**2)]

    def vocabulary(self, n_players: i64) -> Vocabulary:
        """Return the marks of all cells, row by row."""
        return Vocabulary(Actions(Mark, cell=range(self.size**2), size=(self.size,)))

    def cells(self, n_players: i64) -> Cells:
        """Return the grid; ``lines`` are what wins, and ``all`` is one tuple of all nine cells (3 by 3 only)."""
        size = int(self.size)
        n_cells = size * size
        symmetries = square_symmetries(size)
        lines = [[cell for cell in range(n_cells) if line >> cell & 1] for line in self.lines]
        tuples = {"lines": lines, "all": [list(range(n_cells))]} if size == 3 else {"lines": lines}
        neighbours, rows = grid_neighbours(size, size), grid_rows(size, size)
        return Cells(n_cells, 3, symmetries, symmetries, neighbours, tuples, rows)

    def _setup(self, n_players: i64, rng: Rng) -> TicTacToeState:
        return TicTacToeState(n_players, self.size, tuple(self.lines), (1 << len(self.marks)) - 1)

    def _set_cells(self, state: TicTacToeState, cells: bytes) -> None:
        for cell, value in enumerate(cells):
            if value == 1:
                state.first |= 1 << cell
            elif value == 2:
                state.second |= 1 << cell
        state.free &= ~(state.first | state.second)
        if self._has_line(state.first) or self._has_line(state.second):
            state.end_with_draw()

    def _available_actions(self, state: TicTacToeState) -> list[AnyAction]:
        free = state.free
        return [mark for mark in self.marks if free & mark.bit]

    def _after_action(self, state: TicTacToeState, action: AnyAction, rng: Rng) -> None:
        player = state.current_player
        if self._has_line(state.first if player == 0 else state.second):
            if state.recording:
                self._announce_lines(state, player)
            state.end_with_winner(player)
        elif not state.free:
            state.end_with_draw()
        else:
            self.give_turn(state, 1 - player)

    def _announce_lines(self, state: TicTacToeState, player: i64) -> None:
        """Announce the full lines of a player."""
        marked = state.first if player == 0 else state.second
        for line in self.lines:
            if marked & line == line:
                cells = tuple([str(mark) for mark in self.marks if line & mark.bit])
                state.announce(
                    Event("line completed", player, items=cells, words="{player} completes the line {items}")
                )

    def _has_line(self, marks: int) -> bool:
        return self.wins[marks] != 0 if self.wins else _has_line(marks, self.lines)

    def rollout(self, state: TicTacToeState, depth: i64, rng: Rng) -> i64:
        """Play on without actions, unless a subclass has other rules: search takes three quarters of the time."""
        if type(self) is not TicTacToe or state.recording or state.is_terminal or depth < 1:
            return super().rollout(state, depth, rng)
        player = state.current_player
        mine, theirs = (state.first, state.second) if player == 0 else (state.second, state.first)
        free = state.free
        n_free: i64 = free.bit_count()
        played: i64 = 0
        while True:
            candidates = free
            for _skipped in range(rng.below(n_free)):
                candidates &= candidates - 1
            mark = candidates & -candidates
            mine |= mark
            free ^= mark
            n_free -= 1
            played += 1
            if played == depth or n_free == 0 or (n_free <= self.too_free and self._has_line(mine)):
                break
            mine, theirs = theirs, mine
            player = 1 - player
        state.first, state.second = (mine, theirs) if player == 0 else (theirs, mine)
        state.free = free
        state.count_turns(played, player)
        self._after_action(state, DO_NOTHING, rng)
        return played
