"""Users' code that would end or replace this process without an exception, such as ``os._exit(0)``: it raises instead.

Otherwise a command whose agent ends the process seems to have succeeded. What Python's own functions do not call cannot
be refused without another process: an end by native code (``ctypes``), or by a signal.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any, Final, NoReturn

#: Functions that end the process with any exit code, or make it another program. Those of `os` call these.
_ENDS: Final = ("_exit", "execv", "execve")

#: How many calls of `refuse` have had no `permit` yet.
_refusals: Final[list[int]] = [0]
_installed: Final[list[bool]] = []
_is_watched: Final[list[bool]] = []


def refuse() -> None:
    """Have this process not end by a function of `os` until `permit` is called as often; its children may."""
    if not _installed:
        _install()
    _refusals[0] += 1


def permit() -> None:
    """Take back one `refuse`."""
    _refusals[0] -= 1


def never_refuse() -> None:
    """Let this process end as ever from now on, as the one that started it sees how."""
    _is_watched.append(True)


def _forget() -> None:
    """Let a child of this process end."""
    _refusals[0] = 0


def _install() -> None:
    _installed.append(True)
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=_forget)
    for name in _ENDS:
        former = getattr(os, name, None)
        if former is not None:
            guarded = _Refusing(name, former)
            setattr(os, name, guarded)
            setattr(sys.modules[os.name], name, guarded)  # from which `os` has it: posix or nt


class _Refusing:
    """A function that ends the process, unless it may not."""

    def __init__(self, name: str, former: Callable[..., NoReturn]) -> None:
        self._name = name
        self._former = former

    def __call__(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Call the function, or raise `SystemExit`, which guards take for a fault of the caller."""
        if _refusals[0] > 0 and not _is_watched:
            shown = ", ".join([repr(value) for value in args[:1]])
            raise SystemExit(f"os.{self._name}({shown})")
        self._former(*args, **kwargs)
        raise AssertionError(self._name)
