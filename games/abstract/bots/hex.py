"""The bot of Hex."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64, mypyc_attr

from tag import AnyAction, Parameters, RuleBot
from tag.games.abstract.hex import BOTH_SIDES, FIRST_SIDE, PLAYER, SECOND_SIDE, STEPS, HexState, PutStone

_FAR: Final = 99
_WIN: Final = 1000.0
_BLOCK: Final = 500.0
_CENTRE: Final = 0.01


@mypyc_attr(allow_interpreted_subclasses=True)
class TwoDistance(RuleBot[HexState]):
    """Puts a stone where both players are nearest to joining their sides.

    The distance of a cell from a side is one more than that of its second nearest neighbour: the other player can block the
    nearest one. So bridges are as good as chains. Cells are neighbours that touch each other or the same chain.

    Source: J. van Rijswijck, "Computer Hex: are bees better than fruitflies?", thesis, University of Alberta, 2000.
    """

    def __init__(self, parameters: Parameters | None = None) -> None:
        super().__init__(parameters)
        self.potentials: list[int] = []

    def prepare(self, state: HexState) -> None:
        """Add up the distances of each cell from all sides."""
        self.potentials = [0] * len(state.board)
        for player in range(2):
            for side in (FIRST_SIDE, SECOND_SIDE):
                for place, distance in enumerate(_distances(state, player + 1, side)):
                    self.potentials[place] += distance

    def worth(self, state: HexState, action: AnyAction) -> float:
        """Win or block at once; else prefer small distances, and of equal ones the middle."""
        if not isinstance(action, PutStone):
            return _swap_worth(state)
        size = state.size
        if _joins(state, action.place, self.player + 1):
            return _WIN
        if _joins(state, action.place, 2 - self.player):
            return _BLOCK
        middle = 0.5 * float(size - 1)
        off = abs(float(action.cell % size) - middle) + abs(float(action.cell // size) - middle)
        return -float(self.potentials[action.place]) - _CENTRE * off


def _swap_worth(state: HexState) -> float:
    """Return the worth of taking over the first stone: great if it lies near the middle."""
    cell = state.cell_values().index(1)
    middle = 0.5 * float(state.size - 1)
    off = abs(float(cell % int(state.size)) - middle) + abs(float(cell // int(state.size)) - middle)
    return _WIN if off < 0.75 * middle else -_WIN


def _joins(state: HexState, place: i64, own: i64) -> bool:
    """Say whether a stone joins both sides of its player."""
    sides: i64 = 0
    for step in STEPS[state.size]:
        near: i64 = state.board[place + step]
        if near & PLAYER == own:
            sides |= near
    return sides & BOTH_SIDES == BOTH_SIDES


def _distances(state: HexState, own: i64, side: i64) -> list[int]:
    """Return the two-distance of each free place from a side of a player, `_FAR` if there is none; 0 for other places."""
    board = state.board
    found = [_FAR if cell == 0 else 0 for cell in board]
    hits = [0] * len(board)
    start = [place for place in range(len(board)) if board[place] & PLAYER == own and board[place] & side]
    level = _around(state, start, own)
    distance = 1
    while level:
        for place in level:
            found[place] = distance
        farther: list[int] = []
        for place in level:
            for near in _around(state, [place], own):
                if found[near] == _FAR:
                    hits[near] += 1
                    if hits[near] == 2:
                        farther.append(near)
        level = farther
        distance += 1
    return found


def _around(state: HexState, places: list[int], own: i64) -> list[int]:
    """Return the free places next to ``places``, also over chains of own stones."""
    board = state.board
    steps = STEPS[state.size]
    seen = set(places)
    found: list[int] = []
    left = places[:]
    while left:
        place = left.pop()
        for step in steps:
            near = place + step
            if 0 <= near < len(board) and near not in seen:
                seen.add(near)
                if board[near] == 0:
                    if _is_inside(near, int(state.size)):
                        found.append(near)
                elif board[near] & PLAYER == own:
                    left.append(near)
    return found


def _is_inside(place: int, size: int) -> bool:
    """Say whether a place is a cell of the board, and no corner of its border."""
    return 0 < place % (size + 2) <= size and 0 < place // (size + 2) <= size
