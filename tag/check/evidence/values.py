"""Values of states by path, and differences between two states."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final

from tag.check.evidence.kinds import FROZEN, INTS, LEAVES, NOT_POSITION, PLAIN
from tag.check.report import shorten
from tag.engine.snapshot import field_names, freeze
from tag.engine.state import GameState

#: The longest text of a value in a message.
_VALUE_LENGTH: Final = 40

#: A number from here on packs several smaller ones, as sets of cards or squares do.
_PACKED: Final = 1 << 16

_ABSENT: Final = "nothing"

#: The engine's own fields, which every player knows whether or not a game's `knowledge` repeats them.
_PUBLIC = ("n_players", "current_player", "turn_player", "first_player", "tick", "turn", "round", "phase", "results")


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
        if name not in NOT_POSITION:
            _add(found, f"{prefix}{name}", value)


@lru_cache(maxsize=4096)
def _field_paths(cls: Any, prefix: str) -> list[tuple[str, str]]:
    """Return the declared fields that are part of a position, and their paths."""
    return [(name, f"{prefix}{name}") for name in field_names(cls) if name not in NOT_POSITION]


def _add(found: dict[str, object], path: str, value: Any) -> None:
    if type(value) is int:
        if value < _PACKED:
            found[path] = value
        else:
            packed = value.to_bytes(max(8, (value.bit_length() + 7) // 8), "little")
            found.update(zip(_byte_paths(path, len(packed)), packed, strict=True))
    elif type(value) in LEAVES:
        found[path] = value
    elif isinstance(value, (list, tuple)):
        _add_items(found, path, value)
    elif isinstance(value, PLAIN):
        found[path] = value
    elif isinstance(value, FROZEN) or callable(getattr(value, "key", None)):
        frozen = freeze(value)
        _add_items(found, path, frozen if isinstance(frozen, tuple) else (frozen,))
    else:
        _add_fields(found, f"{path}.", value)


def _add_items(found: dict[str, object], path: str, items: list[Any] | tuple[Any, ...]) -> None:
    if not items:
        found[path] = ()
        return
    types = set(map(type, items))
    if types <= LEAVES or (types == INTS and max(items) < _PACKED):
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
