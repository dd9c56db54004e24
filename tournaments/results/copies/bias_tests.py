"""Tests for bias between copies, and for intervals that are too short.

The tests of one set-up are corrected together (Holm), so that a sound set-up raises an alarm with a chance of 1 % at
most. Groups of neighbouring blocks, unlike blocks drawn at random, show whether blocks are independent.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil, inf, isnan, nan
from typing import Final

import numpy as np
import numpy.typing as npt
import scipy

from tag.tournaments.results.copies.differences import CopyBlocks
from tag.tournaments.statistics.intervals import CONFIDENCE, Ints
from tag.tournaments.statistics.ratings.pairwise import holm

#: An alarm is raised below this p value, corrected for all checks of a set-up.
ALARM: Final = 0.01
#: With fewer blocks nothing is tested.
LEAST_BLOCKS: Final = 20
_GROUP_BLOCKS: Final = 10
_MOST_GROUPS: Final = 50
_LEAST_GROUPS: Final = 5
_CHECK_ROUNDING: Final = 1e-12


@dataclass(frozen=True, slots=True)
class CopyTest:
    """A test for one possible defect of a set-up.

    Attributes:
        finding: the observation in words, shown with an alarm.
        p_value: the chance of such a finding in a sound set-up; nan where it cannot be known.
        corrected: after the correction for all checks of the set-up.
    """

    name: str
    finding: str
    p_value: float
    corrected: float = nan

    @property
    def is_alarm(self) -> bool:
        """True if the finding is too unlikely to be chance."""
        return self.corrected < ALARM


def corrected(checks: list[CopyTest]) -> list[CopyTest]:
    """Return the checks with p values corrected for all of them."""
    known = [number for number, check in enumerate(checks) if not isnan(check.p_value)]
    values = holm(np.array([checks[number].p_value for number in known]))
    by_number = dict(zip(known, values.tolist(), strict=True))
    return [replace(check, corrected=by_number.get(number, nan)) for number, check in enumerate(checks)]


def check_equal(name: str, copies: CopyBlocks, labels: tuple[str, ...], form: str, reason: str = "") -> CopyTest:
    """Test whether a copy differs from the others.

    ``form`` writes a quantity with its unit, ``{:.3f} points``; ``reason`` is a possible explanation, shown with a
    difference.
    """
    if copies.n_independent < LEAST_BLOCKS:
        return CopyTest(name, "too few blocks", nan)
    differences = [copies.against_others(copy) for copy in range(copies.n_copies)]
    copy = int(np.argmin([difference.p_value for difference in differences]))
    most = differences[copy]
    is_more = "more" if most.mean > 0.0 else "less"
    finding = f"{labels[copy]} has {form.format(abs(most.mean))} {is_more} (± {most.half:.2g}) than its copies{reason}"
    independent = 1 if copies.n_copies == 2 else copies.n_copies  # of two copies, each differs as much as the other
    return CopyTest(name, finding, min(1.0, independent * most.p_value))


def check_groups(copies: CopyBlocks) -> list[CopyTest]:
    """Test on groups of neighbouring blocks whether intervals hold at their level, and whether there is drift.

    Only intervals that hold too seldom count, as those that hold too often do no harm. If differences vary more between
    groups than within them (the F test of the analysis of variance), blocks are not independent: a copy is favoured for
    a while, and intervals from all blocks are too short.
    """
    size = max(_GROUP_BLOCKS, ceil(copies.n_blocks / _MOST_GROUPS))
    n_groups = copies.n_blocks // size if copies.n_independent == copies.n_blocks else 0  # groups would share games
    if n_groups < _LEAST_GROUPS:
        return [CopyTest(name, "too few blocks", nan) for name in ("intervals", "drift")]
    groups = np.array_split(np.arange(copies.n_blocks), n_groups)
    pairs = [(copy, copy + 1) for copy in range(0, copies.n_copies - 1, 2)]  # pairs without a common copy
    return [_check_intervals(copies, groups, pairs), _check_drift(copies, groups, pairs)]


def _check_intervals(copies: CopyBlocks, groups: list[Ints], pairs: list[tuple[int, int]]) -> CopyTest:
    found = [copies.part(group).between(*pair) for pair in pairs for group in groups]
    misses = np.array([abs(one.mean) - one.half for one in found])
    held, cases = int(np.sum(misses <= _CHECK_ROUNDING)), int(np.sum(~np.isnan(misses)))
    if not cases:
        return CopyTest("intervals", "too few games", nan)
    low, high = scipy.stats.binomtest(held, cases).proportion_ci()
    return CopyTest(
        "intervals",
        f"95 % intervals from {len(groups[0])} blocks hold 0 in {held} of {cases} cases ({low:.2f} to {high:.2f})",
        float(scipy.stats.binomtest(held, cases, CONFIDENCE, alternative="less").pvalue),
    )


def _check_drift(copies: CopyBlocks, groups: list[Ints], pairs: list[tuple[int, int]]) -> CopyTest:
    values = copies.values()
    tests = [_f_test([values[one, group] - values[other, group] for group in groups]) for one, other in pairs]
    ratio, p_value = min(tests, key=lambda test: test[1])
    finding = f"{len(groups)} groups of neighbouring blocks differ {ratio:.2f} times as much as their blocks let expect"
    return CopyTest("drift", finding, min(1.0, len(pairs) * p_value))


def _f_test(groups: list[npt.NDArray[np.float64]]) -> tuple[float, float]:
    """Return the ratio of the variance between groups to that expected from within them, and its p value."""
    everything = np.concatenate(groups)
    between = sum(len(group) * float(group.mean() - everything.mean()) ** 2 for group in groups) / (len(groups) - 1)
    within = sum(float(((group - group.mean()) ** 2).sum()) for group in groups) / (len(everything) - len(groups))
    if within < _CHECK_ROUNDING**2:
        return (1.0, 1.0) if between < _CHECK_ROUNDING**2 else (inf, 0.0)
    return between / within, float(
        scipy.special.fdtrc(len(groups) - 1, len(everything) - len(groups), between / within)
    )
