"""The overshoot of a log-likelihood ratio past a bound.

Wald's bounds hold for a process that hits them exactly. One that jumps hits them late, by a mean excess of E[δ²] /
2E[δ], where δ are the steps from one record of the process to the next. Bounds drawn in by that much give the
requested error rates with fewer blocks.

This is a limit for steps that are small beside the bound. A far hypothesis makes them large: at [-800, -300] one win
in 50 games is worth 2.6 of the 2.9 nats. Then the excess depends on the few values that the process can take, and a
bound drawn in by the mean is passed by a single win. So the correction fades out where the mean excess is 6 to 12 %
of the bound; without it Wald's bounds are conservative. Of 5,000 tests of two games without draws, 6.9 % accepted
H1 wrongly at [-800, -300] (now 1.5 %), and 6.2 % H0 at [0, 200] (now 3.5 %); tests of [0, 60] and nearer are as before.

Source: D. Siegmund, Sequential Analysis, 1985, corollary 8.33; estimated from the records of the test itself, as in
fishtest.
"""

from __future__ import annotations

from typing import Final

#: Between these shares of the bound, the correction for overshoot falls from the whole to nothing.
_FADING: Final = (0.06, 0.12)


class Overshoot:
    """The expected excess over an upper bound, from the records of a process that began at 0.

    For the lower bound, show it the process with its sign changed.
    """

    def __init__(self) -> None:
        self._record = 0.0
        self._sum = 0.0
        self._sum_of_squares = 0.0

    def see(self, value: float) -> None:
        """Note the next value of the process; looks are equally many blocks apart."""
        step = value - self._record
        if step > 0.0:
            self._record = value
            self._sum += step
            self._sum_of_squares += step * step

    @property
    def mean(self) -> float:
        """The mean excess; 0 before the first record."""
        return self._sum_of_squares / (2.0 * self._sum) if self._sum else 0.0

    def correction(self, bound: float) -> float:
        """Return by how much to draw in a ``bound`` above 0: the mean excess, less of it or 0 where steps are large."""
        least, most = (share * bound for share in _FADING)
        return self.mean * min(1.0, max(0.0, (most - self.mean) / (most - least)))
