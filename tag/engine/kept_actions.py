"""Interned actions as they were: changes by ``object.__setattr__``, which no class can refuse, are found and undone.

A changed action would change all games of the process. So every action is noted when it is interned. Once code of a user
has been loaded, each action is compared with the note before it is played, and a part of all others after each game.
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
        self.reader = attrgetter(*names, names[0]) if names else type  # a tuple in any case, which holds NaN equal to itself
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


_KEPT: Final[dict[int, _Kept]] = {}
_ALL: Final[list[_Kept]] = []


@final
class _Watch:
    """Whether games compare actions, and the number of the next action to compare beside those of a game."""

    __slots__ = ("is_on", "next")
    is_on: bool
    next: i64

    def __init__(self) -> None:
        self.is_on = False
        self.next = 0


_WATCH: Final = _Watch()


def keep(action: Any) -> None:
    """Note the fields of an action that has just been interned."""
    kept = _Kept(action)
    _KEPT[id(action)] = kept
    _ALL.append(kept)


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


def restore_some(count: i64) -> list[str]:
    """Undo changes among the next ``count`` interned actions, and return each as text."""
    found: list[str] = []
    last: i64 = len(_ALL)
    number: i64 = _WATCH.next
    for _action in range(min(last, count)):
        if number >= last:
            number = 0
        if _ALL[number].is_changed():
            found.append(_ALL[number].restore())
        number += 1
    _WATCH.next = number
    return found


def _text(value: object) -> str:
    try:
        return one_line(repr(value))
    except Exception:  # noqa: BLE001  an agent's own value may do anything
        return one_line(f"a {type(value).__name__}")
