"""Landscapes of hard shapes (`benchmarks/landscapes/shapes.py`): their truth, their games, and whole searches on them."""

from __future__ import annotations

import numpy as np
import optuna
import pytest

from benchmarks.landscapes import SHAPES, ShapedLandscape
from benchmarks.landscapes.whole import SearchResult, searched

pytestmark = pytest.mark.flow


@pytest.fixture(autouse=True)
def quiet() -> None:
    optuna.logging.set_verbosity(optuna.logging.ERROR)


@pytest.mark.parametrize("family", SHAPES)
@pytest.mark.parametrize("seed", range(3))
def test_the_best_is_out_of_reach_of_chance_and_the_default_is_ordinary(family: str, seed: int) -> None:
    landscape, rng = ShapedLandscape(family, seed), np.random.default_rng(seed)
    rates = np.array([landscape.win_rate(landscape.configurations.draw(rng)) for _draw in range(400)])
    assert rates.max() <= landscape.best < 1.0
    assert np.mean(rates <= landscape.win_rate(landscape.default)) == pytest.approx(0.5, abs=0.15)
    assert np.quantile(rates, 0.9) < landscape.best - 0.02


@pytest.mark.parametrize("family", SHAPES)
def test_games_have_the_win_rate_as_their_mean(family: str) -> None:
    landscape, rng = ShapedLandscape(family, 1), np.random.default_rng(1)
    draws = [landscape.configurations.draw(rng) for _draw in range(50)]
    best = max(draws, key=landscape.win_rate)
    assert landscape.games_at(best, range(6_000)).mean() == pytest.approx(landscape.win_rate(best), abs=0.03)
    assert landscape.play(best, 7).shape == (4,)
    assert landscape.games == 6_007


def test_games_of_a_block_are_alike_where_they_are_correlated() -> None:
    alike = {}
    for family in ("correlated", "mixed"):
        landscape = ShapedLandscape(family, 0)
        values = landscape.games_at(landscape.default, range(4_000)).reshape(-1, 2)
        alike[family] = float(np.mean(values[:, 0] == values[:, 1]))
    assert alike["correlated"] > 0.75 > 0.65 > alike["mixed"]


def test_games_vary_less_in_some_places_where_noise_depends_on_the_place() -> None:
    landscape, rng = ShapedLandscape("heteroscedastic", 0), np.random.default_rng(1)
    ratios = []
    for _draw in range(30):
        one = landscape.configurations.draw(rng)
        rate = landscape.win_rate(one)
        ratios.append(landscape.games_at(one, range(400)).var() / (rate * (1.0 - rate)))
    assert min(ratios) < 0.1
    assert max(ratios) > 0.5


def test_whole_searches_are_functions_of_their_seed_and_prune() -> None:
    def found(seed: int) -> SearchResult:
        return searched("random", 2_000, ShapedLandscape("ridge", 0), seed, live=4, per_trial=100)

    first = found(1)
    assert first == found(1)
    assert first != found(2)
    assert first.pruned > 0
    assert 0.0 <= first.regret <= 100.0
    assert 1_900 <= first.games <= 2_000
