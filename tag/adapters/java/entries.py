"""The entries of one of TAG's files, and what each becomes here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from tag.engine.parameters import Spec
from tag.errors import DataError

#: An entry means the same here; something like it; it has no counterpart; or it is none of TAG's entries either.
EXACT: Final = "exact"
NEAR: Final = "near"
LOST: Final = "lost"
UNKNOWN: Final = "unknown"


@dataclass(frozen=True)
class Entry:
    """An entry of a file, or what TAG takes where it has none.

    Attributes:
        name: the name in TAG, dotted where it is within another entry.
        value: the value in TAG, as text.
        ours: the parameters here, such as ``k=1.0``; empty where there is none.
        kind: `EXACT`, `NEAR`, `LOST` or `UNKNOWN`.
        note: what differs; empty where it means the same.
    """

    name: str
    value: str
    ours: str
    kind: str
    note: str = ""

    def __str__(self) -> str:
        """Return the entry in one line."""
        became = f" -> {self.ours}" if self.ours else ""
        return f"{self.name}={self.value}{became}" + (f": {self.note}" if self.note else "")


def changed(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """Return the entries that mean something else here, or nothing."""
    return tuple(entry for entry in entries if entry.kind != EXACT)


class Entries:
    """The entries of an object in a file, from which a translation takes one after the other.

    Attributes:
        values: the parameters found so far, by the names here.
        read: the entries that were given, and others that are worth telling.
    """

    def __init__(self, given: Mapping[str, Any], prefix: str = "", of: str = "a player of TAG's") -> None:
        """Translate ``given``, within the entry ``prefix`` where that is not empty, ``of`` what errors say."""
        self.values: dict[str, Any] = {}
        self.read: list[Entry] = []
        self._given = dict(given)
        self._left = dict(given)
        self._prefix = prefix
        self._of = of

    def take(self, name: str, default: Any = None) -> Any:
        """Return the value of an entry, TAG's ``default`` where it is not given, and count it as read.

        Raises:
            DataError: the default is a number, or true or false, and the value is not.
        """
        self._left.pop(name, None)
        value = self._given.get(name, default)
        if isinstance(value, dict) and set(value) == {"enum", "value"}:
            value = value["value"]
        if isinstance(default, int | float) and not _is_like(value, default):
            right = "true or false" if isinstance(default, bool) else "a number"
            raise DataError(f"{self._prefix}{name} is {_short(value)!r} in {self._of}; it is {right}")
        return value

    def whole(self, name: str, default: int) -> int:
        """Return the value of an entry that is a whole number, TAG's ``default`` where it is not given.

        Raises:
            DataError: it is something else.
        """
        value = self.take(name, default)
        if not isinstance(value, int):
            raise DataError(f"{self._prefix}{name} is {value} in {self._of}; it is a whole number")
        return value

    def text(self, name: str, default: str) -> str:
        """Return the value of an entry that is a text, TAG's ``default`` where it is not given.

        Raises:
            DataError: it is something else.
        """
        value = self.take(name, default)
        if not isinstance(value, str):
            raise DataError(f"{self._prefix}{name} is {_short(value)} in {self._of}; it is a text")
        return value

    def exact(self, name: str, **ours: Any) -> None:
        """Set parameters to what the entry means."""
        self._add(name, EXACT, "", ours)

    def near(self, name: str, note: str, **ours: Any) -> None:
        """Set parameters to something like what the entry means; it is told even where TAG takes it by default."""
        self._add(name, NEAR, note, ours, always=True)

    def lost(self, name: str, note: str = "has no counterpart", **ours: Any) -> None:
        """Record an entry without a counterpart; ``ours`` is played in its place."""
        self._add(name, LOST, note, ours, always=True)

    def same(self, name: str, ours: str, default: Any, convert: Callable[[Any], Any] = lambda value: value) -> None:
        """Set the parameter ``ours`` to the entry, TAG's default where it is not given."""
        self.exact(name, **{ours: convert(self.take(name, default))})

    def chosen(self, name: str, ours: str, default: str, **options: str) -> str:
        """Set the parameter ``ours`` to the option of that name, and return TAG's value; others are lost."""
        value = str(self.take(name, default))
        if value in options:
            self.exact(name, **{ours: options[value]})
        else:
            self.lost(name, **{ours: options[default]})
        return value

    def silent(self, *names: str) -> None:
        """Read entries that mean nothing here, or nothing beside the others."""
        for name in names:
            self.take(name)

    def only(self, **values: Any) -> None:
        """Read entries whose one value here needs no parameter; others are lost."""
        for name, value in values.items():
            if self.take(name, value) != value:
                self.lost(name)

    def include(self, entries: Iterable[Entry]) -> None:
        """Add the entries of an object within."""
        self.read.extend(entries)

    def spec(self, name: str) -> Spec:
        """Return the spec ``name`` with the parameters found."""
        return Spec(name, {key: as_text(value) for key, value in self.values.items()})

    def close(self) -> None:
        """Record the entries that nothing has read: TAG does not know them either, and only prints them."""
        for name in self._left:
            self._add(name, UNKNOWN, "is unknown to TAG, too", {}, always=True)

    def _add(self, name: str, kind: str, note: str, ours: Mapping[str, Any], always: bool = False) -> None:
        self.values.update(ours)
        if always or name in self._given:
            text = ",".join(f"{key}={as_text(value)}" for key, value in ours.items())
            self.read.append(Entry(self._prefix + name, _short(self._given.get(name, "default")), text, kind, note))


def _is_like(value: object, default: object) -> bool:
    """Say whether a value is true or false where the default is, and a number where that is one."""
    return isinstance(value, int | float) and isinstance(value, bool) == isinstance(default, bool)


def as_text(value: object) -> str:
    """Return a value as specs write it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _short(value: object) -> str:
    """Return a value for people: of an object its class alone."""
    if isinstance(value, dict):
        inner = value.get("class", value.get("value"))
        if inner is None:
            return "{…}" if value else "{}"
        return str(inner).rpartition(".")[2]
    return as_text(value)
