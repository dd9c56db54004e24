"""How much blocks differ."""

from __future__ import annotations

import numpy as np
import pytest

from tag.errors import ParameterError
from tag.tuning.search.race import BlockMoments
from tag.tuning.validation import win_rate_deviation


def test_the_deviation_of_win_rates():
    assert win_rate_deviation(0.5, 1) == 0.5
    assert win_rate_deviation(0.25, 4) == pytest.approx(np.sqrt(0.1875 / 4))
    assert win_rate_deviation(0.5, 2, correlation=0.0) == pytest.approx(0.5)
    assert win_rate_deviation(0.5, 2, correlation=0.5) == pytest.approx(win_rate_deviation(0.5, 2))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: win_rate_deviation(1.0, 2), "win_rate cannot be 1; it lies between 0 and 1"),
        (lambda: win_rate_deviation(0.5, 0), "games cannot be 0; the least is 1"),
        (lambda: win_rate_deviation(0.5, 2, 1.0), "correlation cannot be 1; it is at least -1 and below 1"),
    ],
)
def test_what_cannot_be(make, message):
    with pytest.raises(ParameterError, match=message):
        make()


def test_the_moments_of_short_trials_are_not_biased():
    """Blocks of an exponential law, whose deviation is 1 and whose skewness is 2, in trials of other means."""
    rng, moments = np.random.default_rng(1), BlockMoments()
    for _ in range(4_000):
        moments.add((rng.normal(0, 5) + rng.exponential(size=rng.integers(1, 12))).tolist())
    assert moments.deviation == pytest.approx(1.0, rel=0.05)
    assert moments.skewness == pytest.approx(2.0, rel=0.2)


def test_no_blocks_and_equal_ones_have_no_moments():
    moments = BlockMoments()
    assert (moments.freedom, moments.deviation, moments.skewness) == (0, 0.0, 0.0)
    moments.add([3.0, 3.0, 3.0])
    assert (moments.freedom, moments.deviation, moments.skewness) == (2, 0.0, 0.0)
