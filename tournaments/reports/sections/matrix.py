"""A matrix in a report or live page: shares of rows against columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True)
class Matrix:
    """Shares of rows against columns as a table, whose heads stay in view while it is scrolled.

    Attributes:
        rows: the names of the rows.
        columns: the headings of the columns, each with its full name.
        shares: of each row, each from 0 to 1; None where there is none.
        is_marked: whether each share is marked.
    """

    kind: ClassVar[str] = "matrix"
    caption: str
    rows: Sequence[str]
    columns: Sequence[tuple[str, str]]
    shares: Sequence[Sequence[float | None]]
    is_marked: Sequence[Sequence[bool]]

    #: So many shades has each side of one half.
    SHADES: ClassVar[int] = 6

    @property
    def cells(self) -> list[tuple[str, list[tuple[str, str]]]]:
        """Each row's name, with the text and the shade of its cells: ``h1`` … above one half, ``l1`` … below."""
        return [
            (name, [self._cell(share, mark) for share, mark in zip(shares, marks, strict=True)])
            for name, shares, marks in zip(self.rows, self.shares, self.is_marked, strict=True)
        ]

    def _cell(self, share: float | None, is_marked: bool) -> tuple[str, str]:
        if share is None:
            return "", ""
        shade = min(self.SHADES, round(abs(2.0 * share - 1.0) * self.SHADES))
        return (
            f"{100.0 * share:.0f}{'*' if is_marked else ''}",
            f"{'h' if share > 0.5 else 'l'}{shade}" if shade else "",
        )
