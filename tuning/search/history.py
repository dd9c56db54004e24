"""The history of a search: reported while it runs, and kept in the study's folder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any, Final, Protocol

import pandas as pd

from tag.tournaments.driver.events import PlayListener
from tag.tournaments.statistics.plain_records import plain
from tag.tuning.search.search import Search
from tag.tuning.search.trials import FinishedTrial, joined, rungs_frame, trials_frame
from tag.tuning.study.files import INCUMBENTS, RUNGS, TIMES, TRIALS, KeptFrames, read_frame

#: The kind of the columns of times.
_CLOCKS: Final = dict.fromkeys(("begun", "ended"), "datetime64[us, UTC]")
#: The counts of trials, and how people read them.
_COUNTS: Final = {"trials": "trials", "dropped": "pruned", "live": "in play"}


class FoundBest(Protocol):
    """The best configuration by the model at some time of a search."""

    @property
    def text(self) -> str:
        """The incumbent's values and its spec, for people."""

    def row(self) -> dict[str, Any]:
        """Return the incumbent's row of ``incumbents.parquet``."""


@dataclass(frozen=True)
class SearchState:
    """Progress of a search: the incumbent, None before there is one, and counts of trials by `_COUNTS`."""

    incumbent: FoundBest | None
    counts: dict[str, int]

    @property
    def text(self) -> str:
        """Progress in a line."""
        counts = ", ".join(f"{count:,} {_COUNTS[name]}" for name, count in self.counts.items())
        return counts if self.incumbent is None else f"{counts}; best by the model {self.incumbent.text}"

    def to_json(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return dict(plain({"incumbent": self.incumbent and vars(self.incumbent), **self.counts}))


class SearchHistory:
    """Follows the searches of a study, one after the other: `begin`, `follow` after every step, `end`."""

    def __init__(
        self,
        folder: Path,
        progress: PlayListener,
        now: Callable[[], float] = perf_counter,
        *,
        counts: Sequence[str] = tuple(_COUNTS),
        frame: Callable[[list[FinishedTrial]], pd.DataFrame] = trials_frame,
    ) -> None:
        """Follow the study in ``folder``, by a clock in seconds; ``frame`` makes the rows of trials."""
        self._progress = progress
        self._kept = KeptFrames(folder, self._frames, now)
        self._searches: list[tuple[Search, Sequence[FoundBest]]] = []
        self._counts = counts
        self._frame = frame
        self._earlier_times = read_frame(folder / TIMES)

    def begin(self, search: Search, incumbents: Sequence[FoundBest]) -> None:
        """Follow this search and its incumbents from now on."""
        self._searches.append((search, incumbents))

    def follow(self) -> None:
        """Report the progress of the search, and write the files if they are old."""
        search, incumbents = self._searches[-1]
        counts = {"trials": len(search.trials), "dropped": search.dropped, "live": search.live}
        state = SearchState(incumbents[-1] if incumbents else None, {name: counts[name] for name in self._counts})
        self._progress.show_note("search", state)
        self._kept.keep()

    def end(self) -> None:
        """Write the files of the complete search; `DataError` where they cannot be written."""
        self._kept.write()

    def _frames(self) -> dict[str, pd.DataFrame]:
        rungs = joined([rungs_frame(search.trials) for search, _incumbents in self._searches])
        return {
            **({} if rungs.empty else {RUNGS: rungs}),
            TIMES: self._times(),
            TRIALS: joined([self._frame(search.trials) for search, _incumbents in self._searches]),
            INCUMBENTS: joined([incumbents_frame(incumbents) for _search, incumbents in self._searches]),
        }

    def _times(self) -> pd.DataFrame:
        """Return when trials began and ended; not when a study that goes on reads them again from its ledger."""
        rows = [
            (generation, number, begun, search.ended.get(number))
            for generation, (search, _incumbents) in enumerate(self._searches)
            for number, begun in search.begun.items()
        ]
        place = ["generation", "number"]
        now = pd.DataFrame(rows, columns=[*place, "begun", "ended"]).astype(_CLOCKS).set_index(place)
        if self._earlier_times.empty:
            return now.reset_index()
        return self._earlier_times.astype(_CLOCKS).set_index(place).combine_first(now).reset_index()


def incumbents_frame(incumbents: Sequence[FoundBest]) -> pd.DataFrame:
    """Return one row per recommendation, in the order of games."""
    return pd.DataFrame([one.row() for one in incumbents])
