"""The island: 19 hexes with their 54 corners and 72 paths, the places of the harbours, and the longest road.

Corners and paths are numbered from the top, row by row. Sets of corners are numbers with a bit for each. All tables are
computed once, from integer coordinates: a hex at axial (q, r) has its centre at (2q + r, 3r), and its corners are one or two
units away.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from tag.components import BoardNode, Edge, Graph, HexGrid

N_HEXES: Final = 19
N_CORNERS: Final = 54
N_PATHS: Final = 72
NO_HEX: Final = -1
#: The bit of each corner; compiled, a shifted 1 has but 32 bits.
BIT: Final[list[int]] = [1 << corner for corner in range(N_CORNERS)]

#: From the centre to the corners, clockwise from the top; side i is between corners i and i + 1: north-east first.
_CORNERS: Final = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))
_NORTH_EAST, _EAST, _SOUTH_EAST, _SOUTH_WEST, _WEST, _NORTH_WEST = range(6)
#: To the next hex across each side.
_ACROSS: Final = ((1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1))

#: The axial coordinates of the hexes, row by row.
HEXES: Final[list[tuple[int, int]]] = [(q, r) for r in range(-2, 3) for q in range(-2, 3) if abs(q + r) <= 2]


def _corner_points(q: int, r: int) -> list[tuple[int, int]]:
    """Return the corners of a hex as points (y, x)."""
    return [(3 * r + y, 2 * q + r + x) for x, y in _CORNERS]


#: The corners as points (y, x); the place in this list is the number of a corner.
POINTS: Final[list[tuple[int, int]]] = sorted({point for q, r in HEXES for point in _corner_points(q, r)})
#: The six corners of each hex, clockwise from the top, and the same as a set.
HEX_CORNERS: Final[list[list[int]]] = [[POINTS.index(point) for point in _corner_points(q, r)] for q, r in HEXES]
HEX_SETS: Final[list[int]] = [sum([1 << corner for corner in corners]) for corners in HEX_CORNERS]


def _sides(place: int) -> list[tuple[int, int]]:
    """Return the sides of a hex as pairs of corners, the lower one first."""
    corners = HEX_CORNERS[place]
    pairs = [(corners[side], corners[(side + 1) % 6]) for side in range(6)]
    return [(min(pair), max(pair)) for pair in pairs]


#: The paths as pairs of corners.
PATHS: Final[list[tuple[int, int]]] = sorted({pair for place in range(N_HEXES) for pair in _sides(place)})
STARTS: Final[list[int]] = [start for start, _end in PATHS]
ENDS: Final[list[int]] = [end for _start, end in PATHS]
#: The paths at each corner, and the corners next to it as a set.
CORNER_PATHS: Final[list[list[int]]] = [
    [path for path in range(N_PATHS) if corner in PATHS[path]] for corner in range(N_CORNERS)
]
BESIDE: Final[list[int]] = [
    sum([1 << (STARTS[path] + ENDS[path] - corner) for path in CORNER_PATHS[corner]]) for corner in range(N_CORNERS)
]
#: The hexes at each corner, and those next to each hex.
CORNER_HEXES: Final[list[list[int]]] = [
    [place for place in range(N_HEXES) if corner in HEX_CORNERS[place]] for corner in range(N_CORNERS)
]
NEIGHBOURS: Final[list[list[int]]] = [
    [HEXES.index((q + dq, r + dr)) for dq, dr in _ACROSS if (q + dq, r + dr) in HEXES] for q, r in HEXES
]

#: The harbours of the printed frame, counter-clockwise from the east: a hex and its side to the sea.
_HARBOURS: Final = (
    ((2, 0), _EAST),
    ((2, -1), _NORTH_EAST),
    ((1, -2), _NORTH_EAST),
    ((0, -2), _NORTH_WEST),
    ((-1, -1), _WEST),
    ((-2, 1), _WEST),
    ((-2, 2), _SOUTH_WEST),
    ((-1, 2), _SOUTH_EAST),
    ((1, 1), _SOUTH_EAST),
)
#: The two corners of each harbour, as a set.
HARBOUR_SETS: Final[list[int]] = [
    sum([1 << corner for corner in _sides(HEXES.index(place))[side]]) for place, side in _HARBOURS
]

#: The corner hexes of the island, counter-clockwise from the east.
_TIPS: Final = ((2, 0), (2, -2), (0, -2), (-2, 0), (-2, 2), (0, 2))


def _spiral(first: int) -> list[int]:
    """Return the hexes counter-clockwise from a tip of the island inwards."""
    found: list[int] = []
    for ring in (2, 1):
        for tip in range(first, first + 6):
            (q, r), (next_q, next_r) = _TIPS[tip % 6], _TIPS[(tip + 1) % 6]
            for step in range(ring):
                there = (q * (ring - step) + next_q * step, r * (ring - step) + next_r * step)
                found.append(HEXES.index((there[0] // 2, there[1] // 2)))
    return [*found, HEXES.index((0, 0))]


#: The printed spiral from each tip of the island.
SPIRALS: Final[list[list[int]]] = [_spiral(first) for first in range(6)]

#: The boards of components.
GRID: Final = HexGrid(tuple(HEXES))
CORNER_GRAPH: Final = Graph(
    [BoardNode(f"c{corner + 1}") for corner in range(N_CORNERS)], [Edge(start, end) for start, end in PATHS]
)


def longest_road(roads: list[int], player: i64, blocked: i64) -> i64:
    """Return the length of the longest road of a player that uses each path once; it does not go on past blocked corners.

    Args:
        roads: the owner of the road on each path, which is left as it is.
        player: the player.
        blocked: the corners with settlements and cities of others.
    """
    left = roads[:]
    tried: i64 = 0
    longest: i64 = 0
    for path in range(N_PATHS):
        if roads[path] == player:
            for corner in (STARTS[path], ENDS[path]):
                if tried >> corner & 1 == 0:
                    tried |= BIT[corner]
                    found = _longest_from(left, player, blocked, corner)
                    longest = max(longest, found)
    return longest


def _longest_from(left: list[int], player: i64, blocked: i64, corner: i64) -> i64:
    """Return the length of the longest road from a corner over paths in ``left``, which is as before afterwards."""
    longest: i64 = 0
    for path in CORNER_PATHS[corner]:
        if left[path] == player:
            other: i64 = STARTS[path] + ENDS[path] - corner
            found: i64 = 1
            if blocked >> other & 1 == 0:
                left[path] = -1
                found += _longest_from(left, player, blocked, other)
                left[path] = int(player)
            longest = max(longest, found)
    return longest
