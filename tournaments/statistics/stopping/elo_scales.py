"""Elo differences as scores of blocks.

Logistic Elo measures the mean: the odds of a point are 10^(elo / 400) times those at equal strength. For two players
that is the usual 1 / (1 + 10^(-elo / 400)). For one seat of n it is the chance of a Plackett-Luce player of that
strength to be first against n - 1 equal ones.

Normalised Elo measures signal to noise: (mean - par) / (standard deviation of a game), times 800 / ln 10 = 347.44, so
that the games a test needs do not depend on how often a game is drawn. Source: M. Van den Bergh, "Normalized Elo,
practical" (cantate.be/Fishtest).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from math import log, log1p, sqrt
from typing import Final

import scipy

from tag.errors import ParameterError
from tag.tournaments.statistics.intervals import Floats
from tag.tournaments.statistics.stopping.likelihood_ratios import with_mean, with_t_value
from tag.tournaments.statistics.stopping.outcomes import ELO_PER_LOGIT

#: Normalised Elo per standard deviation of a game.
NORMALIZED_ELO_PER_SIGMA: Final = 800.0 / log(10.0)


@dataclass(frozen=True, slots=True)
class EloScale(ABC):
    """A scale on which hypotheses and estimates are expressed.

    Attributes:
        par: the expected block score at equal strength: 1/2 for two players, 1/n for one seat of n.
    """

    par: float = 0.5

    def __post_init__(self) -> None:
        """Check that ``par`` can be a score at equal strength."""
        if not 0.0 < self.par < 1.0:
            raise ParameterError(f"par cannot be {self.par!r}; it lies between 0 and 1, 1/n for one seat of n")

    @abstractmethod
    def likeliest(self, values: Floats, observed: Floats, elo: float) -> Floats:
        """Return the likeliest probabilities of ``values``, seen with frequencies ``observed``, if ``elo`` is true."""

    @abstractmethod
    def score(self, elo: float, sigma: float) -> float:
        """Return the mean block score that ``elo`` stands for where block scores have standard deviation ``sigma``."""

    @abstractmethod
    def elo(self, score: float, sigma: float) -> float:
        """Return the Elo that a mean block score stands for; the inverse of `score`."""


@dataclass(frozen=True, slots=True)
class LogisticElo(EloScale):
    """The usual scale: log odds against equal strength, 400 for a factor of ten.

    >>> scale = LogisticElo()
    >>> round(scale.score(100.0, 0.5), 3), round(scale.elo(0.64, 0.5))
    (0.64, 100)
    """

    def likeliest(self, values: Floats, observed: Floats, elo: float) -> Floats:
        """See `EloScale.likeliest`: the mean is fixed."""
        return with_mean(values, observed, self.score(elo, 0.0))

    def score(self, elo: float, sigma: float) -> float:
        """See `EloScale.score`; independent of ``sigma``."""
        return float(scipy.special.expit(_logit(self.par) + elo / ELO_PER_LOGIT))

    def elo(self, score: float, sigma: float) -> float:
        """See `EloScale.elo`; infinite for scores that are not inside (0, 1)."""
        if not 0.0 < score < 1.0:
            return float("inf") if score > 0.5 else float("-inf")
        return ELO_PER_LOGIT * (_logit(score) - _logit(self.par))


@dataclass(frozen=True, slots=True)
class NormalizedElo(EloScale):
    """The scale of signal to noise.

    Attributes:
        games: the games of a block, over which its score is the mean: 2 for a pair.
    """

    games: int = 2

    def likeliest(self, values: Floats, observed: Floats, elo: float) -> Floats:
        """See `EloScale.likeliest`: the t-value of blocks, √games times that of a game, is fixed."""
        return with_t_value(values, observed, self.par, self._block_t(elo))

    def score(self, elo: float, sigma: float) -> float:
        """See `EloScale.score`."""
        return self.par + self._block_t(elo) * sigma

    def elo(self, score: float, sigma: float) -> float:
        """See `EloScale.elo`."""
        return (score - self.par) / sigma / sqrt(self.games) * NORMALIZED_ELO_PER_SIGMA

    def _block_t(self, elo: float) -> float:
        return sqrt(self.games) * elo / NORMALIZED_ELO_PER_SIGMA


def _logit(p: float) -> float:
    return log(p) - log1p(-p)
