"""Racing: pruning of trials that are certainly worse than the reference.

A trial plays its blocks in rungs and is judged after each but the last. It is pruned when, by the beliefs about its
value and the reference's, it is unlikely to be at least as good:

    P(value ≥ reference | blocks) < 1 - confidence

The belief about the value rests on its blocks alone. Their deviation is judged twice, and both must agree:

- By the other trials of the study. Their deviation counts as so many blocks. So a few blocks that are equal by chance do
  not look certain.
- By the trial's own blocks, with Student's t, as they may differ more than those of others. An artificial half block is
  added, as far from their mean as a block can be: without it, six lost deals say that the trial never wins. Where values
  have no bound, the skewness of the study's blocks is allowed for. A trial without its rare high values so far looks
  worse than it is.

The reference is the model's belief about its recommendation (or the default agent), never the luckiest trial at face
value: against the best of thirty equals, an equal seems hopeless.

Guarantees: a posterior probability stays the same however often it is looked at. So of the trials pruned at most a share
of 1 - confidence is as good as the reference. This holds if the belief about the reference is right, and if values above
it are no commoner among trials than values below. The second guarantee is for one trial, with any other trials: with the
four looks that `rungs` makes of 200 games, one that equals the reference is pruned with a probability of at most 8 %.
This also holds where its blocks differ twice or three times as much as those of others, or each deal decides all of its
games (`tests/tuning/search/test_racing.py`).

Source: A. Gelman and others, Bayesian Data Analysis, third edition, 2013, sections 3.3 and 8.5; for two variances B. L.
Welch, "The generalization of 'Student's' problem", Biometrika 34, 1947; for skewness P. Hall, "On the removal of
skewness by transformation", Journal of the Royal Statistical Society B 54, 1992.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot, inf, isinf, sqrt
from statistics import fmean
from typing import Final

import numpy as np
import scipy

from tag.errors import ParameterError


class BlockMoments:
    """Deviation and skewness of the blocks of a configuration, pooled over trials, from so many free deviations.

    >>> moments = BlockMoments()
    >>> moments.add([0.0, 0.5, 1.0])
    >>> moments.deviation, moments.skewness
    (0.5, 0.0)
    """

    def __init__(self) -> None:
        self.freedom = 0
        self._squares = self._cubes = self._free_cubes = 0.0

    def add(self, by_block: Sequence[float]) -> None:
        """Count the values of the blocks of a trial."""
        blocks = len(by_block)
        if blocks < 2:
            return
        mean = fmean(by_block)
        self.freedom += blocks - 1
        self._squares += sum((value - mean) ** 2 for value in by_block)
        self._cubes += sum((value - mean) ** 3 for value in by_block)
        self._free_cubes += (blocks - 1) * (blocks - 2) / blocks

    @property
    def deviation(self) -> float:
        """The standard deviation, 0 without blocks."""
        return sqrt(self._squares / max(self.freedom, 1))

    @property
    def skewness(self) -> float:
        """The third central moment in units of the deviation, 0 where it is not known."""
        deviation = self.deviation
        return self._cubes / self._free_cubes / deviation**3 if self._free_cubes and deviation else 0.0


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


def rungs(games_per_trial: int, block_games: int, fewest_games: int = 8, least: int = 1) -> tuple[int, ...]:
    """Return after how many blocks, counted from the first, a trial is judged: doubling, the last is the whole trial.

    Args:
        games_per_trial: rounded down to whole blocks, of which there is at least one.
        block_games: the games of a block.
        fewest_games: of the first rung.
        least: the fewest blocks of the first rung.

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
    while found[-1] // 2 * block_games >= fewest_games and found[-1] // 2 >= least:
        found.append(found[-1] // 2)
    return tuple(reversed(found))
