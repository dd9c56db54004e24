"""The process that writes a run: ``python -m tag.tournaments.tracking.process``.

It reads its task and news of the games as lines of JSON on standard input, and reports on standard output in the same
way. The task names the class of the run's contents (`tag.tournaments.tracking.contents.RunContents`).
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from pkgutil import resolve_name
from threading import Condition, Thread, Timer
from typing import Any, Final

from tag.tournaments.ledger.folder import is_at_work
from tag.tournaments.tracking.stores import is_busy, reason_of
from tag.tournaments.tracking.tracker import LAST_SECONDS
from tag.tournaments.tracking.writer import RunWriter

#: How often to write while games are played, at most, in seconds; and after an error.
_EVERY_SECONDS: Final = 5.0
_AGAIN_SECONDS: Final = 30.0
#: Writing may take this share of one core's time.
_SHARE: Final = 0.02
#: How often to try again at the end while other processes write to the store: at first, and at least, in seconds.
_SOON_SECONDS: Final = 1.0


class _Inbox:
    """Messages from the driver, of which only the latest matters.

    Attributes:
        task: what to write, and where.
        games: how many there are in the end.
        is_over: whether the driver is gone.
    """

    def __init__(self) -> None:
        self._changed = Condition()
        self._news: dict[str, Any] | None = None
        self._end = ""
        self.games = 0
        self.is_over = False
        self.task: dict[str, Any] = json.loads(sys.stdin.readline())
        Thread(target=self._listen, daemon=True).start()

    def next(self) -> tuple[dict[str, Any] | None, str, bool]:
        """Wait for a message; return the latest news, the status to end with, and whether the driver is gone."""
        with self._changed:
            self._changed.wait_for(lambda: self._news is not None or self._end or self.is_over)
            news, self._news = self._news, None
            return news, self._end, self.is_over

    def _listen(self) -> None:
        for line in sys.stdin:
            message = json.loads(line)
            with self._changed:
                self._news = message.get("news", self._news)
                self._end = message.get("end", self._end)
                self.games = message.get("games", self.games)
                self._changed.notify()
        last = Timer(LAST_SECONDS, os._exit, [1])  # a call may never return
        last.daemon = True
        last.start()
        with self._changed:
            self.is_over = True
            self._changed.notify()


def _say(**message: object) -> None:
    """Tell the driver; it may be gone."""
    with suppress(BrokenPipeError):
        os.write(sys.stdout.fileno(), json.dumps(message).encode() + b"\n")


def _main() -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)  # the driver says when to end, or closes standard input by dying
    inbox = _Inbox()
    task = inbox.task
    writer = RunWriter(resolve_name(task["data"])(Path(task["folder"])), task["uri"], task["execution"])
    next_look = 0.0
    while True:
        news, end, is_over = inbox.next()
        try:
            if end:
                _end(writer, end, inbox)
                return
            if is_over:
                writer.abandon()
                return
            if news is not None and time.monotonic() >= next_look:
                next_look = _look(writer, news)
        except Exception as error:  # noqa: BLE001  any error of a store
            _say(trouble=reason_of(error))
            if is_over:
                return
            next_look = time.monotonic() + _AGAIN_SECONDS


def _look(writer: RunWriter, news: Mapping[str, float]) -> float:
    """Write the news, and return when to do so again."""
    is_first, begin = not writer.has_begun, time.process_time()
    writer.look(news)
    if is_first:
        writer.contents.prepare_results()
    spent = 0.0 if is_first else time.process_time() - begin  # imports, and making the store, happen once
    return time.monotonic() + max(_EVERY_SECONDS, spent / _SHARE)


def _end(writer: RunWriter, status: str, inbox: _Inbox) -> None:
    """End the run, also if the driver has stopped waiting for it, unless another driver has gone on by then."""
    pause = _SOON_SECONDS
    while True:
        try:
            for asks in writer.end(status, inbox.games):
                if inbox.is_over and is_at_work(writer.contents.folder):
                    return
                _say(asks=asks)
        except Exception as error:  # noqa: BLE001  any error of a store
            _say(trouble=reason_of(error))
            if not is_busy(error):
                return
        else:
            _say(done=True)
            return
        time.sleep(pause)
        pause = min(2.0 * pause, _AGAIN_SECONDS)


if __name__ == "__main__":
    _main()
