"""The correlation within blocks and what it costs."""

from __future__ import annotations

from math import isnan

import numpy as np
import pytest
from made_up import random_games, round_robin, seats_frame

from tag.tournaments.statistics.within_blocks import within_block, within_block_of_wins, within_blocks

pytestmark = pytest.mark.flow


def test_the_design_effect_is_the_variance_of_block_means():
    rng = np.random.default_rng(1)
    values = rng.normal(size=(50, 4)) + rng.normal(size=(50, 1))
    found = within_block(values.ravel(), np.repeat(np.arange(50), 4))
    variance_of_means = values.mean(axis=1).var(ddof=1)
    within = values.var(axis=1, ddof=1).mean()
    variance = variance_of_means + 3 / 4 * within  # of games: (B + (n-1) W)/n with B = 4 Var(means)
    assert found.design_effect == pytest.approx(4 * variance_of_means / variance, rel=1e-12)
    assert found.design_effect == pytest.approx(1 + 3 * found.rho, rel=1e-12)
    assert found.effective_games == pytest.approx(200 / found.design_effect, rel=1e-12)
    assert found.effective_games == pytest.approx(variance / (variance_of_means / 50), rel=1e-12)
    assert (found.games, found.blocks) == (200, 50)


@pytest.mark.parametrize("rho", [0.0, 0.3, 0.8])
def test_a_correlation_is_recovered(rho):
    rng = np.random.default_rng(2)
    values = np.sqrt(rho) * rng.normal(size=(4000, 1)) + np.sqrt(1 - rho) * rng.normal(size=(4000, 5))
    found = within_block(3 * values.ravel() - 7, np.repeat(np.arange(4000), 5))
    assert found.rho == pytest.approx(rho, abs=0.03)


def test_blocks_of_unequal_sizes():
    rng = np.random.default_rng(3)
    sizes = rng.integers(1, 8, size=5000)
    block = np.repeat(np.arange(5000), sizes)
    values = np.sqrt(0.4) * rng.normal(size=5000)[block] + np.sqrt(0.6) * rng.normal(size=len(block))
    order = rng.permutation(len(block))
    found = within_block(values[order], 17 * block[order])
    assert found.rho == pytest.approx(0.4, abs=0.03)


def test_rotations_that_cancel_luck_make_games_count_more():
    """Four seats, half the variance of the utility is luck of the seat in the block: the design effect is 0.73."""
    agents, blocks = round_robin(4, 4, 20_000)
    rng = np.random.default_rng(4)
    luck = rng.gumbel(size=(20_000, 4))[blocks] + rng.gumbel(size=agents.shape)
    wins = np.argmax(luck, axis=1)[:, None] == np.argmax(agents == 0, axis=1)[:, None]
    found = within_block(wins.ravel().astype(float), blocks)
    assert found.design_effect == pytest.approx(0.73, abs=0.03)
    assert found.effective_games > len(wins)


def test_the_extremes():
    alike = within_block(np.repeat([1.0, 0.0, 1.0], 4), np.repeat([0, 1, 2], 4))
    assert (alike.rho, alike.design_effect, alike.effective_games) == pytest.approx((1.0, 4.0, 3.0))
    opposite = within_block(np.tile([1.0, 0.0, 0.0, 0.0], 3), np.repeat([0, 1, 2], 4))
    assert (opposite.rho, opposite.design_effect, opposite.effective_games) == pytest.approx((-1 / 3, 0.0, 3.0))


@pytest.mark.parametrize("values", [[], [1.0], [1.0, 2.0], [0.0, 0.0, 0.0, 0.0]])
def test_what_cannot_be_known_is_nan(values):
    found = within_block(np.array(values), np.arange(len(values)) // 2)
    assert isnan(found.rho)
    assert isnan(found.design_effect)
    assert isnan(found.effective_games)


def test_wins_can_be_counted_by_block():
    rng = np.random.default_rng(6)
    sizes = rng.integers(0, 6, size=300)
    block = np.repeat(np.arange(300), sizes)
    wins = (rng.random(len(block)) < rng.random(300)[block]).astype(float)
    found = within_block_of_wins(np.bincount(block, wins, 300), sizes.astype(float))
    one_by_one = within_block(wins, block)
    assert (found.games, found.blocks) == (one_by_one.games, one_by_one.blocks)
    assert found.rho == pytest.approx(one_by_one.rho, rel=1e-12)


def test_every_agent_of_a_ledger():
    games = random_games(np.random.default_rng(5), 3, 4, 120, n_blocks=20)
    frame = seats_frame(games, void=[0, 5])
    found = within_blocks(frame, "ordinal")
    assert list(found) == ["agent0", "agent1", "agent2"]
    played = frame[frame["result"] != "ongoing"]
    for label, one in found.items():
        rows = played[played["agent"] == label]
        assert one == within_block(rows["ordinal"].to_numpy(float), rows["block"].to_numpy())
        assert one.games == len(rows)
