"""The process of a command: its signals, and its standard output, where JSON never mixes with what users' code prints."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, TextIO

import click

#: The streams for JSON while standard output is diverted; the last is the one in use.
_diverted: Final[list[TextIO]] = []


def print_json(value: object, indent: int | None = 2) -> None:
    """Print ``value`` as JSON on the standard output that the command was started with."""
    click.echo(json.dumps(value, indent=indent), file=_diverted[-1] if _diverted else None)


@contextmanager
def interrupted_by(*signals: signal.Signals) -> Iterator[None]:
    """Let signals raise `KeyboardInterrupt`, as Ctrl-C does, and restore their handlers afterwards.

    Outside of the main thread, where Python allows no handlers, it has no effect.
    """
    in_main = threading.current_thread() is threading.main_thread()
    former = {number: signal.signal(number, signal.default_int_handler) for number in signals if in_main}
    try:
        yield
    finally:
        for number, handler in former.items():
            signal.signal(number, handler)


@contextmanager
def diverted(for_good: bool) -> Iterator[None]:
    """Send all output to standard error, also of native code and other processes, except that of `print_json`.

    Args:
        for_good: until the process ends, so that output at exit is diverted as well.
    """
    sys.stdout.flush()
    results, stdout = _original(), sys.stdout
    descriptor = _descriptor(1)
    _diverted.append(results)
    sys.stdout = sys.stderr
    if descriptor is not None:
        os.dup2(2, 1)
    try:
        yield
    finally:
        results.flush()
        if not for_good:
            _diverted.pop()
            sys.stdout = stdout
            if descriptor is not None:
                os.dup2(descriptor, 1)
                os.close(descriptor)


def _original() -> TextIO:
    """Return standard output in a form that stays when descriptor 1 is diverted."""
    try:
        is_descriptor = sys.stdout.fileno() == 1
    except (OSError, ValueError):
        is_descriptor = False  # a test has put something else in its place
    copy = _descriptor(1) if is_descriptor else None
    return sys.stdout if copy is None else os.fdopen(copy, "w", encoding="utf-8")


def _descriptor(number: int) -> int | None:
    """Return a copy of a standard stream's descriptor, which other programs do not inherit; None where it is closed."""
    try:
        return os.dup(number)
    except OSError:
        return None
