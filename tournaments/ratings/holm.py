"""Holm's correction for testing many hypotheses at once."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

_Floats = npt.NDArray[np.float64]


def holm(p_values: _Floats) -> _Floats:
    """Return p values, of shape (m,), corrected so that rejecting those up to a level errs at all with at most that chance.

    The i-th smallest, from 0, is multiplied by m - i, and none is less than a smaller one's; this needs no independence
    (Holm, Scandinavian Journal of Statistics 6, 1979).

    >>> holm(np.array([0.01, 0.04, 0.03])).round(2).tolist()
    [0.03, 0.06, 0.06]
    """
    order = np.argsort(p_values)
    multiples = p_values[order] * np.arange(len(p_values), 0, -1)
    corrected = np.empty_like(p_values)
    corrected[order] = np.minimum(np.maximum.accumulate(multiples), 1.0)
    return corrected
