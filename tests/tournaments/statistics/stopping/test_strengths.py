"""Joint strengths: right on average, with the spread they claim, whatever the order of blocks."""

from __future__ import annotations

import numpy as np
import pytest
from simulated import World

from tag.tournaments.statistics.stopping.strengths import Strengths, fit_strengths, pair_shares

SEATS = np.array([0.5, 0.2, 0.1, 0.0])


def tables(n_agents, blocks, rng):
    """Match-ups of four at random."""
    return rng.random((blocks, n_agents)).argsort(axis=1)[:, :4]


def test_shares_count_ties_by_half():
    found = pair_shares([[1, 2, 2], [1, 1, 3]])
    assert found.tolist() == [[0.5, 0.75, 1.0], [0.25, 0.5, 0.75], [0.0, 0.25, 0.5]]


def test_without_blocks_all_are_alike_and_unknown():
    found = fit_strengths(3, np.empty((0, 2), dtype=np.int64), np.empty((0, 2, 2)))
    assert found.mean.tolist() == [0, 0, 0]
    assert np.allclose(np.diag(found.covariance), found.covariance[0, 0])
    assert found.covariance[0, 0] > 0.5


def test_the_order_of_blocks_has_no_part_in_it():
    rng = np.random.default_rng(5)
    match_ups = tables(8, 60, rng)
    shares = pair_shares(World(0.2 * np.arange(8), SEATS, 0.5).blocks(match_ups, rng))
    found = fit_strengths(8, match_ups, shares)
    for _ in range(5):
        order = rng.permutation(60)
        seats = rng.permutation(4)
        again = fit_strengths(8, match_ups[order][:, seats], shares[order][:, seats][:, :, seats])
        assert again.mean == pytest.approx(found.mean, abs=1e-9)
        assert again.covariance == pytest.approx(found.covariance, abs=1e-9)


def test_strengths_of_many_blocks_are_the_true_ones():
    """Without luck and seats the model is the truth; the agents' mean is not known and does not matter."""
    rng = np.random.default_rng(6)
    truth = np.array([0.9, 0.5, 0.2, 0.0, -0.3, -1.3])
    match_ups = tables(6, 4_000, rng)
    found = fit_strengths(6, match_ups, pair_shares(World(truth, np.zeros(4)).blocks(match_ups, rng)))
    assert found.mean - found.mean.mean() == pytest.approx(truth - truth.mean(), abs=0.06)


def test_one_who_always_wins_has_a_finite_strength():
    match_ups = np.array([[0, 1]] * 20)
    found = fit_strengths(3, match_ups, np.array([[[0.5, 1.0], [0.0, 0.5]]] * 20))
    assert 1 < found.mean[0] < 20
    assert found.mean[2] == pytest.approx(0, abs=1e-9)
    assert found.covariance[2, 2] > found.covariance[0, 0] / 4


@pytest.mark.parametrize("luck", [0.0, 0.75])
def test_the_covariance_is_that_of_the_error(luck):
    """Standardised errors of differences about their own average over tournaments have variance 1."""
    rng, world = np.random.default_rng(7), World(0.15 * np.arange(8), SEATS, luck)
    means, variances = [], []
    for _ in range(250):
        match_ups = tables(8, 120, rng)
        found = fit_strengths(8, match_ups, pair_shares(world.blocks(match_ups, rng)))
        means.append(found.mean[1:] - found.mean[0])
        covariance = found.covariance
        variances.append(np.diag(covariance)[1:] + covariance[0, 0] - 2 * covariance[0, 1:])
    ratio = np.var(means, axis=0, ddof=1) / np.mean(variances, axis=0)
    assert 0.7 < ratio.mean() < 1.15  # below 1: the spread of the population draws estimates together


def test_draws_have_the_distribution():
    covariance = np.array([[0.5, 0.2, 0.0], [0.2, 0.3, 0.0], [0.0, 0.0, 0.0]])
    draws = Strengths(np.array([1.0, 0.0, -2.0]), covariance).draw(40_000, np.random.default_rng(8))
    assert draws.mean(axis=0) == pytest.approx([1, 0, -2], abs=0.02)
    assert np.cov(draws.T) == pytest.approx(covariance, abs=0.02)
