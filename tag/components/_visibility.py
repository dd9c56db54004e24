"""Visibility modes of components and of the items in them."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from tag.errors import UnknownNameError

VISIBLE_TO_ALL: Final = 0
HIDDEN_TO_ALL: Final = 1
VISIBLE_TO_OWNER: Final = 2
#: Of a deck: all players see the top item and nothing else.
TOP_VISIBLE_TO_ALL: Final = 3
#: Of a deck: all players see the bottom item and nothing else.
BOTTOM_VISIBLE_TO_ALL: Final = 4
#: Each item has its own set of players who see it (the partially observable components).
MIXED_VISIBILITY: Final = 5

_NAMES: Final = (
    "visible to all",
    "hidden to all",
    "visible to owner",
    "top visible to all",
    "bottom visible to all",
    "mixed visibility",
)


def visibility_name(mode: i64) -> str:
    """Return ``mode`` in words, as data files write it: ``visible to owner``.

    Examples:
        >>> visibility_name(VISIBLE_TO_OWNER), visibility_of("visible to owner") == VISIBLE_TO_OWNER
        ('visible to owner', True)
    """
    return _NAMES[mode]


def visibility_of(name: str) -> int:
    """Return the mode that is called ``name``.

    Examples:
        >>> visibility_of("hidden to all") == HIDDEN_TO_ALL
        True
        >>> visibility_of("hidden")
        Traceback (most recent call last):
            ...
        tag.errors.UnknownNameError: no visibility named 'hidden'; did you mean 'hidden to all'?

    Raises:
        UnknownNameError: there is no such mode.
    """
    if name not in _NAMES:
        raise UnknownNameError.of("visibility", name, _NAMES)
    return _NAMES.index(name)


def sees(mask: int, player: i64) -> bool:
    """Say whether ``player`` is in ``mask``, a set of players as bits; -1 is in every one."""
    return player < 0 or (mask >> int(player)) & 1 == 1
