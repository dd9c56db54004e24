"""Nash averages: against closed forms, and what copies change."""

from __future__ import annotations

import numpy as np
import pytest
from made_up import duel, random_games, ranked

from tag.errors import DataError
from tag.tournaments.statistics.ratings.nash_average import nash_average
from tag.tournaments.statistics.ratings.pairwise import log_odds

pytestmark = pytest.mark.flow

CYCLE = np.array([[0.0, 1.0, -2.0], [-1.0, 0.0, 3.0], [2.0, -3.0, 0.0]])


def extended(table, row):
    """The table with an agent more, whose log odds against the others are ``row``."""
    n = len(table)
    wider = np.zeros((n + 1, n + 1))
    wider[:n, :n], wider[n, :n], wider[:n, n] = table, row, -np.asarray(row)
    return wider


def test_a_transitive_game_is_about_the_best():
    ratings = np.array([1.0, 3.0, 2.5])
    found = nash_average(ratings[:, None] - ratings)
    assert found.weights == pytest.approx([0, 1, 0], abs=1e-9)
    assert found.ratings == pytest.approx([-2.0, 0.0, -0.5], abs=1e-9)


def test_a_cycle_by_hand():
    """Weights are as the log odds of the other two: A p = 0."""
    found = nash_average(CYCLE)
    assert found.weights == pytest.approx([3 / 6, 2 / 6, 1 / 6], abs=1e-7)
    assert found.ratings == pytest.approx([0, 0, 0], abs=1e-7)


def test_nobody_leads_anybody():
    assert nash_average(np.zeros((5, 5))).weights == pytest.approx([0.2] * 5, abs=1e-9)


def test_copies_share_a_weight_and_change_nothing_else():
    whole, copied = nash_average(CYCLE), nash_average(extended(CYCLE, CYCLE[2]))
    assert copied.weights[:2] == pytest.approx(whole.weights[:2], abs=1e-6)
    assert copied.weights[2:] == pytest.approx([1 / 12, 1 / 12], abs=1e-6)
    assert copied.ratings[:3] == pytest.approx(whole.ratings, abs=1e-6)


def test_a_weak_agent_changes_nothing():
    found = nash_average(extended(CYCLE, [-1.0, -2.0, -0.5]))
    assert found.weights == pytest.approx([3 / 6, 2 / 6, 1 / 6, 0], abs=1e-6)
    assert found.ratings[3] == pytest.approx(-0.5 - 2 / 3 - 0.5 / 6, abs=1e-6)


def test_of_several_equilibria_it_is_the_most_even():
    """Two equal agents above a third: any mixture of the two is an equilibrium."""
    found = nash_average(np.array([[0.0, 0.0, 1.0], [0.0, 0.0, 1.0], [-1.0, -1.0, 0.0]]))
    assert found.weights == pytest.approx([0.5, 0.5, 0.0], abs=1e-7)


def test_the_most_even_may_lie_on_an_edge():
    """Equilibria mix the two equal leaders, with at least 3/4 of the first, or the third gains: p_1 - 3 p_2 >= 0."""
    found = nash_average(np.array([[0.0, 0.0, 1.0], [0.0, 0.0, -3.0], [-1.0, 3.0, 0.0]]))
    assert found.weights == pytest.approx([0.75, 0.25, 0.0], abs=1e-6)


@pytest.mark.parametrize("seed", range(15))
def test_it_is_an_equilibrium(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 20))
    table = rng.normal(size=(n, n))
    table, order = table - table.T, rng.permutation(n)
    found = nash_average(table)
    assert found.weights.sum() == pytest.approx(1)
    assert np.all(found.weights >= 0)
    assert found.ratings.max() < 1e-6
    assert np.abs(found.ratings[found.weights > 1e-6]).max() < 1e-6
    assert nash_average(table[np.ix_(order, order)]).weights == pytest.approx(found.weights[order], abs=1e-5)
    assert nash_average(1000.0 * table).weights == pytest.approx(found.weights, abs=1e-6)


def test_log_odds_of_games():
    assert log_odds(duel(3, 1, 0))[0, 1] == pytest.approx(np.log(7.5 / 1.5))  # 7 of 8 points
    assert np.isfinite(log_odds(duel(5, 0, 0))).all()
    table = log_odds(random_games(np.random.default_rng(1), 4, 3, 60))
    np.testing.assert_allclose(table, -table.T, atol=1e-12)


def test_what_cannot_be_is_refused():
    with pytest.raises(DataError, match="not antisymmetric"):
        nash_average(np.array([[0.0, 1.0], [1.0, 0.0]]))
    with pytest.raises(DataError, match="not antisymmetric"):
        nash_average(np.zeros((2, 3)))
    with pytest.raises(DataError, match="'agent0' and 'agent2' have not met"):
        log_odds(ranked(3, ((0, 1), (1, 2)), ((1, 2), (1, 2))))
