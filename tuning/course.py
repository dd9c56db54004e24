"""The course of a search: told while it runs, and kept in the study's folder for whoever looks meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import pandas as pd

from tournaments.intervals import HALF_WIDTH, half_width_text
from tournaments.plain import plain
from tournaments.progress import Progress
from tuning.files import INCUMBENTS, TRIALS, KeptFrames
from tuning.judge import Incumbent, Judge, incumbents_frame
from tuning.ranges import shown
from tuning.search import Search
from tuning.trials import joined, trials_frame


@dataclass(frozen=True)
class SearchState:
    """How a search stands.

    Attributes:
        incumbent: what the model recommends; None before it knows anything.
        trials: how many have ended.
        dropped: how many of these were dropped.
        live: how many are in play.
    """

    incumbent: Incumbent | None
    trials: int
    dropped: int
    live: int

    @property
    def text(self) -> str:
        """How it stands, in a line."""
        counts = f"{self.trials:,} trials, {self.dropped:,} dropped, {self.live:,} in play"
        if self.incumbent is None:
            return counts
        one = self.incumbent
        half = half_width_text(HALF_WIDTH * one.deviation, ".3f")
        return f"{counts}; best by the model {one.value:.3f} ± {half}: {shown(one.spec)}"

    def to_json(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return dict(plain(asdict(self)))


class SearchCourse:
    """Follows the searches of a study, one after the other: `begin`, `follow` after every step, `end`."""

    def __init__(self, folder: Path, progress: Progress, now: Callable[[], float] = perf_counter) -> None:
        """Follow the study in ``folder``, by a clock in seconds."""
        self._progress = progress
        self._kept = KeptFrames(folder, self._frames, now)
        self._searches: list[Search] = []
        self._judges: list[Judge] = []

    def begin(self, search: Search, judge: Judge) -> None:
        """Follow this search from now on."""
        self._searches.append(search)
        self._judges.append(judge)

    def follow(self) -> None:
        """Tell how the search stands, and write it down if that was long ago."""
        search, incumbents = self._searches[-1], self._judges[-1].incumbents
        state = SearchState(incumbents[-1] if incumbents else None, len(search.trials), search.dropped, search.live)
        self._progress.show_note("search", state)
        self._kept.keep()

    def end(self) -> None:
        """Write down what the search has come to.

        Raises:
            DataError: that is not possible.
        """
        self._kept.write()

    def _frames(self) -> dict[str, pd.DataFrame]:
        return {
            TRIALS: joined([trials_frame(search.trials) for search in self._searches]),
            INCUMBENTS: joined([incumbents_frame(judge.incumbents) for judge in self._judges]),
        }
