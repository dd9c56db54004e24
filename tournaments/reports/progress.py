"""Progress of a tournament or study as plain lines or JSON; `tag.tournaments.reports.displays` shows it on a terminal."""

from __future__ import annotations

import json
from collections.abc import Sequence
from time import perf_counter
from typing import TYPE_CHECKING, Final

import click

from tag.tournaments.driver.events import Note, PlayListener

if TYPE_CHECKING:
    from tag.cluster.batches import WorkerSpeed
    from tag.tournaments.designs.stopping.rules import StoppingResult
    from tag.tournaments.ledger.rows import PlayedGame
    from tag.tournaments.statistics.standings import Standing

AUTO: Final = "auto"
JSON: Final = "json"
PROGRESS_KINDS: Final = (AUTO, "plain", JSON)
_SECONDS_BETWEEN_LINES: Final = 5.0


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
        self.notes: dict[str, Note] = {}
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

    def show_note(self, name: str, note: Note) -> None:
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


class Progress(GameCounts):
    """The progress that people or programs see. This class shows only sentences.

    Attributes:
        wants_standings: whether `show_standings` is worth calling.
    """

    wants_standings = False

    def show_standings(self, standings: Sequence[Standing], is_cooperative: bool) -> None:
        """Show the standings so far, of a game in which all win or lose together or of another."""

    def measured(self, speeds: Sequence[WorkerSpeed], reference: float) -> None:
        """Print how fast the workers are."""
        from tag.tournaments.reports.speeds import speeds_sentences  # noqa: PLC0415  few tournaments have time limits

        for sentence in speeds_sentences(speeds, reference):
            self.say(sentence)

    def say(self, sentence: str) -> None:
        """Print a sentence for people."""
        click.echo(f"tag: {sentence}", err=True)


class PlainProgress(Progress):
    """A line every few seconds, without control codes: for logs."""

    def __init__(self) -> None:
        """Start with an empty display."""
        super().__init__()
        self._last_line = 0.0

    def start(self, total: int, done: int, product: str = "") -> None:
        """Print the first line."""
        super().start(total, done, product)
        self._last_line = perf_counter()
        if done < total:
            self._print()

    def advance(self, games: int, faults: int) -> None:
        """Print a line if the last is old enough."""
        super().advance(games, faults)
        now = perf_counter()
        if now - self._last_line >= _SECONDS_BETWEEN_LINES or self.done == self.total:
            self._last_line = now
            self._print()

    def _print(self) -> None:
        click.echo("; ".join([self.text, *(note.text for note in self.notes.values())]), err=True)


class JsonProgress(Progress):
    """A JSON object per line, every second and at the end: for programs."""

    wants_standings = True

    def __init__(self) -> None:
        """Start with an empty display."""
        super().__init__()
        self._standings: Sequence[Standing] = ()
        self._last_line = 0.0

    def start(self, total: int, done: int, product: str = "") -> None:
        """Print the initial state."""
        super().start(total, done, product)
        self._print()

    def advance(self, games: int, faults: int) -> None:
        """Print the progress if the last line is old enough."""
        super().advance(games, faults)
        if perf_counter() - self._last_line >= 1.0 or self.done == self.total:
            self._print()

    def close(self) -> None:
        """Print the decision, if a stopping rule ended play."""
        if self.stopping is not None and self.stopping.is_decided:
            self._print()

    def show_standings(self, standings: Sequence[Standing], is_cooperative: bool) -> None:
        """Print other standings with every line from now on."""
        self._standings = standings

    def conclude(self, standings: Sequence[Standing]) -> None:
        """Print a last line with these standings."""
        self._standings = standings
        self._print()

    def say(self, sentence: str) -> None:
        """Print a sentence as an object of its own."""
        click.echo(json.dumps({"said": sentence}), err=True)

    def _print(self) -> None:
        self._last_line = perf_counter()
        speed = self.games_per_second
        line = {
            "games": self.done,
            "total": self.total,
            "at_most": self.at_most,
            "games_per_second": speed,
            "seconds_left": (self.total - self.done) / speed if speed else None,
            "faults": self.faults,
            "stopping": None,
            **{name: note.to_json() for name, note in self.notes.items()},
            "agents": [standing.to_json() for standing in self._standings],
        }
        click.echo(json.dumps(line), err=True)


def duration(seconds: float) -> str:
    """Return a time span for people: ``45 s``, ``3 min 20 s``, ``2 h 5 min``."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"
