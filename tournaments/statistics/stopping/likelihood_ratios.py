"""Likelihood ratios between two expected scores of blocks.

A hypothesis fixes one number: the mean of the block scores, or their t-value (mean - reference) / standard deviation.
The distribution is otherwise unknown. A hypothesis is represented by the distribution over the classes that satisfies
it and best explains the observed frequencies p̂. The generalised log-likelihood ratio of two hypotheses over N blocks
is

    LLR = N · Σ p̂ᵢ ln(p¹ᵢ / p⁰ᵢ)

Sources: M. Van den Bergh, "The maximum likelihood estimate of a multinomial with given expectation", proposition 1.1
(support_MLE_multinomial), "Normalized Elo, practical", section 4.1, and "The GSPRT approximation", all at
cantate.be/Fishtest. The constraint on the mean is also that of empirical likelihood (A. Owen, Empirical Likelihood,
2001, chapter 2), whence the bracket.
"""

from __future__ import annotations

from math import sqrt
from typing import Final

import numpy as np

from tag.tournaments.statistics.intervals import Floats
from tag.tournaments.statistics.stopping.block_scores import mean_and_variance

_MAX_ITERATIONS: Final = 100
_HALVINGS: Final = 40
_UNCHANGED: Final = 1e-9
_TOLERANCE: Final = 1e-14


def with_mean(values: Floats, observed: Floats, mean: float) -> Floats:
    """Return the likeliest probabilities with this mean, pᵢ = p̂ᵢ / (1 + θ (vᵢ - mean)).

    Args:
        values: the classes, shape (classes,); ``mean`` lies strictly between the lowest and the highest.
        observed: their relative frequencies p̂, all positive.
        mean: the required value of Σ pᵢ vᵢ.
    """
    return observed / (1.0 + _multiplier(values - mean, observed) * (values - mean))


def with_t_value(values: Floats, observed: Floats, reference: float, t: float) -> Floats:
    """Return the likeliest probabilities whose (mean - reference) / standard deviation is ``t``.

    The constraint is linearised at the mean μ and the deviation s of the last solution, until nothing changes:
    Σ pᵢ (vᵢ - reference - t s (1 + ((μ - vᵢ) / s)²) / 2) = 0.

    No probabilities may satisfy it where ``t`` is far from that of the last solution. The next is then sought from
    a distribution that has the t-value `_mixed`.
    """
    found = np.full(len(values), 1.0 / len(values))
    for _ in range(_MAX_ITERATIONS):
        last = found
        constraint = _linearised(values, last, reference, t)
        if not constraint.min() < 0.0 < constraint.max():
            last = _mixed(values, observed, reference, t)
            constraint = _linearised(values, last, reference, t)
        found = observed / (1.0 + _multiplier(constraint, observed) * constraint)
        if np.abs(found - last).max() < _UNCHANGED:
            break
    return found


def _linearised(values: Floats, last: Floats, reference: float, t: float) -> Floats:
    """Return the constraint on the t-value at the mean and the deviation of ``last``; its mean is 0 where that has ``t``."""
    mean, variance = mean_and_variance(values, last)
    sigma = sqrt(variance)
    return values - reference - t * sigma * (1.0 + ((mean - values) / sigma) ** 2) / 2.0


def _mixed(values: Floats, observed: Floats, reference: float, t: float) -> Floats:
    """Return the observed frequencies, mixed with so much of the lowest or the highest class that their t-value is ``t``."""

    def t_value(probabilities: Floats) -> float:
        mean, variance = mean_and_variance(values, probabilities)
        return (mean - reference) / sqrt(variance)

    is_higher = t_value(observed) < t
    extreme = np.eye(len(values))[-1 if is_higher else 0]
    low, high, found = 0.0, 1.0, observed
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        mixed = (1.0 - middle) * observed + middle * extreme
        if (t_value(mixed) < t) == is_higher:
            low, found = middle, mixed
        else:
            high = middle
    return found


def log_likelihood_ratio(counts: Floats, p0: Floats, p1: Floats) -> float:
    """Return Σ countsᵢ ln(p1ᵢ / p0ᵢ), in nats; positive where the blocks speak for ``p1``."""
    return float(counts @ np.log(p1 / p0))


def normal_log_likelihood_ratio(blocks: float, mean: float, variance: float, mean0: float, mean1: float) -> float:
    """Return the normal approximation N (s₁ - s₀)(2x̄ - s₀ - s₁) / (2s²) for means s₀ and s₁, in nats.

    Source: Van den Bergh, GSPRT_approximation.

    >>> round(normal_log_likelihood_ratio(blocks=100, mean=0.55, variance=0.1, mean0=0.5, mean1=0.55), 2)
    1.25
    """
    return blocks * (mean1 - mean0) * (2.0 * mean - mean0 - mean1) / (2.0 * variance)


def _multiplier(constraint: Floats, observed: Floats) -> float:
    """Return the θ that solves Σ p̂ᵢ aᵢ / (1 + θ aᵢ) = 0, for constraints a of both signs.

    The sum falls with θ. No probability exceeds 1, so θ lies where 1 + θ aᵢ ≥ p̂ᵢ for the lowest and the highest a.
    Newton's method from 0, halving the bracket where it would leave it.
    """
    first, last = int(constraint.argmin()), int(constraint.argmax())
    low = float((observed[last] - 1.0) / constraint[last])
    high = float((observed[first] - 1.0) / constraint[first])
    theta = 0.0
    for _ in range(_MAX_ITERATIONS):
        ratios = constraint / (1.0 + theta * constraint)
        value = float(observed @ ratios)
        low, high = (theta, high) if value > 0.0 else (low, theta)
        last_theta, theta = theta, theta + value / float(observed @ (ratios * ratios))
        if not low < theta < high:
            theta = 0.5 * (low + high)
        if abs(theta - last_theta) <= _TOLERANCE * (1.0 + abs(theta)):
            break
    return theta
