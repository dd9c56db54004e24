"""The results of rounds."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final

from tag.tournaments.designs.games import Seats
from tag.tournaments.statistics.plain_records import plain_record

#: A table whose first place is shared plays so many further blocks at most. Two equal agents that share a block in one of
#: two cases are then level in one of a thousand tables.
MOST_TIE_BREAKS: Final = 10

#: The greatest denominator of points: of the shares of a game, and of the worth of a bye.
_DENOMINATOR: Final = 1_000_000


def exact(points: float) -> Fraction:
    """Return the fraction that a number of points stands for.

    Sums of thirds as floating-point numbers depend on their order: agents with equal points were not equal, and in 4 of
    120 Swiss tournaments at three seats one of two that shared the first place won.

    >>> exact(1 / 3) + exact(1 / 6), exact(0.1)
    (Fraction(1, 2), Fraction(1, 10))
    """
    return Fraction(points).limit_denominator(_DENOMINATOR)


@dataclass
class RoundTable:
    """A table of a round.

    Attributes:
        agents: their numbers, in the order of the first seating.
        points: of each in the blocks of the round; empty before these have been played.
        tie_breaks: the points of each in every further block, played because the first place was shared.
        out: those who failed every game of the round: by faults they forfeited or voided it.
        through: in a knockout, who goes on or has won: one agent, but none where all failed every game, and several where
            the final is still level after the last tie-break. Empty while it is undecided.
        by_lot: whether ``through`` was drawn by lot, as it was still level after the last tie-break.
    """

    agents: Seats
    points: tuple[Fraction, ...] = ()
    tie_breaks: list[tuple[Fraction, ...]] = field(default_factory=list)
    out: Seats = ()
    through: Seats = ()
    by_lot: bool = False

    def leaders(self) -> list[int]:
        """Return who shares the first place, by the points of the round and then of each tie-break in turn."""
        level = [agent for agent in self.agents if agent not in self.out]
        for points in (self.points, *self.tie_breaks):
            of_agents = dict(zip(self.agents, points, strict=True))
            most = max((of_agents[agent] for agent in level), default=Fraction(0))
            level = [agent for agent in level if of_agents[agent] == most]
        return level


@dataclass
class Round:
    """The tables of a round, and the agents with a bye: without a table, as the tables have too few seats."""

    tables: list[RoundTable]
    byes: Seats = ()


@dataclass(frozen=True, slots=True)
class TableResult:
    """The result of a table, as `RoundTable` with the agents' labels.

    Attributes:
        round: its number, from 1.
    """

    round: int
    agents: tuple[str, ...]
    points: tuple[float, ...]
    tie_breaks: tuple[tuple[float, ...], ...]
    out: tuple[str, ...]
    through: tuple[str, ...]
    by_lot: bool


@dataclass(frozen=True, slots=True)
class RoundsResult:
    """The rounds of a tournament so far.

    Attributes:
        design: ``swiss`` or ``knockout``.
        n_rounds: how many it has in all.
        byes: round, from 1, and agent of each bye.
        scores: in a Swiss tournament, the points of each agent, byes included, the best first; else empty.
        winners: who is first, once the last round has been played: one agent, several if they share it, or none if no agent
            of a knockout played a valid game.
        is_decided: whether the last round has been played.
    """

    design: str
    n_rounds: int
    tables: tuple[TableResult, ...]
    byes: tuple[tuple[int, str], ...]
    scores: tuple[tuple[str, float], ...]
    winners: tuple[str, ...]
    is_decided: bool

    @property
    def text(self) -> str:
        """The outcome in a line."""
        if not self.is_decided:
            return f"{self.design}: {self._played()} of {self.n_rounds} rounds played"
        if not self.winners:
            return f"{self.design}: no winner, as no agent at the last tables played a valid game"
        if len(self.winners) == 1:
            return f"{self.design}: {self.winners[0]} wins after {self._rounds(self.n_rounds)}"
        shared = " and ".join(self.winners)
        return f"{self.design}: {shared} share the first place after {self._rounds(self.n_rounds)}"

    def to_json(self) -> dict[str, Any]:
        """Return all attributes as plain values; a table, a bye and a score are each an object."""
        return {
            "design": self.design,
            "n_rounds": self.n_rounds,
            "tables": [plain_record(table) for table in self.tables],
            "byes": [{"round": number, "agent": agent} for number, agent in self.byes],
            "scores": [{"agent": agent, "points": points} for agent, points in self.scores],
            "winners": list(self.winners),
            "is_decided": self.is_decided,
            "text": self.text,
        }

    def _played(self) -> int:
        begun = max((table.round for table in self.tables), default=1)
        is_open = any(table.round == begun and not table.points for table in self.tables)
        return begun - is_open

    @staticmethod
    def _rounds(number: int) -> str:
        return f"{number} round{'s' if number != 1 else ''}"
