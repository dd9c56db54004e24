"""Grids of all sizes: lines and boxes by number, and as boards of bits.

Bit ``row * stride + column`` of a board is a box, the line above it or the line left of it; the stride is the width + 1.
Lines across and lines down have a board each. The bits of the last column are no boxes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

from tag import Parameters, integer
from tag.components import BoardNode, Edge, Graph

LARGEST: Final = 19
COLUMNS: Final = "abcdefghijklmnopqrst"

Dot = tuple[int, int]


def lines_of(width: int, height: int) -> list[tuple[Dot, Dot]]:
    """Return the dots, as column and row, that each line joins: lines across row by row, then lines down row by row."""
    across = [((column, row), (column + 1, row)) for row in range(height + 1) for column in range(width)]
    return across + [((column, row), (column, row + 1)) for row in range(height) for column in range(width + 1)]


def sides_of(box: int, width: int, height: int) -> tuple[int, int, int, int]:
    """Return the lines above, below, left and right of a box, which has its number row by row."""
    row, column = divmod(box, width)
    left = (height + 1) * width + row * (width + 1) + column
    return (box, box + width, left, left + 1)


@cache
def line_names(width: int, height: int) -> list[str]:
    """Return the names of all lines, those of the dots that they join: ``b3-c3``."""
    lines = lines_of(width, height)
    return [f"{COLUMNS[x]}{y + 1}-{COLUMNS[other_x]}{other_y + 1}" for (x, y), (other_x, other_y) in lines]


@cache
def lines_around(width: int, height: int) -> list[list[int]]:
    """Return for each line the others of the boxes at its sides."""
    boxes = [sides_of(box, width, height) for box in range(width * height)]
    found: list[list[int]] = [[] for _line in lines_of(width, height)]
    for sides in boxes:
        for line in sides:
            found[line] += [other for other in sides if other != line]
    return found


@cache
def line_graph(width: int, height: int) -> Graph:
    """Return the lines as nodes of a graph, in which those of one box are next to each other."""
    around = lines_around(width, height)
    edges = [Edge(line, other) for line, others in enumerate(around) for other in others if line < other]
    return Graph([BoardNode(name) for name in line_names(width, height)], edges)


def grid_symmetries(width: int, height: int) -> list[tuple[int, ...]]:
    """Return the reflections and rotations of the grid as permutations of lines and, behind these, boxes."""
    lines = lines_of(width, height)
    number = {frozenset(line): at for at, line in enumerate(lines)}
    boxes = [divmod(box, width) for box in range(width * height)]
    found: list[tuple[int, ...]] = []
    for is_turned in (False, True) if width == height else (False,):
        for flips_x in (False, True):
            for flips_y in (False, True):
                of_lines = [
                    number[frozenset([_moved(dot, width, height, flips_x, flips_y, is_turned) for dot in line])]
                    for line in lines
                ]
                of_boxes: list[int] = []
                for row, column in boxes:
                    x, y = _moved((column, row), width - 1, height - 1, flips_x, flips_y, is_turned)
                    of_boxes.append(len(lines) + y * width + x)
                found.append((*of_lines, *of_boxes))
    return found


def _moved(place: Dot, most_x: int, most_y: int, flips_x: bool, flips_y: bool, is_turned: bool) -> Dot:
    x = most_x - place[0] if flips_x else place[0]
    y = most_y - place[1] if flips_y else place[1]
    return (y, x) if is_turned else (x, y)


def distinct(tuples: list[tuple[int, ...]], symmetries: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Return one of each class of ``tuples`` under the symmetries."""
    return sorted({min([tuple(sorted([to[cell] for cell in cells])) for to in symmetries]) for cells in tuples})


def lines_at(boxes: int, stride: int) -> tuple[int, int]:
    """Return the lines across and down that are sides of ``boxes``."""
    return boxes | boxes << stride, boxes | boxes << 1


def boxes_at(across: int, down: int, stride: int) -> int:
    """Return the boxes that have any of these lines as a side."""
    return across | across >> stride | down | down >> 1


def by_free_sides(across: int, down: int, stride: int) -> tuple[int, int, int]:
    """Return the boxes with one, with two and with three free sides, of free lines ``across`` and ``down``.

    Bits that are no boxes mean nothing.
    """
    below, right = across >> stride, down >> 1
    odd_rows, odd_columns = across ^ below, down ^ right
    both_rows, both_columns = across & below, down & right
    ones = odd_rows ^ odd_columns
    twos = both_rows ^ both_columns ^ (odd_rows & odd_columns)
    return ones & ~twos, twos & ~ones, ones & twos


def pieces(across: int, down: int, stride: int, boxes: int) -> list[int]:
    """Return the chains and loops of ``boxes``, all with two free sides: twice the size, plus 1 for a loop."""
    found: list[int] = []
    while boxes:
        piece = boxes & -boxes
        while True:
            grown = piece | piece << 1 & down | (piece & down) >> 1
            grown |= piece << stride & across | (piece & across) >> stride
            grown &= boxes
            if grown == piece:
                break
            piece = grown
        boxes ^= piece
        joins = (piece & piece << 1 & down).bit_count() + (piece & piece << stride & across).bit_count()
        size = piece.bit_count()
        found.append(2 * size + (1 if joins == size else 0))
    return found


@dataclass
class DotsAndBoxesParameters(Parameters):
    """The grid, and TAG's restriction of the opening."""

    width: int = integer(7, 1, LARGEST, "boxes in a row")
    height: int = integer(5, 1, LARGEST, "boxes in a column")
    third_sides_after: int = integer(
        0,
        0,
        760,
        "lines until one may be the third side of a box, unless it completes another or there is no other line",
    )
