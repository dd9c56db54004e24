"""A Gaussian process for means of coin tosses: the noise of each point is known, as is the number of its games.

The modelled function is a sum of two parts. The effect of each parameter by itself is a parabola over a number, and a
level for each choice of a category. A process with a Matérn-5/2 kernel and a length scale per parameter covers the joint
effects (C. E. Rasmussen, C. K. I. Williams, "Gaussian Processes for Machine Learning", 2006, section 2.7 on explicit
basis functions; chapters 4 and 5). Few games inform little but effects of single parameters, and these well. Scales and
variances are the most probable ones under weak priors. Existing libraries either estimate one noise for all points, or
have no priors and no shared scale for the choices of a category.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np
import scipy

from tag.tournaments.statistics.intervals import Floats, Ints
from tag.tournaments.statistics.numerics import one_thread

#: The priors of the logarithms: mean and standard deviation. Features have the range 0 to 1, values a deviation of about
#: 0.1. Half as wide, 84 % of 95 % intervals held where differences of win rates are as small as luck, and regret at 4,000
#: games was 0.8 points greater; wider still, variances vanish and intervals on gentle slopes with them.
_SCALE_PRIOR: Final = (np.log(2.0), 1.0)
_VARIANCE_PRIORS: Final = ((np.log(0.0075), 2.0), (np.log(0.0075), 2.0), (np.log(0.002), 3.0), (np.log(0.002), 3.0))
#: The prior variance of the mean of all values, about that of the observed values.
_CONSTANT: Final = 0.05
#: The nodes of a number between which its levels are interpolated, and the correlation length between nodes.
_NODES: Final = 10
_REACH: Final = 0.3
_JITTER: Final = 1e-6
_STEPS: Final = 40
#: The scales are fitted to so many points, evenly from all: more change them little and take their cube in time, and the
#: least noisy ones would be those with the greatest and smallest values.
_MOST_POINTS: Final = 250


class _Places(NamedTuple):
    """Points, shape (points, features), with the basis of the parts of the kernel.

    Attributes:
        points: themselves.
        functions: a line and a parabola for each number and the choice for each category; the sum of squares is about 1.
        levels: inner products are the sums over groups of the covariances of the effects of their levels, which have the
            mean 0; shape (points, levels).
        squares: inner products are the sums of the squares of these covariances, shape (points, pairs of levels).
    """

    points: Floats
    functions: Floats
    levels: Floats
    squares: Floats


class GaussianProcess:
    """Posterior of values at points, from noisy values at others.

    Points have shape (points, features), each feature in 0..1; features of one group share a length scale.
    """

    def __init__(self, groups: Ints) -> None:
        """Begin with the scales' priors; ``groups`` names the group of each feature, from 0, shape (features,)."""
        self._groups = np.asarray(groups)
        self._n_groups = int(self._groups.max()) + 1 if len(self._groups) else 0
        self._sizes = np.bincount(self._groups, minlength=self._n_groups)[self._groups]  # of the group of each feature
        self._columns = [np.flatnonzero(self._groups == group) for group in range(self._n_groups)]
        self._roots = [_root(len(columns)) for columns in self._columns]
        self._theta = _priors(self._n_groups)[0]

    @property
    def noise_factor(self) -> float:
        """Factor of the fitted noise over the given noise."""
        return float(np.exp(self._theta[-1]))

    def basis(self, points: Floats) -> Floats:
        """Return a line and a parabola for each number and the choice for each category, and a constant, at points."""
        return np.hstack([np.sqrt(max(self._n_groups, 1)) * self._at(points).functions, np.ones((len(points), 1))])

    def fit(self, points: Floats, values: Floats, noise: Floats, search: bool = True, doubt: float = 0.05) -> None:
        """Fit all observations.

        Args:
            points: shape (points, features).
            values: the mean value of each point.
            noise: the variance of each of these means.
            search: whether to look for better length scales, or keep those of the last time.
            doubt: the standard deviation of the logarithm of a common factor in the error of the noise.
        """
        weights = 1.0 / (noise + 0.01)
        self._mean = float((values * weights).sum() / weights.sum())
        self._points = points
        self._places = places = self._at(points)
        self._residuals = residuals = values - self._mean
        with one_thread():
            if search:
                chosen = np.linspace(0, len(noise) - 1, min(len(noise), _MOST_POINTS)).astype(np.int64)
                self._search(chosen, residuals[chosen], noise[chosen], doubt)
            covariance = self._kernel(places, places) + np.diag(self.noise_factor * noise + _JITTER)
            self._factor = scipy.linalg.cho_factor(covariance, lower=True)
            self._weights = scipy.linalg.cho_solve(self._factor, residuals)

    def predict(self, points: Floats) -> tuple[Floats, Floats]:
        """Return mean and standard deviation of the true value at each point."""
        with one_thread():
            places = self._at(points)
            between = self._kernel(places, self._places)
            explained = scipy.linalg.solve_triangular(self._factor[0], between.T, lower=True)
            variance = self._before(places) - (explained**2).sum(axis=0)
            return self._mean + between @ self._weights, np.sqrt(np.maximum(variance, 1e-10))

    def means(self, points: Floats) -> Floats:
        """Return the mean of the true value at each point."""
        with one_thread():
            found: Floats = self._mean + self._kernel(self._at(points), self._places) @ self._weights
            return found

    def columns(self, group: int) -> Ints:
        """Return the columns of the features of a group."""
        return self._columns[group]

    def terms(self, group: int, features: Floats) -> Floats:
        """Return the terms of a group in the sums from which the kernel of points and observations follows.

        These are the squared distance, the covariance of lines, parabolas and choices, that of the levels, and its square.

        Args:
            group: by number.
            features: of the group, at some points, shape (points, features of the group).

        Returns:
            Shape (4, points, observations).
        """
        columns, n = self._columns[group], max(self._n_groups, 1)
        ones, others = features, self._points[:, columns]
        levels = self._levels(group, ones) @ self._levels(group, others).T
        ones, others = (np.where(np.isnan(part), 0.5, part) for part in (ones, others))
        square = ((ones[:, None] - others[None]) ** 2).sum(axis=2) * np.exp(-2.0 * self._theta[group])
        if len(columns) == 1:
            lines = [2.0 * part - 1.0 for part in (ones, others)]
            curves = [1.5 * line**2 - 0.5 for line in lines]
            functions = lines[0] @ lines[1].T + curves[0] @ curves[1].T
        else:
            choices = [np.sqrt(2.0) * part - 1.0 / len(columns) for part in (ones, others)]
            functions = choices[0] @ choices[1].T
        return np.stack([square, functions / n, levels, levels**2])

    def mean_of_terms(self, sums: Floats) -> Floats:
        """Return the mean of the true value at points, from the sums of all groups' `terms`, of the same shape."""
        square, functions, levels, squares = sums
        n, variances = max(self._n_groups, 1), np.exp(self._theta[-5:-1])
        kernel = variances[0] * _matern(np.sqrt(np.maximum(square, 0.0))) + _CONSTANT
        kernel += variances[1] * functions + variances[2] * levels / n
        kernel += variances[3] * (levels**2 - squares) / max(n * (n - 1), 1)
        with one_thread():
            found: Floats = self._mean + kernel @ self._weights
            return found

    def joint(self, points: Floats) -> tuple[Floats, Floats]:
        """Return mean and covariance of the true values at all points together, shapes (points,) and (points, points)."""
        with one_thread():
            places = self._at(points)
            between = self._kernel(places, self._places)
            explained = scipy.linalg.solve_triangular(self._factor[0], between.T, lower=True)
            covariance = self._kernel(places, places) - explained.T @ explained
            return self._mean + between @ self._weights, covariance

    def draw(self, points: Floats, n_draws: int, rng: np.random.Generator) -> Floats:
        """Draw true values at all points together, shape (draws, points)."""
        mean, covariance = self.joint(points)
        with one_thread():
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
        is_number = self._sizes == 1
        given, points = points, np.where(np.isnan(points), 0.5, points)
        line = 2.0 * points[:, is_number] - 1.0
        choices = np.sqrt(2.0) * points[:, ~is_number] - 1.0 / self._sizes[~is_number]
        functions = np.hstack([line, 1.5 * line**2 - 0.5, choices]) / np.sqrt(max(self._n_groups, 1))
        levels, squares = [], []
        for group, root in enumerate(self._roots):
            levels.append(self._levels(group, given[:, self._columns[group]]))
            one, other, factors = _products(root.shape[1])
            squares.append(levels[-1][:, one] * levels[-1][:, other] * factors)
        return _Places(points, functions, np.hstack(levels), np.hstack(squares))

    def _levels(self, group: int, features: Floats) -> Floats:
        """Return the weights of the levels of a group, whose inner products are the covariances of the effects of levels."""
        if len(self._columns[group]) > 1:
            weights = np.sqrt(2.0) * np.where(np.isnan(features), 0.5, features)
        else:
            has_effect = ~np.isnan(features)
            weights = _hats(np.where(has_effect, features, 0.5)[:, 0]) * has_effect
        found: Floats = weights @ self._roots[group]
        return found

    def _parts(self, ones: _Places, others: _Places) -> tuple[Floats, Floats, Floats]:
        """Return the covariances of the smooth effects of parameters, of levels, and of pairs of levels."""
        total, n = ones.levels @ others.levels.T, max(self._n_groups, 1)
        pairs = (total**2 - ones.squares @ others.squares.T) / max(n * (n - 1), 1)
        return ones.functions @ others.functions.T, total / n, pairs

    def _before(self, places: _Places) -> Floats:
        """Return the variance of the value at each point before anything has been seen."""
        total, n = (places.levels**2).sum(axis=1), max(self._n_groups, 1)
        together, single, main, pairs = np.exp(self._theta[-5:-1])
        found: Floats = together + single * (places.functions**2).sum(axis=1) + main * total / n + _CONSTANT
        found += pairs * (total**2 - (places.squares**2).sum(axis=1)) / max(n * (n - 1), 1)
        return found

    def _kernel(self, ones: _Places, others: _Places) -> Floats:
        """Return the covariance of the values at any two points, shape (ones, others)."""
        weights = np.exp(-self._theta[self._groups])
        variances = np.exp(self._theta[-5:-1])
        one, other = ones.points * weights, others.points * weights
        square = (one**2).sum(axis=1)[:, None] + (other**2).sum(axis=1) - 2.0 * one @ other.T
        found: Floats = variances[0] * _matern(np.sqrt(np.maximum(square, 0.0))) + _CONSTANT
        for variance, part in zip(variances[1:], self._parts(ones, others), strict=True):
            found += variance * part
        return found

    def _search(self, chosen: Ints, residuals: Floats, noise: Floats, doubt: float) -> None:
        """Move to the most probable scales and variances, from the priors: earlier fits have no effect."""
        places = self._places
        some = _Places(*(part[chosen] for part in places))
        means, _spreads = _priors(self._n_groups, doubt)
        found = scipy.optimize.minimize(
            _misfit,
            means,
            args=(
                self._distances(some.points, some.points),
                np.array(self._parts(some, some)),
                residuals,
                noise,
                doubt,
            ),
            jac=True,
            method="L-BFGS-B",
            bounds=[(np.log(0.02), np.log(50.0))] * self._n_groups
            + [(np.log(1e-7), np.log(10.0))] * 4
            + [(-6.0 * doubt, 6.0 * doubt)],
            options={"maxiter": _STEPS},
        )
        if np.isfinite(found.fun):
            self._theta = found.x


@cache
def _products(size: int) -> tuple[Ints, Ints, Floats]:
    """Return the places and factors of the products of so many weights whose inner products are squares of theirs."""
    one, other = np.triu_indices(size)
    return one, other, np.where(one == other, 1.0, np.sqrt(2.0))


def _root(size: int) -> Floats:
    """Return a root of the covariance of the effects of a parameter's levels: with the mean 0, variances of 1 on average.

    Levels of a category, of which there are ``size``, have nothing in common; those of a number, whose size is 1, the
    more the nearer they are.
    """
    nodes = np.linspace(0.0, 1.0, _NODES)
    covariance = np.eye(size) if size > 1 else np.exp(-np.abs(nodes[:, None] - nodes) / _REACH)
    centred = covariance - covariance.mean(axis=0)
    centred -= centred.mean(axis=1)[:, None]
    values, vectors = np.linalg.eigh(centred / np.trace(centred) * len(centred))
    found: Floats = vectors[:, 1:] * np.sqrt(np.maximum(values[1:], 0.0))  # the least is 0: that of the mean
    return found


def _hats(places: Floats) -> Floats:
    """Return the weights of the nodes between which numbers in 0..1 lie, shape (numbers, nodes)."""
    found: Floats = np.maximum(1.0 - np.abs(places[:, None] * (_NODES - 1) - np.arange(_NODES)), 0.0)
    return found


def _priors(n_scales: int, doubt: float = 0.05) -> tuple[Floats, Floats]:
    """Return means and standard deviations of the logarithms of length scales, of variances, and of the factor of noise."""
    means, spreads = np.array([*[_SCALE_PRIOR] * n_scales, *_VARIANCE_PRIORS, (0.0, doubt)]).T
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


def _misfit(
    theta: Floats, distances: Floats, parts: Floats, residuals: Floats, noise: Floats, doubt: float
) -> tuple[float, Any]:
    """Return the negative logarithm of the posterior density of ``theta``, up to a constant, and its gradient.

    Args:
        theta: logarithms of the length scales, of the variances of the kernel's parts, and of the factor of noise.
        distances: squared, of any two points in each group, shape (groups, points, points).
        parts: the fixed parts of the kernel at the points, shape (parts, points, points).
        residuals: values less their mean, shape (points,).
        noise: their variances, shape (points,).
        doubt: the standard deviation of the logarithm of the factor of noise.
    """
    scales, variances, factor_of_noise = theta[:-5], np.exp(theta[-5:-1]), np.exp(theta[-1])
    r = _scaled(distances, scales)
    decay = variances[0] * np.exp(-r)
    together = (1.0 + r + r * r / 3.0) * decay
    noisy = factor_of_noise * noise
    covariance = together + np.tensordot(variances[1:], parts, axes=1) + _CONSTANT
    covariance[np.diag_indices(len(noise))] += noisy + _JITTER
    try:
        factor = scipy.linalg.cho_factor(covariance, lower=True)
    except np.linalg.LinAlgError:
        return 1e6, np.zeros_like(theta)
    weights = scipy.linalg.cho_solve(factor, residuals)
    inverse = scipy.linalg.cho_solve(factor, np.eye(len(residuals)))
    pull = 0.5 * (inverse - np.outer(weights, weights))
    slope = pull * (5.0 / 3.0) * (1.0 + r) * decay
    by_scale = np.exp(-2.0 * scales) * np.tensordot(distances, slope, axes=2)
    by_part = variances[1:] * np.tensordot(parts, pull, axes=2)
    gradient = np.concatenate([by_scale, [(pull * together).sum()], by_part, [np.diag(pull) @ noisy]])
    means, spreads = _priors(len(scales), doubt)
    off = (theta - means) / spreads
    value = 0.5 * residuals @ weights + np.log(np.diag(factor[0])).sum() + 0.5 * (off**2).sum()
    return float(value), gradient + off / spreads
