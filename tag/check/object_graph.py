"""Mutable containers that two states share."""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Iterator
from enum import Enum
from types import FunctionType, ModuleType

from tag.action import Action
from tag.components import Component, Kind
from tag.parameters import Parameters
from tag.sequence import ExtendedSequence
from tag.snapshot import field_values
from tag.state import GameState

_LEAVES = (bool, int, float, str, bytes, type(None), type, Enum, FunctionType, ModuleType)

#: What a state may share although it has fields: immutable by contract.
_SHAREABLE = (Action, Parameters, Kind)

_CONTAINERS = (list, dict, set, bytearray, array, deque)

#: What always belongs to one state alone.
_OWNED = (*_CONTAINERS, GameState, ExtendedSequence, Component)

#: Fields about watching a game; copies do not use them.
_WATCHING = frozenset(["history", "announced"])


def shared_mutable(one: GameState, other: GameState) -> str:
    """Return the path of something mutable that both states hold (``hands[2]``), or nothing.

    Containers, components, states and sequences count. Other objects may be kinds of the game's own and are looked
    through for containers; that nobody changes them is for the check that plays on.
    """
    theirs = {id(thing) for _path, thing in _owned("", other, set())}
    for path, thing in _owned("", one, set()):
        if id(thing) in theirs:
            return path or "itself"
    return ""


def _owned(path: str, thing: object, seen: set[int]) -> Iterator[tuple[str, object]]:
    """Walk through all that can be reached, and give out what is mutable, with its path."""
    if isinstance(thing, (*_LEAVES, *_SHAREABLE)) or id(thing) in seen:
        return
    seen.add(id(thing))
    if isinstance(thing, _OWNED):
        yield path, thing
    for name, part in _parts(thing):
        yield from _owned(f"{path}{name}" if path else name.removeprefix("."), part, seen)


def _parts(thing: object) -> list[tuple[str, object]]:
    if isinstance(thing, (list, tuple, deque)):
        return [(f"[{index}]", item) for index, item in enumerate(thing)]
    if isinstance(thing, (set, frozenset)):
        return [("{}", item) for item in thing]
    if isinstance(thing, dict):
        return [(f"[{key!r}]", item) for key, item in thing.items()]
    if isinstance(thing, (bytearray, array)):
        return []
    return [(f".{name}", value) for name, value in field_values(thing).items() if name not in _WATCHING]
