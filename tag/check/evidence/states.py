"""States taken apart: their values by path, differences between two of them, and mutable objects that two things share."""

from __future__ import annotations

import sys
from array import array
from collections import deque
from collections.abc import Iterator
from enum import Enum
from functools import lru_cache
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any, Final

from tag.check.report import shorten
from tag.components import Component, Kind
from tag.engine.forward_model import ForwardModel
from tag.engine.parameters import Parameters
from tag.engine.snapshot import field_names, field_values, freeze
from tag.engine.state import Action, ExtendedSequence, GameState

#: The modules of the framework itself; those of games and agents are the author's.
_CORE: Final = tuple(f"tag.{name}." for name in ("catalogue", "check", "components", "engine", "playing"))

#: The longest text of a value in a message.
_VALUE_LENGTH: Final = 40

#: A number from here on packs several smaller ones, as sets of cards or squares do.
_PACKED: Final = 1 << 16

_ABSENT: Final = "nothing"

_PLAIN = (bool, int, float, str, bytes, type(None))
_CODE = (type, FunctionType, MethodType, BuiltinFunctionType, ModuleType)

#: One object for all states, by the engine's contract: actions, and the kinds of cards and tokens.
_SHARED = (Action, Kind)

_CONTAINERS = (list, dict, set, bytearray, array, deque)
_FROZEN = (*_CONTAINERS, frozenset, Enum)

#: Types whose objects always belong to one state alone.
_OWNED = (*_CONTAINERS, GameState, ExtendedSequence, Component)

#: Fields for the observers of a game; copies do not use them.
_WATCHING = frozenset(["history", "announced"])
_NOT_POSITION = _WATCHING | {"recording"}

_INTS = {int}

#: Types of which each value is one leaf; numbers may pack several, and subclasses are looked at one by one.
_LEAVES = frozenset([bool, float, str, bytes, type(None)])
_LEAVES_AND_INTS = _LEAVES | _INTS

#: What is searched for nothing mutable, and what is moved as a whole without a look at its parts.
_OPAQUE = (*_PLAIN, *_CODE, *_SHARED, Enum)
_WHOLE = (*_OPAQUE, Parameters, tuple, set, frozenset, bytearray, array)

#: The engine's own fields, which every player knows whether or not a game's `knowledge` repeats them.
_PUBLIC = ("n_players", "current_player", "turn_player", "first_player", "tick", "turn", "round", "phase", "results")

#: The steps from a state to one of its values: ``("hands", 1, 0)``.
Path = tuple[Any, ...]


# --- values by path -------------------------------------------------------------------------------------------------------


def leaves(state: GameState) -> dict[str, object]:
    """Return all plain values of a position by path, ``{"hands[2]": 5, …}``, and each byte of large numbers."""
    found: dict[str, object] = {}
    _add_fields(found, "", state)
    return found


def _add_fields(found: dict[str, object], prefix: str, thing: object) -> None:
    cls: Any = type(thing)
    for name, path in _field_paths(cls, prefix):
        value = getattr(thing, name, _ABSENT)
        if type(value) is int and value < _PACKED:  # as most are
            found[path] = value
        elif value is not _ABSENT:
            _add(found, path, value)
    for name, value in getattr(thing, "__dict__", {}).items():
        if name not in _NOT_POSITION:
            _add(found, f"{prefix}{name}", value)


@lru_cache(maxsize=4096)
def _field_paths(cls: Any, prefix: str) -> list[tuple[str, str]]:
    """Return the declared fields that are part of a position, and their paths."""
    return [(name, f"{prefix}{name}") for name in field_names(cls) if name not in _NOT_POSITION]


def _add(found: dict[str, object], path: str, value: Any) -> None:
    if type(value) is int:
        if value < _PACKED:
            found[path] = value
        else:
            packed = value.to_bytes(max(8, (value.bit_length() + 7) // 8), "little")
            found.update(zip(_byte_paths(path, len(packed)), packed, strict=True))
    elif type(value) in _LEAVES:
        found[path] = value
    elif isinstance(value, (list, tuple)):
        _add_items(found, path, value)
    elif isinstance(value, _PLAIN):
        found[path] = value
    elif isinstance(value, _FROZEN) or callable(getattr(value, "key", None)):
        frozen = freeze(value)
        _add_items(found, path, frozen if isinstance(frozen, tuple) else (frozen,))
    else:
        _add_fields(found, f"{path}.", value)


def _add_items(found: dict[str, object], path: str, items: list[Any] | tuple[Any, ...]) -> None:
    if not items:
        found[path] = ()
        return
    types = set(map(type, items))
    if types <= _LEAVES or (types == _INTS and max(items) < _PACKED):
        found.update(zip(_item_paths(path, len(items)), items, strict=True))
    else:
        for item_path, item in zip(_item_paths(path, len(items)), items, strict=True):
            _add(found, item_path, item)


@lru_cache(maxsize=4096)
def _item_paths(path: str, count: int) -> list[str]:
    return [f"{path}[{index}]" for index in range(count)]


@lru_cache(maxsize=4096)
def _byte_paths(path: str, count: int) -> list[str]:
    return [f"{path} byte {index}" for index in range(count)]


def public(state: GameState) -> tuple[object, ...]:
    """Return the engine's own fields, which every player knows."""
    return tuple([getattr(state, name) for name in _PUBLIC])


def difference(one: GameState, other: GameState) -> str:
    """Return the first value in which two positions differ, as text (``hands[1][0] is 3 instead of 2``), or nothing."""
    for path, here, there in differences(one, other):
        return _instead(path, here, there)
    return ""


def differences(one: GameState, other: GameState) -> Iterator[tuple[str, object, object]]:
    """Walk through the values in which two positions differ: path, value in ``one``, value in ``other``."""
    mine, theirs = leaves(one), leaves(other)
    for path in dict.fromkeys([*mine, *theirs]):
        here, there = mine.get(path, _ABSENT), theirs.get(path, _ABSENT)
        if here is there or (type(here) is type(there) is int and here == there):
            continue
        # repr tells True from 1, as the hash of a position does
        if repr(here) != repr(there):
            yield path, here, there


def value_difference(name: str, one: object, other: object) -> str:
    """Return the first part in which two nested tuples differ, as text (``knowledge[2][0] is 3 instead of 2``)."""
    if isinstance(one, tuple) and isinstance(other, tuple) and len(one) == len(other):
        for index, (here, there) in enumerate(zip(one, other, strict=True)):
            if here != there:
                return value_difference(f"{name}[{index}]", here, there)
    return _instead(name, one, other)


def _instead(path: str, here: object, there: object) -> str:
    return f"{path} is {shorten(there, _VALUE_LENGTH)} instead of {shorten(here, _VALUE_LENGTH)}"


# --- places, whose values can be exchanged --------------------------------------------------------------------------------


def places(state: GameState, *, split: bool = False) -> dict[Path, object]:
    """Return the values of a game's own fields by path, one for each item that can be moved.

    Lists, dictionaries, objects that hold some, and tuples that are a field are taken apart. Other tuples and objects, such
    as a card with colour and rank, are one item; ``split`` takes tuples apart as well.
    """
    found: dict[Path, object] = {}
    own = set(field_names(GameState))
    for name, value in field_values(state).items():
        if name not in own and name not in _WATCHING:
            _add_places(found, (name,), value, split=split, is_field=True)
    return found


def _add_places(found: dict[Path, object], path: Path, value: object, *, split: bool, is_field: bool = False) -> None:
    if isinstance(value, (list, deque)) or (isinstance(value, tuple) and (is_field or split)):
        for index, item in enumerate(value):
            _add_places(found, (*path, index), item, split=split)
    elif isinstance(value, dict):
        for key, item in value.items():
            _add_places(found, (*path, key), item, split=split)
    elif _is_item(value):
        found[path] = value
    else:
        for name, item in field_values(value).items():
            _add_places(found, (*path, f".{name}"), item, split=split)


def _is_item(value: object) -> bool:
    """Say whether a value can only be moved as a whole: a plain one, a tuple, or an object of plain ones, such as a card."""
    if isinstance(value, _WHOLE):
        return True
    return not any(isinstance(part, (list, dict, deque)) or not _is_item(part) for part in field_values(value).values())


def is_object(value: object) -> bool:
    """Say whether a value is an object of a game's own, neither plain nor one that all states share."""
    return not isinstance(value, (*_PLAIN, *_CODE, *_SHARED, *_CONTAINERS, Enum, Parameters, tuple, frozenset))


def value_at(thing: Any, path: Path) -> Any:
    """Return the value at ``path``."""
    for step in path:
        thing = _step(thing, step)
    return thing


def put(thing: Any, path: Path, value: object) -> Any:
    """Put ``value`` at ``path``, in place where the containers allow it, and return the thing with it."""
    step, rest = path[0], path[1:]
    if rest:
        inner = _step(thing, step)
        changed = put(inner, rest, value)
        if changed is inner:
            return thing
        value = changed
    if isinstance(thing, tuple):
        return (*thing[:step], value, *thing[step + 1 :])
    if isinstance(thing, (list, dict, deque)):
        thing[step] = value
    else:
        setattr(thing, str(step).removeprefix("."), value)
    return thing


def _step(thing: Any, step: Any) -> Any:
    return thing[step] if isinstance(thing, (list, tuple, dict, deque)) else getattr(thing, str(step).removeprefix("."))


def path_text(path: Path) -> str:
    """Return a path as code: ``hands[1][0]``."""
    steps = [step if str(step).startswith(".") else f"[{step!r}]" for step in path[1:]]
    return f"{path[0]}{''.join(steps)}"


# --- mutable objects ------------------------------------------------------------------------------------------------------


def shared_mutable(one: GameState, other: GameState) -> str:
    """Return the path of something mutable that both states hold (``hands[2]``), or nothing.

    Containers, components, states and sequences count. Other objects may be immutable ones of the game's own; they are only
    searched for containers. The check that plays on verifies that they do not change.
    """
    theirs = {id(thing) for _path, thing in _walk("", other, set()) if isinstance(thing, _OWNED)}
    for path, thing in _walk("", one, set()):
        if isinstance(thing, _OWNED) and id(thing) in theirs:
            return path or "itself"
    return ""


class Truth:
    """The mutable objects of the true game: its state, its forward model with the parameters, the data in its modules.

    Besides containers, every object with a field that can be set counts.
    """

    def __init__(self, state: GameState, model: ForwardModel[Any]) -> None:
        """Collect the forward model and the data of the modules, which are the same for all states of a game."""
        found = [(f"the table {name}", thing) for name, thing in _tables(state, model)]
        found += [("the forward model", thing) for _path, thing in _walk("", model, set())]
        self._lasting = {id(thing): (owner, thing) for owner, thing in found if _is_mutable(thing)}

    def held_by(self, observation: GameState, state: GameState) -> str:
        """Return the part of ``state``, the forward model or the modules that ``observation`` holds, or nothing."""
        own = {id(thing) for _path, thing in _walk("", state, set(), watching=True)}
        for path, thing in _walk("", observation, set(), watching=True):
            owner, _thing = self._lasting.get(id(thing), ("the state" if id(thing) in own else "", None))
            if owner and _is_mutable(thing):
                return f"{path or 'it'}, a {type(thing).__name__} that belongs to {owner}"
        return ""


def held_mutable(action: object) -> str:
    """Return the path of something mutable that an action holds, or nothing."""
    for name, value in field_values(action).items():
        for path, thing in _walk(name, value, set()):
            if isinstance(thing, _OWNED):
                return path
    return ""


def _walk(path: str, thing: object, seen: set[int], *, watching: bool = False) -> Iterator[tuple[str, object]]:
    """Walk through all objects that can be reached, except plain values, code and interned objects.

    In depth, without recursion: a history has a link for each action of a game.
    """
    left = [(path, thing)]
    while left:
        path, thing = left.pop()
        if isinstance(thing, _OPAQUE) or id(thing) in seen:
            continue
        seen.add(id(thing))
        yield path, thing
        parts = _parts(thing, watching=watching)
        left += [(f"{path}{name}" if path else name.removeprefix("."), part) for name, part in reversed(parts)]


def _parts(thing: object, *, watching: bool) -> list[tuple[str, object]]:
    if isinstance(thing, (list, tuple, deque)):
        return [(f"[{index}]", item) for index, item in enumerate(thing) if type(item) not in _LEAVES_AND_INTS]
    if isinstance(thing, (set, frozenset)):
        return [("{}", item) for item in thing]
    if isinstance(thing, dict):
        return [(f"[{key!r}]", item) for key, item in thing.items()]
    if isinstance(thing, (bytearray, array)):
        return []
    return [
        (f".{name}", value)
        for name, value in field_values(thing).items()
        if type(value) not in _LEAVES_AND_INTS and (watching or name not in _WATCHING)
    ]


def _tables(state: GameState, model: ForwardModel[Any]) -> Iterator[tuple[str, object]]:
    """Walk through the objects in the modules of a game, and in its classes."""
    classes = [cls for thing in (state, model) for cls in type(thing).__mro__]
    owners = {cls.__module__ for cls in classes if not cls.__module__.startswith((*_CORE, "builtins", "typing"))}
    packages = tuple([f"{name.rpartition('.')[0]}." for name in owners if name.count(".") > 1])
    modules = [name for name in sys.modules if name in owners or (packages and name.startswith(packages))]
    seen: set[int] = set()
    for holder in [*[sys.modules[name] for name in modules], *classes]:
        for name, value in list(vars(holder).items()):
            if not name.startswith("__"):
                yield from _walk(name, value, seen)


def _is_mutable(thing: object) -> bool:
    """Say whether ``thing`` is a container or part of a state, or a field of it can be set."""
    if isinstance(thing, _OWNED):
        return True
    if isinstance(thing, (tuple, frozenset)):
        return False
    for name, value in field_values(thing).items():
        try:
            setattr(thing, name, value)
        except (AttributeError, TypeError):
            continue
        return True
    return False
