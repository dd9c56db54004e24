"""Islands of hexes with numbered corners and paths, as tables that are computed once, and the longest way over paths.

Hexes, corners and paths are numbered row by row from the top. Sets of corners are numbers with a bit for each, so that an
island has at most 62: its radius is 2 at most.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64, mypyc_attr

from tag.engine.snapshot import Copyable

#: From the centre of a hex to its corners, clockwise from the top; side i is between corners i and i + 1.
_CORNERS: Final[list[tuple[int, int]]] = [(0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1)]
#: Steps to the next hex across each side: north-east, east, and so on clockwise.
_ACROSS: Final[list[tuple[int, int]]] = [(1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1)]
#: The direction of each tip of an island, counter-clockwise from the east.
_TIPS: Final[list[tuple[int, int]]] = [(1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)]


@mypyc_attr(allow_interpreted_subclasses=True)
class HexCorners(Copyable):
    """A hexagon of hexes with its corners and the paths between them.

    Hexes have axial coordinates (q, r). A hex has its centre at (x, y) = (2q + r, 3r), and corners one or two units away.

    Examples:
        >>> island = HexCorners(2)
        >>> len(island.hexes), len(island.points), len(island.paths)
        (19, 54, 72)

    Attributes:
        hexes: the axial coordinates of the hexes.
        points: the corners as points (y, x).
        hex_corners: the six corners of each hex, clockwise from the top.
        hex_sets: the same as sets.
        paths: the paths as pairs of corners, the lower one first.
        starts: the lower corner of each path.
        ends: the other one.
        corner_paths: the paths at each corner.
        beside: the corners next to each corner, as sets.
        corner_hexes: the hexes at each corner.
        neighbours: the hexes next to each hex.
        spirals: the hexes in a spiral inwards, counter-clockwise from each tip.
    """

    def __init__(self, radius: int) -> None:
        """Compute the tables for an island with so many rings around the hex in the middle."""
        reach = range(-radius, radius + 1)
        self.hexes: list[tuple[int, int]] = [(q, r) for r in reach for q in reach if abs(q + r) <= radius]
        corners = [[(3 * r + y, 2 * q + r + x) for x, y in _CORNERS] for q, r in self.hexes]
        self.points: list[tuple[int, int]] = sorted({point for around in corners for point in around})
        self.hex_corners: list[list[int]] = [[self.points.index(point) for point in around] for around in corners]
        self.hex_sets: list[int] = [sum([1 << corner for corner in around]) for around in self.hex_corners]
        sides = [self.side(place, number) for place in range(len(self.hexes)) for number in range(6)]
        self.paths: list[tuple[int, int]] = sorted(set(sides))
        self.starts: list[int] = [start for start, _end in self.paths]
        self.ends: list[int] = [end for _start, end in self.paths]
        numbers = range(len(self.points))
        ways = [[path for path, pair in enumerate(self.paths) if corner in pair] for corner in numbers]
        self.corner_paths: list[list[int]] = ways
        self.beside: list[int] = [
            sum([1 << (self.starts[path] + self.ends[path] - corner) for path in ways[corner]]) for corner in numbers
        ]
        self.corner_hexes: list[list[int]] = [
            [place for place, around in enumerate(self.hex_corners) if corner in around] for corner in numbers
        ]
        self.neighbours: list[list[int]] = [
            [self.hexes.index((q + dq, r + dr)) for dq, dr in _ACROSS if (q + dq, r + dr) in self.hexes]
            for q, r in self.hexes
        ]
        self.spirals: list[list[int]] = [self._spiral(radius, tip) for tip in range(len(_TIPS))]

    def side(self, place: int, number: int) -> tuple[int, int]:
        """Return the corners of a side of a hex, the lower one first; sides are numbered clockwise from the north-east."""
        corners = self.hex_corners[place]
        one, other = corners[number], corners[(number + 1) % 6]
        return (min(one, other), max(one, other))

    def _spiral(self, radius: int, first: int) -> list[int]:
        found: list[int] = []
        for ring in range(radius, 0, -1):
            for number in range(first, first + 6):
                (q, r), (next_q, next_r) = _TIPS[number % 6], _TIPS[(number + 1) % 6]
                for step in range(ring):
                    back = ring - step
                    found.append(self.hexes.index((q * back + next_q * step, r * back + next_r * step)))
        return [*found, self.hexes.index((0, 0))]

    def longest_way(self, owners: list[int], player: i64, blocked: i64) -> i64:
        """Return the length of the longest way over a player's paths that uses each once and does not pass blocked corners.

        Args:
            owners: the owner of each path, which is left as it is.
            player: the player.
            blocked: the corners at which ways can only begin and end.
        """
        left = owners[:]
        tried: i64 = 0
        longest: i64 = 0
        for path in range(len(left)):
            if owners[path] == player:
                for corner in (self.starts[path], self.ends[path]):
                    if tried >> corner & 1 == 0:
                        tried |= 1 << int(corner)
                        longest = max(longest, self._longest_from(left, player, blocked, corner))
        return longest

    def _longest_from(self, left: list[int], player: i64, blocked: i64, corner: i64) -> i64:
        """Return the longest way from a corner over paths in ``left``, which is as before afterwards."""
        longest: i64 = 0
        for path in self.corner_paths[corner]:
            if left[path] == player:
                other: i64 = self.starts[path] + self.ends[path] - corner
                found: i64 = 1
                if blocked >> other & 1 == 0:
                    left[path] = -1
                    found += self._longest_from(left, player, blocked, other)
                    left[path] = int(player)
                longest = max(longest, found)
        return longest
