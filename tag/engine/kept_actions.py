"""Interned actions as they were: changes by ``object.__setattr__``, which no class can refuse, are found and undone.

A changed action would change all games of the process. So every action is noted when it is interned. Once code of a user
has been loaded, each action is compared with the note before it is played. All of a game's actions are compared at the end
if agents of users have played, and at the beginning if they have since the last time.
"""

from __future__ import annotations

from operator import attrgetter
from typing import Any, Final, final

from mypy_extensions import i64

from tag.engine.snapshot import field_names, field_values
from tag.errors import one_line


@final
class _Kept:
    """An action with its fields as they were: all by name, the declared ones as read, and the dictionary of others."""

    __slots__ = ("action", "declared", "others", "reader", "values")
    action: Any
    values: dict[str, Any]
    reader: Any
    declared: Any
    others: Any

    def __init__(self, action: Any) -> None:
        self.action = action
        self.values = field_values(action)
        names = [name for name in field_names(type(action)) if name in self.values]
        # It reads a tuple, also of one field: a tuple takes NaN for equal to itself.
        self.reader = attrgetter(*(names if len(names) > 1 else names * 2)) if names else type
        self.declared = self.reader(action)
        others = getattr(action, "__dict__", None)
        self.others = None if others is None else dict(others)

    def is_changed(self) -> bool:
        """Say whether a field has another value than it had."""
        action = self.action
        try:
            changed = self.reader(action) != self.declared or (
                self.others is not None and action.__dict__ != self.others
            )
        except AttributeError:
            return True  # a field has been deleted
        return bool(changed)

    def restore(self) -> str:
        """Give all fields their values back, and return the first change as text."""
        action = self.action
        found = ""
        now = field_values(action)
        for name in [*self.values, *now]:
            if name not in self.values:
                object.__delattr__(action, name)
                found = found or f"{name} was added"
            elif name not in now or now[name] != self.values[name]:
                object.__setattr__(action, name, self.values[name])
                value = f"became {_text(now[name])}" if name in now else "was deleted"
                found = found or f"{name} was {_text(self.values[name])} and {value}"
        return f"of {action!r}, {found}"


#: By identity: interned actions stay for ever, so no other object can get the id of one.
_KEPT: Final[dict[int, _Kept]] = {}
#: The same by the package or module of their game; the empty name has all that are of no game of this package.
_GROUPS: Final[dict[str, list[_Kept]]] = {}
#: The names of groups by module.
_GROUP_OF: Final[dict[str, str]] = {}
#: How many games of suspects there had been when a group was last compared.
_COMPARED: Final[dict[str, int]] = {}


@final
class _Watch:
    """Whether games compare actions, and how many games there have been with agents that may change some."""

    __slots__ = ("games", "is_on")
    is_on: bool
    games: i64

    def __init__(self) -> None:
        self.is_on = False
        self.games = 0


_WATCH: Final = _Watch()


def group_of(module: str) -> str:
    """Return the game of this package that a module belongs to, such as ``tag.games.cards.uno``; empty if none."""
    known = _GROUP_OF.get(module)
    if known is None:
        known = _GROUP_OF[module] = ".".join(module.split(".")[:4]) if module.startswith("tag.games.") else ""
    return known


def keep(action: Any) -> None:
    """Note the fields of an action that has just been interned."""
    kept = _Kept(action)
    _KEPT[id(action)] = kept
    _GROUPS.setdefault(group_of(type(action).__module__), []).append(kept)


def is_kept(action: Any) -> bool:
    """Say whether an action has been interned."""
    return id(action) in _KEPT


def watch() -> None:
    """Compare actions from now on: code that is no part of this package has been loaded."""
    _WATCH.is_on = True


def is_watching() -> bool:
    """Say whether games must compare their actions."""
    return _WATCH.is_on


def is_changed(action: Any) -> bool:
    """Say whether an action has other fields than when it was interned."""
    kept = _KEPT.get(id(action))
    return kept is not None and kept.is_changed()


def restore(action: Any) -> str:
    """Undo the change of an action, and return it as text."""
    return _KEPT[id(action)].restore()


def note_suspects() -> None:
    """Count a game of agents that may have changed actions of any game."""
    _WATCH.games += 1


def restore_all(group: str) -> list[str]:
    """Undo changes of the actions of a game, and return each as text; nothing is compared if nobody may have changed any.

    A game of this package plays its own actions and those of the engine. Others (with an empty ``group``) may play any.
    """
    found: list[str] = []
    for name in (group, "") if group else list(_GROUPS):
        if _COMPARED.get(name, 0) != _WATCH.games:
            _COMPARED[name] = int(_WATCH.games)
            found += [kept.restore() for kept in _GROUPS.get(name, []) if kept.is_changed()]
    return found


def _text(value: object) -> str:
    try:
        return one_line(repr(value))
    except Exception:  # noqa: BLE001  an agent's own value may do anything
        return one_line(f"a {type(value).__name__}")
