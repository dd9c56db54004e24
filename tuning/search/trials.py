"""Trials: configurations that are being played, rung by rung, pruned by racing, and the search that asks for them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import hypot, inf, isinf, sqrt
from statistics import variance
from typing import Final, Protocol

import numpy as np
import optuna
import pandas as pd
from optuna.trial import TrialState
from scipy.special import stdtrit

from tag.errors import ParameterError
from tournaments.designs.schedule import Pairing
from tournaments.ledger.rows import PlayedGame
from tournaments.statistics.intervals import ClusteredMean
from tuning.objectives import Callback
from tuning.samplers.model_sampler import BLOCK_VARIANCE, BLOCKS, GAMES
from tuning.search.games import GameQueue
from tuning.space.space import Configuration, Configurations

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
        configuration: the searched values, by name.
        rungs: the games to come, by rung.
        games: those played.
        is_reported: whether a value was reported to the pruner.
    """

    optunas: optuna.Trial
    agent: int
    configuration: Configuration
    rungs: list[list[Pairing]]
    games: list[PlayedGame] = field(default_factory=list)
    is_reported: bool = False

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
        spec: of the configuration.
        configuration: the searched values, by name.
        games: how many count.
        values: of the objectives; none where no game counts.
        error: the standard error of the first value, from its blocks; None where there are fewer than two.
        state: ``complete``, ``dropped`` (pruned) or ``void``.
        spared: the games that pruning saved.
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
        """The value of the first objective."""
        return self.values[0] if self.values else None


def standard_error(by_block: Sequence[float], bounds: tuple[float, float] = (-inf, inf)) -> float | None:
    """Return the standard error of the mean of blocks; None where there are fewer than two.

    Where blocks do not differ it belongs to the interval of `tournaments.statistics.intervals.interval_of_equals`: eight
    games lost of eight do not show that all will be.
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
# games (`tests/tuning/test_racing.py`).
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
class Belief:
    """Normal belief about a value, on the scale of block values.

    Attributes:
        mean: the expected value.
        deviation: the standard deviation of the belief, 0 where the value is known.
    """

    mean: float
    deviation: float

    def __post_init__(self) -> None:
        """Refuse a negative deviation.

        Raises:
            ParameterError: the deviation is negative.
        """
        if not self.deviation >= 0.0:
            raise ParameterError(f"deviation cannot be {self.deviation:g}; the least is 0")


@dataclass(frozen=True, slots=True)
class Race:
    """Rule that prunes trials.

    Attributes:
        confidence: how certain it must be that the trial is worse than the reference.
        fewest_blocks: the least number of blocks of a pruned trial.

    >>> Race().prunes([0.0, 0.5, 0.0, 0.0, 0.5, 0.0], Belief(0.55, 0.03), block_deviation=0.35)
    True
    >>> Race().prunes([0.0, 0.0], Belief(0.55, 0.03), block_deviation=0.35)
    False
    """

    confidence: float = 0.98
    fewest_blocks: int = 3

    def __post_init__(self) -> None:
        """Refuse impossible values.

        Raises:
            ParameterError: the confidence or the number of blocks is impossible.
        """
        if not 0.5 < self.confidence < 1.0:
            raise ParameterError(f"confidence cannot be {self.confidence:g}; it lies between 0.5 and 1")
        if self.fewest_blocks < 1:
            raise ParameterError(f"fewest_blocks cannot be {self.fewest_blocks}; the least is 1")

    def prunes(
        self,
        block_means: Sequence[float],
        reference: Belief,
        block_deviation: float,
        skewness: float = 0.0,
        greatest: float = inf,
    ) -> bool:
        """Return whether a trial with these blocks is certainly worse than ``reference``.

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
    reference: Belief,
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
    return off < float(stdtrit(min(freedom, _MANY), level)) * both


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


# --- search -------------------------------------------------------------------------------------------------------------
#
# The search: parallel trials, whose games are committed in order. At each commit the next one is asked for.
#
# A fixed number of trials is live. Their steps form a queue. Games are played in any order, but steps are taken from the
# queue in order. Each decision (prune a trial, ask the sampler for the next) depends only on the steps before it. So the
# study is a function of its definition and of its games: the same for any number of workers, interrupted or not. No worker
# waits for another as long as more trials are live than workers.


#: Times in a row that a sampler without knowledge of constraints may violate them.
_TRIES: Final = 100


class Problem(Protocol):
    """Problem of a search: the games of a configuration and their value."""

    configurations: Configurations
    games_per_trial: int  # at most
    bounds: tuple[float, float]  # of the values of blocks

    def begin(self, number: int, configuration: Configuration) -> tuple[int, list[list[Pairing]]]:
        """Return the agent's number in the ledger, and the games of trial ``number``, rung by rung."""

    def spec(self, configuration: Configuration) -> str:
        """Return the spec that a configuration stands for."""

    def values(self, agent: int, games: Sequence[PlayedGame]) -> Sequence[float] | None:
        """Return the value of each objective; None where no game counts."""

    def by_block(self, agent: int, games: Sequence[PlayedGame]) -> list[float]:
        """Return the first value in the games of each block; none if its error does not follow from them."""

    def prunes(self, trial: Trial) -> bool:
        """Say whether to prune a trial with rungs left."""

    def finished(self, trial: Trial, found: FinishedTrial, by_block: Sequence[float]) -> None:
        """Learn from a finished trial, from its results and from its values by block."""


class Search:
    """Spends a budget of games on configurations that a sampler asks for.

    Attributes:
        study: Optuna's, in memory.
        trials: those that have ended, in the order in which they did.
        games: how many games they have played.
        dropped: how many of them were pruned.
    """

    def __init__(
        self,
        problem: Problem,
        study: optuna.Study,
        queue: GameQueue,
        budget: int,
        live: int,
        callbacks: Sequence[Callback] = (),
    ) -> None:
        """Search with the sampler of ``study``, with ``live`` trials at once; ``callbacks`` are told of each that ends."""
        self.study = study
        self.trials: list[FinishedTrial] = []
        self.games = 0
        self.dropped = 0
        self._problem = problem
        self._queue = queue
        self._left = budget
        self._live = live
        self._line: deque[Trial] = deque()
        self._callbacks = callbacks
        self._is_ending = False
        study.stop = self.stop  # type: ignore[method-assign]  # Optuna's own is for its own loop

    @property
    def live(self) -> int:
        """Number of parallel trials."""
        return len(self._line)

    def stop(self) -> None:
        """Ask for no further trials: those in play are the last. Callbacks call it as ``study.stop()``."""
        self._is_ending = True

    def run(self, follow: Callable[[], None] = lambda: None) -> None:
        """Play until the budget is spent, and call ``follow`` after every step.

        Raises:
            StudyInterruptedError: the study was asked to stop.
        """
        self._fill()
        while self._line:
            trial = self._line.popleft()
            rung = trial.rungs.pop(0)
            trial.games += self._queue.take(rung)
            self.games += len(rung)
            if trial.rungs and not self._problem.prunes(trial):
                self._line_up(trial)
            else:
                self._end(trial)
            self._fill()
            follow()

    def _fill(self) -> None:
        """Ask for trials until enough are live or the budget has no room for another."""
        while not self._is_ending and len(self._line) < self._live and self._left >= self._problem.games_per_trial:
            trial = self._ask()
            self._left -= trial.planned
            self._line_up(trial)

    def _line_up(self, trial: Trial) -> None:
        self._queue.ask(trial.rungs[0])
        self._line.append(trial)

    def _ask(self) -> Trial:
        """Return a new trial with a configuration that meets the constraints."""
        for _try in range(_TRIES):
            asked = self.study.ask()
            configuration = self._problem.configurations.suggest(asked)
            if self._problem.configurations.is_valid(configuration):
                agent, rungs = self._problem.begin(asked.number, configuration)
                return Trial(asked, agent, configuration, rungs)
            self.study.tell(asked, state=TrialState.FAIL)
        raise ParameterError(
            f"the sampler found no configuration in {_TRIES} tries that meets the constraints; take another with --sampler"
        )

    def _end(self, trial: Trial) -> None:
        """Report the trial to the study, and return the unplayed games of a pruned trial to the budget."""
        self._left += trial.planned
        values = self._problem.values(trial.agent, trial.games)
        state = VOID if values is None else DROPPED if trial.rungs else COMPLETE
        played = sum(not game.record.void for game in trial.games)
        spec = self._problem.spec(trial.configuration)
        by_block = self._problem.by_block(trial.agent, trial.games)
        block_variance = variance(by_block) if len(by_block) > 1 else 0.0
        trial.optunas.set_user_attr(GAMES, played)
        trial.optunas.set_user_attr(BLOCKS, len(by_block))
        trial.optunas.set_user_attr(BLOCK_VARIANCE, block_variance)
        trial.optunas.set_user_attr("spec", spec)
        if values is None:
            told = self.study.tell(trial.optunas, state=TrialState.FAIL)
        elif state == DROPPED:
            if not trial.is_reported:
                trial.optunas.report(values[0], step=played)
            told = self.study.tell(trial.optunas, state=TrialState.PRUNED)
        else:
            told = self.study.tell(trial.optunas, list(values))
        found = FinishedTrial(
            trial.optunas.number,
            trial.agent,
            spec,
            trial.configuration,
            played,
            () if values is None else tuple(values),
            standard_error(by_block, self._problem.bounds),
            state,
            trial.planned,
            len(by_block),
            block_variance,
        )
        self.trials.append(found)
        self.dropped += state == DROPPED
        self._problem.finished(trial, found, by_block)
        for callback in self._callbacks:
            callback(self.study, told)
