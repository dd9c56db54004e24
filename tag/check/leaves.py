"""Positions taken apart into plain values, each with the path that leads to it."""

from __future__ import annotations

from typing import Any, Final

from tag.snapshot import snapshot
from tag.state import GameState

_ABSENT = "nothing"

#: A number from here on packs several smaller ones, as sets of cards or squares do.
_PACKED: Final = 1 << 16


def leaves(state: GameState) -> dict[str, object]:
    """Return all plain values of a position by path, ``{"hands[2]": 5, …}``, and each byte of large numbers."""
    found: dict[str, object] = {}
    fields: Any = snapshot(state)[1:]
    for name, value in fields:
        _add(found, name, value)
    return found


def _add(found: dict[str, object], path: str, value: object) -> None:
    if isinstance(value, tuple) and value:
        for index, item in enumerate(value):
            _add(found, f"{path}[{index}]", item)
    elif isinstance(value, int) and value >= _PACKED:
        for index, byte in enumerate(value.to_bytes(max(8, (value.bit_length() + 7) // 8), "little")):
            found[f"{path} byte {index}"] = byte
    else:
        found[path] = value


def difference(one: GameState, other: GameState) -> str:
    """Return the first value in which two positions differ, as text, or nothing."""
    mine, theirs = leaves(one), leaves(other)
    for path in [*mine, *theirs]:
        here, there = mine.get(path, _ABSENT), theirs.get(path, _ABSENT)
        # repr tells True from 1, as the hash of a position does
        if repr(here) != repr(there):
            return f"{path} is {there!r} instead of {here!r}"
    return ""
