"""The bootstrap over blocks: intervals that hold what they promise, from whole blocks."""

from __future__ import annotations

import time

import numpy as np
import pytest
from made_up import chosen, duel, labels, lucky_places, places_of, random_games, ranked, round_robin

from tag.errors import ParameterError
from tournaments.results.tournament import bootstrap_ratings
from tournaments.statistics.plackett_luce import POINTS, Posterior, RankedGames, plackett_luce


def lucky_games(rng, design, ratings, seats, luck=0.75):
    agents, blocks = design
    return RankedGames(labels(len(ratings)), agents, lucky_places(rng, agents, blocks, ratings, seats, luck), blocks)


def widths(found):
    low, high = found.intervals()
    return high - low


def test_the_fit_is_that_of_plackett_luce():
    games = random_games(np.random.default_rng(1), 5, 3, 200, n_blocks=20)
    found, fit = bootstrap_ratings(games, resamples=10), plackett_luce(games)
    assert found.fit.ratings.tolist() == fit.ratings.tolist()
    assert found.fit.seats[3].tolist() == fit.seats[3].tolist()
    assert (found.ratings.shape, found.seats[3].shape, found.blocks) == ((10, 5), (10, 3), 20)


def test_a_resample_is_the_fit_of_repeated_blocks():
    """Without blocks to choose from, that is with all blocks alike, only the prior moves."""
    one = random_games(np.random.default_rng(2), 3, 3, 200)
    games = RankedGames(one.labels, np.tile(one.agents, (4, 1)), np.tile(one.places, (4, 1)), np.repeat(range(4), 200))
    found = bootstrap_ratings(games, resamples=50)
    assert np.abs(found.ratings - found.fit.ratings).max() < 1.0


def test_seeds_decide_and_the_order_of_games_does_not():
    rng = np.random.default_rng(3)
    games = random_games(rng, 5, 3, 200, n_blocks=20)
    found = bootstrap_ratings(games, resamples=40, seed=1)
    again = bootstrap_ratings(chosen(games, rng.permutation(200)), resamples=40, seed=1)
    other = bootstrap_ratings(games, resamples=40, seed=2)
    assert np.abs(found.ratings - again.ratings).max() < 1e-7
    assert np.abs(found.ratings - other.ratings).max() > 1.0


def test_two_players_have_the_standard_error_of_the_score():
    """By the delta method: d of s is 400/ln 10/(s (1 - s)), with the variance of block means."""
    rng = np.random.default_rng(4)
    won = rng.binomial(10, rng.beta(6, 4, size=400))
    rows = [((0, 1), (1, 2) if game < wins else (2, 1), block) for block, wins in enumerate(won) for game in range(10)]
    swapped = [((1, 0), places[::-1], block) for (_, places, block) in rows]
    found = bootstrap_ratings(ranked(2, *rows, *swapped), resamples=8000)
    low, high = found.difference_intervals()
    score = won.mean() / 10
    error = (won / 10).std(ddof=1) / np.sqrt(400) * POINTS / (score * (1 - score))
    assert (high - low)[0, 1] == pytest.approx(2 * 1.966 * error, rel=0.05)
    assert low[0, 1] + high[0, 1] == pytest.approx(2 * (found.fit.ratings[0] - found.fit.ratings[1]))


def test_games_of_a_block_are_not_taken_for_independent():
    """The same games count as ten blocks of one game or of ten."""
    games = random_games(np.random.default_rng(5), 3, 3, 300, n_blocks=300)
    copies = np.repeat(np.arange(300), 10)
    tenfold = chosen(games, copies)
    apart = RankedGames(games.labels, tenfold.agents, tenfold.places, np.arange(3000))
    assert widths(bootstrap_ratings(tenfold)) == pytest.approx(widths(bootstrap_ratings(games)), rel=0.1)
    assert widths(bootstrap_ratings(apart)) == pytest.approx(widths(bootstrap_ratings(games)) / np.sqrt(10), rel=0.15)


def test_rotations_that_cancel_luck_make_intervals_narrow():
    agents, blocks = round_robin(4, 4, 60)
    ratings, seats = np.array([150.0, 50.0, -50.0, -150.0]), np.zeros(4)
    lucky, unlucky = (
        [widths(bootstrap_ratings(lucky_games(np.random.default_rng(seed), (agents, blocks), ratings, seats, luck), 200))
         for seed in range(10)]
        for luck in (0.9, 0.0)
    )  # fmt: skip
    assert np.mean(lucky) < 0.8 * np.mean(unlucky)


def test_perfect_scores_are_not_certain():
    found = bootstrap_ratings(duel(20, 0, 0))
    low, high = found.intervals()
    assert 150 < low[0] < found.fit.ratings[0] - 100 < found.fit.ratings[0] + 100 < high[0] < 1000
    assert high[1] < 0
    assert found.superiority()[0, 1] == 1.0


def test_agents_that_never_met_may_be_far_apart():
    """Two pairs of agents that only meet each other: what is known of their difference is the prior's."""
    games = duel(30, 0, 10)
    both = RankedGames(
        labels(4), np.vstack([games.agents, games.agents + 2]), np.tile(games.places, (2, 1)), np.tile(games.blocks, 2)
    )
    found = bootstrap_ratings(both, resamples=2000)
    low, high = found.difference_intervals()
    assert high[0, 1] - low[0, 1] < 300
    assert high[0, 2] - low[0, 2] == pytest.approx(2 * 1.99 * 500, rel=0.1)  # of two means of two, each 500/√2
    assert found.best() == pytest.approx([0.5, 0, 0.5, 0], abs=0.05)


def test_probabilities_add_up():
    found = bootstrap_ratings(random_games(np.random.default_rng(6), 5, 3, 200, n_blocks=20), resamples=100)
    superiority, best = found.superiority(), found.best()
    assert superiority + superiority.T == pytest.approx(np.ones((5, 5)))
    assert np.diag(superiority) == pytest.approx(np.full(5, 0.5))
    assert best.sum() == pytest.approx(1)
    assert np.all(best <= superiority.min(axis=1, where=~np.eye(5, dtype=bool), initial=1.0) + 1e-12)
    assert superiority[1, 3] == np.mean(found.ratings[:, 1] > found.ratings[:, 3])


def test_differences_are_narrower_than_their_ends_suggest():
    """Ratings of mean 0 pull against each other; the difference is not the sum of two intervals."""
    found = bootstrap_ratings(random_games(np.random.default_rng(7), 5, 3, 300, n_blocks=50), resamples=300)
    low, high = found.difference_intervals()
    assert low == pytest.approx(-high.T, abs=1e-9)
    assert np.all((high - low)[np.triu_indices(5, 1)] < 2 * widths(found).max())
    assert np.diag(low) == pytest.approx(np.zeros(5))


def test_confidence_widens():
    found = bootstrap_ratings(random_games(np.random.default_rng(8), 5, 3, 300, n_blocks=50), resamples=100)
    low, high = found.intervals(0.99)
    assert np.all(high - low > 1.25 * widths(found))


def test_an_anchor_is_certain():
    found = bootstrap_ratings(
        random_games(np.random.default_rng(9), 4, 3, 200), resamples=50, anchors={"agent1": 1500.0}
    )
    low, high = found.intervals()
    assert low[1] == high[1] == 1500.0
    assert np.all(high[[0, 2, 3]] - low[[0, 2, 3]] > 10)


@pytest.mark.parametrize("games", [ranked(3, ((0, 1), (1, 2), 4), ((1, 2), (1, 2), 4)), chosen(duel(1, 1, 1), [])])
def test_fewer_than_two_blocks_tell_nothing(games):
    found = bootstrap_ratings(games, resamples=10)
    assert np.isfinite(found.fit.ratings).all()
    for numbers in (*found.intervals(), *found.difference_intervals(), found.superiority(), found.best()):
        assert np.isnan(numbers).all()
    assert all(np.isnan(ends).all() for interval in found.seat_intervals().values() for ends in interval)


def test_no_resample_is_refused():
    with pytest.raises(ParameterError, match="resamples cannot be 0; the least is 1"):
        bootstrap_ratings(duel(1, 0, 1), resamples=0)


def test_a_thousand_resamples_of_a_tournament_take_seconds():
    """Eight agents at four seats, 100 blocks: 28,000 games."""
    ratings, seats = np.linspace(200, -200, 8), np.linspace(40, -40, 4)
    games = lucky_games(np.random.default_rng(10), round_robin(8, 4, 100), ratings, seats)
    begin = time.process_time()
    found = bootstrap_ratings(games)
    assert time.process_time() - begin < 10.0
    assert found.ratings.shape == (1000, 8)


# --- coverage --------------------------------------------------------------------------------------------------------


def coverage(n_agents, n_players, blocks, luck, times, resamples):
    """How often 95 % intervals of ratings, of differences and of seat terms hold the truth."""
    ratings, seats = np.linspace(170, -170, n_agents), np.linspace(50, -50, n_players)
    differences, pairs = ratings[:, None] - ratings, np.triu_indices(n_agents, 1)
    design, rng = round_robin(n_agents, n_players, blocks), np.random.default_rng(11)
    held: dict[str, list[np.ndarray]] = {"ratings": [], "differences": [], "seats": []}
    for seed in range(times):
        found = bootstrap_ratings(lucky_games(rng, design, ratings, seats, luck), resamples, seed)
        for name, (low, high), truth in (
            ("ratings", found.intervals(), ratings),
            ("differences", found.difference_intervals(), differences),
            ("seats", found.seat_intervals()[n_players], seats),
        ):
            is_held = (low <= truth) & (truth <= high)
            held[name].append(is_held[pairs] if name == "differences" else is_held)
    return {name: float(np.mean(rows)) for name, rows in held.items()}


def test_intervals_hold_the_truth():
    found = coverage(4, 4, blocks=40, luck=0.75, times=60, resamples=150)
    assert all(0.88 < share <= 1.0 for share in found.values()), found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n_agents", "n_players", "blocks", "luck"), [(5, 4, 30, 0.75), (4, 4, 100, 0.9), (3, 2, 60, 0.75), (6, 3, 50, 0.5)]
)
def test_intervals_hold_the_truth_in_95_of_100_tournaments(n_agents, n_players, blocks, luck):
    found = coverage(n_agents, n_players, blocks, luck, times=1000, resamples=300)
    assert all(0.93 <= share <= 0.97 for share in found.values()), found


@pytest.mark.parametrize("n_blocks", [2, 5, 40])
@pytest.mark.parametrize("anchors", [{}, {"a1": 50.0}], ids=["centred", "anchored"])
def test_steps_with_one_matrix_lead_where_newtons_method_does(n_blocks, anchors):
    rng = np.random.default_rng(n_blocks)
    agents, blocks = round_robin(5, 3, n_blocks)
    games = RankedGames(tuple(f"a{n}" for n in range(5)), agents, places_of(rng.normal(size=agents.shape)), blocks)
    posterior = Posterior(games, anchors, 500.0)
    fit = posterior.mode(np.ones((n_blocks, 1)))
    weights = rng.multinomial(n_blocks, np.full(n_blocks, 1.0 / n_blocks), 50).T.astype(float)
    draws = rng.standard_normal((len(fit), 50))
    found = posterior.mode(weights, draws, fit, posterior.inverse_information(fit))
    assert found == pytest.approx(posterior.mode(weights, draws, fit), abs=1e-11)
