"""Othello, by Goro Hasegawa (1971), for 2 players: enclosed discs are turned over, and most discs win.

Rules: as the World Othello Federation plays, two discs of each player lie in the middle, and black begins. A player puts a
disc on a free square so that it encloses discs of the other player: straight lines of them, in any of the eight directions,
lie between it and another own disc. All enclosed discs are turned over. A player who cannot enclose any passes. The game
ends when neither player can; most discs win.

Where the rules leave it to the players: seat 0 is black. To pass is an action, offered when there is no other.

Variants (`OthelloParameters`): the side of the board, of 4, 6 or 8 squares.

What a player knows: everything.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Final, cast

from mypy_extensions import i64, mypyc_attr

from tag import (
    DO_NOTHING,
    Action,
    Actions,
    AnyAction,
    Cells,
    Event,
    Features,
    ForwardModel,
    GameState,
    GameType,
    Parameters,
    PlayerHeuristic,
    Rng,
    Vocabulary,
    bit_count,
    choice,
    interned,
    real,
)
from tag.components import Component, GridBoard
from tag.engine.encoding import grid_neighbours, grid_rows, square_symmetries

_DISCS: Final = ".XO"
_COLUMNS: Final = "abcdefgh"
#: The bits of a board but the last one, which is the sign of a machine integer.
_POSITIVE: Final = 0x7FFFFFFFFFFFFFFF
#: The bits that `bit_count` takes.
_LOW_BITS: Final = (1 << 62) - 1


@dataclass
class OthelloParameters(Parameters):
    """The size of the board."""

    size: int = choice(8, (4, 6, 8), "squares on a side", ordered=True)


@dataclass
class OthelloHeuristicParameters(Parameters):
    """The weights of `OthelloHeuristic`."""

    corners: float = real(0.6, -1.0, 1.0, "weight of the lead in corners, as a share of the four")
    near_corners: float = real(
        -0.4, -1.0, 1.0, "weight of the lead in squares diagonal to free corners, as a share of four"
    )
    beside_corners: float = real(
        -0.2, -1.0, 1.0, "weight of the lead in squares beside free corners on the edges, as a share of eight"
    )
    mobility: float = real(0.2, -1.0, 1.0, "weight of the lead in moves, as a share of both players' moves")
    discs: float = real(-0.3, -1.0, 1.0, "weight of the lead in discs, as a share of the board")


@mypyc_attr(allow_interpreted_subclasses=True)
class OthelloState(GameState):
    """The board, as one bit board per player: bit 0 is the top left square, and so on row by row.

    Bit 63 is the sign: all numbers are those of 64 bits in two's complement, also where Python's are larger.

    Attributes:
        size: squares on a side.
        first: the discs of player 0.
        second: the discs of player 1.
        moves: the squares open to the current player; none if the player must pass.
    """

    def __init__(self, n_players: i64, size: i64, first: i64, second: i64, moves: i64) -> None:
        super().__init__(n_players)
        self.size = size
        self.first = first
        self.second = second
        self.moves = moves

    def copy(self) -> OthelloState:
        other = OthelloState(self.n_players, self.size, self.first, self.second, self.moves)
        self.copy_to(other)
        return other

    def knowledge(self, player: i64) -> Hashable:
        """Return the boards: all is open."""
        return (int(self.current_player), int(self.first), int(self.second), self.is_terminal)

    def score(self, player: i64) -> float:
        """Return the player's discs."""
        return float(count(self.first if player == 0 else self.second))

    def cell_values(self) -> bytes:
        """Return for each square, row by row, 0 if it is free, 1 for a disc of player 0 and 2 for one of player 1."""
        first, second = self.first, self.second
        return bytes([(first >> cell & 1) + 2 * (second >> cell & 1) for cell in range(self.size * self.size)])

    def components(self) -> list[Component]:
        return [GridBoard("board", self.size, self.size, [value - 1 for value in self.cell_values()])]

    def __str__(self) -> str:
        """Draw the board with the names of columns and rows."""
        size = int(self.size)
        letters = [_DISCS[value] for value in self.cell_values()]
        rows = [f"{row + 1} {' '.join(letters[row * size : (row + 1) * size])}" for row in range(size)]
        return "\n".join([f"  {' '.join(_COLUMNS[:size])}", *rows])


# A shift moves all discs by a square: by 1 along the row, by ``size`` along the column, by one less or more diagonally. A
# line of turned discs has none at the edge where it would go on, so that "inner" squares keep it from running around. They
# also take away what a shift to the right does to the sign.


def _inner_columns(size: i64) -> i64:
    """Return all squares but those of the outer columns."""
    return 0x7E7E7E7E7E7E7E7E if size == 8 else 0x79E79E79E if size == 6 else 0x6666


def _inner_rows(size: i64) -> i64:
    """Return all squares but those of the outer rows."""
    return 0x00FFFFFFFFFFFF00 if size == 8 else 0x3FFFFFC0 if size == 6 else 0x0FF0


def _square(cell: i64) -> i64:
    """Return the board with one square."""
    return ~_POSITIVE if cell == 63 else 1 << int(cell)


def count(board: i64) -> i64:
    """Return the number of discs on a board."""
    return bit_count(board & _LOW_BITS) + (board >> 62 & 1) + (board >> 63 & 1)


def moves_of(own: i64, other: i64, size: i64) -> i64:
    """Return the free squares where a disc of ``own`` turns discs of ``other``."""
    columns, rows = other & _inner_columns(size), other & _inner_rows(size)
    both = columns & rows
    found = _ends(own, columns, 1) | _ends(own, rows, size) | _ends(own, both, size - 1) | _ends(own, both, size + 1)
    found &= ~(own | other)
    return (found & _POSITIVE) | (-(found >> 63 & 1) << 63)  # interpreted, too, bit 63 is the sign


def _ends(own: i64, inner: i64, shift: i64) -> i64:
    """Return the squares behind lines of up to six discs of ``inner`` that begin next to ``own``, both ways."""
    up = inner & (own << shift)
    down = inner & (own >> shift)
    up |= inner & (up << shift)
    down |= inner & (down >> shift)
    pairs = inner & (inner << shift)
    up |= pairs & (up << (2 * shift))
    up |= pairs & (up << (2 * shift))
    pairs >>= shift
    down |= pairs & (down >> (2 * shift))
    down |= pairs & (down >> (2 * shift))
    return (up << shift) | (down >> shift)


def turned(own: i64, other: i64, disc: i64, size: i64) -> i64:
    """Return the discs of ``other`` that ``disc``, put down beside ``own``, turns over."""
    columns, rows = other & _inner_columns(size), other & _inner_rows(size)
    both = columns & rows
    return (
        _between(own, columns, disc, 1)
        | _between(own, rows, disc, size)
        | _between(own, both, disc, size - 1)
        | _between(own, both, disc, size + 1)
    )


def _between(own: i64, inner: i64, disc: i64, shift: i64) -> i64:
    """Return the lines of ``inner`` between ``disc`` and ``own``, both ways."""
    found: i64 = 0
    line: i64 = 0
    step = inner & (disc << shift)
    while step != 0:
        line |= step
        step = inner & (step << shift)
    if (line << shift) & own != 0:
        found = line
    line = 0
    step = inner & (disc >> shift)
    while step != 0:
        line |= step
        step = inner & (step >> shift)
    return found | line if (line >> shift) & own != 0 else found


class Place(Action[OthelloState]):
    """Put a disc on a square, and turn over what it encloses."""

    def __init__(self, cell: i64, size: i64) -> None:
        """Name the square of a board of ``size`` by its number, row by row."""
        self.cell = cell
        self.size = size
        self.disc: i64 = _square(cell)

    def execute(self, state: OthelloState, rng: Rng) -> None:
        if state.current_player == 0:
            discs = turned(state.first, state.second, self.disc, self.size)
            state.first |= discs | self.disc
            state.second ^= discs
        else:
            discs = turned(state.second, state.first, self.disc, self.size)
            state.second |= discs | self.disc
            state.first ^= discs
        if state.recording:
            squares = tuple(
                [square_name(cell, self.size) for cell in range(self.size * self.size) if discs >> cell & 1]
            )
            places = tuple([f"board/{square}" for square in (str(self), *squares)])
            words = "{player} turns over {items}"
            state.announce(Event("flipped", state.current_player, float(len(squares)), squares, places, words=words))

    def __str__(self) -> str:
        """Name the square as column and row: ``b3``."""
        return square_name(self.cell, self.size)


def square_name(cell: i64, size: i64) -> str:
    """Return a square of a board of ``size`` as column and row: ``b3``."""
    return f"{_COLUMNS[cell % size]}{cell // size + 1}"


class OthelloFeatures(Features):
    """For each square, row by row, 1 for the player's disc, -1 for the other's, 0 for none."""

    def names(self, n_players: i64) -> tuple[str, ...]:
        """Return a name for each square, row by row."""
        rules = cast("OthelloParameters", self.parameters)
        return tuple([f"cell_{cell}" for cell in range(rules.size * rules.size)])

    def values(self, state: GameState, player: i64) -> list[float]:
        """Return the features."""
        mine: i64 = 1 if player == 0 else -1
        of_value = [0.0, float(mine), float(-mine)]
        return [of_value[value] for value in state.cell_values()]


class OthelloHeuristic(PlayerHeuristic):
    """Corners, squares that give a corner away, mobility and discs, weighed; 1 for a win and -1 for a loss.

    Source: B. Rose, "Othello: A Minute to Learn, A Lifetime to Master", 2005, on mobility and squares beside corners. With
    greater weights of corners and squares beside them, and a smaller one of discs, one-step look-ahead is better yet, but
    deeper search worse.
    """

    parameters_class = OthelloHeuristicParameters

    def __init__(self, parameters: OthelloHeuristicParameters | None = None) -> None:
        super().__init__(parameters)
        weights = cast("OthelloHeuristicParameters", self.parameters)
        self.corners = weights.corners
        self.near_corners = weights.near_corners
        self.beside_corners = weights.beside_corners
        self.mobility = weights.mobility
        self.discs = weights.discs

    def _value_player(self, state: GameState, player: i64) -> float:
        """Weigh the board for ``player``."""
        board = cast("OthelloState", state)
        mine, theirs = (board.first, board.second) if player == 0 else (board.second, board.first)
        size = board.size
        corner_lead: i64 = 0
        near_lead: i64 = 0
        beside_lead: i64 = 0
        for right in range(2):
            for down in range(2):
                corner = right * (size - 1) + down * (size - 1) * size
                corner_lead += (mine >> corner & 1) - (theirs >> corner & 1)
                if (mine | theirs) >> corner & 1 == 0:
                    on_row, on_column = corner + 1 - 2 * right, corner + (1 - 2 * down) * size
                    near = on_row + on_column - corner
                    near_lead += (mine >> near & 1) - (theirs >> near & 1)
                    beside_lead += (mine >> on_row & 1) - (theirs >> on_row & 1)
                    beside_lead += (mine >> on_column & 1) - (theirs >> on_column & 1)
        value = 0.25 * (self.corners * float(corner_lead) + self.near_corners * float(near_lead))
        value += 0.125 * self.beside_corners * float(beside_lead)
        if self.mobility != 0.0:
            my_moves, their_moves = count(moves_of(mine, theirs, size)), count(moves_of(theirs, mine, size))
            value += self.mobility * float(my_moves - their_moves) / float(my_moves + their_moves)
        value += self.discs * float(count(mine) - count(theirs)) / float(size * size)
        return value


class Othello(ForwardModel[OthelloState]):
    """The rules, without a rollout of their own: one without lists of actions made 72 % of the moves per second.

    >>> from tag import make_game
    >>> model = make_game("othello:size=4")
    >>> state = model.setup(2, Rng(1))
    >>> [str(action) for action in model.available_actions(state)]
    ['b1', 'a2', 'd3', 'c4']
    >>> model.next(state, model.available_actions(state)[0], Rng(1))
    >>> print(state)
      a b c d
    1 . X . .
    2 . X X .
    3 . X O .
    4 . . . .
    """

    game_type = GameType(
        "Othello",
        2,
        2,
        OthelloParameters,
        categories=("abstract",),
        mechanics=("grid placement", "enclosure"),
        hidden_information=False,
        chance=False,
        check_parameters="size=6",
        heuristic=OthelloHeuristic,
        features=OthelloFeatures,
    )

    def __init__(self, parameters: OthelloParameters | None = None) -> None:
        chosen = OthelloParameters() if parameters is None else parameters
        super().__init__(chosen)
        self.size: i64 = chosen.size
        self.n_cells: i64 = chosen.size * chosen.size
        self.places: list[AnyAction] = [interned(Place(cell, chosen.size)) for cell in range(chosen.size**2)]

    def vocabulary(self, n_players: i64) -> Vocabulary:
        """Return the squares, row by row, and the pass."""
        return Vocabulary(
            Actions(Place, cell=range(self.n_cells), size=(self.size,)),
            Actions(type(DO_NOTHING)),
        )

    def cells(self, n_players: i64) -> Cells:
        """Return the squares; all rotations and reflections keep the rules, though four of them change the beginning.

        ``straight_2`` and ``straight_3`` are the straight tuples of W. Jaśkowski, "Systematic n-tuple networks for Othello
        position evaluation", ICGA Journal 37, 2014: one of each class under the symmetries.
        """
        size = int(self.size)
        symmetries = square_symmetries(size)
        return Cells(
            size * size,
            3,
            symmetries,
            [(*symmetry, size * size) for symmetry in symmetries],
            grid_neighbours(size, size),
            {f"straight_{length}": straight_tuples(size, length) for length in (2, 3)},
            grid_rows(size, size),
        )

    def _setup(self, n_players: i64, rng: Rng) -> OthelloState:
        size = self.size
        below = size * (size // 2) + size // 2
        first = _square(below - size) | _square(below - 1)
        second = _square(below - size - 1) | _square(below)
        return OthelloState(n_players, size, first, second, moves_of(first, second, size))

    def _set_cells(self, state: OthelloState, cells: bytes) -> None:
        state.first = state.second = 0
        for cell in range(self.n_cells):
            value: i64 = cells[cell]
            if value == 1:
                state.first |= _square(cell)
            elif value == 2:
                state.second |= _square(cell)
        own, other = (state.first, state.second) if state.current_player == 0 else (state.second, state.first)
        state.moves = moves_of(own, other, self.size)
        if state.moves == 0 and moves_of(other, own, self.size) == 0:
            state.end_by_score()

    def _available_actions(self, state: OthelloState) -> list[AnyAction]:
        moves = state.moves
        if moves == 0:
            return [DO_NOTHING]
        places = self.places
        return [places[cell] for cell in range(self.n_cells) if moves >> cell & 1 == 1]

    def random_action(self, state: OthelloState, rng: Rng) -> AnyAction:
        """Draw one of the squares by its place among those open."""
        moves = state.moves
        if moves == 0:
            rng.below(1)
            return DO_NOTHING
        skipped = rng.below(count(moves))
        cell: i64 = 0
        while moves >> cell & 1 == 0 or skipped > 0:
            if moves >> cell & 1 == 1:
                skipped -= 1
            cell += 1
        return self.places[cell]

    def _after_action(self, state: OthelloState, action: AnyAction, rng: Rng) -> None:
        player = state.current_player
        own, other = (state.first, state.second) if player == 0 else (state.second, state.first)
        state.moves = moves_of(other, own, self.size)
        if state.moves == 0 and moves_of(own, other, self.size) == 0:
            if state.recording:
                discs = f"{count(state.first)} to {count(state.second)}"
                state.announce(Event("no moves", words=f"neither player can enclose a disc, the discs are {discs}"))
            state.end_by_score()
        else:
            self.give_turn(state, 1 - player)


def straight_tuples(size: int, length: int) -> list[tuple[int, ...]]:
    """Return the straight lines of ``length`` neighbouring squares, one of each class under the symmetries of the square."""
    symmetries = square_symmetries(size)
    classes: set[tuple[int, ...]] = set()
    for cell in range(size * size):
        for right, down in ((1, 0), (0, 1), (1, 1), (-1, 1)):
            column, row = cell % size + (length - 1) * right, cell // size + (length - 1) * down
            if 0 <= column < size and row < size:
                line = [cell + step * (right + down * size) for step in range(length)]
                classes.add(min([tuple(sorted([symmetry[one] for one in line])) for symmetry in symmetries]))
    return sorted(classes)
