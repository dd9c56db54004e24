"""Grid board (to be completed)."""

from __future__ import annotations

from mypy_extensions import i64

from tag.components._component import Component


class GridBoard(Component):
    """A rectangular board over one flat list."""

    def __init__(self, name: str, width: i64, height: i64, cells: list[int]) -> None:
        """Take the cells row by row."""
        super().__init__(name)
        self.width = width
        self.height = height
        self.cells = cells
