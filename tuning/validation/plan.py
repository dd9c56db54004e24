"""What a validation can show, known before it is played."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Final

import numpy as np
from scipy.optimize import brentq

from tag.errors import ParameterError
from tuning.validation.boundaries import Boundaries, boundaries

#: Fewer blocks say nothing.
FEWEST_BLOCKS: Final = 10
#: Into so many parts the time is cut where the expected number of blocks is summed.
_PARTS: Final = 200


@dataclass(frozen=True, slots=True)
class ValidationPlan:
    """A test of so many blocks at most.

    Effects and deviations are of block values: differences of win rates, say. The deviation of a block follows from
    how it is played (`tuning.block_deviation.win_rate_deviation`).

    Attributes:
        blocks: at most; the test stops earlier where it can.
        level: two-sided; at most half of it is the probability of "better" where nothing is better.

    >>> from tuning.block_deviation import win_rate_deviation
    >>> plan = ValidationPlan(blocks=500)
    >>> deviation = win_rate_deviation(0.5, games=2)
    >>> f"{plan.power(0.05, deviation):.2f} after {2 * plan.expected_blocks(0.05, deviation):.0f} games"
    '0.85 after 634 games'
    """

    blocks: int
    level: float = 0.05

    def __post_init__(self) -> None:
        """Refuse what cannot be.

        Raises:
            ParameterError: too few blocks, or a level that cannot be.
        """
        if self.blocks < FEWEST_BLOCKS:
            raise ParameterError(f"a validation cannot have {self.blocks} blocks; the least is {FEWEST_BLOCKS}")
        boundaries(self.level)

    @property
    def boundaries(self) -> Boundaries:
        """Where it stops."""
        return boundaries(self.level)

    def power(self, effect: float, deviation: float) -> float:
        """Return the probability of "better" where ``effect`` is true.

        Raises:
            ParameterError: the deviation is not positive.
        """
        return self.boundaries.power(effect / self._unit(deviation))

    def expected_blocks(self, effect: float, deviation: float) -> float:
        """Return how many blocks are played on average where ``effect`` is true.

        Raises:
            ParameterError: the deviation is not positive.
        """
        drift = effect / self._unit(deviation)
        middles = (np.arange(_PARTS) + 0.5) / _PARTS
        share = float(np.mean([self.boundaries.still_runs(drift, time) for time in middles.tolist()]))
        return max(self.blocks * share, float(FEWEST_BLOCKS))

    def detectable(self, deviation: float, power: float = 0.8) -> float:
        """Return the least effect that is called "better" with probability ``power``.

        Raises:
            ParameterError: the deviation is not positive, or the power not between the level and 1.
        """
        if not self.level < power < 1.0:
            raise ParameterError(f"power cannot be {power:g}; it lies between the level, {self.level:g}, and 1")
        most = 2.0
        while self.boundaries.power(most) < power:
            most *= 2.0
        drift = float(brentq(lambda drift: self.boundaries.power(drift) - power, 0.0, most))
        return drift * self._unit(deviation)

    def _unit(self, deviation: float) -> float:
        """Return the effect that makes a drift of 1."""
        if not deviation > 0.0:
            raise ParameterError(f"deviation cannot be {deviation:g}; it is greater than 0")
        return deviation / sqrt(self.blocks)
