"""Nim, the traditional game for 2 players, with heaps of one size, and the form for 3 players of the GBG framework.

Rules: the players by turns take objects from one heap: at least one, and at most the number that may be taken at once. The
player who takes the last object wins.

Where the rules leave it to the players: seat 0 begins. The two others of three players lose; GBG's extra rule gives the one
after the winner 0.2 points.

Variants (`NimParameters`): the number of heaps and their size, how many objects may be taken at once, and misère play: the
player who finds no object left wins. Of 2 players that is the one who has not taken the last object. GBG's Nim for 3 players
is ``nim:misere=true``, and with its extra rule ``nim:misere=true,second_place=true``. GBG takes at most three objects by
default: ``nim:max_minus=3``.

What a player knows: everything.

Unlike TAG, this package has Nim. C. L. Bouton published its theory, "Nim, a game with a complete mathematical theory",
Annals of Mathematics 3 (1901): the agent ``osla:heuristic=nim`` plays by it. GBG has the form for 3 players from
H. Luckhardt.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from itertools import permutations
from typing import Final, cast

from mypy_extensions import i64, mypyc_attr

from tag import (
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
    flag,
    integer,
    interned,
)
from tag.components import Component, Counter

_LARGEST: Final = 100
#: Heaps are packed in one integer; seven bits each hold up to 127 objects.
_BITS: Final = 7
_HEAP: Final = 127
#: Heaps of which all permutations are symmetries (120 of five); of more, only those in a circle.
_PERMUTED: Final = 5
_SECOND: Final = 0.2


@dataclass
class NimParameters(Parameters):
    """The heaps, and how the game is played and ends."""

    heaps: int = integer(3, 1, 8, "heaps")
    size: int = integer(5, 1, _LARGEST, "objects of each heap")
    max_minus: int = integer(0, 0, _LARGEST, "objects that may be taken at once, 0 for any number")
    misere: bool = flag(False, "the player who finds no object left wins, not the one who takes the last")
    second_place: bool = flag(False, "of three players, the one after the winner gets 0.2 points")

    def at_once(self) -> int:
        """Return how many objects may be taken at once."""
        return min(self.max_minus, self.size) if self.max_minus else self.size


@mypyc_attr(allow_interpreted_subclasses=True)
class NimState(GameState):
    """The heaps.

    Attributes:
        heaps: the objects of each heap, seven bits for each, the first heap lowest.
        n_heaps: the number of heaps, empty ones included.
        at_once: how many objects may be taken at once.
        misere: whether the player who finds no object left wins.
        second: the points of the player after the winner, if there are three.
    """

    def __init__(self, n_players: i64, heaps: i64, n_heaps: i64, at_once: i64, misere: bool, second: float) -> None:
        super().__init__(n_players)
        self.heaps = heaps
        self.n_heaps = n_heaps
        self.at_once = at_once
        self.misere = misere
        self.second = second

    def copy(self) -> NimState:
        other = NimState(self.n_players, self.heaps, self.n_heaps, self.at_once, self.misere, self.second)
        self.copy_to(other)
        return other

    def knowledge(self, player: i64) -> Hashable:
        return (int(self.current_player), int(self.heaps), self.results)

    def left(self, heap: i64) -> i64:
        """Return how many objects are left in ``heap``."""
        return self.heaps >> _BITS * heap & _HEAP

    def score(self, player: i64) -> float:
        """Return 1 for a win, else 0, or the points of the second place."""
        points = super().score(player)
        if self.second != 0.0 and self.is_terminal and self.n_players == 3:
            before = player - 1 if player else self.n_players - 1
            if super().score(before) == 1.0:
                return self.second
        return points

    def cell_values(self) -> bytes:
        """Return the objects of each heap."""
        return bytes([int(self.left(heap)) for heap in range(self.n_heaps)])

    def components(self) -> list[Component]:
        return [Counter(f"heap {heap + 1}", self.left(heap), 0, _LARGEST) for heap in range(self.n_heaps)]

    def __str__(self) -> str:
        return " ".join([str(self.left(heap)) for heap in range(self.n_heaps)])


class Take(Action[NimState]):
    """Take objects from a heap."""

    def __init__(self, heap: i64, number: i64) -> None:
        """Name the heap, from 0, and the number of objects."""
        self.heap = heap
        self.number = number
        self.packed: i64 = number << _BITS * heap

    def execute(self, state: NimState, rng: Rng) -> None:
        state.heaps -= self.packed
        if state.recording:
            left = float(state.left(self.heap))
            words = "{places} has {value} left"
            state.announce(Event("taken", state.current_player, left, places=(f"heap {self.heap + 1}",), words=words))

    def __str__(self) -> str:
        return f"take {self.number} from heap {self.heap + 1}"


class NimFeatures(Features):
    """The objects of each heap, and whether the player moves next."""

    def names(self, n_players: i64) -> tuple[str, ...]:
        """Return a name for each heap, and ``to_move``."""
        rules = cast("NimParameters", self.parameters)
        return (*[f"heap_{heap}" for heap in range(rules.heaps)], "to_move")

    def values(self, state: GameState, player: i64) -> list[float]:
        """Return the features."""
        nim = cast("NimState", state)
        return [*[float(nim.left(heap)) for heap in range(nim.n_heaps)], float(nim.current_player == player)]


#: The value of a game that is won by theory: that of a win is greater.
_CERTAIN: Final = 0.9


class NimHeuristic(PlayerHeuristic):
    """Bouton's theory: 0.9 in positions that ``player`` wins with best play, -0.9 in the others; 0 with three players.

    The Grundy value of a heap is the remainder of its objects divided by the number that may be taken at once and one. The
    player to move loses if the exclusive or of all values is 0; in misère play, if all values are 0 or 1, the player loses
    if it is 1.
    """

    def _value_player(self, state: GameState, player: i64) -> float:
        nim = cast("NimState", state)
        if nim.n_players != 2:
            return 0.0
        either: i64 = 0
        largest: i64 = 0
        for heap in range(nim.n_heaps):
            grundy = nim.left(heap) % (nim.at_once + 1)
            either ^= grundy
            largest = max(largest, grundy)
        loses = either == (1 if nim.misere and largest < 2 else 0)
        return -_CERTAIN if loses == (nim.current_player == player) else _CERTAIN


class Nim(ForwardModel[NimState]):
    """The rules.

    >>> from tag import make_game
    >>> model = make_game("nim:heaps=3,size=4")
    >>> state = model.setup(2, Rng(1))
    >>> model.next(state, Take(0, 4), Rng(1))
    >>> str(state), int(state.current_player)
    ('0 4 4', 1)
    """

    game_type = GameType(
        "Nim",
        2,
        3,
        NimParameters,
        categories=("abstract", "simple"),
        mechanics=("take away",),
        hidden_information=False,
        chance=False,
        solution=NimHeuristic,
        features=NimFeatures,
    )

    def __init__(self, parameters: NimParameters | None = None) -> None:
        """Make the actions, and how they depend on the heaps."""
        chosen = NimParameters() if parameters is None else parameters
        super().__init__(chosen)
        self.n_heaps: i64 = chosen.heaps
        self.size: i64 = chosen.size
        self.at_once: i64 = chosen.at_once()
        self.misere = chosen.misere
        self.second = _SECOND if chosen.second_place else 0.0
        numbers = range(1, chosen.at_once() + 1)
        self.takes: list[list[AnyAction]] = [
            [interned(Take(heap, number)) for number in numbers] for heap in range(chosen.heaps)
        ]

    def vocabulary(self, n_players: i64) -> Vocabulary:
        """Return the numbers from the first heap, from the second, and so on."""
        return Vocabulary(Actions(Take, heap=range(self.n_heaps), number=range(1, self.at_once + 1)))

    def cells(self, n_players: i64) -> Cells:
        """Return a cell for each heap; all are next to each other."""
        heaps = range(int(self.n_heaps))
        if len(heaps) <= _PERMUTED:
            symmetries = list(permutations(heaps))
        else:
            symmetries = [tuple([(heap + turn) % len(heaps) for heap in heaps]) for turn in heaps]
        at_once = int(self.at_once)
        moves = range(len(heaps) * at_once)
        return Cells(
            len(heaps),
            int(self.size) + 1,
            symmetries,
            [[to[move // at_once] * at_once + move % at_once for move in moves] for to in symmetries],
            [[other for other in heaps if other != heap] for heap in heaps],
            {"all_heaps": [tuple(heaps)]},
        )

    def _setup(self, n_players: i64, rng: Rng) -> NimState:
        heaps: i64 = 0
        for heap in range(self.n_heaps):
            heaps |= self.size << _BITS * heap
        return NimState(n_players, heaps, self.n_heaps, self.at_once, self.misere, self.second)

    def _set_cells(self, state: NimState, cells: bytes) -> None:
        state.heaps = 0
        for heap in range(self.n_heaps):
            left: i64 = cells[heap]
            state.heaps |= left << _BITS * heap

    def _available_actions(self, state: NimState) -> list[AnyAction]:
        found: list[AnyAction] = []
        for heap in range(self.n_heaps):
            left = state.left(heap)
            if left:
                found += self.takes[heap][:left]
        return found

    def random_action(self, state: NimState, rng: Rng) -> AnyAction:
        """Choose without a list."""
        at_once = self.at_once
        total: i64 = 0
        for heap in range(self.n_heaps):
            total += min(state.left(heap), at_once)
        chosen = rng.below(total)
        heap = 0
        while True:
            here = min(state.left(heap), at_once)
            if chosen < here:
                return self.takes[heap][chosen]
            chosen -= here
            heap += 1

    def _after_action(self, state: NimState, action: AnyAction, rng: Rng) -> None:
        if state.heaps:
            self.end_player_turn(state)
        else:
            if state.recording:
                reason = "the next player wins" if self.misere else "that wins"
                words = "{player} has taken the last object"
                state.announce(Event("last taken", state.current_player, reason=reason, words=words))
            state.end_with_winner(self._next_player(state) if self.misere else state.current_player)
