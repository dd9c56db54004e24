"""Validation: plans, decisions, and by simulation how often they are wrong."""

from __future__ import annotations

import logging
from dataclasses import dataclass

import numpy as np
import pytest
from scipy.special import ndtr, ndtri

from tag.errors import ParameterError
from tag.tuning.validation import Validation, ValidationPlan, boundaries, win_rate_deviation

pytestmark = pytest.mark.flow

#: Shown by pytest --log-cli-level=INFO.
REPORT = logging.getLogger(__name__).info

# --- games ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class HeadToHead:
    """Games against the default, whose value is known: block differences from 1 in ``seats``.

    Attributes:
        seats: of the game; a block has as many games.
        seat_effect: how far the win rate of the first seat is above, and that of the last below the mean.
        draws: the share of drawn games, where each gets an equal share.
    """

    seats: int
    seat_effect: float = 0.0
    draws: float = 0.0

    def differences(self, better_by, blocks, rng):
        rates = 1 / self.seats + better_by / (1 - self.draws) + np.linspace(1, -1, self.seats) * self.seat_effect
        points = rng.random((blocks, self.seats)) < rates
        points = np.where(rng.random(points.shape) < self.draws, 1 / self.seats, points)
        return points.mean(axis=1) - 1 / self.seats


@dataclass(frozen=True)
class Paired:
    """Games of both against others: with probability ``correlation`` a game of both has the same toss.

    Attributes:
        seats: of the game; a block has as many games of each side.
        correlation: of the two sides where they are equal.
        win_rate: of the default.
    """

    seats: int
    correlation: float
    win_rate: float = 0.5

    def differences(self, better_by, blocks, rng):
        tosses = rng.random((2, blocks, self.seats))
        tosses[1] = np.where(rng.random(tosses[1].shape) < self.correlation, tosses[0], tosses[1])
        wins = tosses < np.array([self.win_rate + better_by, self.win_rate])[:, None, None]
        return (wins[0] * 1.0 - wins[1]).mean(axis=1)


@dataclass(frozen=True)
class NearlyTheSame:
    """A recommendation that plays as the default does, but in a few blocks."""

    differing: float
    seats: int = 2

    def differences(self, better_by, blocks, rng):
        return np.where(rng.random(blocks) < self.differing, rng.choice([-0.5, 0.5], blocks), 0.0) + better_by


def played(games, better_by, blocks, rng, level=0.05):
    """A validation that is over."""
    validation = Validation(blocks, games.seats, level, most=1.0)
    for difference in games.differences(better_by, blocks, rng).tolist():
        if validation.add(difference):
            break
    return validation


def share_better(games, better_by, blocks, runs, seed):
    """The share of studies with the decision "better", and the mean number of blocks."""
    rng = np.random.default_rng(seed)
    found = [played(games, better_by, blocks, rng) for _ in range(runs)]
    share, length = np.mean([one.decision == "better" for one in found]), np.mean([one.blocks for one in found])
    REPORT("%s %+.2f, %d blocks: better %.3f after %.0f", games, better_by, blocks, share, length)
    return share, length


HEADS = [
    HeadToHead(2),
    HeadToHead(4),
    HeadToHead(2, seat_effect=0.4),
    HeadToHead(4, seat_effect=0.25),
    HeadToHead(2, draws=0.9),
    HeadToHead(4, draws=0.9),
]
PAIRS = [Paired(seats, correlation) for seats in (2, 4) for correlation in (0.0, 0.3, 0.7)]
NULLS = [
    *HEADS,
    *PAIRS,
    Paired(4, 0.3, win_rate=0.25),
    Paired(4, 0.3, win_rate=0.85),
    NearlyTheSame(0.04),
    NearlyTheSame(0.1),
]

# --- plans ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", [0.001, 0.01, 0.05, 0.2])
def test_a_plan_has_its_level(level):
    plan = ValidationPlan(400, level)
    assert plan.power(0.0, 0.3) == pytest.approx(0.9 * level / 2)  # the rest is for approximations
    assert plan.power(-0.05, 0.3) < level
    bounds = boundaries(level)
    assert bounds.lower < bounds.cut < bounds.upper


@pytest.mark.parametrize("drift", [-1.0, 0.0, 2.5, 4.0])
def test_the_probabilities_are_those_of_a_random_walk(drift):
    """Plans of 400 blocks of deviation 1, as walks with 40 steps per block."""
    bounds, steps = boundaries(0.05), 16_000
    rng, better, lengths = np.random.default_rng(5), 0, []
    for _ in range(1_500):
        motion = (drift / steps + rng.normal(size=steps) / np.sqrt(steps)).cumsum()
        ratio = bounds.drift * motion - bounds.drift**2 / 2 * np.arange(1, steps + 1) / steps
        outside = (ratio <= bounds.lower) | (ratio >= bounds.upper)
        end = int(outside.argmax()) if outside.any() else steps - 1
        better += ratio[end] >= (bounds.upper if outside.any() else bounds.cut)
        lengths.append((end + 1) / steps)
    plan = ValidationPlan(400)
    effect = drift / np.sqrt(400)
    power = plan.power(effect, 1.0)
    assert better / 1_500 == pytest.approx(power, abs=3.5 * np.sqrt(power * (1 - power) / 1_500) + 0.003)
    assert 400 * np.mean(lengths) == pytest.approx(plan.expected_blocks(effect, 1.0), abs=12)


def test_looking_costs_little_power():
    """Against one look at the end, Φ(drift - z), at half the blocks."""
    plan = ValidationPlan(500)
    deviation = win_rate_deviation(0.5, 2)
    at_the_end = ndtr(0.05 * np.sqrt(500) / deviation - ndtri(0.975))
    assert at_the_end - 0.04 < plan.power(0.05, deviation) < at_the_end
    assert plan.expected_blocks(0.05, deviation) < 0.65 * 500
    assert plan.expected_blocks(0.0, deviation) < 0.6 * 500


def test_a_plainly_better_agent_is_seen_at_once():
    plan = ValidationPlan(2_000)
    assert plan.power(10.0, 0.3) == 1.0
    assert plan.expected_blocks(10.0, 0.3) == 10


@pytest.mark.parametrize("power", [0.2, 0.8, 0.99])
def test_the_detectable_effect_has_its_power(power):
    plan = ValidationPlan(300, 0.02)
    assert plan.power(plan.detectable(0.4, power), 0.4) == pytest.approx(power)


def test_a_thousand_games_detect_five_points():
    assert ValidationPlan(500).power(0.05, win_rate_deviation(0.5, 2)) > 0.84
    assert ValidationPlan(250).power(0.05, win_rate_deviation(0.275, 4)) > 0.85
    assert ValidationPlan(500).power(0.05, win_rate_deviation(0.5, 2, correlation=0.0)) == pytest.approx(0.56, abs=0.01)


# --- one test -------------------------------------------------------------------------------------------------------


def fed(differences, blocks_at_most=None, level=0.05, most=1.0):
    validation = Validation(blocks_at_most or len(differences), 2, level, most)
    for difference in differences:
        validation.add(difference)
    return validation


def test_identical_play_is_not_better():
    validation = fed([0.0] * 200)
    assert validation.decision == "not better"
    assert validation.blocks < 200
    result = validation.result()
    assert (result.mean, result.difference, result.p_value) == (0.0, 0.0, 1.0)


@pytest.mark.parametrize("level", [0.1, 0.05])
def test_blocks_without_difference_may_have_missed_some(level):
    """As many differences of 1 as there must be for them to be missed with the probability left."""
    validation = fed([0.0] * 200, level=level, most=1.0)
    result = validation.result()
    assert result.low == -result.high
    assert (1.0 - result.high) ** validation.blocks == pytest.approx(level / 2.0)
    assert fed([0.0] * 200, most=np.inf).result().high == np.inf


def test_no_interval_holds_what_a_block_cannot_make():
    differences = [1.0, 1.0, 0.5] * 4
    assert fed(differences, most=5.0).result().high > 1.0
    result = fed(differences, most=1.0).result()
    assert 0.0 < result.low < result.difference <= result.high == 1.0


@pytest.mark.parametrize("size", [1e-9, 0.5, 1e6])
def test_winning_always_is_better_and_losing_always_not(size):
    won, lost = fed([size] * 200, most=4 * size), fed([-size] * 200, most=4 * size)
    assert (won.decision, lost.decision) == ("better", "not better")
    assert max(won.blocks, lost.blocks) < 25
    result = won.result()
    assert 0.0 < result.low < result.difference < result.high < 4 * size
    assert result.p_value < 0.01
    assert lost.result().high < 0.0


def test_constant_differences_in_a_huge_plan_end():
    assert fed([0.25] * 5_000, blocks_at_most=3_000_000).decision == "better"


def test_a_sum_of_zero_but_for_rounding_is_no_difference():
    validation = fed([0.1, 0.2, -0.3] * 12)  # adds up to 6e-17
    assert abs(validation.result().mean) < 1e-9
    assert validation.decision == "not better"


def test_the_scale_does_not_matter():
    differences = HeadToHead(4).differences(0.05, 250, np.random.default_rng(8))
    plain, scaled = fed(differences), fed(differences * 37, most=37.0)
    assert (plain.decision, plain.blocks) == (scaled.decision, scaled.blocks)
    assert scaled.result().low == pytest.approx(37 * plain.result().low)
    assert scaled.result().p_value == pytest.approx(plain.result().p_value)


def test_a_few_lucky_blocks_decide_nothing():
    validation = fed([0.5] * 9, blocks_at_most=20)
    assert validation.decision is None
    assert fed([0.0] * 40 + [1.0] * 3 + [0.0] * 57).decision == "not better"


def test_a_decision_stands():
    validation = fed([0.5] * 100)
    before = validation.blocks, validation.result()
    assert validation.add(-1.0) == "better"
    assert (validation.blocks, validation.result()) == before


def test_games_are_those_of_the_recommendation():
    validation = Validation(100, 4, most=1.0)
    for _ in range(12):
        validation.add(0.25)
    assert validation.result().games == 4 * validation.result().blocks


def test_a_result_before_the_decision_is_near_the_mean():
    differences = HeadToHead(2).differences(0.03, 100, np.random.default_rng(3))
    validation = fed(differences, blocks_at_most=1_000)
    result = validation.result()
    assert (validation.decision, result.decision) == (None, None)
    assert result.difference == pytest.approx(result.mean, abs=0.01)
    half_width = ndtri(0.975) * differences.std(ddof=1) / 10
    assert result.high - result.low == pytest.approx(2 * half_width, rel=0.15)


@pytest.mark.parametrize("level", [0.05, 0.2])
@pytest.mark.parametrize("games", [HeadToHead(2), HeadToHead(4), Paired(2, 0.3), NearlyTheSame(0.1)])
def test_verdict_interval_and_p_value_agree(games, level):
    rng = np.random.default_rng(6)
    found = [played(games, 0.05, 100, rng, level) for _ in range(100)]
    assert {one.decision for one in found} == {"better", "not better"}
    for one in found:
        result = one.result()
        assert (one.decision == "better") == (result.low > 0.0)
        assert (result.p_value <= level) == (not result.low <= 0.0 <= result.high)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Validation(9, 2), "a validation cannot have 9 blocks; the least is 10"),
        (lambda: Validation(100, 0), "games_per_block cannot be 0; the least is 1"),
        (lambda: Validation(100, 2, 0.5), "level cannot be 0.5; it is above 0 and at most 0.25"),
        (lambda: Validation(100, 2).add(float("nan")), "difference cannot be nan; it is a finite number"),
        (lambda: Validation(100, 2).result(), "a result needs at least 1 block, not 0"),
        (lambda: ValidationPlan(100).power(0.1, 0.0), "deviation cannot be 0; it is greater than 0"),
        (lambda: ValidationPlan(100).detectable(0.1, 0.05), "power cannot be 0.05; it lies between the level, 0.05"),
    ],
)
def test_what_cannot_be(make, message):
    with pytest.raises(ParameterError, match=message):
        make()


# --- by simulation --------------------------------------------------------------------------------------------------


def test_equals_are_rarely_called_better():
    for games in (HeadToHead(4), Paired(2, 0.3)):
        assert share_better(games, 0.0, 100, 200, seed=1)[0] <= 0.05


def test_five_points_are_found():
    assert share_better(HeadToHead(2), 0.05, 500, 60, seed=2)[0] >= 0.75


@pytest.mark.slow
@pytest.mark.parametrize("games", NULLS)
def test_a_thousand_null_studies(games):
    assert share_better(games, 0.0, 1_000 // games.seats, 1_000, seed=1)[0] <= 0.035


@pytest.mark.slow
@pytest.mark.parametrize("games", NULLS)
def test_a_thousand_short_null_studies(games):
    assert share_better(games, 0.0, 200 // games.seats, 1_000, seed=2)[0] <= 0.035


@pytest.mark.slow
@pytest.mark.parametrize("games", HEADS[:4])
def test_the_power_of_a_thousand_games_at_five_points(games):
    share, length = share_better(games, 0.05, 1_000 // games.seats, 1_000, seed=3)
    assert share >= 0.8
    if not games.seat_effect:
        plan = ValidationPlan(1_000 // games.seats)
        deviation = win_rate_deviation(1 / games.seats + 0.05, games.seats)
        assert share == pytest.approx(plan.power(0.05, deviation), abs=0.03)
        assert length == pytest.approx(plan.expected_blocks(0.05, deviation), rel=0.15)


@pytest.mark.slow
@pytest.mark.parametrize("n_games", [500, 1_000])
@pytest.mark.parametrize("games", PAIRS[:3])
def test_the_power_of_paired_games_at_five_points(games, n_games):
    plan = ValidationPlan(n_games // games.seats)
    correlation = games.correlation * 0.5 * 0.45 / np.sqrt(0.5 * 0.5 * 0.55 * 0.45)  # of tosses against .5 and .55
    planned = plan.power(0.05, win_rate_deviation(0.525, games.seats, correlation))
    assert share_better(games, 0.05, plan.blocks, 1_000, seed=4)[0] == pytest.approx(planned, abs=0.04)


def coverage(games, better_by, blocks, runs, seed):
    """The shares of intervals that hold the truth and of estimates above it, and that of plain means above it."""
    rng = np.random.default_rng(seed)
    found = [played(games, better_by, blocks, rng).result() for _ in range(runs)]
    holds = np.mean([one.low <= better_by <= one.high for one in found])
    above, plain = (
        np.mean([value > better_by for value in values])
        for values in ([one.difference for one in found], [one.mean for one in found])
    )
    REPORT("%s %+.2f: holds %.3f, above %.3f, plain above %.3f", games, better_by, holds, above, plain)
    return holds, above, plain


def test_intervals_hold_the_truth():
    holds, above, _plain = coverage(HeadToHead(2), 0.05, 200, 100, seed=5)
    assert holds >= 0.9
    assert above == pytest.approx(0.5, abs=0.12)


@pytest.mark.slow
@pytest.mark.parametrize("better_by", [-0.05, 0.0, 0.03, 0.05, 0.1])
@pytest.mark.parametrize("games", [HeadToHead(2), HeadToHead(4), Paired(2, 0.3), Paired(4, 0.7)])
def test_intervals_hold_the_truth_wherever_it_is(games, better_by):
    holds, above, _plain = coverage(games, better_by, 1_000 // games.seats, 1_000, seed=6)
    assert 0.93 <= holds <= 0.98  # discrete values make it a little wider than asked for
    assert above == pytest.approx(0.5, abs=0.06)
