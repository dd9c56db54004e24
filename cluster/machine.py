"""Properties of this machine that decide how much an agent computes in a second."""

from __future__ import annotations

import os
import platform
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tag.orders import own_speed

_MODEL: Final = re.compile(r"^model name\s*: *(.+?)\s*$", re.MULTILINE)


@dataclass(frozen=True)
class WorkerSpeed:
    """The speed of one worker.

    Attributes:
        machine: the address of its node, or the host's name.
        processor: its name.
        cores: how many the machine lets the worker choose from.
        calls_per_second: forward-model calls per second of CPU time (`tag.orders`).
        share: the CPU time that it got per second of wall time.
    """

    machine: str
    processor: str
    cores: int
    calls_per_second: float
    share: float


def worker_speed(game: str, players: int, machine: str = "") -> WorkerSpeed:
    """Return how fast this process plays the spec ``game`` with so many players; the first time takes two seconds."""
    speed = own_speed(game, players)
    return WorkerSpeed(machine or platform.node(), processor(), cores(), speed.calls_per_second, speed.share)


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def processor() -> str:
    """Return the name of the processor, as precise as the system tells it."""
    try:
        found = _MODEL.search(Path("/proc/cpuinfo").read_text(encoding="utf-8"))
    except OSError:
        found = None
    return found[1] if found else platform.processor() or platform.machine()
