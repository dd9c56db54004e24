"""Grid boards: rectangles of square cells."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from tag.components._boards.board import Board
from tag.components._containers import T
from tag.components._visibility import MIXED_VISIBILITY, VISIBLE_TO_ALL, sees
from tag.errors import ContractError

if TYPE_CHECKING:
    from collections.abc import Hashable

#: Steps to the neighbours: orthogonal ones first.
_SQUARE_STEPS: Final = ((1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1))
#: Directions of straight lines: right, down, down-right, down-left.
_DIRECTIONS: Final = ((1, 0), (0, 1), (1, 1), (-1, 1))


@mypyc_attr(allow_interpreted_subclasses=True)
class GridBoard(Board[T]):
    """A rectangular board over one flat list, row by row: column x of row y is place ``y * width + x``.

    Examples:
        >>> board = GridBoard("board", 3, 2, [0] * 6)
        >>> board.set(board.place(2, 1), 7)
        >>> print(board.text(-1))
        0 0 0
        0 0 7
        >>> board.place_name(5), board.neighbours(5)
        ('c2', [4, 2])
    """

    __slots__ = ("height", "width")
    width: i64
    height: i64

    def __init__(
        self,
        name: str,
        width: i64,
        height: i64,
        cells: list[T],
        owner: i64 = -1,
        visibility: i64 = VISIBLE_TO_ALL,
    ) -> None:
        """Take the cells row by row.

        Raises:
            ContractError: their number does not fit.
        """
        super().__init__(name, cells, owner, visibility)
        self.width = width
        self.height = height
        self.check_cells(int(width * height))

    def copy(self) -> GridBoard[T]:
        """Copy the cells."""
        return GridBoard(self.name, self.width, self.height, self.cells[:], self.owner, self.visibility)

    def place(self, x: i64, y: i64) -> i64:
        """Return the place in column ``x`` of row ``y``, both from 0.

        Raises:
            ContractError: it lies beyond the edge.
        """
        if not self.is_inside(x, y):
            raise ContractError(f"board {self.name!r} has {self.width} by {self.height} cells, and none at ({x}, {y})")
        return y * self.width + x

    def is_inside(self, x: i64, y: i64) -> bool:
        """Say whether there is a cell in column ``x`` of row ``y``."""
        return 0 <= x < self.width and 0 <= y < self.height

    def neighbours(self, place: i64, diagonal: bool = False) -> list[int]:
        """Return the places next to ``place``: right, down, left, up, and then the ``diagonal`` ones."""
        x, y = place % self.width, place // self.width
        found: list[int] = []
        for dx, dy in _SQUARE_STEPS if diagonal else _SQUARE_STEPS[:4]:
            if self.is_inside(x + dx, y + dy):
                found.append(int(place + dy * self.width + dx))
        return found

    def lines(self, length: i64) -> list[tuple[int, ...]]:
        """Return the places of every straight line of ``length`` cells: in rows, columns and both diagonals.

        Examples:
            >>> GridBoard("board", 3, 3, [0] * 9).lines(3)[:4]
            [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6)]
        """
        found: list[tuple[int, ...]] = []
        for dx, dy in _DIRECTIONS:
            step = dy * self.width + dx
            for place in range(self.width * self.height):
                x, y = place % self.width, place // self.width
                if self.is_inside(x + dx * (length - 1), y + dy * (length - 1)):
                    found.append(tuple([int(place + step * i) for i in range(length)]))
        return found

    def place_name(self, place: i64) -> str:
        """Return ``place`` as column and row: ``b3``; columns after z are numbers."""
        x, y = place % self.width, place // self.width
        return f"{chr(int(97 + x)) if self.width <= 26 else f'{x + 1}/'}{y + 1}"

    def text(self, viewer: i64) -> str:
        """Draw the cells row by row."""
        rows: list[str] = []
        for y in range(self.height):
            rows.append(" ".join([self.item_text(y * self.width + x, viewer) for x in range(self.width)]))
        return "\n".join(rows)


@mypyc_attr(allow_interpreted_subclasses=True)
class PartiallyObservableGridBoard(GridBoard[T]):
    """A grid in which each cell has its own set of players who see it: its visibility is mixed.

    Examples:
        >>> from tag.components import HIDDEN_TO_ALL
        >>> board = PartiallyObservableGridBoard("map", 2, 1, ["x", "y"], n_players=2, visibility=HIDDEN_TO_ALL)
        >>> board.show(0, 1)
        >>> board.text(0), board.text(1)
        ('? ?', 'x ?')

    Attributes:
        n_players: the number of players.
        seen: for each cell the players who see it, as bits.
    """

    __slots__ = ("n_players", "seen")
    n_players: i64
    seen: list[int]

    def __init__(
        self,
        name: str,
        width: i64,
        height: i64,
        cells: list[T],
        n_players: i64,
        owner: i64 = -1,
        visibility: i64 = VISIBLE_TO_ALL,
    ) -> None:
        """Take the cells row by row; ``visibility`` (to all, to none or to the owner) holds at first.

        Raises:
            ContractError: their number does not fit.
        """
        super().__init__(name, width, height, cells, owner, visibility)
        self.n_players = n_players
        seen = 0
        for player in range(n_players):
            if self.is_visible_to(player):
                seen |= 1 << int(player)
        self.seen = [seen] * len(cells)
        self.visibility = MIXED_VISIBILITY

    def copy(self) -> PartiallyObservableGridBoard[T]:
        """Copy the cells and their visibility."""
        cells = self.cells[:]
        other = PartiallyObservableGridBoard(self.name, self.width, self.height, cells, self.n_players, self.owner)
        other.seen = self.seen[:]
        return other

    def is_item_visible(self, index: i64, player: i64) -> bool:
        """Say whether ``player`` sees the cell at ``index``."""
        return sees(self.seen[index], player)

    def show(self, place: i64, player: i64) -> None:
        """Let ``player`` (-1 for all) see ``place``."""
        self.seen[place] |= (1 << int(self.n_players)) - 1 if player < 0 else 1 << int(player)

    def hide(self, place: i64, player: i64) -> None:
        """Hide ``place`` from ``player`` (-1 for all)."""
        self.seen[place] &= 0 if player < 0 else ~(1 << int(player))

    def known_to(self, player: i64) -> Hashable:
        """Return the cells that ``player`` sees, and the players who see each cell."""
        return (super().known_to(player), tuple(self.seen))
