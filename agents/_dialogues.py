"""Dialogues with users' programs: questions and answers as JSON, one line or one request each."""

from __future__ import annotations

import atexit
import json
import os
import shlex
from collections.abc import Callable
from contextlib import suppress
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException, HTTPResponse, IncompleteRead, RemoteDisconnected
from ipaddress import ip_address
from itertools import count
from socket import SHUT_RDWR
from threading import Event, Timer
from typing import Any, Final
from urllib.parse import urlsplit

from tag.errors import ParameterError, one_line
from tag.playing.agent import Limits
from tag.playing.faults import CRASH, EXCEPTION, HANG, RemoteFault

#: The version of the protocol, which the first question names.
PROTOCOL: Final = 1

_OK: Final = int(HTTPStatus.OK)
_sessions: Final = count(1)

#: Programs that wait for a game, stopped. More than so many are ended, the oldest first.
_idle: Final[list[Dialogue]] = []
_MOST_IDLE: Final = 16

#: Longer answers than this, in bytes, are no answers.
_LONGEST: Final = 1 << 20


class Dialogue:
    """Questions to a program, and its answers; each question has a number, which the answer repeats.

    Attributes:
        key: the program, its folder, and the process that asks it; programs of the same key are alike.
        also: entries that all questions have.
    """

    def __init__(self, program: str) -> None:
        """Ask nothing yet."""
        self.key = _key(program)
        self.also: dict[str, Any] = {}
        self._asked = 0

    def greet(self, seconds: float) -> None:
        """Agree on the version of the protocol.

        Raises:
            RemoteFault: the program speaks another one, or fails.
        """
        answer = self.ask("hello", {"protocol": PROTOCOL}, seconds)
        spoken = answer.get("protocol")
        if type(spoken) is not int or spoken != PROTOCOL:
            self.close()
            raise RemoteFault(CRASH, f"its program speaks protocol {one_line(repr(spoken))}; it is {PROTOCOL} here")

    def ask(self, kind: str, content: dict[str, Any], seconds: float) -> dict[str, Any]:
        """Return the answer to a question.

        Args:
            kind: of the question.
            content: the rest of it.
            seconds: how long the answer may take.

        Raises:
            RemoteFault: there is no answer, or the program tells of an error of its own.
        """
        self._asked += 1
        line = encoded({"type": kind, "id": self._asked, **self.also, **content})
        answer = self._answer(self.exchange(line, seconds))
        if "error" in answer:
            raise RemoteFault(EXCEPTION, str(answer["error"]))
        return answer

    def _answer(self, line: bytes) -> dict[str, Any]:
        """Read an answer, and end the program if it is none."""
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            found = None
        if isinstance(found, dict) and type(found.get("id")) is int and found["id"] == self._asked:
            return found
        self.close()
        what = "another id" if isinstance(found, dict) else "no JSON object"
        raise RemoteFault(CRASH, f"its program answered question {self._asked} with {what}: {_quoted(line)}")

    def exchange(self, line: bytes, seconds: float) -> bytes:
        """Send a line, and return that of the answer."""
        raise NotImplementedError

    def is_alive(self) -> bool:
        """Say whether the program can be asked."""
        raise NotImplementedError

    def cpu_seconds(self) -> float:
        """Return the CPU time that the program has taken; 0 where it is not known."""
        return 0.0

    def peak_mb(self) -> float:
        """Return the most memory that the program has had resident, in megabytes; 0 where it is not known."""
        return 0.0

    def release(self) -> None:
        """Let the program wait for another game."""
        if self.is_alive() and self.key[2] == os.getpid():
            _idle.append(self)
            while len(_idle) > _MOST_IDLE:
                _idle.pop(0).close()

    def close(self) -> None:
        """Ask no more, and end a program that was started here."""
        raise NotImplementedError


class ProgramDialogue(Dialogue):
    """A program that is started here and asked over its standard input and output."""

    def __init__(self, command: str, limits: Limits | None = None) -> None:
        """Start the program, with the limits of an isolated agent if there are some."""
        from tag.isolation import Program  # noqa: PLC0415  most games need no processes

        super().__init__(command)
        self._program = Program(shlex.split(command), _LONGEST, limits)

    def exchange(self, line: bytes, seconds: float) -> bytes:
        """Send a line, and return that of the answer."""
        answer: bytes = self._program.ask(line, seconds)
        return answer

    def is_alive(self) -> bool:
        """Say whether the program has not been ended."""
        return bool(self._program.alive)

    def cpu_seconds(self) -> float:
        """Return the CPU time of its process, without that of others which it has started."""
        return float(self._program.cpu_seconds())

    def peak_mb(self) -> float:
        """Return the most memory that its process has had resident, in megabytes."""
        return float(self._program.peak_mb())

    def close(self) -> None:
        """End the program."""
        self._program.close()


class HttpDialogue(Dialogue):
    """A server on this machine: each question is the body of a POST request, and the answer that of the response.

    It may serve several processes at once, so their questions have a ``session``. A question that met a connection which
    the server had just closed is sent once more, with the same number.
    """

    def __init__(self, url: str) -> None:
        """Connect to nothing yet."""
        super().__init__(url)
        self._url = url
        parts = urlsplit(url)
        self._path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        self._connection = HTTPConnection(str(parts.hostname), parts.port or 80)
        self._is_open = True
        self.also["session"] = f"{os.getpid()}-{next(_sessions)}"

    def exchange(self, line: bytes, seconds: float) -> bytes:
        """Send a line, and return the content of the response.

        Raises:
            RemoteFault: there is no server, it takes longer than ``seconds`` or fails.
        """
        late = Event()
        alarm = Timer(seconds, self._hang_up, [late])
        alarm.daemon = True
        alarm.start()
        try:
            return self._response(line, seconds)
        except (OSError, HTTPException) as error:
            self.close()
            if late.is_set() or isinstance(error, TimeoutError):
                raise RemoteFault(HANG, f"no answer for {seconds:g} s") from None
            what = one_line(str(error)) or type(error).__name__
            raise RemoteFault(CRASH, f"its server at {self._url} does not answer: {what}") from None
        except BaseException:
            self.close()  # a late answer would be taken for that to the next question
            raise
        finally:
            alarm.cancel()

    def is_alive(self) -> bool:
        """Say whether no question has failed."""
        return self._is_open

    def close(self) -> None:
        """Close the connection."""
        self._is_open = False
        self._connection.close()

    def _response(self, line: bytes, seconds: float) -> bytes:
        connection = self._connection
        is_new = connection.sock is None
        connection.timeout = seconds
        try:
            response = self._sent(line)
        except (BrokenPipeError, ConnectionResetError, RemoteDisconnected):
            connection.close()
            if is_new:
                raise
            response = self._sent(line)
        content = response.read(_LONGEST + 1)
        if response.status != _OK:
            raise HTTPException(f"status {response.status}")
        if len(content) > _LONGEST:
            raise HTTPException(f"more than {_LONGEST} bytes")
        if response.length:
            raise IncompleteRead(content, response.length)
        return content

    def _sent(self, line: bytes) -> HTTPResponse:
        """Send a request, and return its response, of which the content has not been read."""
        self._connection.request("POST", self._path, line, {"Content-Type": "application/json"})
        return self._connection.getresponse()

    def _hang_up(self, late: Event) -> None:
        """End an exchange that takes too long, however steadily it goes on."""
        late.set()
        connected = self._connection.sock
        if connected is not None:
            with suppress(OSError):
                connected.shutdown(SHUT_RDWR)


def check_url(url: str) -> None:
    """Check that a server is on this machine.

    Raises:
        ParameterError: it is not, or it is no address of a server.
    """
    try:
        parts = urlsplit(url)
        host, _port = parts.hostname or "", parts.port
        is_here = host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        is_here = False
    if not is_here or parts.scheme != "http" or "@" in parts.netloc:
        raise ParameterError(
            f"url cannot be {url!r}; it is that of a server on this machine, as http://127.0.0.1:8000/"
        )


def started(program: str, kind: Callable[[str], Dialogue], seconds: float) -> Dialogue:
    """Return a program that has been greeted: one that waits, or a new one, made by ``kind``."""
    key = _key(program)
    for dialogue in [dialogue for dialogue in _idle if dialogue.key == key]:
        _idle.remove(dialogue)
        if dialogue.is_alive():
            return dialogue
        dialogue.close()
    return greeted(kind(program), seconds)


def greeted(dialogue: Dialogue, seconds: float) -> Dialogue:
    """Return a new program once it has been greeted.

    Raises:
        RemoteFault: it does not answer as it should.
    """
    dialogue.greet(seconds)
    return dialogue


@atexit.register
def _end_idle() -> None:
    """End the programs that wait for another game of this process."""
    for dialogue in _idle:
        if dialogue.key[2] == os.getpid():
            dialogue.close()


def encoded(message: dict[str, Any]) -> bytes:
    """Return a message as it is sent: JSON on one line, in ASCII, its entries in their order."""
    return json.dumps(message, separators=(",", ":")).encode("ascii")


def _key(program: str) -> tuple[str, str, int]:
    return program, os.getcwd(), os.getpid()  # noqa: PTH109  a Path takes ten times as long


def _quoted(line: bytes) -> str:
    return one_line(repr(line[:60])[1:])
