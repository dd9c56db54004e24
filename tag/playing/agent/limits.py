"""Limits of agents in processes of their own."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Limits:
    """Limits of an isolated agent's process, the same for all agents; `tag.isolation._child` sets those of the system.

    Attributes:
        memory_mb: memory in megabytes (2**20 bytes), 0 for as much as there is.
        hang_seconds: how long an answer may take before the process is ended, in seconds of wall time.
    """

    memory_mb: int = 0
    hang_seconds: float = 60.0
