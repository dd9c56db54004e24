"""The course of a balancing search: told while it runs, and kept in the study's folder for whoever looks meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import pandas as pd

from tournaments.intervals import HALF_WIDTH
from tournaments.plain import plain
from tournaments.progress import Progress
from tournaments.tracking.curves import next_in_grid
from tuning.balance.goals import misses
from tuning.balance.problem import BalanceProblem
from tuning.files import INCUMBENTS, TRIALS, KeptFrames
from tuning.ranges import shown
from tuning.search import Search


@dataclass(frozen=True)
class Incumbent:
    """What the model takes for the best candidate at some time.

    Attributes:
        games: those of the search that counted.
        spec: of the candidate.
        miss: how far it is believed to be from all targets together (`tuning.balance.goals.misses`).
        means: what its measures are believed to be, by target.
        deviations: the standard deviations of these.
    """

    games: int
    spec: str
    miss: float
    means: dict[str, float]
    deviations: dict[str, float]

    def row(self) -> dict[str, Any]:
        """Return the row of ``incumbents.parquet``: the columns of each target are named like ``mean.length``."""
        return {
            "games": self.games,
            "spec": self.spec,
            "miss": self.miss,
            **{f"mean.{name}": mean for name, mean in self.means.items()},
            **{f"deviation.{name}": deviation for name, deviation in self.deviations.items()},
        }


@dataclass(frozen=True)
class BalanceState:
    """How a search stands.

    Attributes:
        incumbent: what the model took for the best when it was last asked; None before it knows anything.
        trials: how many have ended.
        live: how many are in play.
    """

    incumbent: Incumbent | None
    trials: int
    live: int

    @property
    def text(self) -> str:
        """How it stands, in a line."""
        counts = f"{self.trials:,} trials, {self.live:,} in play"
        if self.incumbent is None:
            return counts
        one = self.incumbent
        found = ", ".join(
            f"{name} {mean:.4g} ± {HALF_WIDTH * one.deviations[name]:.2g}" for name, mean in one.means.items()
        )
        return f"{counts}; best by the model {found}: {shown(one.spec)}"

    def to_json(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return dict(plain(asdict(self)))


class BalanceCourse:
    """Follows a search: `follow` after every step, `end` once it is over.

    The model is asked after fixed numbers of trials, whatever the budget, so that a study which is given more games has
    the same course up to where it stood.

    Attributes:
        incumbents: what the model took for the best, in the course of the search.
    """

    def __init__(
        self,
        folder: Path,
        progress: Progress,
        search: Search,
        problem: BalanceProblem,
        now: Callable[[], float] = perf_counter,
    ) -> None:
        """Follow the search of the study in ``folder``, by a clock in seconds."""
        self.incumbents: list[Incumbent] = []
        self._progress = progress
        self._search = search
        self._problem = problem
        self._kept = KeptFrames(folder, self._frames, now)
        self._next_look = 1

    def follow(self) -> None:
        """Tell how the search stands, and write it down if that was long ago.

        Raises:
            DataError: that is not possible.
        """
        trials = len(self._search.trials)
        if trials >= self._next_look:
            self._next_look = next_in_grid(trials)
            self._look()
        incumbent = self.incumbents[-1] if self.incumbents else None
        self._progress.show_note("search", BalanceState(incumbent, trials, self._search.live))
        self._kept.keep()

    def end(self) -> None:
        """Write down what the search has come to.

        Raises:
            DataError: that is not possible.
        """
        self._look()
        self._kept.write()

    def _look(self) -> None:
        """Ask the model for the best, if it knows more than before."""
        model = self._problem.model
        games = sum(trial.games for trial in self._search.trials)
        if not model.seen or (self.incumbents and self.incumbents[-1].games == games):
            return
        best = model.ranked()[0]
        means, deviations = model.posterior([best])
        names = [goal.target.name for goal in model.goals]
        self.incumbents.append(
            Incumbent(
                games,
                self._problem.spec(best),
                float(misses(model.goals, means)[0]),
                dict(zip(names, means[:, 0].tolist(), strict=True)),
                dict(zip(names, deviations[:, 0].tolist(), strict=True)),
            )
        )

    def _frames(self) -> dict[str, pd.DataFrame]:
        return {
            TRIALS: self._problem.frame(self._search.trials),
            INCUMBENTS: pd.DataFrame([one.row() for one in self.incumbents]),
        }
