"""Outcomes: what chance can make of an action."""

from __future__ import annotations

from typing import Generic, final

from mypy_extensions import i64

from tag.engine.snapshot import snapshot
from tag.engine.state import S


@final
class Outcomes(Generic[S]):
    """The positions that an action can lead to, with their probabilities.

    Attributes:
        calls: how often the rules were applied to find them.
    """

    def __init__(self) -> None:
        """Start without outcomes."""
        self.calls: i64 = 0
        self._found: dict[object, tuple[float, S]] = {}

    def add(self, probability: float, state: S) -> None:
        """Add an outcome, or its probability to that of an equal one."""
        self.calls += 1
        position = snapshot(state)
        known = self._found.get(position)
        self._found[position] = (probability, state) if known is None else (known[0] + probability, known[1])

    def give_up(self) -> None:
        """Drop the outcomes: there are too many."""
        self._found = {}

    def all(self) -> list[tuple[float, S]]:
        """Return the outcomes, each once with its probability; none if there are too many."""
        return list(self._found.values())
