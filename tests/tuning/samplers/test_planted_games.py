"""Studies of planted games, whose best rules and fronts are known in closed form (`benchmarks/balancing.py`)."""

from __future__ import annotations

from statistics import fmean

import numpy as np
import pytest

from benchmarks.balancing import BANDS, Centre, Front, finds_centre, finds_front, hypervolume


def test_the_volume_of_a_front_is_that_of_the_boxes_that_it_dominates() -> None:
    values = np.array([[0.2, 0.6, 0.0], [0.6, 0.2, 0.0], [0.1, 0.1, 0.5], [0.7, 0.7, 0.9]])
    places = np.random.default_rng(1).random((200_000, 3))
    share = (values[:, None] <= places[None]).all(axis=2).any(axis=0).mean()
    assert hypervolume(values, np.ones(3)) == pytest.approx(share, abs=5e-3)


@pytest.mark.parametrize("seed", range(3))
def test_planted_games_have_few_centres_and_a_front_out_of_reach(seed: int) -> None:
    game = Centre(seed)
    rows = zip(game.goals, game.measures(game.points), strict=True)
    assert 0.0 < np.all([goal.excess(row) == 0.0 for goal, row in rows], axis=0).mean() <= 1 / 5_000
    other = Front(seed)
    rows = zip(other.goals, other.measures(other.points), strict=True)
    assert not np.all([goal.excess(row) == 0.0 for goal, row in rows], axis=0).any()


@pytest.mark.slow
def test_of_six_targets_with_five_parameters_the_centre_is_mostly_found() -> None:
    assert sum(finds_centre(BANDS, 5_000, seed)[0] for seed in range(100, 104)) >= 3


@pytest.mark.slow
def test_the_sampler_finds_more_of_the_front_than_tpe_and_reports_few_that_others_beat() -> None:
    ours = [finds_front(BANDS, 5_000, seed) for seed in range(100, 108)]
    tpe = [finds_front("tpe", 5_000, seed) for seed in range(100, 108)]
    assert fmean(one[0] for one in ours) > fmean(one[0] for one in tpe)
    assert fmean(one[0] for one in ours) > 0.9
    assert fmean(one[1] for one in ours) <= 0.1
