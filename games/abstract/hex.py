"""Hex, by Piet Hein (1942) and John Nash (1948), as published by Parker Brothers in 1952: 2 players each join two sides.

Rules: the board is a rhombus of hexagons, 11 by 11. Each player has two opposite sides. The players by turns put a stone on
a free cell, where it stays. The first who joins the own two sides by a chain of own stones wins; a draw is impossible.

Where the rules leave it to the players: seat 0 starts and joins top and bottom, seat 1 left and right.

Variants (`HexParameters`): the size of the board, and the swap rule: instead of the first stone of its own, seat 1 may take
over the stone of seat 0. So that all keep their sides, the stone changes its colour and is reflected in the long diagonal,
from column 2 of row 5 to column 5 of row 2.

What a player knows: everything.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Final, cast

from mypy_extensions import i64, mypyc_attr

from tag import (
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
    flag,
    integer,
    interned,
)
from tag.components import Component, HexBoard, HexGrid
from tag.engine.encoding import grid_rows

_STONES: Final = ".XO"
_LARGEST: Final = 14
_COLUMNS: Final = "abcdefghijklmn"

#: The bits of a cell: the player whose stone it has, and the sides that this stone is joined to.
PLAYER: Final = 3
FIRST_SIDE: Final = 4
SECOND_SIDE: Final = 8
BOTH_SIDES: Final = 12


@dataclass
class HexParameters(Parameters):
    """The size of the board, and the swap rule."""

    size: int = integer(11, 2, _LARGEST, "cells on a side")
    swap: bool = flag(False, "whether seat 1 may take over the first stone")


@mypyc_attr(allow_interpreted_subclasses=True)
class HexState(GameState):
    """The board within a border: the cell in column x of row y is number ``(y + 1) * (size + 2) + x + 1``, all from 0.

    A cell is 0 if free, else 1 for a stone of player 0 or 2 for one of player 1, plus 4 if the stone is joined to the
    top or left side of its player, and 8 if to the bottom or right side. The sides are stones beyond the edge.

    Attributes:
        size: cells on a side.
        board: the cells.
        free: how many cells are free.
    """

    def __init__(self, n_players: i64, size: i64, board: list[int], free: i64) -> None:
        super().__init__(n_players)
        self.size = size
        self.board = board
        self.free = free

    def copy(self) -> HexState:
        other = HexState(self.n_players, self.size, self.board[:], self.free)
        self.copy_to(other)
        return other

    def knowledge(self, player: i64) -> Hashable:
        """Return the stones: all is open."""
        return (int(self.current_player), self.cell_values())

    def put(self, place: i64, player: i64) -> None:
        """Put a stone on a free place and tell the stones that it joins which sides they reach; both sides win."""
        board = self.board
        own = player + 1
        stone = own
        for step in STEPS[self.size]:
            near: i64 = board[place + step]
            if near & PLAYER == own:
                stone |= near
        board[place] = stone
        self.free -= 1
        if stone >= BOTH_SIDES:
            if self.recording:
                sides = "top and bottom" if player == 0 else "left and right"
                self.announce(Event("sides joined", player, words=f"{{player}} joins {sides}"))
            self.end_with_winner(player)
        elif stone != own:
            self._join(place, stone)

    def _join(self, place: i64, stone: i64) -> None:
        """Make all stones that are joined to ``place`` equal to ``stone``; the sides are so already."""
        board = self.board
        for step in STEPS[self.size]:
            near: i64 = board[place + step]
            if near != stone and near & PLAYER == stone & PLAYER:
                board[place + step] = stone
                self._join(place + step, stone)

    def lacking(self, player: i64) -> i64:
        """Return with how many more stones, at least, ``player`` would join the sides if the other put none."""
        board, size = self.board, self.size
        steps, inside = STEPS[size], _INSIDE[size]
        own = player + 1
        is_closed = [True] * len(board)
        for place in inside:
            is_closed[place] = board[place] & PLAYER == 3 - own
        lacking: i64 = 0
        nearest = list(inside[:size] if player == 0 else inside[::size])
        while True:
            farther: list[int] = []
            while nearest:
                place = nearest.pop()
                cell: i64 = board[place]
                if cell >= SECOND_SIDE and cell & PLAYER == own:
                    return lacking
                if not is_closed[place]:
                    is_closed[place] = True
                    around = [place + step for step in steps]
                    if cell == 0:
                        farther += around
                    else:
                        nearest += around
            lacking += 1
            nearest = farther

    def cell_values(self) -> bytes:
        """Return for each cell, row by row, 0 if it is free, 1 for a stone of player 0 and 2 for one of player 1."""
        board = self.board
        return bytes([board[place] & PLAYER for place in _INSIDE[self.size]])

    def components(self) -> list[Component]:
        return [HexBoard("board", _GRIDS[self.size], [value - 1 for value in self.cell_values()])]

    def __str__(self) -> str:
        """Draw the rhombus with the names of columns and rows."""
        size = int(self.size)
        letters = [_STONES[value] for value in self.cell_values()]
        rows = [f"{' ' * row}{row + 1:2} {' '.join(letters[row * size : (row + 1) * size])}" for row in range(size)]
        return "\n".join([f"   {' '.join(_COLUMNS[:size])}", *rows])


def _empty_board(size: int) -> list[int]:
    """Return a board without stones but those that stand for the sides."""
    stride = size + 2
    board = [0] * (stride * stride)
    for at in range(1, size + 1):
        board[at] = 1 + FIRST_SIDE
        board[(size + 1) * stride + at] = 1 + SECOND_SIDE
        board[at * stride] = 2 + FIRST_SIDE
        board[at * stride + size + 1] = 2 + SECOND_SIDE
    return board


def _steps(size: int) -> tuple[int, ...]:
    """Return how far the numbers of the six neighbours are from that of a cell."""
    stride = size + 2
    return (-stride, 1 - stride, -1, 1, stride - 1, stride)


#: By size: the places of the cells within the border, row by row; the steps to their neighbours; the hexagons.
_INSIDE: Final = [
    tuple([(row + 1) * (size + 2) + column + 1 for row in range(size) for column in range(size)])
    for size in range(_LARGEST + 1)
]
STEPS: Final = [_steps(size) for size in range(_LARGEST + 1)]
_GRIDS: Final = [
    HexGrid([(column, row) for row in range(size) for column in range(size)]) for size in range(_LARGEST + 1)
]


class PutStone(Action[HexState]):
    """Put a stone on a cell."""

    def __init__(self, cell: i64, size: i64) -> None:
        """Name the cell of a board of ``size`` by its number, row by row."""
        self.cell = cell
        self.size = size
        self.place: i64 = _INSIDE[size][cell]

    def execute(self, state: HexState, rng: Rng) -> None:
        if state.recording:
            state.announce(Event("placed", state.current_player, places=(board_place(self.cell, self.size),)))
        state.put(self.place, state.current_player)

    def __str__(self) -> str:
        """Name the cell as column and row: ``b3``."""
        return cell_name(self.cell, self.size)


def cell_name(cell: i64, size: i64) -> str:
    """Return a cell of a board of ``size`` as column and row: ``b3``."""
    return f"{_COLUMNS[cell % size]}{cell // size + 1}"


def board_place(cell: i64, size: i64) -> str:
    """Return a cell of a board of ``size`` as components name it."""
    return f"board/({cell % size}, {cell // size})"


class Swap(Action[HexState]):
    """Take over the first stone, reflected in the long diagonal."""

    def execute(self, state: HexState, rng: Rng) -> None:
        cells = state.cell_values()
        row, column = divmod(cells.index(1), int(state.size))
        state.board = _empty_board(int(state.size))
        state.free += 1
        cell = column * state.size + row
        state.put(_INSIDE[state.size][cell], 1)
        if state.recording:
            places = (board_place(row * state.size + column, state.size), board_place(cell, state.size))
            words = "{player} takes over the stone, which is now on {items}"
            state.announce(Event("swapped", 1, items=(cell_name(cell, state.size),), places=places, words=words))

    def __str__(self) -> str:
        return "swap"


class HexFeatures(Features):
    """For each cell, row by row, 1 for the player's stone, -1 for the other's, 0 for none."""

    def names(self, n_players: i64) -> tuple[str, ...]:
        """Return a name for each cell, row by row."""
        rules = cast("HexParameters", self.parameters)
        return tuple([f"cell_{cell}" for cell in range(rules.size * rules.size)])

    def values(self, state: GameState, player: i64) -> list[float]:
        """Return the features."""
        mine = 1.0 if player == 0 else -1.0
        of_value = [0.0, mine, -mine]
        return [of_value[value] for value in state.cell_values()]


class HexHeuristic(PlayerHeuristic):
    """How many stones the player lacks less than the other to join the sides, as a share of the size."""

    def _value_player(self, state: GameState, player: i64) -> float:
        """Return how many stones ``player`` lacks less than the other to join the sides, as a share of the size."""
        board = cast("HexState", state)
        return float(board.lacking(1 - player) - board.lacking(player)) / float(board.size)


class Hex(ForwardModel[HexState]):
    """The rules.

    >>> from tag import make_game
    >>> model = make_game("hex:size=4")
    >>> state = model.setup(2, Rng(1))
    >>> model.next(state, model.available_actions(state)[6], Rng(1))
    >>> print(state)
       a b c d
     1 . . . .
      2 . . X .
       3 . . . .
        4 . . . .
    """

    game_type = GameType(
        "Hex",
        2,
        2,
        HexParameters,
        categories=("abstract",),
        mechanics=("connection", "grid placement"),
        hidden_information=False,
        chance=False,
        check_parameters="size=5,swap=true",
        heuristic=HexHeuristic,
        features=HexFeatures,
    )

    def __init__(self, parameters: HexParameters | None = None) -> None:
        chosen = HexParameters() if parameters is None else parameters
        super().__init__(chosen)
        self.size: i64 = chosen.size
        self.swaps = chosen.swap
        self.inside = _INSIDE[chosen.size]
        self.stones: list[AnyAction] = [interned(PutStone(cell, chosen.size)) for cell in range(chosen.size**2)]
        self.swap: AnyAction = interned(Swap())

    def vocabulary(self, n_players: i64) -> Vocabulary:
        """Return the cells, row by row, and the swap where there is one."""
        stones = Actions(PutStone, cell=range(self.size**2), size=(self.size,))
        return Vocabulary(stones, Actions(Swap)) if self.swaps else Vocabulary(stones)

    def cells(self, n_players: i64) -> Cells:
        """Return the cells; the board may be turned by half."""
        n_cells = int(self.size) ** 2
        turned = tuple(range(n_cells))[::-1]
        grid = _GRIDS[self.size]
        symmetries = [turned[::-1], turned]
        swap = (n_cells,) if self.swaps else ()
        return Cells(
            n_cells,
            3,
            symmetries,
            [symmetry + swap for symmetry in symmetries],
            [grid.neighbours(cell) for cell in range(n_cells)],
            rows=grid_rows(int(self.size), int(self.size)),
        )

    def _setup(self, n_players: i64, rng: Rng) -> HexState:
        return HexState(n_players, self.size, _empty_board(int(self.size)), self.size * self.size)

    def _set_cells(self, state: HexState, cells: bytes) -> None:
        for cell in range(len(cells)):
            value: i64 = cells[cell]
            if value:
                state.put(self.inside[cell], value - 1)

    def _can_swap(self, state: HexState) -> bool:
        return self.swaps and state.current_player == 1 and state.free == self.size * self.size - 1

    def _available_actions(self, state: HexState) -> list[AnyAction]:
        board, inside = state.board, self.inside
        actions = [stone for cell, stone in enumerate(self.stones) if board[inside[cell]] == 0]
        if self._can_swap(state):
            actions.append(self.swap)
        return actions

    def random_action(self, state: HexState, rng: Rng) -> AnyAction:
        """Draw one of the free cells by its place among them."""
        if self._can_swap(state):
            return super().random_action(state, rng)
        board, inside = state.board, self.inside
        skipped = rng.below(state.free)
        cell: i64 = 0
        while skipped > 0 or board[inside[cell]] != 0:
            if board[inside[cell]] == 0:
                skipped -= 1
            cell += 1
        return self.stones[cell]

    def _after_action(self, state: HexState, action: AnyAction, rng: Rng) -> None:
        self.give_turn(state, 1 - state.current_player)
