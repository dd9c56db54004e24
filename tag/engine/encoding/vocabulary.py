"""Vocabularies: all actions of a game, by index."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from inspect import Parameter, signature
from typing import cast, final

from tag.engine.snapshot import Copyable
from tag.engine.state import AnyAction, argument_names, interned
from tag.errors import ContractError


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
