"""Plans by which players set up in secret: a few choices of a kind, and chance for the rest.

A plan is one choice for the flag, one for the bombs and one for the front. The last choice of each asks for nothing, so
each set-up of the printed rules can be made by one plan.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from tag import Rng
from tag.games.boards.stratego.data import BOMB, FLAG, MAJOR, MARSHAL, SCOUT, Field, pieces_of

_LEFT: Final = 0
_RIGHT: Final = 1
_AROUND: Final = 0
_DECOY: Final = 1
_SCOUTS: Final = 0
_OFFICERS: Final = 1


def set_up(field: Field, army: tuple[int, ...], plan: tuple[int, ...], rng: Rng) -> list[int]:
    """Return a piece, or 0, for each of a player's squares, in the order of `Field.home`.

    Args:
        field: the board.
        army: the pieces of each kind.
        plan: the number of the choice at each step.
        rng: the source of chance.
    """
    width = field.width
    placed = [0] * int(field.rows * width)
    left = list(army)
    place = _flag_place(field, plan[0], rng)
    placed[place] = FLAG
    left[FLAG] = 0
    if plan[1] == _DECOY:
        place += width - 1 - 2 * (place % width)
    if plan[1] in (_AROUND, _DECOY):
        _take(placed, _beside(field, place), BOMB, left[BOMB], left, rng)
    front = list(range(len(placed) - int(width), len(placed)))
    if plan[2] == _SCOUTS:
        _take(placed, front, SCOUT, (left[SCOUT] + 1) // 2, left, rng)
    elif plan[2] == _OFFICERS:
        number = (sum(left[MAJOR : MARSHAL + 1]) + 1) // 2
        for kind in range(MARSHAL, MAJOR - 1, -1):
            share = min(number, left[kind])
            _take(placed, front, kind, share, left, rng)
            number -= share
    _fill(placed, left, rng)
    return placed


def _flag_place(field: Field, choice: i64, rng: Rng) -> i64:
    width = field.width
    half = width // 2
    if choice == _LEFT:
        return rng.below(half)
    if choice == _RIGHT:
        return half + rng.below(width - half)
    return rng.below(field.rows * width)


def _beside(field: Field, place: i64) -> list[int]:
    """Return the places of the player beside one."""
    width = field.width
    column, row = place % width, place // width
    found: list[int] = []
    if column > 0:
        found.append(int(place - 1))
    if column < width - 1:
        found.append(int(place + 1))
    if row > 0:
        found.append(int(place - width))
    if row < field.rows - 1:
        found.append(int(place + width))
    return found


def _take(placed: list[int], places: list[int], kind: int, number: int, left: list[int], rng: Rng) -> None:
    """Put so many pieces of a kind on free places of these, while there are any."""
    free = [place for place in places if placed[place] == 0]
    rng.shuffle(free)
    for place in free[:number]:
        placed[place] = kind
        left[kind] -= 1


def _fill(placed: list[int], left: list[int], rng: Rng) -> None:
    """Put the pieces that are left anywhere, each way as likely."""
    free = [place for place in range(len(placed)) if placed[place] == 0]
    rng.shuffle(free)
    for place, kind in zip(free, pieces_of(left), strict=False):
        placed[place] = kind
