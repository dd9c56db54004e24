"""The state of a tournament during play: games, speed, time left and faults."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, Final

from tag.tournaments.driver.counts import duration
from tag.tournaments.ledger.folder import Folder, FolderOrPath, is_at_work
from tag.tournaments.ledger.games import arrivals
from tag.tournaments.results.kept import kept_results
from tag.tournaments.results.live import current_results
from tag.tournaments.results.tournament import TournamentResults

#: The speed is measured over so many seconds before the last games arrived.
_WINDOW: Final = 60.0


@dataclass(frozen=True)
class Status:
    """The state of a tournament.

    Attributes:
        games_per_second: in the last minute before the last games arrived; 0 where unknown.
    """

    results: TournamentResults
    at_work: bool
    games_per_second: float

    @property
    def seconds_left(self) -> float | None:
        """The time for the rest at that speed, at most if a stopping rule may end it; None if no process plays it."""
        left = self.results.total - self.results.games
        return left / self.games_per_second if self.at_work and self.games_per_second else None

    @property
    def text(self) -> str:
        """Games, speed, time left and faults in one line."""
        results = self.results
        parts = [f"{results.games:,} of {results.total_text} games", *([results.part_text] if results.part else [])]
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
        """Return all attributes as plain values."""
        own = {
            "at_work": self.at_work,
            "games_per_second": self.games_per_second,
            "seconds_left": self.seconds_left,
        }
        return {**self.results.to_json(), **own}


def read_status(folder: FolderOrPath) -> Status:
    """Return the state of the tournament in ``folder``, from what was kept of its ledger as far as it still holds."""
    opened = Folder.of(folder)
    return status_of(kept_results(opened) or current_results(opened))


def status_of(results: TournamentResults) -> Status:
    """Return the state of a tournament whose results have been read just now."""
    return Status(results, is_at_work(results.folder), _speed(arrivals(results.folder, _WINDOW)))


def _speed(arrived: list[tuple[float, int]]) -> float:
    """Return games per second from the times of arrival, in seconds of the clock, and the games that arrived then."""
    recent = [(when, games) for when, games in arrived if when > arrived[-1][0] - _WINDOW]
    if len(recent) < 2 or time.time() - recent[-1][0] > _WINDOW:
        return 0.0
    return sum(games for _when, games in recent[1:]) / (recent[-1][0] - recent[0][0])
