"""The map of BattleLore as figures in the plane, in exact fractions."""

from fractions import Fraction
from functools import cache

#: The centre of each hexagon: rows are 3 apart, columns 2; a hexagon has |x| <= 1 and |x| + |y| <= 2.
CENTRES = [(2 * column + row % 2, 3 * row) for row in range(9) for column in range(12 - row % 2)]
AROUND = [(2, 0), (1, 3), (-1, 3), (-2, 0), (-1, -3), (1, -3)]
PLACES = {centre: place for place, centre in enumerate(CENTRES)}
PLANES = [(1, 0, 1), (-1, 0, 1), (1, 1, 2), (1, -1, 2), (-1, 1, 2), (-1, -1, 2)]


def moved(place, step):
    return PLACES.get((CENTRES[place][0] + step[0], CENTRES[place][1] + step[1]), -1)


def time_in(start, way, centre):
    """Return when the line is inside a hexagon, and whether it runs along its edge, by clipping with the six edges."""
    enters, leaves, touches = Fraction(0), Fraction(1), False
    for a, b, limit in PLANES:
        speed = a * way[0] + b * way[1]
        room = limit - a * (start[0] - centre[0]) - b * (start[1] - centre[1])
        if speed == 0:
            if room < 0:
                return 0, 0, False
            touches = touches or room == 0
        elif speed > 0:
            leaves = min(leaves, Fraction(room, speed))
        else:
            enters = max(enters, Fraction(room, speed))
    return enters, leaves, touches


@cache
def seen_by(start, end):
    """Return the hexes that the line crosses, those along it on either side, and the directions from which it comes."""
    (x, y), (to_x, to_y) = CENTRES[start], CENTRES[end]
    way = (to_x - x, to_y - y)
    inside, sides, last = set(), (set(), set()), []
    for place, (at_x, at_y) in enumerate(CENTRES):
        is_near = min(x, to_x) <= at_x + 1 <= max(x, to_x) + 2 and min(y, to_y) <= at_y + 2 <= max(y, to_y) + 4
        if place in (start, end) or not is_near:
            continue
        enters, leaves, touches = time_in((x, y), way, (at_x, at_y))
        if leaves > enters:
            if touches:
                turn = way[0] * (at_y - y) - way[1] * (at_x - x)
                sides[turn > 0].add(place)
            else:
                inside.add(place)
    entered, _leaves, _touches = time_in((x, y), way, (to_x, to_y))
    point = (x + way[0] * entered, y + way[1] * entered)
    for direction, (step_x, step_y) in enumerate(AROUND):
        x, y = (point[0] - to_x) * (1 if step_x > 0 else -1), (point[1] - to_y) * (1 if step_y > 0 else -1)
        if (x == 1 and -1 <= y <= 1) if step_y == 0 else (x + y == 2 and 0 <= x <= 1):
            last.append(direction)  # on the edge to this neighbour, or at a corner of it
    return inside, sides, last
