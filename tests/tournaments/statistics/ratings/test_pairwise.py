"""The pairwise table: shares by hand, intervals from block means, p values that keep their promise."""

from __future__ import annotations

import numpy as np
import pytest
from made_up import chosen, duel, labels, random_games, ranked, relabelled, round_robin
from scipy.stats import t as student
from scipy.stats import ttest_1samp

from tag.tournaments.statistics.ratings.pairwise import holm, pairwise
from tag.tournaments.statistics.ratings.ranked_games import RankedGames


def test_shares_by_hand():
    games = ranked(
        4,
        ((0, 1, 2), (1, 2, 3), 0),
        ((1, 2, 0), (1, 1, 2), 0),
        ((2, 0, 1), (1, 1, 3), 1),
    )
    table = pairwise(games)
    nan = np.nan
    above = [[nan, 2 / 3, 1 / 3, nan], [1 / 3, nan, 1 / 3, nan], [1 / 3, 1 / 3, nan, nan], [nan] * 4]
    score = [[nan, 2 / 3, 1 / 2, nan], [1 / 3, nan, 1 / 2, nan], [1 / 2, 1 / 2, nan, nan], [nan] * 4]
    assert table.games.tolist() == [[0, 3, 3, 0], [3, 0, 3, 0], [3, 3, 0, 0], [0, 0, 0, 0]]
    np.testing.assert_allclose(table.above, above)
    np.testing.assert_allclose(table.score, score)
    assert np.isnan(table.p_value[3]).all()
    assert not table.is_different().any()


def test_an_agent_in_several_seats_meets_the_others_in_each():
    table = pairwise(ranked(2, ((0, 1, 0), (1, 2, 3), 0), ((0, 0, 0), (1, 2, 3), 1)))
    assert table.games[0, 1] == 2
    assert table.score[0, 1] == 0.5
    assert np.isnan(table.score[0, 0])


def test_rows_and_columns_mirror_each_other():
    table = pairwise(random_games(np.random.default_rng(1), 5, 4, 200, n_blocks=30))
    off = ~np.eye(5, dtype=bool)
    np.testing.assert_allclose(table.score[off], 1 - table.score.T[off])
    np.testing.assert_allclose(table.low[off], 1 - table.high.T[off])
    np.testing.assert_allclose(table.p_value[off], table.p_value.T[off])
    np.testing.assert_allclose(table.corrected[off], table.corrected.T[off])
    assert np.all((table.above + table.above.T)[off] <= 1 + 1e-12)


def test_neither_the_order_of_games_nor_numbers_matter():
    rng = np.random.default_rng(2)
    games, order = random_games(rng, 5, 4, 200, n_blocks=30), rng.permutation(5)
    whole = pairwise(games)
    shuffled = pairwise(relabelled(chosen(games, rng.permutation(200)), order))
    for name in ("games", "above", "score", "low", "high", "p_value", "corrected"):
        np.testing.assert_allclose(getattr(shuffled, name), getattr(whole, name)[np.ix_(order, order)], atol=1e-12)


def test_five_percent_is_where_the_interval_leaves_out_a_half():
    significant = []
    for seed in range(60):
        table = pairwise(random_games(np.random.default_rng(seed), 4, 3, 60, n_blocks=12))
        pairs = np.triu_indices(4, 1)
        is_outside = (table.low[pairs] > 0.5) | (table.high[pairs] < 0.5)
        assert (is_outside == (table.p_value[pairs] < 0.05)).all()
        significant += is_outside.tolist()
    assert 0 < np.mean(significant) < 0.2


def test_with_many_blocks_the_p_value_is_that_of_block_means():
    rng = np.random.default_rng(3)
    won = rng.binomial(10, rng.beta(5.3, 5, size=300))
    rows = [((0, 1), (1, 2) if game < wins else (2, 1), block) for block, wins in enumerate(won) for game in range(10)]
    table = pairwise(ranked(2, *rows))
    assert table.score[0, 1] == pytest.approx(won.mean() / 10, rel=1e-12)
    assert table.p_value[0, 1] == pytest.approx(ttest_1samp(won / 10, 0.5).pvalue, rel=0.05)
    half = student.ppf(0.975, 299) * (won / 10).std(ddof=1) / np.sqrt(300)
    assert table.high[0, 1] - table.low[0, 1] == pytest.approx(2 * half, rel=0.02)


def test_copies_of_a_game_prove_nothing():
    games = duel(4, 0, 2)
    copies = chosen(games, np.repeat(np.arange(len(games)), 20))
    assert pairwise(copies).p_value[0, 1] == pytest.approx(pairwise(games).p_value[0, 1])


def test_perfect_scores_need_blocks():
    p_values = [float(pairwise(duel(wins, 0, 0)).p_value[0, 1]) for wins in (2, 10, 50)]
    assert p_values[0] > 0.05 > p_values[1] > p_values[2] > 0.0


def test_equals_are_told_apart_as_seldom_as_promised():
    """Among four equal agents in correlated blocks hardly any tournament has a significant pair after correction."""
    agents, blocks = round_robin(4, 2, 40)
    rng = np.random.default_rng(4)
    raw, corrected = [], []
    for _ in range(300):
        luck = rng.normal(size=(40, 4))[blocks[:, None], agents] + rng.normal(size=agents.shape)
        table = pairwise(RankedGames(labels(4), agents, np.argsort(np.argsort(-luck, axis=1), axis=1), blocks))
        raw.append((table.p_value[np.triu_indices(4, 1)] < 0.05).mean())
        corrected.append(table.is_different().any())
    assert 0.02 < np.mean(raw) < 0.075
    assert np.mean(corrected) < 0.08


def test_holm_by_hand():
    found = holm(np.array([0.04, 0.001, 0.03, 0.5]))
    assert found == pytest.approx([0.09, 0.004, 0.09, 0.5])
    assert holm(np.array([0.9, 0.8])).tolist() == [1.0, 1.0]
    assert holm(np.zeros(0)).tolist() == []


def test_no_games_at_all():
    table = pairwise(chosen(duel(1, 0, 0), []))
    assert table.games.tolist() == [[0, 0], [0, 0]]
    assert np.isnan(table.score).all()
