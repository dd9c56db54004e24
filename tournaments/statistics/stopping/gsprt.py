r"""The generalised sequential probability ratio test on blocks.

Each block gives a score in [0, 1]: the mean points of one agent over the seatings of the block. The test continues
while the log-likelihood ratio of H1 to H0 lies between Wald's bounds

:math:`\ln(\beta / (1 - \alpha))` and :math:`\ln((1 - \beta) / \alpha)`,

each drawn in by its expected overshoot. Feed it blocks in schedule order only
(`tag.tournaments.statistics.stopping.release`). In the order of arrival, blocks that end soon are counted first, and the
test is unsound.

For two players, blocks are pairs of games and the test is fishtest's pentanomial one, to rounding. For one seat of n
it is the same test with par 1/n.

Measured on 2,000 tests of [0, 30] Elo with 5 % asked for, under either hypothesis
(`tests/tournaments/statistics/stopping/test_gsprt.py`): 4.9 and 4.7 % errors on the logistic scale, 4.8 and 4.5 % on the
normalised one. Tests that end after fewer than 100 blocks estimate their variance from little and may err by a point
more: 5.4 and 5.8 % of 5,000 tests of [0, 60].

Sources: A. Wald, Sequential Analysis, 1947; M. Van den Bergh's papers at cantate.be/Fishtest.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from math import log, sqrt
from typing import Final

from tag.errors import ParameterError
from tag.tournaments.statistics.intervals import Interval, IntervalEstimate
from tag.tournaments.statistics.stopping.after_stopping import score_after_stopping
from tag.tournaments.statistics.stopping.block_scores import EXTREMES, ScoreDistribution, mean_and_variance
from tag.tournaments.statistics.stopping.elo_scales import EloScale
from tag.tournaments.statistics.stopping.likelihood_ratios import log_likelihood_ratio
from tag.tournaments.statistics.stopping.overshoot import Overshoot

#: Hypotheses farther out, or nearer to each other, have scores that numbers of 53 bits cannot tell from 1 or from each
#: other. At 4,000 Elo one game in ten thousand million is lost; 0.01 Elo take a thousand million blocks to tell.
_FARTHEST: Final = 4000.0
_NEAREST: Final = 0.01
_ROUNDING: Final = 1e-9


class Decision(Enum):
    """The decision of a test."""

    GO_ON = "go on"
    ACCEPT_H0 = "accept H0"
    ACCEPT_H1 = "accept H1"


class Gsprt:
    """One test, from the first block to the decision.

    >>> from tag.tournaments.statistics.stopping.elo_scales import LogisticElo
    >>> test = Gsprt(LogisticElo(), elo0=0.0, elo1=60.0)
    >>> while test.decision is Decision.GO_ON:
    ...     decision = test.add([0.75])
    >>> test.decision.name, test.blocks
    ('ACCEPT_H1', 19)
    """

    def __init__(
        self,
        scale: EloScale,
        elo0: float,
        elo1: float,
        alpha: float = 0.05,
        beta: float = 0.05,
        classes: Iterable[float] = EXTREMES,
    ) -> None:
        """Start a test.

        Args:
            scale: logistic or normalised Elo, with the par of the game.
            elo0: H0, which is accepted wrongly with probability ``beta`` where elo1 is true;
                from -4,000 to 4,000.
            elo1: H1, which is accepted wrongly with probability ``alpha`` where elo0 is true;
                at least 0.01 above elo0, up to 4,000.
            alpha: the error of the first kind.
            beta: the error of the second kind.
            classes: see `ScoreDistribution`; `PENTANOMIAL` for pairs of games.

        Raises:
            ParameterError: elo1 is not above elo0, a hypothesis is too far, or the two errors together are impossible.
        """
        if not elo0 < elo1:
            raise ParameterError(f"elo1 cannot be {elo1:g}; it is greater than elo0, {elo0:g}")
        for name, elo in (("elo0", elo0), ("elo1", elo1)):
            if abs(elo) > _FARTHEST:
                side, end = ("greatest", _FARTHEST) if elo > 0.0 else ("least", -_FARTHEST)
                raise ParameterError(f"{name} cannot be {elo:g}; the {side} is {end:g}")
        if elo1 - elo0 < _NEAREST - _ROUNDING:
            raise ParameterError(
                f"elo1 cannot be {elo1:.12g}; the least above elo0, {elo0:g}, is {elo0 + _NEAREST:.12g}"
            )
        if not (alpha > 0.0 and beta > 0.0 and alpha + beta < 1.0):
            raise ParameterError(
                f"alpha and beta cannot be {alpha:g} and {beta:g}; both are positive, their sum is below 1"
            )
        self.scale = scale
        self.elo0 = elo0
        self.elo1 = elo1
        self.lower = log(beta) - log(1.0 - alpha)
        self.upper = log(1.0 - beta) - log(alpha)  # no quotient, which a tiny alpha makes infinite
        self.decision = Decision.GO_ON
        self._scores = ScoreDistribution(classes)
        self._llr = 0.0
        self._below = Overshoot()
        self._above = Overshoot()

    def add(self, scores: Iterable[float], share: float = 1.0, *, decides: bool = True) -> Decision:
        """Count the next blocks, look once, and return the decision.

        Args:
            scores: of the next blocks in schedule order: one block per look, or at least equally many at each.
            share: of all blocks so far those that count, as others repeat them (`tag.tournaments.statistics.repeats`).
            decides: whether the test may end with them; not if they only repeat others.

        Raises:
            ParameterError: a score is not in [0, 1].
        """
        if self.decision is not Decision.GO_ON:
            return self.decision
        for score in scores:
            self._scores.add(score)
        self._scores.share = share
        self._llr = self._ratio() if self.blocks else 0.0
        if not decides:
            return self.decision
        self._below.see(-self._llr)
        self._above.see(self._llr)
        lower, upper = self.corrected_bounds
        if self._llr < lower:
            self.decision = Decision.ACCEPT_H0
        elif self._llr > upper:
            self.decision = Decision.ACCEPT_H1
        return self.decision

    @property
    def blocks(self) -> int:
        """The blocks that count."""
        return self._scores.blocks

    @property
    def llr(self) -> float:
        """The log-likelihood ratio of H1 to H0, exact, in nats."""
        return self._llr

    @property
    def corrected_bounds(self) -> tuple[float, float]:
        """Wald's bounds, each drawn in by the overshoot expected over it where that is small."""
        return self.lower + self._below.correction(-self.lower), self.upper - self._above.correction(self.upper)

    def estimate(self, confidence: float = 0.95) -> IntervalEstimate:
        """Return the Elo difference on the scale of the test; before the decision, as if the test ended now.

        It is as often too high as too low, in spite of the stopping. Without a bound it is infinite.

        Raises:
            ParameterError: there is no block yet.
        """
        if not self.blocks:
            raise ParameterError("an estimate needs at least 1 block, not 0")
        mean, variance, blocks = self._moments()
        found = score_after_stopping(
            (self.lower, self.upper), self._hypotheses(variance), mean, variance, blocks, confidence
        )
        sigma = sqrt(variance)
        elo, low, high = (self.scale.elo(score, sigma) for score in (found.value, *found.interval))
        return IntervalEstimate(elo, Interval(low, high))

    def _ratio(self) -> float:
        counts = self._scores.counts
        values, observed = self._scores.values, counts / counts.sum()
        p0, p1 = (self.scale.likeliest(values, observed, elo) for elo in (self.elo0, self.elo1))
        return log_likelihood_ratio(counts, p0, p1)

    def _moments(self) -> tuple[float, float, float]:
        """Return the mean and the variance of the block scores, and the number of blocks, empty classes included."""
        counts = self._scores.counts
        mean, variance = mean_and_variance(self._scores.values, counts / counts.sum())
        return mean, variance, float(counts.sum())

    def _hypotheses(self, variance: float) -> tuple[float, float]:
        sigma = sqrt(variance)
        return self.scale.score(self.elo0, sigma), self.scale.score(self.elo1, sigma)
