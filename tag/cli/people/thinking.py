"""Agents that think in a process of their own, so that Ctrl-C interrupts them at any time.

Compiled searches notice no signals until they are done.
"""

from __future__ import annotations

import multiprocessing
import signal
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess

from tag.catalogue.trust import vouch
from tag.errors import ContractError, TagError
from tag.playing.inspection import InspectedDecision
from tag.table.seats import Thinkers


class ThinkersApart:
    """The agents at a table, in a process that starts when they are asked, and ends when they are interrupted."""

    def __init__(self, thinkers: Thinkers) -> None:
        """Take the agents, which are not asked in this process."""
        self._thinkers = thinkers
        self._process: BaseProcess | None = None
        self._questions: Connection | None = None

    def choose(self, line: tuple[int, ...], since: int) -> InspectedDecision:
        """Return the decision of the agent to move (`tag.table.seats.SeatedAgents.decision`)."""
        return self._ask(None, line, since)

    def advise(self, spec: str, line: tuple[int, ...]) -> InspectedDecision:
        """Return the decision of an adviser (`tag.table.seats.Thinkers.advise`)."""
        return self._ask(spec, line, 0)

    def close(self) -> None:
        """End the process."""
        if self._process is not None and self._questions is not None:
            self._questions.close()
            self._process.kill()
            self._process.join()
        self._process = self._questions = None

    def _ask(self, *question: object) -> InspectedDecision:
        """Wait for the answer; a process that did not give one is ended."""
        answer: InspectedDecision | TagError | None = None
        try:
            questions = self._questions or self._started()
            questions.send(question)
            answer = questions.recv()
        except (EOFError, OSError):
            raise ContractError("the process in which the agents think has ended") from None
        finally:
            if answer is None:
                self.close()
        if isinstance(answer, InspectedDecision):
            return answer
        raise answer

    def _started(self) -> Connection:
        context = multiprocessing.get_context("fork")
        ours, theirs = context.Pipe()
        process = context.Process(target=_answer, args=(self._thinkers, theirs, ours), daemon=True)
        process.start()
        theirs.close()
        self._process, self._questions = process, ours
        return ours


def _answer(thinkers: Thinkers, questions: Connection, other_end: Connection) -> None:
    """Answer questions until the other end is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal sends Ctrl-C to this process, too
    for other in (signal.SIGHUP, signal.SIGTERM):
        signal.signal(other, signal.SIG_DFL)
    other_end.close()
    while True:
        try:
            spec, line, since = questions.recv()
        except EOFError:
            return
        try:
            if spec is not None:
                vouch(spec)  # a person has typed it since this process began
            answer = thinkers.choose(line, since) if spec is None else thinkers.advise(spec, line)
        except TagError as error:
            questions.send(error)
        else:
            questions.send(answer)
