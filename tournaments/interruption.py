"""Ctrl-C: the first asks a tournament to stop in good order, the second stops it at once."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, Final, Self

_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


class Interruption:
    """A context in which the first SIGINT or SIGTERM sets a flag and the second raises `KeyboardInterrupt`.

    Outside of the main thread, where Python allows no handlers, it changes nothing.

    Attributes:
        requested: whether somebody wants the work to stop.
    """

    def __init__(self) -> None:
        """Start with nothing requested."""
        self.requested = False
        self._former: dict[int, Any] = {}

    def __enter__(self) -> Self:
        """Take the signals over."""
        if threading.current_thread() is threading.main_thread():
            self._former = {number: signal.signal(number, self._handle) for number in _SIGNALS}
        return self

    @contextmanager
    def as_the_reason(self) -> Iterator[None]:
        """Have errors be interruptions once somebody wants the work to stop: workers may have got the same signal."""
        try:
            yield
        except Exception as error:
            if self.requested:
                raise KeyboardInterrupt from error
            raise

    def __exit__(self, *_error: object) -> None:
        """Give the signals back."""
        for number, handler in self._former.items():
            signal.signal(number, handler)
        self._former = {}

    def _handle(self, number: int, frame: FrameType | None) -> None:
        if self.requested:
            raise KeyboardInterrupt
        self.requested = True
