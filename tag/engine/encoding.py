"""Games as learners see them: actions as indices (`Vocabulary`), positions as cells with small numbers (`Cells`)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from inspect import Parameter, signature
from typing import cast, final

from tag.engine.snapshot import Copyable
from tag.engine.state import AnyAction, argument_names, interned
from tag.errors import ContractError

# --- vocabularies: all actions of a game, by index ------------------------------------------------------------------------


@final
class Actions(Copyable):
    """The actions of one class: all combinations of the values of its constructor's arguments, the last one fastest.

        Actions(Guard, target=range(4), guess=range(2, 9))

    Examples:
        >>> from tag.games.abstract.nim import Take
        >>> takes = Actions(Take, heap=range(3), number=range(1, 6))
        >>> takes.size, takes.action([2, 0]), takes.positions(Take(1, 5))
        (15, Take(2, 1), (1, 4))

    Attributes:
        action_class: the class.
        parts: the names of the arguments.
        values: for each part, the values that it can have.
        size: the number of actions.
    """

    def __init__(self, action_class: type[AnyAction], **parts: Iterable[object]) -> None:
        """Take the values of each argument, in the constructor's order; an argument ``*cards`` takes tuples.

        Raises:
            ContractError: the parts are not the constructor's arguments, or one has a value twice.
        """
        self.action_class = action_class
        self.parts = argument_names(action_class)
        if tuple(parts) != self.parts:
            raise ContractError(
                f"Actions({action_class.__name__}, …) names the parts {', '.join(parts) or 'none'}; "
                f"the constructor's arguments are {', '.join(self.parts) or 'none'}"
            )
        self.values: tuple[tuple[object, ...], ...] = tuple([tuple(values) for values in parts.values()])
        self._positions: list[dict[object, int]] = [
            {value: position for position, value in enumerate(values)} for values in self.values
        ]
        self.size = 1
        for name, values, positions in zip(self.parts, self.values, self._positions, strict=True):
            if len(positions) < len(values):
                raise ContractError(f"Actions({action_class.__name__}, {name}=…) has a value twice in {values!r}")
            self.size *= len(values)
        self._is_variadic = _is_variadic(action_class)

    def action(self, positions: Sequence[int]) -> AnyAction:
        """Return the action with the values at these positions, one for each part."""
        arguments = [values[position] for values, position in zip(self.values, positions, strict=True)]
        if self._is_variadic:
            return interned(self.action_class(*cast("tuple[object, ...]", arguments[0])))
        return interned(self.action_class(*arguments))

    def positions(self, action: AnyAction) -> tuple[int, ...] | None:
        """Return the positions of the values of an action of this class; None if one of them is not among the values."""
        key: tuple[object, ...] = (action.key(),) if self._is_variadic else action.key()
        found = [positions.get(value, -1) for value, positions in zip(key, self._positions, strict=True)]
        return None if -1 in found else tuple(found)


@final
class Vocabulary:
    """All actions that can occur in a game of given parameters and number of players, each with an index from 0.

    The indices are the same in every process, build and release, as long as the game's version is the same. With
    `path` and `options` it is also a tree: first the groups of `Actions`, and below each a level for each of its parts.

    Examples:
        >>> from tag import make_game
        >>> vocabulary = make_game("love_letter").vocabulary(2)
        >>> len(vocabulary), vocabulary.action(0), vocabulary.path(vocabulary.action(0))
        (29, Guard(0, 2), (0, 0, 0))

    Attributes:
        groups: the declared actions, in the order of their indices.
        is_declared: whether the game has declared them. If not, each action gets the next index when it is first asked
            for, so that indices depend on what has been played in this process.
    """

    def __init__(self, *groups: Actions, is_declared: bool = True) -> None:
        """Take the groups; no action may be in two of them."""
        self.groups = groups
        self.is_declared = is_declared
        self._starts: list[int] = []
        self._numbers: dict[AnyAction, int] = {}
        self._actions: dict[int, AnyAction] = {}
        self._size = 0
        for group in groups:
            self._starts.append(self._size)
            self._size += group.size

    def __len__(self) -> int:
        """Return the number of actions: so far, if they are not declared."""
        return self._size

    def index(self, action: AnyAction) -> int:
        """Return the action's index.

        Examples:
            >>> from tag import make_game
            >>> vocabulary = make_game("connect_four").vocabulary(2)
            >>> vocabulary.index(vocabulary.action(3))
            3

        Raises:
            ContractError: the game has declared its actions, and this one is not among them.
        """
        number = self._numbers.get(action)
        if number is None:
            number = self._index(action)
            self._numbers[action] = number
            self._actions[number] = action
        return number

    def action(self, index: int) -> AnyAction:
        """Return the action with this index.

        Raises:
            ContractError: there is none.
        """
        found = self._actions.get(index)
        if found is None:
            found = self._made(index)
            self._actions[index] = found
            self._numbers[found] = index
        return found

    def mask(self, actions: Iterable[AnyAction]) -> list[bool]:
        """Return for each index whether its action is among ``actions``.

        Examples:
            >>> from tag import Rng, make_game
            >>> model = make_game("tic_tac_toe:size=3")
            >>> state = model.setup(2, Rng(1))
            >>> vocabulary = model.vocabulary(2)
            >>> model.next(state, vocabulary.action(4), Rng(1))
            >>> vocabulary.mask(model.available_actions(state))
            [True, True, True, True, False, True, True, True, True]
        """
        numbers = [self.index(action) for action in actions]
        mask = [False] * self._size
        for number in numbers:
            mask[number] = True
        return mask

    def path(self, action: AnyAction) -> tuple[int, ...]:
        """Return the action's place in the tree: the number of its group, then the position of the value of each part."""
        for number, group in enumerate(self.groups):
            if type(action) is group.action_class:
                positions = group.positions(action)
                if positions is not None:
                    return (number, *positions)
        raise ContractError(f"{action!r} is not among the {self._size} declared actions")

    def options(self, actions: Iterable[AnyAction], path: tuple[int, ...] = ()) -> list[bool]:
        """Return the mask of the level below ``path``: which groups, or which values of the next part, ``actions`` have."""
        size = len(self.groups[path[0]].values[len(path) - 1]) if path else len(self.groups)
        mask = [False] * size
        for action in actions:
            found = self.path(action)
            if found[: len(path)] == path:
                mask[found[len(path)]] = True
        return mask

    def at(self, path: tuple[int, ...]) -> AnyAction:
        """Return the action at a place in the tree, the inverse of `path`."""
        return self.groups[path[0]].action(path[1:])

    def _index(self, action: AnyAction) -> int:
        if not self.is_declared:
            self._size += 1
            return self._size - 1
        number, *positions = self.path(action)
        index = 0
        for values, position in zip(self.groups[number].values, positions, strict=True):
            index = index * len(values) + position
        return self._starts[number] + index

    def _made(self, index: int) -> AnyAction:
        if not 0 <= index < self._size:
            raise ContractError(f"{index} is not the index of an action; there are {self._size}, from 0")
        number = bisect_right(self._starts, index) - 1
        rest = index - self._starts[number]
        positions: list[int] = []
        for values in reversed(self.groups[number].values):
            positions.append(rest % len(values))
            rest //= len(values)
        return self.groups[number].action(positions[::-1])


def _is_variadic(cls: type) -> bool:
    return any(argument.kind is Parameter.VAR_POSITIONAL for argument in signature(cls).parameters.values())


# --- cells: positions as small numbers, with the symmetries of the rules ---------------------------------------------------


@final
class Cells(Copyable):
    """The cells of a game, which hold the numbers of `GameState.cell_values`, and the symmetries of its rules.

    n-tuples of cells, tables of values and learners of other kinds read positions in this form.

    Examples:
        >>> from tag import make_game
        >>> cells = make_game("tic_tac_toe").cells(2)
        >>> cells.number, len(cells.symmetries), cells.neighbours[0]
        (9, 8, (1, 3, 4))
        >>> list(cells.moved(bytes([1, 0, 0, 0, 0, 0, 0, 0, 2]), 1))
        [0, 0, 1, 0, 0, 0, 2, 0, 0]

    Attributes:
        number: the number of cells.
        n_values: what a cell holds is from 0 to one below this.
        symmetries: ways to move the cells that change nothing for the rules: ``symmetry[cell]`` is the place that the value
            of ``cell`` goes to. They form a group, and the first is the identity.
        actions: for each symmetry, the index in the vocabulary that every action goes to; empty if not declared. The image
            of an action is available in the image of the position.
        neighbours: for each cell, those next to it on the board.
        tuples: sets of n-tuples that are known to be good, by name; each tuple has distinct cells.
        rows: the cells as they lie on the board, row by row from the top; one row if not declared.
    """

    def __init__(
        self,
        number: int,
        n_values: int,
        symmetries: Iterable[Sequence[int]] = (),
        actions: Iterable[Sequence[int]] = (),
        neighbours: Iterable[Iterable[int]] = (),
        tuples: Mapping[str, Iterable[Sequence[int]]] | None = None,
        rows: Iterable[Iterable[int]] = (),
    ) -> None:
        """Declare the cells; without symmetries there is the identity only.

        Raises:
            ContractError: a symmetry is no permutation of cells or of actions, the first one is not the identity, a cell
                does not exist, or rows do not hold each cell once.
        """
        self.number = number
        self.n_values = n_values
        self.symmetries: tuple[tuple[int, ...], ...] = tuple([tuple(one) for one in symmetries]) or (
            tuple(range(number)),
        )
        self.actions: tuple[tuple[int, ...], ...] = tuple([tuple(one) for one in actions])
        self.neighbours: tuple[tuple[int, ...], ...] = tuple([tuple(cells) for cells in neighbours])
        self.tuples: dict[str, tuple[tuple[int, ...], ...]] = {
            name: tuple([tuple(cells) for cells in chosen]) for name, chosen in (tuples or {}).items()
        }
        self.rows: tuple[tuple[int, ...], ...] = tuple([tuple(row) for row in rows]) or (tuple(range(number)),)
        self._check()

    def _check(self) -> None:
        number, places = self.number, list(range(self.number))
        if sorted([cell for row in self.rows for cell in row]) != places:
            raise ContractError(f"the rows {self.rows} do not hold each of the {number} cells once")
        for symmetry in self.symmetries:
            if sorted(symmetry) != places:
                raise ContractError(f"the symmetry {symmetry} is no permutation of the {number} cells")
        if self.symmetries[0] != tuple(places):
            raise ContractError(f"the first symmetry is {self.symmetries[0]}; it must be the identity")
        if self.actions and len(self.actions) != len(self.symmetries):
            raise ContractError(
                f"{len(self.symmetries)} symmetries need as many maps of actions, not {len(self.actions)}"
            )
        for actions in self.actions:
            if sorted(actions) != list(range(len(self.actions[0]))):
                raise ContractError(f"the map of actions {actions} is no permutation of {len(self.actions[0])} actions")
        for cells in (*self.neighbours, *[cells for chosen in self.tuples.values() for cells in chosen]):
            if len(set(cells)) < len(cells) or not all([0 <= cell < number for cell in cells]):
                raise ContractError(f"{cells} are not distinct cells from 0 to {number - 1}")

    def moved(self, values: bytes, symmetry: int) -> bytes:
        """Return ``values`` as they are after the symmetry with this number."""
        places = self.symmetries[symmetry]
        found = [0] * self.number
        for cell, value in enumerate(values):
            found[places[cell]] = value
        return bytes(found)


def square_symmetries(side: int) -> list[tuple[int, ...]]:
    """Return the rotations and reflections of a square grid, whose cells are numbered row by row; the identity first.

    Examples:
        >>> square_symmetries(2)
        [(0, 1, 2, 3), (1, 3, 0, 2), (3, 2, 1, 0), (2, 0, 3, 1), (1, 0, 3, 2), (3, 1, 2, 0), (2, 3, 0, 1), (0, 2, 1, 3)]
    """
    cells = range(side * side)
    turn = tuple([(side - 1 - cell // side) + cell % side * side for cell in cells])
    found: list[tuple[int, ...]] = []
    for start in (tuple(cells), tuple([cell // side * side + side - 1 - cell % side for cell in cells])):
        symmetry = start
        for _quarter in range(4):
            found.append(symmetry)
            symmetry = tuple([turn[cell] for cell in symmetry])
    return found


def grid_rows(width: int, height: int) -> list[range]:
    """Return the rows of a grid whose cells are numbered row by row.

    Examples:
        >>> [list(row) for row in grid_rows(3, 2)]
        [[0, 1, 2], [3, 4, 5]]
    """
    return [range(row * width, (row + 1) * width) for row in range(height)]


def grid_neighbours(width: int, height: int) -> list[list[int]]:
    """Return for each cell of a grid, numbered row by row, the up to eight cells around it.

    Examples:
        >>> grid_neighbours(3, 2)[0]
        [1, 3, 4]
    """
    return [
        [
            row * width + column
            for row in range(max(0, cell // width - 1), min(height, cell // width + 2))
            for column in range(max(0, cell % width - 1), min(width, cell % width + 2))
            if row * width + column != cell
        ]
        for cell in range(width * height)
    ]
