"""Validation: the test of whether the recommendation is better than the default, on blocks that the search has not seen.

`ValidationPlan` computes beforehand what so many blocks can show; `Validation` is the test, block by block.
`tag.tuning.agent.comparisons.comparison` plays it. Panels with another value than the mean have theirs in
`tag.tuning.agent.comparisons.panels`.

Stopping rule of a validation: Wald's bounds for a test with a limited number of blocks, and a final cut.

The level a is two-sided, so that the verdict and the interval with confidence 1 - a agree: "better" is claimed exactly
where that interval lies above 0, and falsely with a probability of at most a/2.

B(t) is the sum of the differences, divided by their deviation and by the square root of the planned blocks; t is the
share of these that has been played. Then B is a Brownian motion with a drift. With the drift Δ = z(1 - a/2) + z(0.8), the
planned blocks would have a power of 80 % without looks before the end. As long as there are blocks, the log-likelihood
ratio of Δ to 0,

    L(t) = Δ B(t) - Δ² t / 2,

runs between Wald's bounds, for a share of a/2 and for a miss of 10 %. If the blocks end first, the decision is "better"
above a cut, which uses the part of a/2 that the bounds leave. All probabilities are those of
`tag.tournaments.statistics.stopping.gsprt`. A tenth of the level stays unused, as a margin for the normal law: block
differences are discrete, and their deviation is an estimate.

Sources: A. Wald, Sequential Analysis, 1947; D. Siegmund, Sequential Analysis, 1985, chapter 3 (truncated tests).

The deviation of the blocks is estimated on the way, which makes early statistics too extreme for two reasons: the
estimate is rough, and a discrete value may not have shown its tails yet. So Student's t is turned into the normal z of
the same probability. An artificial block of half weight is added to the blocks seen, on either side alike. It lies as far
from no difference as the farthest block seen. Blocks without any difference then say nothing, and a run of equal ones no
more than a run of coins that fall alike.

Measured on 1,000 studies each (`tests/tuning/search/test_validation.py`): see the page on tuning.

Sources: C. Jennison and B. W. Turnbull, Group Sequential Methods with Applications to Clinical Trials, 2000, section
4.4 (t by its significance); D. Siegmund, "Estimation following sequential tests", Biometrika 65, 1978; C. J. Clopper
and E. S. Pearson, Biometrika 26, 1934 (bounds for the rate of unseen events).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import inf, isfinite, isinf, log, sqrt
from typing import Final, Literal

import numpy as np
import scipy

from tag.errors import ParameterError
from tag.tournaments.statistics.clustered_means import are_equal
from tag.tournaments.statistics.intervals import Interval
from tag.tournaments.statistics.skewed_means import skewed_interval, skewed_p_value
from tag.tournaments.statistics.stopping.after_stopping import score_after_stopping, worse_outcome
from tag.tournaments.statistics.stopping.likelihood_ratios import normal_log_likelihood_ratio
from tag.tuning.study.definition import FEWEST_BLOCKS, FEWEST_SCORES


def win_rate_deviation(win_rate: float, games: int, correlation: float | None = None) -> float:
    """Return the standard deviation of a block of win rates, its games taken as independent tosses.

    Args:
        win_rate: between 0 and 1.
        games: of a block, on each side.
        correlation: between the two sides of a paired block, whose value is their difference; None where the value is
            the win rate of one side.

    Raises:
        ParameterError: a win rate, a number of games or a correlation that cannot be.
    """
    if not 0.0 < win_rate < 1.0:
        raise ParameterError(f"win_rate cannot be {win_rate:g}; it lies between 0 and 1")
    if games < 1:
        raise ParameterError(f"games cannot be {games}; the least is 1")
    if correlation is not None and not -1.0 <= correlation < 1.0:
        raise ParameterError(f"correlation cannot be {correlation:g}; it is at least -1 and below 1")
    sides = 1.0 if correlation is None else 2.0 * (1.0 - correlation)
    return sqrt(sides * win_rate * (1.0 - win_rate) / games)


#: Share of the level that is used, by the decision and by the interval alike.
USED: Final = 0.9
#: Power without early looks, which sets the drift Δ.
_POWER: Final = 0.8
#: Share of that power that Wald's lower bound misses.
_MISS: Final = 0.1
#: Share of the level for Wald's upper bound; the rest is for the cut.
_EARLY_SHARE: Final = 0.8
#: Greatest level of a test.
_HIGHEST_LEVEL: Final = 0.25


@dataclass(frozen=True, slots=True)
class Boundaries:
    """The bounds of the log-likelihood ratio, in nats.

    Attributes:
        drift: Δ.
        lower: at or below it, the decision is "not better".
        upper: at or above it, "better".
        cut: when the blocks end, at or above it "better", below it "not better".
    """

    drift: float
    lower: float
    upper: float
    cut: float

    def worse(self, drift: float, time: float, place: float) -> float:
        """Return the probability of a worse outcome than L = ``place`` at ``time`` where ``drift`` is true.

        Outcomes are ordered as in `worse_outcome`. The place is clipped to the bounds; where L has jumped past one, the
        time is when it was there had it gone straight.

        Args:
            drift: of B, per unit of time.
            time: the share of the planned blocks, positive.
            place: of L.
        """
        clipped = min(max(place, self.lower), self.upper)
        when = time * clipped / place if place else time
        speed = self.drift * (drift - 0.5 * self.drift)
        return worse_outcome(self.lower, self.upper, speed, self.drift**2, when, clipped)

    def power(self, drift: float) -> float:
        """Return the probability of "better" where ``drift`` is true."""
        return 1.0 - self.worse(drift, 1.0, self.cut)

    def p_value(self, time: float, place: float) -> float:
        """Return the two-sided level at which the interval of an outcome of L = ``place`` at ``time`` would end at 0."""
        worse = self.worse(0.0, time, place)
        return min(1.0, 2.0 * min(worse, 1.0 - worse) / USED)

    def still_runs(self, drift: float, time: float) -> float:
        """Return the probability that neither bound has been met by ``time`` where ``drift`` is true."""
        return self.worse(drift, time, self.upper) - self.worse(drift, time, self.lower)


@cache
def boundaries(level: float) -> Boundaries:
    """Return the boundaries of a test of a two-sided level; `ParameterError` where it is impossible."""
    if not 0.0 < level <= _HIGHEST_LEVEL:
        raise ParameterError(f"level cannot be {level:g}; it is above 0 and at most {_HIGHEST_LEVEL:g}")
    used = 0.5 * USED * level
    drift = float(scipy.special.ndtri(1.0 - used) + scipy.special.ndtri(_POWER))
    lower, upper = log(_MISS / (1.0 - used)), log((1.0 - _MISS) / (_EARLY_SHARE * used))
    uncut = Boundaries(drift, lower, upper, upper)
    cut = scipy.optimize.brentq(lambda place: 1.0 - uncut.worse(0.0, 1.0, place) - used, lower, upper)
    return Boundaries(drift, lower, upper, float(cut))


#: Number of parts of the time in the sum for the expected number of blocks.
_PARTS: Final = 200


@dataclass(frozen=True, slots=True)
class ValidationPlan:
    """A test of so many blocks at most.

    Effects and deviations are of block values: differences of win rates, say. The deviation of a block follows from
    how it is played (`tag.tuning.validation.win_rate_deviation`).

    Attributes:
        blocks: at most; the test stops earlier where it can.
        level: two-sided; at most half of it is the probability of "better" where nothing is better.

    >>> from tag.tuning.validation import win_rate_deviation
    >>> plan = ValidationPlan(blocks=500)
    >>> deviation = win_rate_deviation(0.5, games=2)
    >>> f"{plan.power(0.05, deviation):.2f} after {2 * plan.expected_blocks(0.05, deviation):.0f} games"
    '0.85 after 634 games'
    """

    blocks: int
    level: float = 0.05

    def __post_init__(self) -> None:
        if self.blocks < FEWEST_BLOCKS:
            raise ParameterError(f"a validation cannot have {self.blocks} blocks; the least is {FEWEST_BLOCKS}")
        boundaries(self.level)

    @property
    def boundaries(self) -> Boundaries:
        """The stopping boundaries."""
        return boundaries(self.level)

    def power(self, effect: float, deviation: float) -> float:
        """Return the probability of "better" where ``effect`` is true."""
        return self.boundaries.power(effect / self._unit(deviation))

    def expected_blocks(self, effect: float, deviation: float) -> float:
        """Return how many blocks are played on average where ``effect`` is true."""
        drift = effect / self._unit(deviation)
        middles = (np.arange(_PARTS) + 0.5) / _PARTS
        share = float(np.mean([self.boundaries.still_runs(drift, time) for time in middles.tolist()]))
        return max(self.blocks * share, float(FEWEST_BLOCKS))

    def detectable(self, deviation: float, power: float = 0.8) -> float:
        """Return the least effect that is called "better" with probability ``power``."""
        if not self.level < power < 1.0:
            raise ParameterError(f"power cannot be {power:g}; it lies between the level, {self.level:g}, and 1")
        most = 2.0
        while self.boundaries.power(most) < power:
            most *= 2.0
        drift = float(scipy.optimize.brentq(lambda drift: self.boundaries.power(drift) - power, 0.0, most))
        return drift * self._unit(deviation)

    def _unit(self, deviation: float) -> float:
        """Return the effect that makes a drift of 1."""
        if not deviation > 0.0:
            raise ParameterError(f"deviation cannot be {deviation:g}; it is greater than 0")
        return deviation / sqrt(self.blocks)


ValidationDecision = Literal["better", "not better"]

#: The weight of the artificial block beside those seen.
_MADE_UP: Final = 0.5
#: Smaller probabilities count as this one, whose normal quantile is still finite.
_LEAST: Final = 1e-300


@dataclass(frozen=True, slots=True)
class ValidationResult:
    """Results of a validation.

    Attributes:
        mean: of the block differences; exaggerated by the stopping.
        difference: the mean corrected for the stopping: as often too high as too low.
        low: the lower end of the interval, which holds in spite of it; above 0 exactly where the decision is "better".
            If no block made a difference, the greatest difference that so many blocks can miss. Infinite where blocks
            are too few for scores.
        high: the upper end.
        p_value: two-sided; at most the level exactly where the interval leaves 0 out, and no claim before the decision;
            1 where no block made a difference.
        blocks: those that count.
        games: of the recommendation in them.
        decision: None while undecided.
    """

    mean: float
    difference: float
    low: float
    high: float
    p_value: float
    blocks: int
    games: int
    decision: ValidationDecision | None


def is_too_short(blocks: int, most: float) -> bool:
    """Say whether so many blocks show nothing, as differences up to ``most`` are too rare or too wide for them."""
    return blocks < (FEWEST_SCORES if isinf(most) else 2)


def of_equals(difference: float, blocks: int, level: float, most: float) -> tuple[Interval, float]:
    """Return the interval and the p value of blocks that all made the same difference.

    At most a share q = 1 - (level / 2)^(1/blocks) of all blocks makes another (Clopper and Pearson). It is taken to lie as
    far on the other side of 0, or where there is no difference as far as ``most``.
    """
    missed = 1.0 - (0.5 * level) ** (1.0 / blocks)
    reach = missed * (2.0 * abs(difference) if difference else most)
    return Interval(difference - reach, difference + reach), 2.0 ** (1 - blocks) if difference else 1.0


def block_variance(total: float, squares: float, farthest: float, blocks: int) -> float:
    """Return the variance of a block's difference about their mean, with an artificial block beside those seen.

    Args:
        total: the sum of the differences.
        squares: the sum of their squares.
        farthest: the greatest difference, either way.
        blocks: how many there are.
    """
    n = blocks + _MADE_UP
    mean = total / n
    return (squares + _MADE_UP * farthest**2 - n * mean * mean) / (n - 1.0) * n / blocks


class Validation:
    """One test, from the first block to the decision.

    Feed it block differences in schedule order only (`tag.tournaments.statistics.stopping.release`): the value of the
    recommendation minus that of the default on the same block, or minus what symmetry says of the default.

    Attributes:
        plan: how many blocks, and the level.
        games_per_block: of the recommendation.
        most: the greatest difference that a block can make; infinite for scores, which are judged once, at the end.
        blocks: those that count.
        decision: so far; once made it is final, and later blocks do not count.

    >>> validation = Validation(blocks_at_most=100, games_per_block=2, most=1.0)
    >>> for difference in [0.5, 0.5, 0.0, 0.5] * 25:
    ...     decision = validation.add(difference)
    >>> validation.decision, validation.blocks
    ('better', 16)
    """

    def __init__(self, blocks_at_most: int, games_per_block: int, level: float = 0.05, most: float = inf) -> None:
        """Begin without blocks; `ParameterError` where there are too few blocks or games, or the level is impossible."""
        if games_per_block < 1:
            raise ParameterError(f"games_per_block cannot be {games_per_block}; the least is 1")
        self.plan = ValidationPlan(blocks_at_most, level)
        self.games_per_block = games_per_block
        self.most = most
        self.blocks = 0
        self.decision: ValidationDecision | None = None
        self._sum = 0.0
        self._squares = 0.0
        self._farthest = 0.0
        self._scores: list[float] = []

    def add(self, difference: float) -> ValidationDecision | None:
        """Count the next block and return the decision; `ParameterError` where the difference is not a finite number."""
        if not isfinite(difference):
            raise ParameterError(f"difference cannot be {difference}; it is a finite number")
        if self.decision is None:
            self.blocks += 1
            self._sum += difference
            self._squares += difference * difference
            self._farthest = max(self._farthest, abs(difference))
            if isinf(self.most):
                self._scores.append(difference)
            self.decision = self._judged()
        return self.decision

    def result(self) -> ValidationResult:
        """Return the results so far; before the decision, as if the test ended now.

        The confidence of the interval is 1 minus the level of the plan, at least: 95 % with the usual level.

        Raises:
            ParameterError: there is no block yet.
        """
        if not self.blocks:
            raise ParameterError("a result needs at least 1 block, not 0")
        mean, deviation = self._sum / self.blocks, self._deviation()
        played = self.blocks, self.blocks * self.games_per_block, self.decision
        if isinf(self.most):
            interval, p_value = self._of_scores()
            return ValidationResult(mean, mean, interval.low, interval.high, p_value, *played)
        if not deviation:
            interval, p_value = of_equals(0.0, self.blocks, self.plan.level, self.most)
            return ValidationResult(0.0, 0.0, interval.low, interval.high, p_value, *played)
        bounds, blocks, confidence = self.plan.boundaries, float(self.blocks), 1.0 - USED * self.plan.level
        scores = 0.0, self._alternative(deviation)
        found = score_after_stopping((bounds.lower, bounds.upper), scores, mean, deviation**2, blocks, confidence)
        p_value = bounds.p_value(self.blocks / self.plan.blocks, self._log_likelihood_ratio())
        median, low, high = (min(max(end, -self.most), self.most) for end in (found.value, *found.interval))
        return ValidationResult(mean, median, low, high, p_value, *played)

    def _judged(self) -> ValidationDecision | None:
        is_last = self.blocks == self.plan.blocks
        if isinf(self.most):
            return ("better" if self._of_scores()[0].low > 0.0 else "not better") if is_last else None
        if self.blocks < FEWEST_BLOCKS:
            return None
        bounds, ratio = self.plan.boundaries, self._log_likelihood_ratio()
        if ratio >= (bounds.cut if is_last else bounds.upper):
            return "better"
        return "not better" if is_last or ratio <= bounds.lower else None

    def _of_scores(self) -> tuple[Interval, float]:
        """Return the interval of the mean of scores and its p value, from all blocks so far and one look."""
        scores, level = np.array(self._scores), self.plan.level
        if is_too_short(self.blocks, self.most):
            return Interval(-inf, inf), 1.0
        if are_equal(scores):
            return of_equals(self._scores[0], self.blocks, level, self.most)
        return skewed_interval(scores, 1.0 - level), skewed_p_value(scores)

    def _log_likelihood_ratio(self) -> float:
        """Return L; without any difference, that of a sum of 0 with any deviation."""
        deviation = self._deviation() or 1.0
        return normal_log_likelihood_ratio(
            self.blocks, self._sum / self.blocks, deviation**2, 0.0, self._alternative(deviation)
        )

    def _alternative(self, deviation: float) -> float:
        """Return the difference that makes the drift Δ."""
        return self.plan.boundaries.drift * deviation / sqrt(self.plan.blocks)

    def _deviation(self) -> float:
        """Return the deviation of a block that makes the mean as many standard errors as its t is worth."""
        plain = sqrt(block_variance(self._sum, self._squares, self._farthest, self.blocks))
        if not plain:
            return 0.0
        t = abs(self._sum) / (plain * sqrt(self.blocks))
        z = -float(scipy.special.ndtri(max(scipy.special.stdtr(self.blocks + _MADE_UP - 1.0, -t), _LEAST)))
        return plain * t / z if z > 0.0 else plain  # a sum of 0 but for rounding
