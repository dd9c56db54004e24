"""Declared parameters as Optuna's distributions."""

from contextlib import suppress
from dataclasses import dataclass

import numpy as np
import optuna
import pytest

import tuning
from tag import Parameters, choice, flag, integer, real, spec_of
from tag.errors import ParameterError
from tag.registry import agent_class, agent_names, game_class, game_names


@dataclass
class Example(Parameters):
    horizon: int = integer(10, 1, 30, "plies")
    even: int = integer(4, 2, 10, "even numbers", step=2)
    budget: int = integer(100, 1, 10_000, "calls", log=True)
    discount: float = real(0.9, 0.5, 1.0, "per step")
    selection: str = choice("rank", ("rank", "tournament"), "how parents are chosen")
    shift: bool = flag(False, "keep the plan")
    heuristic: str = spec_of("heuristic", "game", "values positions")


def test_every_kind():
    space = tuning.distributions(Example)
    assert space == {
        "horizon": optuna.distributions.IntDistribution(1, 30),
        "even": optuna.distributions.IntDistribution(2, 10, step=2),
        "budget": optuna.distributions.IntDistribution(1, 10_000, log=True),
        "discount": optuna.distributions.FloatDistribution(0.5, 1.0),
        "selection": optuna.distributions.CategoricalDistribution(("rank", "tournament")),
        "shift": optuna.distributions.CategoricalDistribution((False, True)),
    }


@pytest.mark.parametrize(
    "parameters",
    [
        *[agent_class(name).parameters_class for name in agent_names()],
        *[game_class(name).game_type.parameters for name in game_names()],
    ],
)
def test_a_study_draws_values_that_are_in_range(parameters):
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    study = optuna.create_study(sampler=optuna.samplers.RandomSampler(seed=1))
    made = 0
    for _ in range(40):
        trial = study.ask(tuning.distributions(parameters))
        with suppress(ParameterError):
            drawn = tuning.from_drawn(parameters, trial.params)
            assert parameters.from_values(drawn.values()) == drawn
            made += 1
    assert made >= 10


def test_a_logarithmic_range_from_0_is_shifted_and_back():
    @dataclass
    class Depth(Parameters):
        depth: int = integer(10, 0, 100, "plies", log=True)

    assert tuning.distributions(Depth) == {"depth": optuna.distributions.IntDistribution(1, 101, log=True)}
    assert tuning.from_drawn(Depth, {"depth": 1}) == Depth(depth=0)
    assert tuning.from_drawn(Depth, {"depth": 101}) == Depth(depth=100)


def test_configurations_have_conditions_and_keep_constraints():
    space = tuning.configurations(agent_class("rhea").parameters_class)
    rng = np.random.default_rng(1)
    for _ in range(2_000):
        drawn = space.neighbour(space.draw(rng), rng)
        assert ("tournament_size" in drawn) == (drawn["selection"] == "tournament")
        assert drawn.get("tournament_size", 1) <= drawn["population_size"]


@pytest.mark.parametrize(
    "parameters",
    [
        *[agent_class(name).parameters_class for name in agent_names()],
        *[game_class(name).game_type.parameters for name in game_names()],
    ],
)
def test_what_is_drawn_is_always_valid(parameters):
    space, rng = tuning.configurations(parameters), np.random.default_rng(2)
    if space.distributions:
        for _ in range(20):
            assert tuning.from_drawn(parameters, space.draw(rng))
