"""Changes by the model: single ones with their corrected p values, and the way from the default, against direct ones."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from math import erf, sqrt
from types import SimpleNamespace

import numpy as np
import pytest
from optuna.distributions import IntDistribution

from tag.tuning.reports.findings.changes import one_steps, path
from tag.tuning.reports.findings.posterior import ConfigurationModel
from tag.tuning.search.trials import KnownTrial
from tag.tuning.space import agent_space
from tag.tuning.space.configurations import Configurations

pytestmark = pytest.mark.flow

SPACE = agent_space(["rhea:budget=20"], ["horizon=1..8", "selection", "tournament_size", "population_size"])
BEGIN = SPACE.configuration("rhea:budget=20,horizon=8,selection=rank,population_size=12")
END = SPACE.configuration("rhea:budget=20,horizon=2,tournament_size=3,population_size=19")


def tried(function, number=120, games=200, seed=1):
    rng = np.random.default_rng(seed)
    drawn = [SPACE.configurations.draw(rng) for _ in range(number)]
    return [KnownTrial(SPACE.spec(one), games, rng.binomial(games, function(one)) / games) for one in drawn]


def rate(one):
    return 0.8 - 0.06 * one["horizon"] - 0.01 * one.get("tournament_size", 10)


@pytest.fixture(scope="module")
def posterior():
    return ConfigurationModel(SPACE, tried(rate))


class TestPosterior:
    def test_it_knows_the_truth_within_its_intervals(self, posterior):
        rng = np.random.default_rng(9)
        new = [SPACE.configurations.draw(rng) for _ in range(200)]
        means, deviations = posterior.values(new)
        off = (means - np.array([rate(one) for one in new])) / deviations
        assert (abs(off) < 1.96).mean() > 0.85
        assert abs(means - [rate(one) for one in new]).mean() < 0.03

    def test_many_are_asked_about_as_few_are(self, posterior):
        rng = np.random.default_rng(9)
        many = [SPACE.configurations.draw(rng) for _ in range(600)]
        np.testing.assert_allclose(posterior.means(many)[590:], posterior.means(many[590:]))

    def test_less_is_better_where_the_sign_says_so(self, posterior):
        mirrored = ConfigurationModel(SPACE, [replace(one, value=-one.value) for one in posterior.tried], -1.0)
        assert mirrored.gains(BEGIN, [END])[0] > 0.0
        assert mirrored.means([END]) < mirrored.means([BEGIN])
        best = mirrored.best(3)
        assert [rate(SPACE.configuration(one.spec)) for one in best] > [0.6] * 3

    def test_gains_are_sure_where_both_are_unsure_alike(self, posterior):
        near = {**BEGIN, "population_size": 13}
        gains, errors = posterior.gains(BEGIN, [BEGIN, near])
        assert gains[0] == pytest.approx(0.0, abs=1e-12)
        assert errors[0] < 1e-6
        means, deviations = posterior.values([BEGIN, near])
        assert gains[1] == pytest.approx(means[1] - means[0])
        assert errors[1] < 0.5 * np.hypot(*deviations)


class TestOneSteps:
    def test_each_differs_in_one_parameter_that_is_valid(self, posterior):
        steps = one_steps(posterior, END, SPACE.nearest)
        assert {step.parameter for step in steps} == set(END)
        for step in steps:
            assert SPACE.configurations.is_valid(step.configuration)
            assert step.configuration[step.parameter] == step.value != END[step.parameter]
            others = {name for name in END if step.configuration.get(name) != END[name]} - {step.parameter}
            assert not others or (step.parameter == "selection" and others == {"tournament_size"})
        sizes = {step.value for step in steps if step.parameter == "population_size"}
        assert sizes <= set(range(6, 21)) - {19}
        assert {6, 20} <= sizes

    def test_what_is_switched_on_is_as_in_the_default(self, posterior):
        steps = one_steps(posterior, BEGIN, SPACE.nearest)
        (on,) = [step for step in steps if step.value == "tournament"]
        assert on.configuration["tournament_size"] == SPACE.nearest["tournament_size"] == 5
        assert "tournament_size" not in {step.parameter for step in steps}

    def test_probabilities_and_holms_correction_are_those_by_hand(self, posterior):
        steps = one_steps(posterior, BEGIN, SPACE.nearest)
        for step in steps:
            assert step.better == pytest.approx(0.5 * (1.0 + erf(step.gain / step.error / sqrt(2.0))), abs=1e-9)
        ordered = sorted(steps, key=lambda step: 2.0 * min(step.better, 1.0 - step.better))
        least = 2.0 * min(ordered[0].better, 1.0 - ordered[0].better)
        assert ordered[0].p_value == pytest.approx(min(least * len(steps), 1.0))
        assert all(one.p_value <= other.p_value for one, other in pairwise(ordered))

    def test_a_great_gain_is_found_and_a_great_loss(self, posterior):
        verdicts = {(step.parameter, step.value): step.verdict for step in one_steps(posterior, BEGIN, SPACE.nearest)}
        assert verdicts["horizon", 1] == "better"
        assert {step.verdict for step in one_steps(posterior, END, SPACE.nearest) if step.value == 8} >= {"worse"}

    def test_equals_are_seldom_told_apart(self):
        claims = 0
        for seed in range(10):
            equal = ConfigurationModel(SPACE, tried(lambda _one: 0.5, number=40, games=50, seed=seed))
            base = SPACE.configuration(equal.best(1)[0].spec)
            claims += any(step.verdict == "better" for step in one_steps(equal, base, SPACE.nearest))
        assert claims <= 1


class TestPath:
    def test_gains_add_up_to_the_whole_difference(self, posterior):
        steps = path(posterior, BEGIN, END, SPACE.nearest)
        means = posterior.means([BEGIN, END])
        assert sum(step.gain for step in steps) == pytest.approx(means[1] - means[0], abs=1e-9)

    def test_the_greatest_gain_comes_first_and_the_goal_is_reached(self, posterior):
        steps = path(posterior, BEGIN, END, SPACE.nearest)
        assert steps[0].parameter == "horizon"
        assert (steps[0].before, steps[0].after) == (8, 2)
        assert {step.parameter for step in steps} == {"horizon", "selection", "tournament_size", "population_size"}
        order = [step.parameter for step in steps]
        assert order.index("selection") < order.index("tournament_size")  # without effect before

    def test_steps_stay_valid_where_they_can(self, posterior):
        begin = SPACE.configuration("rhea:budget=20,horizon=3,tournament_size=5,population_size=6")
        end = SPACE.configuration("rhea:budget=20,horizon=3,tournament_size=18,population_size=20")
        assert [step.parameter for step in path(posterior, begin, end, SPACE.nearest)] == [
            "population_size",
            "tournament_size",
        ]

    def test_from_a_configuration_to_itself_there_is_none(self, posterior):
        assert path(posterior, END, END, SPACE.nearest) == []


@pytest.mark.parametrize("seed", range(8))
def test_the_path_takes_the_best_valid_changes_before_others(seed):
    """Each step is the greatest gain among valid ones, and among all where none is valid."""
    rng = np.random.default_rng(seed)
    names = [f"p{number}" for number in range(12)]
    worth, groups = dict(zip(names, rng.normal(size=12).tolist(), strict=True)), rng.permutation(12) // 3

    def value(one):
        return sum(worth[name] for name in names if one[name])

    def is_valid(one):  # of each three, the second and third ask for the first
        return all(one[first] or not (one[second] or one[third]) for first, second, third in triples)

    triples = [[name for name, group in zip(names, groups, strict=True) if group == which] for which in range(4)]
    space = Configurations({name: IntDistribution(0, 1) for name in names}, is_valid=is_valid)
    gains = lambda base, others: (np.array([value(one) - value(base) for one in others]), np.ones(len(others)))  # noqa: E731
    posterior = SimpleNamespace(gains=gains, space=SimpleNamespace(configurations=space))
    here, end = dict.fromkeys(names, 0), dict.fromkeys(names, 1)
    refused = 0
    for step in path(posterior, here, end, here):
        left = [name for name in names if not here[name]]
        valid = [name for name in left if is_valid({**here, name: 1})]
        refused += len(left) - len(valid)
        assert step.parameter == max(valid or left, key=worth.__getitem__)
        here = {**here, step.parameter: 1}
    assert here == end
    assert refused


@pytest.mark.parametrize("parameters", [10, 100, 400])
def test_reports_ask_for_values_in_proportion_to_the_parameters(parameters):
    """The path of 200 parameters took 20,100 values and as many checks, and single steps all values of each parameter."""
    asked, checked = [], []

    def gains(base, others):
        asked.append(len(others))
        change = np.array([sum(one.values()) - sum(base.values()) for one in others], dtype=np.float64)
        return change, np.ones(len(others))

    def is_valid(configuration):
        checked.append(configuration)
        return True

    space = Configurations({f"p{number}": IntDistribution(0, 20) for number in range(parameters)}, is_valid=is_valid)
    posterior = SimpleNamespace(gains=gains, space=SimpleNamespace(configurations=space))
    begin, end = dict.fromkeys(space.distributions, 5), {name: 6 for name in space.distributions}
    steps = path(posterior, begin, end, begin)
    assert {step.parameter for step in steps} == set(begin)
    assert len(steps) == parameters
    assert sum(step.gain for step in steps) == pytest.approx(parameters)
    assert sum(asked) <= 2_500 + 5 * parameters
    assert len(checked) == parameters
    asked.clear()
    one_steps(posterior, begin, begin)
    assert sum(asked) <= max(600, 2 * parameters)
