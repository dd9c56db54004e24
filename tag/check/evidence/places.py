"""Places in states, whose values can be exchanged."""

from __future__ import annotations

from collections import deque
from enum import Enum
from typing import Any

from tag.check.evidence.kinds import CODE, CONTAINERS, PLAIN, SHARED, WATCHING, WHOLE
from tag.engine.parameters import Parameters
from tag.engine.snapshot import field_names, field_values
from tag.engine.state import GameState

#: The steps from a state to one of its values: ``("hands", 1, 0)``.
Path = tuple[Any, ...]


def places(state: GameState, *, split: bool = False) -> dict[Path, object]:
    """Return the values of a game's own fields by path, one for each item that can be moved.

    Lists, dictionaries, objects that hold some, and tuples that are a field are taken apart. Other tuples and objects, such
    as a card with colour and rank, are one item; ``split`` takes tuples apart as well.
    """
    found: dict[Path, object] = {}
    own = set(field_names(GameState))
    for name, value in field_values(state).items():
        if name not in own and name not in WATCHING:
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
    if isinstance(value, WHOLE):
        return True
    return not any(isinstance(part, (list, dict, deque)) or not _is_item(part) for part in field_values(value).values())


def is_object(value: object) -> bool:
    """Say whether a value is an object of a game's own, neither plain nor one that all states share."""
    return not isinstance(value, (*PLAIN, *CODE, *SHARED, *CONTAINERS, Enum, Parameters, tuple, frozenset))


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
