"""The pool of engine processes (`tournaments.web.tables.engine`): rules answer at once, searches never make them wait.

A process that takes too long, or dies of a user's game, is replaced. The request fails with a sentence.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from tag.engine.trust import typed
from tag.errors import TagError

#: The program of an engine process.
ENGINE: Final = ("-m", "tournaments.web.tables.engine")
#: How long rules may take for an answer, in seconds of wall time; the first one of a process includes its imports.
RULES_SECONDS: Final = 15.0
#: How long an agent may take to decide.
SEARCH_SECONDS: Final = 600.0
#: One process answers, the other one is for the time in which the first is busy or is replaced.
_RULES: Final = 2
#: The longest answer, in bytes.
_LONGEST: Final = 1 << 26


class EngineError(TagError):
    """A request that an engine process did not answer: it took too long, died, or was stopped."""


class StoppedError(EngineError):
    """A request that was given up because its process was stopped."""


class EngineProcess:
    """An engine process, started when it is first asked; requests wait for each other."""

    def __init__(self, program: Sequence[str], seconds: float) -> None:
        """Take the arguments of the Python interpreter, and the time limit of a request."""
        self._program = tuple(program)
        self._seconds = seconds
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
        try:
            async with asyncio.timeout(self._seconds):
                with contextlib.suppress(ConnectionError):
                    process.stdin.write(line)
                    await process.stdin.drain()
                    answer = await process.stdout.readline()
        except TimeoutError:
            self.stop()
            raise EngineError(
                f"the game or agent did not answer within {self._seconds:g} s; the table is as before"
            ) from None
        except BaseException:
            self.stop()
            raise
        if answer.endswith(b"\n"):
            found: dict[str, Any] = json.loads(answer)
            return found
        was_stopped = self._is_stopped
        self.stop()
        if was_stopped:
            raise StoppedError("the search was stopped")
        raise EngineError("the process of the game or agent died; the table is as before")

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


class EnginePool:
    """Engine processes for rules and, as many as there are cores, for searches."""

    def __init__(
        self,
        program: Sequence[str] = ENGINE,
        *,
        rules_seconds: float = RULES_SECONDS,
        search_seconds: float = SEARCH_SECONDS,
    ) -> None:
        """Take the program and the time limits; nothing is started yet."""
        self._rules = [EngineProcess(program, rules_seconds) for _one in range(_RULES)]
        self._searches = [EngineProcess(program, search_seconds) for _one in range(os.cpu_count() or 1)]

    async def start(self) -> None:
        """Start the processes for rules, so that the first request need not wait for it."""
        for process in self._rules:
            await process.start()

    async def ask(self, **request: Any) -> Any:
        """Return the answer to a request about rules, which takes no long time; see `EngineProcess.ask`."""
        return await min(self._rules, key=lambda process: process.waiting).ask(**request)

    def search(self, table: str) -> EngineProcess:
        """Return the process for the searches of a table, always the same one: it has the agents of the table."""
        return self._searches[zlib.crc32(table.encode()) % len(self._searches)]

    async def close(self) -> None:
        """End all processes."""
        for process in (*self._rules, *self._searches):
            await process.close()
