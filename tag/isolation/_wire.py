"""The wire between a game and an isolated agent: frames of bytes over a socket, each with its length in front.

Requests are pickles, which only the game's side writes. Answers are JSON: data from an agent's process is never executed.
"""

from __future__ import annotations

from typing import Final

#: The bytes of a frame's length.
LENGTH: Final = 4

#: The requests to an agent's process.
ENTER: Final = "enter"
START: Final = "start"
ACT: Final = "act"
END: Final = "end"
STATISTICS: Final = "statistics"
TREE: Final = "tree"

#: What an agent wants beside its decisions, in the answer to START.
WATCHES: Final = "watches"
LISTENS: Final = "listens"

#: The requests to the template of all agents' processes, of so many bytes at most, and with so many descriptors.
FORK: Final = "fork"
RUN: Final = "run"
HAS_ENDED: Final = "has ended"
CLOSE: Final = "close"
CONTROL: Final = 1 << 16
DESCRIPTORS: Final = 4

#: The template's message once it can be asked.
READY: Final = b"ready"

#: The exit code of a process in which a program cannot be run, as in shells.
NO_PROGRAM: Final = 127

#: The beginnings of an answer.
DONE: Final = "done"
RAISED: Final = "raised"
OUT_OF_MEMORY: Final = "out of memory"


def framed(payload: bytes) -> bytes:
    """Return ``payload`` with its length in front."""
    return len(payload).to_bytes(LENGTH, "big") + payload
