"""How a tournament stands, for another process than the one at work on it: from its folder alone."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tournaments.folder import is_at_work
from tournaments.ledger import arrivals
from tournaments.progress import duration
from tournaments.results import TournamentResults, read_results

#: The speed is that of so many seconds before the last games arrived.
_WINDOW: Final = 60.0


@dataclass(frozen=True)
class Status:
    """How a tournament stands.

    Attributes:
        results: what it came to so far.
        at_work: whether a process on this machine is at work on it.
        games_per_second: in the last minute before the last games arrived; 0 where that cannot be told.
    """

    results: TournamentResults
    at_work: bool
    games_per_second: float

    @property
    def seconds_left(self) -> float | None:
        """How long the rest takes at that speed, at most where a stopping rule may end it; None if nobody is at work."""
        left = self.results.total - self.results.games
        return left / self.games_per_second if self.at_work and self.games_per_second else None

    @property
    def text(self) -> str:
        """Games, speed, time left and faults in one line."""
        results = self.results
        parts = [f"{results.games:,} of {results.total_text} games"]
        if self.at_work:
            parts.append(f"{self.games_per_second:,.3g} games/s" if self.games_per_second else "at work")
        elif not results.complete:
            parts.append("nobody at work")
        if self.seconds_left:
            parts.append(f"{'at most ' if results.at_most else ''}{duration(self.seconds_left)} left")
        faults = sum(standing.faults for standing in results.standings)
        if faults:
            parts.append(f"{faults:,} fault{'s' if faults > 1 else ''}")
        return ", ".join(parts)

    def to_json(self) -> dict[str, Any]:
        """Return everything as plain values."""
        own = {
            "at_work": self.at_work,
            "games_per_second": self.games_per_second,
            "seconds_left": self.seconds_left,
        }
        return {**self.results.to_json(), **own}


def read_status(folder: Path) -> Status:
    """Return how the tournament in ``folder`` stands.

    Raises:
        DataError: there is no tournament.
    """
    results = read_results(folder)
    return Status(results, is_at_work(folder), _speed(arrivals(folder)))


def _speed(arrived: list[tuple[float, int]]) -> float:
    """Return games per second from the times of arrival, in seconds of the clock, and the games that arrived then."""
    recent = [(when, games) for when, games in arrived if when > arrived[-1][0] - _WINDOW]
    if len(recent) < 2 or time.time() - recent[-1][0] > _WINDOW:
        return 0.0
    return sum(games for _when, games in recent[1:]) / (recent[-1][0] - recent[0][0])
