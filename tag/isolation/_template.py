"""The template process: has imported the engine and no user's code, and forks a process per agent and game.

Starting Python and importing takes longer than most games; a fork takes milliseconds. So each game begins with clean
processes, unaffected by the agents of the game before.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import json
import os
import signal
import socket
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

from tag.catalogue.registry import built_in, import_agents
from tag.isolation import _child, _wire

#: The number of Linux's prctl by which descendants whose parents have ended become children of this process.
_SET_CHILD_SUBREAPER: Final = 36


class _Template:
    """Forks and ends processes."""

    def __init__(self, control: socket.socket) -> None:
        self._control = control
        self._pids: set[int] = set()
        self._games: set[str] = set()

    def run(self) -> None:
        """Serve requests until the game's process closes its end."""
        import_agents()
        gc.freeze()  # a collection in a child would write to all of its memory, and so copy it
        self._control.sendall(_wire.READY)
        while True:
            request, descriptors, _flags, _address = socket.recv_fds(self._control, _wire.CONTROL, _wire.DESCRIPTORS)
            if not request:
                break
            what, argument = json.loads(request)
            if what == _wire.FORK:
                self._prepare(argument)
                answer = self._forked(_child.serve, descriptors)
            elif what == _wire.RUN:
                answer = self._forked(partial(_child.run_program, *argument), descriptors)
            else:
                answer = _has_ended(argument) if what == _wire.HAS_ENDED else self._end(argument)
            self._control.sendall(json.dumps(answer).encode())
        for pid in list(self._pids):
            self._end(pid)

    def _prepare(self, game: str) -> None:
        """Import a game of this distribution, once for all processes."""
        if game not in self._games and built_in("games", game):
            _child.search_model(game)
            self._games.add(game)
            gc.freeze()

    def _forked(self, work: Callable[..., None], descriptors: list[int]) -> int:
        """Return the number of a new process that does ``work`` with the descriptors, the last of which is its lifeline."""
        pid = os.fork()
        if pid == 0:
            self._become(work, descriptors)
        for descriptor in descriptors:
            os.close(descriptor)
        self._pids.add(pid)
        return pid

    def _become(self, work: Callable[..., None], descriptors: list[int]) -> None:
        """Do the work of a new process, and never return."""
        status = 1
        try:
            os.setsid()
            self._control.close()
            work(*descriptors)
        except SystemExit as error:
            status = error.code if isinstance(error.code, int) else int(error.code is not None)
        finally:
            os._exit(status)

    def _end(self, pid: int) -> int:
        """End a process and all that it has started, and return its exit code: negative where a signal ended it."""
        for kill in (os.killpg, os.kill):  # it may not have a group of its own yet, or have ended
            with contextlib.suppress(ProcessLookupError, PermissionError):
                kill(pid, signal.SIGKILL)
        _pid, status = os.waitpid(pid, 0)
        self._pids.discard(pid)
        while orphans := [child for child in _children() if child not in self._pids]:
            for orphan in orphans:  # they left the group
                os.kill(orphan, signal.SIGKILL)
                os.waitpid(orphan, 0)
        return os.waitstatus_to_exitcode(status)


def _has_ended(pid: int) -> bool:
    """Say whether a process has ended, and leave it to be waited for: its group keeps its number until then."""
    return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is not None


def _children() -> list[int]:
    """Return the numbers of this process's children; none where the system does not tell."""
    try:
        return [int(pid) for pid in Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()]
    except OSError:
        return []


def _main() -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _child.go_on)
    with contextlib.suppress(AttributeError, OSError):  # Linux only
        ctypes.CDLL(None).prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    control = socket.socket(fileno=int(sys.argv[1]))
    control.set_inheritable(False)
    _Template(control).run()


if __name__ == "__main__":
    _main()
