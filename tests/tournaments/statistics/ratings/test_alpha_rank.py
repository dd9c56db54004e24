"""Alpha-rank: against closed forms and the masses that OpenSpiel finds."""

from __future__ import annotations

import numpy as np
import pytest

from tag.errors import DataError, ParameterError
from tag.tournaments.statistics.ratings.alpha_rank import alpha_rank

CYCLE_AND_A_WEAK_ONE = np.array(
    [[0.5, 0.62, 0.31, 0.7], [0.38, 0.5, 0.66, 0.55], [0.69, 0.34, 0.5, 0.58], [0.3, 0.45, 0.42, 0.5]]
)

# --- OpenSpiel 2.0.2, open_spiel.python.egt.alpharank.compute ------------------------------------------------------------


@pytest.mark.parametrize(
    ("alpha", "masses"),
    [
        (0.1, [0.284368085, 0.305957187, 0.303584890, 0.106089837]),
        (1.0, [0.275043241, 0.406680316, 0.317738168, 0.000538276]),
        (5.0, [0.304641815, 0.370742435, 0.324615749, 0.0]),
        (20.0, [0.332341132, 0.334931211, 0.332727657, 0.0]),
    ],
)
def test_equals_open_spiel_for_one_population(alpha, masses):
    assert alpha_rank(CYCLE_AND_A_WEAK_ONE, alpha=alpha, population=50) == pytest.approx(masses, abs=1e-9)


def test_equals_open_spiel_where_payoffs_do_not_add_up():
    payoffs = np.array([[0.0, -1.0, 2.0], [3.0, 0.0, -1.0], [-1.0, 1.0, 0.0]])
    masses = [0.268356572, 0.415634765, 0.316008663]
    assert alpha_rank(payoffs, alpha=0.3, population=20) == pytest.approx(masses, abs=1e-9)


# --- closed forms ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("alpha", [0.0, 0.1, 10.0, 1e3, 1e6])
def test_rock_paper_scissors_has_equal_masses(alpha):
    rock_paper_scissors = np.array([[0.0, -1.0, 1.0], [1.0, 0.0, -1.0], [-1.0, 1.0, 0.0]])
    assert alpha_rank(rock_paper_scissors, alpha) == pytest.approx([1 / 3] * 3, abs=1e-12)


@pytest.mark.parametrize(("alpha", "population"), [(0.2, 5), (1.0, 50), (0.01, 1000)])
def test_two_agents_have_masses_as_the_odds_of_taking_over(alpha, population):
    """The odds of taking over are exp((m-1) x) for x = alpha times the gain."""
    found = alpha_rank(np.array([[0.5, 0.6], [0.4, 0.5]]), alpha, population)
    assert np.log(found[0] / found[1]) == pytest.approx((population - 1) * alpha * 0.2, rel=1e-9)


def test_the_best_of_an_order_has_all():
    payoffs = np.array([[0.5, 0.6, 0.9], [0.4, 0.5, 0.7], [0.1, 0.3, 0.5]])
    assert alpha_rank(payoffs) == pytest.approx([1, 0, 0], abs=1e-12)


def test_no_selection_is_no_difference():
    assert alpha_rank(CYCLE_AND_A_WEAK_ONE, alpha=0.0) == pytest.approx([0.25] * 4)


def test_strong_selection_is_no_trouble():
    """Rates as small as exp(-1e6) tie nothing up: the cycle keeps all the mass."""
    assert alpha_rank(CYCLE_AND_A_WEAK_ONE, alpha=1e5) == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0], abs=1e-12)


def test_one_agent_has_all():
    assert alpha_rank(np.array([[0.5]])).tolist() == [1.0]


# --- invariances -----------------------------------------------------------------------------------------------------


def test_numbers_of_agents_do_not_matter():
    order = np.array([2, 0, 3, 1])
    found = alpha_rank(CYCLE_AND_A_WEAK_ONE[np.ix_(order, order)], 1.0)
    assert found == pytest.approx(alpha_rank(CYCLE_AND_A_WEAK_ONE, 1.0)[order], abs=1e-12)


def test_a_constant_does_not_matter_nor_does_the_diagonal():
    moved = CYCLE_AND_A_WEAK_ONE + 7.0
    np.fill_diagonal(moved, np.nan)
    assert alpha_rank(moved, 1.0) == pytest.approx(alpha_rank(CYCLE_AND_A_WEAK_ONE, 1.0), abs=1e-9)


def test_what_cannot_be_is_refused():
    with pytest.raises(DataError, match=r"shape \(2, 3\)"):
        alpha_rank(np.zeros((2, 3)))
    with pytest.raises(DataError, match="a payoff is unknown"):
        alpha_rank(np.array([[0.5, np.nan], [np.nan, 0.5]]))


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"population": 0}, "population cannot be 0; the least is 2"),
        ({"population": 1}, "population cannot be 1; the least is 2"),
        ({"alpha": -1.0}, "alpha cannot be -1; the least is 0"),
        ({"alpha": np.inf}, "alpha cannot be inf"),
    ],
)
def test_impossible_populations_are_refused(options, sentence):
    with pytest.raises(ParameterError, match=sentence):
        alpha_rank(CYCLE_AND_A_WEAK_ONE, **options)
