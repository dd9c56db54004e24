"""The Gaussian process: its gradient, its noise, and how often its intervals hold."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import linalg
from scipy.optimize import check_grad
from threadpoolctl import ThreadpoolController, threadpool_info

from benchmarks.landscapes.evolution import CONFIGURATIONS, EvolutionLandscape
from tag.tuning.samplers.bgp import ConfigurationEncoder
from tag.tuning.samplers.gaussian_process import GaussianProcess, _misfit
from tag.tuning.samplers.noise import binomial_noise

pytestmark = pytest.mark.flow


def test_the_gradient_is_that_of_the_misfit():
    rng = np.random.default_rng(1)
    groups = np.array([0, 1, 1, 2])
    points = rng.random((12, 4))
    process = GaussianProcess(groups)
    distances = process._distances(points, points)
    noise = rng.uniform(0.001, 0.01, 12)
    residuals = rng.normal(0, 0.1, 12)
    places = process._at(points)
    parts = np.array(process._parts(places, places))
    theta = np.array([-0.3, 0.2, 0.5, -3.0, -4.0, -5.0, -4.5, 0.1])

    def misfit(at):
        return _misfit(at, distances, parts, residuals, noise, 0.3)

    assert check_grad(lambda at: misfit(at)[0], lambda at: misfit(at)[1], theta) < 1e-4


def test_points_with_many_games_are_believed_and_points_with_few_are_not():
    points = np.array([[0.0], [1.0]])
    process = GaussianProcess(np.array([0]))
    process.fit(points, np.array([0.7, 0.7]), np.array([1e-6, 0.25]), search=False)
    mean, deviation = process.predict(np.array([[0.0], [1.0]]))
    assert mean[0] == pytest.approx(0.7, abs=1e-3)
    assert deviation[0] < 0.01 < deviation[1]


def test_draws_have_the_mean_and_deviation_that_are_predicted():
    rng = np.random.default_rng(2)
    points = rng.random((20, 2))
    process = GaussianProcess(np.array([0, 1]))
    process.fit(points, 0.5 + 0.2 * points[:, 0], np.full(20, 0.004))
    asked = rng.random((5, 2))
    mean, deviation = process.predict(asked)
    draws = process.draw(asked, 20_000, rng)
    assert draws.mean(axis=0) == pytest.approx(mean, abs=0.005)
    assert draws.std(axis=0) == pytest.approx(deviation, abs=0.005)


def test_noise_is_that_of_coin_tosses_and_never_0():
    values, games = np.array([0.5, 0.0, 1.0]), np.array([100.0, 3.0, 3.0])
    noise = binomial_noise(values, games)
    assert noise[0] == pytest.approx(0.25 / 100, rel=0.02)
    assert (noise[1:] > 0.02).all()


def test_intervals_hold_what_they_promise():
    inside, asked = 0, 0
    for seed in range(10):
        landscape, rng = EvolutionLandscape(seed), np.random.default_rng(seed)
        features = ConfigurationEncoder(CONFIGURATIONS)
        configurations = [CONFIGURATIONS.draw(rng) for _ in range(80)]
        default = {"tournament": 4}
        values = np.array([landscape.play({**default, **one}, 50).mean() for one in configurations])
        process = GaussianProcess(features.groups)
        process.fit(features.of(configurations), values, binomial_noise(values, np.full(80, 50.0)))
        others = [CONFIGURATIONS.draw(rng) for _ in range(100)]
        mean, deviation = process.predict(features.of(others))
        truth = np.array([landscape.win_rate({**default, **one}) for one in others])
        inside += int((np.abs(truth - mean) <= 1.96 * deviation).sum())
        asked += len(others)
    assert 0.90 <= inside / asked <= 0.98


def test_linear_algebra_keeps_to_one_thread_and_leaves_the_setting_as_it_was(monkeypatch):
    inside, former = [], linalg.cho_factor

    def factor(*arguments, **options):
        inside.append(threads())
        return former(*arguments, **options)

    monkeypatch.setattr(linalg, "cho_factor", factor)
    with ThreadpoolController().limit(limits=2, user_api="blas"):
        before = threads()
        GaussianProcess(np.array([0])).fit(np.array([[0.0], [1.0]]), np.array([0.4, 0.6]), np.array([0.01, 0.01]))
        assert threads() == before
    assert inside
    assert all(set(found) == {1} for found in inside)
    assert set(before) != {1}


def threads() -> list[int]:
    """Return the threads of each library for linear algebra."""
    return [one["num_threads"] for one in threadpool_info() if one["user_api"] == "blas"]
