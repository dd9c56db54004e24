"""The wire between a game and an isolated agent: frames of bytes over a socket, each with its length in front.

Requests are pickles, which only the game's side writes. Answers are JSON: what an agent's process sends is never executed.
"""

from __future__ import annotations

from typing import Final

#: The bytes of a frame's length.
LENGTH: Final = 4

#: What can be asked for.
ENTER: Final = "enter"
START: Final = "start"
ACT: Final = "act"
END: Final = "end"
STATISTICS: Final = "statistics"

#: What the template of all agents' processes is asked for, with requests of so many bytes at most.
FORK: Final = "fork"
HAS_ENDED: Final = "has ended"
CLOSE: Final = "close"
CONTROL: Final = 1 << 16

#: What it says once it can be asked.
READY: Final = b"ready"

#: How an answer begins.
DONE: Final = "done"
RAISED: Final = "raised"
OUT_OF_MEMORY: Final = "out of memory"


def framed(payload: bytes) -> bytes:
    """Return ``payload`` with its length in front."""
    return len(payload).to_bytes(LENGTH, "big") + payload
