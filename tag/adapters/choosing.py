"""Actions as numbers: their index in the vocabulary, or their place in its tree."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Final

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from tag.engine.encoding import Vocabulary
from tag.errors import ParameterError, UnknownNameError

#: The kinds of action spaces.
KINDS: Final = ("flat", "tree")


class FlatActions:
    """One number: the index of the action.

    Attributes:
        space: all indices.
        size: the number of entries of a mask.
        no_action: the mask of those who do not decide.
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        """Number the actions of a vocabulary."""
        self.size = len(vocabulary)
        self.space: spaces.Space[Any] = spaces.Discrete(self.size)
        self.no_action = _zeros(self.size)

    def index(self, action: Any) -> int:
        """Return the index of an action of the space."""
        return int(action)

    def mask(self, choices: Collection[int]) -> NDArray[np.int8]:
        """Return 1 for each of ``choices``, which are indices."""
        if not choices:
            return self.no_action
        found = self.no_action.copy()
        found[list(choices)] = 1
        return found


class TreeActions(FlatActions):
    """A number for each level of the vocabulary's tree: the group, then the value of each part; more numbers mean nothing.

    A mask has the masks of all levels one after another: 1 for a value that some available action has. Of values of several
    levels, not all combinations are available; `Vocabulary.options` tells which values remain below those chosen so far.
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        """Number the actions of a vocabulary."""
        super().__init__(vocabulary)
        depth = max(len(group.values) for group in vocabulary.groups)
        parts = [
            max([len(group.values[level]) for group in vocabulary.groups if level < len(group.values)])
            for level in range(depth)
        ]
        self.sizes = [len(vocabulary.groups), *parts]
        self.size = sum(self.sizes)
        self.space = spaces.MultiDiscrete(self.sizes)
        self.no_action = _zeros(self.size)
        self._vocabulary = vocabulary

    def index(self, action: Sequence[int]) -> int:
        """Return the index of an action of the space.

        Raises:
            ParameterError: there is no such group, or a part has no such value.
        """
        numbers = [int(number) for number in action]
        groups = self._vocabulary.groups
        if len(numbers) != len(self.sizes) or not 0 <= numbers[0] < len(groups):
            raise ParameterError(f"action {numbers} is not in {self.space}")
        values = groups[numbers[0]].values
        path = numbers[: 1 + len(values)]
        if not all([0 <= position < len(part) for position, part in zip(path[1:], values, strict=True)]):
            raise ParameterError(
                f"action {numbers} has no such values; this group has {[len(part) for part in values]}"
            )
        return self._vocabulary.index(self._vocabulary.at(tuple(path)))

    def mask(self, choices: Collection[int]) -> NDArray[np.int8]:
        """Return 1 for each value that one of ``choices`` has in its level."""
        found = self.no_action.copy()
        for index in choices:
            start = 0
            for position, size in zip(self._vocabulary.path(self._vocabulary.action(index)), self.sizes, strict=False):
                found[start + position] = 1
                start += size
        return found


def _zeros(size: int) -> NDArray[np.int8]:
    """Return a mask that all may share, as it cannot be written to."""
    found = np.zeros(size, np.int8)
    found.setflags(write=False)
    return found


def make_actions(vocabulary: Vocabulary, kind: str) -> FlatActions:
    """Return the action space of this kind.

    Raises:
        UnknownNameError: there is no such kind.
    """
    if kind not in KINDS:
        raise UnknownNameError.of("action space", kind, KINDS)
    return TreeActions(vocabulary) if kind == "tree" else FlatActions(vocabulary)
