"""Ratings of teams: a team is one side with one place, and its strength is the mean of its players'."""

import numpy as np
import pandas as pd
import pytest
from made_up import labels, ranked, seats_frame

from tag.errors import DataError
from tag.tournaments.statistics.ratings.pairwise import pairwise
from tag.tournaments.statistics.ratings.plackett_luce import POINTS, plackett_luce
from tag.tournaments.statistics.ratings.ranked_games import RankedGames
from tag.tournaments.statistics.ratings.rating_errors import rate_agents

PARTNERS = (0, 1, 0, 1)


def doubles(strengths, n_games, seed=1, teams=PARTNERS):
    """Games of two against two between random agents; the better team wins by the logistic of its mean strength."""
    rng = np.random.default_rng(seed)
    agents = np.argsort(rng.random((n_games, len(strengths))), axis=1)[:, :4]
    mean = strengths[agents]
    team = np.array(teams)
    is_first = team == teams[0]
    difference = mean[:, is_first].mean(axis=1) - mean[:, ~is_first].mean(axis=1)
    first_wins = rng.random(n_games) < 1.0 / (1.0 + np.exp(-difference))
    places = np.where(is_first == first_wins[:, None], 1, 3)
    return RankedGames(labels(len(strengths)), agents, places, np.arange(n_games), np.tile(team, (n_games, 1)))


def test_two_teams_are_two_players():
    alone = ranked(2, *[((0, 1), (1, 2))] * 30, *[((0, 1), (2, 1))] * 10)
    places = np.where(alone.places == 1, 1, 3)[:, PARTNERS]
    agents = alone.agents[:, PARTNERS]
    of_two = RankedGames(labels(2), agents, places, alone.blocks, np.tile(PARTNERS, (40, 1)))
    one_by_one = RankedGames(labels(2), agents, places, alone.blocks)

    def lead(games):
        """By how much the first side is stronger, its seats included; a weak prior, so that only the games tell."""
        found = plackett_luce(games, prior_sd=1e5)
        seats = found.seats[games.agents.shape[1]]
        return found.ratings[0] - found.ratings[1] + seats[0::2].mean() - seats[1::2].mean()

    assert lead(of_two) == pytest.approx(lead(alone), rel=1e-3) == pytest.approx(400.0 * np.log10(3.0), rel=1e-3)
    assert lead(one_by_one) > 1.1 * lead(of_two)  # two places above two others look like more than one win


@pytest.mark.parametrize("teams", [(0, 1, 0, 1), (7, 7, 2, 2)])
def test_the_truth_is_found(teams):
    strengths = np.linspace(-1.5, 1.5, 6)
    found = plackett_luce(doubles(strengths, 6000, teams=teams))
    assert found.ratings == pytest.approx(strengths * POINTS, abs=30.0)
    low, high = rate_agents(doubles(strengths, 600, teams=teams)).intervals()
    assert np.mean((low < strengths * POINTS) & (strengths * POINTS < high)) > 0.6


def test_teams_of_one_are_players():
    games = ranked(4, ((0, 1, 2, 3), (1, 3, 2, 4)), ((3, 1, 2, 0), (1, 1, 4, 3)), ((2, 0, 1, 3), (4, 2, 3, 1)))
    each = np.tile([5, 3, 8, 1], (3, 1))
    alone = RankedGames(games.labels, games.agents, games.places, games.blocks, each)
    assert plackett_luce(alone).ratings == pytest.approx(plackett_luce(games).ratings, abs=1e-9)
    assert pairwise(alone).score[0, 1] == pairwise(games).score[0, 1]


def test_three_against_one_and_two_seats_beside_four():
    agents = np.array([[0, 1, 1, 1], [1, 1, 0, 1], [0, 1, -1, -1]])
    places = np.array([[1, 2, 2, 2], [2, 2, 1, 2], [1, 2, 0, 0]])
    teams = np.array([[0, 1, 1, 1], [1, 1, 0, 1], [0, 1, -1, -1]])
    found = plackett_luce(RankedGames(labels(2), agents, places, np.arange(3), teams))
    assert found.ratings[0] > 0.0 > found.ratings[1]
    assert set(found.seats) == {2, 4}


def test_partners_do_not_meet():
    games = ranked(4, ((0, 1, 2, 3), (1, 3, 1, 3)))
    partners = RankedGames(games.labels, games.agents, games.places, games.blocks, np.array([PARTNERS]))
    met = pairwise(partners).games
    assert met.tolist() == [[0, 1, 0, 1], [1, 0, 1, 0], [0, 1, 0, 1], [1, 0, 1, 0]]


def test_teams_are_those_of_the_ledger():
    games = ranked(4, ((0, 1, 2, 3), (1, 3, 1, 3)), ((3, 2, 1, 0), (3, 1, 3, 1)))
    frame = seats_frame(games)
    assert RankedGames.of(frame).teams is None
    frame["team"] = frame["seat"] % 2
    found = RankedGames.of(frame).teams
    assert found is not None
    assert found.tolist() == [[0, 1, 0, 1]] * 2
    shuffled = RankedGames.of(pd.DataFrame(frame.sample(frac=1.0, random_state=1)))
    assert plackett_luce(shuffled).ratings == pytest.approx(plackett_luce(RankedGames.of(frame)).ratings, abs=1e-9)


def test_teams_of_another_shape_are_refused():
    games = ranked(2, ((0, 1), (1, 2)))
    with pytest.raises(DataError, match=r"teams cannot have shape \(1, 3\); it is that of agents, \(1, 2\)"):
        RankedGames(games.labels, games.agents, games.places, games.blocks, np.zeros((1, 3), np.int64))
