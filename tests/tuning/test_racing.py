"""Racing: when trials are dropped, and by simulation how often those that should not be."""

from __future__ import annotations

import logging

import numpy as np
import pytest
from scipy.stats import wilcoxon

from tag.errors import ParameterError
from tuning.block_deviation import win_rate_deviation
from tuning.racing import Belief, Race, rungs

#: Shown by pytest --log-cli-level=INFO.
REPORT = logging.getLogger(__name__).info
GAMES = 200

# --- rungs ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("games", "block_games", "expected"),
    [(200, 2, (6, 12, 25, 50, 100)), (200, 4, (3, 6, 12, 25, 50)), (50, 4, (3, 6, 12)), (10, 2, (5,)), (3, 4, (1,))],
)
def test_rungs_double_up_to_the_whole_blocks_of_a_trial(games, block_games, expected):
    assert rungs(games, block_games) == expected


def test_the_first_rung_has_the_games_asked_for():
    assert rungs(200, 2, fewest_games=30) == (25, 50, 100)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0, 2, 8), "games_per_trial cannot be 0; the least is 1"),
        ((200, 0, 8), "block_games cannot be 0; the least is 1"),
        ((200, 2, -1), "fewest_games cannot be -1; the least is 1"),
    ],
)
def test_rungs_that_cannot_be(arguments, message):
    with pytest.raises(ParameterError, match=message):
        rungs(*arguments)


# --- one decision ---------------------------------------------------------------------------------------------------


def test_the_rule_is_students_where_the_reference_is_known():
    """32 blocks of the deviation known and 4 of deviation 0.1·√(4/3): mean 0.3, error √((32·0.09 + 0.04) / 35 / 4)."""
    blocks, deviation = [0.2, 0.4, 0.2, 0.4], 0.3
    error = np.sqrt((32 * 0.09 + 0.04) / 35 / 4)
    quantile = 2.133  # of t with 35 degrees of freedom at 98 %
    assert Race().drops(blocks, Belief(0.3 + quantile * error + 0.001, 0.0), deviation)
    assert not Race().drops(blocks, Belief(0.3 + quantile * error - 0.001, 0.0), deviation)


def test_an_uncertain_reference_drops_less():
    blocks = [0.0] * 4
    assert Race().drops(blocks, Belief(0.5, 0.02), 0.35)
    assert not Race().drops(blocks, Belief(0.5, 0.2), 0.35)


@pytest.mark.parametrize(("games", "blocks"), [(2, 1), (2, 2), (4, 1)])
@pytest.mark.parametrize("win_rate", [0.25, 0.5, 0.75])
def test_two_to_four_lost_games_do_not_drop(games, blocks, win_rate):
    assert not Race().drops([0.0] * blocks, Belief(win_rate, 0.01), win_rate_deviation(win_rate, games))


def test_more_lost_games_do():
    assert Race().drops([0.0] * 4, Belief(0.5, 0.03), win_rate_deviation(0.5, 2))


def test_equal_blocks_are_not_certain():
    """That three blocks are equal does not make a small difference certain."""
    assert not Race().drops([0.45] * 3, Belief(0.5, 0.01), 0.35)


def test_a_trial_that_is_equal_without_any_deviation_stays():
    race, known = Race(), Belief(7.0, 0.0)
    assert not race.drops([7.0] * 5, known, 0.0)
    assert race.drops([6.0] * 5, known, 0.0)


def test_scores_race_as_win_rates_do():
    blocks, reference, deviation = [0.0, 0.5, 0.0, 0.0], Belief(0.6, 0.02), 0.35
    for reference_mean in (0.4, 0.5, 0.6):
        reference = Belief(reference_mean, 0.02)
        as_score = Belief(100 * reference.mean - 900, 100 * reference.deviation)
        scores = [100 * value - 900 for value in blocks]
        assert Race().drops(blocks, reference, deviation) == Race().drops(scores, as_score, 100 * deviation)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Race(confidence=0.5), "confidence cannot be 0.5; it lies between 0.5 and 1"),
        (lambda: Race(confidence=1.0), "confidence cannot be 1; it lies between 0.5 and 1"),
        (lambda: Race(fewest_blocks=0), "fewest_blocks cannot be 0; the least is 1"),
        (lambda: Belief(0.5, -0.1), "deviation cannot be -0.1; the least is 0"),
        (lambda: Race().drops([0.0] * 4, Belief(0.5, 0.1), -1.0), "block_deviation cannot be -1; the least is 0"),
    ],
)
def test_what_cannot_be(make, message):
    with pytest.raises(ParameterError, match=message):
        make()


# --- by simulation --------------------------------------------------------------------------------------------------


def shrunken_best(win_rate, rng, n=30):
    """The belief of an empirical-Bayes model in the best of ``n`` equals after their games."""
    seen = rng.binomial(GAMES, win_rate, n) / GAMES
    noise = seen.mean() * (1 - seen.mean()) / GAMES
    between = max(seen.var(ddof=1) - noise, 0.0)
    weight = between / (between + noise)
    variance = weight * noise + (1 - weight) ** 2 * (between + noise) / n
    return Belief(seen.mean() + weight * (seen.max() - seen.mean()), np.sqrt(variance))


def race(win_rate, better_by, block_games, runs, rng, reference=None, seat_effect=0.0):
    """The share of challengers that are dropped, and the share of their games that is saved."""
    looks, seats = rungs(GAMES, block_games), np.linspace(1, -1, block_games) * seat_effect
    deviation = np.sqrt(((win_rate + seats) * (1 - win_rate - seats)).sum()) / block_games
    dropped, saved = [], []
    for _ in range(runs):
        known = reference or shrunken_best(win_rate, rng)
        blocks = (rng.random((looks[-1], block_games)) < win_rate + better_by + seats).mean(axis=1)
        end = next((look for look in looks[:-1] if Race().drops(blocks[:look], known, deviation)), looks[-1])
        dropped.append(end < looks[-1])
        saved.append(1 - end / looks[-1])
    REPORT("%s %+.2f %d: dropped %.3f, saved %.3f", win_rate, better_by, block_games, np.mean(dropped), np.mean(saved))
    return np.mean(dropped), np.mean(saved)


CASES = pytest.mark.parametrize(("win_rate", "block_games"), [(0.5, 2), (0.5, 4), (0.25, 2), (0.25, 4)])


@CASES
def test_races_drop_the_bad_ones(win_rate, block_games):
    rng = np.random.default_rng(2)
    assert race(win_rate, 0.0, block_games, 1_000, rng)[0] <= 0.1
    assert race(win_rate, 0.06, block_games, 1_000, rng)[0] <= 0.02
    assert race(win_rate, -0.15, block_games, 1_000, rng)[1] >= 0.6


@pytest.mark.slow
@CASES
def test_races_are_as_promised(win_rate, block_games):
    rng = np.random.default_rng(1)
    assert race(win_rate, 0.0, block_games, 5_000, rng)[0] <= 0.1
    assert race(win_rate, 0.06, block_games, 5_000, rng)[0] <= 0.02
    assert race(win_rate, -0.15, block_games, 5_000, rng)[1] >= 0.6


@pytest.mark.slow
@CASES
def test_races_against_a_well_known_default_are_as_promised(win_rate, block_games):
    rng, known = np.random.default_rng(3), Belief(win_rate, 0.01)
    assert race(win_rate, 0.0, block_games, 5_000, rng, known)[0] <= 0.08  # the bound for four looks
    assert race(win_rate, 0.06, block_games, 5_000, rng, known)[0] <= 0.02
    assert race(win_rate, -0.15, block_games, 5_000, rng, known)[1] >= 0.6


@pytest.mark.slow
@pytest.mark.parametrize(("win_rate", "block_games"), [(0.5, 2), (0.5, 4)])
def test_races_of_seats_that_matter_are_as_promised(win_rate, block_games):
    rng = np.random.default_rng(6)
    assert race(win_rate, 0.0, block_games, 5_000, rng, seat_effect=0.3)[0] <= 0.1
    assert race(win_rate, 0.06, block_games, 5_000, rng, seat_effect=0.3)[0] <= 0.02
    assert race(win_rate, -0.15, block_games, 5_000, rng, seat_effect=0.3)[1] >= 0.6


@pytest.mark.slow
def test_paired_ranks_against_the_luckiest_trial_drop_its_equals():
    """What the race is instead of: Wilcoxon's test at 10 % against the best of thirty equals, at the same looks."""
    rng, looks = np.random.default_rng(4), rungs(GAMES, 4)
    dropped = []
    for _ in range(1_000):
        trials = rng.binomial(4, 0.5, (31, looks[-1])) / 4
        best, challenger = trials[trials[:30].mean(axis=1).argmax()], trials[30]
        differences = [(challenger - best)[:look] for look in looks[:-1]]
        dropped.append(
            any(
                d.any() and wilcoxon(d, alternative="less", zero_method="zsplit", method="approx").pvalue < 0.1
                for d in differences
            )
        )
    REPORT("Wilcoxon drops %.3f", np.mean(dropped))
    assert np.mean(dropped) > 0.3


@pytest.mark.parametrize(
    "draw",
    [
        lambda rng, n: 1e6 + 30.0 * (rng.exponential(size=n) - 1.0),
        lambda rng, n: 1e6 - 30.0 * (rng.exponential(size=n) - 1.0),
        lambda rng, n: 1e6 + 30.0 / 3**0.5 * rng.standard_t(3, size=n),
    ],
    ids=["skewed up", "skewed down", "heavy-tailed"],
)
def test_races_of_skewed_and_heavy_tailed_values_drop_few_equals(draw):
    rng, looks = np.random.default_rng(5), rungs(GAMES, 4)
    dropped = []
    for _ in range(600):
        blocks = draw(rng, looks[-1])
        dropped.append(any(Race().drops(blocks[:look], Belief(1e6, 3.0), 30.0) for look in looks[:-1]))
    assert np.mean(dropped) <= 0.1


def test_a_trial_that_is_noisier_than_others_is_judged_by_its_own_blocks():
    blocks = [-3.0, 3.0, -3.0, 3.0, -3.0, 3.0]
    assert not Race().drops(blocks, Belief(2.0, 0.0), 1.0)  # before, the others' deviation said that 0 is far from 2
