"""How far a log-likelihood ratio jumps past a bound, and the correction for it.

Wald's bounds hold for a process that hits them exactly. One that jumps hits them late, by a mean excess of E[δ²] /
2E[δ], where δ are the steps from one record of the process to the next; bounds drawn in by that much give the error
rates that were asked for with fewer blocks.

Source: D. Siegmund, Sequential Analysis, 1985, corollary 8.33; estimated from the records of the test itself, as in
fishtest.
"""

from __future__ import annotations


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
