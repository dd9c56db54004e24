"""The simulation behind the table of coverage of scores: a few cells, with few samples."""

from __future__ import annotations

import numpy as np
import pytest
from benchmarks.coverage import scores


@pytest.mark.parametrize("luck", scores.LUCK)
@pytest.mark.parametrize(("law", "blocks"), [("normal", 2), ("lognormal", 20), ("discrete", 50), ("exponential", 100)])
def test_intervals_of_mean_scores_hold(law: str, luck: str, blocks: int) -> None:
    cell = scores.of_mean(law, luck, blocks, 200, np.random.default_rng(3))
    assert cell.holds >= 0.93 - 0.05
    assert f"| {blocks} | 200 |" in cell.row


@pytest.mark.parametrize("law", scores.LAWS)
def test_validations_of_equals_hold(law: str) -> None:
    cell = scores.of_validation(law, "shared", 100, 60, np.random.default_rng(4))
    assert cell.better is not None
    assert cell.better <= 0.03 + 0.07
    assert cell.holds >= 0.93 - 0.08


def test_intervals_of_minima_hold() -> None:
    cell = scores.of_panel(*scores.PANELS[1], "shared", 50, 20, np.random.default_rng(5))
    assert cell.holds >= 0.75


def test_what_few_blocks_cannot_know_is_seen() -> None:
    """Ten blocks of 1 in 95 % and -19 in 5 %: most samples are all alike, and no interval can hold the mean."""
    assert scores.of_mean("-19 in 5 %, else 1", "shared", 10, 200, np.random.default_rng(6)).holds < 0.6
