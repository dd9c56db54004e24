"""Validation against a panel whose value is not the mean over opponents: intervals, and a test of all planned blocks.

A panel's value is a function of the means against several opponents, such as their minimum. Its error follows from
resamples of the blocks, in which all opponents and both sides share their luck.

A minimum bends where two means are equal, and there resamples alone are wrong: they see the gap that luck has made, and
not the bias of a minimum of equals (D. Andrews, "Inconsistency of the bootstrap when a parameter is on the boundary of
the parameter space", Econometrica 68, 2000). So errors are also drawn around means in which opponents that cannot be told
from the worst are level with it (Z. Fang and A. Santos, "Inference on directionally differentiable functions", Review of
Economic Studies 86, 2019). Neither is right everywhere; the interval is the wider of both, end by end.

There is one look, after all planned blocks: the law of a minimum over time is not known.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import floor, inf, isfinite, sqrt
from typing import Final

import numpy as np

from tag.errors import ParameterError
from tag.tournaments.statistics.intervals import HALF_WIDTH, Floats, Interval, student
from tag.tuning.validation import ValidationDecision, ValidationPlan, ValidationResult, is_too_short, of_equals

#: Value of the means against all opponents, more being better.
PanelValue = Callable[[Sequence[float]], float]

_RESAMPLES: Final = 2_000
#: Resamples of so many blocks together are drawn at a time.
_AT_ONCE: Final = 1 << 20
#: Opponents less than so many standard errors above the worst cannot be told from it.
_TOLD_APART: Final = 2.0


class PanelEstimate:
    """The value of one side against a panel, or the difference between two sides, with its interval.

    Attributes:
        value: of all blocks.
        is_certain: True if no resample differs from it.
    """

    def __init__(self, blocks: Floats, value: PanelValue) -> None:
        """Resample blocks, of shape (blocks, sides, opponents) with one side or two, two blocks at least."""
        means = blocks.mean(axis=0)
        level = np.stack([_levelled(side) for side in blocks.transpose(1, 0, 2)])
        errors = _errors(blocks) * student(len(blocks)) / HALF_WIDTH * sqrt(len(blocks) / (len(blocks) - 1))
        self.value = _difference(means, value)
        self._around = np.sort([_difference(means + error, value) for error in errors])
        at_level = _difference(level, value)
        self._below = np.sort([self.value - (_difference(level + error, value) - at_level) for error in errors])
        self.is_certain = bool(np.ptp(errors) == 0.0)

    def interval(self, confidence: float) -> Interval:
        """Return the interval; it holds the value."""
        place = max(floor(0.5 * (1.0 - confidence) * (_RESAMPLES + 1)), 1)
        low = min(self._around[place - 1], self._below[place - 1], self.value)
        high = max(self._around[-place], self._below[-place], self.value)
        return Interval(float(low), float(high))

    def p_value(self) -> float:
        """Return the level at which the interval ends at 0."""
        sign = 1.0 if self.value > 0.0 else -1.0
        beyond = max(int((sign * draws <= 0.0).sum()) for draws in (self._around, self._below))
        return min(1.0, 2.0 * (beyond + 1) / (_RESAMPLES + 1))


def _difference(means: Floats, value: PanelValue) -> float:
    """Return the value of the first side, less that of the second if there is one; means are of shape (sides, opponents)."""
    first, *second = (value(side) for side in means.tolist())
    return first - sum(second)


def _levelled(side: Floats) -> Floats:
    """Return the means of blocks, of shape (blocks, opponents), with the worst one for those that may be as low."""
    means = side.mean(axis=0)
    worst = int(means.argmin())
    errors = (side - side[:, [worst]]).std(axis=0, ddof=1) / sqrt(len(side))
    level: Floats = np.where(means - means[worst] <= _TOLD_APART * errors, means[worst], means)
    return level


def _errors(blocks: Floats) -> Floats:
    """Return how far the means of resamples are from those of the blocks, of shape (resamples, sides, opponents)."""
    rng = np.random.default_rng(1)  # equal blocks have equal intervals
    n, flat = len(blocks), blocks.reshape(len(blocks), -1)
    size = max(_AT_ONCE // n, 1)
    parts = [
        rng.multinomial(n, np.full(n, 1.0 / n), min(size, _RESAMPLES - begin)) @ flat / n
        for begin in range(0, _RESAMPLES, size)
    ]
    errors: Floats = (np.concatenate(parts) - flat.mean(axis=0)).reshape(-1, *blocks.shape[1:])
    return errors


class PanelValidation:
    """A test of so many blocks, in the form of `tag.tuning.validation.Validation`.

    Attributes:
        plan: how many blocks, and the level.
        decision: None until all planned blocks have been added; then "better" where the interval lies above 0.

    >>> validation = PanelValidation(200, 4, min, most=1.0)
    >>> for _pair in range(100):
    ...     decision = validation.add([0.5, 1.0], [0.0, 1.0]), validation.add([1.0, 0.5], [0.5, 0.0])
    >>> validation.decision, validation.result().difference
    ('better', 0.5)
    """

    def __init__(
        self, blocks_at_most: int, games_per_block: int, value: PanelValue, level: float = 0.05, most: float = inf
    ) -> None:
        """Begin without blocks.

        Args:
            blocks_at_most: the planned blocks.
            games_per_block: of the recommendation.
            value: of the means against all opponents, more being better.
            level: two-sided.
            most: the greatest difference that a block can make; infinite for scores.

        Raises:
            ParameterError: there are too few blocks, or the level is impossible.
        """
        self.plan = ValidationPlan(blocks_at_most, level)
        self.games_per_block = games_per_block
        self.most = most
        self.decision: ValidationDecision | None = None
        self._value = value
        self._sides: list[tuple[list[float], list[float]]] = []

    @property
    def blocks(self) -> int:
        """The blocks so far."""
        return len(self._sides)

    def add(self, recommended: Sequence[float], default: Sequence[float]) -> ValidationDecision | None:
        """Count the next block, by the mean of each side against each opponent, and return the decision.

        Raises:
            ParameterError: a mean is not a finite number.
        """
        for mean in (*recommended, *default):
            if not isfinite(mean):
                raise ParameterError(f"a mean cannot be {mean}; it is a finite number")
        if self.decision is None:
            self._sides.append((list(recommended), list(default)))
            if self.blocks == self.plan.blocks:
                self.decision = "better" if self.result().low > 0.0 else "not better"
        return self.decision

    def result(self) -> ValidationResult:
        """Return the results so far; before the decision, as if these were all blocks.

        Raises:
            ParameterError: there is no block yet.
        """
        if not self.blocks:
            raise ParameterError("a result needs at least 1 block, not 0")
        blocks = np.array(self._sides, dtype=np.float64)
        difference = _difference(blocks.mean(axis=0), self._value)
        interval, p_value = self._interval_and_p(blocks, difference)
        low, high = (min(max(end, -self.most), self.most) for end in interval)
        played = self.blocks, self.blocks * self.games_per_block, self.decision
        return ValidationResult(difference, difference, low, high, p_value, *played)

    def _interval_and_p(self, blocks: Floats, difference: float) -> tuple[Interval, float]:
        """Return the interval of the difference, and the level at which it ends at 0."""
        if is_too_short(len(blocks), self.most):
            return Interval(-inf, inf), 1.0
        found = PanelEstimate(blocks, self._value)
        if found.is_certain:
            return of_equals(difference, len(blocks), self.plan.level, self.most)
        return found.interval(1.0 - self.plan.level), found.p_value()
