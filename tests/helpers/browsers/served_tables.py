"""Tables in a server process of their own, and visitors by their links."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from browsers.web_visits import Answer, Visitor
from tag.tournaments.web.tables.pool import ENGINE

HERE = Path(__file__).parent
SWAPPING = (str(HERE / "swapping_engine.py"),)


#: Says whether the page of a table shows the position after so many actions, and has heard of what was posted.
SHOWN = """after => document.getElementById("ply").textContent.startsWith(`after ${after} `)
    && !document.querySelector("main.waiting")"""


def wait_for(page: Any, condition: str, arg: object = None, go_on: Callable[[], object] | None = None) -> None:
    """Wait until a condition holds on the page of a table.

    Where it pauses at the end of a round, go on, by a click unless it is said how.
    """
    either = f"arg => !document.getElementById('round').hidden || ({condition})(arg)"
    page.wait_for_function(either, arg=arg, polling=20)
    while page.locator("#round").is_visible():
        (go_on or page.locator("#round button").click)()
        page.wait_for_function(either, arg=arg, polling=20)


class Guest:
    """Who came by a link, without the host's token."""

    def __init__(self, visitor: Visitor, path: str, query: str = "") -> None:
        self.visitor = visitor
        self.path = path
        self.query = query

    def get(self, what: str, **headers: str | None) -> Answer:
        sign = "&" if "?" in what else "?"
        return self.visitor.get(f"{self.path}/{what}{sign}{self.query}", **{"Cookie": None, **headers})

    def position(self, at: int | None = None) -> dict[str, Any]:
        answer = self.get("position" if at is None else f"position?at={at}")
        assert answer.status == 200, answer.text
        return answer.json()

    def post(self, what: str, **values: object) -> Answer:
        return self.visitor.post(f"{self.path}/{what}?{self.query}", values, Cookie=None)

    def done(self, what: str, **values: object) -> Any:
        answer = self.post(what, **values)
        assert answer.status == 200, answer.text
        return answer.json()

    def events(self) -> Any:
        return self.visitor.events(f"{self.path}/events?{self.query}")


class TableServer:
    """A server process; `kill` ends it at once, and `start` starts it again on the same folder."""

    def __init__(self, folder: Path, seconds: float = 30.0, engine: Sequence[str] = ENGINE) -> None:
        self.folder = folder
        self._arguments = [str(folder), str(seconds), *engine]
        self.start()

    def start(self) -> None:
        home = os.pathsep.join([entry or str(Path.cwd()) for entry in sys.path])
        self.process = subprocess.Popen(
            [sys.executable, "-P", str(HERE / "table_server.py"), *self._arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "PYTHONPATH": home},
        )
        assert self.process.stdout is not None
        address = urlsplit(self.process.stdout.readline().strip())
        assert address.port is not None
        self.host = Visitor(address.port, parse_qs(address.query)["token"][0], self.kill)

    def kill(self) -> None:
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()

    def create(self, **values: object) -> list[Guest]:
        """Make a table, and return a guest for each link."""
        answer = self.host.post("/tables", values)
        assert answer.status == 200, answer.text
        self.table = answer.json()["table"]
        return [Guest(self.host, link["href"]) for link in answer.json()["links"]]

    def again(self, guest: Guest) -> Guest:
        """The same guest after a restart."""
        return Guest(self.host, guest.path, guest.query)

    def file(self, table: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads((self.folder / f"{table}.json").read_text())
        return found


@contextmanager
def table_server(folder: Path, seconds: float = 30.0, engine: Sequence[str] = ENGINE) -> Iterator[TableServer]:
    server = TableServer(folder, seconds, engine)
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.process.terminate()
            server.kill()


@contextmanager
def started(folder: Path, *arguments: str) -> Iterator[tuple[Visitor, str]]:
    """The command as a process: a host, and the path of the first page."""
    home = os.pathsep.join([entry or str(Path.cwd()) for entry in sys.path])
    command = [
        sys.executable,
        "-P",
        "-m",
        "tag",
        "table",
        *arguments,
        "--no-browser",
        "--port",
        "0",
        "--out",
        str(folder),
    ]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": home}
    ) as process:
        try:
            assert process.stdout is not None
            address = urlsplit(process.stdout.readline().strip())
            assert address.port is not None
            yield Visitor(address.port, parse_qs(address.query)["token"][0], process.terminate), address.path
        finally:
            process.send_signal(signal.SIGINT)
            assert process.wait(20) == 0
