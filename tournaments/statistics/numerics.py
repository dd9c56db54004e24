"""Numerical work: linear algebra on one thread, and Newton's method for many concave functions at once."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import cache
from types import ModuleType
from typing import Any, Final

import numpy as np
import scipy
from threadpoolctl import ThreadpoolController

from tag.tournaments.statistics.intervals import Floats


def one_thread() -> AbstractContextManager[Any]:
    """Have linear algebra use one thread within the context.

    Matrices of a few hundred rows are no faster on several, which on a busy machine wait for each other and for the workers
    that play: a system of 200 equations took 17 ms of CPU on two threads, and 0.45 ms on one.
    """
    found: AbstractContextManager[Any] = _libraries(scipy.linalg).limit(limits=1, user_api="blas")
    return found


@cache
def _libraries(_loaded: ModuleType) -> ThreadpoolController:
    """Return the libraries, which take some milliseconds to find; SciPy's own is there once its module is loaded."""
    return ThreadpoolController()


# Many concave functions are maximised at once; for those whose value has not risen the step is halved.

#: A step this short is the last: the next would be about its square.
_SHORT: Final = 1e-8
_STEPS: Final = 200
_HALVINGS: Final = 40
#: The rounding error of a value, relative to its size and to 1.
_ROUNDING: Final = 1e-10


def maximise(
    value: Callable[[Floats], Floats], derivatives: Callable[[Floats], tuple[Floats, Floats]], start: Floats
) -> Floats:
    """Return where strictly concave functions of n variables are greatest, of shape (n, batch).

    Args:
        value: of x of shape (n, batch), the functions' values, of shape (batch,).
        derivatives: of the same x, the gradients, of shape (n, batch), and minus the Hessians, of shape (batch, n, n).
        start: of shape (n, batch).

    Raises:
        ArithmeticError: there is no maximum within reach.
    """
    x = start
    for _ in range(_STEPS):
        gradient, information = derivatives(x)
        step = np.linalg.solve(information, gradient.T[:, :, None])[:, :, 0].T.astype(np.float64)
        x = _climb(value, x, step)
        if np.abs(step).max(initial=0.0) < _SHORT:
            return x
    raise ArithmeticError(f"no maximum was found in {_STEPS} steps of Newton's method")


def _climb(value: Callable[[Floats], Floats], x: Floats, step: Floats) -> Floats:
    """Return x + t · step with the greatest t = 1, 1/2, 1/4, ... at which a function has not fallen."""
    begin = value(x)
    least = begin - _ROUNDING * (1.0 + np.abs(begin))
    length = np.ones(x.shape[1])
    for _ in range(_HALVINGS):
        reached = x + length * step
        with np.errstate(over="ignore", invalid="ignore"):
            has_fallen = ~(value(reached) >= least)  # nan, too far out, has fallen
        if not has_fallen.any():
            return reached
        length[has_fallen] /= 2.0
    return x + length * step
