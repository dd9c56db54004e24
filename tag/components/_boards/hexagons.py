"""Hex boards: six-sided cells in axial coordinates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from mypy_extensions import i64, mypyc_attr

from tag.components._boards.board import Board
from tag.components._containers import T
from tag.components._visibility import VISIBLE_TO_ALL
from tag.errors import ContractError

if TYPE_CHECKING:
    from collections.abc import Sequence

#: Steps to the six neighbours, in turn around the cell.
_HEXAGON_STEPS: Final = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))


@mypyc_attr(allow_interpreted_subclasses=True)
class HexGrid:
    """Set of hexagons: the immutable map that all copies of a board share.

    Coordinates are axial: q counts columns, r rows; the six neighbours of (q, r) are at (±1, 0), (0, ±1), (1, -1), (-1, 1).

    Examples:
        >>> grid = HexGrid.hexagon(2)
        >>> middle = grid.place(0, 0)
        >>> len(grid.coordinates), grid.neighbours(middle), len(grid.ring(middle, 2))
        (19, [10, 14, 13, 8, 4, 5], 12)
        >>> grid.distance(0, len(grid.coordinates) - 1)
        4

    Attributes:
        coordinates: (q, r) of each place.
    """

    __slots__ = ("_places", "coordinates")
    coordinates: tuple[tuple[int, int], ...]
    _places: dict[tuple[int, int], int]

    def __init__(self, coordinates: Sequence[tuple[int, int]]) -> None:
        """Number the hexagons in the order given.

        Raises:
            ContractError: one is there twice.
        """
        self.coordinates = tuple([(q, r) for q, r in coordinates])
        self._places = {coordinate: place for place, coordinate in enumerate(self.coordinates)}
        if len(self._places) != len(self.coordinates):
            raise ContractError("a hexagon is there twice")

    @classmethod
    def hexagon(cls, radius: i64) -> HexGrid:
        """Return a hexagon of hexagons, row by row, with ``radius`` rings around the middle at (0, 0)."""
        size = int(radius)
        return HexGrid([(q, r) for r in range(-size, size + 1) for q in range(-size, size + 1) if abs(q + r) <= size])

    @classmethod
    def rectangle(cls, width: i64, height: i64) -> HexGrid:
        """Return ``height`` rows of ``width`` hexagons, every second one pushed by half a hexagon; (0, 0) is first."""
        return HexGrid([(q - r // 2, r) for r in range(int(height)) for q in range(int(width))])

    def place(self, q: i64, r: i64) -> i64:
        """Return the place at (``q``, ``r``), -1 where there is none."""
        return self._places.get((int(q), int(r)), -1)

    def neighbours(self, place: i64) -> list[int]:
        """Return the places next to ``place``, in turn around it."""
        q, r = self.coordinates[place]
        near = [self._places.get((q + dq, r + dr), -1) for dq, dr in _HEXAGON_STEPS]
        return [found for found in near if found >= 0]

    def distance(self, start: i64, end: i64) -> int:
        """Return how many steps lie between two places on an endless board."""
        q1, r1 = self.coordinates[start]
        q2, r2 = self.coordinates[end]
        dq, dr = q2 - q1, r2 - r1
        return (abs(dq) + abs(dr) + abs(dq + dr)) // 2

    def ring(self, place: i64, radius: i64) -> list[int]:
        """Return the places at a distance of exactly ``radius``, by number."""
        return [other for other in range(len(self.coordinates)) if self.distance(place, other) == radius]

    def within(self, place: i64, radius: i64) -> list[int]:
        """Return the places at a distance of at most ``radius`` (itself as well), by number."""
        return [other for other in range(len(self.coordinates)) if self.distance(place, other) <= radius]

    def key(self) -> tuple[object, ...]:
        """Return the arguments of the constructor."""
        return (self.coordinates,)

    def __reduce__(self) -> Any:
        """Pickle by the arguments of the constructor."""
        return (HexGrid, self.key())


@mypyc_attr(allow_interpreted_subclasses=True)
class HexBoard(Board[T]):
    """A board whose places are hexagons.

    Examples:
        >>> board = HexBoard("board", HexGrid.rectangle(3, 2), [0] * 6)
        >>> board.set(board.place(1, 0), 5)
        >>> board.contents(), board.place_name(1)
        ([0, 5, 0, 0, 0, 0], '(1, 0)')

    Attributes:
        grid: the hexagons, shared by all copies.
    """

    __slots__ = ("grid",)
    grid: HexGrid

    def __init__(
        self,
        name: str,
        grid: HexGrid,
        cells: list[T],
        owner: i64 = -1,
        visibility: i64 = VISIBLE_TO_ALL,
    ) -> None:
        """Take the value on each hexagon.

        Raises:
            ContractError: their number does not fit.
        """
        super().__init__(name, cells, owner, visibility)
        self.grid = grid
        self.check_cells(len(grid.coordinates))

    def copy(self) -> HexBoard[T]:
        """Copy the values; the grid is shared."""
        return HexBoard(self.name, self.grid, self.cells[:], self.owner, self.visibility)

    def place(self, q: i64, r: i64) -> i64:
        """Return the place at (``q``, ``r``).

        Raises:
            ContractError: there is none.
        """
        found = self.grid.place(q, r)
        if found < 0:
            raise ContractError(f"board {self.name!r} has no hexagon at ({q}, {r})")
        return found

    def neighbours(self, place: i64) -> list[int]:
        """Return the places next to ``place``, in turn around it."""
        return self.grid.neighbours(place)

    def place_name(self, place: i64) -> str:
        """Return the axial coordinates."""
        q, r = self.grid.coordinates[place]
        return f"({q}, {r})"
