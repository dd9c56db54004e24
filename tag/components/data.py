"""Components from JSON files.

A file holds one object with a list per kind of component; every list, and every field with a default below, may be left out.

    {
      "counters": [{"name": "outbreaks", "value": 0, "low": 0, "high": 8, "clamps": true}],
      "dice": [{"name": "d6", "sides": 6}, {"name": "loaded", "faces": [1, 2, 3], "weights": [1, 1, 2]}],
      "tokens": [{"name": "cube", "count": 24, "properties": {"colour": "blue"}}],
      "decks": [{"name": "cities", "visibility": "hidden to all", "back": "card",
                 "cards": [{"name": "Paris", "count": 2, "properties": {"colour": "blue"}}]}],
      "grid_boards": [{"name": "grid", "width": 3, "height": 2, "fill": 0},
                      {"name": "map", "cells": [[0, 1, 0], [1, 1, 1]]}],
      "hex_boards": [{"name": "island", "radius": 2, "fill": 0}],
      "graph_boards": [{"name": "world", "directed": false, "fill": 0,
                        "nodes": [{"name": "Paris", "properties": {"colour": "blue"}, "neighbours": ["London"]},
                                  {"name": "London", "neighbours": {"New York": 2}}, {"name": "New York"}]}]
    }

Every component may have an ``owner`` (a player, -1 for none) and a ``visibility`` (see `visibility_name`). Tokens become a
supply, a deck of ``count`` of them with the token's name. A deck's cards are listed from the bottom. ``fill`` is the value
on every place of a board. Neighbours are names, or names with lengths; without ``directed`` an edge that is listed on both
sides is one edge.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from tag.components._areas import Area
from tag.components._boards import BoardNode, Edge, Graph, GraphBoard, GridBoard, HexBoard, HexGrid
from tag.components._component import Component
from tag.components._counters import UNBOUNDED, Counter
from tag.components._decks import Deck
from tag.components._dice import Die
from tag.components._kinds import Card, Property, Token, shared
from tag.components._visibility import MIXED_VISIBILITY, VISIBLE_TO_ALL, visibility_of
from tag.engine.snapshot import Copyable
from tag.engine.text_files import read_json
from tag.errors import ContractError, DataError, UnknownNameError, nearest

_LARGEST: Final = 1 << 40
_KINDS: Final = ("counters", "decks", "dice", "graph_boards", "grid_boards", "hex_boards", "tokens")


def load_components(path: str | Path) -> Area:
    """Return the components of a JSON file as an area with the file's name, to be copied into each game.

    Raises:
        DataError: the file cannot be read or holds something wrong; the message names file and field.
    """
    fields = load_fields(path)
    return read_components(fields.content, fields.source)


def read_components(content: object, source: str) -> Area:
    """Return the components of a JSON file's ``content`` as an area; ``source`` names the file in errors.

    Examples:
        >>> table = read_components({"decks": [{"name": "pile", "cards": [{"name": "ace", "count": 2}]}]}, "cards.json")
        >>> table.deck("pile").contents()
        [Card('ace', (), -1, 0), Card('ace', (), -1, 0)]

    Raises:
        DataError: there is something wrong; the message names file and field.
    """
    fields = Fields(content, source)
    area = Area(Path(source).stem)
    for kind in _KINDS:
        for entry in fields.objects(kind):
            component = _component(kind, entry)
            entry.check_all_read()
            try:
                area.put(component)
            except ContractError as error:
                raise entry.wrong("name", str(error)) from None
    fields.check_all_read()
    return area


def load_fields(path: str | Path) -> Fields:
    """Return the object that a JSON file holds; a game reads data of its own kind from it, field by field.

    Raises:
        DataError: the file cannot be read or holds no object; the message names it.
    """
    file = Path(path)
    return Fields(read_json(file), file.name)


class Fields(Copyable):
    """One JSON object, read field by field, with errors that name the place."""

    def __init__(self, content: object, source: str, path: str = "") -> None:
        """Take the object at ``path`` in the file ``source``; the whole file has no path."""
        self.source = source
        self.path = path
        if not isinstance(content, dict):
            raise DataError(f"{source}: {path or 'the file'} has to be an object, not {_shown(content)}")
        self.content: dict[str, Any] = content
        self.known: list[str] = []

    def wrong(self, key: str, message: str) -> DataError:
        """Return the error about a field."""
        return DataError(f"{self.source}: {self.at(key)}: {message}")

    def at(self, key: str) -> str:
        """Return where a field stands: ``decks[0].name``."""
        return f"{self.path}.{key}" if self.path else key

    def has(self, key: str) -> bool:
        """Say whether the field is there."""
        if key not in self.known:
            self.known.append(key)
        return key in self.content

    def value(self, key: str) -> Any:
        """Return a field that has to be there."""
        if not self.has(key):
            raise DataError(f"{self.source}: {self.path or 'the file'} has no field {key!r}")
        return self.content[key]

    def text(self, key: str) -> str:
        """Return a text that has to be there, and not empty."""
        value = self.value(key)
        if not isinstance(value, str) or not value:
            raise self.wrong(key, f"it has to be a text, not {_shown(value)}")
        return value

    def integer(self, key: str, default: int | None, low: int, high: int = _LARGEST) -> int:
        """Return a whole number in [``low``, ``high``]; without ``default`` it has to be there."""
        if default is not None and not self.has(key):
            return default
        value = self.value(key)
        if isinstance(value, bool) or not isinstance(value, int):
            raise self.wrong(key, f"it has to be a whole number, not {_shown(value)}")
        if not low <= value <= high:
            near = min(max(value, low), high)
            raise self.wrong(key, f"it cannot be {value}; the nearest value is {near}")
        return value

    def flag(self, key: str, default: bool) -> bool:
        """Return true or false."""
        value = self.value(key) if self.has(key) else default
        if not isinstance(value, bool):
            raise self.wrong(key, f"it has to be true or false, not {_shown(value)}")
        return value

    def integers(self, key: str) -> list[int]:
        """Return a list of whole numbers, empty if it is not there."""
        values = self.items(key)
        for value in values:
            if isinstance(value, bool) or not isinstance(value, int):
                raise self.wrong(key, f"it has to be a list of whole numbers, and {_shown(value)} is none")
        return values

    def items(self, key: str) -> list[Any]:
        """Return a list, empty if it is not there."""
        value = self.value(key) if self.has(key) else []
        if not isinstance(value, list):
            raise self.wrong(key, f"it has to be a list, not {_shown(value)}")
        return value

    def objects(self, key: str) -> list[Fields]:
        """Return a list of objects, empty if it is not there."""
        return [Fields(item, self.source, f"{self.at(key)}[{i}]") for i, item in enumerate(self.items(key))]

    def owner(self) -> int:
        """Return the player who owns the component, -1 for none."""
        return self.integer("owner", -1, -1)

    def visibility(self) -> int:
        """Return the visibility mode."""
        if not self.has("visibility"):
            return VISIBLE_TO_ALL
        try:
            mode = visibility_of(self.text("visibility"))
        except UnknownNameError as error:
            raise self.wrong("visibility", str(error)) from None
        if mode == MIXED_VISIBILITY:
            raise self.wrong("visibility", "what each player sees of it is for the game to say, not for a file")
        return mode

    def properties(self) -> tuple[tuple[str, Property], ...]:
        """Return the properties: names with a number, a text, true or false, or a list of texts."""
        if not self.has("properties"):
            return ()
        fields = Fields(self.content["properties"], self.source, self.at("properties"))
        return tuple([(name, fields.property(name)) for name in fields.content])

    def property(self, key: str) -> Property:
        """Return the value of one property."""
        value = self.content[key]
        if isinstance(value, (bool, int, float, str)):
            return value
        if isinstance(value, list) and all([isinstance(part, str) for part in value]):
            return tuple(value)
        raise self.wrong(key, f"it has to be a number, a text, true, false or a list of texts, not {_shown(value)}")

    def check_all_read(self) -> None:
        """Raise `DataError` if there is a field that was not read."""
        for key in self.content:
            if key not in self.known:
                raise DataError(f"{self.source}: no field is named {self.at(key)!r}{nearest(key, self.known)}")


def _shown(value: object) -> str:
    text = json.dumps(value, default=str)
    return text if len(text) <= 40 else f"{text[:37]}..."


def _component(kind: str, entry: Fields) -> Component:
    """Read one component of a ``kind``."""
    try:
        if kind == "counters":
            return _counter(entry)
        if kind == "decks":
            return _deck(entry)
        if kind == "dice":
            return _die(entry)
        if kind == "graph_boards":
            return _graph_board(entry)
        if kind == "grid_boards":
            return _grid_board(entry)
        return _hex_board(entry) if kind == "hex_boards" else _supply(entry)
    except ContractError as error:
        raise DataError(f"{entry.source}: {entry.path}: {error}") from None


def _counter(entry: Fields) -> Counter:
    low = entry.integer("low", 0, -UNBOUNDED, UNBOUNDED)
    high = entry.integer("high", UNBOUNDED, low, UNBOUNDED)
    value = entry.integer("value", low, low, high)
    clamps = entry.flag("clamps", True)
    return Counter(entry.text("name"), value, low, high, clamps, entry.owner(), entry.visibility())


def _die(entry: Fields) -> Die:
    faces = entry.integers("faces")
    if entry.has("sides"):
        if faces:
            raise entry.wrong("sides", "a die has either sides or faces")
        faces = list(range(1, entry.integer("sides", None, 1, 1000) + 1))
    weights = tuple(entry.integers("weights"))
    return Die(entry.text("name"), tuple(faces), weights, entry.owner(), entry.visibility())


def _supply(entry: Fields) -> Deck[Token]:
    name, owner = entry.text("name"), entry.owner()
    token = shared(Token(name, entry.properties(), owner))
    return Deck(name, [token] * entry.integer("count", 1, 0), owner, entry.visibility(), "token")


def _deck(entry: Fields) -> Deck[Card]:
    cards: list[Card] = []
    for item in entry.objects("cards"):
        card = shared(Card(item.text("name"), item.properties()))
        cards.extend([card] * item.integer("count", 1, 0))
        item.check_all_read()
    back = entry.text("back") if entry.has("back") else "card"
    return Deck(entry.text("name"), cards, entry.owner(), entry.visibility(), back)


def _grid_board(entry: Fields) -> GridBoard[int]:
    name, owner, visibility = entry.text("name"), entry.owner(), entry.visibility()
    if not entry.has("cells"):
        width, height = entry.integer("width", None, 1), entry.integer("height", None, 1)
        return GridBoard(name, width, height, [_fill(entry)] * (width * height), owner, visibility)
    rows = entry.items("cells")
    cells: list[int] = []
    for number, row in enumerate(rows):
        numbers = Fields({"row": row}, entry.source, entry.at(f"cells[{number}]")).integers("row")
        if not numbers or len(numbers) * number != len(cells):
            raise entry.wrong(f"cells[{number}]", f"all rows need the same number of cells, not {len(numbers)}")
        cells.extend(numbers)
    if not rows:
        raise entry.wrong("cells", "a grid needs a cell")
    return GridBoard(name, len(cells) // len(rows), len(rows), cells, owner, visibility)


def _hex_board(entry: Fields) -> HexBoard[int]:
    if entry.has("radius"):
        grid = HexGrid.hexagon(entry.integer("radius", None, 0, 1000))
    else:
        grid = HexGrid.rectangle(entry.integer("width", None, 1), entry.integer("height", None, 1))
    cells = [_fill(entry)] * len(grid.coordinates)
    return HexBoard(entry.text("name"), grid, cells, entry.owner(), entry.visibility())


def _fill(entry: Fields) -> int:
    return entry.integer("fill", 0, -_LARGEST)


def _graph_board(entry: Fields) -> GraphBoard[int]:
    entries = entry.objects("nodes")
    nodes = [shared(BoardNode(node.text("name"), node.properties())) for node in entries]
    numbers = {node.name: number for number, node in enumerate(nodes)}
    directed = entry.flag("directed", False)
    lengths: dict[tuple[int, int], int] = {}
    for number, node in enumerate(entries):
        for name, length in _neighbours(node).items():
            if name not in numbers:
                raise node.wrong("neighbours", f"no node is named {name!r}{nearest(name, numbers)}")
            near = numbers[name]
            way = (number, near) if directed else (min(number, near), max(number, near))
            if lengths.setdefault(way, length) != length:
                raise node.wrong("neighbours", f"the way to {name!r} is {length} long here and {lengths[way]} there")
        node.check_all_read()
    edges = [shared(Edge(start, end, length, directed)) for (start, end), length in lengths.items()]
    cells = [_fill(entry)] * len(nodes)
    return GraphBoard(entry.text("name"), Graph(nodes, edges), cells, entry.owner(), entry.visibility())


def _neighbours(node: Fields) -> dict[str, int]:
    """Return the length of the way to each neighbour by name."""
    if not node.has("neighbours"):
        return {}
    listed = node.content["neighbours"]
    if isinstance(listed, dict):
        fields = Fields(listed, node.source, node.at("neighbours"))
        return {name: fields.integer(name, None, 1) for name in listed}
    names: dict[str, int] = {}
    for name in node.items("neighbours"):
        if not isinstance(name, str):
            raise node.wrong("neighbours", f"it has to be a list of names, and {_shown(name)} is none")
        names[name] = 1
    return names
