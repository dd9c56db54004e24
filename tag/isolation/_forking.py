"""The template of isolated agents' processes, seen from the game: it starts once, and forks a process per agent and game."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from tag.errors import ClusterError
from tag.isolation import _wire
from tag.playing.agent import Limits

#: How long Python may take to start and import, in seconds: a busy machine is slow.
_START_SECONDS: Final = 120.0
#: How long a process that has closed its connection may take to end of itself, in seconds.
_LAST_SECONDS: Final = 2.0

_templates: list[Template] = []


class Template:
    """A process that forks agents' processes (`tag.isolation._template`).

    Attributes:
        owner: the process that started it; a fork of that needs one of its own.
        alive: whether it can be asked; an agent may have killed it.
    """

    def __init__(self) -> None:
        """Start the process and wait until it can be asked.

        Raises:
            ClusterError: it does not start.
        """
        self.owner = os.getpid()
        self.alive = True
        self._control, theirs = socket.socketpair()
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([entry or str(Path.cwd()) for entry in sys.path])}
        try:
            self._process = subprocess.Popen(  # noqa: S603  a module of ours
                [sys.executable, "-P", "-m", "tag.isolation._template", str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,  # standard output is for results
                stderr=subprocess.DEVNULL,
                env=environment,
                pass_fds=(theirs.fileno(),),
                start_new_session=True,
            )
        except OSError as error:
            self._control.close()
            raise ClusterError(f"no process can be started for isolated agents: {error.strerror}") from None
        finally:
            theirs.close()
        self._control.settimeout(_START_SECONDS)
        with suppress(OSError):
            if self._control.recv(len(_wire.READY)) == _wire.READY:
                return
        self.close()
        raise ClusterError(
            f"the process for isolated agents does not start: it ended with exit code {self._process.returncode}"
        )

    def fork(self, game: str) -> tuple[socket.socket, Any, int]:
        """Return the socket, the lifeline and the number of a new process, for a game of the spec ``game``.

        The lifeline is the end of a pipe that only this process holds: when it is closed, for instance because this
        process dies, the other is killed.

        Raises:
            ClusterError: there is no process any more to fork from.
        """
        ours, theirs = socket.socketpair()
        try:
            return ours, *self._started(_wire.FORK, game, (theirs.fileno(),))
        except ClusterError:
            ours.close()
            raise
        finally:
            theirs.close()

    def run(self, arguments: list[str], limits: Limits, streams: tuple[int, int, int]) -> tuple[Any, int]:
        """Start a program in this process's folder, and return its lifeline and number as `fork` does.

        Args:
            arguments: the program and its arguments.
            limits: of its process.
            streams: the descriptors of its standard input, output and error.

        Raises:
            ClusterError: there is no process any more to start it from.
        """
        argument = [arguments, asdict(limits), str(Path.cwd()), os.environ.get("PYTHONPATH")]
        return self._started(_wire.RUN, argument, streams)

    def _started(self, what: str, argument: object, descriptors: tuple[int, ...]) -> tuple[Any, int]:
        """Have a process started with these descriptors and a lifeline, and return our end of that and its number."""
        reading, writing = os.pipe()
        try:
            pid = self._ask(what, argument, (*descriptors, reading))
        finally:
            os.close(reading)
        if pid is None:
            os.close(writing)
            raise ClusterError("the process from which isolated agents are started has been ended; run it again")
        return os.fdopen(writing, "wb", buffering=0), pid

    def has_ended(self, pid: int) -> bool:
        """Say whether a process that was forked has ended."""
        return bool(self._ask(_wire.HAS_ENDED, pid)) or not self.alive

    def wait_for_end(self, pid: int) -> bool:
        """Say whether a process that has closed its connection ends of itself, after waiting a little for that."""
        end = time.monotonic() + _LAST_SECONDS
        while not self.has_ended(pid) and time.monotonic() < end:
            time.sleep(_LAST_SECONDS / 200.0)
        return self.has_ended(pid)

    def close_process(self, pid: int) -> int | None:
        """End a process and all it has started, and return its exit code; None if it is no longer known."""
        code: int | None = self._ask(_wire.CLOSE, pid)
        return code

    def close(self) -> None:
        """End the process, and with it all that are left."""
        self.alive = False
        self._control.close()
        if self.owner == os.getpid():
            try:
                self._process.wait(_START_SECONDS)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()

    def _ask(self, what: str, argument: object, descriptors: tuple[int, ...] = ()) -> Any:
        """Return the answer to a request; None where there is none any more."""
        request = json.dumps([what, argument]).encode()
        try:
            if descriptors:
                socket.send_fds(self._control, [request], list(descriptors))
            else:
                self._control.sendall(request)
            answer = self._control.recv(_wire.CONTROL)
        except OSError:
            answer = b""
        self.alive = self.alive and bool(answer)
        return json.loads(answer) if answer else None


def template() -> Template:
    """Return the template of this process; start one where there is none or it has been killed."""
    if not _templates or not _templates[0].alive or _templates[0].owner != os.getpid():
        close_template()
        _templates.append(Template())
    return _templates[0]


def close_template() -> None:
    """End the template, if there is one."""
    while _templates:
        _templates.pop().close()
