"""Trials: configurations that are played rung by rung, and their results, of this study and of earlier ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Final

import numpy as np
import optuna
import pandas as pd
from optuna.trial import FrozenTrial

from tag.tournaments.designs.games import Pairing
from tag.tournaments.ledger.rows import PlayedGame
from tag.tournaments.statistics.clustered_means import ClusteredMean
from tag.tournaments.statistics.intervals import Floats
from tag.tuning.samplers.model_sampler import BLOCK_VARIANCE, BLOCKS, GAMES
from tag.tuning.space import SearchSpace
from tag.tuning.space.configurations import Configuration

#: The end of a trial: after all its games, or pruned.
COMPLETE: Final = "complete"
DROPPED: Final = "dropped"
#: None of its games counts.
VOID: Final = "void"


@dataclass
class Trial:
    """A configuration in play.

    Attributes:
        optunas: the trial of Optuna's.
        agent: its number in the ledger.
        rungs: the games to come, by rung.
        games: those played.
        is_reported: whether a value was reported to the pruner.
        values: the games that counted and the value after each rung but the last.
    """

    optunas: optuna.Trial
    agent: int
    configuration: Configuration
    rungs: list[list[Pairing]]
    games: list[PlayedGame] = field(default_factory=list)
    is_reported: bool = False
    values: list[tuple[int, float]] = field(default_factory=list)

    @property
    def planned(self) -> int:
        """Number of games still to play."""
        return sum(len(rung) for rung in self.rungs)


@dataclass(frozen=True)
class FinishedTrial:
    """Results of a trial.

    Attributes:
        number: of the trial, from 0.
        agent: its number in the ledger; trials of the same configuration share it.
        games: how many count.
        values: of the objectives; none where no game counts.
        error: the standard error of the first value, from its blocks; None where there are fewer than two.
        state: ``complete``, ``dropped`` (pruned) or ``void``.
        spared: the games that pruning saved.
        blocks: how many blocks have a value.
        block_variance: the sample variance between these values, 0 with fewer than two.
        rungs: the games that counted and the value of the first objective after each rung; none where the trial had to play
            all of its games at once.
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
    rungs: tuple[tuple[int, float], ...] = ()

    @property
    def value(self) -> float | None:
        """The value of the first objective."""
        return self.values[0] if self.values else None


def standard_error(by_block: Sequence[float], bounds: tuple[float, float] = (-inf, inf)) -> float | None:
    """Return the standard error of the mean of blocks; None where there are fewer than two.

    Where blocks do not differ it belongs to the interval of `tag.tournaments.statistics.intervals.interval_of_equals`:
    eight games lost of eight do not show that all will be.
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


def rungs_frame(trials: list[FinishedTrial]) -> pd.DataFrame:
    """Return one row per rung of the trials that were judged before their ends: the value after so many games."""
    rows = [(trial.number, games, value) for trial in trials for games, value in trial.rungs]
    return pd.DataFrame(rows, columns=["number", "games", "value"])


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


def pareto_front(values: Floats) -> list[bool]:
    """Return whether each row of values is on the front: no other is as good everywhere and better somewhere.

    >>> pareto_front(np.array([[1.0, 2.0], [2.0, 1.0], [1.0, 1.0]]))
    [True, True, False]
    """
    return [not ((values >= row).all(axis=1) & (values > row).any(axis=1)).any() for row in values]


@dataclass(frozen=True)
class KnownTrial:
    """Result of a configuration in the games that count, from one trial or several.

    The blocks in which these games were played are 0 where that is not known.
    """

    spec: str
    games: int
    value: float
    blocks: int = 0
    block_variance: float = 0.0

    def of_optuna(self, space: SearchSpace) -> FrozenTrial:
        """Return a trial that can be added to a study; with fewer than two blocks the deviation of games is unknown."""
        configuration, kinds = space.configuration(self.spec), space.configurations.distributions
        return optuna.trial.create_trial(
            params=configuration,
            distributions={name: kinds[name] for name in configuration},
            value=self.value,
            user_attrs={GAMES: self.games, BLOCKS: self.blocks, BLOCK_VARIANCE: self.block_variance, "spec": self.spec},
        )


def together(trials: Sequence[KnownTrial]) -> KnownTrial:
    """Return several trials of a configuration combined into one, with the variance within trials.

    Two trials of four blocks have six free deviations, as one of seven blocks has; so the combined trial has seven
    blocks.
    """
    games = sum(one.games for one in trials)
    value = sum(one.games * one.value for one in trials) / games
    free = sum(max(one.blocks - 1, 0) for one in trials)
    if not free:
        return KnownTrial(trials[0].spec, games, value)
    squares = sum((one.blocks - 1) * one.block_variance * one.games / one.blocks for one in trials if one.blocks > 1)
    return KnownTrial(trials[0].spec, games, value, free + 1, squares / free * (free + 1) / games)


def known_rows(frame: pd.DataFrame) -> list[KnownTrial]:
    """Return the trials in a data frame with these columns, and possibly others."""
    rows = frame.to_dict("records")
    return [
        KnownTrial(
            str(row["spec"]),
            int(row["games"]),
            float(row["value"]),
            int(row.get("blocks", 0)),
            float(row.get("block_variance", 0.0)),
        )
        for row in rows
    ]
