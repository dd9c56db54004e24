"""Games as ratings see them."""

from __future__ import annotations

import numpy as np
import pytest
from made_up import labels, random_games, ranked, seats_frame

from tag.errors import DataError
from tag.tournaments.definition import define
from tag.tournaments.ledger.games import read_ledger
from tag.tournaments.run import run_tournament
from tag.tournaments.statistics.ratings.plackett_luce import plackett_luce
from tag.tournaments.statistics.ratings.ranked_games import RankedGames

pytestmark = pytest.mark.flow


def rows_of(games):
    return sorted(np.hstack([games.agents, games.places, games.blocks[:, None]]).tolist())


def test_games_of_a_frame_in_any_order():
    games = random_games(np.random.default_rng(1), 4, 3, 20)
    frame = seats_frame(games)
    for rows in (frame, frame.sample(frac=1.0, random_state=3)):
        found = RankedGames.of(rows)
        assert found.labels == games.labels
        assert rows_of(found) == rows_of(games)
        assert len(found) == 20


def test_void_games_are_none():
    games = random_games(np.random.default_rng(2), 4, 3, 20)
    found = RankedGames.of(seats_frame(games, void=range(0, 20, 2)))
    odd = RankedGames(games.labels, games.agents[1::2], games.places[1::2], games.blocks[1::2])
    assert rows_of(found) == rows_of(odd)


def test_games_of_several_numbers_of_players():
    games = RankedGames(
        labels(3), np.array([[0, 1, -1], [2, 0, 1]]), np.array([[1, 2, 0], [3, 2, 1]]), np.array([0, 1])
    )
    found = RankedGames.of(seats_frame(games))
    assert found.is_seat.tolist() == [[True, True, False], [True, True, True]]
    assert rows_of(found) == rows_of(games)


def test_a_ledger_without_games():
    found = RankedGames.of(seats_frame(ranked(2, ((0, 1), (1, 2))))[:0])
    assert (len(found), found.labels) == (0, labels(2))
    assert plackett_luce(found).ratings.tolist() == [0.0, 0.0]


def test_a_played_tournament(tmp_path):
    run_tournament(define("tic_tac_toe", ("osla", "random", "random"), 8, seed=5), tmp_path / "t", tracking=False)
    games, seats = read_ledger(tmp_path / "t")
    found = RankedGames.of(seats)
    assert len(found) == len(games) == 48
    assert found.labels == ("osla", "random", "random#2")
    assert found.blocks.tolist() == games["block"].tolist()
    fit = plackett_luce(found)
    assert fit.ratings[0] > max(fit.ratings[1:])
    assert fit.seats[2][0] > 0.0  # who begins tic-tac-toe has the better of it


@pytest.mark.parametrize(
    ("agents", "places", "blocks", "says"),
    [
        (np.zeros((2, 2), int), np.zeros((2, 3), int), np.zeros(2, int), r"shapes \(2, 2\), \(2, 3\) and \(2,\)"),
        (np.zeros((2, 2), int), np.zeros((2, 2), int), np.zeros(3, int), r"shapes \(2, 2\), \(2, 2\) and \(3,\)"),
        (np.full((1, 2), 2), np.zeros((1, 2), int), np.zeros(1, int), "outside of 0 to 1"),
        (np.array([[0, -1, 1]]), np.zeros((1, 3), int), np.zeros(1, int), "empty seat before its last"),
    ],
)
def test_arrays_that_do_not_fit_are_refused(agents, places, blocks, says):
    with pytest.raises(DataError, match=says):
        RankedGames(labels(2), agents, places, blocks)
