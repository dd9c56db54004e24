"""The counts of games by which progress is shown, and durations in words."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter
from typing import TYPE_CHECKING

from tag.tournaments.driver.events import PlayListener, StatusNote

if TYPE_CHECKING:
    from tag.tournaments.designs.stopping.rules import StoppingResult
    from tag.tournaments.ledger.rows import PlayedGame


class GameCounts(PlayListener):
    """The counts of games by which progress is shown.

    Attributes:
        total: the games of the tournament, at most where a stopping rule may end it.
        product: its factors, such as ``10 blocks x 3 match-ups x 2 seatings``; empty where unknown.
        faults: the faults of the games played since the start.
    """

    def __init__(self) -> None:
        """Start without games."""
        self.total = 0
        self.product = ""
        self.done = 0
        self.faults = 0
        self.stopping: StoppingResult | None = None
        self.notes: dict[str, StatusNote] = {}
        self._done_at_first = 0
        self._first = 0.0

    def start(self, total: int, done: int, product: str = "") -> None:
        """Begin, with ``done`` of ``total`` games in the ledger from before, and ``product`` as the total's factors."""
        self.total = total
        self.product = product
        self.done = done

    def skip(self, games: int) -> None:
        """Count so many more games as played before."""
        self.done += games
        self._done_at_first += games

    def expect(self, games: int) -> None:
        """Count so many more games in the total."""
        self.total += games

    def played(self, games: Sequence[PlayedGame]) -> None:
        """Count games, and their faults."""
        self.advance(len(games), sum(len(game.record.faults) for game in games))

    def advance(self, games: int, faults: int) -> None:
        """Count so many more games as played, with so many faults in them."""
        self.done += games
        self.faults += faults
        if not self._first:
            self._first, self._done_at_first = perf_counter(), self.done

    def show_stopping(self, stopping: StoppingResult) -> None:
        """Show the state of the stopping rule."""
        self.stopping = stopping
        self.show_note("stopping", stopping)

    def show_note(self, name: str, note: StatusNote) -> None:
        """Show a state under its ``name`` in JSON."""
        self.notes[name] = note

    @property
    def games_per_second(self) -> float:
        """The speed since the first games came in: workers take seconds to start."""
        if not self._first:
            return 0.0
        return (self.done - self._done_at_first) / max(perf_counter() - self._first, 1e-9)

    @property
    def at_most(self) -> bool:
        """True if a stopping rule may end it before the total."""
        return self.stopping is not None and not self.stopping.is_decided

    @property
    def text(self) -> str:
        """Games done, speed, time left and faults in one line."""
        most = "at most " if self.at_most else ""
        speed = self.games_per_second
        product = f" ({self.product})" if self.product and not speed else ""
        parts = [f"{self.done:,} of {most}{self.total:,} games{product}"]
        if speed:
            parts.append(f"{speed:,.{1 if speed < 100 else 0}f} games/s")
        if speed and self.done < self.total:
            parts.append(f"{most}{duration((self.total - self.done) / speed)} left")
        if self.faults:
            parts.append(f"{self.faults:,} fault{'s' if self.faults > 1 else ''}")
        return ", ".join(parts)


def duration(seconds: float) -> str:
    """Return a time span for people: ``45 s``, ``3 min 20 s``, ``2 h 5 min``."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"
