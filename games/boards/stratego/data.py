"""The pieces, the boards, the armies and the parameters of Stratego.

A square is its column and ten times its row, both from 0, on boards of any width: 0 is a1, 10 is a2.

Pieces are numbers: 1 is the spy, 2 to 10 are the ranks from scout to marshal, 11 is the bomb and 12 the flag. A square holds
0 if it is free, `LAKE`, or a piece with `SIDE` for those of player 1, `MOVED` if it has moved, and `SHOWN` if both know it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from mypy_extensions import i64

from tag import ParameterError, Parameters, choice, flag, integer
from tag.engine.snapshot import guard

SPY: Final = 1
SCOUT: Final = 2
MINER: Final = 3
MAJOR: Final = 7
MARSHAL: Final = 10
BOMB: Final = 11
FLAG: Final = 12
KIND: Final = 15
SIDE: Final = 16
MOVED: Final = 32
SHOWN: Final = 64
LAKE: Final = 128
NAMES: Final[list[str]] = [
    *["free", "spy", "scout", "miner", "sergeant", "lieutenant", "captain", "major", "colonel", "general", "marshal"],
    *["bomb", "flag"],
]
LETTERS: Final[list[str]] = list(".S23456789MBF")

# Kinds of decisions.
SETUP: Final = 0
PLAY: Final = 1

VARIANTS: Final = ("classic", "barrage", "small", "tiny")
#: By variant: the pieces of each kind.
ARMIES: Final[list[list[int]]] = [
    [0, 1, 8, 5, 4, 4, 4, 3, 2, 1, 1, 6, 1],
    [0, 1, 2, 1, 0, 0, 0, 0, 0, 1, 1, 1, 1],
    [0, 1, 3, 2, 1, 0, 0, 0, 0, 1, 1, 2, 1],
    [0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1, 1],
]
#: By variant: squares in a row, rows, and rows of each player.
SIZES: Final[list[tuple[int, int, int]]] = [(10, 10, 4), (10, 10, 4), (6, 6, 2), (4, 4, 1)]
_LAKES: Final[list[list[str]]] = [
    ["c5", "d5", "g5", "h5", "c6", "d6", "g6", "h6"],
    ["c5", "d5", "g5", "h5", "c6", "d6", "g6", "h6"],
    ["b3", "b4", "e3", "e4"],
    [],
]
#: By step of a set-up by plans: the choices. The last one of each asks for nothing.
PLANS: Final[list[list[str]]] = [
    ["flag at the back left", "flag at the back right", "flag anywhere"],
    ["bombs around the flag", "bombs as a decoy", "bombs anywhere"],
    ["scouts in front", "officers in front", "any front"],
]
STEPS: Final = 3
_SET_UPS: Final = ("plans", "pieces", "drawn")
#: The number of a piece in an army as the variant has it.
_USUAL: Final = -1
_MOST: Final = 8
#: From a square to the one above.
STRIDE: Final = 10
SQUARE_NAMES: Final[list[str]] = [f"{column}{row}" for row in range(1, 11) for column in "abcdefghij"]


@dataclass
class StrategoParameters(Parameters):
    """The board, the armies, how they are set up, and the rules of movement."""

    variant: str = choice("classic", VARIANTS, "the board and the armies")
    setup: str = choice("plans", _SET_UPS, "players choose plans, or the square of each piece, or chance sets up")
    spies: int = integer(_USUAL, _USUAL, _MOST, "spies of each player, -1 as in the variant")
    scouts: int = integer(_USUAL, _USUAL, _MOST, "scouts of each player, -1 as in the variant")
    miners: int = integer(_USUAL, _USUAL, _MOST, "miners of each player, -1 as in the variant")
    bombs: int = integer(_USUAL, _USUAL, _MOST, "bombs of each player, -1 as in the variant")
    scout_attacks: bool = flag(True, "a scout may run and attack in the same turn")
    two_squares: int = integer(3, 0, 9, "turns in a row that a piece may move between two squares, 0 for any number")
    chase: bool = flag(True, "a chase may not lead to the same position again")
    max_moves: int = integer(1000, 10, 10_000, "moves of both players after which the game is a draw")

    def check(self) -> None:
        """Reject armies that do not fit the rows of a player, and those without a piece that moves."""
        width, _height, rows = SIZES[VARIANTS.index(self.variant)]
        squares = width * rows
        army = self.army()
        for name, kind in (("bombs", BOMB), ("miners", MINER), ("scouts", SCOUT), ("spies", SPY)):
            surplus = sum(army) - squares
            if surplus > 0 and getattr(self, name) >= surplus:
                raise ParameterError(
                    f"{name} cannot be {army[kind]}, as there are {squares} squares for {sum(army)} pieces; "
                    f"the nearest value is {army[kind] - surplus}"
                )
        if sum(army) > squares:
            raise ParameterError(f"{sum(army)} pieces do not fit {squares} squares; see bombs=0")
        if sum(army[:BOMB]) == 0:
            raise ParameterError("scouts cannot be 0, as no other piece moves; the nearest value is 1")

    def army(self) -> list[int]:
        """Return the number of pieces of each kind."""
        found = ARMIES[VARIANTS.index(self.variant)][:]
        for kind, number in ((SPY, self.spies), (SCOUT, self.scouts), (MINER, self.miners), (BOMB, self.bombs)):
            if number != _USUAL:
                found[kind] = number
        return found


class Field:
    """A board without pieces; all positions share it, so that nothing in it can be changed.

    Attributes:
        variant: the place of the board in `VARIANTS`.
        width: squares in a row.
        height: rows.
        rows: rows of each player at the beginning.
        squares: all squares, row by row from that of player 0; lakes are among them.
        empty: the board without pieces; squares off a small board are lakes.
        near: the squares beside each one, without lakes.
        rays: for each square, the squares in each direction up to the edge or a lake.
    """

    def __init__(self, variant: i64) -> None:
        """Find the squares."""
        self.variant = variant
        width, height, rows = SIZES[variant]
        self.width: i64 = width
        self.height: i64 = height
        self.rows: i64 = rows
        self.squares = tuple([row * STRIDE + column for row in range(height) for column in range(width)])
        empty = [LAKE] * (height * STRIDE)
        for square in self.squares:
            if SQUARE_NAMES[square] not in _LAKES[variant]:
                empty[square] = 0
        self.empty = tuple(empty)
        self.rays = tuple([self._rays_from(square) for square in range(height * STRIDE)])
        self.near = tuple([tuple([ray[0] for ray in rays]) for rays in self.rays])

    def _rays_from(self, square: int) -> tuple[tuple[int, ...], ...]:
        found: list[tuple[int, ...]] = []
        if self.empty[square]:
            return ()
        for right, up in ((0, 1), (-1, 0), (1, 0), (0, -1)):
            column, row = square % STRIDE + right, square // STRIDE + up
            ray: list[int] = []
            while 0 <= column < self.width and 0 <= row < self.height and not self.empty[row * STRIDE + column]:
                ray.append(row * STRIDE + column)
                column, row = column + right, row + up
            if ray:
                found.append(tuple(ray))
        return tuple(found)

    def __reduce__(self) -> tuple[object, ...]:
        """Copy and pickle by the number of the variant."""
        return Field, (self.variant,)

    def home(self, player: i64) -> list[int]:
        """Return the squares on which a player sets up, row by row from the back, each from the player's left."""
        squares = self.squares[::-1] if player else self.squares
        return list(squares[: self.rows * self.width])


guard(Field, lambda field: hasattr(field, "near"))

#: The board of each variant.
FIELDS: Final[list[Field]] = [Field(variant) for variant in range(len(VARIANTS))]


def direction(source: i64, target: i64) -> i64:
    """Return the step from a square to the next one on the way to another in the same row or column."""
    if source // STRIDE == target // STRIDE:
        return 1 if target > source else -1
    return STRIDE if target > source else -STRIDE


def beats(attacker: i64, defender: i64) -> i64:
    """Return 1 if a piece that attacks wins, 0 if both fall, -1 if it falls.

    Examples:
        >>> beats(SPY, MARSHAL), beats(MARSHAL, SPY), beats(MINER, BOMB), beats(MARSHAL, BOMB), beats(5, 5)
        (1, 1, 1, -1, 0)
    """
    if defender == BOMB:
        return 1 if attacker == MINER else -1
    if defender == FLAG or (attacker == SPY and defender == MARSHAL):
        return 1
    return 1 if attacker > defender else 0 if attacker == defender else -1


def pieces_of(army: Sequence[int]) -> list[int]:
    """Return all pieces of an army in the order in which single ones are placed: flag, bombs, then from the marshal on."""
    kinds = [FLAG, BOMB, *range(MARSHAL, 0, -1)]
    return [kind for kind in kinds for _piece in range(army[kind])]
