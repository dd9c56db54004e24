"""A Gaussian process for means of coin tosses: the noise of each point is known, as is how many games it has played.

What is modelled is a sum: the effect of each parameter by itself, a parabola over a number and a level for each choice of a
category, and a process with a Matérn-5/2 kernel and a length scale per parameter, for all that parameters do together (C. E.
Rasmussen, C. K. I. Williams, "Gaussian Processes for Machine Learning", 2006, section 2.7 on explicit basis functions;
chapters 4 and 5). Few games tell little else than effects of single parameters, and these they tell well. Scales and
variances are the most probable ones under weak priors. Libraries at hand either estimate one noise for all points, or have
no priors and no shared scale for the choices of a category.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.linalg import cho_factor, cho_solve, solve_triangular
from scipy.optimize import minimize
from scipy.spatial.distance import cdist
from threadpoolctl import ThreadpoolController

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

#: The priors of the logarithms: mean and standard deviation. Features have the range 0 to 1, values are win rates.
_SCALE_PRIOR: Final = (np.log(2.0), 1.0)
_VARIANCE_PRIOR: Final = (np.log(0.0075), 1.0)
_JITTER: Final = 1e-6
_STEPS: Final = 40
#: The scales are fitted to so many points, evenly from all: more change them little and take their cube in time, and the
#: least noisy ones would be those with the greatest and smallest values.
_MOST_POINTS: Final = 250
#: Matrices as small as these are no faster on several threads, whose waiting for each other takes ten times the CPU, from
#: the workers that play the games.
_BLAS: Final = ThreadpoolController()


def _one_thread() -> AbstractContextManager[Any]:
    """Keep linear algebra to the thread that asks for it."""
    found: AbstractContextManager[Any] = _BLAS.limit(limits=1, user_api="blas")
    return found


class _Places(NamedTuple):
    """Points, shape (points, features), and the functions whose sum the effects of single parameters are, at each of them.

    These, shape (points, functions), are a line and a parabola for each number and the choice for each category; the sum
    of their squares is about 1 at any point.
    """

    points: Floats
    functions: Floats


class GaussianProcess:
    """What is known of values at points, from noisy values at others.

    Points have shape (points, features), each feature in 0..1; features of one group share a length scale.
    """

    def __init__(self, groups: Ints) -> None:
        """Begin with the scales' priors; ``groups`` names the group of each feature, from 0, shape (features,)."""
        self._groups = np.asarray(groups)
        self._n_groups = int(self._groups.max()) + 1 if len(self._groups) else 0
        self._sizes = np.bincount(self._groups, minlength=self._n_groups)[self._groups]  # of the group of each feature
        self._prior, _spreads = _priors(self._n_groups)
        self._theta = self._prior

    def fit(self, points: Floats, values: Floats, noise: Floats, search: bool = True) -> None:
        """Take all that has been seen.

        Args:
            points: shape (points, features).
            values: the mean value of each point.
            noise: the variance of each of these means.
            search: whether to look for better length scales, or keep those of the last time.
        """
        weights = 1.0 / (noise + 0.01)
        self._mean = float((values * weights).sum() / weights.sum())
        self._places = places = self._at(points)
        residuals = values - self._mean
        with _one_thread():
            if search:
                chosen = np.linspace(0, len(noise) - 1, min(len(noise), _MOST_POINTS)).astype(np.int64)
                self._search(chosen, residuals[chosen], noise[chosen])
            covariance = self._kernel(places, places) + np.diag(noise + _JITTER)
            self._factor = cho_factor(covariance, lower=True)
            self._weights = cho_solve(self._factor, residuals)

    def predict(self, points: Floats) -> tuple[Floats, Floats]:
        """Return mean and standard deviation of the true value at each point."""
        with _one_thread():
            places = self._at(points)
            between = self._kernel(places, self._places)
            explained = solve_triangular(self._factor[0], between.T, lower=True)
            before = np.exp(self._theta[-2]) + np.exp(self._theta[-1]) * (places.functions**2).sum(axis=1)
            variance = before - (explained**2).sum(axis=0)
            return self._mean + between @ self._weights, np.sqrt(np.maximum(variance, 1e-10))

    def joint(self, points: Floats) -> tuple[Floats, Floats]:
        """Return mean and covariance of the true values at all points together, shapes (points,) and (points, points)."""
        with _one_thread():
            places = self._at(points)
            between = self._kernel(places, self._places)
            explained = solve_triangular(self._factor[0], between.T, lower=True)
            covariance = self._kernel(places, places) - explained.T @ explained
            return self._mean + between @ self._weights, covariance

    def draw(self, points: Floats, n_draws: int, rng: np.random.Generator) -> Floats:
        """Draw true values at all points together, shape (draws, points)."""
        mean, covariance = self.joint(points)
        with _one_thread():
            factor = np.linalg.cholesky(covariance + 2.0 * _JITTER * np.eye(len(points)))
            found: Floats = mean + rng.standard_normal((n_draws, len(points))) @ factor.T
            return found

    def _distances(self, ones: Floats, others: Floats) -> Floats:
        """Return the squared distance of any two points in each group, shape (groups, ones, others)."""
        found = np.zeros((self._n_groups, len(ones), len(others)))
        for feature, group in enumerate(self._groups):
            found[group] += (ones[:, None, feature] - others[None, :, feature]) ** 2
        return found

    def _at(self, points: Floats) -> _Places:
        """Return the points with their basis functions."""
        is_number = self._sizes == 1
        line = 2.0 * points[:, is_number] - 1.0
        choices = np.sqrt(2.0) * points[:, ~is_number] - 1.0 / self._sizes[~is_number]
        return _Places(points, np.hstack([line, 1.5 * line**2 - 0.5, choices]) / np.sqrt(max(self._n_groups, 1)))

    def _kernel(self, ones: _Places, others: _Places) -> Floats:
        """Return the covariance of the values at any two points, shape (ones, others)."""
        weights = np.exp(-self._theta[self._groups])
        together = np.exp(self._theta[-2]) * _matern(cdist(ones.points * weights, others.points * weights))
        found: Floats = together + np.exp(self._theta[-1]) * ones.functions @ others.functions.T
        return found

    def _search(self, chosen: Ints, residuals: Floats, noise: Floats) -> None:
        """Move to the most probable scales and variances, from the priors: what was known before has no say."""
        points, functions = self._places.points[chosen], self._places.functions[chosen]
        found = minimize(
            _misfit,
            self._prior,
            args=(self._distances(points, points), functions @ functions.T, residuals, noise),
            jac=True,
            method="L-BFGS-B",
            bounds=[(np.log(0.02), np.log(50.0))] * self._n_groups + [(np.log(1e-5), np.log(10.0))] * 2,
            options={"maxiter": _STEPS},
        )
        if np.isfinite(found.fun):
            self._theta = found.x


def binomial_noise(values: Floats, games: Floats) -> Floats:
    """Return the variance of win rates, shrunk towards the common one: p (1 - p) / n, also where a rate is 0 or 1."""
    common = float((values * games).sum() / games.sum())
    shrunk = (values * games + 2.0 * common) / (games + 2.0)
    found: Floats = np.maximum(shrunk * (1.0 - shrunk), 1e-4) / games
    return found


def _priors(n_scales: int) -> tuple[Floats, Floats]:
    """Return means and standard deviations of the logarithms of so many length scales and of both variances."""
    means, spreads = np.array([_SCALE_PRIOR] * n_scales + [_VARIANCE_PRIOR] * 2).T
    return means, spreads


def _matern(distances: Floats) -> Floats:
    """Return the Matérn-5/2 correlation at distances in length scales."""
    r = np.sqrt(5.0) * distances
    found: Floats = (1.0 + r + r * r / 3.0) * np.exp(-r)
    return found


def _scaled(distances: Floats, scales: Floats) -> Floats:
    """Return sqrt(5) times the distance of any two points under the logarithms of length scales."""
    square = np.tensordot(np.exp(-2.0 * scales), distances, axes=1)
    found: Floats = np.sqrt(5.0 * np.maximum(square, 1e-14))
    return found


def _misfit(theta: Floats, distances: Floats, alike: Floats, residuals: Floats, noise: Floats) -> tuple[float, Any]:
    """Return the negative logarithm of the posterior density of ``theta``, up to a constant, and its gradient.

    Args:
        theta: logarithms of the length scales, of the variance of what parameters do together, and of their own effects.
        distances: squared, of any two points in each group, shape (groups, points, points).
        alike: the inner products of the points' basis functions, shape (points, points).
        residuals: values less their mean, shape (points,).
        noise: their variances, shape (points,).
    """
    scales = theta[:-2]
    r = _scaled(distances, scales)
    decay = np.exp(theta[-2] - r)
    together = (1.0 + r + r * r / 3.0) * decay
    single = np.exp(theta[-1]) * alike
    try:
        factor = cho_factor(together + single + np.diag(noise + _JITTER), lower=True)
    except np.linalg.LinAlgError:
        return 1e6, np.zeros_like(theta)
    weights = cho_solve(factor, residuals)
    inverse = cho_solve(factor, np.eye(len(residuals)))
    pull = 0.5 * (inverse - np.outer(weights, weights))
    slope = pull * (5.0 / 3.0) * (1.0 + r) * decay
    by_scale = np.exp(-2.0 * scales) * np.tensordot(distances, slope, axes=2)
    gradient = np.concatenate([by_scale, [(pull * together).sum(), (pull * single).sum()]])
    means, spreads = _priors(len(scales))
    off = (theta - means) / spreads
    value = 0.5 * residuals @ weights + np.log(np.diag(factor[0])).sum() + 0.5 * (off**2).sum()
    return float(value), gradient + off / spreads
