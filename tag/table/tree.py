"""Game trees: all positions of a game that were visited at a table, with its branches; and saved games."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from tag.engine.text_files import printable_values, read_json
from tag.errors import DataError
from tag.table.game import Start

#: The version of saved games.
_VERSION: Final = 1
_LARGEST_SEED: Final = (1 << 63) - 1
#: No saved game has more positions than this.
MOST_POSITIONS: Final = 100_000


class GameTree:
    """Visited positions, by number; position 0 is the set-up.

    Examples:
        >>> tree = GameTree()
        >>> first = tree.play(0, 4)
        >>> second, other = tree.play(first, 1), tree.play(first, 2)
        >>> tree.line(other), tree.children(first), tree.undo(other)
        ((4, 2), [2, 3], 1)

    Attributes:
        parents: the position before each, -1 for the set-up.
        choices: the number of the action that led to each, -1 for the set-up.
    """

    def __init__(self) -> None:
        """Start with the set-up."""
        self.parents = [-1]
        self.choices = [-1]
        self._after: list[dict[int, int]] = [{}]
        self._latest = [-1]

    def __len__(self) -> int:
        """Return the number of positions."""
        return len(self.parents)

    def play(self, position: int, choice: int) -> int:
        """Return the position after the action with this number; a new one if it was not visited before."""
        found = self._after[position].setdefault(choice, len(self.parents))
        if found == len(self.parents):
            self.parents.append(position)
            self.choices.append(choice)
            self._after.append({})
            self._latest.append(-1)
        self._latest[position] = found
        return found

    def undo(self, position: int) -> int:
        """Return the position before; the set-up stays."""
        return max(self.parents[position], 0)

    def redo(self, position: int) -> int:
        """Return the position after that was visited last, or the position itself where none was."""
        return self._latest[position] if self._latest[position] >= 0 else position

    def children(self, position: int) -> list[int]:
        """Return the positions that were visited after this one."""
        return list(self._after[position].values())

    def path(self, position: int) -> list[int]:
        """Return the positions from the set-up to this one."""
        found = [position]
        while found[-1] > 0:
            found.append(self.parents[found[-1]])
        return found[::-1]

    def line(self, position: int) -> tuple[int, ...]:
        """Return the numbers of the actions that lead to a position."""
        return tuple([self.choices[other] for other in self.path(position)[1:]])

    @classmethod
    def of_line(cls, line: Sequence[int]) -> GameTree:
        """Return the tree of one line; its last position has the highest number."""
        tree = cls()
        for position, choice in enumerate(line):
            tree.play(position, choice)
        return tree


@dataclass
class SavedGame:
    """A game at a table as it is saved, shared and loaded.

    Attributes:
        start: the definition of the game.
        seats: the spec of the agent in each seat, ``human`` for a person.
        tree: the positions.
        position: the number of the present one.
        since: the number of actions after which the agents were first asked.
    """

    start: Start
    seats: tuple[str, ...]
    tree: GameTree = field(default_factory=GameTree)
    position: int = 0
    since: int = 0

    @property
    def line(self) -> tuple[int, ...]:
        """The numbers of the actions that lead to the present position."""
        return self.tree.line(self.position)

    def to_json(self) -> dict[str, Any]:
        """Return the game as plain values."""
        return {
            "tag_game": _VERSION,
            "game": self.start.game,
            "players": self.start.players,
            "seed": self.start.seed,
            "cells": list(self.start.cells),
            "to_move": self.start.to_move,
            "chance_seeds": dict(self.start.chance_seeds),
            "seats": list(self.seats),
            "parents": self.tree.parents[1:],
            "choices": self.tree.choices[1:],
            "position": self.position,
            "since": self.since,
        }

    @classmethod
    def from_json(cls, values: object) -> SavedGame:
        """Return the game that was saved as these values; the specs are checked by those who use them.

        Raises:
            DataError: they are no saved game.
        """
        values = printable_values(values)
        if not isinstance(values, Mapping) or values.get("tag_game") != _VERSION:
            raise DataError(f'a saved game is a JSON object with "tag_game": {_VERSION}')
        players, seed = _integer(values, "players", 1, 100), _integer(values, "seed", 0, _LARGEST_SEED)
        seats = _texts(values, "seats")
        if len(seats) != players:
            raise DataError(f"a saved game of {players} players has {players} seats, not {len(seats)}")
        game = values.get("game")
        if not isinstance(game, str):
            raise DataError(f"the game of a saved game is a text, not {game!r}")
        tree = _tree(values)
        cells, to_move = tuple(_integers(values, "cells")), _integer(values, "to_move", 0, players - 1)
        position = _integer(values, "position", 0, len(tree) - 1)
        for place in tree.path(position)[1:]:  # so that to redo from before leads here again
            tree.play(tree.parents[place], tree.choices[place])
        since = _integer({"since": 0, **values}, "since", 0, len(tree.line(position)))
        start = Start(game, players, seed, cells, to_move, _seeds(values))
        return cls(start, seats, tree, position, since)

    def save(self, path: Path) -> None:
        """Write the game as a JSON file, which is there whole or not."""
        partial = path.with_name(f"{path.name}.partial")
        partial.write_text(json.dumps(self.to_json()) + "\n", encoding="utf-8")
        partial.replace(path)

    @classmethod
    def load(cls, path: Path) -> SavedGame:
        """Read a file of `save`.

        Raises:
            DataError: it cannot be read, or is no saved game.
        """
        values = read_json(path)
        try:
            return cls.from_json(values)
        except DataError as error:
            raise DataError(f"{path}: {error}") from None


def _tree(values: Mapping[str, Any]) -> GameTree:
    parents, choices = _integers(values, "parents"), _integers(values, "choices")
    if len(parents) != len(choices):
        raise DataError(f"a saved game has as many parents as choices, not {len(parents)} and {len(choices)}")
    tree = GameTree()
    for number, (parent, choice) in enumerate(zip(parents, choices, strict=True), start=1):
        if not 0 <= parent < number or choice < 0 or tree.play(parent, choice) != number:
            raise DataError(f"position {number} of a saved game cannot follow position {parent} by action {choice}")
    return tree


def _seeds(values: Mapping[str, Any]) -> tuple[tuple[str, int], ...]:
    seeds = values.get("chance_seeds", {})
    if not isinstance(seeds, Mapping):
        raise DataError("chance_seeds of a saved game are a JSON object with a seed for each source")
    return tuple([(source, _integer(seeds, source, 0, _LARGEST_SEED)) for source in seeds])


def _integer(values: Mapping[str, Any], name: str, low: int, high: int) -> int:
    value = values.get(name)
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise DataError(f"{name} of a saved game is a number from {low} to {high}, not {value!r}")
    return value


def _integers(values: Mapping[str, Any], name: str) -> list[int]:
    found = values.get(name)
    if not isinstance(found, list) or len(found) > MOST_POSITIONS or not all(type(one) is int for one in found):
        raise DataError(f"{name} of a saved game are a list of whole numbers")
    return found


def _texts(values: Mapping[str, Any], name: str) -> tuple[str, ...]:
    found = values.get(name)
    if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
        raise DataError(f"{name} of a saved game are a list of texts")
    return tuple(found)
