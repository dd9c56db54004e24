"""Every sampler that learns proposes better configurations than chance does, at the budgets that users have."""

from __future__ import annotations

from collections import deque
from statistics import fmean, stdev
from typing import Final

import numpy as np
import optuna
import pytest
from optuna.distributions import IntDistribution
from optuna.trial import TrialState

from tag.tuning.samplers import make_sampler
from tag.tuning.samplers.evolution import EvolutionSampler, population_of
from tag.tuning.samplers.model_sampler import GAMES
from tag.tuning.space.configurations import Configuration, Configurations
from tag.tuning.study.definition import OF_SEVERAL, SAMPLERS
from tag.tuning.study.options import live_of

pytestmark = pytest.mark.flow

SPACE: Final = Configurations({f"p{number}": IntDistribution(0, 20) for number in range(5)})
#: These do not learn: they only spread their proposals.
WITHOUT_LEARNING: Final = ("random", "qmc", "grid")
#: Of each sampler the budgets at which it is used, and how many studies show it.
CASES: Final = [
    *((name, games, studies) for name in ("nsgaii", "tpe", "cmaes") for games, studies in ((300, 16), (2_000, 8))),
    ("ntbea_bgp", 300, 3),
    ("ntbea", 1_000, 2),
    ("bgp", 2_000, 2),
]


def win_rate(configuration: Configuration) -> float:
    """Return the planted win rate, which is the greatest where all parameters are 14."""
    return 0.1 + 0.8 * fmean(1.0 - abs(value - 14) / 14 for value in configuration.values())


def cost(configuration: Configuration) -> float:
    """Return a second objective, which is least where the first two parameters are 4; the others are best at 14 anyway."""
    return fmean(abs(configuration[name] - 4) / 16 for name in ("p0", "p1"))


def played(
    name: str, games: int, seed: int, *, several: bool = False, pruned: bool = False
) -> tuple[list[Configuration], optuna.Study]:
    """Return the configurations that a study asks for, as `tuning.tune` asks, and what it has become."""
    per_trial = make_sampler(name, SPACE, games, seed).games_per_trial
    trials = games // per_trial
    rng = np.random.default_rng(seed)
    sampler = make_sampler(name, SPACE, games, seed, per_trial).sampler
    study = optuna.create_study(directions=["maximize", "minimize"] if several else ["maximize"], sampler=sampler)
    line: deque[tuple[optuna.Trial, Configuration]] = deque()
    asked = []
    for number in range(trials):
        if number >= live_of(None, trials):
            trial, configuration = line.popleft()
            trial.set_user_attr(GAMES, per_trial)
            value = rng.binomial(per_trial, win_rate(configuration)) / per_trial
            if pruned and number % 3:
                trial.report(value, step=1)
                study.tell(trial, state=TrialState.PRUNED)
            else:
                study.tell(trial, [value, cost(configuration)] if several else value)
        trial = study.ask()
        asked.append(SPACE.suggest(trial))
        line.append((trial, asked[-1]))
    return asked, study


def second_half(asked: list[Configuration]) -> float:
    return fmean(map(win_rate, asked[len(asked) // 2 :]))


def check_greater(gains: list[float]) -> None:
    """Check that gains are positive by two standard errors."""
    assert fmean(gains) > 2.0 * stdev(gains) / len(gains) ** 0.5 > 0.0, gains


def test_the_cases_are_all_samplers_that_learn() -> None:
    assert {name for name, *_rest in CASES} == {*SAMPLERS} - {"auto", *WITHOUT_LEARNING}


@pytest.mark.parametrize(("name", "games", "studies"), CASES)
def test_proposals_are_better_than_random_ones(name: str, games: int, studies: int) -> None:
    """Before, nsgaii asked for the same configurations as random did, up to 2,500 games."""
    gains = []
    for seed in range(studies):
        asked, _study = played(name, games, seed)
        drawn, _study = played("random", games, seed)
        assert asked != drawn
        gains.append(second_half(asked) - second_half(drawn))
    check_greater(gains)


@pytest.mark.parametrize("name", ["nsgaii", "cmaes"])
def test_pruned_trials_count(name: str) -> None:
    """Two of three trials are pruned; Optuna's own NSGA-II and CMA-ES by default forget them."""
    gains = []
    for seed in range(16):
        asked, study = played(name, 2_000, seed, pruned=True)
        assert sum(trial.state == TrialState.PRUNED for trial in study.trials) > 20
        gains.append(second_half(asked) - second_half(played("random", 2_000, seed, pruned=True)[0]))
    check_greater(gains)


@pytest.mark.parametrize("trials", [1, 20, 40, 100, 400, 10_000])
def test_populations_are_filled_several_times(trials: int) -> None:
    assert population_of(trials) * min(4, trials) <= max(trials, 16)
    assert population_of(trials) <= 50


def volume(asked: list[Configuration]) -> float:
    """Return the true hypervolume of what was asked for: win rates above 0 at costs below 1."""
    front = sorted({(cost(one), win_rate(one)) for one in asked})
    found, best = 0.0, 0.0
    for (own, rate), following in zip(front, [*(one for one, _rate in front[1:]), 1.0], strict=True):
        best = max(best, rate)
        found += best * (following - own)
    return found


@pytest.mark.parametrize(("games", "studies"), [(1_000, 12), (3_000, 6)])
def test_the_default_for_several_objectives_finds_a_better_front_than_random(games: int, studies: int) -> None:
    """Before, it was nsgaii, whose front was no better than that of random."""
    assert OF_SEVERAL[0] == "tpe"
    gains = []
    for seed in range(studies):
        found, drawn = (volume(played(name, games, seed, several=True)[0]) for name in (OF_SEVERAL[0], "random"))
        gains.append(found - drawn)
    check_greater(gains)


def test_evolution_goes_on_from_generation_to_generation() -> None:
    _asked, study = played("nsgaii", 5_000, 1)
    sampler = study.sampler
    assert isinstance(sampler, EvolutionSampler)
    sizes = [len(sampler.get_population(study, generation)) for generation in range(3)]
    assert min(sizes) >= sampler.population_size
