"""Stopping rules: what ends a tournament before all of its blocks have been played.

A rule looks at whole blocks, one by one in schedule order (`tournaments.following`), so that long games cannot sway it
and any number of workers, interrupted or not, comes to the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

from tournaments.outcomes import Outcome
from tournaments.plain import plain


@dataclass(frozen=True)
class StoppingResult:
    """How a stopping rule stands.

    Attributes:
        rule: its name.
        is_decided: whether it has ended the tournament.
        blocks: those that count, in schedule order.
    """

    rule: ClassVar[str]
    is_decided: bool
    blocks: int

    @property
    def text(self) -> str:
        """How it stands, in a line."""
        raise NotImplementedError

    def to_json(self) -> dict[str, Any]:
        """Return everything as plain values, what is not a number as None."""
        return {"rule": self.rule, **plain(asdict(self)), "text": self.text}


class StoppingRule:
    """The base of all stopping rules."""

    @property
    def is_decided(self) -> bool:
        """Whether the tournament is to end; that then stands, and no more blocks are shown."""
        raise NotImplementedError

    def look(self, games: Sequence[Outcome]) -> None:
        """Look at the games of the next block in schedule order, by match-up and seating; some may be void."""
        raise NotImplementedError

    def result(self) -> StoppingResult:
        """Return how it stands."""
        raise NotImplementedError
