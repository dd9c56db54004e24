"""The law of leaving an interval: against its known limits, an independent series and the equation it solves."""

from __future__ import annotations

from math import cos, exp, pi, sin, sqrt

import numpy as np
import pytest
from scipy.special import ndtr

from tag.tournaments.statistics.stopping.after_stopping import worse_outcome


def series(a, b, drift, variance, time, place):
    """By eigenfunctions of the interval, which converge where the images are many: P(ever below) - what is yet to come.

    With A = b - a, drift m and variance v, the density inside at time T is (2/A) e^(m/v x - m²T/2v) Σ sin(-nπa/A)
    sin(nπ(x - a)/A) e^(-n²π²vT/2A²), and the flow out at a is v/2 times its slope.
    """
    width, gamma = b - a, drift / variance
    ever = (1 - exp(-2 * gamma * b)) / (exp(-2 * gamma * a) - exp(-2 * gamma * b)) if gamma else b / width
    total = ever
    for n in range(1, 400):
        k = n * pi / width
        rate = k * k * variance / 2 + drift * drift / variance / 2
        weight = 2 / width * sin(-k * a) * exp(-rate * time)
        later = variance / 2 * k * exp(gamma * a) / rate

        def primitive(x, k=k):
            return exp(gamma * x) * (gamma * sin(k * (x - a)) - k * cos(k * (x - a))) / (gamma * gamma + k * k)

        total += weight * (primitive(place) - primitive(a) - later)
    return total


@pytest.mark.parametrize("drift", [-0.7, -0.1, 0.0, 0.05, 0.4])
@pytest.mark.parametrize("time", [0.5, 3.0, 20.0, 200.0])
@pytest.mark.parametrize("place", [-2.0, -0.5, 0.0, 1.3, 3.0])
def test_images_equal_eigenfunctions(drift, time, place):
    found = worse_outcome(-2.0, 3.0, drift, 0.6, time, place)
    assert found == pytest.approx(min(1, max(0, series(-2.0, 3.0, drift, 0.6, time, place))), abs=1e-9)


def test_without_ends_near_it_is_normal():
    for place in (-1.0, 0.3, 2.0):
        expected = ndtr((place - 0.2 * 2) / sqrt(2))
        assert worse_outcome(-50.0, 60.0, 0.2, 1.0, 2.0, place) == pytest.approx(expected, abs=1e-12)


def test_worse_outcomes_are_fewer_the_stronger():
    drifts = np.linspace(-30, 30, 301)
    for place in (-2.9, 0.0, 2.9):
        found = [worse_outcome(-2.9, 2.9, drift, 0.5, 4.0, place) for drift in drifts]
        assert all(np.diff(found) <= 1e-12)
        assert (found[0], found[-1]) == pytest.approx((1.0, 0.0), abs=1e-100)


def test_outcomes_are_in_order():
    outcomes = [(1, -2.9), (2, -2.9), (2, 0), (2, 2.0), (2, 2.9), (1, 2.9)]
    found = [worse_outcome(-2.9, 2.9, 0.1, 2.0, time, place) for time, place in outcomes]
    assert found == sorted(found)
    assert len(set(found)) == len(found)
