"""Validations of scores: how often equals are called better, and whether intervals hold what is true."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest

from tag.errors import ParameterError
from tag.tuning.agent.defining import define_study
from tag.tuning.validation import Validation

pytestmark = pytest.mark.flow

#: Differences whose mean is 0, of shape (studies, blocks).
EQUALS = {
    "normal": lambda rng, shape: rng.normal(size=shape),
    "lognormal": lambda rng, shape: rng.lognormal(-0.125, 0.5, shape) - rng.lognormal(-0.5, 1.0, shape),
    "against a known lognormal": lambda rng, shape: 1.0 - rng.lognormal(-0.5, 1.0, shape),
    "rare great loss": lambda rng, shape: np.where(rng.random(shape) < 0.05, -19.0, 1.0),
    "rare great loss and noise": lambda rng, shape: (
        np.where(rng.random(shape) < 0.05, -19.0, 1.0) + rng.normal(size=shape)
    ),
    "coin": lambda rng, shape: rng.choice([-50.0, 50.0], shape),
}


def fed(differences: np.ndarray, planned: int = 0, level: float = 0.05) -> Validation:
    validation = Validation(planned or len(differences), 2, level)
    for difference in differences.tolist():
        validation.add(difference)
    return validation


def wrong(law: str, blocks: int, studies: int, better_by: float = 0.0) -> tuple[float, float]:
    """Return the share of studies called better, and that of intervals without the truth."""
    drawn = EQUALS[law](np.random.default_rng([blocks, len(law)]), (studies, blocks)) + better_by
    found = [fed(differences) for differences in drawn]
    results = [one.result() for one in found]
    outside = [not one.low <= better_by <= one.high for one in results]
    return float(np.mean([one.decision == "better" for one in found])), float(np.mean(outside))


@pytest.mark.parametrize("law", EQUALS)
@pytest.mark.parametrize("blocks", [120])
def test_equals_are_rarely_called_better(law: str, blocks: int) -> None:
    """3 % and 7 %, with the luck of 150 studies."""
    better, outside = wrong(law, blocks, 150)
    assert better <= 0.03 + 0.035
    assert outside <= 0.07 + 0.05


@pytest.mark.slow
@pytest.mark.parametrize("law", EQUALS)
@pytest.mark.parametrize("blocks", [100, 250, 500, 1_000])
def test_two_thousand_studies_of_equals(law: str, blocks: int) -> None:
    better, outside = wrong(law, blocks, 2_000)
    assert better <= 0.035  # 3 %, and its luck
    assert outside <= 0.07


def test_a_gain_is_found() -> None:
    """Of 0.3 deviations in 250 blocks, where a t test has a power of 99.7 %."""
    better, _outside = wrong("normal", 250, 100, better_by=0.3)
    assert better >= 0.95


@pytest.mark.parametrize("value", [1e-9, 50.0, 1e6])
def test_equal_blocks_show_nothing_before_there_are_a_hundred(value: float) -> None:
    few = fed(np.full(99, value)).result()
    assert (few.low, few.high, few.p_value, few.decision) == (-inf, inf, 1.0, "not better")
    many = fed(np.full(100, value)).result()
    assert many.decision == "better"
    assert 0.0 < many.low < many.difference < many.high
    assert many.difference == pytest.approx(value)
    assert fed(np.full(100, -value)).decision == "not better"


def test_there_is_one_look_after_all_planned_blocks() -> None:
    rng = np.random.default_rng(1)
    validation = fed(5.0 + rng.normal(size=199), planned=200)
    assert validation.decision is None
    assert validation.result().low > 4.0
    assert validation.add(5.0) == "better"
    assert (validation.add(-1e9), validation.blocks) == ("better", 200)


def test_identical_scores_make_no_difference() -> None:
    result = fed(np.zeros(200)).result()
    assert (result.decision, result.difference, result.p_value) == ("not better", 0.0, 1.0)


@pytest.mark.parametrize("level", [0.01, 0.05, 0.2])
@pytest.mark.parametrize("law", EQUALS)
def test_verdict_interval_and_p_value_agree(law: str, level: float) -> None:
    rng = np.random.default_rng(3)
    for better_by in np.linspace(-1.0, 1.0, 9):
        result = fed(EQUALS[law](rng, (1, 150))[0] + better_by, level=level).result()
        assert (result.decision == "better") == (result.low > 0.0)
        assert (result.p_value <= level) == (not result.low <= 0.0 <= result.high)


@pytest.mark.parametrize(("objective", "blocks"), [("win_rate", 10), ("ordinal", 10), ("decision_ms", 100)])
def test_a_study_of_scores_plans_a_hundred_blocks(objective: str, blocks: int) -> None:
    said = {"games": 200, "versus": ("osla",), "objective": objective}
    assert define_study("rmhc:budget=10", "tic_tac_toe", validation=2 * blocks, **said).validation == 2 * blocks
    with pytest.raises(ParameterError, match=f"the least is {2 * blocks}, or 0 for none"):
        define_study("rmhc:budget=10", "tic_tac_toe", validation=2 * blocks - 1, **said)
    with pytest.raises(ParameterError, match=f"equal_time_games cannot be {2 * blocks - 1}; the least is {2 * blocks}"):
        define_study("rmhc:budget=10", "tic_tac_toe", equal_time_games=2 * blocks - 1, **said)
