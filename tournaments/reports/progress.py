"""Progress of a tournament or study as plain lines or JSON; `tag.tournaments.reports.displays` shows it on a terminal."""

from __future__ import annotations

import json
from collections.abc import Sequence
from time import perf_counter
from typing import TYPE_CHECKING, Final

import click

from tag.tournaments.driver.counts import GameCounts

if TYPE_CHECKING:
    from tag.cluster.batches import WorkerSpeed
    from tag.tournaments.statistics.standings import Standing


AUTO: Final = "auto"
JSON: Final = "json"
PROGRESS_KINDS: Final = (AUTO, "plain", JSON)
_SECONDS_BETWEEN_LINES: Final = 5.0


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
