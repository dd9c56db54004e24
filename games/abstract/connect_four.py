"""Connect Four, by Howard Wexler and Ned Strongin (Milton Bradley, 1974), for 2 players, on a grid of any size.

Rules: two players by turns drop a disc of their colour into one of the seven columns that is not full; it falls to the
lowest of its six cells that is free. The first with four discs next to each other in a row, column or diagonal wins; a
full grid without them is a draw.

Where the rules leave it to the players: seat 0 has the yellow discs and starts.

Variants (`ConnectFourParameters`): columns, rows, and how many discs in a row win. TAG's default is
``connect_four:width=8,height=8``.

What a player knows: everything.

Unlike TAG's Java version, the grid is the printed one of 7 by 6 unless said otherwise, and need not be square.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cache
from string import ascii_lowercase, ascii_uppercase
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
    ParameterError,
    Parameters,
    PlayerHeuristic,
    Rng,
    Vocabulary,
    integer,
    interned,
)
from tag.components import Component, GridBoard
from tag.engine.encoding import grid_neighbours

_DISCS: Final = "YR"
_EMPTY: Final = -1
#: What `ConnectFourState.cell_values` has for a free cell that the next disc in its column falls to.
_REACHABLE: Final = 3
#: The values of each column that was looked at, so that a position is put together from seven of them.
_COLUMN_VALUES: Final[dict[int, bytes]] = {}
_COLUMNS: Final = "abcdefghijklmnopqrst"
_LARGEST: Final = 20
#: The bits of a board that fit a machine integer.
_MACHINE_BITS: Final = 62
#: 70 tuples of eight cells of the printed grid, whose cells are A to Z and a to p, up each column from the left.
_TUPLES: Final = """
INOUVabg INPRSWXc OPQRVWXb DEIJKLQW CDHIJNQX QSUVZafh PVWbdiop HMNOSTUV ABCGHINO KRWdijop
EFIJLOQV TZaefhlm VWXcdjop ABCGHMTY BFHIJKLM ABDIJOQT HMNOUVWc bcghijmp DEIJKLNO MNOTUVZa
KQRVWXbc MNOSUVZa CDEFKLQR befghklm Zfghklmn ABCGHIMT SZefgklm AGHMNOSY efghklmn Vabfghmn
FIJKLPQU fhijklmp GMNSTUZa NSTUYZel BCJOPVch PUZdfimn HIJKNOUb MSYZefkl VWafgklm ABGMNSTZ
JKLQRWXd LRUWXbci QWXdijnp UZbcfgip TYZefgkl ELRWchij ABCDGHJP GNSTaghn bchimnop Vabfghlm
HMNSTUZa IJPQVWXd SYZafklm DEFIJKPV cdhijnop MOSTZaeg ACHINUZa DEFJKOPU DIJQRWXc NTZfghmn
VWbcdhij NOPSTUZe ABHIJNOP HIJMNOTZ EJKLPQRX JKPQTVWa KRVWchmn afglmnop BCDEFIJK IJKLOPQU
"""
#: What a line that lacks one disc counts beside one that is just begun, in the heuristic.
_THREAT: Final = 3
#: What a game is worth that the next two discs decide.
_DECIDED: Final = 0.95


@dataclass
class ConnectFourParameters(Parameters):
    """The grid, and how long a winning line is."""

    width: int = integer(7, 2, _LARGEST, "columns")
    height: int = integer(6, 2, _LARGEST, "rows")
    length: int = integer(4, 2, 10, "discs in a row that win")

    def check(self) -> None:
        """Refuse lines that do not fit the grid."""
        longest = max(self.width, self.height)
        if self.length > longest:
            raise ParameterError(
                f"length cannot be {self.length} on a grid of {self.width} by {self.height}; the nearest value is {longest}"
            )


@mypyc_attr(allow_interpreted_subclasses=True)
class ConnectFourState(GameState):
    """The grid, as one bit board per player.

    Bits go up each column, columns from left to right, with one bit above each column that stays free, so that no line
    runs from one column's top into the next. The boards are Python's integers: fast up to 62 bits (7 by 6 takes 49), right
    beyond.

    Attributes:
        width: columns.
        height: rows.
        length: discs in a row that win.
        first: the discs of player 0.
        second: the discs of player 1.
        free: cells left.
    """

    def __init__(self, n_players: i64, width: i64, height: i64, length: i64) -> None:
        super().__init__(n_players)
        self.width = width
        self.height = height
        self.length = length
        self.first: int = 0
        self.second: int = 0
        self.free: i64 = width * height

    def copy(self) -> ConnectFourState:
        other = ConnectFourState(self.n_players, self.width, self.height, self.length)
        self.copy_to(other)
        other.first = self.first
        other.second = self.second
        other.free = self.free
        return other

    def knowledge(self, player: i64) -> Hashable:
        return (int(self.current_player), self.first, self.second)

    def cells(self) -> list[int]:
        """Return the grid row by row from the top: -1 for a free cell, else the player."""
        found: list[int] = []
        stride = int(self.height) + 1
        for row in range(int(self.height) - 1, -1, -1):
            for column in range(int(self.width)):
                cell = row + column * stride
                found.append(0 if self.first >> cell & 1 else 1 if self.second >> cell & 1 else _EMPTY)
        return found

    def cell_values(self) -> bytes:
        """Return for each cell, up each column from the left, 0 if it is free, 1 and 2 for the players' discs.

        A free cell that the next disc in its column falls to has 3, as for the n-tuples of GBG (General Board Game Playing):
        they can tell a threat that is open now from a later one.
        """
        height = self.height
        stride = int(height) + 1  # of Python's numbers, as the boards are: they can be larger than the machine's
        mask = (1 << int(height)) - 1
        first, second = self.first, self.second
        columns: list[bytes] = []
        for _column in range(self.width):
            columns.append(column_values(height, first & mask, second & mask))
            first >>= stride
            second >>= stride
        return b"".join(columns)

    def components(self) -> list[Component]:
        return [GridBoard("grid", self.width, self.height, self.cells())]

    def __str__(self) -> str:
        """Draw the grid, the columns' letters below."""
        letters = ["." if cell == _EMPTY else _DISCS[cell] for cell in self.cells()]
        width = int(self.width)
        rows = [" ".join(letters[start : start + width]) for start in range(0, len(letters), width)]
        return "\n".join([*rows, " ".join(_COLUMNS[:width])])


def column_values(height: i64, first: int, second: int) -> bytes:
    """Return `ConnectFourState.cell_values` of one column."""
    key = (first << _LARGEST | second) << _LARGEST | height
    known = _COLUMN_VALUES.get(key)
    if known is None:
        n_discs = (first | second).bit_length()
        discs = [1 if first >> row & 1 else 2 for row in range(n_discs)]
        known = bytes([*discs, _REACHABLE, *[0] * int(height)][: int(height)])
        _COLUMN_VALUES[key] = known
    return known


def _printed_tuples() -> list[tuple[int, ...]]:
    letters = ascii_uppercase + ascii_lowercase
    return [tuple([letters.index(cell) for cell in cells]) for cells in _TUPLES.split()]


@cache
def line_starts(width: int, height: int, length: int) -> list[tuple[int, int]]:
    """Return for each direction its shift and, as a board, the cells in which a line of ``length`` can start."""
    column = (1 << height) - 1
    grid = sum([column << at * (height + 1) for at in range(width)])
    found: list[tuple[int, int]] = []
    for shift in (1, height, height + 1, height + 2):
        starts = grid
        for cell in range(1, length):
            starts &= grid >> cell * shift
        found.append((shift, starts))
    return found


def cell_name(bit: int, height: int) -> str:
    """Return the cell of a bit as column and row, counted from the top as components do: ``b3``."""
    column, row = divmod(bit, height + 1)
    return f"{_COLUMNS[column]}{height - row}"


class Drop(Action[ConnectFourState]):
    """Drop a disc into a column."""

    def __init__(self, column: i64, height: i64) -> None:
        """Name the column, from the left, of a grid of the ``height``."""
        self.column = column
        self.height = height
        foot = int(column * (height + 1))
        self.bottom: int = 1 << foot
        self.cells: int = ((1 << int(height)) - 1) << foot

    def execute(self, state: ConnectFourState, rng: Rng) -> None:
        disc = ((state.first | state.second) + self.bottom) & self.cells
        if state.current_player == 0:
            state.first |= disc
        else:
            state.second |= disc
        state.free -= 1
        if state.recording:
            cell = cell_name(disc.bit_length() - 1, int(self.height))
            words = f"the disc falls to {cell}"
            state.announce(Event("placed", state.current_player, items=(cell,), places=(f"grid/{cell}",), words=words))

    def __str__(self) -> str:
        return _COLUMNS[self.column]


class ConnectFourFeatures(Features):
    """For each cell, row by row from the top, 1 for the player's disc, -1 for the other's, 0 for none."""

    def names(self, n_players: i64) -> tuple[str, ...]:
        """Return a name for each cell, row by row."""
        rules = cast("ConnectFourParameters", self.parameters)
        return tuple([f"cell_{cell}" for cell in range(rules.width * rules.height)])

    def values(self, state: GameState, player: i64) -> list[float]:
        """Return the features."""
        values = {_EMPTY: 0.0, int(player): 1.0, int(1 - player): -1.0}
        return [values[cell] for cell in cast("ConnectFourState", state).cells()]


class ConnectFourHeuristic(PlayerHeuristic):
    """The lines begun and still open to the player less the other's, those that lack one disc counting more.

    The difference is a share of what it would be with all lines of the grid. A game that threats show to be decided by the
    next two discs is worth nearly as much as its result.
    """

    def _value_player(self, state: GameState, player: i64) -> float:
        """Look for discs that win next, then weigh the lines."""
        grid = cast("ConnectFourState", state)
        mine, theirs = (grid.first, grid.second) if player == 0 else (grid.second, grid.first)
        begun_lead, threat_lead, threats, n_lines = 0, 0, 0, 0
        for shift, starts in line_starts(grid.width, grid.height, grid.length):
            begun, threatening = _lines(mine, theirs, shift, starts, grid.length)
            other_begun, other_threatening = _lines(theirs, mine, shift, starts, grid.length)
            begun_lead += begun - other_begun
            threat_lead += threatening - other_threatening
            threats += threatening + other_threatening
            n_lines += starts.bit_count()
        decided = _decided(grid) if threats else 0
        if decided != 0:
            return _DECIDED * float(decided if player == grid.current_player else -decided)
        return (begun_lead + _THREAT * threat_lead) / ((1 + _THREAT) * n_lines)


def _decided(state: ConnectFourState) -> i64:
    """Return 1 if the current player can win with the next disc, -1 if it cannot prevent that the other does, else 0."""
    width, height, length = int(state.width), int(state.height), int(state.length)
    mover_is_first = state.current_player == 0
    own, other = (state.first, state.second) if mover_is_first else (state.second, state.first)
    bottoms, cells = grid_of(width, height)
    open_cells = ((own | other) + bottoms) & cells
    lines = line_starts(width, height, length)
    if completing(own, lines, length) & open_cells:
        return 1
    wins = completing(other, lines, length)
    threats = wins & open_cells
    if not threats:
        return 0
    # A single threat is met by a disc, on which the next one can stand.
    return -1 if threats & (threats - 1) or wins & threats << 1 & cells else 0


@cache
def grid_of(width: int, height: int) -> tuple[int, int]:
    """Return as boards the bottom cell of each column, and all cells."""
    column = (1 << height) - 1
    feet = [at * (height + 1) for at in range(width)]
    return sum([1 << foot for foot in feet]), sum([column << foot for foot in feet])


def completing(discs: int, lines: list[tuple[int, int]], length: int) -> int:
    """Return the cells that would complete one of the ``lines`` (`line_starts`); some may hold discs already.

    No number has more bits than the grid: where one outgrows the machine's, an interruption may abort compiled code.
    """
    found = 0
    for shift, starts in lines:
        for place in range(length):
            lacking = starts
            for other in range(length):
                if other != place:
                    lacking &= discs >> shift * other
            found |= lacking << shift * place
    return found


def _lines(own: int, other: int, shift: int, starts: int, length: i64) -> tuple[int, int]:
    """Return how many lines of one direction ``own`` has begun and ``other`` does not block, and how many lack one disc."""
    complete = starts
    lacking_one = 0
    begun = 0
    for _cell in range(length):
        lacking_one = (lacking_one & own) | (complete & ~own)
        complete &= own
        begun |= own
        starts &= ~other
        own >>= shift
        other >>= shift
    return (begun & starts).bit_count(), (lacking_one & starts).bit_count()


class ConnectFour(ForwardModel[ConnectFourState]):
    """The rules.

    >>> from tag import make_game
    >>> model = make_game("connect_four:width=5,height=4,length=3")
    >>> state = model.setup(2, Rng(1))
    >>> for column in (2, 2, 3):
    ...     model.next(state, model.available_actions(state)[column], Rng(1))
    >>> print(state)
    . . . . .
    . . . . .
    . . R . .
    . . Y Y .
    a b c d e
    """

    game_type = GameType(
        "Connect Four",
        2,
        2,
        ConnectFourParameters,
        categories=("abstract", "simple"),
        mechanics=("pattern building", "grid placement"),
        hidden_information=False,
        chance=False,
        heuristic=ConnectFourHeuristic,
        features=ConnectFourFeatures,
    )

    def __init__(self, parameters: ConnectFourParameters | None = None) -> None:
        """Make the actions of a grid of the size, and what finds lines in it."""
        chosen = ConnectFourParameters() if parameters is None else parameters
        super().__init__(chosen)
        self.width: i64 = chosen.width
        self.height: i64 = chosen.height
        self.length: i64 = chosen.length
        self.drops: list[AnyAction] = [interned(Drop(column, chosen.height)) for column in range(chosen.width)]
        self.tops = [1 << column * (chosen.height + 1) + chosen.height - 1 for column in range(chosen.width)]
        self.top_row = sum(self.tops)
        self.is_small = chosen.width * (chosen.height + 1) <= _MACHINE_BITS
        self.too_free: i64 = chosen.width * chosen.height - 2 * chosen.length + 1

    def vocabulary(self, n_players: i64) -> Vocabulary:
        """Return the drops into all columns, from the left."""
        return Vocabulary(Actions(Drop, column=range(self.width), height=(self.height,)))

    def cells(self, n_players: i64) -> Cells:
        """Return the grid, up each column from the left, which may be reflected left to right.

        The 70 tuples of the printed grid are the best of three sets drawn by random walks, as GBG's are of such walks.
        """
        width, height = int(self.width), int(self.height)
        mirrored = [(width - 1 - column) * height + row for column in range(width) for row in range(height)]
        columns = list(range(width))
        return Cells(
            width * height,
            4,
            [range(width * height), mirrored],
            [columns, columns[::-1]],
            grid_neighbours(height, width),
            {"seventy_8_tuples": _printed_tuples()} if (width, height) == (7, 6) else {},
            [range(row, width * height, height) for row in reversed(range(height))],
        )

    def _setup(self, n_players: i64, rng: Rng) -> ConnectFourState:
        return ConnectFourState(n_players, self.width, self.height, self.length)

    def _set_cells(self, state: ConnectFourState, cells: bytes) -> None:
        """Put the discs, none of which may hang in the air; free cells may hold 0 or 3."""
        height = int(self.height)
        for cell, value in enumerate(cells):
            column, row = divmod(cell, height)
            if value in (1, 2):
                if row > 0 and cells[cell - 1] not in (1, 2):
                    raise ParameterError(
                        f"the disc in column {_COLUMNS[column]}, row {row + 1} from below, hangs in the air"
                    )
                disc = 1 << column * (height + 1) + row
                if value == 1:
                    state.first |= disc
                else:
                    state.second |= disc
                state.free -= 1
        if self._has_line(state.first) or self._has_line(state.second):
            state.end_with_draw()

    def _available_actions(self, state: ConnectFourState) -> list[AnyAction]:
        full = (state.first | state.second) & self.top_row
        if full == 0:
            return self.drops[:]
        tops = self.tops
        return [drop for column, drop in enumerate(self.drops) if not full & tops[column]]

    def _after_action(self, state: ConnectFourState, action: AnyAction, rng: Rng) -> None:
        player = state.current_player
        if state.free <= self.too_free and self._has_line(state.first if player == 0 else state.second):
            if state.recording:
                _announce_lines(state, player)
            state.end_with_winner(player)
        elif state.free == 0:
            state.end_with_draw()
        else:
            self.give_turn(state, 1 - player)

    def _has_line(self, discs: int) -> bool:
        if self.is_small:
            return self._has_small_line(discs)
        height = int(self.height)
        return any([_has_long_run(discs, shift, int(self.length)) for shift in (1, height, height + 1, height + 2)])

    def _has_small_line(self, discs: i64) -> bool:
        height, length = self.height, self.length
        return (
            _has_run(discs, 1, length)
            or _has_run(discs, height, length)
            or _has_run(discs, height + 1, length)
            or _has_run(discs, height + 2, length)
        )

    def rollout(self, state: ConnectFourState, depth: i64, rng: Rng) -> i64:
        """Play on in machine integers, without actions, unless the grid is large or a subclass has other rules.

        Search takes half the time.
        """
        if type(self) is not ConnectFour or not self.is_small or state.recording or state.is_terminal or depth < 1:
            return super().rollout(state, depth, rng)
        player = state.current_player
        mine: i64 = state.first if player == 0 else state.second
        theirs: i64 = state.second if player == 0 else state.first
        top_row: i64 = self.top_row
        lowest: i64 = 1
        highest: i64 = self.tops[0]
        stride = self.height + 1
        n_columns: i64 = len(self._available_actions(state))
        played: i64 = 0
        while True:
            taken = mine | theirs
            column = rng.below(n_columns)
            bottom, top = lowest, highest
            while column > 0 or taken & top != 0:
                if taken & top == 0:
                    column -= 1
                bottom <<= stride
                top <<= stride
            disc = (taken + bottom) & ~taken
            if disc & top_row != 0:
                n_columns -= 1
            mine |= disc
            played += 1
            if played == depth or n_columns == 0 or self._has_small_line(mine):
                break
            mine, theirs = theirs, mine
            player = 1 - player
        state.first, state.second = (mine, theirs) if player == 0 else (theirs, mine)
        state.free -= played
        state.count_turns(played, player)
        self._after_action(state, DO_NOTHING, rng)
        return played


def _announce_lines(state: ConnectFourState, player: i64) -> None:
    """Announce the lines of a player, one in each direction."""
    discs = state.first if player == 0 else state.second
    height, length = int(state.height), int(state.length)
    for shift, starts in line_starts(int(state.width), height, length):
        full = starts
        for cell in range(length):
            full &= discs >> cell * shift
        line = 0
        for cell in range(length):
            line |= full << cell * shift
        if line:
            cells = tuple([cell_name(bit, height) for bit in range(line.bit_length()) if line >> bit & 1])
            state.announce(Event("line completed", player, items=cells, words="{player} completes the line {items}"))


def _has_run(board: i64, shift: i64, length: i64) -> bool:
    """Say whether ``length`` discs are on the board, each ``shift`` bits above the one before.

    A board joined (and) with itself, shifted, has the runs of two; these joined are runs of four, and so on.
    """
    if shift * (length - 1) > _MACHINE_BITS:
        return False
    run: i64 = 1
    while run < length and board != 0:
        step = run if 2 * run <= length else length - run
        board &= board >> (step * shift)
        run += step
    return board != 0


def _has_long_run(board: int, shift: int, length: int) -> bool:
    """Say the same of a board of any size."""
    run = 1
    while run < length:
        step = min(run, length - run)
        board &= board >> step * shift
        run += step
    return board != 0
