"""Noise of values: the error of the mean of a configuration's games, and the posterior of a bounded value.

The variance of one game is a function of the place, measured from blocks: that of all configurations together, times a
factor that is smooth over the parameters. A configuration's own block variance is never used directly. It depends on
few blocks, and it is 0 where these were equal by chance. Where games are skewed, it is too small just where the mean is
too low.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isinf
from typing import Final

import numpy as np

from tag.tournaments.statistics.intervals import Floats

#: The law is summed at so many places, so many deviations to either side.
_PLACES: Final = 81
_BOUND_REACH: Final = 8.0


def within(means: Floats, deviations: Floats, bounds: tuple[float, float]) -> tuple[Floats, Floats]:
    """Return the most probable value of normal laws cut off at ``bounds``, and the root mean square distance from it.

    Both have shape (values,). Means of the cut laws would depend on the deviations, and their order would differ from
    that of the whole laws.

    >>> within(np.array([0.5, 1.01]), np.array([0.01, 0.02]), (0.0, 1.0))[1].round(3).tolist()
    [0.01, 0.016]
    """
    low, high = bounds
    if isinf(low) and isinf(high):
        return means, deviations
    mode = np.clip(means, low, high)
    steep = deviations**2 / np.maximum(np.abs(means - mode), 1e-300)  # beyond a bound the law falls exponentially
    width = np.maximum(np.minimum(deviations, steep), 1e-12)
    begin, end = np.maximum(mode - _BOUND_REACH * width, low), np.minimum(mode + _BOUND_REACH * width, high)
    places = begin + (end - begin) * np.linspace(0.0, 1.0, _PLACES)[:, None]
    fall = ((places - means) ** 2 - (mode - means) ** 2) / np.maximum(deviations, 1e-150) ** 2
    weights = np.exp(-0.5 * fall)
    weights[[0, -1]] *= 0.5
    weights /= weights.sum(axis=0)
    return mode, np.sqrt((weights * (places - mode) ** 2).sum(axis=0))


#: Least degrees of freedom that measure a variance.
_FEWEST_FREE: Final = 8.0
#: The doubt about the noise: where it was measured, where it is that of coin tosses, and where it is unknown, as standard
#: deviations of its logarithm.
_DOUBT: Final = 0.05
_DOUBT_OF_TOSSES: Final = 0.1
_DOUBT_OF_GUESSES: Final = 2.0
#: Greatest factor between the variance of a place and that of all, in either direction.
_MOST_RATIO: Final = 8.0
#: The ridges that are compared in the regression of the variance on the parameters; the last removes any effect.
_RIDGES: Final = (1.0, 10.0, 100.0, 1_000.0, 1e9)
_FOLDS: Final = 4


@dataclass(frozen=True)
class Noise:
    """The variances of means; the doubt is the standard deviation of the logarithm of a common factor in their error."""

    variances: Floats
    doubt: float


def noise_of(values: Floats, games: Floats, squares: Floats, freedoms: Floats, basis: Floats) -> Noise:
    """Return the noise of the means of points.

    Args:
        values: the means, shape (points,).
        games: of each mean.
        squares: the squared deviations of block values from the mean of their trial, in units of the variance of one game.
        freedoms: how many of these were free; 0 where blocks are not known.
        basis: functions of the place, shape (points, functions), that the variance may follow.
    """
    are_rates = bool(((values >= 0.0) & (values <= 1.0)).all())
    free = float(freedoms.sum())
    if free < _FEWEST_FREE or squares.sum() <= 0.0:
        if are_rates:
            wins = values * games
            are_tosses = bool((np.abs(2.0 * wins - np.rint(2.0 * wins)) < 1e-6).all())
            return Noise(binomial_noise(values, games), _DOUBT_OF_TOSSES if are_tosses else _DOUBT_OF_GUESSES)
        weights = games / games.sum()
        scatter = float((weights * (values - weights @ values) ** 2).sum() * games.mean())
        return Noise(max(0.5 * scatter, 1e-300) / games, _DOUBT_OF_GUESSES)
    shape = binomial_noise(values, games) * games if are_rates else np.ones(len(values))
    common = float(squares.sum() / (freedoms @ shape))
    unit = common * shape * _ratios(squares, freedoms, common * shape, basis)
    return Noise(unit / games, float(np.hypot(_DOUBT, np.sqrt(2.0 / free))))


def binomial_noise(values: Floats, games: Floats) -> Floats:
    """Return the variance of win rates, p (1 - p) / n, with p shrunk towards the mean by the share of luck.

    Unshrunk, a rate that is low by bad luck would count as a precise one.
    """
    common = float((values * games).sum() / games.sum())
    tosses = max(common * (1.0 - common), 1e-4) / games
    between = max(float(((values - common) ** 2 - tosses).mean()), 0.0)
    shrunk = common + (values - common) * between / (between + tosses)
    found: Floats = np.maximum(shrunk * (1.0 - shrunk), 1e-4) / games
    return found


def _ratios(squares: Floats, freedoms: Floats, expected: Floats, basis: Floats) -> Floats:
    """Return how much greater the variance of each place is than ``expected``, as a smooth function of the place.

    The logarithm is linear in ``basis`` with a ridge, which is chosen by the likelihood of points left out; without
    evidence it is 0 everywhere.
    """
    known = freedoms > 0.0
    if known.sum() < 2 * _FOLDS:
        return np.ones(len(squares))
    found = squares[known] / expected[known]
    design, free = basis[known], freedoms[known]
    fold = np.arange(len(found)) % _FOLDS
    losses = []
    for ridge in _RIDGES:
        loss = np.zeros(len(found))
        for left_out in range(_FOLDS):
            inside = fold != left_out
            eta = design[~inside] @ _log_linear(found[inside], free[inside], design[inside], ridge)
            loss[~inside] = 0.5 * (free[~inside] * eta + found[~inside] * np.exp(-eta))
        losses.append(loss)
    better = losses[-1] - np.array(losses)  # than no difference between places, point by point
    gains = better.sum(axis=1) - 2.0 * better.std(axis=1) * np.sqrt(len(found))
    chosen = int(gains.argmax())
    if gains[chosen] <= 0.0:
        return np.ones(len(squares))
    log_ratio = basis @ _log_linear(found, free, design, _RIDGES[chosen])
    return np.exp(np.clip(log_ratio, -np.log(_MOST_RATIO), np.log(_MOST_RATIO)))


def _log_linear(squares: Floats, freedoms: Floats, design: Floats, ridge: float) -> Floats:
    """Return the coefficients of the logarithm of variances, by a few steps of Newton's with Fisher's information."""
    coefficients = np.zeros(design.shape[1])
    penalty = ridge * np.eye(design.shape[1])
    information = 0.5 * design.T @ (design * freedoms[:, None]) + penalty
    for _step in range(8):
        eta = np.clip(design @ coefficients, -3.0, 3.0)
        slope = 0.5 * design.T @ (squares * np.exp(-eta) - freedoms) - penalty @ coefficients
        coefficients = coefficients + np.clip(np.linalg.solve(information, slope), -1.0, 1.0)
    found: Floats = coefficients
    return found
