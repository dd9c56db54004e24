"""Reversion: parameters without effect stay at their defaults, and those with one keep their gain."""

from __future__ import annotations

from math import exp
from typing import Any

import numpy as np
import optuna
import pytest
from optuna.distributions import CategoricalDistribution, IntDistribution
from threadpoolctl import ThreadpoolController, threadpool_info

from tag.tuning.samplers.bgp import BgpSampler
from tag.tuning.samplers.model_sampler import BLOCK_VARIANCE, BLOCKS, GAMES
from tag.tuning.search.gains import (
    LOST_BEFORE_GAMES,
    LOST_WITHOUT_GAMES,
    SHOWN,
    Gains,
    changes,
    pairs_of,
    without_idle_changes,
)
from tag.tuning.space.configurations import Configuration, Configurations

pytestmark = pytest.mark.flow

SPACE = Configurations(
    {
        "horizon": IntDistribution(1, 40),
        "crossover": CategoricalDistribution(["uniform", "one_point", "two_point"]),
        "depth": IntDistribution(1, 100),
        "colour": CategoricalDistribution(["red", "green", "blue"]),
    }
)
DEFAULT: Configuration = {"horizon": 10, "crossover": "uniform", "depth": 50, "colour": "red"}
IDLE = ("depth", "colour")
BEST = 0.75
GAMES_OF_TRIAL = 20


def win_rate(one: Configuration) -> float:
    """Return the true win rate: 0.5 and a little of the default, 0.75 of the best."""
    return 0.45 + 0.2 * exp(-abs(one["horizon"] - 25) / 8) + 0.1 * (one["crossover"] == "two_point")


def searched(seed: int, trials: int) -> tuple[BgpSampler, Configuration]:
    """Return a model that has searched, and what it recommends."""
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    sampler, rng = BgpSampler(SPACE, seed=seed), np.random.default_rng(seed)
    study = optuna.create_study(direction="maximize", sampler=sampler)
    study.enqueue_trial(DEFAULT)
    for _trial in range(trials):
        trial = study.ask(SPACE.distributions)
        shares = rng.binomial(2, win_rate(trial.params), GAMES_OF_TRIAL // 2) / 2.0
        for name, value in (
            (GAMES, GAMES_OF_TRIAL),
            (BLOCKS, len(shares)),
            (BLOCK_VARIANCE, float(shares.var(ddof=1))),
        ):
            trial.set_user_attr(name, value)
        study.tell(trial, float(shares.mean()))
    return sampler, sampler.recommend(study)


def reverted(seed: int, trials: int) -> tuple[Configuration, Configuration]:
    model, best = searched(seed, trials)
    return best, without_idle_changes(model, SPACE, best, DEFAULT)


def judged(studies: int, trials: int) -> tuple[float, float, float, float]:
    """Return the shares of idle parameters at their defaults and the regrets in points, both before and after."""
    found = [reverted(seed, trials) for seed in range(studies)]
    before, after = (
        (
            float(np.mean([one[name] == DEFAULT[name] for one in side for name in IDLE])),
            float(np.mean([100.0 * (BEST - win_rate(one)) for one in side])),
        )
        for side in zip(*found, strict=True)
    )
    return before[0], after[0], before[1], after[1]


def test_what_has_no_effect_returns_to_its_default_more_often_and_costs_nothing() -> None:
    was, kept, regret, after = judged(3, 100)
    assert was <= kept
    assert after <= regret + 0.5


@pytest.mark.slow
def test_fifty_planted_studies() -> None:
    was, kept, regret, after = judged(50, 100)
    assert kept >= was
    assert after <= regret + 0.5


@pytest.mark.parametrize("lost", [LOST_BEFORE_GAMES, LOST_WITHOUT_GAMES])
@pytest.mark.parametrize("seed", [0, 1])
def test_the_model_believes_to_lose_a_share_at_most(seed: int, lost: float) -> None:
    model, best = searched(seed, 40)
    found = without_idle_changes(model, SPACE, best, DEFAULT, lost)
    believed, left, default = model.posterior([best, found, DEFAULT])[0]
    assert believed - left <= lost * max(believed - default, 0.0) + 1e-9
    for name, value in found.items():
        assert value in (best[name], DEFAULT[name])


def test_a_default_and_what_is_not_valid_stay() -> None:
    model, _best = searched(1, 30)
    assert without_idle_changes(model, SPACE, DEFAULT, DEFAULT) == DEFAULT
    never = Configurations(SPACE.distributions, is_valid=lambda one: one["depth"] != 50 or one == DEFAULT)
    best = {**DEFAULT, "depth": 3, "colour": "blue"}
    found = without_idle_changes(model, never, best, DEFAULT)
    assert never.is_valid(found)


def test_a_space_of_one_parameter_has_a_gain_too() -> None:
    one = Configurations({"horizon": IntDistribution(1, 40)})
    study, rng = optuna.create_study(direction="maximize", sampler=BgpSampler(one, seed=1)), np.random.default_rng(1)
    for horizon in range(1, 41, 3):
        value = 0.02 * horizon + 0.01 * float(rng.normal())
        trial = optuna.trial.create_trial(
            params={"horizon": horizon}, distributions=one.distributions, value=value, user_attrs={GAMES: 500}
        )
        study.add_trial(trial)
    model = study.sampler
    assert isinstance(model, BgpSampler)
    best = model.recommend(study)
    assert Gains.by_the_model(model, one, best, {"horizon": 1}).certainty["horizon"] > 3.0
    assert without_idle_changes(model, one, best, {"horizon": 1}) == best


# --- gains from pairs with random halves of the changes -------------------------------------------------------------------


def prior(n: int, deviation: float) -> Gains:
    return Gains(tuple(f"x{number}" for number in range(n)), np.zeros(n), deviation**2 * np.eye(n))


@pytest.mark.parametrize(("n", "pairs"), [(1, 20), (3, 60), (10, 250), (30, 40)])
def test_gains_are_those_of_the_closed_formula(n: int, pairs: int) -> None:
    rng = np.random.default_rng(n)
    signs, start = rng.choice([1.0, -1.0], (pairs, n)), prior(n, 0.05)
    values = signs @ rng.normal(0.0, 0.05, n) + rng.normal(0.0, 0.5, pairs)
    found = start.after(signs, values)
    rest = values - signs @ np.linalg.lstsq(signs, values, rcond=None)[0]
    noise = rest @ rest / (pairs - n) if pairs >= 2 * n else values @ values / pairs
    precision = np.linalg.inv(start.covariance) + signs.T @ signs / noise
    assert found.means == pytest.approx(np.linalg.solve(precision, signs.T @ values / noise), abs=1e-9)
    assert found.covariance == pytest.approx(np.linalg.inv(precision), abs=1e-9)


@pytest.mark.parametrize("studies", [100, pytest.param(400, marks=pytest.mark.slow)])
@pytest.mark.parametrize("effects", [(0.0, 0.0, 0.0), (0.25, 0.0, 0.0), (0.2, 0.1, 0.0, 0.0), (0.08, 0.08, 0.0, 0.0)])
def test_what_has_no_effect_is_not_shown_and_great_effects_are(effects: tuple[float, ...], studies: int) -> None:
    """Of 250 pairs of two games each side; a gain of 0.1 is three standard deviations."""
    rng, true = np.random.default_rng(1), np.array(effects)
    idle, great = [], []
    for _study in range(studies):
        signs = rng.choice([1.0, -1.0], (250, len(true)))
        half = 0.5 * (signs @ true)
        values = (rng.binomial(2, 0.5 + half) - rng.binomial(2, 0.5 - half)) / 2.0
        certainty = prior(len(true), 0.1).after(signs, values).certainty
        shown = [certainty[f"x{number}"] >= SHOWN for number in range(len(true))]
        idle += [one for one, gain in zip(shown, effects, strict=True) if gain == 0.0]
        great += [one for one, gain in zip(shown, effects, strict=True) if gain >= 0.2]
    assert np.mean(idle) <= 0.025
    assert not great or np.mean(great) >= 0.99


def test_gains_are_computed_on_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    inside: list[int] = []
    solve = np.linalg.solve

    def watched(*matrices: Any) -> Any:
        inside.extend(one["num_threads"] for one in threadpool_info() if one["user_api"] == "blas")
        return solve(*matrices)

    monkeypatch.setattr(np.linalg, "solve", watched)
    with ThreadpoolController().limit(limits=2, user_api="blas"):
        prior(2, 0.1).after(np.ones((5, 2)), np.arange(5.0))
    assert set(inside) == {1}


def test_without_games_or_differences_nothing_is_learnt() -> None:
    start = prior(2, 0.1)
    assert start.after(np.zeros((0, 2)), np.zeros(0)) is start
    assert start.after(np.ones((5, 2)), np.zeros(5)) is start


@pytest.mark.parametrize("seed", range(4))
def test_the_two_of_a_pair_share_out_the_changes_and_are_valid(seed: int) -> None:
    space = Configurations(
        SPACE.distributions, conditions={"depth": ("colour", ("red", "blue"))}, is_valid=lambda one: one["horizon"] != 25
        or one["crossover"] == "two_point",
    )  # fmt: skip
    best = space.active({"horizon": 25, "crossover": "two_point", "depth": 3, "colour": "blue"})
    names = changes(space, best, DEFAULT)
    pairs = pairs_of(space, best, DEFAULT, 40, seed)
    assert len(pairs) == 40
    for pair in pairs:
        assert space.is_valid(pair.first)
        assert space.is_valid(pair.second)
        for name, sign in zip(names, pair.signs, strict=True):
            has, lacks = (pair.first, pair.second) if sign > 0 else (pair.second, pair.first)
            assert has.get(name, best[name]) == best[name]
            assert lacks.get(name, DEFAULT[name]) == DEFAULT[name]
    never = Configurations(SPACE.distributions, is_valid=lambda one: one == best)
    assert pairs_of(never, best, DEFAULT, 40, seed) == []
