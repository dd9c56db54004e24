"""A user's program in a process of its own, which answers lines of text with lines of text."""

from __future__ import annotations

import os
import select
import signal
import time
from contextlib import suppress
from typing import Final

from tag.errors import ClusterError
from tag.isolation import _wire
from tag.isolation._forking import Template, template
from tag.isolation._process import cause_of_end
from tag.isolation._system import cpu_seconds_of, peak_mb_of
from tag.playing.agent import Limits
from tag.playing.faults import CRASH, HANG, RemoteFault

_CHUNK: Final = 1 << 16
#: The last bytes of the standard error that are quoted when the program ends.
_QUOTED: Final = 2000


class Program:
    """A program that runs only while a question is open, and is stopped between questions."""

    def __init__(self, arguments: list[str], longest: int, limits: Limits | None = None) -> None:
        """Start the program with ``arguments``, the first of which names it, without any shell.

        Args:
            arguments: the program and its arguments.
            longest: the bytes that an answer may have; longer ones are faults.
            limits: of its process; None for none.

        Raises:
            ClusterError: no process can be started.
        """
        self._is_open = True
        self._name = arguments[0]
        self._longest = longest
        self._template: Template = template()
        theirs_in, self._input = os.pipe()
        self._output, theirs_out = os.pipe()
        self._errors, theirs_errors = os.pipe()
        try:
            self._lifeline, self._pid = self._template.run(
                arguments, limits or Limits(), (theirs_in, theirs_out, theirs_errors)
            )
        except ClusterError:
            self._close_streams()
            raise
        finally:
            for descriptor in (theirs_in, theirs_out, theirs_errors):
                os.close(descriptor)
        for descriptor in (self._input, self._output, self._errors):
            os.set_blocking(descriptor, False)
        self._said = b""
        self._code: int | None = None
        self._poll = select.poll()
        self._poll.register(self._output, select.POLLIN)
        self._poll.register(self._errors, select.POLLIN)

    @property
    def alive(self) -> bool:
        """Say whether the program can be asked: neither it nor all isolated processes have been ended."""
        return self._is_open and self._template.alive

    def ask(self, line: bytes, seconds: float) -> bytes:
        """Send a line, and return the line of the answer, both without the newline.

        Raises:
            RemoteFault: the process has been ended: it died, took longer than ``seconds``, or sent anything else than one
                line after the question.
        """
        end = time.monotonic() + seconds
        try:
            self._signal(signal.SIGCONT)
            self._check_silence()
            answer = self._exchange(memoryview(line + b"\n"), end)
        except TimeoutError:
            self.close()
            raise RemoteFault(HANG, f"no answer for {seconds:g} s") from None
        except (BrokenPipeError, ConnectionResetError):
            raise self._died() from None
        except BaseException:
            self.close()  # a late answer would be taken for that to the next question
            raise
        self._signal(signal.SIGSTOP)
        return answer

    def cpu_seconds(self) -> float:
        """Return the CPU time that the process and those it has started have taken; 0 where the system does not tell."""
        return cpu_seconds_of(self._pid)

    def peak_mb(self) -> float:
        """Return the most memory that the process has had resident, in megabytes; 0 where the system does not tell."""
        return peak_mb_of(self._pid)

    def close(self) -> None:
        """End the process and all that it has started."""
        if not self._is_open:
            return
        self._is_open = False
        self._lifeline.close()
        self._close_streams()
        self._code = self._template.close_process(self._pid)

    def _close_streams(self) -> None:
        for descriptor in (self._input, self._output, self._errors):
            os.close(descriptor)

    def _exchange(self, unsent: memoryview, end: float) -> bytes:
        """Send the rest of a question, and return the answer that is complete at the time ``end``."""
        answer = b""
        unsent = self._sent(unsent)
        if unsent:
            self._poll.register(self._input, select.POLLOUT)
        while True:
            left = end - time.monotonic()
            if left <= 0.0:
                raise TimeoutError
            for descriptor, _event in self._poll.poll(left * 1000.0):
                if descriptor == self._input:
                    unsent = self._sent(unsent)
                    if not unsent:
                        self._poll.unregister(self._input)
                elif descriptor == self._errors:
                    self._listen()
                else:
                    answer += self._heard()
            if answer.endswith(b"\n") and not unsent and answer.count(b"\n") == 1:
                return answer[:-1]
            self._check_answer(answer, bool(unsent))

    def _check_silence(self) -> None:
        """Refuse output that was sent before the question."""
        with suppress(BlockingIOError):
            if self._heard():
                raise RemoteFault(CRASH, "its program sent a line that answers no question")

    def _check_answer(self, answer: bytes, is_early: bool) -> None:
        """Refuse the beginning of an answer that can no longer become one line."""
        if b"\n" in answer:
            raise RemoteFault(CRASH, f"its program answered {'too early' if is_early else 'with more than one line'}")
        if len(answer) > self._longest:
            raise RemoteFault(CRASH, f"its program answered with a line of more than {self._longest} bytes")

    def _sent(self, unsent: memoryview) -> memoryview:
        """Send as much as there is room for, and return the rest."""
        with suppress(BlockingIOError):
            return unsent[os.write(self._input, unsent) :]
        return unsent

    def _heard(self) -> bytes:
        chunk = os.read(self._output, _CHUNK)
        if not chunk:
            raise ConnectionResetError
        return chunk

    def _listen(self) -> bool:
        """Keep the end of the standard error; return whether there was any."""
        chunk = b""
        with suppress(BlockingIOError):
            chunk = os.read(self._errors, _CHUNK)
            if not chunk:
                self._poll.unregister(self._errors)
        self._said = (self._said + chunk)[-_QUOTED:]
        return bool(chunk)

    def _died(self) -> RemoteFault:
        """Return why the process has ended, once it has."""
        has_ended = self._template.wait_for_end(self._pid)
        for _chunk in range(16):  # what a pipe holds
            with suppress(KeyError):
                if not self._listen():
                    break
        self.close()
        if has_ended and self._code == _wire.NO_PROGRAM and not self._said:
            return RemoteFault(CRASH, f"the program {self._name!r} cannot be run")
        how = cause_of_end(self._code) if has_ended else "its output only"
        return RemoteFault(CRASH, ": ".join(filter(None, (f"the process ended {how}", self._last_words()))))

    def _last_words(self) -> str:
        """Return the last line of the standard error that is not indented: it names an error in most languages."""
        lines = self._said.decode(errors="replace").splitlines()
        return next((line for line in reversed(lines) if line.strip() and not line[0].isspace()), "")

    def _signal(self, number: signal.Signals) -> None:
        """Send a signal to the process and all it has started, so that no agent thinks in the time of others."""
        with suppress(OSError):  # it may have ended
            os.killpg(self._pid, number)
