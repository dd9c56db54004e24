"""How much blocks differ."""

from __future__ import annotations

import numpy as np
import pytest

from tag.errors import ParameterError
from tuning.block_deviation import win_rate_deviation


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
