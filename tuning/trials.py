"""Trials: configurations that are being played, rung by rung, and what is known of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Final

import numpy as np
import optuna
import pandas as pd

from tournaments import Pairing, PlayedGame
from tournaments.intervals import ClusteredMean
from tuning.configurations import Configuration

#: What becomes of a trial: all of its games, or dropped on the way as it is not good enough.
COMPLETE: Final = "complete"
DROPPED: Final = "dropped"
#: None of its games counts.
VOID: Final = "void"


@dataclass
class Trial:
    """A configuration that is being played.

    Attributes:
        optunas: the trial of Optuna's.
        agent: its number in the ledger.
        configuration: what is searched, by name.
        rungs: the games to come, by rung.
        games: those played.
        is_reported: whether a pruner was told of its value by now.
    """

    optunas: optuna.Trial
    agent: int
    configuration: Configuration
    rungs: list[list[Pairing]]
    games: list[PlayedGame] = field(default_factory=list)
    is_reported: bool = False

    @property
    def planned(self) -> int:
        """How many games are still to come."""
        return sum(len(rung) for rung in self.rungs)


@dataclass(frozen=True)
class FinishedTrial:
    """What came of a trial.

    Attributes:
        number: of the trial, from 0.
        agent: its number in the ledger; trials of the same configuration share it.
        spec: of the configuration.
        configuration: what is searched, by name.
        games: how many count.
        values: of the objectives; none where no game counts.
        error: the standard error of the first value, from its blocks; None where there are fewer than two.
        state: ``complete``, ``dropped`` or ``void``.
        spared: the games that were not played any more, as it was dropped.
        blocks: how many blocks have a value.
        block_variance: the sample variance between these values, 0 with fewer than two.
    """

    number: int
    agent: int
    spec: str
    configuration: Configuration
    games: int
    values: tuple[float, ...]
    error: float | None
    state: str
    spared: int
    blocks: int = 0
    block_variance: float = 0.0

    @property
    def value(self) -> float | None:
        """Of the first objective."""
        return self.values[0] if self.values else None


def standard_error(by_block: Sequence[float], bounds: tuple[float, float] = (-inf, inf)) -> float | None:
    """Return that of the mean of blocks; None where there are fewer than two.

    Where they do not differ it belongs to the interval of `tournaments.intervals.interval_of_equals`: eight games lost of
    eight do not show that all will be.
    """
    if len(by_block) < 2:
        return None
    mean = ClusteredMean.of(np.array(by_block), np.ones(len(by_block)))
    return mean.error(mean.interval(*bounds))


def trials_frame(trials: list[FinishedTrial]) -> pd.DataFrame:
    """Return one row per trial; parameters that had no effect in it are missing there, other objectives are value_2 …."""
    rows = [
        {
            "number": trial.number,
            "agent": trial.agent,
            "spec": trial.spec,
            "games": trial.games,
            "value": trial.value,
            **{f"value_{number}": value for number, value in enumerate(trial.values[1:], 2)},
            "error": trial.error,
            "state": trial.state,
            "spared": trial.spared,
            "blocks": trial.blocks,
            "block_variance": trial.block_variance,
            **{f"parameter.{name}": value for name, value in trial.configuration.items()},
        }
        for trial in trials
    ]
    return pd.DataFrame(rows)


def joined(frames: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Return the rows of several searches one after the other, in self-play with their ``generation``, from 0."""
    if len(frames) == 1:
        return frames[0]
    return pd.concat(
        [frame.assign(generation=number) for number, frame in enumerate(frames) if len(frame)] or list(frames[:1]),
        ignore_index=True,
    )


def latest(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of the last search: those of earlier ones, in self-play, have met other opponents."""
    return frame[frame["generation"] == frame["generation"].max()] if "generation" in frame else frame
