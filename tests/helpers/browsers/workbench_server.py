"""`tag serve` with its workbench in a process of its own, and the end of all that it has started."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from browsers.web_visits import Visitor
from tag.tuning.commands.workbench.processes import RECORDS

#: Seconds that a test waits for a state of a run; machines that run tests may be very busy.
PATIENCE = 120.0


class WorkbenchServer:
    """The server of a folder ``runs`` in ``home``; `kill` ends it at once, and `start` starts it again."""

    def __init__(self, home: Path, *options: str) -> None:
        self.home = home
        self.options = options
        self.runs = home / "runs"
        self.runs.mkdir()
        self.start()

    def start(self) -> None:
        path = os.pathsep.join([entry or str(Path.cwd()) for entry in sys.path])
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-m", "tag", "serve", "runs", "--port", "0", "--no-browser", *self.options],
            cwd=self.home,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "PYTHONPATH": path},
        )
        assert self.process.stdout is not None
        self.address = self.process.stdout.readline().strip()
        address = urlsplit(self.address)
        assert address.port is not None
        self.visitor = Visitor(address.port, parse_qs(address.query)["token"][0], self.kill)

    def kill(self) -> None:
        self._end(signal.SIGKILL)

    def interrupt(self) -> None:
        self._end(signal.SIGINT)

    def _end(self, number: int) -> None:
        os.kill(self.process.pid, number)
        self.process.wait(30)
        assert self.process.stdout is not None
        self.process.stdout.close()

    def rows(self) -> dict[str, dict[str, Any]]:
        return {row["name"]: row for row in self.visitor.get("/workbench/runs").json()["runs"]}

    def wait(self, name: str, right: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Return the row of a run once it is as wanted."""
        end = time.monotonic() + PATIENCE
        while True:
            row = self.rows().get(name, {"state": "not listed"})
            if right(row):
                return row
            assert time.monotonic() < end, row
            time.sleep(0.1)

    def in_state(self, name: str, state: str) -> dict[str, Any]:
        return self.wait(name, lambda row: row["state"] == state)

    def post(self, what: str, **values: object) -> Any:
        answer = self.visitor.post(f"/workbench/{what}", values)
        assert answer.status == 200, answer.text
        return answer.json()

    def pids(self) -> list[int]:
        return [json.loads(file.read_text())["pid"] for file in (self.runs / RECORDS).glob("*.json")]


@contextmanager
def workbench_server(home: Path, *options: str) -> Iterator[WorkbenchServer]:
    server = WorkbenchServer(home, *options)
    try:
        yield server
    finally:
        for pid in server.pids():
            with contextlib.suppress(ProcessLookupError):
                os.killpg(pid, signal.SIGKILL)
        if server.process.returncode is None:
            server.kill()
