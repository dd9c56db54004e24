"""The share of what goes round in circles, with and without chance."""

from __future__ import annotations

from itertools import combinations
from math import isnan

import numpy as np
import pytest
from made_up import chosen, labels, random_games, ranked, relabelled, round_robin

from tag.errors import DataError
from tag.tournaments.statistics.ratings.intransitivity import cyclic_share, cyclic_triples, intransitivity
from tag.tournaments.statistics.ratings.ranked_games import RankedGames

pytestmark = pytest.mark.flow

CIRCLE = np.array([[0.0, 1.0, -1.0], [-1.0, 0.0, 1.0], [1.0, -1.0, 0.0]])


def games_by_log_odds(rng, table, blocks):
    """A round robin of duels in which the first wins with these log odds."""
    agents, block = round_robin(len(table), 2, blocks)
    wins = rng.random(len(agents)) < 1 / (1 + np.exp(-table[agents[:, 0], agents[:, 1]]))
    return RankedGames(
        labels(len(table)), agents, np.stack([np.where(wins, 1, 2), np.where(wins, 2, 1)], axis=1), block
    )


# --- tables ----------------------------------------------------------------------------------------------------------


def test_the_extremes():
    ratings = np.array([1.0, 3.0, -2.0, 0.5])
    shares = cyclic_share(np.stack([CIRCLE, 5 * CIRCLE, (ratings[:3, None] - ratings[:3])]))
    assert shares == pytest.approx([1.0, 1.0, 0.0], abs=1e-12)
    assert isnan(cyclic_share(np.zeros((3, 3))))


def test_the_parts_add_up():
    """Orthogonal parts: a circle of strength c on ratings r has the share |c|²/(|c|² + |r_i - r_j|²)."""
    ratings = np.array([1.0, 0.0, -1.0])
    share = cyclic_share(0.7 * CIRCLE + ratings[:, None] - ratings)
    assert share == pytest.approx(0.49 * 6 / (0.49 * 6 + 12))


@pytest.mark.parametrize("seed", range(10))
def test_cyclic_triples_by_trying_all(seed):
    table = np.random.default_rng(seed).normal(size=(7, 7))
    leads = (table - table.T) > 0.3
    by_hand = sum(
        bool((leads[a, b] and leads[b, c] and leads[c, a]) or (leads[a, c] and leads[c, b] and leads[b, a]))
        for a, b, c in combinations(range(7), 3)
    )
    assert cyclic_triples(leads) == by_hand


# --- games -----------------------------------------------------------------------------------------------------------


def test_a_circle_is_found():
    found = intransitivity(games_by_log_odds(np.random.default_rng(1), 0.8 * CIRCLE, 300))
    assert found.interval.low > 0.9
    assert found.p_value < 1e-6
    assert (found.cyclic_triples, found.triples) == (1, 1)


def test_chance_is_taken_away():
    """Close to transitive agents and few games: the raw share is mostly chance, the corrected one is right on average."""
    ratings = np.linspace(0.3, -0.3, 6)
    rng = np.random.default_rng(2)
    found = [intransitivity(games_by_log_odds(rng, ratings[:, None] - ratings, 60)) for _ in range(60)]
    assert np.mean([one.corrected for one in found]) < 0.5 * np.mean([one.share for one in found])
    assert np.mean([one.p_value < 0.05 for one in found]) < 0.12
    assert np.mean([one.interval.low > 0.0 for one in found]) < 0.08


def test_the_interval_holds_the_truth():
    ratings = np.linspace(0.8, -0.8, 5)
    table = ratings[:, None] - ratings
    table[:3, :3] += 0.9 * CIRCLE
    truth, rng = float(cyclic_share(table)), np.random.default_rng(3)
    found = [intransitivity(games_by_log_odds(rng, table, 150)) for _ in range(150)]
    assert 0.88 < np.mean([one.interval.low <= truth <= one.interval.high for one in found]) <= 0.99
    assert np.mean([one.corrected for one in found]) == pytest.approx(truth, abs=0.02)


def test_neither_order_nor_numbers_matter():
    rng = np.random.default_rng(4)
    games = random_games(rng, 4, 3, 120, n_blocks=20)
    whole = intransitivity(games)
    other = intransitivity(relabelled(chosen(games, rng.permutation(120)), rng.permutation(4)))
    for name in ("share", "corrected", "interval", "p_value", "cyclic_triples", "triples"):
        assert getattr(other, name) == pytest.approx(getattr(whole, name), abs=1e-9)


def test_two_agents_are_always_transitive():
    found = intransitivity(ranked(2, ((0, 1), (1, 2)), ((0, 1), (1, 2)), ((0, 1), (2, 1))))
    assert found.share == pytest.approx(0.0, abs=1e-12)
    assert (found.triples, found.p_value) == (0, 1.0)


def test_one_block_tells_no_error():
    found = intransitivity(random_games(np.random.default_rng(5), 3, 3, 40, n_blocks=1))
    assert 0.0 <= found.share <= 1.0
    assert isnan(found.corrected)
    assert (found.interval.low, found.interval.high, found.p_value) == (0.0, 1.0, 1.0)


@pytest.mark.parametrize("n_independent", [2, 3, 20])
def test_games_that_repeat_have_numbers_too(n_independent):
    """A block that counts as many may have more of a pair's lost games than there are."""
    agents, block = round_robin(3, 2, 40)
    places = np.where((block == 0)[:, None], [2, 1], [1, 2]) * np.where(agents[:, :1] < agents[:, 1:], 1, -1)
    games = RankedGames(labels(3), agents, places, block, independent=block < n_independent)
    found = intransitivity(games)
    assert 0.0 <= found.corrected <= 1.0
    assert found.interval.low <= found.share <= found.interval.high


def test_nobody_leads():
    found = intransitivity(ranked(3, ((0, 1, 2), (1, 1, 1)), ((1, 2, 0), (1, 1, 1)), ((2, 0, 1), (1, 1, 1))))
    assert isnan(found.share)
    assert isnan(found.corrected)
    assert (found.interval.low, found.interval.high, found.p_value, found.cyclic_triples) == (0.0, 1.0, 1.0, 0)


def test_strangers_are_refused():
    with pytest.raises(DataError, match="'agent0' and 'agent2' have not met"):
        intransitivity(ranked(3, ((0, 1), (1, 2)), ((1, 2), (1, 2))))


# --- the test of circles ---------------------------------------------------------------------------------------------


def drawn_games(rng, scores, draws, blocks):
    """A round robin of duels with these expected scores, of which a share is drawn: there are fewer where it has no room."""
    agents, block = round_robin(len(scores), 2, blocks)
    score = scores[agents[:, 0], agents[:, 1]]
    share = np.minimum(draws, 2 * np.minimum(score, 1 - score))
    level = rng.random(len(agents))
    first, second = level < score - share / 2, level >= score + share / 2
    places = np.stack([np.where(second, 2, 1), np.where(first, 2, 1)], axis=1)
    return RankedGames(labels(len(scores)), agents, places, block)


@pytest.mark.parametrize("draws", [0.0, 0.6, 0.9])
@pytest.mark.parametrize("decisive", [0.0, 0.3, 0.9])
def test_agents_in_order_are_not_circular_however_often_they_draw(draws, decisive):
    """A draw takes the same share from all pairs, so that log odds do not add up; there are no circles all the same."""
    ratings, rng = np.linspace(decisive, -decisive, 8), np.random.default_rng(6)
    scores = draws / 2 + (1 - draws) / (1 + np.exp(3 * (ratings - ratings[:, None])))
    found = [intransitivity(drawn_games(rng, scores, draws, 40)).p_value for _ in range(40)]
    assert np.mean(np.array(found) < 0.05) <= 0.15


@pytest.mark.parametrize("draws", [0.0, 0.8])
def test_rock_paper_scissors_is_found(draws):
    """A circle of three in which each scores 60 % against the next, over 40 blocks; with draws it is surer."""
    scores, rng = 0.5 + 0.1 * CIRCLE, np.random.default_rng(7)
    found = [intransitivity(drawn_games(rng, scores, draws, 40)).p_value for _ in range(100)]
    assert np.mean(np.array(found) < 0.05) >= 0.7


def test_a_circle_that_never_fails_is_found_after_some_blocks():
    """Blocks that do not differ have no variance, but a few are not proof."""
    rng, scores = np.random.default_rng(8), 0.5 + 0.5 * CIRCLE
    found = [intransitivity(drawn_games(rng, scores, 0.0, blocks)).p_value for blocks in (2, 3, 5, 10)]
    assert found == sorted(found, reverse=True)
    assert found[0] == 1.0
    assert found[1] > 0.01
    assert found[3] < 0.001
