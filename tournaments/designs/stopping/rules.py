"""Stopping rules: the end of a tournament before all of its blocks have been played.

A rule looks at whole blocks, one by one in schedule order (`InOrderStopping`). So long games cannot
sway it, and its decision is the same on any number of workers, interrupted or not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from tag.tournaments.statistics.plain_records import plain_record
from tag.tournaments.statistics.repeats import IndependentBlocks
from tag.tournaments.statistics.stopping.outcomes import Outcome


@dataclass(frozen=True)
class StoppingResult:
    """The state of a stopping rule.

    Attributes:
        rule: its name.
        title: the heading of its part of a report.
        about: what that part shows, in one or two sentences.
        blocks: those that count, in schedule order.
        independent: how many of them count as independent; fewer where games repeat.
        is_exhausted: whether the tournament ends undecided, as further games would only repeat others.
    """

    rule: ClassVar[str]
    title: ClassVar[str]
    about: ClassVar[str]
    is_decided: bool
    blocks: int
    independent: int
    is_exhausted: bool

    @property
    def state(self) -> str:
        """The words ``go on``, or that the tournament ends undecided."""
        return "undecided, as no game is new any more," if self.is_exhausted else "go on"

    @property
    def played(self) -> str:
        """The number of blocks, and of those that count."""
        count = "" if self.independent == self.blocks else f" ({self.independent:,} independent, as games repeat)"
        return f"{self.blocks:,} blocks{count}"

    @property
    def text(self) -> str:
        """The state, in a line."""
        raise NotImplementedError

    def to_json(self) -> dict[str, Any]:
        """Return all attributes as plain values, nan and infinity as None."""
        return {"rule": self.rule, **plain_record(self), "text": self.text}


class StoppingRule:
    """The base of all stopping rules.

    Attributes:
        repeats: which blocks are independent, of those that count.
    """

    def __init__(self) -> None:
        """Start without blocks."""
        self.repeats = IndependentBlocks()

    @property
    def is_decided(self) -> bool:
        """True if the tournament ends; that is final, and no more blocks are shown."""
        return self.has_answer or self.is_exhausted

    @property
    def has_answer(self) -> bool:
        """True if the question is answered."""
        raise NotImplementedError

    @property
    def is_exhausted(self) -> bool:
        """True if further games would only repeat others, and what was asked remains unknown."""
        return self.repeats.are_exhausted and not self.has_answer

    def count(self, games: Sequence[Outcome]) -> None:
        """Count a block, none of whose games is void, as far as it repeats no other."""
        self.repeats.add((game.same, game.agents) for game in games)

    @property
    def limit(self) -> str:
        """The limit of what the rule can decide within its blocks, in a sentence; empty for none."""
        return ""

    def look(self, games: Sequence[Outcome]) -> None:
        """Look at the games of the next block in schedule order, by match-up and seating; some may be void."""
        raise NotImplementedError

    def result(self) -> StoppingResult:
        """Return the state."""
        raise NotImplementedError
