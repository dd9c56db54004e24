"""Stopping at a width: the intervals cover what they say, wherever and however the values lie."""

from __future__ import annotations

import logging
from math import sqrt

import numpy as np
import pytest
from scipy.stats import t as student
from simulated import World, duel, points

from tag.errors import ParameterError
from tag.tournaments.statistics.stopping.fixed_width import FixedWidth

pytestmark = pytest.mark.flow


def watch(half_width, values, confidence=0.95):
    """Feed rows of values until done."""
    rule = FixedWidth(half_width, values.shape[1], confidence)
    for value in values:
        if rule.add(value):
            return rule
    raise AssertionError("not narrow enough")


def test_it_stops_at_the_first_block_at_which_it_may():
    values = np.random.default_rng(1).choice([0.0, 0.25, 0.5, 1.0], size=(1_000, 1))
    rule = watch(0.05, values)
    n = np.arange(2, 1_001)
    variances = np.array([values[:k, 0].var(ddof=1) for k in n])
    widths = student.ppf(0.975, n - 1) * np.sqrt((variances + 1 / n) / n)
    assert rule.blocks == n[widths <= 0.05][0]
    assert rule.means[0] == pytest.approx(values[: rule.blocks].mean(), rel=1e-12)
    assert rule.half_widths[0] == pytest.approx(widths[rule.blocks - 2], rel=1e-12)


def test_nothing_counts_after_the_end():
    rule = watch(0.3, np.full((100, 2), 0.5))
    blocks = rule.blocks
    assert rule.add([1.0, 0.0])
    assert (rule.blocks, list(rule.means)) == (blocks, [0.5, 0.5])


def test_equal_blocks_do_not_end_it_at_once():
    assert watch(0.02, np.zeros((1_000, 1))).blocks == pytest.approx(1.96 / 0.02, abs=3)
    assert FixedWidth(0.1).half_widths == [np.inf]


def test_all_comparisons_must_be_narrow():
    rng = np.random.default_rng(2)
    values = np.column_stack([rng.normal(0, 0.1, 5_000), rng.normal(0, 0.5, 5_000)])
    both, wide = watch(0.05, values), watch(0.05, values[:, 1:], confidence=0.975)
    assert both.blocks == wide.blocks
    assert both.half_widths[0] < 0.02


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0.0,), "half_width cannot be 0"),
        ((float("nan"),), "half_width cannot be nan"),
        ((0.1, 0), "comparisons cannot be 0"),
        ((0.1, 1, 1.0), "confidence cannot be 1"),
    ],
)
def test_what_cannot_be_asked_for(arguments, message):
    with pytest.raises(ParameterError, match=message):
        FixedWidth(*arguments)


def test_a_block_has_a_value_per_comparison():
    with pytest.raises(ParameterError, match=r"shape \(3,\); it is \(2,\)"):
        FixedWidth(0.1, 2).add([0.1, 0.2, 0.3])


# --- coverage -------------------------------------------------------------------------------------------------------


def rare(rng, n):
    """One block in fifty is won; the others are level."""
    return 0.5 * (rng.random((n, 1)) < 0.02)


def share_of_one(rng, n):
    world = duel(0.7, 4, luck=0.5)
    return points(world.blocks(np.tile(np.arange(4), (n, 1)), rng))[:, :1]


def three_differences(rng, n):
    world = World(np.array([0.3, 0.1, 0.0, -1.0]), np.array([0.6, 0.3, 0.1, 0.0]), 0.5)
    mean = points(world.blocks(np.tile(np.arange(4), (n, 1)), rng))
    return mean[:, :1] - mean[:, 1:]


#: Shown by pytest --log-cli-level=INFO.
REPORT = logging.getLogger(__name__).info
WORLDS = {
    "level mostly": (rare, 0.02, 2_000),
    "share of one seat in four": (share_of_one, 0.03, 1_000),
    "three differences": (three_differences, 0.08, 1_500),
    "three differences, wide": (three_differences, 0.15, 1_000),
}


def coverage(make, half_width, blocks, runs, seed):
    """How often all intervals hold the truth, and the mean number of blocks; the truth is from 200,000."""
    rng = np.random.default_rng(seed)
    truth = np.mean([make(rng, 10_000).mean(axis=0) for _ in range(20)], axis=0)
    rules = [watch(half_width, make(rng, blocks)) for _ in range(runs)]
    held = [bool((abs(rule.means - truth) <= rule.half_widths).all()) for rule in rules]
    return np.mean(held), np.mean([rule.blocks for rule in rules])


@pytest.mark.parametrize("name", WORLDS)
def test_intervals_hold(name):
    held, _ = coverage(*WORLDS[name], runs=40, seed=3)
    assert held >= 0.95 - 3 * sqrt(0.95 * 0.05 / 40)


@pytest.mark.slow
@pytest.mark.parametrize("name", WORLDS)
def test_intervals_hold_what_they_promise(name):
    held, blocks = coverage(*WORLDS[name], runs=1_000, seed=4)
    REPORT("%s: covered %s, mean blocks %s", name, held, blocks)
    assert held >= 0.935
