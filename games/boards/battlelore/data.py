"""The map, lines of sight, units, command cards and scenarios: all are tables of integers.

The map has nine rows of hexagons, by turns twelve and eleven of them: a hexagon is a number, row by row from the top.
Directions are numbered clockwise from the right. A set of cards has four bits for the copies of each card.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from mypy_extensions import i64

from tag import Parameters, choice, flag, integer
from tag.components import Card, HexGrid, shared
from tag.errors import ParameterError

# The map.
N_ROWS: Final = 9
#: The hexagons of an even row and of an odd row, which is pushed to the right by half a hexagon.
WIDTHS: Final = (12, 11)
N_HEXES: Final = 104
OFF_MAP: Final = -1
N_DIRECTIONS: Final = 6
_STEPS: Final = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))

GRID: Final = HexGrid([(column - row // 2, row) for row in range(N_ROWS) for column in range(WIDTHS[row % 2])])


def hex_at(column: int, row: int) -> int:
    """Return the hexagon in a row, both counted from 0."""
    return int(GRID.place(column - row // 2, row))


def column_of(place: int) -> int:
    """Return the number of a hexagon in its row."""
    q, row = GRID.coordinates[place]
    return q + row // 2


def row_of(place: int) -> int:
    """Return the row of a hexagon."""
    return GRID.coordinates[place][1]


def hex_name(place: int) -> str:
    """Return the letter of the column and the number of the row, from 1: ``D7``."""
    return f"{'ABCDEFGHIJKL'[column_of(place)]}{row_of(place) + 1}"


def map_place(place: i64) -> str:
    """Return a hexagon as components name it."""
    q, row = GRID.coordinates[place]
    return f"map/({q}, {row})"


def _beside(place: int, direction: int) -> int:
    q, row = GRID.coordinates[place]
    return int(GRID.place(q + _STEPS[direction][0], row + _STEPS[direction][1]))


#: The hexagon beside each one in each direction, `OFF_MAP` where there is none.
BESIDE: Final[list[int]] = [_beside(place, direction) for place in range(N_HEXES) for direction in range(N_DIRECTIONS)]
#: The number of steps from one hexagon to another.
DISTANCE: Final[list[int]] = [int(GRID.distance(start, end)) for start in range(N_HEXES) for end in range(N_HEXES)]
#: The hexagons one step away.
NEAR: Final[list[list[int]]] = [
    [end for end in BESIDE[place * N_DIRECTIONS : (place + 1) * N_DIRECTIONS] if end != OFF_MAP]
    for place in range(N_HEXES)
]


def _two_steps(place: int) -> list[int]:
    """Return three numbers for each hexagon two steps away: itself, and those between, the same twice if there is one."""
    found: list[int] = []
    for end in range(N_HEXES):
        if DISTANCE[place * N_HEXES + end] == 2:
            between = [near for near in NEAR[place] if end in NEAR[near]]
            found += [end, between[0], between[-1]]
    return found


FAR: Final[list[list[int]]] = [_two_steps(place) for place in range(N_HEXES)]


# Sections.
LEFT: Final = 0
LEFT_OR_CENTRE: Final = 1
CENTRE: Final = 2
CENTRE_OR_RIGHT: Final = 3
RIGHT: Final = 4
N_ZONES: Final = 5


def _zone(seat: int, place: int) -> int:
    """Return the section of a hexagon, or the two that share it, as the player at ``seat`` sees the map."""
    column = column_of(place)
    if row_of(place) % 2 == 0:
        zone = (LEFT, CENTRE, RIGHT)[column // 4]
    elif column in (3, 7):
        zone = LEFT_OR_CENTRE if column == 3 else CENTRE_OR_RIGHT
    else:
        zone = (LEFT, CENTRE, RIGHT)[(column + 1) // 4]
    return zone if seat == LOWER else RIGHT - zone


#: The seat of the army in the upper rows, and of the one in the lower rows.
UPPER: Final = 0
LOWER: Final = 1
#: The zone of each hexagon for each seat.
ZONE: Final[list[int]] = [_zone(seat, place) for seat in (UPPER, LOWER) for place in range(N_HEXES)]
#: One unit in each zone, as numbers of units by zone, four bits for each.
IN_ZONE: Final[list[int]] = [1 << 4 * zone for zone in range(N_ZONES)]


# Lines of sight.
LONGEST_REACH: Final = 6
#: How far a line along the edges of hexagons is shifted to either side, as part of a hexagon.
_SHIFT: Final = 0.01
_TOUCH: Final = 1e-6


def _axes(q: float, r: float) -> tuple[float, float, float]:
    """Return the place of a point on the three axes across edges: a hexagon reaches from -1 to 1 on each."""
    s = -q - r
    return (q - r, r - s, s - q)


def _time_inside(way: tuple[float, float, float], centre: tuple[float, float, float]) -> tuple[float, float]:
    """Return when the line from 0 (at time 0) to ``way`` (at 1) enters and leaves a hexagon."""
    enters, leaves = 0.0, 1.0
    for axis in range(3):
        if abs(way[axis]) < _TOUCH:
            if abs(centre[axis]) > 1 - _TOUCH:
                return 1.0, 0.0
            continue
        times = sorted(((centre[axis] - 1) / way[axis], (centre[axis] + 1) / way[axis]))
        enters, leaves = max(enters, times[0]), min(leaves, times[1])
    return enters, leaves


def _crossed(dq: int, dr: int, shift: float) -> list[tuple[int, int]]:
    """Return the hexagons that a line crosses on its way from (0, 0) to (``dq``, ``dr``), both ends left out, in order."""
    way = _axes(dq, dr)
    aside = [shift * (way[axis - 2] - way[axis - 1]) / LONGEST_REACH for axis in range(3)]
    found: list[tuple[float, int, int]] = []
    for q in range(min(dq, 0) - 1, max(dq, 0) + 2):
        for r in range(min(dr, 0) - 1, max(dr, 0) + 2):
            if (q, r) not in ((0, 0), (dq, dr)):
                x, y, z = _axes(q, r)
                enters, leaves = _time_inside(way, (x - aside[0], y - aside[1], z - aside[2]))
                if leaves - enters > _TOUCH:
                    found.append((enters + leaves, q, r))
    return [(q, r) for _time, q, r in sorted(found)]


def _runs_along_edges(dq: int, dr: int) -> bool:
    return 0 in _axes(dq, dr)


#: What lies between two hexagons on a line of sight; for lines along edges on either side of it.
SIDE_LINES: Final[list[list[tuple[int, ...]]]] = [[()] * (N_HEXES * N_HEXES), [()] * (N_HEXES * N_HEXES)]
#: The direction in which a unit retreats from an attack along this line.
SIDE_RETREATS: Final[list[list[int]]] = [[0] * (N_HEXES * N_HEXES), [0] * (N_HEXES * N_HEXES)]


def _draw_lines() -> None:
    """Fill the tables of lines, each offset between hexagons worked out once."""
    reach = range(-LONGEST_REACH, LONGEST_REACH + 1)
    offsets = [(q, r) for q in reach for r in reach if 0 < abs(q) + abs(r) + abs(q + r) <= 2 * LONGEST_REACH]
    for dq, dr in offsets:
        shift = _SHIFT if _runs_along_edges(dq, dr) else 0.0
        for side in range(2):
            between = _crossed(dq, dr, shift if side == 0 else -shift)
            q, r = between[-1] if between else (0, 0)
            direction = _STEPS.index((dq - q, dr - r))
            for start, (first_q, first_r) in enumerate(GRID.coordinates):
                end = GRID.place(first_q + dq, first_r + dr)
                if end >= 0:
                    places = [int(GRID.place(first_q + q, first_r + r)) for q, r in between]
                    SIDE_LINES[side][start * N_HEXES + end] = tuple([place for place in places if place != OFF_MAP])
                    SIDE_RETREATS[side][start * N_HEXES + end] = direction


_draw_lines()
LINES: Final[list[tuple[int, ...]]] = SIDE_LINES[0]
OTHER_LINES: Final[list[tuple[int, ...]]] = SIDE_LINES[1]
RETREATS: Final[list[int]] = SIDE_RETREATS[0]
OTHER_RETREATS: Final[list[int]] = SIDE_RETREATS[1]


def is_free(line: tuple[int, ...], board: list[int]) -> bool:
    """Say whether no unit stands on a line."""
    for place in line:  # noqa: SIM110  a loop compiles to comparisons of integers
        if board[place] != NO_UNIT:
            return False
    return True


def can_see(board: list[int], start: i64, end: i64) -> bool:
    """Say whether a unit at ``start`` has a line of sight to ``end``, on one side of edges at least."""
    pair = start * N_HEXES + end
    return is_free(LINES[pair], board) or is_free(OTHER_LINES[pair], board)


# Units.
HARVESTERS: Final = 0
VIPERS: Final = 1
GUARD: Final = 2
ARCHERS: Final = 3
KIND_NAMES: Final[list[str]] = ["Blood Harvesters", "Viper Legion", "Citadel Guard", "Yeoman Archers"]
#: How kinds of units are shown on the map; the army in the upper rows has small letters.
KIND_LETTERS: Final = "hvGA"
IS_RANGED: Final[list[bool]] = [False, True, False, True]

#: The units of an army; those of the second one follow those of the first.
ARMY: Final = 9
N_UNITS: Final = 18
NO_UNIT: Final = -1
#: The unit alone, as a set.
BIT: Final[list[int]] = [1 << unit for unit in range(N_UNITS)]

# Dice.
STRIKE: Final = 0
CLEAVE: Final = 1
PIERCE: Final = 2
MORALE: Final = 3
N_FACES: Final = 6
FACE_NAMES: Final[list[str]] = ["strike", "cleave", "pierce", "morale", "heroic", "lore"]

# Command cards.
N_CARDS: Final = 8
NO_CARD: Final = -1
BITS: Final = 4
MASK: Final = 15
CARD_NAMES: Final[list[str]] = [
    "Patrol Left",
    "Patrol Center",
    "Patrol Right",
    "Attack Left",
    "Attack Center",
    "Attack Right",
    "Line Advance",
    "Wedge",
]
#: The units that a card orders in the left, centre and right section.
ORDERS: Final[list[tuple[int, int, int]]] = [
    (2, 0, 0),
    (0, 2, 0),
    (0, 0, 2),
    (3, 0, 0),
    (0, 3, 0),
    (0, 0, 3),
    (1, 1, 1),
    (1, 2, 1),
]
CARDS: Final[list[Card]] = [shared(Card(name)) for name in CARD_NAMES]
#: One copy of each card, as a set.
COPY: Final[list[int]] = [1 << BITS * card for card in range(N_CARDS)]


def packed(copies: list[int]) -> int:
    """Return the set with so many copies of each card."""
    return sum([COPY[card] * number for card, number in enumerate(copies)])


def count(cards: i64, card: i64) -> i64:
    """Return how many copies of ``card`` are in a set."""
    return cards >> BITS * card & MASK


def listed(cards: i64) -> list[int]:
    """Return the cards of a set, one by one."""
    return [card for card in range(N_CARDS) for _copy in range(count(cards, card))]


#: The zones of the sections in which a card orders units, as a set with a bit for each.
ORDER_ZONES: Final[list[int]] = [
    (0b00011 if left else 0) | (0b01110 if centre else 0) | (0b11000 if right else 0) for left, centre, right in ORDERS
]
#: The three numbers of `ORDERS`, four bits for each.
_PACKED_ORDERS: Final[list[int]] = [left | centre << 4 | right << 8 for left, centre, right in ORDERS]


def orders_used(card: i64, units: i64) -> i64:
    """Return how many units a card can order out of so many in each zone (four bits for each, as in `IN_ZONE`).

    Filling the sections from the left is best: a unit that can be ordered as one of two sections takes the left one, if
    that has an order to spare.
    """
    orders: i64 = _PACKED_ORDERS[card]
    left = orders & 15
    centre = orders >> 4 & 15
    both = units >> 4 * LEFT_OR_CENTRE & 15
    used = min(left, units & 15)
    shared_left = min(left - used, both)
    used += shared_left
    taken = min(centre, both - shared_left + (units >> 4 * CENTRE & 15))
    used += taken
    both = units >> 4 * CENTRE_OR_RIGHT & 15
    shared_centre = min(centre - taken, both)
    return used + shared_centre + min(orders >> 8, both - shared_centre + (units >> 4 * RIGHT))


# Scenarios.
#: Where the units of the learning scenario stand: kind, column and row.
_LEARNING: Final = (
    (VIPERS, 3, 1),
    (VIPERS, 7, 1),
    (VIPERS, 1, 2),
    (HARVESTERS, 3, 2),
    (HARVESTERS, 8, 2),
    (VIPERS, 10, 2),
    (HARVESTERS, 3, 3),
    (HARVESTERS, 5, 3),
    (HARVESTERS, 7, 3),
    (GUARD, 3, 5),
    (GUARD, 5, 5),
    (GUARD, 7, 5),
    (ARCHERS, 1, 6),
    (GUARD, 3, 6),
    (GUARD, 8, 6),
    (ARCHERS, 10, 6),
    (ARCHERS, 3, 7),
    (ARCHERS, 7, 7),
)
KINDS: Final[list[int]] = [kind for kind, _column, _row in _LEARNING]
START: Final[list[int]] = [hex_at(column, row) for _kind, column, row in _LEARNING]

#: The hexagons with banners, by scenario, and the points that win.
BANNERS: Final[dict[str, tuple[int, ...]]] = {"learning": (), "banners": (hex_at(2, 4), hex_at(9, 4))}
GOALS: Final[dict[str, int]] = {"learning": 4, "banners": 16}


_LARGEST_HAND = 8


@dataclass
class BattleloreParameters(Parameters):
    """The scenario, the units and the command deck."""

    scenario: str = choice(
        "learning", tuple(GOALS), "the scenario: the learning one, or the same armies with two banners"
    )
    goal: int = integer(0, 0, 30, "victory points that win; 0: as many as the scenario says")
    max_rounds: int = integer(100, 1, 500, "rounds after which the most victory points win")
    figures: int = integer(3, 1, 4, "figures of each unit")
    melee_dice: int = integer(3, 1, 5, "dice of melee units")
    ranged_dice: int = integer(2, 1, 5, "dice of ranged units")
    reach: int = integer(5, 1, LONGEST_REACH, "hexes that ranged units attack over")
    abilities: bool = flag(True, "whether units have Double Shot, Pursue and Rage")
    hand_size: int = integer(4, 1, _LARGEST_HAND, "command cards in hand")
    flank_patrols: int = integer(3, 0, MASK, "copies of Patrol Left, and of Patrol Right")
    centre_patrols: int = integer(5, 0, MASK, "copies of Patrol Center")
    flank_attacks: int = integer(4, 0, MASK, "copies of Attack Left, and of Attack Right")
    centre_attacks: int = integer(5, 0, MASK, "copies of Attack Center")
    line_advances: int = integer(2, 0, MASK, "copies of Line Advance")
    wedges: int = integer(2, 0, MASK, "copies of Wedge")

    def check(self) -> None:
        """Reject hands of more cards than there are, and goals out of reach in a scenario without banners."""
        cards = sum(self.deck())
        if 2 * self.hand_size > cards:
            right = f"the nearest value is {cards // 2}" if cards > 1 else "the deck needs two cards at least"
            raise ParameterError(f"hand_size cannot be {self.hand_size} with a deck of {cards} cards; {right}")
        if self.scenario == "learning" and self.goal > ARMY:
            raise ParameterError(f"goal cannot be {self.goal} where only units count; the nearest value is {ARMY}")

    def deck(self) -> list[int]:
        """Return how many copies of each command card there are."""
        flank, centre = (self.flank_patrols, self.flank_attacks), (self.centre_patrols, self.centre_attacks)
        copies = [number for kind in range(2) for number in (flank[kind], centre[kind], flank[kind])]
        return [*copies, self.line_advances, self.wedges]
