"""Where and when a Brownian motion with drift leaves an interval: the law that a sequential test follows, nearly.

From x = 0 with drift μ and variance v per unit of time it runs between a < 0 and b > 0 until it leaves. Outcomes are
ordered as those of a test: the sooner it leaves below the worse, then still running the lower the worse, then the
later it leaves above the worse.

Both parts are sums over images: reflected at both ends, the motion is one on the whole line. Sources: D. Siegmund,
Sequential Analysis, 1985, chapter 3; I. Karatzas and S. Shreve, Brownian Motion and Stochastic Calculus, 1991,
section 2.8.C.
"""

from __future__ import annotations

from math import ceil, sqrt
from typing import Final

import numpy as np
from scipy.special import log_ndtr

from tournaments.stopping.distribution import Floats

#: Images whose weight is below e^-40 are left out.
_NEGLIGIBLE: Final = 40.0


def worse_outcome(a: float, b: float, drift: float, variance: float, time: float, place: float) -> float:
    """Return the probability of a worse outcome than being at ``place`` at ``time``.

    P(left at a before ``time``) + P(has not left by ``time`` and is below ``place``); ``place`` = b asks for outcomes
    worse than leaving above at ``time``, ``place`` = a for those worse than leaving below at it.

    Args:
        a: the lower end, below 0.
        b: the upper end, above 0.
        drift: μ per unit of time.
        variance: v per unit of time, positive.
        time: positive.
        place: in [a, b].
    """
    sigma = sqrt(variance * time)
    reach = ceil(sigma * sqrt(2.0 * _NEGLIGIBLE) / (2.0 * (b - a))) + 1
    shifts = 2.0 * (b - a) * np.arange(-reach, reach + 1, dtype=np.float64)
    gamma, end = drift / variance, drift * time
    return min(
        1.0, max(0.0, _left_below(a, shifts, gamma, end, sigma) + _inside(a, b, place, shifts, gamma, end, sigma))
    )


def _left_below(a: float, shifts: Floats, gamma: float, end: float, sigma: float) -> float:
    """Return P(left at a before T): each image of a is passed by an inverse Gaussian time."""
    distances = shifts - a
    far, towards = np.abs(distances), abs(gamma)
    soon = np.exp(gamma * a - towards * far + log_ndtr((abs(end) - far) / sigma))
    late = np.exp(gamma * a + towards * far + log_ndtr((-abs(end) - far) / sigma))
    return float((np.sign(distances) * (soon + late)).sum())


def _inside(a: float, b: float, place: float, shifts: Floats, gamma: float, end: float, sigma: float) -> float:
    """Return P(not left by T, below ``place``): images of the start, those reflected at b with a minus.

    The tails are counted from the side against the drift, where far images have small ones.
    """
    side = 1.0 if gamma >= 0.0 else -1.0

    def tails(x: float) -> Floats:
        plain = np.exp(gamma * shifts + log_ndtr(side * (x - shifts - end) / sigma))
        mirror = 2.0 * b + shifts
        reflected = np.exp(gamma * mirror + log_ndtr(side * (x - mirror - end) / sigma))
        difference: Floats = plain - reflected
        return difference

    return side * float((tails(place) - tails(a)).sum())
