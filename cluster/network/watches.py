"""Watches that notice the loss of a cluster's head, or of the node through which this process reaches it.

Ray does not report it: calls just stay open. Its native code ends the whole process without a message, a minute after
the head died. After the node died it does so at the next request.
"""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from contextlib import suppress
from typing import Final

from tag.cluster.network.addresses import NobodyListensError, knock
from tag.errors import ClusterError

#: How often to look, and for how long all attempts must have failed, in seconds: Ray leaves us a minute.
_EVERY: Final = 1.0
_SILENCE: Final = 15.0

#: Program of a process that reads our end of a pipe and reports if that closes without a message.
_LAST_WORDS: Final = """
import sys
if not sys.stdin.buffer.read(1):
    sys.stderr.write("tag: the process that plays was ended, by Ray or the system; the same command goes on\\n")
"""


class LastWords:
    """A process that reports on standard error if this one ends without a message, as Ray's native code may end it.

    It is needed because no Python runs in an ended process. It takes 10 ms of CPU time.
    """

    def __init__(self) -> None:
        """Start the process; where that fails, the end is only silent."""
        self._process: subprocess.Popen[bytes] | None = None
        with suppress(OSError):
            self._process = subprocess.Popen(  # noqa: S603  a constant
                [sys.executable, "-I", "-S", "-c", _LAST_WORDS],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                start_new_session=True,  # Ctrl-C and signals to the group are for the others
            )

    def close(self) -> None:
        """Say that all is well."""
        if self._process is not None:
            with suppress(OSError):  # it has been ended already
                self._process.communicate(b".")
            self._process = None


class Watch:
    """Watches an address from a thread of its own, which costs very little and ends with the process.

    Attributes:
        lost: whether there has been no answer for long, counted in failed attempts: a machine that slept is not lost.
    """

    def __init__(self, what: str, address: str, may_return: bool) -> None:
        """Start to watch.

        Args:
            what: the name of the watched process in the error.
            address: ``host:port``, where a process answers now.
            may_return: whether it can be started again there; if not, it is lost at the first refused connection.
        """
        self._what = what
        self._address = address
        self._may_return = may_return
        self.lost = False
        self._over = threading.Event()
        threading.Thread(target=self._run, name="watch", daemon=True).start()

    def check(self) -> None:
        """Raise `ClusterError` if the address is lost."""
        if self.lost:
            raise self.error()

    def error(self) -> ClusterError:
        """Return the error of a lost address."""
        return ClusterError(
            f"{self._what} at {self._address!r} is gone; once it is there again, the same command goes on"
        )

    def answers(self) -> bool:
        """Say whether the address answers now."""
        try:
            knock(self._address, _EVERY)
        except ClusterError:
            return False
        return True

    def close(self) -> None:
        """Stop watching."""
        self._over.set()

    def _run(self) -> None:
        failing_since = None
        while not self._over.wait(_EVERY):
            begin = time.monotonic()
            try:
                knock(self._address, _SILENCE / 3)
            except ClusterError as error:
                failing_since = failing_since or begin
                is_gone = isinstance(error, NobodyListensError) and not self._may_return
                self.lost = is_gone or time.monotonic() - failing_since > _SILENCE
            else:
                failing_since = None
                self.lost = False
