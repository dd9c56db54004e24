"""Boards: numbered places with a value on each, and their neighbours."""

from __future__ import annotations

from mypy_extensions import i64, mypyc_attr

from tag.components._containers import Container, T
from tag.components._visibility import VISIBLE_TO_ALL
from tag.errors import ContractError


@mypyc_attr(allow_interpreted_subclasses=True)
class Board(Container[T]):
    """Places numbered from 0, with one value on each: a number, or a token.

    Attributes:
        cells: the value on each place.
    """

    __slots__ = ("cells",)
    cells: list[T]

    def __init__(self, name: str, cells: list[T], owner: i64 = -1, visibility: i64 = VISIBLE_TO_ALL) -> None:
        """Take the values by place; hidden ones are dealt among the board's own places only."""
        super().__init__(name, name, owner, visibility)
        self.cells = cells

    def contents(self) -> list[T]:
        """Return the list itself."""
        return self.cells

    def get(self, place: i64) -> T:
        """Return the value on ``place``."""
        return self.cells[place]

    def set(self, place: i64, value: T) -> None:
        """Put ``value`` on ``place``.

        Raises:
            ContractError: there is no such place.
        """
        if not 0 <= place < len(self.cells):
            raise ContractError(f"board {self.name!r} has no place {place}; it has {len(self.cells)}")
        self.cells[place] = value

    def neighbours(self, place: i64) -> list[int]:
        """Return the places next to ``place``, in a fixed order."""
        raise NotImplementedError

    def place_name(self, place: i64) -> str:
        """Return ``place`` for people."""
        return str(place)

    def text(self, viewer: i64) -> str:
        """Return the value on each place, by the place's name."""
        places = range(len(self.cells))
        return ", ".join([f"{self.place_name(place)}: {self.item_text(place, viewer)}" for place in places])

    def check_cells(self, places: int) -> None:
        """Raise `ContractError` where there is not one value for each of ``places``."""
        if len(self.cells) != places:
            raise ContractError(f"board {self.name!r} needs {places} cells, not {len(self.cells)}")
