"""Sizes of vectors that are known with noise: the spread between seats, the distance of a matrix from another.

The greatest difference between means that games tell is above that between the true ones, as noise spreads them: four fair
seats differ by 7 points of 100 after 200 games. So does the distance from a target. The size of a vector is how far it
reaches in the direction in which it reaches farthest, and the bias comes from finding that direction and measuring along
it with the same games. Here one half of the games finds the direction, the other half measures (the double estimator of
van Hasselt, Double Q-learning, 2010), and the mean over all ways to halve the games is taken: were x the estimate from all
games and e noise with the covariance of x, halves would give x + e and x - e. So the mean is exactly 0 where there is
nothing but noise, whatever the number of games, and the true size where noise is small. Between these it is too small
rather than too great, by up to the standard error of a difference, and never below 0. A single estimate can be negative,
when the games spread less than noise does on average: cut at 0, their mean over fair games would be above 0 again.

The interval is not around it, but from the test of each size: whether the one seen would be too great or too small. It
begins at 0 or above.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol

import numpy as np
import numpy.typing as npt

from tournaments.intervals import HALF_WIDTH, interval_of_equals
from tuning.balance.block_means import BlockMeans
from tuning.balance.estimate import Estimate

_Floats = npt.NDArray[np.float64]

#: The noise that is drawn, for halves and intervals: as many vectors, and their opposites.
_DRAWS: Final = 2_000
#: The vectors, and the noise of each, for the standard error.
_REPEATS: Final = 100
_DRAWS_OF_REPEAT: Final = 500
_TAIL: Final = 0.025
#: Halvings of the range in which the end of an interval lies.
_STEPS: Final = 24
#: What rounding leaves of the width of an interval that has none.
_ROUNDING: Final = 1e-9


class Size(Protocol):
    """A size of vectors; arrays of them are of shape (k, vectors)."""

    def of(self, vectors: _Floats) -> _Floats:
        """Return the size of each vector."""

    def along(self, vectors: _Floats, others: _Floats) -> _Floats:
        """Return how far each vector reaches in the direction in which its other reaches farthest."""

    def centred(self, vector: _Floats) -> _Floats:
        """Return the vector that grows with its size, and nothing else with it."""


class Spread:
    """The greatest entry less the least."""

    def of(self, vectors: _Floats) -> _Floats:
        """Return the difference."""
        size: _Floats = vectors.max(axis=0) - vectors.min(axis=0)
        return size

    def along(self, vectors: _Floats, others: _Floats) -> _Floats:
        """Return the difference between the entries that are greatest and least in the others."""
        top, bottom = vectors[0], vectors[0]
        greatest, least = others[0], others[0]
        for entry, other in zip(vectors[1:], others[1:], strict=True):  # quicker than argmax, as entries are few
            top, bottom = np.where(other > greatest, entry, top), np.where(other < least, entry, bottom)
            greatest, least = np.maximum(greatest, other), np.minimum(least, other)
        found: _Floats = top - bottom
        return found

    def centred(self, vector: _Floats) -> _Floats:
        """Take the mean off."""
        found: _Floats = vector - vector.mean()
        return found


class RootMeanSquare:
    """The root of the mean square of the entries."""

    def of(self, vectors: _Floats) -> _Floats:
        """Return the root."""
        return np.asarray(np.sqrt((vectors**2).mean(axis=0)), dtype=np.float64)

    def along(self, vectors: _Floats, others: _Floats) -> _Floats:
        """Return the part of each vector that has the direction of the other."""
        length = self.of(others)
        mean: _Floats = (vectors * others).mean(axis=0)
        return np.divide(mean, length, out=np.zeros_like(mean), where=length > 0.0)

    def centred(self, vector: _Floats) -> _Floats:
        """Leave it as it is."""
        return vector


SPREAD: Final = Spread()
ROOT_MEAN_SQUARE: Final = RootMeanSquare()


def size_estimate(means: BlockMeans, size: Size, greatest: float) -> Estimate:
    """Return the size of the true means, without the bias of noise.

    Args:
        means: the vector, with its covariance.
        size: `SPREAD` or `ROOT_MEAN_SQUARE`.
        greatest: the greatest size that is possible.
    """
    if not means.is_known:
        return Estimate.unknown(0.0, greatest, means.games)
    vector = means.means[:, None]
    noise, tails = _noise(means)
    value = _halved(vector, noise, size)
    fewer = noise[:, _REPEATS : _REPEATS + _DRAWS_OF_REPEAT]
    repeats = [_halved(vector + one[:, None], fewer, size) for one in noise[:, :_REPEATS].T]
    low, high = _interval(means.means, tails, size, greatest)
    error = float(np.std(repeats))
    if high - low < _ROUNDING:  # blocks without a difference; the size is in its range, like the mean of a rate
        low, high = interval_of_equals(value, means.blocks, -greatest, greatest)
        low, error = max(low, 0.0), (high - low) / (2.0 * HALF_WIDTH)
    return Estimate(value, error, low, high, means.games)


def _noise(means: BlockMeans) -> tuple[_Floats, _Floats]:
    """Return normal noise of the means' covariance, and the same with tails as heavy as the number of blocks makes them.

    Both are of shape (k, vectors). It is drawn from a seed of its own, so that equal games give equal estimates, and
    candidates share what is drawn.
    """
    rng = np.random.default_rng(1)
    normal = rng.standard_normal((len(means.means), _DRAWS))
    degrees = means.blocks - 1
    scale = np.sqrt(degrees / rng.chisquare(degrees, _DRAWS))
    values, vectors = np.linalg.eigh(means.covariance)
    noise = (vectors * np.sqrt(np.maximum(values, 0.0))) @ normal
    return np.concatenate([noise, -noise], axis=1), np.concatenate([noise * scale, -noise * scale], axis=1)


def _halved(vector: _Floats, noise: _Floats, size: Size) -> float:
    """Return the mean over halvings of how far one half reaches in the direction that the other half finds."""
    return float(size.along(vector - noise, vector + noise).mean())


def _interval(means: _Floats, noise: _Floats, size: Size, greatest: float) -> tuple[float, float]:
    """Return all sizes with which the one seen is neither too great nor too small for chance.

    It is too small for a true size if it is so along the direction found, as it is never less along another: the upper end
    is Student's. It is too great if noise, which only adds to the size, would seldom make it so great.
    """
    vector = means[:, None]
    seen = float(size.of(means))
    errors = size.along(noise, vector) if seen > 0.0 else size.of(noise)  # no direction is found where nothing differs
    high = seen + float(np.quantile(errors, 1.0 - _TAIL))
    length = float(size.of(size.centred(vector))[0])
    unit = size.centred(vector) / length if length > 0.0 else vector * 0.0

    def share_above(true: float) -> float:
        return float((size.of(true * unit + noise) >= seen).mean())

    return min(_crossing(lambda true: share_above(true) >= _TAIL, high), greatest), min(high, greatest)


def _crossing(holds: Callable[[float], bool], farthest: float) -> float:
    """Return the least size from which on something holds, 0 if it does there."""
    if holds(0.0):
        return 0.0
    low, high = 0.0, farthest
    for _step in range(_STEPS):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high
