"""The boards, and how single men move on them, by sets of points.

Each player numbers the points by the way that is left: 0 is off the board, 1 the last point, and the bar is one above the
highest. A set of points has a bit for each number. On the ring of pente grammai 0 is the own sacred point; as a place to
start from it is called by the number above the highest, 10.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from mypy_extensions import i64

from tag import Parameters, choice, flag, integer

VARIANTS: Final = ("backgammon", "duodecim_scripta", "pente_grammai")
BACKGAMMON: Final = 0
SCRIPTA: Final = 1
PENTE: Final = 2
#: The bit of each point; compiled, a shifted 1 has but 32 bits.
BIT: Final[list[int]] = [1 << point for point in range(40)]
#: By variant: the bar (one above the highest point), the men of each player, and the lowest point on which men enter.
BAR: Final[list[int]] = [25, 37, 10]
MEN: Final[list[int]] = [15, 15, 5]
ENTRY: Final[list[int]] = [25, 25, 11]
HOME: Final = 6
#: Where men wait or stand at the beginning, as pairs of a point and a number.
STARTS: Final[list[list[tuple[int, int]]]] = [
    [(24, 2), (13, 5), (8, 3), (6, 5)],
    [(37, 15)],
    [(7, 1), (6, 1), (5, 1), (4, 1), (3, 1)],
]
#: The sacred point of the other player on the ring, and its points.
SACRED: Final = 5
RING: Final = 10
NOBODY: Final = -1
MOST_CUBE: Final = 64

# Kinds of decisions.
#: Roll or double.
CUBE: Final = 0
#: Take or drop.
ANSWER: Final = 1
#: The dice lie.
PLAY: Final = 2
#: Only in afterstates: a player rolls, or both do for the first turn.
ROLLING: Final = 3
OPENING: Final = 4


@dataclass
class BackgammonParameters(Parameters):
    """The game, and how games are counted."""

    variant: str = choice("backgammon", VARIANTS, "the board, and how men move on it")
    match: int = integer(1, 1, 25, "points that win the match, 1 for one game")
    cube: bool = flag(False, "players may double the stakes")
    crawford: bool = flag(
        True, "no doubling in the first game with a player a point from winning", active_if=("cube", (True,))
    )
    jacoby: bool = flag(False, "in one game, gammons count only after a double", active_if=("cube", (True,)))


def start(variant: i64) -> list[int]:
    """Return the men of a player at the beginning, by point; the first number is of those off the board."""
    men = [0] * (BAR[variant] + 1)
    for point, number in STARTS[variant]:
        men[point] = number
    return men


def sources(variant: i64, occupied: i64, free: i64, die: i64, moved: i64) -> i64:
    """Return the set of points from which a man can move by ``die``.

    Args:
        variant: the number of the variant.
        occupied: the points with own men.
        free: the points to which men may move.
        die: the number of points.
        moved: the points with men that have moved in this turn, which may move on while others wait on the bar.
    """
    if variant == PENTE:
        return occupied & (free << die | free >> RING - die)
    found = occupied & free << die
    bar: i64 = BAR[variant]
    if occupied >> bar:
        entry: i64 = ENTRY[variant]
        return found & (BIT[bar] | moved & ~(BIT[entry + die] - 1))
    if occupied >> HOME + 1 == 0:
        found |= occupied & BIT[die]
        if occupied and occupied >> die == 0:
            highest: i64 = BIT[die]
            while highest & occupied == 0:
                highest >>= 1
            found |= highest
    return found


def then(
    variant: i64, sets: tuple[i64, i64, i64, i64], source: i64, die: i64, other: i64, moved: i64, twice: i64
) -> i64:
    """Return the points from which a second man can move by ``other`` after one from ``source`` by ``die``.

    Args:
        variant: the number of the variant.
        sets: the points with own men, with single ones, the free points, and those with single men of the other.
        source: where the first man starts.
        die: the number of points that it moves.
        other: the number of points for the second man.
        moved: the points with men that have moved earlier in this turn.
        twice: a point on which there are two such men, or one that is not in question.
    """
    occupied, singles, free, _blots = sets
    start_bit: i64 = BIT[source]
    if singles & start_bit:
        occupied &= ~start_bit
    if twice != source:
        moved &= ~start_bit
    if source > die:
        occupied |= start_bit >> die
        moved |= start_bit >> die
    return sources(variant, occupied, free, other, moved)
