"""Claims of papers are judged by intervals."""

from __future__ import annotations

from math import inf, nan

import numpy as np
import pandas as pd
import pytest

from tag.tournaments import define, run_tournament
from tag.tournaments.results.analysis.claims import (
    Verdict,
    claim_of_difference,
    claim_of_range,
    claims_table,
    difference,
    least,
    points_difference,
)
from tag.tournaments.results.tournament import counted_seats
from tag.tournaments.statistics.intervals import Interval, IntervalEstimate

pytestmark = pytest.mark.flow


def estimate(value: float, low: float, high: float) -> IntervalEstimate:
    return IntervalEstimate(value, Interval(low, high))


@pytest.mark.parametrize(
    ("low", "high", "above", "below", "verdict"),
    [
        (0.1, 0.3, 0.0, inf, Verdict.AGREES),
        (-0.1, 0.3, 0.0, inf, Verdict.UNDECIDED),
        (0.0, 0.3, 0.0, inf, Verdict.UNDECIDED),
        (-0.3, -0.1, 0.0, inf, Verdict.REFUTED),
        (0.1, 0.3, 0.0, 0.5, Verdict.AGREES),
        (0.1, 0.6, 0.0, 0.5, Verdict.UNDECIDED),
        (0.6, 0.7, 0.0, 0.5, Verdict.REFUTED),
        (-0.1, 0.6, 0.0, 0.5, Verdict.UNDECIDED),
        (nan, nan, 0.0, inf, Verdict.UNDECIDED),
    ],
)
def test_a_claim_agrees_within_its_range_and_is_refuted_outside(low, high, above, below, verdict):
    found = claim_of_range("a", "b", estimate((low + high) / 2, low, high), 10, above=above, below=below)
    assert found.verdict is verdict


@pytest.mark.parametrize(
    ("low", "high", "printed", "verdict"),
    [
        (0.1, 0.2, 0.4, Verdict.AGREES),  # half of the figure is .2
        (0.1, 0.19, 0.4, Verdict.IN_SIGN),
        (0.6, 0.9, 0.4, Verdict.AGREES),
        (0.61, 0.9, 0.4, Verdict.IN_SIGN),
        (0.01, 0.9, 0.4, Verdict.AGREES),
        (0.02, 0.3, 0.0, Verdict.AGREES),  # two points of 100 are the least tolerance
        (0.046, 0.2, 0.001, Verdict.IN_SIGN),  # Diamant in *Skill Depth*
        (0.1, 0.3, -0.4, Verdict.IN_SIGN),
        (-0.1, 0.3, 5.0, Verdict.UNDECIDED),
        (-0.3, -0.1, 0.4, Verdict.REFUTED),
        (0.1, 0.2, None, Verdict.AGREES),
    ],
)
def test_a_claim_with_a_printed_figure_agrees_only_if_its_size_does(low, high, printed, verdict):
    found = claim_of_range("a", "b", estimate((low + high) / 2, low, high), 10, above=0.0, printed=printed)
    assert found.verdict is verdict
    middle, none = estimate((low + high) / 2, low, high), estimate(0.0, 0.0, 0.0)
    difference_of = claim_of_difference("a", "b", middle, none, 1, printed=printed)
    assert difference_of.verdict is verdict


def test_newcombes_interval():
    """The example of method 10 in the article: 56 of 70 and 48 of 80, +0.2 (0.0524 to 0.3339)."""
    found = difference(estimate(0.8, 0.6920, 0.8769), estimate(0.6, 0.4904, 0.7005))
    assert found.value == pytest.approx(0.2)
    assert found.interval == pytest.approx((0.0524, 0.3339), abs=1e-4)


def test_the_least_of_several_differences_judges_all_of_them():
    clear, open_, against = estimate(0.5, 0.4, 0.6), estimate(0.1, -0.1, 0.3), estimate(-0.2, -0.3, -0.1)
    judged = [
        claim_of_range("first", "", least(differences), 1, above=0.0).verdict
        for differences in ([clear, clear], [clear, open_], [clear, open_, against])
    ]
    assert judged == [Verdict.AGREES, Verdict.UNDECIDED, Verdict.REFUTED]


def test_points_at_one_table_differ_by_more_than_independent_rates():
    """In a game for two, points of one are lost by the other: the error of the difference is twice that of either."""
    rng = np.random.default_rng(1)
    wins = rng.integers(2, size=400).astype(float)
    blocks = np.arange(400)
    seats = pd.DataFrame(
        {
            "block": np.concatenate([blocks, blocks]),
            "agent": pd.Categorical(["a"] * 400 + ["b"] * 400),
            "points": np.concatenate([wins, 1 - wins]),
        }
    )
    found = points_difference(seats, "a", "b")
    assert found.value == pytest.approx(2 * wins.mean() - 1)
    assert found.interval.half == pytest.approx(1.966 * 2 * wins.std(ddof=1) / 20, rel=1e-3)
    assert points_difference(seats, "b", "a").value == pytest.approx(-found.value)


def test_equal_blocks_and_unequal_numbers_of_games():
    """Agent b has two games in the first block, and all points are the same: that is not certain, but known to a bound."""
    seats = pd.DataFrame({"block": [0, 0, 0, 1, 1], "agent": list("abbab"), "points": [1.0, 0.0, 0.0, 1.0, 0.0]})
    found = points_difference(seats, "a", "b")
    assert found.value == 1.0
    assert -1.0 < found.interval.low < found.interval.high == 1.0


def test_a_tournament_is_judged(tmp_path):
    agents = ("random", "osla")
    run_tournament(define("nim", agents, 20, players=2, seed=1), tmp_path / "nim", tracking=False)
    seats = counted_seats(tmp_path / "nim")
    found = points_difference(seats, "osla", "random")
    points = seats.groupby("agent", observed=True)["points"].mean()
    assert found.value == pytest.approx(points["osla"] - points["random"])
    assert found.interval.low <= found.value <= found.interval.high


def test_the_table_has_a_row_for_each_claim():
    rate = claim_of_difference("A beats B", "62 %, 20 %", estimate(0.6, 0.5, 0.7), estimate(0.2, 0.1, 0.3), 1200)
    plain = claim_of_range("C is below 2", "1.5", estimate(2.5, 2.25, 2.75), 40, below=2.0, form=".2f")
    assert claims_table([rate, plain]) == [
        "| claim | published | measured, 95 % interval | games | verdict |",
        "|---|---|---|---|---|",
        "| A beats B | 62 %, 20 % | +40% (+26% to +54%) | 1,200 | *agrees* |",
        "| C is below 2 | 1.5 | 2.50 (2.25 to 2.75) | 40 | *refuted* |",
    ]
