"""What matters: shares of variance by hand, of additive and of interacting functions, and from a noisy study."""

from __future__ import annotations

import numpy as np
import pytest
from optuna.distributions import CategoricalDistribution, FloatDistribution, IntDistribution
from scipy.stats import spearmanr

from tag.tuning.reports.findings.effects import effects_of, grid
from tag.tuning.reports.findings.posterior import ConfigurationModel
from tag.tuning.search.trials import KnownTrial
from tag.tuning.space import agent_space
from tag.tuning.space.configurations import Configurations, to_unit

pytestmark = pytest.mark.flow

PLAIN = Configurations({"a": FloatDistribution(0.0, 1.0), "b": IntDistribution(0, 4), "c": IntDistribution(0, 1)})


def of(function, configurations=PLAIN):
    return effects_of(lambda many: np.array([function(one) for one in many], dtype=float), configurations)


def test_shares_of_a_sum_are_those_of_its_terms():
    found = of(lambda one: 3.0 * one["a"] + one["b"])
    shares = {one.parameter: (one.main, one.total) for one in found.parameters}
    variances = {"a": 9.0 / 12.0, "b": 2.0, "c": 0.0}
    for name, variance in variances.items():
        assert shares[name] == pytest.approx((variance / 2.75, variance / 2.75), abs=0.02)
    assert [one.parameter for one in found.parameters] == ["b", "a", "c"]
    assert all(pair.share < 1e-12 for pair in found.interactions)


def test_a_product_of_signs_is_nothing_but_interaction():
    found = of(lambda one: (2.0 * (one["a"] < 0.5) - 1.0) * (2.0 * one["c"] - 1.0))
    assert found.interactions[0].parameters == ("a", "c")
    assert found.interactions[0].share == pytest.approx(1.0, abs=0.03)
    assert found.interactions[1].share < 1e-12
    totals = {one.parameter: one.total for one in found.parameters}
    assert totals["a"] == pytest.approx(1.0, abs=0.03)
    assert totals["b"] < 1e-12
    assert all(one.main < 0.05 for one in found.parameters)


def test_what_has_an_effect_only_with_another_counts_as_much_as_that_is_there():
    space = Configurations(
        {"kind": CategoricalDistribution(("plain", "sized")), "size": FloatDistribution(0.0, 1.0)},
        {"size": ("kind", ("sized",))},
    )
    found = of(lambda one: one.get("size", 0.5), space)
    shares = {one.parameter: one for one in found.parameters}
    assert shares["size"].main == pytest.approx(
        0.5, abs=0.02
    )  # half of the time all of the variance, squared by the mean
    assert shares["size"].total == pytest.approx(1.0, abs=0.03)
    assert shares["kind"].main < 0.05


def test_equal_seeds_give_equal_effects():
    assert of(lambda one: one["a"] * one["b"]) == of(lambda one: one["a"] * one["b"])


@pytest.mark.parametrize("seed", range(3))
def test_main_effects_of_a_noisy_additive_study_are_in_the_true_order(seed):
    space = agent_space(
        ["rhea:budget=50,selection=rank,crossover_points=2"],
        ["horizon", "population_size", "offspring_count", "elite_count", "mutation_count", "discount", "crossover"],
    )
    rng = np.random.default_rng(seed)
    kinds = space.configurations.distributions
    weights = dict(zip(kinds, rng.permutation([0.4, 0.28, 0.19, 0.13, 0.08, 0.04, 0.0]), strict=True))

    def truth(one):
        return 0.5 + sum(weights[name] * (place(name, one[name]) - 0.5) for name in kinds if name in one)

    def place(name, value):
        kind = kinds[name]
        return float(value == kind.choices[0]) if isinstance(kind, CategoricalDistribution) else to_unit(kind, value)

    tried = []
    for _ in range(200):
        one = space.configurations.draw(rng)
        tried.append(KnownTrial(space.spec(one), 100, rng.binomial(100, np.clip(truth(one), 0.0, 1.0)) / 100.0))
    found = effects_of(ConfigurationModel(space, tried).means, space.configurations)
    true = of(truth, space.configurations)
    seen, known = ({one.parameter: one.main for one in each.parameters} for each in (found, true))
    assert spearmanr([seen[name] for name in kinds], [known[name] for name in kinds]).statistic >= 0.9


@pytest.mark.parametrize(
    ("kind", "most", "wanted"),
    [
        (IntDistribution(1, 5), 9, [1, 2, 3, 4, 5]),
        (IntDistribution(0, 100, step=50), 3, [0, 50, 100]),
        (IntDistribution(0, 100), 3, [0, 50, 100]),
        (FloatDistribution(0.01, 1.0, log=True), 3, [0.01, 0.1, 1.0]),
        (CategoricalDistribution(("a", "b")), 1, ["a", "b"]),
    ],
)
def test_grids_are_spread_over_the_range(kind, most, wanted):
    assert grid(kind, most) == pytest.approx(wanted) if isinstance(wanted[0], float) else grid(kind, most) == wanted
