"""Faults: failures of an agent in a game, the seat at fault, and the policy for the game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tag.errors import one_line

ILLEGAL_ACTION: Final = "illegal action"
EXCEPTION: Final = "exception"
TIME_OUT: Final = "time-out"
CLOCK_EXHAUSTED: Final = "clock exhausted"
OVER_BUDGET: Final = "over budget"
CHANGED_ACTION: Final = "changed action"
CRASH: Final = "crash"
HANG: Final = "hang"

#: Faults that end the process in which an isolated agent plays.
ENDS_PROCESS: Final = (CRASH, HANG)
#: Faults of taking too long after which the agent still runs.
TOO_LATE: Final = (TIME_OUT, CLOCK_EXHAUSTED)

#: Faults that a process reports of its agent.
_REMOTE: Final = (EXCEPTION, CRASH, HANG)

#: The actions of a fault policy.
SUBSTITUTE: Final = "substitute"
FORFEIT: Final = "forfeit"
VOID: Final = "void"

FAULT_POLICIES: Final = (SUBSTITUTE, FORFEIT, VOID)


@dataclass
class Fault:
    """One fault of an agent in a game.

    Attributes:
        kind: illegal action, exception, time-out, clock exhausted, over budget, changed action, crash or hang.
        player: the seat whose agent it was.
        tick: the forward-model calls of the game before it.
        message: one line for people.
    """

    kind: str
    player: int
    tick: int
    message: str


@dataclass
class FaultPolicy:
    """Policy for games in which an agent fails.

    ``substitute`` plays a random available action in its place and goes on. ``forfeit`` disqualifies the player (time-out
    for clocks and hangs), who takes last place; the others' places follow from the position. ``void`` ends the game without
    a result (`tag.errors.VoidGameError`).

    An agent whose process has ended is not asked again in the same game: with ``substitute``, random actions are played
    for it to the end.

    Examples:
        >>> policy = FaultPolicy()
        >>> policy.for_kind("exception"), FaultPolicy(on_exception="substitute").for_kind("exception")
        ('forfeit', 'substitute')

    Attributes:
        illegal_action: the policy for an action that was not available.
        on_exception: the policy for an exception.
        time_out: the policy for a decision that took too long.
        decision_seconds: the limit per decision in seconds of wall time, 0 for none.
        crash: the policy for an isolated agent whose process ends.
        hang: the policy for an isolated agent that does not answer at all.
    """

    illegal_action: str = SUBSTITUTE
    on_exception: str = FORFEIT
    time_out: str = SUBSTITUTE
    decision_seconds: float = 0.0
    crash: str = FORFEIT
    hang: str = FORFEIT

    def for_kind(self, kind: str) -> str:
        """Return the policy for a fault of ``kind``; an exhausted clock is always a forfeit, or voids the game."""
        if kind == ILLEGAL_ACTION:
            return self.illegal_action
        if kind == EXCEPTION:
            return self.on_exception
        if kind == CRASH:
            return self.crash
        if kind == HANG:
            return self.hang
        if kind == CLOCK_EXHAUSTED:
            return VOID if self.time_out == VOID else FORFEIT
        return self.time_out


class RemoteFault(Exception):  # noqa: N818  it is not an error here
    """Fault of an agent in a process of its own, raised by its proxy in this process.

    Attributes:
        kind: of the fault.
        message: one line for people.
    """

    def __init__(self, kind: str, message: str) -> None:
        """Set the kind and the message of the fault."""
        super().__init__(message)
        self.kind = kind if kind in _REMOTE else EXCEPTION
        self.message = one_line(message)


class AgentGone(Exception):  # noqa: N818  as above
    """Raised for an agent whose process has ended earlier in the same game: it cannot be asked."""


def text_of(thing: object) -> str:
    """Return ``repr(thing)`` on one line; its type if that fails, as an agent's own object may do anything."""
    try:
        return one_line(repr(thing))
    except (Exception, SystemExit, GeneratorExit):  # noqa: BLE001  an agent may raise anything here
        return one_line(f"a {type(thing).__name__}")
