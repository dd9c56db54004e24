"""States as hashable values, found from their fields: for equality, hashes, pickles and the contract checks.

Compiled classes have neither ``__dict__`` nor ``__slots__``; mypyc lists their fields in ``__mypyc_attrs__``.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from typing import Any, Final, Self

from mypy_extensions import mypyc_attr

#: Fields for the observers of a game, which are no part of the position.
_NOT_POSITION: Final = frozenset(["history", "recording", "announced"])

#: The fields of each class seen so far.
_FIELDS: Final[dict[type, tuple[str, ...]]] = {}
#: The beginnings of fields in the text that is hashed, by name.
_HEADS: Final[dict[str, str]] = {}

#: The numbers that most fields have, as text: making it takes as long as all else for such a field.
_NUMBERS: Final = [str(number) for number in range(1024)]

_UNSET: Final = object()
_PLAIN: Final = (bool, int, float, str, bytes)


def field_names(cls: type) -> tuple[str, ...]:
    """Return the sorted names of the declared fields of ``cls`` and its bases, interpreted or compiled."""
    known = _FIELDS.get(cls)
    if known is not None:
        return known
    names: set[str] = set()
    for base in cls.__mro__:
        declared: Any = base.__dict__.get("__mypyc_attrs__") or base.__dict__.get("__slots__") or ()
        names.update([declared] if isinstance(declared, str) else declared)
    names.discard("__dict__")
    names.discard("__weakref__")
    found = _FIELDS[cls] = tuple(sorted(names))
    return found


def field_values(thing: object) -> dict[str, Any]:
    """Return the fields of ``thing`` that are set, by sorted name."""
    cls: Any = type(thing)
    is_open = cls.__dictoffset__ != 0  # there may be fields that the class does not declare
    values: dict[str, Any] = dict(getattr(thing, "__dict__", {})) if is_open else {}
    for name in field_names(cls):
        value = getattr(thing, name, _UNSET)
        if value is not _UNSET:
            values[name] = value
    return dict(sorted(values.items())) if is_open else values


def restored(cls: Any, values: dict[str, Any]) -> Any:
    """Return a new ``cls`` with the fields ``values``: the inverse of `field_values`."""
    thing = cls.__new__(cls)
    for name, value in values.items():
        setattr(thing, name, value)
    return thing


def reduced(thing: object, *arguments: object) -> tuple[Any, ...]:
    """Return the value of ``__reduce__`` for a copy or pickle of ``thing`` with all its fields.

    Args:
        thing: the object.
        arguments: what its constructor accepts, for a class that cannot be made without it; the fields replace what it sets.
    """
    cls = type(thing)
    values = field_values(thing)
    made = (cls, arguments) if arguments else (_new, (cls,))
    return (*made, values if hasattr(cls, "__setstate__") else (None, values))  # compiled, classes have one of mypyc's


def _new(cls: Any) -> Any:
    """Return a new ``cls`` without fields."""
    return cls.__new__(cls)


@mypyc_attr(allow_interpreted_subclasses=True)
class Copyable:
    """Base of compiled classes that can be copied and pickled although their constructors have arguments.

    Compiled, ``__new__`` of a class calls its constructor, so a copy cannot be made before its fields are known. With a
    ``__new__`` of its own it does not, but takes a tenth of a microsecond longer: classes of which searches make many
    objects use `reduced` with arguments instead.
    """

    __slots__ = ()

    def __new__(cls, *_args: object, **_kwargs: object) -> Self:
        """Return an object without fields."""
        return super().__new__(cls)

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle by fields."""
        return reduced(self)


def guard(cls: Any, is_finished: Callable[[Any], bool]) -> None:
    """Make instances of ``cls`` and its subclasses refuse new values for their fields once they are finished.

    It is for objects that games and agents share. Compiled constructors set fields without asking, so it costs these
    nothing. A class cannot declare ``__setattr__`` itself: mypyc has none for classes with interpreted subclasses.
    """

    def refuse(thing: Any, name: str, value: Any) -> None:
        if is_finished(thing):
            raise AttributeError(f"{type(thing).__name__} cannot be changed: it is shared; {name!r} stays as it is")
        object.__setattr__(thing, name, value)

    cls.__setattr__ = refuse


def snapshot(thing: object) -> tuple[object, ...]:
    """Return the class name and all fields of ``thing``, frozen, without fields that are no part of the position."""
    fields = [(name, freeze(value)) for name, value in field_values(thing).items() if name not in _NOT_POSITION]
    return (type(thing).__name__, *fields)


def freeze(value: object) -> object:
    """Return ``value`` as nested tuples of plain values: equal and hashable."""
    if value is None or isinstance(value, _PLAIN):
        return value
    if isinstance(value, (list, tuple)):
        return tuple([freeze(item) for item in value])
    if isinstance(value, dict):
        return ("dict", *sorted([(repr(key), freeze(item)) for key, item in value.items()]))
    if isinstance(value, (set, frozenset)):
        return ("set", *sorted([repr(freeze(item)) for item in value]))
    if isinstance(value, bytearray):
        return bytes(value)
    key: Any = getattr(value, "key", None)
    if callable(key):
        return (type(value).__name__, *key())
    return snapshot(value)


def state_hash(state: object) -> str:
    """Return 16 hexadecimal digits that are the same for equal positions, in any process and build.

    They are a hash of ``repr(snapshot(state))``. Its text is put together from the fields: the tuples of a snapshot take as
    long again as a quick game.

    Examples:
        >>> from tag import Rng, make_game
        >>> model = make_game("connect_four")
        >>> state = model.setup(2, Rng(1))
        >>> state_hash(state) == state_hash(state.copy())
        True
        >>> model.next(state, model.available_actions(state)[3], Rng(1))
        >>> state_hash(state) == state_hash(model.setup(2, Rng(1)))
        False
    """
    parts: list[str] = []
    for name, value in field_values(state).items():
        if name not in _NOT_POSITION:
            parts.append(_head(name))
            parts.append(_text(value))
    text = f"({type(state).__name__!r}{''.join(parts)[1:]}))" if parts else repr(snapshot(state))
    return blake2b(text.encode(), digest_size=8).hexdigest()


def _head(name: str) -> str:
    known = _HEADS.get(name)
    if known is None:
        known = _HEADS[name] = f"), ({name!r}, "
    return known


def _text(value: object) -> str:
    """Return ``repr(freeze(value))``."""
    if type(value) is int and 0 <= value < len(_NUMBERS):
        return _NUMBERS[value]
    if value is None or isinstance(value, _PLAIN):
        return repr(value)
    if isinstance(value, (list, tuple)) and len(value) > 1:
        return f"({', '.join([_text(item) for item in value])})"
    return repr(freeze(value))
