"""The joint fit: against closed forms and another implementation, and what must not make a difference."""

from __future__ import annotations

from itertools import pairwise, permutations

import numpy as np
import pytest
from cpu_caps import cpu_time_below
from made_up import chosen, duel, labels, plackett_luce_games, random_games, ranked, relabelled
from scipy.optimize import brentq, minimize

from tag.errors import ParameterError, UnknownNameError
from tag.tournaments.statistics.ratings.plackett_luce import POINTS, plackett_luce
from tag.tournaments.statistics.ratings.ranked_games import RankedGames

FLAT = 1e7


# --- closed forms ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("wins", "draws", "losses"), [(3, 0, 1), (10, 0, 1), (2, 4, 1), (0, 3, 2), (5, 7, 5)])
def test_two_players_have_elos_expected_score(wins, draws, losses):
    fit = plackett_luce(duel(wins, draws, losses), prior_sd=FLAT)
    score = (wins + draws / 2) / (wins + draws + losses)
    difference = fit.ratings[0] - fit.ratings[1]
    assert difference == pytest.approx(400 * np.log10(score / (1 - score)), rel=1e-6, abs=1e-6)
    assert fit.ratings.sum() == pytest.approx(0, abs=1e-9)
    assert fit.seats[2] == pytest.approx([0, 0], abs=1e-6)


def test_four_hundred_points_are_ten_to_one():
    fit = plackett_luce(duel(10, 0, 1), prior_sd=FLAT)
    assert fit.ratings == pytest.approx([200, -200], rel=1e-6)


def test_seats_and_agents_are_told_apart():
    """From seat 0 agent 0 wins 9 of 10, agent 1 wins 6 of 10: the log odds are seat + difference and seat - difference."""
    games = [((0, 1), (1, 2))] * 9 + [((0, 1), (2, 1))] + [((1, 0), (1, 2))] * 6 + [((1, 0), (2, 1))] * 4
    fit = plackett_luce(ranked(2, *games), prior_sd=FLAT)
    one, other = 400 * np.log10(9), 400 * np.log10(6 / 4)
    assert fit.ratings[0] - fit.ratings[1] == pytest.approx((one - other) / 2, rel=1e-6)
    assert fit.seats[2][0] - fit.seats[2][1] == pytest.approx((one + other) / 2, rel=1e-6)


@pytest.mark.parametrize("wins", [1, 3, 7])
def test_the_winner_among_three_when_the_others_share_the_rest(wins):
    """By hand: agent 0 wins ``wins`` games as often as each of two equal ones wins one, in every seating.

    With e = exp(x) for its lead x, a win of agent 0 counts 1 - e/(e + 2), and a loss, where it shares the second place,
    1/2 - e/(e + 2) - e/(e + 1).
    """
    games = [
        (seating, tuple(1 if agent == winner else 2 for agent in seating))
        for seating in permutations(range(3))
        for winner in [0] * wins + [1, 2]
    ]
    fit = plackett_luce(ranked(3, *games), prior_sd=FLAT)

    def gradient(x):
        e = np.exp(x)
        return wins * (1 - e / (e + 2)) + 2 * (0.5 - e / (e + 2) - e / (e + 1))

    lead = brentq(gradient, -5, 5, xtol=1e-12) * POINTS
    assert fit.ratings == pytest.approx([2 * lead / 3, -lead / 3, -lead / 3], abs=1e-5)


# --- another implementation ------------------------------------------------------------------------------------------


def orders(places):
    """All orders of the seats that agree with the places."""
    seats = range(len(places))
    return [order for order in permutations(seats) if all(places[a] <= places[b] for a, b in pairwise(order))]


def log_posterior(beta, games, sd):
    """The definition, word for word: the mean over all orders."""
    n, total = len(games.labels), 0.0
    for agents, places in zip(games.agents, games.places, strict=True):
        eta = (beta[agents] + beta[n:])[np.array(orders(places))]
        left = np.logaddexp.accumulate(eta[:, ::-1], axis=1)
        total += float((eta - left[:, ::-1]).sum(axis=1).mean())
    return total - 0.5 * (beta @ beta) / (sd / POINTS) ** 2


@pytest.mark.parametrize(("n_agents", "n_seats", "seed"), [(2, 2, 0), (4, 3, 1), (3, 4, 2), (4, 5, 3)])
def test_equals_a_word_for_word_implementation(n_agents, n_seats, seed):
    games, sd = random_games(np.random.default_rng(seed), n_agents, n_seats, 5), 300.0
    found = minimize(lambda beta: -log_posterior(beta, games, sd), np.zeros(n_agents + n_seats), tol=1e-10)
    fit = plackett_luce(games, prior_sd=sd)
    assert fit.ratings == pytest.approx(found.x[:n_agents] * POINTS, abs=0.01)
    assert fit.seats[n_seats] == pytest.approx(found.x[n_agents:] * POINTS, abs=0.01)


# --- what makes no difference ----------------------------------------------------------------------------------------


def test_the_order_of_games_makes_no_difference():
    rng = np.random.default_rng(4)
    games = random_games(rng, 6, 4, 300)
    whole = plackett_luce(games)
    for _ in range(20):
        fit = plackett_luce(chosen(games, rng.permutation(len(games))))
        assert np.abs(fit.ratings - whole.ratings).max() < 1e-9
        assert np.abs(fit.seats[4] - whole.seats[4]).max() < 1e-9


def test_numbers_of_agents_make_no_difference():
    rng = np.random.default_rng(5)
    games = random_games(rng, 6, 4, 300)
    whole, order = plackett_luce(games), rng.permutation(6)
    fit = plackett_luce(relabelled(games, order))
    assert np.abs(fit.ratings - whole.ratings[order]).max() < 1e-9
    assert fit.labels == tuple(whole.labels[number] for number in order)


def test_only_the_order_of_places_counts():
    games = random_games(np.random.default_rng(6), 6, 4, 100)
    stretched = RankedGames(games.labels, games.agents, games.places**2 - 7, games.blocks)
    assert plackett_luce(stretched).ratings.tolist() == plackett_luce(games).ratings.tolist()


def check_result_order(rng):
    n = int(rng.integers(2, 7))
    places = rng.integers(1, n + 1, size=n)
    agents = rng.permutation(n)
    ratings = plackett_luce(ranked(n, (agents, places))).ratings[agents]
    for one in range(n):
        for other in range(n):
            if places[one] == places[other]:
                assert ratings[one] == pytest.approx(ratings[other], abs=1e-9)
            elif places[one] < places[other]:
                assert ratings[one] > ratings[other] + 1.0


def test_ties_never_reverse_a_result():
    rng = np.random.default_rng(7)
    for _ in range(100):
        check_result_order(rng)


@pytest.mark.slow
def test_ties_never_reverse_a_result_in_ten_thousand_patterns():
    rng = np.random.default_rng(8)
    for _ in range(10_000):
        check_result_order(rng)


# --- recovery and speed ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n_games", "error"), [(500, 0.16), (5_000, 0.05)])
def test_strengths_are_recovered(n_games, error):
    """Ten times as many games divide the error, in units of log strength, by about √10."""
    strengths = np.linspace(-1, 1, 16)
    squares = []
    for seed in range(5):
        games = plackett_luce_games(np.random.default_rng(seed), strengths, 4, n_games)
        squares.append(np.mean((plackett_luce(games).ratings / POINTS - strengths) ** 2))
    assert np.sqrt(np.mean(squares)) < error


def test_twenty_thousand_games_of_four_seats_take_two_seconds():
    games = plackett_luce_games(np.random.default_rng(9), np.linspace(-1, 1, 16), 4, 20_000)
    with cpu_time_below(2.0):
        fit = plackett_luce(games)
    assert np.sqrt(np.mean((fit.ratings / POINTS - np.linspace(-1, 1, 16)) ** 2)) < 0.04


# --- prior and anchors -----------------------------------------------------------------------------------------------


def test_perfect_scores_stay_finite_and_grow_with_games():
    fits = [plackett_luce(duel(wins, 0, 0)).ratings for wins in (1, 10, 100)]
    assert [ratings[0] + ratings[1] for ratings in fits] == pytest.approx([0, 0, 0], abs=1e-9)
    leads = [float(ratings[0]) for ratings in fits]
    assert 0 < leads[0] < leads[1] < leads[2] < 1000


def test_a_perfect_score_is_where_prior_and_likelihood_balance():
    """With d between the two and 2 w wins the gradient is 2 w/(1 + exp(d)) - d/(2 sd²)."""
    difference = 2 * plackett_luce(duel(20, 0, 0), prior_sd=300.0).ratings[0] / POINTS
    assert 40 / (1 + np.exp(difference)) == pytest.approx(difference / (2 * (300 / POINTS) ** 2), rel=1e-6)


def test_nothing_known_is_nothing_said():
    ratings = plackett_luce(ranked(4, ((0, 1), (1, 2)), ((2, 2), (1, 2)))).ratings
    assert ratings[2:] == pytest.approx([0, 0], abs=1e-9)


def test_an_agent_against_itself_tells_of_seats_only():
    fit = plackett_luce(ranked(2, *[((0, 0, 0), (1, 2, 3))] * 9, *[((0, 0, 0), (3, 2, 1))] * 3))
    assert fit.ratings == pytest.approx([0, 0], abs=1e-9)
    assert fit.seats[3][0] > fit.seats[3][1] > fit.seats[3][2]
    assert fit.seats[3].sum() == pytest.approx(0, abs=1e-9)


def test_one_anchor_moves_the_scale():
    games = random_games(np.random.default_rng(10), 5, 3, 60)
    free, anchored = plackett_luce(games), plackett_luce(games, {"agent3": 1500.0})
    assert anchored.ratings[3] == 1500.0
    assert np.ptp(anchored.ratings - free.ratings) < 1e-7
    assert anchored.seats[3] == pytest.approx(free.seats[3], abs=1e-7)


def test_several_anchors_stretch_it():
    games = duel(3, 0, 1)
    both = RankedGames(
        labels(3), np.vstack([games.agents, games.agents + 1]), np.tile(games.places, (2, 1)), np.arange(16)
    )
    fit = plackett_luce(both, {"agent0": 2000.0, "agent2": 1000.0}, prior_sd=FLAT)
    assert fit.ratings == pytest.approx([2000, 1500, 1000], abs=1e-6)  # between the two, by symmetry
    assert plackett_luce(both, {"agent0": 7.0, "agent1": 8.0, "agent2": 9.0}).ratings.tolist() == [7.0, 8.0, 9.0]


def test_anchors_far_away_change_nothing():
    games = random_games(np.random.default_rng(11), 5, 3, 60)
    near = plackett_luce(games, {"agent0": 0.0, "agent1": 50.0}).ratings
    far = plackett_luce(games, {"agent0": 1e6, "agent1": 1e6 + 50.0}).ratings
    assert far - 1e6 == pytest.approx(near, abs=1e-6)


def test_seats_of_every_number_of_players():
    rng = np.random.default_rng(12)
    two, three = random_games(rng, 4, 2, 40), random_games(rng, 4, 3, 40)
    wide = (np.hstack([two.agents, np.full((40, 1), -1)]), np.hstack([two.places, np.zeros((40, 1), int)]))
    both = RankedGames(labels(4), np.vstack([wide[0], three.agents]), np.vstack([wide[1], three.places]), np.arange(80))
    fit = plackett_luce(both)
    assert {players: len(terms) for players, terms in fit.seats.items()} == {2: 2, 3: 3}
    assert [terms.sum() for terms in fit.seats.values()] == pytest.approx([0, 0], abs=1e-9)
    alone = plackett_luce(RankedGames(labels(4), *wide, two.blocks))
    assert alone.ratings.tolist() == plackett_luce(two).ratings.tolist()


def test_a_prior_that_says_nothing_is_no_trouble():
    games = plackett_luce_games(np.random.default_rng(13), np.linspace(-1, 1, 8), 4, 2000)
    flat = [plackett_luce(games, prior_sd=sd).ratings for sd in (1e5, 1e9)]
    assert flat[0] == pytest.approx(flat[1], abs=1e-3)
    assert plackett_luce(games).ratings == pytest.approx(flat[1], abs=1.0)


def test_what_cannot_be_is_refused():
    games = duel(1, 0, 1)
    with pytest.raises(UnknownNameError, match="no agent named 'agent7'; did you mean 'agent"):
        plackett_luce(games, {"agent7": 0.0})
    with pytest.raises(ParameterError, match="cannot be 0.0"):
        plackett_luce(games, prior_sd=0.0)
