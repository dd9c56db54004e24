"""Can't Stop, by Sid Sackson: the rules of Parker Brothers (1980), for 2-4 players.

Rules. The columns 2 to 12 have 3, 5, 7, 9, 11, 13, 11, 9, 7, 5 and 3 spaces. On a turn, roll four dice and split them into
two pairs: the two sums are the columns to move in. A marker is placed in each: on the lowest space, or on the one above the
player's own square; a marker that is in the column already moves up one space. There are three markers. Both sums must be
used if possible; if only one can be, because one marker is left or a column cannot be used, the other is ignored. Where
either of two new columns could get the last marker, the player chooses. Two equal sums move one marker twice.

After that, roll again or stop. Who stops replaces the markers by own squares. Who rolls and can move no marker loses the
progress of this turn, and the turn is over. Any number of squares and markers may be on one space.

Who stops with a marker on the top space of a column wins the column. The squares of the others are removed from it, and no
marker may be placed in it any more. Three columns win the game.

Where the printed rules are silent: any split of which at least one sum can be used may be chosen. A marker on the top space
cannot move in the rest of the turn. Seat 0 begins, where the rules roll for it. If all columns are won and no player has
enough, which only other parameters make possible, the most columns win.

Variants (`CantStopParameters`): the columns that win, the markers, the length of each column, and a limit of rounds, after
which the most columns win. Without one, players who never stop play for ever.

What a player knows: everything but the dice to come.

Unlike TAG's Java version, columns have the printed lengths; TAG's are a space shorter
(``column_2=2,column_3=4,column_4=6,column_5=8,column_6=10,column_7=12,column_8=10,column_9=8,column_10=6,column_11=4,column_12=2``).
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from itertools import combinations_with_replacement, product
from typing import ClassVar, Final, cast

from mypy_extensions import i64, mypyc_attr

from tag import (
    Action,
    Actions,
    Agent,
    AnyAction,
    Cells,
    Event,
    Features,
    ForwardModel,
    GameState,
    GameType,
    JointHeuristic,
    Metric,
    Parameters,
    Rng,
    Vocabulary,
    best_other,
    best_two,
    bit_count,
    integer,
    interned,
    real,
)
from tag.components import Component, Counter, Die
from tag.engine.forward_model import Outcomes
from tag.playing.metrics import share

# Columns are numbered from 0, for the sum 2. A set of columns has a bit for each; the places in all columns are one number
# of four bits for each, 0 for no square or marker.

_N_COLUMNS: Final = 11
_LOWEST: Final = 2
_BITS: Final = 4
_PLACE: Final = 15
_ALL: Final = (1 << _N_COLUMNS) - 1
_COLUMN: Final[list[int]] = [1 << column for column in range(_N_COLUMNS)]
_STEP: Final[list[int]] = [1 << _BITS * column for column in range(_N_COLUMNS)]
#: For each set of columns, the bits of the places in them.
_PLACES: Final[list[int]] = [
    sum([_PLACE << _BITS * column for column in range(_N_COLUMNS) if columns >> column & 1])
    for columns in range(_ALL + 1)
]

_FACES: Final = (1, 2, 3, 4, 5, 6)
_N_DICE: Final = 4
_N_THROWS: Final = 1296
#: All rolls without the order of the dice, and the number of each of the 1,296 throws.
_DICE: Final[list[tuple[int, ...]]] = list(combinations_with_replacement(_FACES, _N_DICE))
_NUMBERS: Final[dict[tuple[int, ...], int]] = {dice: number for number, dice in enumerate(_DICE)}
_ROLLS: Final[list[int]] = [_NUMBERS[tuple(sorted(throw))] for throw in product(_FACES, repeat=_N_DICE)]
_NO_ROLL: Final = -1
_DICE_NAMES: Final = tuple([f"die {number + 1}" for number in range(_N_DICE)])
_SPLITS: Final = 3
_NO_COLUMN: Final = -1


def _splits(dice: tuple[int, ...]) -> list[int]:
    """Return the different splits of a roll, each as two columns of four bits, the lower one first; -1 for no more."""
    total = sum(dice) - 2 * _LOWEST
    lower = sorted({min(column, total - column) for column in [dice[0] + other - _LOWEST for other in dice[1:]]})
    found = [column | total - column << _BITS for column in lower]
    return found + [_NO_COLUMN] * (_SPLITS - len(found))


#: The splits of each roll, three places for each, and the set of columns that they have.
_SPLITS_OF: Final[list[int]] = [split for dice in _DICE for split in _splits(dice)]
_SUMS: Final[list[int]] = [
    sum([1 << column for column in {one + other - _LOWEST for at, one in enumerate(dice) for other in dice[at + 1 :]}])
    for dice in _DICE
]
_THROWS: Final[list[int]] = [_ROLLS.count(number) for number in range(len(_DICE))]
#: For each set of columns, the throws without a sum in it; -1 for sets that have not occurred.
_MISSES: Final[list[int]] = [-1] * (_ALL + 1)

# Kinds of decisions.
#: The turn begins, and the only action is to roll.
START: Final = 0
#: The dice lie, and a split is due.
SPLIT: Final = 1
#: Roll again or stop.
DECIDE: Final = 2
#: The dice roll: only in afterstates.
ROLLING: Final = 3


def misses(columns: i64) -> i64:
    """Return how many of the 1,296 throws of four dice have no sum in a set of columns (bit 0 for the sum 2)."""
    known: i64 = _MISSES[columns]
    if known >= 0:
        return known
    found = sum([throws for throws, sums in zip(_THROWS, _SUMS, strict=True) if not sums & columns])
    _MISSES[columns] = found
    return found


@dataclass
class CantStopParameters(Parameters):
    """The columns and markers; the defaults are the printed game."""

    columns: int = integer(3, 1, 6, "columns that win")
    markers: int = integer(3, 2, 6, "markers of a turn")
    max_rounds: int = integer(0, 0, 1000, "rounds after which the most columns win; 0 plays on")
    column_2: int = integer(3, 1, 15, "spaces of column 2")
    column_3: int = integer(5, 1, 15, "spaces of column 3")
    column_4: int = integer(7, 1, 15, "spaces of column 4")
    column_5: int = integer(9, 1, 15, "spaces of column 5")
    column_6: int = integer(11, 1, 15, "spaces of column 6")
    column_7: int = integer(13, 1, 15, "spaces of column 7")
    column_8: int = integer(11, 1, 15, "spaces of column 8")
    column_9: int = integer(9, 1, 15, "spaces of column 9")
    column_10: int = integer(7, 1, 15, "spaces of column 10")
    column_11: int = integer(5, 1, 15, "spaces of column 11")
    column_12: int = integer(3, 1, 15, "spaces of column 12")

    def lengths(self) -> list[int]:
        """Return the spaces of each column, from 2 on."""
        return [
            self.column_2,
            self.column_3,
            self.column_4,
            self.column_5,
            self.column_6,
            self.column_7,
            self.column_8,
            self.column_9,
            self.column_10,
            self.column_11,
            self.column_12,
        ]


@mypyc_attr(allow_interpreted_subclasses=True)
class CantStopState(GameState):
    """The squares of all players and the markers of the current one.

    Attributes:
        lengths: the spaces of each column, four bits for each.
        goal: the columns that win.
        n_markers: the markers of a turn.
        squares: for each player, the places of the squares, 0 for none, four bits for each column.
        markers: the places of the markers in the same form.
        marked: the set of columns with a marker.
        topped: the set of columns whose marker is on the top space.
        free: the number of markers that are not placed.
        closed: the set of columns that are won.
        won: the number of columns that each player has won, four bits for each.
        roll: the number of the roll that is to be split, else -1.
    """

    def __init__(self, n_players: i64, lengths: i64, goal: i64, n_markers: i64, squares: tuple[int, ...]) -> None:
        super().__init__(n_players)
        self.lengths = lengths
        self.goal = goal
        self.n_markers = n_markers
        self.squares = squares
        self.markers: i64 = 0
        self.marked: i64 = 0
        self.topped: i64 = 0
        self.free = n_markers
        self.closed: i64 = 0
        self.won: i64 = 0
        self.roll: i64 = _NO_ROLL

    def copy(self) -> CantStopState:
        other = CantStopState(self.n_players, self.lengths, self.goal, self.n_markers, self.squares)
        self.copy_to(other)
        other.markers = self.markers
        other.marked = self.marked
        other.topped = self.topped
        other.free = self.free
        other.closed = self.closed
        other.won = self.won
        other.roll = self.roll
        return other

    def knowledge(self, player: i64) -> Hashable:
        turn = (int(self.current_player), int(self.phase), int(self.roll))
        return (turn, self.squares, int(self.markers), int(self.closed), self.results)

    def length(self, column: i64) -> i64:
        """Return the spaces of a column."""
        return self.lengths >> _BITS * column & _PLACE

    def square(self, player: i64, column: i64) -> i64:
        """Return the place of a player's square in a column, 0 for none."""
        places: i64 = self.squares[player]
        return places >> _BITS * column & _PLACE

    def place(self, column: i64) -> i64:
        """Return the place from which the current player goes on: the marker's, or the square's, 0 for neither."""
        if self.marked >> column & 1:
            return self.markers >> _BITS * column & _PLACE
        return self.square(self.current_player, column)

    def movable(self) -> i64:
        """Return the set of columns in which the current player can place or move a marker."""
        columns = _ALL & ~self.closed if self.free else self.marked
        return columns & ~self.topped

    def risk(self) -> float:
        """Return the probability that no marker can be moved after the next roll."""
        return float(misses(self.movable())) / float(_N_THROWS)

    def merged(self, player: i64) -> i64:
        """Return the places of a player's squares, as they are if the player stops now."""
        places: i64 = self.squares[player]
        if player == self.current_player and self.marked:
            places = places & ~_PLACES[self.marked] | self.markers
        return places

    def advance(self, column: i64) -> None:
        """Place a marker in a column, or move it up."""
        place = self.place(column) + 1
        if self.marked >> column & 1:
            self.markers += _STEP[column]
        else:
            self.markers |= place << _BITS * column
            self.marked |= _COLUMN[column]
            self.free -= 1
        if place == self.length(column):
            self.topped |= _COLUMN[column]

    def names_of(self, columns: i64) -> tuple[str, ...]:
        """Return the components of a set of columns: the marker and all squares."""
        found: list[str] = []
        for column in range(_N_COLUMNS):
            if columns >> column & 1:
                found.append(f"marker in {column + _LOWEST}")
                found += [f"square in {column + _LOWEST} of {player}" for player in range(self.n_players)]
        return tuple(found)

    def stop(self) -> None:
        """Replace the markers by squares of the current player, and give the columns that are won to that player."""
        squares = list(self.squares)
        squares[self.current_player] = int(self.merged(self.current_player))
        if self.topped:
            for player in range(self.n_players):
                if player != self.current_player:
                    squares[player] &= ~_PLACES[self.topped]
            self.closed |= self.topped
            self.won += bit_count(self.topped) << _BITS * self.current_player
        self.squares = tuple(squares)
        self.clear()

    def clear(self) -> None:
        """Take the markers from the board."""
        self.markers = 0
        self.marked = 0
        self.topped = 0
        self.free = self.n_markers

    def score(self, player: i64) -> float:
        """Return the number of columns won."""
        return float(self.won >> _BITS * player & _PLACE)

    def dice(self) -> tuple[int, ...]:
        """Return the dice that lie, sorted; none if there is nothing to split."""
        return _DICE[self.roll] if self.roll >= 0 else ()

    def cell_values(self) -> bytes:
        """Return each player's squares, the markers, how many dice show each face, and the kind of decision."""
        found = [
            int(places >> _BITS * column & _PLACE)
            for places in [*self.squares, int(self.markers)]
            for column in range(_N_COLUMNS)
        ]
        dice = self.dice()
        return bytes([*found, *[dice.count(face) for face in _FACES], int(self.phase)])

    def components(self) -> list[Component]:
        found: list[Component] = []
        for column in range(_N_COLUMNS):
            high = self.length(column)
            marker = self.markers >> _BITS * column & _PLACE
            found.append(Counter(f"marker in {column + _LOWEST}", marker, high=high))
            for player in range(self.n_players):
                square = self.square(player, column)
                found.append(Counter(f"square in {column + _LOWEST} of {player}", square, high=high, owner=player))
        for number, value in enumerate(self.dice()):
            die = Die(_DICE_NAMES[number], _FACES)
            die.value = value
            found.append(die)
        return found

    def __str__(self) -> str:
        """Draw a line for each column: its length, the marker, and each player's square; * for a column won."""
        lines = ["column spaces marker " + " ".join([f"p{player}".rjust(3) for player in range(self.n_players)])]
        for column in range(_N_COLUMNS):
            marker = int(self.markers >> _BITS * column & _PLACE)
            line = f"{column + _LOWEST:6} {int(self.length(column)):6} {marker or '.':>6} "
            for player in range(self.n_players):
                square = int(self.square(player, column))
                is_won = square != 0 and self.closed >> column & 1 == 1
                line += f" {'*' if is_won else square or '.':>3}"
            lines.append(line)
        dice = " ".join([str(value) for value in self.dice()])
        turn = "over" if self.is_terminal else f"player {self.current_player} to {_TO_DO[self.phase]}"
        return "\n".join([*lines, f"{turn} {dice}".rstrip()])


_TO_DO: Final = ("roll", "split", "roll or stop", "see")


class Throw(Action[CantStopState]):
    """Roll the dice; an action also where it is the only one, as one roll could otherwise end several turns."""

    def execute(self, state: CantStopState, rng: Rng) -> None:
        """Begin the roll; how the dice lie is chance."""
        state.phase = ROLLING

    def __str__(self) -> str:
        return "roll"


class Stop(Action[CantStopState]):
    """Stop, and keep the progress of this turn."""

    def execute(self, state: CantStopState, rng: Rng) -> None:
        if state.recording:
            _announce_stop(state)
        state.stop()

    def __str__(self) -> str:
        return "stop"


def _announce_stop(state: CantStopState) -> None:
    """Announce the columns in which the current player keeps the progress, and those that are won."""
    player = state.current_player
    kept = state.marked & ~state.topped
    if kept:
        columns = _sums_of(kept)
        words = "{player} keeps the progress in {items}"
        state.announce(Event("kept", player, 0.0, columns, state.names_of(kept), "", words))
    if state.topped:
        columns = _sums_of(state.topped)
        words = "{player} reaches the top and wins column {items}"
        state.announce(
            Event("columns won", player, float(len(columns)), columns, state.names_of(state.topped), "", words)
        )


def _sums_of(columns: i64) -> tuple[int, ...]:
    """Return the sums of a set of columns."""
    return tuple([column + _LOWEST for column in range(_N_COLUMNS) if columns >> column & 1])


class Advance(Action[CantStopState]):
    """Use a split of the dice, or one sum of it."""

    def __init__(self, first: i64, second: i64) -> None:
        """Name the sums, from 2 to 12, the lower one first; the second is 0 where only one is used."""
        self.first = first
        self.second = second

    def execute(self, state: CantStopState, rng: Rng) -> None:
        state.advance(self.first - _LOWEST)
        if self.second:
            state.advance(self.second - _LOWEST)
        state.phase = DECIDE
        state.roll = _NO_ROLL
        if state.recording:
            columns = _COLUMN[self.first - _LOWEST] | (_COLUMN[self.second - _LOWEST] if self.second else 0)
            state.announce(Event("placed", state.current_player, places=(*state.names_of(columns), *_DICE_NAMES)))

    def __str__(self) -> str:
        return f"move in {self.first} and {self.second}" if self.second else f"move in {self.first}"


_SUMS_OF_TWO: Final = range(_LOWEST, _LOWEST + _N_COLUMNS)
_NO_CHANCE: Final = Rng(0)


class CantStopFeatures(Features):
    """The risk of a roll, each player's share of the way in each column, from the player on, and the dice."""

    def names(self, n_players: i64) -> tuple[str, ...]:
        """Return the names; of players 0 is oneself, 1 the next seat, and so on."""
        columns = range(_LOWEST, _LOWEST + _N_COLUMNS)
        found = ["my_turn", "phase", "free", "risk"]
        for offset in range(n_players):
            found += [f"won_{offset}", *[f"way_{column}_{offset}" for column in columns]]
        for column in columns:
            found += [f"marked_{column}", f"closed_{column}"]
        return (*found, *[f"dice_{face}" for face in _FACES])

    def values(self, state: GameState, player: i64) -> list[float]:
        """Return the features."""
        board = cast("CantStopState", state)
        found = [float(board.current_player == player), float(board.phase), float(board.free), board.risk()]
        for offset in range(board.n_players):
            seat = (player + offset) % board.n_players
            found.append(board.score(seat))
            merged = board.merged(seat)
            for column in range(_N_COLUMNS):
                found.append(float(merged >> _BITS * column & _PLACE) / float(board.length(column)))
        for column in range(_N_COLUMNS):
            found.append(float(board.marked >> column & 1))
            found.append(float(board.closed >> column & 1))
        dice = board.dice()
        return [*found, *[float(dice.count(face)) for face in _FACES]]


@dataclass
class CantStopHeuristicParameters(Parameters):
    """The weights of `CantStopHeuristic`."""

    power: float = real(2.0, 0.5, 4.0, "power to which the share of the way in a column is raised")
    markers: float = real(1.0, 0.0, 1.0, "weight of the markers' progress, which is not safe")
    rivals: float = real(1.0, 0.0, 1.0, "weight of the best rival's way, subtracted")


class CantStopHeuristic(JointHeuristic):
    """The way in all columns as shares of their lengths, less that of the best rival; 1 for a win and -1 for a loss.

    A share of the way counts as its power, a column won as 1, and all in proportion to the columns that win. Markers count
    like squares, or a part of it. MCTS of 1,000 calls wins 0.88 (0.80 to 0.92) of 120 games of two with it against the
    score.
    """

    parameters_class = CantStopHeuristicParameters

    def __init__(self, parameters: CantStopHeuristicParameters | None = None) -> None:
        super().__init__(parameters)
        weights = cast("CantStopHeuristicParameters", self.parameters)
        self.markers = weights.markers
        self.rivals = weights.rivals
        #: The worth of each place in columns of each length.
        self.worth = [
            (float(place) / float(length)) ** weights.power if 0 < place <= length else 0.0
            for length in range(_PLACE + 1)
            for place in range(_PLACE + 1)
        ]

    def _value_players(self, state: GameState, values: list[float]) -> None:
        board = cast("CantStopState", state)
        for player in range(board.n_players):
            way = self._way(board, board.squares[player])
            if player == board.current_player and board.marked:
                way += self.markers * (self._way(board, board.merged(player)) - way)
            values[player] = way
        goal = float(board.goal)
        two = best_two(values)
        for player in range(board.n_players):
            way = values[player]
            values[player] = (way - self.rivals * best_other(way, two)) / goal

    def _way(self, board: CantStopState, places: i64) -> float:
        lengths = board.lengths
        way = 0.0
        while places:
            if places & _PLACE:
                way += self.worth[(lengths & _PLACE) << _BITS | places & _PLACE]
            places >>= _BITS
            lengths >>= _BITS
        return way


class CantStopMetric(Metric):
    """Measures the ends of turns, and their rolls."""

    measures: ClassVar[dict[str, str]] = {
        "busts": "share of turns that end with a roll that cannot be used",
        "rolls": "rolls in a turn, the mean of a game",
        "columns": "columns won by all players in a game",
    }

    def on_action_chosen(
        self, state: GameState, player: i64, action: AnyAction, actions: list[AnyAction], agent: Agent | None
    ) -> None:
        """Count rolls, and stops."""
        if isinstance(action, Throw):
            self.counts["rolls"] += 1
        elif isinstance(action, Stop):
            self.counts["stops"] += 1

    def on_game_event(self, state: GameState, event: Event) -> None:
        self.counts["busts"] += event.name == "bust"

    def on_end(self, state: GameState) -> None:
        self.counts["columns"] = int(bit_count(cast("CantStopState", state).closed))

    def values(self) -> dict[str, list[float]]:
        counts = self.counts
        turns = counts["busts"] + counts["stops"]
        return {
            "busts": share(counts["busts"], turns),
            "rolls": share(counts["rolls"], turns),
            "columns": [float(counts["columns"])],
        }


class CantStop(ForwardModel[CantStopState]):
    """The rules.

    >>> from tag import make_game
    >>> model = make_game("cant_stop")
    >>> state = model.setup(2, Rng(1))
    >>> model.next(state, model.available_actions(state)[0], Rng(1))
    >>> [str(action) for action in model.available_actions(state)]
    ['move in 5 and 11', 'move in 7 and 9', 'move in 8 and 8']
    """

    game_type = GameType(
        "Can't Stop",
        2,
        4,
        CantStopParameters,
        categories=("dice",),
        mechanics=("push your luck", "dice rolling", "race"),
        hidden_information=False,
        chance_sources=("dice",),
        heuristic=CantStopHeuristic,
        features=CantStopFeatures,
        metric=CantStopMetric,
    )

    def __init__(self, parameters: CantStopParameters | None = None) -> None:
        """Make the actions once."""
        chosen = CantStopParameters() if parameters is None else parameters
        super().__init__(chosen)
        self.max_rounds = chosen.max_rounds
        self.goal: i64 = chosen.columns
        self.markers: i64 = chosen.markers
        lengths = chosen.lengths()
        self.lengths: i64 = sum([length << _BITS * column for column, length in enumerate(lengths)])
        self.is_symmetric = lengths == lengths[::-1]
        self.throw: AnyAction = interned(Throw())
        self.stop: AnyAction = interned(Stop())
        #: By both columns: one alone, and with each second one that is not lower.
        self.single: list[AnyAction] = [interned(Advance(first, 0)) for first in _SUMS_OF_TWO]
        self.double: list[list[AnyAction]] = [
            [interned(Advance(min(first, second), max(first, second))) for second in _SUMS_OF_TWO]
            for first in _SUMS_OF_TWO
        ]

    def vocabulary(self, n_players: i64) -> Vocabulary:
        """Return rolling, stopping, and all pairs of sums."""
        moves = Actions(Advance, first=_SUMS_OF_TWO, second=(0, *_SUMS_OF_TWO))
        return Vocabulary(Actions(Throw), Actions(Stop), moves)

    def cells(self, n_players: i64) -> Cells:
        """Return the columns of each player, those of the markers, the faces of the dice, and the kind of decision.

        Sums and faces may be turned round, 2 for 12 and 1 for 6, if the lengths are symmetric.
        """
        groups = int(n_players) + 1
        faces = groups * _N_COLUMNS
        number = faces + len(_FACES) + 1
        beside = [
            [
                other
                for other in (cell - 1, cell + 1)
                if 0 <= other < faces and other // _N_COLUMNS == cell // _N_COLUMNS
            ]
            for cell in range(faces)
        ]
        symmetries, actions = [list(range(number))], [list(range(2 + _N_COLUMNS * (_N_COLUMNS + 1)))]
        if self.is_symmetric:
            turned = [group * _N_COLUMNS + _N_COLUMNS - 1 - column for group in range(groups) for column in _COLUMNS]
            symmetries.append([*turned, *range(faces + len(_FACES) - 1, faces - 1, -1), number - 1])
            actions.append(
                [0, 1, *[2 + _turned(first, second) for first in _COLUMNS for second in range(-1, _N_COLUMNS)]]
            )
        return Cells(number, _PLACE + 1, symmetries, actions, beside + [[] for _other in range(len(_FACES) + 1)])

    def _setup(self, n_players: i64, rng: Rng) -> CantStopState:
        return CantStopState(n_players, self.lengths, self.goal, self.markers, (0,) * int(n_players))

    def _available_actions(self, state: CantStopState) -> list[AnyAction]:
        if state.phase == START:
            return [self.throw]
        if state.phase == DECIDE:
            return [self.stop, self.throw]
        found: list[AnyAction] = []
        movable = state.movable()
        for number in range(_SPLITS):
            split: i64 = _SPLITS_OF[_SPLITS * state.roll + number]
            if split < 0:
                break
            low = split & _PLACE
            high = split >> _BITS
            if movable >> low & 1 == 0:
                if movable >> high & 1:
                    found.append(self.single[high])
            elif movable >> high & 1 == 0:
                found.append(self.single[low])
            elif low == high:
                has_two = state.place(low) + 2 <= state.length(low)
                found.append(self.double[low][low] if has_two else self.single[low])
            elif state.free == 1 and (state.marked >> low | state.marked >> high) & 1 == 0:
                found.append(self.single[low])
                found.append(self.single[high])
            else:
                found.append(self.double[low][high])
        return found

    def afterstate(self, state: CantStopState, action: AnyAction) -> CantStopState:
        """Return the position while the dice roll; after other actions there is no chance."""
        other = state.copy()
        if action is self.throw:
            other.tick += 1
            other.phase = ROLLING
        else:
            self.next(other, action, _NO_CHANCE)
        return other

    def resolve_chance(self, afterstate: CantStopState, rng: Rng) -> None:
        """Let the dice lie, if they roll."""
        if afterstate.phase == ROLLING:
            self._land(afterstate, _ROLLS[rng.source("dice").below(_N_THROWS)], rng)

    def outcomes(self, state: CantStopState, action: AnyAction, limit: i64 = 1000) -> Outcomes[CantStopState]:
        """Return all positions that ``action`` can lead to: 126 rolls, where the order of the dice does not matter."""
        found: Outcomes[CantStopState] = Outcomes()
        after = self.afterstate(state, action)
        if after.phase != ROLLING:
            found.add(1.0, after)
        elif limit >= len(_DICE):
            for number in range(len(_DICE)):
                other = after.copy()
                self._land(other, number, _NO_CHANCE)
                found.add(float(_THROWS[number]) / float(_N_THROWS), other)
        return found

    def _land(self, state: CantStopState, roll: i64, rng: Rng) -> None:
        """Let the dice show a roll; if no marker can be moved, the turn is over."""
        if _SUMS[roll] & state.movable():
            state.roll = roll
            state.phase = SPLIT
            if state.recording:
                state.announce(Event("rolled", state.current_player, 0.0, _DICE[roll], _DICE_NAMES))
            return
        if state.recording:
            dice = _DICE[roll]
            reason = f"no marker can be moved with {', '.join([str(value) for value in dice])}"
            places = (*state.names_of(state.marked), *_DICE_NAMES)
            state.announce(Event("bust", state.current_player, 0.0, dice, places, reason, "{player} goes bust"))
        state.clear()
        self._end_turn(state, rng)

    def _end_turn(self, state: CantStopState, rng: Rng) -> None:
        state.phase = START
        player = self._next_player(state)
        if player:
            self.give_turn(state, player)
        else:
            self.end_round(state, player, rng)

    def _after_action(self, state: CantStopState, action: AnyAction, rng: Rng) -> None:
        if state.phase == ROLLING:
            self.resolve_chance(state, rng)
        elif action is self.stop:
            if state.won >> _BITS * state.current_player & _PLACE >= self.goal:
                state.end_with_winner(state.current_player)
            elif state.closed == _ALL:
                state.end_by_score()
            else:
                self._end_turn(state, rng)


_COLUMNS: Final = range(_N_COLUMNS)


def _turned(first: int, second: int) -> int:
    """Return the number of the move with sums turned round; ``second`` is -1 for none."""
    new_first, new_second = _N_COLUMNS - 1 - first, _N_COLUMNS - 1 - second
    if second < 0:
        return new_first * (_N_COLUMNS + 1)
    return new_second * (_N_COLUMNS + 1) + new_first + 1
