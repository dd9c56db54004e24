"""Gains in several games, each with its interval, and together: games are fixed, their blocks are random.

The gain of all is a weighted mean of those of the games. Its variance is the sum of theirs, so that what differs between
games widens no interval. It has Student's law, with the degrees of freedom of Welch and Satterthwaite.

The deviation of a game's blocks is made wider by an artificial half block, as far from no difference as the farthest block
seen (`tag.tuning.validation`): a few equal blocks have not shown their tails yet. Blocks without any difference have the
bound of Clopper and Pearson for what they can miss. The interval of one game is the wider of this and the one for skewed
values: in some games few deals are decided otherwise.

The worst gain is better than 0 where each game's is (R. Berger, "Multiparameter hypothesis testing and acceptance sampling",
Technometrics 24, 1982): no correction is needed for that. For its upper end there is one.

Sources: W. Cochran, Sampling Techniques, third edition, 1977, sections 5.4 and 5.9; F. Satterthwaite, Biometrics Bulletin 2,
1946.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import sqrt

import numpy as np
import scipy

from tag.tournaments.statistics.clustered_means import are_equal
from tag.tournaments.statistics.intervals import CONFIDENCE, Floats, Interval
from tag.tournaments.statistics.skewed_means import skewed_interval
from tag.tuning.validation import block_variance, of_equals

#: The greatest difference of points.
_MOST = 1.0


@dataclass(frozen=True)
class MeanGain:
    """A mean gain with its standard error and degrees of freedom.

    Attributes:
        blocks: the differences of one game's blocks, shape (blocks,); None where these are all equal, or of several games.
    """

    mean: float
    error: float
    freedom: float
    blocks: Floats | None = field(default=None, compare=False, repr=False)

    def interval(self, confidence: float = CONFIDENCE) -> Interval:
        """Return the interval, within what differences of points can be."""
        half = float(scipy.special.stdtrit(self.freedom, 0.5 * (1.0 + confidence))) * self.error
        low, high = self.mean - half, self.mean + half
        if self.blocks is not None:
            skewed = skewed_interval(self.blocks, confidence)
            low, high = min(low, skewed.low), max(high, skewed.high)
        return Interval(max(low, -_MOST), min(high, _MOST))

    def p_value(self) -> float:
        """Return the two-sided probability of such a gain where there is none."""
        return min(1.0, 2.0 * float(scipy.special.stdtr(self.freedom, -abs(self.mean) / self.error)))


def gain_of(differences: Floats) -> MeanGain:
    """Return the mean gain of the blocks of a game, shape (blocks,), of which there are two at least."""
    blocks, farthest = len(differences), float(np.abs(differences).max())
    mean = float(differences.mean())
    if farthest == 0.0:
        reach, _p_value = of_equals(0.0, blocks, 1.0 - CONFIDENCE, _MOST)
        return MeanGain(
            mean, reach.half / float(scipy.special.stdtrit(blocks - 1.0, 0.5 * (1.0 + CONFIDENCE))), blocks - 1.0
        )
    variance = block_variance(float(differences.sum()), float((differences**2).sum()), farthest, blocks)
    return MeanGain(mean, sqrt(variance / blocks), blocks - 1.0, None if are_equal(differences) else differences)


def together(gains: Sequence[MeanGain], shares: Sequence[float]) -> MeanGain:
    """Return the gain over all games, of which each has its share."""
    parts = [(share * gain.error) ** 2 for share, gain in zip(shares, gains, strict=True)]
    freedom = sum(parts) ** 2 / sum(part**2 / gain.freedom for part, gain in zip(parts, gains, strict=True))
    return MeanGain(
        sum(share * gain.mean for share, gain in zip(shares, gains, strict=True)), sqrt(sum(parts)), freedom
    )


def at_once(gains: Sequence[MeanGain], tables: int = 1) -> list[Interval]:
    """Return the intervals of the games, which hold together in 95 % of cases, also in so many tables (Bonferroni)."""
    return [gain.interval(1.0 - (1.0 - CONFIDENCE) / len(gains) / tables) for gain in gains]


def worst(gains: Sequence[MeanGain]) -> tuple[float, Interval]:
    """Return the least gain, and the interval of the least true one.

    The least that was seen is too low on average; the interval allows for that.
    """
    low, high = min(gain.interval().low for gain in gains), min(interval.high for interval in at_once(gains))
    return min(gain.mean for gain in gains), Interval(low, high)
