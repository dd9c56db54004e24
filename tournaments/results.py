"""The results of a tournament, read from its folder alone."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tournaments.folder import read_manifest
from tournaments.ledger import content_hash, read_ledger, read_timings
from tournaments.sprt import SprtResult
from tournaments.standings import Standing, standings


@dataclass(frozen=True)
class TournamentResults:
    """What a tournament came to so far.

    Attributes:
        folder: where the tournament is.
        standings: one per agent, best first.
        games: the games in the ledger.
        total: the games of the whole tournament.
        content_hash: the same for ledgers of the same games with the same results, however they came about.
        sprt: how its sequential test stands, if it has one; once that is decided, the total is what has been played.
    """

    folder: Path
    standings: list[Standing]
    games: int
    total: int
    content_hash: str
    sprt: SprtResult | None = None

    @property
    def complete(self) -> bool:
        """Whether every game has been played."""
        return self.games == self.total

    def to_json(self) -> dict[str, Any]:
        """Return everything but the folder as plain values."""
        return {
            "agents": [standing.to_json() for standing in self.standings],
            "games": self.games,
            "total": self.total,
            "complete": self.complete,
            "content_hash": self.content_hash,
            "sprt": asdict(self.sprt) if self.sprt else None,
        }


def read_results(folder: Path) -> TournamentResults:
    """Return the results of the tournament in ``folder``.

    Raises:
        DataError: there is no tournament.
    """
    definition = read_manifest(folder).definition
    games, seats = read_ledger(folder)
    schedule = definition.schedule()
    table = standings(games, seats, read_timings(folder), n_seatings=schedule.design.n_seatings)
    total = len(schedule)
    test = definition.test()
    if test is not None:
        test.add_ledger(games, seats)
        total = len(games) if test.is_decided else total
    return TournamentResults(folder, table, len(games), total, content_hash(folder), test.result() if test else None)


def points_in(folder: Path, blocks: range) -> list[float]:
    """Return each agent's points in the games of some blocks of the tournament in ``folder``, by the agent's number."""
    _games, seats = read_ledger(folder)
    inside = seats[(seats["block"] >= blocks.start) & (seats["block"] < blocks.stop)]
    points = inside.groupby("agent_index")["points"].sum()
    return [float(points.get(agent, 0.0)) for agent in range(len(seats["agent"].cat.categories))]
