"""The statistics of A/A tests: differences, the noise floor and the checks, on numbers and by simulation."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from math import inf, isnan, nan, sqrt

import numpy as np
import pytest
from scipy.stats import f_oneway, kstest, ttest_rel
from tables_of_equals import table

from tag.tournaments.results.copies.bias_tests import CopyTest, check_equal, check_groups, corrected
from tag.tournaments.results.copies.differences import CopyBlocks
from tag.tournaments.results.copies.noise_floor import NoiseFloor, round_below

pytestmark = pytest.mark.flow

LABELS = ("a", "a#2", "a#3", "a#4")


def all_checks(copies: CopyBlocks) -> list[CopyTest]:
    return corrected([check_equal("copies", copies, LABELS, "{:.3f} points"), *check_groups(copies)])


def by_name(copies: CopyBlocks) -> dict[str, CopyTest]:
    return {check.name: check for check in all_checks(copies)}


@pytest.fixture
def copies() -> CopyBlocks:
    return table(np.random.default_rng(5), 60, [0.0] * 4)


class TestDifferences:
    def test_of_two_copies_is_the_paired_t_test(self, copies: CopyBlocks) -> None:
        per_game = copies.totals / copies.sizes
        expected = ttest_rel(per_game[0], per_game[2])
        found = copies.between(0, 2)
        assert found.p_value == pytest.approx(expected.pvalue, rel=1e-9)
        interval = expected.confidence_interval(0.95)
        assert (found.mean - found.half, found.mean + found.half) == pytest.approx((interval.low, interval.high))

    def test_blocks_of_unequal_sizes_weigh_by_their_games(self) -> None:
        copies = CopyBlocks(np.array([[3.0, 1.0, 0.0], [1.0, 1.0, 2.0]]), np.array([[4.0, 2.0, 0.0], [4.0, 2.0, 2.0]]))
        assert copies.between(0, 1).mean == pytest.approx(4 / 6 - 4 / 8)

    def test_against_the_others(self, copies: CopyBlocks) -> None:
        means = copies.means()
        assert copies.against_others(1).mean == pytest.approx(means[1] - (means[0] + means[2] + means[3]) / 3)

    def test_a_difference_without_variance_is_as_certain_as_a_sign_test(self) -> None:
        sizes = np.ones((2, 30))
        assert CopyBlocks(np.array([[1.0] * 30, [0.0] * 30]), sizes).between(0, 1).p_value == 2.0 * 0.5**30
        assert CopyBlocks(np.full((2, 30), 1 / 3), sizes).between(0, 1).p_value == 1.0

    def test_one_block_says_nothing(self) -> None:
        found = CopyBlocks(np.array([[1.0], [0.0]]), np.ones((2, 1))).between(0, 1)
        assert found.half == inf
        assert found.p_value == 1.0


class TestFloor:
    def test_is_the_mean_over_all_pairs(self, copies: CopyBlocks) -> None:
        variances = [copies.between(*pair).error ** 2 * 60 for pair in combinations(range(4), 2)]
        assert NoiseFloor.of(copies).sd == pytest.approx(sqrt(np.mean(variances)))

    def test_of_two_copies_is_half_their_interval(self) -> None:
        copies = table(np.random.default_rng(2), 50, [0.0, 0.0])
        assert NoiseFloor.of(copies).noise(50) == pytest.approx(copies.between(0, 1).half)

    def test_blocks_to_detect_are_the_fewest(self) -> None:
        floor = NoiseFloor(0.3, 0.0, 200)
        for difference in (0.5, 0.1, 0.013):
            blocks = floor.blocks_to_detect(difference)
            assert floor.detectable(blocks) <= difference < floor.detectable(blocks - 1)

    def test_its_interval_holds_the_truth(self) -> None:
        rng = np.random.default_rng(3)
        truth = NoiseFloor.of(table(rng, 20_000, [0.0] * 4)).noise(200)
        found = [NoiseFloor.of(table(rng, 200, [0.0] * 4)).noise_interval(200) for _run in range(200)]
        assert 0.9 <= np.mean([low <= truth <= high for low, high in found]) <= 0.99

    @pytest.mark.parametrize(("n", "luck", "blocks"), [(2, 0.5, 60), (4, 0.0, 40), (4, 0.8, 100)])
    def test_what_is_detectable_is_found_in_80_of_100_tournaments(self, n: int, luck: float, blocks: int) -> None:
        """The floor is measured between equals; the agents then differ by just what it says can be found."""
        rng = np.random.default_rng(7)
        wanted = NoiseFloor.of(table(rng, 5_000, [0.0] * n, luck)).detectable(blocks)
        stronger = 0.0
        while table(np.random.default_rng(8), 20_000, [stronger, *[0.0] * (n - 1)], luck).between(0, 1).mean < wanted:
            stronger += 0.02
        found = [table(rng, blocks, [stronger, *[0.0] * (n - 1)], luck).between(0, 1) for _run in range(1_000)]
        assert np.mean([one.p_value < 0.05 for one in found]) == pytest.approx(0.8, abs=0.06)

    def test_round_numbers(self) -> None:
        assert [round_below(one) for one in (0.0301, 0.02, 0.012, 1.5)] == [0.02, 0.01, 0.01, 1.0]


class TestChecks:
    def test_a_sound_set_up_raises_none(self, copies: CopyBlocks) -> None:
        checks = all_checks(copies)
        assert [check.name for check in checks] == ["copies", "intervals", "drift"]
        assert not any(check.is_alarm for check in checks)

    def test_a_copy_that_is_favoured(self) -> None:
        found = by_name(table(np.random.default_rng(1), 200, [0.0, 0.0, 0.6, 0.0]))["copies"]
        assert found.is_alarm
        assert found.finding.startswith("a#3 has 0.1")
        assert " more (± " in found.finding

    def test_one_that_is_favoured_for_a_while_only(self) -> None:
        rng = np.random.default_rng(1)
        halves = [table(rng, 200, strengths) for strengths in ([0.9, 0.0], [0.0, 0.9])]
        together = CopyBlocks(np.hstack([half.totals for half in halves]), np.hstack([half.sizes for half in halves]))
        found = by_name(together)
        assert not found["copies"].is_alarm
        assert found["drift"].is_alarm
        assert found["intervals"].is_alarm

    def test_drift_is_the_analysis_of_variance(self) -> None:
        copies = table(np.random.default_rng(4), 70, [0.0, 0.0])
        values = (copies.totals[0] - copies.totals[1]) / 2
        assert by_name(copies)["drift"].p_value == pytest.approx(f_oneway(*np.split(values, 7)).pvalue)

    def test_few_blocks_say_nothing(self) -> None:
        checks = all_checks(table(np.random.default_rng(1), 19, [3.0, 0.0]))
        assert all(isnan(check.p_value) and not check.is_alarm for check in checks)

    def test_they_are_corrected_together(self) -> None:
        checks = [CopyTest("a", "", 0.004), CopyTest("b", "", nan), CopyTest("c", "", 0.5), CopyTest("d", "", 0.5)]
        assert [check.is_alarm for check in corrected(checks)] == [False] * 4
        assert [check.is_alarm for check in corrected([replace(checks[0], p_value=0.003), *checks[1:]])] == [
            True, False, False, False
        ]  # fmt: skip

    @pytest.mark.slow
    @pytest.mark.parametrize("n", [2, 4])
    @pytest.mark.parametrize("luck", [0.0, 0.5, 0.9])
    @pytest.mark.parametrize("blocks", [20, 60, 200])
    def test_false_alarms_are_rare(self, n: int, luck: float, blocks: int) -> None:
        rng = np.random.default_rng(n * blocks)
        runs = [all_checks(table(rng, blocks, [0.0] * n, luck)) for _run in range(500)]
        assert np.mean([any(check.is_alarm for check in run) for run in runs]) <= 0.03

    def test_intervals_hold_and_p_values_are_uniform(self) -> None:
        rng = np.random.default_rng(11)
        found = [table(rng, 200, [0.0] * 4).between(0, 1) for _run in range(1_000)]
        assert np.mean([abs(one.mean) <= one.half for one in found]) == pytest.approx(0.95, abs=0.02)
        assert kstest([one.p_value for one in found], "uniform").pvalue > 0.01
