"""Estimates over several events: intervals of sums of independent means hold, however many blocks each has."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest

from tag.tournaments.statistics.intervals import half_width_of_sum, student
from tag.tournaments.statistics.ratings.pairwise import PairwiseTable, mean_table, pairwise
from tag.tournaments.statistics.ratings.ranked_games import RankedGames

#: Blocks of the events, and the standard deviations between these.
CASES = [
    ((2, 100), (1.0, 1.0)),
    ((2, 200), (0.1, 2.0)),
    ((5, 5, 5), (1.0, 1.0, 1.0)),
    ((10, 40, 40), (2.0, 1.0, 0.5)),
    ((3, 300), (1.0, 3.0)),
]


@pytest.mark.parametrize(("blocks", "deviations"), CASES, ids=str)
def test_intervals_of_sums_hold(blocks: tuple[int, ...], deviations: tuple[float, ...]) -> None:
    rng = np.random.default_rng(3)
    held, widths, widest = 0, 0.0, 0.0
    for _ in range(2_000):
        values = [rng.normal(0.0, sd, n) for n, sd in zip(blocks, deviations, strict=True)]
        errors = [float(one.std(ddof=1)) / sqrt(len(one)) for one in values]
        half = half_width_of_sum(errors, blocks)
        held += abs(sum(float(one.mean()) for one in values)) <= half
        widths += half
        widest += student(min(blocks)) * float(np.linalg.norm(errors))
    assert 0.94 <= held / 2_000 <= 0.99
    assert widths <= widest * (1.0 + 1e-9)  # no wider than by the fewest blocks


def drawn(rng: np.random.Generator, chance: float, blocks: int) -> PairwiseTable:
    """The table of two agents of which one wins with a probability, in both seats of so many blocks."""
    wins = rng.random(2 * blocks) < chance
    places = np.where(wins[:, None], [[1, 2]], [[2, 1]])
    return pairwise(
        RankedGames(("a", "b"), np.tile([[0, 1]], (2 * blocks, 1)), places, np.repeat(np.arange(blocks), 2))
    )


@pytest.mark.parametrize("chances", [(0.5, 0.5), (0.9, 0.3), (0.97, 0.9, 0.8)], ids=str)
def test_intervals_of_pairs_over_events_hold(chances: tuple[float, ...]) -> None:
    rng = np.random.default_rng(5)
    weights = [1.0, 2.0, 1.0][: len(chances)]
    truth = float(np.average(chances, weights=weights))
    tables = [mean_table([drawn(rng, chance, 20) for chance in chances], weights) for _ in range(600)]
    held = np.mean([table.low[0, 1] <= truth <= table.high[0, 1] for table in tables])
    assert 0.93 <= held <= 0.99
    for table in tables:
        is_inside = table.low[0, 1] <= 0.5 <= table.high[0, 1]
        assert bool(table.p_value[0, 1] < 0.05) == (not is_inside)
        assert table.score[0, 1] + table.score[1, 0] == pytest.approx(1.0)
        assert table.low[0, 1] == pytest.approx(1.0 - table.high[1, 0])


def test_who_has_not_met_in_an_event_has_no_score_over_all() -> None:
    rng = np.random.default_rng(7)
    apart = RankedGames(("a", "b"), np.array([[0, 0]]), np.array([[1, 2]]), np.array([0]))
    both = mean_table([drawn(rng, 0.5, 9), pairwise(apart)], [1.0, 1.0])
    assert np.isnan([both.score[0, 1], both.low[0, 1], both.p_value[0, 1], both.corrected[0, 1]]).all()
    assert both.games[0, 1] == 18
