"""The process of an isolated agent, seen from the game: it starts, is asked, and is ended."""

from __future__ import annotations

import json
import os
import pickle
import signal
import sys
import time
from contextlib import suppress
from dataclasses import asdict
from typing import Any, Final

from tag.catalogue.user_code import sources_in_use
from tag.errors import ClusterError
from tag.isolation import _wire
from tag.isolation._forking import Template, template
from tag.isolation._system import cpu_seconds_of, peak_mb_of
from tag.playing.agent import BUDGET_TYPES, Limits
from tag.playing.faults import CRASH, EXCEPTION, HANG, RemoteFault

#: How long a process may take to begin, and then to import the agent's own file, in seconds: a busy machine is slow.
_START_SECONDS: Final = 120.0
_ENTER_SECONDS: Final = 60.0
_UNLIMITED: Final = 1 << 62
#: How often to look whether a silent process is still there: another that it has left may hold its socket open.
_LOOK_SECONDS: Final = 0.25
#: Longer answers than this, in bytes, are no answers.
_LONGEST: Final = 1 << 26
_CHUNK: Final = 1 << 16


class AgentProcess:
    """A process with one agent in it, for one game. It runs only while it is asked: it is stopped between decisions.

    Attributes:
        alive: whether it can be asked.
        fault: the fault in making the agent, if there was one.
        wants_single_actions: `tag.playing.agent.Agent.wants_single_actions` of the agent in it.
        budget: the limit and the kind of its budget for a decision.
    """

    def __init__(self, game: str, agent: str, limits: Limits) -> None:
        """Start the process and make the agent of the spec ``agent`` in it, for a game of the spec ``game``.

        Raises:
            ClusterError: the process does not start, which is not the agent's fault.
        """
        self._limits = limits
        self.alive = True
        self._code: int | None = None
        self._peak_mb = 0.0
        self.fault: RemoteFault | None = None
        self.wants_single_actions = False
        self.budget = (_UNLIMITED, BUDGET_TYPES[0])
        self._unread = b""
        self._template: Template = template()
        self._socket, self._lifeline, self._pid = self._template.fork(game)
        try:
            self._ask(_START_SECONDS, (_wire.ENTER, agent, sources_in_use(), asdict(limits)))
        except RemoteFault as fault:
            raise ClusterError(f"the process of agent {agent!r} does not start: {fault.message}") from None
        try:
            self._take_entry(self._answer(time.monotonic() + _ENTER_SECONDS, _ENTER_SECONDS))
        except RemoteFault as fault:
            self.fault = fault
            self.close()
        self._signal(signal.SIGSTOP)

    def ask(self, *parts: object) -> Any:
        """Return the answer to a request, which is pickled part by part; it is read in that order.

        Raises:
            RemoteFault: the agent raised an exception, or the process has been ended: it died, or took too long.
        """
        self._signal(signal.SIGCONT)
        try:
            return self._ask(self._limits.hang_seconds, *parts)
        finally:
            self._signal(signal.SIGSTOP)

    def cpu_seconds(self) -> float:
        """Return the CPU time that it and those it has started have taken; 0 where the system does not tell."""
        return cpu_seconds_of(self._pid) if self.alive else 0.0

    def peak_mb(self) -> float:
        """Return the most memory that it has had resident, in megabytes, also after its end; 0 where that is not told."""
        if self.alive:
            self._peak_mb = max(self._peak_mb, peak_mb_of(self._pid))
        return self._peak_mb

    def close(self) -> None:
        """End the process and all it has started."""
        if not self.alive:
            return
        self.peak_mb()
        self.alive = False
        self._lifeline.close()
        self._socket.close()
        self._code = self._template.close_process(self._pid)

    def _take_entry(self, entry: Any) -> None:
        """Check and store the agent's first message; it may hold anything."""
        try:
            wants, limit, kind = entry
            self.budget = (min(max(int(limit), 0), _UNLIMITED), BUDGET_TYPES[BUDGET_TYPES.index(kind)])
            self.wants_single_actions = bool(wants)
        except (TypeError, ValueError):
            raise self._garbled() from None

    def _ask(self, seconds: float, *parts: object) -> Any:
        end = time.monotonic() + seconds
        try:
            self._socket.settimeout(seconds)
            self._socket.sendall(
                _wire.framed(b"".join([pickle.dumps(part, pickle.HIGHEST_PROTOCOL) for part in parts]))
            )
        except TimeoutError:
            raise self._hung(seconds) from None
        except OSError:
            raise self._died() from None
        except BaseException:
            self.close()  # a late answer would be taken for that to the next request
            raise
        return self._answer(end, seconds)

    def _answer(self, end: float, seconds: float) -> Any:
        """Return the next answer, which has to be here at the time ``end``, after ``seconds``."""
        try:
            length = int.from_bytes(self._read(_wire.LENGTH, end), "big")
            if length > _LONGEST:
                raise self._garbled()
            how, what = json.loads(self._read(length, end))
        except TimeoutError:
            raise self._hung(seconds) from None
        except OSError:
            raise self._died() from None
        except (ValueError, TypeError):
            raise self._garbled() from None
        except BaseException:
            self.close()  # as in _ask
            raise
        if how == _wire.OUT_OF_MEMORY:
            self.close()
            raise RemoteFault(CRASH, f"more memory than the limit of {self._limits.memory_mb} MB was asked for")
        if how == _wire.RAISED:
            raise RemoteFault(EXCEPTION, str(what))
        return what

    def _read(self, size: int, end: float) -> bytes:
        """Return the next ``size`` bytes.

        Raises:
            TimeoutError: they are not here at the time ``end``.
            OSError: they will never arrive.
        """
        has_ended = False
        while len(self._unread) < size:
            left = end - time.monotonic()
            if left <= 0.0:
                raise TimeoutError
            self._socket.settimeout(min(left, _LOOK_SECONDS))
            try:
                chunk = self._socket.recv(_CHUNK)
            except TimeoutError:
                if has_ended:
                    raise ConnectionResetError from None
                has_ended = self._has_ended()
                continue
            if not chunk:
                raise ConnectionResetError
            self._unread += chunk
        taken, self._unread = self._unread[:size], self._unread[size:]
        return taken

    def _hung(self, seconds: float) -> RemoteFault:
        self.close()
        return RemoteFault(HANG, f"no answer for {seconds:g} s")

    def _garbled(self) -> RemoteFault:
        self.close()
        return RemoteFault(CRASH, "what its process sent is no answer")

    def _died(self) -> RemoteFault:
        """Return why the process has ended, once it has."""
        has_ended = self._template.wait_for_end(self._pid)
        self.close()
        how = cause_of_end(self._code) if has_ended else "its connection only"
        return RemoteFault(CRASH, f"the process ended {how}")

    def _has_ended(self) -> bool:
        return self._template.has_ended(self._pid)

    def _signal(self, number: signal.Signals) -> None:
        """Send a signal to the process and all it has started, so that no agent thinks in the time of others."""
        if self.alive:
            with suppress(OSError):  # it may have ended
                os.killpg(self._pid, number)


def can_limit_memory() -> bool:
    """Say whether the memory of a process can be limited here."""
    return sys.platform == "linux"


def cause_of_end(code: int | None) -> str:
    """Return the cause of a process's end from its exit code, which is None if unknown."""
    if code is None:
        return "with all others"
    if code >= 0:
        return f"with exit code {code}"
    try:
        return f"by signal {signal.Signals(-code).name}"
    except ValueError:
        return f"by signal {-code}"
