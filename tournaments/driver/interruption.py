"""Interruptions: the first SIGINT or SIGTERM asks play to end in good order, the second ends it at once."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from queue import SimpleQueue
from types import FrameType
from typing import Any, Final, Self

_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)
#: The reply to the first signal.
_FINISHING: Final = "finishing what is being played; Ctrl-C once more stops at once"


class Interruption:
    """A context in which the first SIGINT or SIGTERM sets a flag and the second raises `KeyboardInterrupt`.

    The first is answered at once, in the middle of a game, too. A thread says so: a handler may interrupt a write to the
    same stream, which Python does not allow to be entered again. Outside of the main thread, where Python allows no
    handlers, the context has no effect.
    """

    def __init__(self, say: Callable[[str], None]) -> None:
        """Start without a request; ``say`` shows a sentence, from another thread."""
        self.requested = False
        self._say = say
        self._news: SimpleQueue[str] = SimpleQueue()  # handlers may write to it at any time
        self._thread = threading.Thread(target=self._announce, name="interruption", daemon=True)
        self._former: dict[int, Any] = {}

    def __enter__(self) -> Self:
        """Take the signals over."""
        if threading.current_thread() is threading.main_thread():
            self._thread.start()
            self._former = {number: signal.signal(number, self._handle) for number in _SIGNALS}
        return self

    @contextmanager
    def as_the_reason(self) -> Iterator[None]:
        """Turn errors into interruptions once a stop is requested: workers may have got the same signal."""
        try:
            yield
        except Exception as error:
            if self.requested:
                raise KeyboardInterrupt from error
            raise

    def __exit__(self, *_error: object) -> None:
        """Give the signals back, once what is to be said has been said."""
        if not self._former:
            return
        for number, handler in self._former.items():
            signal.signal(number, handler)
        self._former = {}
        self._news.put("")
        self._thread.join()

    def _handle(self, number: int, frame: FrameType | None) -> None:
        if self.requested:
            raise KeyboardInterrupt
        self.requested = True
        self._news.put(_FINISHING)

    def _announce(self) -> None:
        for sentence in iter(self._news.get, ""):
            self._say(sentence)
