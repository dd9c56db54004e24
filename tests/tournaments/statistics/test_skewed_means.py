"""Means of skewed values: their intervals, by theory and by simulation."""

from __future__ import annotations

from collections.abc import Callable
from math import inf, sqrt

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.stats import beta

from tag.tournaments.statistics import clustered_means, skewed_means
from tag.tournaments.statistics.clustered_means import ClusteredMean, are_equal, intervals
from tag.tournaments.statistics.intervals import student
from tag.tournaments.statistics.skewed_means import skewed_interval, skewed_p_value

pytestmark = pytest.mark.flow

Draw = Callable[[np.random.Generator, tuple[int, int]], np.ndarray]

#: Laws whose mean is 0.
LAWS: dict[str, Draw] = {
    "normal": lambda rng, shape: rng.normal(size=shape),
    "exponential": lambda rng, shape: rng.exponential(size=shape) - 1.0,
    "lognormal": lambda rng, shape: rng.lognormal(-0.5, 1.0, shape) - 1.0,
    "difference of lognormals": lambda rng, shape: rng.lognormal(-0.125, 0.5, shape) - rng.lognormal(-0.5, 1.0, shape),
    "rare great loss": lambda rng, shape: np.where(rng.random(shape) < 0.05, -19.0, 1.0),
    "coin": lambda rng, shape: np.where(rng.random(shape) < 0.5, -1.0, 1.0),
}


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("n", [3, 20, 300])
def test_random_weights_have_the_share_below_that_draws_have(law: str, n: int) -> None:
    """The saddlepoint against 20,000 drawn weights, at the quantile that the interval uses."""
    rng = np.random.default_rng(n)
    values = LAWS[law](rng, (1, n))[0]
    values[0] += 1e-3  # no two-point sample is all equal
    law_of_mean = skewed_means._RandomWeights(values)
    end = law_of_mean.end(0.025)
    invented = values.mean() - (1.5 + 5.0 / n) * (values.mean() - values.min())
    draws = rng.standard_exponential((20_000, n + 1))
    below = float(((draws @ (np.append(values, invented) - end)) < 0.0).mean())
    assert below == pytest.approx(0.025, abs=4.0 * sqrt(0.025 / 20_000) + 0.002)
    assert law_of_mean.share_below(end) == pytest.approx(0.025, rel=1e-6)


@pytest.mark.parametrize(("ones", "n"), [(3, 40), (10, 40), (30, 300)])
def test_for_zeros_and_ones_it_is_the_bound_of_clopper_and_pearson(
    ones: int, n: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the invented value at 0, where the range of such values ends."""
    monkeypatch.setattr(skewed_means, "_REACH", 1.0)
    monkeypatch.setattr(skewed_means, "_REACH_OF_FEW", 0.0)
    values = np.repeat([1.0, 0.0], [ones, n - ones])
    exact = float(beta.ppf(0.025, ones, n - ones + 1))
    assert skewed_means._RandomWeights(values).end(0.025) == pytest.approx(exact, rel=0.03)


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("n", [2, 5, 40, 1_000])
def test_interval_and_p_value_agree_on_any_scale(law: str, n: int) -> None:
    values = LAWS[law](np.random.default_rng(n), (1, n))[0]
    values[0] += 1e-3
    low, high = skewed_interval(values)
    assert skewed_p_value(values, low) == pytest.approx(0.05, rel=1e-6)
    assert skewed_p_value(values, high) == pytest.approx(0.05, rel=1e-6)
    assert skewed_p_value(values, float(values.mean())) == 1.0
    assert skewed_interval(-values) == pytest.approx((-high, -low))
    assert skewed_interval(7.0 + 1e6 * values) == pytest.approx((7.0 + 1e6 * low, 7.0 + 1e6 * high))


def test_it_is_never_narrower_than_student() -> None:
    values = np.random.default_rng(5).normal(size=50)
    half = student(50) * values.std(ddof=1) / sqrt(50)
    low, high = skewed_interval(values)
    assert low <= values.mean() - half
    assert values.mean() + half <= high
    assert high - low < 2.6 * half  # and hardly wider where nothing is skewed


@pytest.mark.parametrize("law", LAWS)
def test_intervals_of_scores_hold(law: str) -> None:
    """Also over blocks of different sizes. A rare loss that has not come yet cannot be known: of 100 blocks, 0.6 %."""
    rng, wrong = np.random.default_rng(7), 0
    for values in LAWS[law](rng, (400, 100)):
        low, high = ClusteredMean.of(values, np.ones(100)).interval(-inf, inf)
        wrong += not low <= 0.0 <= high
    assert wrong / 400 <= 0.07


@pytest.mark.parametrize("at_once", [1, 30, 100_000])
def test_intervals_of_many_means_are_those_of_each(at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """To the bit: also of means of other numbers of blocks, of equal blocks, and of fewer than two."""
    monkeypatch.setattr(clustered_means, "_VALUES_AT_ONCE", at_once)
    rng = np.random.default_rng(3)
    means = [ClusteredMean.of(rng.exponential(size=n), np.ones(n)) for n in (9, 2, 9, 1, 40, 9, 0)]
    means.append(ClusteredMean.of(np.ones(9), np.ones(9)))
    found = np.array(intervals(means, -inf, inf))
    assert np.array_equal(found, [mean.interval(-inf, inf) for mean in means])
    assert np.array_equal(found[0], skewed_interval(means[0].values))


def test_bounded_means_stay_as_they_were() -> None:
    values = np.random.default_rng(1).integers(1, 5, 60).astype(float)
    mean = ClusteredMean.of(values, np.ones(60))
    half = student(60) * sqrt(mean.variance)
    assert mean.interval(1.0, 4.0) == pytest.approx((mean.mean - half, mean.mean + half))


def test_values_of_blocks_of_several_sizes_have_the_mean_and_its_variance() -> None:
    rng = np.random.default_rng(2)
    sizes = rng.integers(0, 5, 50).astype(float)
    totals = rng.exponential(size=50) * sizes
    mean = ClusteredMean.of(totals, sizes)
    assert mean.values is not None
    assert mean.values.mean() == pytest.approx(mean.mean)
    assert mean.values.var(ddof=1) / len(mean.values) == pytest.approx(mean.variance)


#: Values of few blocks: all equal, a few unlike the others, anything.
SMALL_TABLES = st.one_of(
    st.tuples(st.floats(-1e9, 1e9), st.integers(1, 30)).map(lambda table: [table[0]] * table[1]),
    st.lists(st.sampled_from([0.0, 0.0, 0.0, 1 / 3, 1.0]), min_size=1, max_size=30),
    st.lists(st.sampled_from([1e6 / 3, 1e6 / 3, 1e6 / 3 + 1e-3, np.nextafter(1e6 / 3, 0.0)]), min_size=1, max_size=30),
    st.lists(st.floats(-1e9, 1e9), min_size=1, max_size=10),
)


@settings(max_examples=400, deadline=None)
@given(SMALL_TABLES, st.lists(st.integers(0, 3), min_size=30, max_size=30), st.floats(0.0, 1.0))
@example([1.0] + [0.0] * 39, [1] * 40, 0.5)
@example([-1.0] + [0.0] * 39, [1] * 40, 0.5)
@example([0.0] * 28 + [1.0, 1.0], [2] * 30, 0.1)
def test_any_small_table_has_an_interval_also_where_games_repeat(
    values: list[float], sizes: list[int], share: float
) -> None:
    counts = np.array(sizes[: len(values)], dtype=np.float64)
    mean = ClusteredMean.of(np.array(values) * counts, counts).known_from(share)
    low, high = mean.interval(-inf, inf)
    if mean.clusters < 2:
        assert (low, high) == (-inf, inf)
        return
    assert -inf < low < mean.mean < high < inf
    assert 0.0 < mean.error(mean.interval(-inf, inf)) < inf
    assert high - low >= 2.0 * student(mean.clusters) * sqrt(mean.variance) * (1.0 - 1e-6)


@pytest.mark.parametrize("scale", [1.0, 1e9])
def test_games_played_twice_change_no_interval(scale: float) -> None:
    values = scale * np.random.default_rng(3).exponential(size=20)
    once, twice = (ClusteredMean.of(many, np.ones(len(many))) for many in (values, np.repeat(values, 2)))
    assert twice.known_from(0.5).interval(-inf, inf) == pytest.approx(once.interval(-inf, inf), rel=1e-9)


def test_a_rare_value_counts_on_either_side() -> None:
    values = np.array([1.0] + [0.0] * 39)
    up, down = (ClusteredMean.of(sign * values, np.ones(40)).known_from(0.5) for sign in (1.0, -1.0))
    low, high = up.interval(-inf, inf)
    assert down.interval(-inf, inf) == pytest.approx((-high, -low))
    assert high - 0.025 > 1.5 * (0.025 - low)


def test_sums_that_differ_by_rounding_are_equal() -> None:
    thirds = np.array([1 / 3 + 1 / 3 + 1 / 3 - 1.0, 0.1 + 0.2 - 0.3, 0.0])
    assert np.ptp(thirds) > 0.0
    assert are_equal(thirds)
    assert not are_equal(np.array([0.0] * 999 + [1e-3]))
