"""A few cells of the tables of coverage and error rates, with few simulations; `benchmarks/coverage` has all."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest

from benchmarks.coverage.rates import CIRCLES, EQUALS, RATES, RATINGS, SEQUENTIAL, TABLES
from benchmarks.coverage.table import markdown

pytestmark = pytest.mark.flow


def least(share: float, simulations: int) -> float:
    """Return what a share that is at least ``share`` is seldom (1 in 1,000) below."""
    return share - 3.1 * sqrt(share * (1.0 - share) / simulations)


@pytest.mark.parametrize("lead", [0.0, 0.94])
@pytest.mark.parametrize("draws", [0.0, 0.6, 0.99])
@pytest.mark.parametrize("blocks", [2, 50, 200])
def test_intervals_of_rates_hold(blocks: int, draws: float, lead: float) -> None:
    """Intervals of mean ranks held in 84 % of tournaments of 50 blocks with a lead, where t intervals ignore skewness."""
    shares = RATES.measured((2, blocks, draws, lead, 0.5), 1000)["shares"]
    assert min(shares.values()) >= least(0.93, 1000), shares


@pytest.mark.parametrize(
    "settings",
    [
        ("round_robin", 2, 2, 2, 0.0, 0.94, 0.5),
        ("round_robin", 2, 2, 100, 0.99, 0.94, 0.5),
        ("ladder", 5, 2, 5, 0.0, 0.94, 0.5),
        ("swiss", 8, 2, 2, 0.9, 0.94, 0.5),
        ("knockout", 8, 2, 2, 0.0, 0.94, 0.5),
        ("balanced", 8, 4, 5, 0.0, 0.5, 0.75),
    ],
)
def test_intervals_of_ratings_hold(settings: tuple[object, ...]) -> None:
    shares = RATINGS.measured(settings, 50)["shares"]
    assert min(shares.values()) >= least(0.93, 50), shares


def test_equal_agents_are_seldom_told_apart() -> None:
    shares = EQUALS.measured(("round_robin", 4, 2, 10, 0.0, 0.5), 100)["shares"]
    assert shares["any two told apart"] <= 1.0 - least(0.95, 100)
    assert shares["P(best) above 0.995"] <= 1.0 - least(0.99, 100)


@pytest.mark.parametrize("draws", [0.0, 0.6, 0.9])
def test_agents_in_order_are_seldom_called_circular(draws: float) -> None:
    """With 60 % draws, a test of log odds that add up raised an alarm in 62 % of tournaments."""
    assert CIRCLES.measured(("in order", 8, 40, draws, 0.94), 60)["shares"]["alarms"] <= 1.0 - least(0.95, 60)


def test_a_circle_is_seldom_missed() -> None:
    assert CIRCLES.measured(("in a circle", 3, 40, 0.0, 0.2), 200)["shares"]["alarms"] >= least(0.8, 200)


def test_sequential_tests_seldom_err() -> None:
    shares = SEQUENTIAL.measured(("logistic", -800, -300, 0.0), 400)["shares"]
    assert max(shares.values()) <= 1.0 - least(0.95, 400), shares


def test_a_row_is_the_same_whichever_others_are_measured() -> None:
    (settings, _simulations), *_ = RATES.rows
    assert RATES.measured(settings, 50) == RATES.measured(settings, 50)


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.title)
def test_tables_show_the_number_of_simulations(table) -> None:
    assert len({settings for settings, _ in table.rows}) == len(table.rows)
    settings, _ = min(table.rows, key=lambda row: np.prod([abs(x) + 1 for x in row[0] if not isinstance(x, str)]))
    text = markdown(table, [table.measured(settings, 2)]).splitlines()
    assert text[0] == f"## {table.title}"
    assert text[-3].endswith("| simulations |")
    assert text[-1].endswith("| 2 |")
    assert len({line.count("|") for line in text[-3:]}) == 1
