"""The test that follows a plan: block by block, better than the default or not.

The deviation of the blocks is estimated on the way, which makes early statistics exaggerate twice: the estimate is
rough, and a discrete value may not have shown its tails yet. So Student's t is turned into the normal z of the same
probability, and beside the blocks seen counts a made-up one of half weight, as far from no difference as the farthest
seen, on either side alike. Blocks without any difference then say nothing, and a run of equal ones no more than a run
of coins that fall alike.

Measured on 1,000 studies each (`tests/tuning/test_validation.py`): see the page on tuning.

Sources: C. Jennison and B. W. Turnbull, Group Sequential Methods with Applications to Clinical Trials, 2000,
section 4.4 (t by its significance); D. Siegmund, "Estimation following sequential tests", Biometrika 65, 1978; C. J.
Clopper and E. S. Pearson, Biometrika 26, 1934 (how often may be what has not been seen).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, isfinite, sqrt
from typing import Final, Literal

from scipy.special import ndtri, stdtr

from tag.errors import ParameterError
from tournaments.stopping.estimate import score_after_stopping
from tournaments.stopping.likelihood import normal_log_likelihood_ratio
from tuning.validation.boundaries import USED
from tuning.validation.plan import FEWEST_BLOCKS, ValidationPlan

ValidationDecision = Literal["better", "not better"]

#: The weight of the block that is made up beside those seen.
_MADE_UP: Final = 0.5
#: Smaller probabilities count as this one, whose normal quantile is still finite.
_LEAST: Final = 1e-300


@dataclass(frozen=True, slots=True)
class ValidationResult:
    """What a validation says.

    Attributes:
        mean: of the block differences; exaggerated by the stopping.
        difference: the same, as often too high as too low in spite of the stopping.
        low: the lower end of the interval, which holds in spite of it; above 0 exactly where the decision is "better".
            Where no block made a difference, what so many blocks can have missed.
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


class Validation:
    """One test, from the first block to the decision.

    Feed it block differences in schedule order only (`tournaments.stopping.release`): the value of the recommendation
    minus that of the default on the same block, or minus what symmetry says of the default.

    Attributes:
        plan: how many blocks, and the level.
        games_per_block: of the recommendation.
        most: the greatest difference that a block can make.
        blocks: those that count.
        decision: so far; once made it stands, and later blocks do not count.

    >>> validation = Validation(blocks_at_most=100, games_per_block=2)
    >>> for difference in [0.5, 0.5, 0.0, 0.5] * 25:
    ...     decision = validation.add(difference)
    >>> validation.decision, validation.blocks
    ('better', 16)
    """

    def __init__(self, blocks_at_most: int, games_per_block: int, level: float = 0.05, most: float = inf) -> None:
        """Begin without blocks.

        Raises:
            ParameterError: too few blocks or games, or a level that cannot be.
        """
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

    def add(self, difference: float) -> ValidationDecision | None:
        """Count the next block and return the decision.

        Raises:
            ParameterError: the difference is not a finite number.
        """
        if not isfinite(difference):
            raise ParameterError(f"difference cannot be {difference}; it is a finite number")
        if self.decision is None:
            self.blocks += 1
            self._sum += difference
            self._squares += difference * difference
            self._farthest = max(self._farthest, abs(difference))
            self.decision = self._judged()
        return self.decision

    def result(self) -> ValidationResult:
        """Return what is known; before the decision, as if the test ended now.

        The confidence of the interval is 1 minus the level of the plan, at least: 95 % with the usual level.

        Raises:
            ParameterError: there is no block yet.
        """
        if not self.blocks:
            raise ParameterError("a result needs at least 1 block, not 0")
        mean, deviation = self._sum / self.blocks, self._deviation()
        played = self.blocks, self.blocks * self.games_per_block, self.decision
        if not deviation:
            unseen = self.most * (1.0 - (0.5 * self.plan.level) ** (1.0 / self.blocks))
            return ValidationResult(0.0, 0.0, -unseen, unseen, 1.0, *played)
        bounds, blocks, confidence = self.plan.boundaries, float(self.blocks), 1.0 - USED * self.plan.level
        scores = 0.0, self._alternative(deviation)
        found = score_after_stopping((bounds.lower, bounds.upper), scores, mean, deviation**2, blocks, confidence)
        p_value = bounds.p_value(self.blocks / self.plan.blocks, self._log_likelihood_ratio())
        median, low, high = (min(max(end, -self.most), self.most) for end in (found.median, found.low, found.high))
        return ValidationResult(mean, median, low, high, p_value, *played)

    def _judged(self) -> ValidationDecision | None:
        is_last = self.blocks == self.plan.blocks
        if self.blocks < FEWEST_BLOCKS:
            return None
        bounds, ratio = self.plan.boundaries, self._log_likelihood_ratio()
        if ratio >= (bounds.cut if is_last else bounds.upper):
            return "better"
        return "not better" if is_last or ratio <= bounds.lower else None

    def _log_likelihood_ratio(self) -> float:
        """Return L; without any difference, as of a sum of 0 at whatever deviation."""
        deviation = self._deviation() or 1.0
        return normal_log_likelihood_ratio(
            self.blocks, self._sum / self.blocks, deviation**2, 0.0, self._alternative(deviation)
        )

    def _alternative(self, deviation: float) -> float:
        """Return the difference that makes the drift Δ."""
        return self.plan.boundaries.drift * deviation / sqrt(self.plan.blocks)

    def _deviation(self) -> float:
        """Return the deviation of a block that makes the mean as many standard errors as its t is worth."""
        n = self.blocks + _MADE_UP
        mean = self._sum / n
        squares = self._squares + _MADE_UP * self._farthest**2 - n * mean * mean
        plain = sqrt(squares / (n - 1.0) * n / self.blocks)
        if not plain:
            return 0.0
        t = abs(self._sum) / (plain * sqrt(self.blocks))
        z = -float(ndtri(max(stdtr(n - 1.0, -t), _LEAST)))
        return plain * t / z if z > 0.0 else plain  # a sum of 0 but for rounding
