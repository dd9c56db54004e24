"""Reversion: parameters without effect stay at their defaults, and those with one keep their gain."""

from __future__ import annotations

from math import exp

import numpy as np
import optuna
import pytest
from optuna.distributions import CategoricalDistribution, IntDistribution

from tuning.samplers.bgp import BgpSampler
from tuning.samplers.model_sampler import BLOCK_VARIANCE, BLOCKS, GAMES
from tuning.search.reversion import without_idle_changes
from tuning.space.configurations import Configuration, Configurations

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
    assert after <= regret + 1.5


@pytest.mark.slow
def test_fifty_planted_studies() -> None:
    was, kept, regret, after = judged(50, 100)
    assert kept >= was + 0.15
    assert after <= regret + 0.5


@pytest.mark.parametrize("seed", [0, 1])
def test_the_model_believes_to_lose_a_tenth_at_most(seed: int) -> None:
    model, best = searched(seed, 40)
    found = without_idle_changes(model, SPACE, best, DEFAULT)
    believed, left, default = model.posterior([best, found, DEFAULT])[0]
    assert believed - left <= 0.1 * max(believed - default, 0.0) + 1e-9
    for name, value in found.items():
        assert value in (best[name], DEFAULT[name])


def test_a_default_and_what_is_not_valid_stay() -> None:
    model, _best = searched(1, 30)
    assert without_idle_changes(model, SPACE, DEFAULT, DEFAULT) == DEFAULT
    never = Configurations(SPACE.distributions, is_valid=lambda one: one["depth"] != 50 or one == DEFAULT)
    best = {**DEFAULT, "depth": 3, "colour": "blue"}
    found = without_idle_changes(model, never, best, DEFAULT)
    assert never.is_valid(found)


def test_a_space_of_one_parameter_has_evidence_too() -> None:
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
    assert model.evidence_of_effects(["horizon"])["horizon"] > 3.0
    assert without_idle_changes(model, one, best, {"horizon": 1}) == best
