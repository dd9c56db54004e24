"""Where a validation stops: Wald's lines for a test that has only so many blocks, and what is left of the level.

The level a is two-sided, so that the verdict and the interval with confidence 1 - a agree: "better" is claimed exactly
where that interval lies above 0, and falsely with a probability of at most a/2.

With B(t) the sum of the differences, divided by their deviation and by the square root of the blocks planned, t the
share of these that has been played, the truth makes B a Brownian motion with a drift. The drift for which the planned
blocks would have a power of 80 % if nobody looked before the end is Δ = z(1 - a/2) + z(0.8). As long as there are
blocks, the log-likelihood ratio of Δ to 0,

    L(t) = Δ B(t) - Δ² t / 2,

runs between Wald's bounds, for a share of a/2 and for a miss of 10 %. Where the blocks end first, the decision is
"better" above the cut that uses what the bounds have left of a/2. All probabilities are those of
`tournaments.stopping.exit_law`. A tenth of the level stays unused: so much may the normal law be wrong about block
differences, which are discrete and whose deviation is an estimate.

Sources: A. Wald, Sequential Analysis, 1947; D. Siegmund, Sequential Analysis, 1985, chapter 3 (truncated tests).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import log
from typing import Final

from scipy.optimize import brentq
from scipy.special import ndtri

from tag.errors import ParameterError
from tournaments.stopping.exit_law import worse_outcome

#: What is used of a level, by the decision and by the interval alike.
USED: Final = 0.9
#: The power without looks that sets the drift Δ.
_POWER: Final = 0.8
#: What Wald's lower bound misses of it.
_MISS: Final = 0.1
#: What Wald's upper bound may use of the level; the rest makes the cut worth reaching.
_EARLY_SHARE: Final = 0.8
#: Levels above are no test.
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

        Outcomes are ordered as in `worse_outcome`.

        Args:
            drift: of B, per unit of time.
            time: the share of the planned blocks, positive.
            place: clipped to the bounds; where L has jumped past one, the time is when it was there had it gone
                straight.
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
    """Return the boundaries of a test whose two-sided level is at most ``level``.

    Raises:
        ParameterError: a level that cannot be.
    """
    if not 0.0 < level <= _HIGHEST_LEVEL:
        raise ParameterError(f"level cannot be {level:g}; it is above 0 and at most {_HIGHEST_LEVEL:g}")
    used = 0.5 * USED * level
    drift = float(ndtri(1.0 - used) + ndtri(_POWER))
    lower, upper = log(_MISS / (1.0 - used)), log((1.0 - _MISS) / (_EARLY_SHARE * used))
    uncut = Boundaries(drift, lower, upper, upper)
    cut = brentq(lambda place: 1.0 - uncut.worse(0.0, 1.0, place) - used, lower, upper)
    return Boundaries(drift, lower, upper, float(cut))
