"""What is known of a value that cannot leave its bounds, from a normal law that does."""

from __future__ import annotations

from math import isinf
from typing import Final

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

#: The law is summed at so many places, so many deviations to either side.
_PLACES: Final = 81
_REACH: Final = 8.0


def within(means: Floats, deviations: Floats, bounds: tuple[float, float]) -> tuple[Floats, Floats]:
    """Return the most probable value of normal laws cut off at ``bounds``, and the root mean square distance from it.

    Both have shape (values,). Means would depend on the deviations and have another order than those of the whole laws.

    >>> within(np.array([0.5, 1.01]), np.array([0.01, 0.02]), (0.0, 1.0))[1].round(3).tolist()
    [0.01, 0.016]
    """
    low, high = bounds
    if isinf(low) and isinf(high):
        return means, deviations
    mode = np.clip(means, low, high)
    steep = deviations**2 / np.maximum(np.abs(means - mode), 1e-300)  # beyond a bound the law falls exponentially
    width = np.maximum(np.minimum(deviations, steep), 1e-12)
    begin, end = np.maximum(mode - _REACH * width, low), np.minimum(mode + _REACH * width, high)
    places = begin + (end - begin) * np.linspace(0.0, 1.0, _PLACES)[:, None]
    fall = ((places - means) ** 2 - (mode - means) ** 2) / np.maximum(deviations, 1e-150) ** 2
    weights = np.exp(-0.5 * fall)
    weights[[0, -1]] *= 0.5
    weights /= weights.sum(axis=0)
    return mode, np.sqrt((weights * (places - mode) ** 2).sum(axis=0))
