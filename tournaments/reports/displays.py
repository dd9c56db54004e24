"""Displays of progress: live on a terminal, or of the kind that is asked for."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, Protocol, runtime_checkable

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.padding import Padding
from rich.progress_bar import ProgressBar
from rich.text import Text

from tag.tournaments.driver.events import StatusNote
from tag.tournaments.reports.progress import AUTO, JSON, JsonProgress, PlainProgress, Progress
from tag.tournaments.reports.sections.standings import standings_table, telling_columns
from tag.tournaments.reports.terminal import terminal_table

if TYPE_CHECKING:
    from tag.tournaments.statistics.standings import Standing

_REFRESHES_PER_SECOND: Final = 4


@runtime_checkable
class DrawnNote(StatusNote, Protocol):
    """A state that is more than a line on a terminal."""

    def picture(self) -> RenderableType:
        """Return what a terminal shows of it in place of the line."""


class LiveProgress(Progress):
    """A bar and the standings, kept up to date in place on a terminal."""

    wants_standings = True

    def __init__(self, console: Console | None = None) -> None:
        """Draw on ``console``, by default standard error."""
        super().__init__()
        self._standings: Sequence[Standing] = ()
        self._is_cooperative = False
        self._console = console or Console(stderr=True, highlight=False)
        self._live = Live(
            console=self._console,
            get_renderable=self._picture,
            refresh_per_second=_REFRESHES_PER_SECOND,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )

    def start(self, total: int, done: int, product: str = "") -> None:
        """Draw from now on."""
        super().start(total, done, product)
        if done < total:
            self._live.start()

    def show_standings(self, standings: Sequence[Standing], is_cooperative: bool) -> None:
        """Draw other standings from now on."""
        self._standings = standings
        self._is_cooperative = is_cooperative

    def say(self, sentence: str) -> None:
        """Print above the display."""
        self._console.print(f"tag: {sentence}", markup=False, soft_wrap=True)

    def close(self) -> None:
        """Remove the display."""
        self._live.stop()

    def _picture(self) -> Group:
        bar = Padding(ProgressBar(total=max(self.total, 1), completed=self.done, width=60), 0)  # on a line of its own
        notes = [note.picture() if isinstance(note, DrawnNote) else Text(note.text) for note in self.notes.values()]
        head = Group(bar, Text(self.text), *notes)
        columns = telling_columns(self._standings, self._is_cooperative)
        data = standings_table(self._standings, columns)
        table = terminal_table(data, width=self._console.width, folds=False)
        return Group(table, Text(""), head) if self._standings else head


def make_progress(quiet: bool, kind: str = AUTO) -> Progress:
    """Return the progress that fits standard error: live on a terminal, plain lines elsewhere; or the requested kind."""
    if quiet:
        return Progress()
    if kind == JSON:
        return JsonProgress()
    return LiveProgress() if kind == AUTO and sys.stderr.isatty() else PlainProgress()
