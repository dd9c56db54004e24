"""The simulation behind the tables of coverage of scores: a few cells, with few samples."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.coverage import scores


@pytest.mark.parametrize("luck", scores.LUCK)
@pytest.mark.parametrize(("law", "blocks"), [("normal", 2), ("lognormal", 20), ("discrete", 50), ("exponential", 100)])
def test_intervals_of_mean_scores_hold(law: str, luck: str, blocks: int) -> None:
    assert scores.means((law, luck, blocks), 200, np.random.default_rng(3))["held"] >= 0.93 - 0.05


@pytest.mark.parametrize("law", scores.LAWS)
def test_validations_of_equals_hold(law: str) -> None:
    found = scores.validations((law, "shared", 100), 60, np.random.default_rng(4))
    assert found["equals called better"] <= 0.03 + 0.07
    assert found["held"] >= 0.93 - 0.08


def test_intervals_of_minima_hold() -> None:
    assert scores.minima(("equals, the default level", "shared", 50), 20, np.random.default_rng(5))["held"] >= 0.75


def test_what_few_blocks_cannot_know_is_seen() -> None:
    """Of ten blocks with rare losses most samples are all alike, and no interval can hold the mean."""
    assert scores.means(("rare loss", "shared", 10), 200, np.random.default_rng(6))["held"] < 0.6


def test_all_tables_can_be_simulated() -> None:
    for table in scores.TABLES:
        settings, _simulations = table.rows[0]
        assert 0.0 <= table.measured(settings, 2)["shares"]["held"] <= 1.0
