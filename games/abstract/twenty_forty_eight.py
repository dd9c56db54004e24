"""2048, by Gabriele Cirulli (2014), a sliding puzzle for 1 player with tiles that double.

Rules: on a grid of four by four cells lie two tiles at the start. A move slides all tiles as far as they go: up, right, down
or left. Where two equal tiles meet, they become one of twice the value, which the player scores; no tile merges twice in a
move, and those farthest on merge first. A move must change the grid. Then a new tile appears on a random free cell: a 2 with
probability 0.9, else a 4. The game ends when no move is left.

Where the rules leave it to the players: reaching the tile 2048 wins, and play goes on for the score, as in the literature
on learning agents. The largest tile is 32,768: two of these do not merge.

Variants (`TwentyFortyEightParameters`): the tile that wins, whether play goes on then, and how rare new 4s are. The game
that stops at the first 2048 is ``twenty_forty_eight:play_on=false``.

What a player knows: everything but the new tiles.

Unlike TAG, this package has 2048, as it is at https://github.com/gabrielecirulli/2048. Random play scores 1,094 points on
average (30,000 games; standard deviation 529). Sets of n-tuples are by M. Szubert and W. Jaśkowski, "Temporal difference
learning of N-tuple networks for the game 2048", CIG 2014, and by K.-H. Yeh and others, "Multistage temporal difference
learning for 2048-like games", IEEE T-CIAIG 9 (2017).
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from itertools import pairwise
from math import log2
from typing import ClassVar, Final, cast

from mypy_extensions import i64, mypyc_attr

from tag import (
    LOSE,
    WIN,
    Action,
    Actions,
    AnyAction,
    Cells,
    Event,
    Features,
    ForwardModel,
    GameState,
    GameType,
    Metric,
    Parameters,
    Rng,
    StateHeuristic,
    Vocabulary,
    choice,
    flag,
    integer,
    interned,
)
from tag.components import Component, GridBoard
from tag.engine.encoding import grid_neighbours, square_symmetries

_SIDE: Final = 4
_CELLS: Final = 16
_LARGEST: Final = 15
_DIRECTIONS: Final = ("up", "right", "down", "left")
_UP: Final = 0
_RIGHT: Final = 1
_DOWN: Final = 2
_LEFT: Final = 3
#: Scores are below 2 to the power of twice this number.
_HALF_OF_POWER: Final = 11.0
#: The weight of free cells, equal neighbours and ordered lines in the heuristic.
_ORDER: Final = 0.1

# Four bits are a cell: 0 for a free one, else the exponent of the tile. The first cell of a line is lowest, and two lines
# are half of a grid. All that can happen to a line is one number of these parts: the points for sliding it, the number of
# free cells, whether it changes when slid to its start or to its end, and the line after both. The first four can be added.

_LINE: Final = 0xFFFF
_POINTS: Final = 0x7FFFF
_FREE: Final = 19
_MOVES_TO_START: Final = 24
_MOVES_TO_END: Final = 27
_SUMMED: Final = 0x3FFFFFFF
_TO_START: Final = 30
_TO_END: Final = 46

#: What can happen to each line; -1 for lines that have not occurred. A random game meets some hundred of the 65,536.
_LINES: Final[list[int]] = [-1] * (_LINE + 1)
#: What lines are worth in the heuristic, filled together with the other table.
_WORTH: Final[list[float]] = [0.0] * (_LINE + 1)
#: The exponents of lines, also filled together with the first table.
_EXPONENTS: Final[list[bytes]] = [b""] * (_LINE + 1)


def _line(line: i64) -> i64:
    """Return the packed outcomes of a line: both slides, points and free cells."""
    known: i64 = _LINES[line]
    return known if known >= 0 else _new_line(line)


def _new_line(line: i64) -> i64:
    """Find the outcomes of a line that has not occurred."""
    cells = [int(line >> 4 * cell & 15) for cell in range(_SIDE)]
    to_start, points = _slid(cells)
    to_end = _slid(cells[::-1])[0][::-1]
    found = points | cells.count(0) << _FREE | _packed(to_start) << _TO_START | _packed(to_end) << _TO_END
    if to_start != cells:
        found |= 1 << _MOVES_TO_START
    if to_end != cells:
        found |= 1 << _MOVES_TO_END
    _LINES[line] = found
    _WORTH[line] = _worth(cells)
    _EXPONENTS[line] = bytes(cells)
    return found


def _exponents(line: i64) -> bytes:
    if _LINES[line] < 0:
        _new_line(line)
    return _EXPONENTS[line]


def _totals(half: i64) -> i64:
    """Return the sums over two lines of the parts that can be added."""
    return (_line(half & _LINE) & _SUMMED) + (_line(half >> 16) & _SUMMED)


def _slid_half(half: i64, end: i64) -> i64:
    """Return two lines slid to their start or end."""
    return (_line(half & _LINE) >> end & _LINE) | (_line(half >> 16) >> end & _LINE) << 16


def _worth_of_half(half: i64) -> float:
    """Return the value of two lines whose moves are known."""
    return _WORTH[half & _LINE] + _WORTH[half >> 16]


def _slid(cells: list[int]) -> tuple[list[int], int]:
    """Return the exponents after sliding to the start, and the points of the merges."""
    found: list[int] = []
    points = 0
    may_merge = False
    for tile in cells:
        if not tile:
            continue
        if may_merge and found[-1] == tile and tile < _LARGEST:
            found[-1] += 1
            points += 2 << tile
            may_merge = False
        else:
            found.append(tile)
            may_merge = True
    return found + [0] * (_SIDE - len(found)), points


def _worth(cells: list[int]) -> float:
    """Return the value of a line: free cells and equal neighbours, less the steps against its direction.

    Summed over all lines, each is a share: of the cells, of the pairs of neighbours, and of some large number of steps.
    """
    pairs = list(pairwise(cells))
    equal = len([one for one, other in pairs if one == other and one])
    steps = min(sum([max(0, one - other) for one, other in pairs]), sum([max(0, other - one) for one, other in pairs]))
    return cells.count(0) / 32.0 + equal / 24.0 - steps / 60.0


def _packed(cells: list[int]) -> int:
    return sum([tile << 4 * cell for cell, tile in enumerate(cells)])


def _transposed(top: i64, bottom: i64) -> tuple[i64, i64]:
    """Return the grid, two rows in each number, with its columns as rows.

    First the cells off the diagonal are exchanged in each quarter of the grid, then the quarters off the diagonal.
    """
    top = (top & 0xF0F00F0F) | (top >> 12 & 0xF0F0) | (top & 0xF0F0) << 12
    bottom = (bottom & 0xF0F00F0F) | (bottom >> 12 & 0xF0F0) | (bottom & 0xF0F0) << 12
    return (
        (top & 0x00FF00FF) | (bottom & 0x00FF00FF) << 8,
        (top >> 8 & 0x00FF00FF) | (bottom & 0xFF00FF00),
    )


@dataclass
class TwentyFortyEightParameters(Parameters):
    """The end of the game, and the new tiles."""

    target: int = choice(
        2048,
        (8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768),
        "the tile that wins",
        ordered=True,
    )
    play_on: bool = flag(True, "play goes on after the tile that wins, until no move is left")
    fours: int = integer(10, 1, 100, "one new tile in so many is a 4, the others are 2")


@mypyc_attr(allow_interpreted_subclasses=True)
class TwentyFortyEightState(GameState):
    """The grid, in two numbers of 32 bits: two rows each, four bits per cell, the top left cell lowest.

    Attributes:
        top: the first and the second row.
        bottom: the third and the fourth row.
        points: the score.
    """

    def __init__(self, n_players: i64) -> None:
        """Start with an empty grid."""
        super().__init__(n_players)
        self.top: i64 = 0
        self.bottom: i64 = 0
        self.points: i64 = 0

    def copy(self) -> TwentyFortyEightState:
        other = TwentyFortyEightState(self.n_players)
        self.copy_to(other)
        other.top = self.top
        other.bottom = self.bottom
        other.points = self.points
        return other

    def knowledge(self, player: i64) -> Hashable:
        return (int(self.top), int(self.bottom), int(self.points))

    def moves(self) -> i64:
        """Return the directions in which the grid can slide, as bits: 1 up, 2 right, 4 down, 8 left."""
        rows = _totals(self.top) + _totals(self.bottom)
        left, right = _transposed(self.top, self.bottom)
        columns = _totals(left) + _totals(right)
        found: i64 = 1 if columns >> _MOVES_TO_START & 7 else 0
        if rows >> _MOVES_TO_END & 7:
            found |= 2
        if columns >> _MOVES_TO_END & 7:
            found |= 4
        if rows >> _MOVES_TO_START & 7:
            found |= 8
        return found

    def slide(self, direction: i64) -> None:
        """Slide all tiles, and score what merges."""
        top, bottom = self.top, self.bottom
        is_vertical = direction == _UP or direction == _DOWN
        if is_vertical:
            top, bottom = _transposed(top, bottom)
        self.points += _totals(top) + _totals(bottom) & _POINTS
        end: i64 = _TO_END if direction == _RIGHT or direction == _DOWN else _TO_START
        top, bottom = _slid_half(top, end), _slid_half(bottom, end)
        if is_vertical:
            top, bottom = _transposed(top, bottom)
        self.top, self.bottom = top, bottom

    def n_free(self) -> i64:
        """Return the number of free cells."""
        return _totals(self.top) + _totals(self.bottom) >> _FREE & 31

    def put(self, free: i64, tile: i64) -> None:
        """Put a tile, by its exponent, on a free cell, counted row by row from 0."""
        in_top = _totals(self.top) >> _FREE & 31
        if free < in_top:
            self.top |= tile << _free_bit(self.top, free)
        else:
            self.bottom |= tile << _free_bit(self.bottom, free - in_top)

    def largest(self) -> int:
        """Return the value of the largest tile."""
        exponent = max(self.cell_values())
        return 1 << exponent if exponent else 0

    def score(self, player: i64) -> float:
        return float(self.points)

    def cell_values(self) -> bytes:
        """Return the exponents of the tiles row by row, 0 for free cells."""
        top, bottom = self.top, self.bottom
        return _exponents(top & _LINE) + _exponents(top >> 16) + _exponents(bottom & _LINE) + _exponents(bottom >> 16)

    def components(self) -> list[Component]:
        return [GridBoard("grid", _SIDE, _SIDE, list(self.cell_values()))]

    def __str__(self) -> str:
        """Draw the grid, the score below."""
        texts = [str(1 << exponent) if exponent else "." for exponent in self.cell_values()]
        width = max([len(text) for text in texts])
        rows = [" ".join([text.rjust(width) for text in texts[row : row + _SIDE]]) for row in range(0, _CELLS, _SIDE)]
        return "\n".join([*rows, f"score {self.points}"])


def _free_bit(cells: i64, free: i64) -> i64:
    """Return the lowest bit of a free cell, counted from 0."""
    bit: i64 = 0
    while True:
        if cells >> bit & 15 == 0:
            if free == 0:
                return bit
            free -= 1
        bit += 4


class Slide(Action[TwentyFortyEightState]):
    """Slide all tiles as far as they go."""

    def __init__(self, direction: i64) -> None:
        """Name the direction: 0 up, 1 right, 2 down, 3 left."""
        self.direction = direction

    def execute(self, state: TwentyFortyEightState, rng: Rng) -> None:
        if state.recording:
            _announce_merges(state, self.direction)
        state.slide(self.direction)

    def __str__(self) -> str:
        return _DIRECTIONS[self.direction]


def _announce_merges(state: TwentyFortyEightState, direction: i64) -> None:
    """Announce which tiles the next slide makes of equal ones."""
    cells = state.cell_values()
    columns = direction == _UP or direction == _DOWN
    tiles: list[int] = []
    for number in range(_SIDE):
        line = list(cells[number::_SIDE] if columns else cells[number * _SIDE : (number + 1) * _SIDE])
        tiles += _merged(line if direction == _UP or direction == _LEFT else line[::-1])
    if tiles:
        words = "{player} scores {value}: tiles merge into {items}"
        state.announce(Event("merged", 0, float(sum(tiles)), tuple(tiles), ("grid",), words=words))


def _merged(cells: list[int]) -> list[int]:
    """Return the values of the tiles that a line has from merges after sliding to its start."""
    found: list[int] = []
    last = 0
    for tile in cells:
        if tile and tile == last and tile < _LARGEST:
            found.append(2 << tile)
            last = 0
        elif tile:
            last = tile
    return found


def _cell_name(cell: int) -> str:
    return f"{'abcd'[cell % _SIDE]}{cell // _SIDE + 1}"


class TwentyFortyEightFeatures(Features):
    """The exponents of the tiles row by row, and the number of free cells."""

    def names(self, n_players: i64) -> tuple[str, ...]:
        """Return a name for each cell, and ``free``."""
        return (*[f"cell_{cell}" for cell in range(_CELLS)], "free")

    def values(self, state: GameState, player: i64) -> list[float]:
        """Return the features."""
        grid = cast("TwentyFortyEightState", state)
        return [*[float(exponent) for exponent in grid.cell_values()], float(grid.n_free())]


class TwentyFortyEightHeuristic(StateHeuristic):
    """The logarithm of the score, scaled, and a little for free cells, equal neighbours and ordered lines.

    OSLA scores 15,450 ± 760 on average with it (standard error, 100 games) and 1,920 ± 85 with the score alone. MCTS of
    200 calls scores 42,200 ± 4,300 without rollouts (16 games; 12,300 ± 1,400 with the score alone). With rollouts,
    which destroy the order, it scores 12,600 ± 1,300, and with the score alone 17,100 ± 1,400.
    """

    def value(self, state: GameState, player: i64) -> float:
        """Return the value of the grid, in [-1, 1]."""
        grid = cast("TwentyFortyEightState", state)
        value = log2(1.0 + float(grid.points)) / _HALF_OF_POWER - 1.0
        if grid.is_terminal:
            return value - _ORDER
        grid.moves()  # looks all lines up, so that their worth is known
        left, right = _transposed(grid.top, grid.bottom)
        worth = _worth_of_half(grid.top) + _worth_of_half(grid.bottom) + _worth_of_half(left) + _worth_of_half(right)
        return max(-1.0, min(1.0, value + _ORDER * worth))


class TwentyFortyEightMetric(Metric):
    """The largest tile, and how full the grid is."""

    measures: ClassVar[dict[str, str]] = {
        "largest_tile": "largest tile at the end of the game",
        "reached_512": "share of games with a tile of 512 or more",
        "reached_2048": "share of games with a tile of 2048 or more",
        "reached_8192": "share of games with a tile of 8192 or more",
    }

    def on_end(self, state: GameState) -> None:
        self.largest = cast("TwentyFortyEightState", state).largest()

    def values(self) -> dict[str, list[float]]:
        found = {f"reached_{tile}": [float(self.largest >= tile)] for tile in (512, 2048, 8192)}
        return {"largest_tile": [float(self.largest)], **found}


class TwentyFortyEight(ForwardModel[TwentyFortyEightState]):
    """The rules.

    >>> from tag import make_game
    >>> model = make_game("twenty_forty_eight")
    >>> state = model.setup(1, Rng(1))
    >>> moves = model.rollout(state, 60, Rng(1))
    >>> print(state)
     2 16  2 64
     4 16  8  2
     .  .  2  8
     .  . 16  4
    score 464
    """

    game_type = GameType(
        "2048",
        1,
        1,
        TwentyFortyEightParameters,
        categories=("abstract", "puzzle"),
        mechanics=("sliding", "merging"),
        hidden_information=False,
        heuristic=TwentyFortyEightHeuristic,
        features=TwentyFortyEightFeatures,
        metric=TwentyFortyEightMetric,
    )

    def __init__(self, parameters: TwentyFortyEightParameters | None = None) -> None:
        """Make the actions, and the lists of those that are possible together."""
        chosen = TwentyFortyEightParameters() if parameters is None else parameters
        super().__init__(chosen)
        self.target: int = chosen.target
        self.play_on = chosen.play_on
        self.fours: i64 = chosen.fours
        slides = [interned(Slide(direction)) for direction in range(4)]
        self.slides: list[list[AnyAction]] = [
            [slide for direction, slide in enumerate(slides) if moves >> direction & 1] for moves in range(16)
        ]

    def vocabulary(self, n_players: i64) -> Vocabulary:
        """Return up, right, down and left."""
        return Vocabulary(Actions(Slide, direction=range(4)))

    def cells(self, n_players: i64) -> Cells:
        """Return the cells row by row, with the rotations and reflections of the grid.

        The n-tuples of Szubert and Jaśkowski are all rows, columns and squares of four cells, those of Yeh and others two
        rectangles and two lines with a bend.
        """
        symmetries = square_symmetries(_SIDE)
        beside = grid_neighbours(_SIDE, _SIDE)
        straight = [[other for other in beside[cell] if other - cell in (-4, -1, 1, 4)] for cell in range(_CELLS)]
        rows = [tuple(range(row, row + _SIDE)) for row in range(0, _CELLS, _SIDE)]
        columns = [tuple(range(column, _CELLS, _SIDE)) for column in range(_SIDE)]
        squares = [(cell, cell + 1, cell + 4, cell + 5) for cell in range(11) if cell % _SIDE < _SIDE - 1]
        bent = [(0, 1, 2, 3, 4, 5), (4, 5, 6, 7, 8, 9)]
        rectangles = [(0, 1, 2, 4, 5, 6), (4, 5, 6, 8, 9, 10)]
        return Cells(
            _CELLS,
            _LARGEST + 1,
            symmetries,
            [_moved_slides(symmetry) for symmetry in symmetries],
            straight,
            {"lines_and_squares": [*rows, *columns, *squares], "four_6_tuples": [*bent, *rectangles]},
            rows,
        )

    def _setup(self, n_players: i64, rng: Rng) -> TwentyFortyEightState:
        state = TwentyFortyEightState(n_players)
        self._add_tile(state, rng)
        self._add_tile(state, rng)
        return state

    def announce_setup(self, state: TwentyFortyEightState) -> None:
        """Announce the first tiles."""
        for cell, exponent in enumerate(state.cell_values()):
            if exponent:
                _announce_tile(state, cell, exponent)

    def _set_cells(self, state: TwentyFortyEightState, cells: bytes) -> None:
        """Put the tiles; the score begins at 0."""
        state.top = _packed(list(cells[:8]))
        state.bottom = _packed(list(cells[8:]))
        if not self.play_on and state.largest() >= self.target:
            state.end_for_all(WIN)

    def _available_actions(self, state: TwentyFortyEightState) -> list[AnyAction]:
        return self.slides[state.moves()][:]

    def random_action(self, state: TwentyFortyEightState, rng: Rng) -> AnyAction:
        """Choose without copying a list."""
        slides = self.slides[state.moves()]
        return slides[rng.below(len(slides))]

    def afterstate(self, state: TwentyFortyEightState, action: AnyAction) -> TwentyFortyEightState:
        """Return the grid when it has slid, before the new tile."""
        other = state.copy()
        other.tick += 1
        other.slide(cast("Slide", action).direction)
        return other

    def resolve_chance(self, afterstate: TwentyFortyEightState, rng: Rng) -> None:
        """Add a tile; end the game if no move is left, or with the tile that wins."""
        self._add_tile(afterstate, rng)
        self.give_turn(afterstate, 0)
        if not self.play_on and afterstate.largest() >= self.target:
            afterstate.end_for_all(WIN)
        elif afterstate.n_free() == 0 and afterstate.moves() == 0:
            if afterstate.recording:
                words = "no move is left, and the largest tile is {value}"
                afterstate.announce(Event("no moves", 0, float(afterstate.largest()), words=words))
            afterstate.end_for_all(WIN if afterstate.largest() >= self.target else LOSE)

    def _after_action(self, state: TwentyFortyEightState, action: AnyAction, rng: Rng) -> None:
        self.resolve_chance(state, rng)

    def _add_tile(self, state: TwentyFortyEightState, rng: Rng) -> None:
        free = rng.below(state.n_free())
        tile: i64 = 2 if rng.one_in(self.fours) else 1
        if state.recording:
            _announce_tile(state, [cell for cell, value in enumerate(state.cell_values()) if not value][free], tile)
        state.put(free, tile)


def _announce_tile(state: TwentyFortyEightState, cell: int, exponent: i64) -> None:
    words = "a new {value} lies on {places}"
    state.announce(Event("added", value=float(1 << exponent), places=(f"grid/{_cell_name(cell)}",), words=words))


def _moved_slides(symmetry: tuple[int, ...]) -> list[int]:
    """Return for each direction the one that it becomes: that from the image of a cell to the image of the next."""
    steps = {-_SIDE: _UP, 1: _RIGHT, _SIDE: _DOWN, -1: _LEFT}
    return [steps[symmetry[5 + step] - symmetry[5]] for step in steps]
