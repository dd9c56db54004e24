"""The pool of engine processes (`tag.tournaments.web.tables.engine`): rules answer at once, searches never make them wait.

A process that takes too long, or dies of a user's game, is replaced. The request fails with a sentence. The rules and agents
of a user's file have a process of their own, so that they hold up no other game where they hang.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

from tag.catalogue.trust import typed
from tag.errors import TagError

#: The program of an engine process.
ENGINE: Final = ("-m", "tag.tournaments.web.tables.engine")
#: How long rules may take for an answer, in seconds of wall time; the first one of a process includes its imports.
RULES_SECONDS: Final = 15.0
#: How long an agent may take to decide.
SEARCH_SECONDS: Final = 600.0
#: One process answers, the other one is for the time in which the first is busy or is replaced.
_RULES: Final = 2
#: So many tables may search at the same time, and so many processes of tables are kept, if all others are idle.
_MOST_SEARCHES: Final = 16
_MOST_IDLE: Final = 8
#: The files of users whose rules are kept in processes of their own.
_MOST_OWN: Final = 8
#: A search that has taken so long yields to quick requests of others, in seconds; its nice value then, and that of its
#: session, which counts where Linux shares the cores among sessions first.
_LONG: Final = 2.0
_NICE: Final = 10
_SESSION_NICE: Final = 5
#: The longest answer, in bytes.
_LONGEST: Final = 1 << 26


class EngineError(TagError):
    """A request that an engine process did not answer: it took too long, died, or was stopped."""


class StoppedError(EngineError):
    """A request that was given up because its process was stopped."""


class EngineProcess:
    """An engine process, started when it is first asked; requests wait for each other.

    Attributes:
        seconds: the time limit of a request.
        waiting: the requests that are not answered yet.
    """

    def __init__(self, program: Sequence[str], seconds: float, yields: bool = True) -> None:
        """Take the arguments of the Python interpreter, the time limit of a request, and whether a long one yields."""
        self._program = tuple(program)
        self._yields = yields
        self.seconds = seconds
        self._process: asyncio.subprocess.Process | None = None
        self._lock = asyncio.Lock()
        self._is_stopped = False
        self.waiting = 0

    async def ask(self, **request: Any) -> Any:
        """Return the answer to a request.

        Raises:
            TagError: the request was wrong, or what it needs failed, or there was no answer.
        """
        # A reader who leaves while it is answered must not leave half an answer to the next request.
        answer = await asyncio.shield(self._answered({**request, "typed": typed()}))
        if "error" in answer:
            raise TagError(answer["error"])
        return answer["answer"]

    async def _answered(self, request: dict[str, Any]) -> dict[str, Any]:
        self.waiting += 1
        try:
            async with self._lock:
                return await self._exchange(json.dumps(request).encode() + b"\n")
        finally:
            self.waiting -= 1

    async def _exchange(self, line: bytes) -> dict[str, Any]:
        self._is_stopped = False
        process = await self.start()
        assert process.stdin is not None and process.stdout is not None  # noqa: S101, PT018  both are pipes
        answer = b""
        yielding = asyncio.get_running_loop().call_later(_LONG, self._yield_cores, process.pid)
        try:
            async with asyncio.timeout(self.seconds):
                with contextlib.suppress(ConnectionError):
                    process.stdin.write(line)
                    await process.stdin.drain()
                    answer = await process.stdout.readline()
        except TimeoutError:
            self.stop()
            raise EngineError(
                f"the game or agent did not answer within {self.seconds:g} s; the table is as before"
            ) from None
        except BaseException:
            self.stop()
            raise
        finally:
            yielding.cancel()
        if answer.endswith(b"\n"):
            found: dict[str, Any] = json.loads(answer)
            return found
        was_stopped = self._is_stopped
        self.stop()
        if was_stopped:
            raise StoppedError("the search was stopped")
        raise EngineError("the process of the game or agent died; the table is as before")

    def _yield_cores(self, pid: int) -> None:
        """Have the processes of a session take the cores only where others leave them, or have a smaller share."""
        if not self._yields:
            return
        with contextlib.suppress(ProcessLookupError, PermissionError, AttributeError):
            os.setpriority(os.PRIO_PGRP, pid, _NICE)
        with contextlib.suppress(OSError):
            Path(f"/proc/{pid}/autogroup").write_text(str(_SESSION_NICE))

    async def start(self) -> asyncio.subprocess.Process:
        """Start the process, unless it runs."""
        if self._process is None or self._process.returncode is not None:
            home = os.pathsep.join([entry or str(Path.cwd()) for entry in sys.path])
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-P",
                *self._program,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                env={**os.environ, "PYTHONPATH": home},
                start_new_session=True,  # Ctrl-C is the server's
                limit=_LONGEST,
            )
        return self._process

    def stop(self) -> None:
        """End the process; the request that it works on is given up."""
        self._is_stopped = True
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
            self._process = None

    async def close(self) -> None:
        """End the process, and wait until it has."""
        process = self._process
        self.stop()
        if process is not None:
            await process.wait()


def _own_file(request: Mapping[str, Any]) -> str:
    """Return the name of a user's file whose rules or agents a request may run, empty for none."""
    game = [request["start"][0]] if "start" in request else []
    specs = [*game, *request.get("seats", ()), request.get("name", ""), request.get("game", "")]
    return next((file for file, ending, _rest in (spec.partition(".py") for spec in specs) if ending), "")


class EnginePool:
    """Engine processes: for rules, and for searches one per table, so that no table waits for the search of another."""

    def __init__(
        self,
        program: Sequence[str] = ENGINE,
        *,
        rules_seconds: float = RULES_SECONDS,
        search_seconds: float = SEARCH_SECONDS,
    ) -> None:
        """Take the program and the time limits; nothing is started yet."""
        self._rules = [EngineProcess(program, rules_seconds, yields=False) for _one in range(_RULES)]
        self._rules_seconds, self._search_seconds = rules_seconds, search_seconds
        self._own: dict[str, EngineProcess] = {}  # by file; the one that was asked last is the last
        self._new_search = partial(EngineProcess, program, search_seconds)
        self._searches: dict[str, EngineProcess] = {}  # the one that was asked last is the last
        self._spare = self._new_search()
        self._starting: asyncio.Task[Any] | None = None

    async def start(self) -> None:
        """Start the processes for rules and for the first search, so that the first requests need not wait for them."""
        for process in (*self._rules, self._spare):
            await process.start()

    async def ask(self, **request: Any) -> Any:
        """Return the answer to a request about rules, which takes no long time; see `EngineProcess.ask`."""
        file = _own_file(request)
        process = self._of_file(file) if file else min(self._rules, key=lambda one: one.waiting)
        return await process.ask(**request)

    def _of_file(self, file: str) -> EngineProcess:
        """Return the process for the rules of a user's file."""
        process = self._own.pop(file, None)
        if process is None:
            idle = [name for name, one in self._own.items() if one.waiting == 0]
            for name in idle[: len(self._own) - _MOST_OWN + 1]:
                self._own.pop(name).stop()
            if len(self._own) >= _MOST_OWN:
                raise EngineError(f"the rules of {_MOST_OWN} files are at work, which is the most; wait for one")
            process = self._new_process(self._rules_seconds)
        self._own[file] = process
        return process

    def _new_process(self, seconds: float) -> EngineProcess:
        """Return a process that runs already, with this time limit, and start another one for the next time."""
        process, self._spare = self._spare, self._new_search()
        process.seconds = seconds
        self._starting = asyncio.get_running_loop().create_task(self._spare.start())
        return process

    def search(self, table: str) -> EngineProcess:
        """Return the process for the searches of a table; it keeps the agents of the table as long as it lives.

        Raises:
            EngineError: as many tables are searching as may.
        """
        process = self._searches.pop(table, None)
        if process is None:
            self._make_room()
            process = self._new_process(self._search_seconds)
        self._searches[table] = process
        return process

    def stop(self, table: str) -> None:
        """Give up what a table searches."""
        if table in self._searches:
            self._searches[table].stop()

    def _make_room(self) -> None:
        """End the processes that have been idle for longest, if there are many."""
        idle = [table for table, process in self._searches.items() if process.waiting == 0]
        for table in idle[: len(self._searches) - _MOST_IDLE + 1]:
            self._searches.pop(table).stop()
        if len(self._searches) >= _MOST_SEARCHES:
            raise EngineError(f"{_MOST_SEARCHES} tables are searching, which is the most; stop one, or wait for one")

    async def close(self) -> None:
        """End all processes."""
        if self._starting is not None:
            await self._starting
        for process in (*self._rules, *self._own.values(), *self._searches.values(), self._spare):
            await process.close()
