"""Errors of ratings: intervals that hold what they promise, from whole blocks, and nothing claimed beyond the games."""

from __future__ import annotations

import numpy as np
import pytest
from made_up import chosen, duel, labels, lucky_places, random_games, ranked, round_robin

from tag.errors import ParameterError
from tag.tournaments.statistics.intervals import student
from tag.tournaments.statistics.ratings.plackett_luce import POINTS, plackett_luce
from tag.tournaments.statistics.ratings.ranked_games import RankedGames
from tag.tournaments.statistics.ratings.rating_errors import rate_agents

pytestmark = pytest.mark.flow


def lucky_games(rng, design, ratings, seats, luck=0.75):
    agents, blocks = design
    return RankedGames(labels(len(ratings)), agents, lucky_places(rng, agents, blocks, ratings, seats, luck), blocks)


def widths(found):
    low, high = found.intervals()
    return high - low


def test_the_fit_is_that_of_plackett_luce():
    games = random_games(np.random.default_rng(1), 5, 3, 200, n_blocks=20)
    found, fit = rate_agents(games), plackett_luce(games)
    assert found.fit.ratings.tolist() == fit.ratings.tolist()
    assert found.fit.seats[3].tolist() == fit.seats[3].tolist()
    assert (len(found.root), len(found.seat_errors[3]), found.blocks) == (5, 3, 20)


def test_two_players_have_the_standard_error_of_the_score():
    """By the delta method: d of s is 400/ln 10/(s (1 - s)), with the variance of block means."""
    rng = np.random.default_rng(4)
    won = rng.binomial(10, rng.beta(6, 4, size=400))
    rows = [((0, 1), (1, 2) if game < wins else (2, 1), block) for block, wins in enumerate(won) for game in range(10)]
    swapped = [((1, 0), places[::-1], block) for (_, places, block) in rows]
    found = rate_agents(ranked(2, *rows, *swapped))
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
    assert widths(rate_agents(tenfold)) == pytest.approx(widths(rate_agents(games)), rel=0.1)
    assert widths(rate_agents(apart)) == pytest.approx(widths(rate_agents(games)) / np.sqrt(10), rel=0.15)


def test_rotations_that_cancel_luck_make_intervals_narrow():
    agents, blocks = round_robin(4, 4, 60)
    ratings, seats = np.array([150.0, 50.0, -50.0, -150.0]), np.zeros(4)
    lucky, unlucky = (
        [widths(rate_agents(lucky_games(np.random.default_rng(seed), (agents, blocks), ratings, seats, luck)))
         for seed in range(10)]
        for luck in (0.9, 0.0)
    )  # fmt: skip
    assert np.mean(lucky) < 0.8 * np.mean(unlucky)


def test_perfect_scores_are_not_certain():
    found = rate_agents(duel(20, 0, 0))
    low, high = found.intervals()
    assert 50 < low[0] < found.fit.ratings[0] - 100 < found.fit.ratings[0] + 100 < high[0] < 1000
    assert high[1] < 0
    assert 0.99 < found.superiority()[0, 1] < 1.0


@pytest.mark.parametrize("wins", [2, 5, 20, 200])
def test_a_perfect_score_of_two_is_as_uncertain_as_its_rate(wins):
    """The lower end is between those of Wilson's intervals that count blocks and games."""
    low = rate_agents(duel(wins, 0, 0)).difference_intervals()[0][0, 1]
    t = student(wins)
    of_blocks, of_games = (POINTS * np.log(n / t**2) for n in (wins, 2 * wins))
    assert of_blocks - 25 < low < of_games


@pytest.mark.parametrize("blocks", range(2, 12))
def test_five_blocks_that_one_agent_wins_are_no_proof(blocks):
    """Where the chance seed decides both games, one of two equal agents wins five blocks in 1 of 16 tournaments."""
    p_value = rate_agents(duel(blocks, 0, 0)).p_values()[0, 1]
    assert (p_value < 0.05) == (blocks > 5)


def two_pairs():
    """Two pairs of agents that only meet each other."""
    games = duel(30, 0, 10)
    return RankedGames(
        labels(4), np.vstack([games.agents, games.agents + 2]), np.tile(games.places, (2, 1)), np.tile(games.blocks, 2)
    )


def test_agents_that_no_games_connect_are_not_compared():
    found, alone = rate_agents(two_pairs()), rate_agents(duel(30, 0, 10))
    assert found.components.tolist() == [0, 0, 1, 1]
    for table in (*found.difference_intervals(), found.superiority(), found.p_values()):
        assert (np.isnan(table) == ~found.are_connected).all()
    assert found.best() == pytest.approx([1, 0, 1, 0], abs=0.05)
    assert found.fit.ratings == pytest.approx(np.tile(alone.fit.ratings, 2), abs=1e-6)
    assert np.ptp(found.difference_intervals(), axis=0)[0, 1] == pytest.approx(
        np.ptp(alone.difference_intervals(), axis=0)[0, 1], rel=0.15
    )  # a little wider, as the results of both pairs are the same


def test_an_anchor_holds_for_its_component():
    found, free = rate_agents(two_pairs(), {"agent0": 1000.0}), rate_agents(two_pairs())
    assert found.fit.ratings[0] == 1000.0
    assert np.diff(found.fit.ratings[2:]) == pytest.approx(np.diff(free.fit.ratings[2:]), abs=1.0)
    low, high = found.intervals()
    assert low[0] == high[0] == 1000.0
    assert (low[1:] < high[1:]).all()


def test_who_has_met_nobody_has_no_interval():
    games = duel(5, 0, 5)
    found = rate_agents(RankedGames(labels(3), games.agents, games.places, games.blocks))
    assert np.isnan(found.intervals()[0]).tolist() == [False, False, True]
    assert np.isnan(found.best()).tolist() == [False, False, True]


@pytest.mark.parametrize("ratings", [(0.0, 0.0), (0.0, 50.0)])
def test_two_anchors_are_as_far_apart_as_is_said(ratings):
    found = rate_agents(duel(5, 0, 5), dict(zip(labels(2), ratings, strict=True)))
    equal = ratings[0] == ratings[1]
    assert found.superiority()[0].tolist() == [0.5, 0.5 if equal else 0.0]
    assert found.best().tolist() == ([0.5, 0.5] if equal else [0.0, 1.0])


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
def test_an_anchor_is_a_finite_number(value):
    with pytest.raises(ParameterError, match=f"the anchor of 'agent0' cannot be {value}; a rating is a finite number"):
        rate_agents(duel(5, 0, 5), {"agent0": value})


def test_anchors_are_not_too_far_apart_to_compute_with():
    with pytest.raises(ParameterError, match=r"anchors cannot be 0 and 1e\+06; they are at most 20,000 points apart"):
        rate_agents(duel(5, 0, 5), {"agent0": 0.0, "agent1": 1e6})
    assert np.isfinite(rate_agents(duel(5, 0, 5), {"agent0": 0.0, "agent1": 20_000.0}).fit.ratings).all()


@pytest.mark.parametrize("blocks", [2, 10])
def test_equal_agents_are_seldom_called_the_best(blocks):
    """By resamples of blocks, P(best) was above 0.995 in 14 % of tournaments of two blocks, in 4 % of ten."""
    agents, block = round_robin(2, 2, blocks)
    rng, best = np.random.default_rng(13), []
    for _ in range(300):
        games = lucky_games(rng, (agents, block), np.zeros(2), np.zeros(2), 0.0)
        best.append(rate_agents(games).best().max())
    assert np.mean(np.array(best) > 0.995) <= 0.02


def test_probabilities_add_up():
    found = rate_agents(random_games(np.random.default_rng(6), 5, 3, 200, n_blocks=20))
    superiority, best = found.superiority(), found.best()
    assert (found.p_values() == 2.0 * np.minimum(superiority, superiority.T)).all()
    assert superiority + superiority.T == pytest.approx(np.ones((5, 5)))
    assert np.diag(superiority) == pytest.approx(np.full(5, 0.5))
    assert best.sum() == pytest.approx(1)
    assert np.all(best <= superiority.min(axis=1, where=~np.eye(5, dtype=bool), initial=1.0) + 0.02)
    low, high = found.difference_intervals()
    assert ((found.p_values() < 0.05) == ((low > 0.0) | (high < 0.0)))[np.triu_indices(5, 1)].all()


def test_differences_are_narrower_than_their_ends_suggest():
    """Ratings of mean 0 pull against each other; the difference is not the sum of two intervals."""
    found = rate_agents(random_games(np.random.default_rng(7), 5, 3, 300, n_blocks=50))
    low, high = found.difference_intervals()
    assert low == pytest.approx(-high.T, abs=1e-9)
    assert np.all((high - low)[np.triu_indices(5, 1)] < 2 * widths(found).max())
    assert np.diag(low) == pytest.approx(np.zeros(5))


def test_confidence_widens():
    found = rate_agents(random_games(np.random.default_rng(8), 5, 3, 300, n_blocks=50))
    low, high = found.intervals(0.99)
    assert np.all(high - low > 1.25 * widths(found))


def test_an_anchor_is_certain():
    found = rate_agents(random_games(np.random.default_rng(9), 4, 3, 200), anchors={"agent1": 1500.0})
    low, high = found.intervals()
    assert low[1] == high[1] == 1500.0
    assert np.all(high[[0, 2, 3]] - low[[0, 2, 3]] > 10)


@pytest.mark.parametrize("games", [ranked(3, ((0, 1), (1, 2), 4), ((1, 2), (1, 2), 4)), chosen(duel(1, 1, 1), [])])
def test_fewer_than_two_blocks_tell_nothing(games):
    found = rate_agents(games)
    assert np.isfinite(found.fit.ratings).all()
    for numbers in (*found.intervals(), *found.difference_intervals(), found.superiority(), found.best()):
        assert np.isnan(numbers).all()
    assert all(np.isnan(ends).all() for interval in found.seat_intervals().values() for ends in interval)


# --- coverage --------------------------------------------------------------------------------------------------------


def coverage(n_agents, n_players, blocks, luck, times):
    """How often 95 % intervals of ratings, of differences and of seat terms hold the truth."""
    ratings, seats = np.linspace(170, -170, n_agents), np.linspace(50, -50, n_players)
    differences, pairs = ratings[:, None] - ratings, np.triu_indices(n_agents, 1)
    design, rng = round_robin(n_agents, n_players, blocks), np.random.default_rng(11)
    held: dict[str, list[np.ndarray]] = {"ratings": [], "differences": [], "seats": []}
    for _ in range(times):
        found = rate_agents(lucky_games(rng, design, ratings, seats, luck))
        for name, (low, high), truth in (
            ("ratings", found.intervals(), ratings),
            ("differences", found.difference_intervals(), differences),
            ("seats", found.seat_intervals()[n_players], seats),
        ):
            is_held = (low <= truth) & (truth <= high)
            held[name].append(is_held[pairs] if name == "differences" else is_held)
    return {name: float(np.mean(rows)) for name, rows in held.items()}


def test_intervals_hold_the_truth():
    found = coverage(4, 4, blocks=40, luck=0.75, times=60)
    assert all(0.88 < share <= 1.0 for share in found.values()), found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n_agents", "n_players", "blocks", "luck"), [(5, 4, 30, 0.75), (4, 4, 100, 0.9), (3, 2, 60, 0.75), (6, 3, 50, 0.5)]
)
def test_intervals_hold_the_truth_in_95_of_100_tournaments(n_agents, n_players, blocks, luck):
    found = coverage(n_agents, n_players, blocks, luck, times=1000)
    assert all(0.93 <= share <= 0.97 for share in found.values()), found
