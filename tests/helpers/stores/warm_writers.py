"""Processes that write runs, forked from one that has imported MLflow, which takes two CPU seconds.

They stand in for those that a driver starts in the process of a test. Drivers in processes of their own start theirs as
users do, as do tests with the fixture ``cold_writers``. Their CPU time counts for no test.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from multiprocessing import forkserver
from multiprocessing.connection import Connection
from types import SimpleNamespace
from typing import Any, Final

from tag.tournaments.tracking.runs import _ENVIRONMENT

_PROGRAM: Final = "tag.tournaments.tracking.process"
_EXECUTABLE: Final = sys.executable
_CONTEXT: Final = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload(
    [
        _PROGRAM,
        "tag.tournaments.tracking.tournaments",
        "tag.tournaments.tracking.analyses",
        "tag.tournaments.tracking.experiments",
        "tag.tournaments.reports.html.page",
        "tag.tuning.reports.tracking",
        "mlflow.store.tracking.sqlalchemy_store",
        "mlflow.tracking.client",
    ]
)


class WarmWriter:
    """Has what a driver uses of `subprocess.Popen`; other programs are started with that."""

    def __new__(cls, command: Sequence[str], **options: Any) -> Any:
        if command[0] != _EXECUTABLE or command[-1] != _PROGRAM:
            return subprocess.Popen(command, **options)
        return super().__new__(cls)

    def __init__(
        self, command: Sequence[str], *, stdin: int, stdout: int, env: Mapping[str, str], **others: object
    ) -> None:
        before = dict(os.environ)
        os.environ.update(_ENVIRONMENT)  # MLflow reads some of it when it is imported
        try:
            forkserver.ensure_running()
        finally:
            os.environ.clear()
            os.environ.update(before)
        pipes = Connection(os.dup(stdin), writable=False), Connection(os.dup(stdout), readable=False)
        self._process = _CONTEXT.Process(target=_write, args=(*pipes, dict(env)), daemon=True)
        self._process.start()
        for pipe in pipes:
            pipe.close()
        self.pid = self._process.pid

    @property
    def returncode(self) -> int | None:
        return self._process.exitcode

    def kill(self) -> None:
        self._process.kill()

    def wait(self, timeout: float | None = None) -> int:
        self._process.join(timeout)
        assert self.returncode is not None
        return self.returncode


def _write(reading: Connection, writing: Connection, environment: Mapping[str, str]) -> None:
    """Be the process that writes, in the forked one."""
    from tag.tournaments.tracking import process

    os.setsid()
    os.environ.clear()
    os.environ.update(environment)
    os.dup2(reading.fileno(), 0)
    os.dup2(writing.fileno(), 1)
    reading.close()
    writing.close()
    sys.stdin = os.fdopen(0, closefd=False)
    sys.stderr = open(os.devnull, "w")  # noqa: PTH123, SIM115  open as long as the process lives
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    process._main()


#: In place of the module `subprocess` in the module that starts writers.
WARM: Final = SimpleNamespace(Popen=WarmWriter, DEVNULL=subprocess.DEVNULL)
