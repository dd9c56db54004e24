"""Trials: configurations that are played rung by rung, their results, and the race that prunes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import hypot, inf, isinf, sqrt
from typing import Final

import numpy as np
import optuna
import pandas as pd
import scipy
from optuna.trial import FrozenTrial

from tag.errors import ParameterError
from tag.tournaments.designs.games import Pairing
from tag.tournaments.ledger.rows import PlayedGame
from tag.tournaments.statistics.intervals import ClusteredMean
from tag.tuning.samplers.model_sampler import BLOCK_VARIANCE, BLOCKS, GAMES
from tag.tuning.space import SearchSpace
from tag.tuning.space.configurations import Configuration

# --- trials: configurations in play, rung by rung, and their results ----------------------------------------------------


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


# --- results of configurations, of this study and of earlier ones -------------------------------------------------------


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


# --- racing: pruning of trials that are certainly worse than the reference ----------------------------------------------
#
# A trial plays its blocks in rungs and is judged after each but the last. It is pruned when, by the beliefs about its
# value and the reference's, it is unlikely to be at least as good:
#
#     P(value ≥ reference | blocks) < 1 - confidence
#
# The belief about the value rests on its blocks alone. Their deviation is judged twice, and both must agree:
#
# - By the other trials of the study. Their deviation counts as so many blocks. So a few blocks that are equal by chance do
#   not look certain.
# - By the trial's own blocks, with Student's t, as they may differ more than those of others. An artificial half block is
#   added, as far from their mean as a block can be: without it, six lost deals say that the trial never wins. Where values
#   have no bound, the skewness of the study's blocks is allowed for. A trial without its rare high values so far looks
#   worse than it is.
#
# The reference is the model's belief about its recommendation (or the default agent), never the luckiest trial at face
# value: against the best of thirty equals, an equal seems hopeless.
#
# Guarantees: a posterior probability stays the same however often it is looked at. So of the trials pruned at most a share
# of 1 - confidence is as good as the reference. This holds if the belief about the reference is right, and if values above
# it are no commoner among trials than values below. The second guarantee is for one trial, with any other trials: with the
# four looks that `rungs` makes of 200 games, one that equals the reference is pruned with a probability of at most 8 %.
# This also holds where its blocks differ twice or three times as much as those of others, or each deal decides all of its
# games (`tests/tuning/search/test_racing.py`).
#
# Source: A. Gelman and others, Bayesian Data Analysis, third edition, 2013, sections 3.3 and 8.5; for two variances B. L.
# Welch, "The generalization of 'Student's' problem", Biometrika 34, 1947; for skewness P. Hall, "On the removal of
# skewness by transformation", Journal of the Royal Statistical Society B 54, 1992.


#: Number of blocks that the deviation known beforehand counts for.
_PRIOR_BLOCKS: Final = 32
#: Degrees of freedom from which Student's law counts as the normal one.
_MANY: Final = 1e9
#: The weight of the artificial block beside a trial's own.
_MADE_UP: Final = 0.5
#: Factor on the level where a trial's own blocks are judged: their t and the artificial block are cautious, and equals of
#: any deviation are pruned in at most 8 % by four looks together.
_OWN_LEVEL: Final = 1.5
#: The share of the skewness that is taken out of a trial's t; the artificial block does the rest.
_SKEWNESS: Final = 0.6


@dataclass(frozen=True, slots=True)
class ValuePrior:
    """Normal belief about a value, on the scale of block values; the deviation is 0 where the value is known."""

    mean: float
    deviation: float

    def __post_init__(self) -> None:
        if not self.deviation >= 0.0:
            raise ParameterError(f"deviation cannot be {self.deviation:g}; the least is 0")


@dataclass(frozen=True, slots=True)
class Race:
    """Rule that prunes trials.

    Attributes:
        confidence: how certain it must be that the trial is worse than the reference.
        fewest_blocks: the least number of blocks of a pruned trial.

    >>> Race().prunes([0.0, 0.5, 0.0, 0.0, 0.5, 0.0], ValuePrior(0.55, 0.03), block_deviation=0.35)
    True
    >>> Race().prunes([0.0, 0.0], ValuePrior(0.55, 0.03), block_deviation=0.35)
    False
    """

    confidence: float = 0.98
    fewest_blocks: int = 3

    def __post_init__(self) -> None:
        if not 0.5 < self.confidence < 1.0:
            raise ParameterError(f"confidence cannot be {self.confidence:g}; it lies between 0.5 and 1")
        if self.fewest_blocks < 1:
            raise ParameterError(f"fewest_blocks cannot be {self.fewest_blocks}; the least is 1")

    def prunes(
        self,
        block_means: Sequence[float],
        reference: ValuePrior,
        block_deviation: float,
        skewness: float = 0.0,
        greatest: float = inf,
    ) -> bool:
        """Return whether a trial with blocks of these values is certainly worse than ``reference``.

        Args:
            block_means: the values of the trial's blocks.
            reference: the belief about the value to reach.
            block_deviation: the standard deviation between the blocks of a configuration, as the study's other trials
                show it.
            skewness: of blocks, as the other trials show it; not used if it is negative or values are bounded.
            greatest: the value that a block can have at most.

        Raises:
            ParameterError: the deviation is negative.
        """
        if not block_deviation >= 0.0:
            raise ParameterError(f"block_deviation cannot be {block_deviation:g}; the least is 0")
        blocks = len(block_means)
        if blocks < self.fewest_blocks:
            return False
        values = np.asarray(block_means, dtype=np.float64)
        mean, level = float(values.mean()), 1.0 - self.confidence
        squares = float(((values - mean) ** 2).sum())
        with_others = squares + _PRIOR_BLOCKS * block_deviation**2
        if not _is_below(mean, blocks, with_others, _PRIOR_BLOCKS + blocks - 1.0, reference, level):
            return False
        is_bounded = not isinf(greatest)
        farthest = greatest - mean if is_bounded else float(np.abs(values - reference.mean).max())
        own = squares + _MADE_UP * farthest**2
        skewed = 0.0 if is_bounded else _SKEWNESS * max(skewness, 0.0)
        return _is_below(mean, blocks, own, _MADE_UP + blocks - 1.0, reference, _OWN_LEVEL * level, skewed)


def _is_below(
    mean: float,
    blocks: int,
    squares: float,
    freedom: float,
    reference: ValuePrior,
    level: float,
    skewness: float = 0.0,
) -> bool:
    """Say whether a mean is below a reference by Student's t, from squared deviations of which so many were free.

    The deviation of the reference counts as known (Welch), and t is freed of the skewness of blocks (Hall).
    """
    error = sqrt(squares / freedom / blocks)
    both = hypot(error, reference.deviation)
    if error > 0.0:
        freedom *= (both / error) ** 4
    off = mean - reference.mean
    if skewness > 0.0 and both > 0.0:
        of_block = off / (both * sqrt(blocks))
        off = (
            both
            * sqrt(blocks)
            * (((1.0 + skewness * of_block / 3.0) ** 3 - 1.0) / skewness + skewness / (6.0 * blocks))
        )
    return off < float(scipy.special.stdtrit(min(freedom, _MANY), level)) * both


def rungs(games_per_trial: int, block_games: int, fewest_games: int = 8) -> tuple[int, ...]:
    """Return after how many blocks, counted from the first, a trial is judged: doubling, the last is the whole trial.

    Args:
        games_per_trial: rounded down to whole blocks, of which there is at least one.
        block_games: the games of a block.
        fewest_games: of the first rung.

    Raises:
        ParameterError: a number below 1.

    >>> rungs(200, block_games=2)
    (6, 12, 25, 50, 100)
    >>> rungs(12, block_games=4)
    (3,)
    """
    for name, number in (
        ("games_per_trial", games_per_trial),
        ("block_games", block_games),
        ("fewest_games", fewest_games),
    ):
        if number < 1:
            raise ParameterError(f"{name} cannot be {number}; the least is 1")
    found = [max(games_per_trial // block_games, 1)]
    while found[-1] // 2 * block_games >= fewest_games:
        found.append(found[-1] // 2)
    return tuple(reversed(found))
