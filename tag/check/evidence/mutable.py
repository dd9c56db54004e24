"""Mutable objects that two things share."""

from __future__ import annotations

import sys
from array import array
from collections import deque
from collections.abc import Iterator
from typing import Any, Final

from tag.check.evidence.kinds import LEAVES_AND_INTS, OPAQUE, OWNED, WATCHING
from tag.engine.forward_model import ForwardModel
from tag.engine.snapshot import field_values
from tag.engine.state import GameState

#: The modules of the framework itself; those of games and agents are the author's.
_CORE: Final = tuple(f"tag.{name}." for name in ("catalogue", "check", "components", "engine", "playing"))


def shared_mutable(one: GameState, other: GameState) -> str:
    """Return the path of something mutable that both states hold (``hands[2]``), or nothing.

    Containers, components, states and sequences count. Other objects may be immutable ones of the game's own; they are only
    searched for containers. The check that plays on verifies that they do not change.
    """
    theirs = {id(thing) for _path, thing in _walk("", other, set()) if isinstance(thing, OWNED)}
    for path, thing in _walk("", one, set()):
        if isinstance(thing, OWNED) and id(thing) in theirs:
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
            if isinstance(thing, OWNED):
                return path
    return ""


def _walk(path: str, thing: object, seen: set[int], *, watching: bool = False) -> Iterator[tuple[str, object]]:
    """Walk through all objects that can be reached, except plain values, code and interned objects.

    In depth, without recursion: a history has a link for each action of a game.
    """
    left = [(path, thing)]
    while left:
        path, thing = left.pop()
        if isinstance(thing, OPAQUE) or id(thing) in seen:
            continue
        seen.add(id(thing))
        yield path, thing
        parts = _parts(thing, watching=watching)
        left += [(f"{path}{name}" if path else name.removeprefix("."), part) for name, part in reversed(parts)]


def _parts(thing: object, *, watching: bool) -> list[tuple[str, object]]:
    if isinstance(thing, (list, tuple, deque)):
        return [(f"[{index}]", item) for index, item in enumerate(thing) if type(item) not in LEAVES_AND_INTS]
    if isinstance(thing, (set, frozenset)):
        return [("{}", item) for item in thing]
    if isinstance(thing, dict):
        return [(f"[{key!r}]", item) for key, item in thing.items()]
    if isinstance(thing, (bytearray, array)):
        return []
    return [
        (f".{name}", value)
        for name, value in field_values(thing).items()
        if type(value) not in LEAVES_AND_INTS and (watching or name not in WATCHING)
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
    if isinstance(thing, OWNED):
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
