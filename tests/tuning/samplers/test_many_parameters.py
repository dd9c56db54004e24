"""Cost of proposals and recommendations of many parameters: it grows with their number, and results stay as they were."""

from __future__ import annotations

from time import process_time

import numpy as np
import optuna
import pytest
from optuna.distributions import IntDistribution

from benchmarks.landscapes.evolution import CONFIGURATIONS
from tag.tuning.samplers import make_sampler
from tag.tuning.samplers.bgp import LEVELS, BgpSampler
from tag.tuning.samplers.ntuple import NTuple
from tag.tuning.space.configurations import Configuration, Configurations, levels_of

pytestmark = pytest.mark.flow


def told(space: Configurations, sampler: optuna.samplers.BaseSampler, trials: int, seed: int = 1) -> optuna.Study:
    """Return a study of some trials, whose values are noise and a little of each parameter."""
    rng = np.random.default_rng(seed)
    study = optuna.create_study(direction="maximize", sampler=sampler)
    for _trial in range(trials):
        values = space.suggest(trial := study.ask())
        numbers = [value for value in values.values() if isinstance(value, int | float)]
        study.tell(trial, float(np.clip(0.5 + 0.02 * np.mean(np.sin(numbers)) + 0.1 * rng.normal(), 0.0, 1.0)))
    return study


def steepest(model: BgpSampler, space: Configurations, start: Configuration) -> Configuration:
    """Return where ascent ends that makes, checks and predicts every neighbour."""
    levels = {name: levels_of(kind, LEVELS) for name, kind in space.distributions.items()}
    middle = {name: found[len(found) // 2] for name, found in levels.items()}
    best = start
    while True:
        steps = [best, *(found for _name, _value, found in space.around(best, levels, middle))]
        top = int(model.posterior(steps)[0].argmax())
        if top == 0:
            return best
        best = steps[top]


@pytest.mark.parametrize("seed", range(6))
def test_the_climb_is_the_steepest_one_among_valid_neighbours(seed: int) -> None:
    """With conditions and constraints, from configurations that lie between the levels."""
    space = Configurations(
        CONFIGURATIONS.distributions,
        CONFIGURATIONS.conditions,
        CONFIGURATIONS.ordered,
        lambda values: values["elite"] <= values["population"] and values["horizon"] % 3 != seed % 3,
    )
    sampler = BgpSampler(space, seed)
    study = told(space, sampler, 40, seed)
    found = sampler.recommend(study)
    tried = [space.active(trial.params) for trial in study.trials]
    wanted = steepest(sampler, space, tried[int(sampler.posterior(tried)[0].argmax())])
    assert space.is_valid(found)
    assert sampler.posterior([found])[0][0] == pytest.approx(sampler.posterior([wanted])[0][0], abs=1e-9)
    assert found == wanted


@pytest.mark.parametrize("name", ["ntbea", "bgp", "ntbea_bgp", "tpe", "random"])
def test_four_times_the_parameters_take_at_most_some_four_times_as_long(name: str) -> None:
    """Before, a study of 100 integers played seven games in 150 seconds."""
    seconds, checked = [], []
    for parameters in (25, 100):
        checks = 0

        def is_valid(_values: Configuration) -> bool:
            nonlocal checks
            checks += 1
            return True

        space = Configurations({f"p{n}": IntDistribution(0, 20) for n in range(parameters)}, is_valid=is_valid)
        begin = process_time()
        sampler = make_sampler(name, space, 40, 1, 1).sampler
        study = told(space, sampler, 40)
        (sampler if hasattr(sampler, "recommend") else BgpSampler(space)).recommend(study)
        seconds.append(process_time() - begin)
        checked.append(checks)
    assert checked[1] <= 4 * max(checked[0], 40)
    assert seconds[1] < 6.0 * seconds[0] + 1.0, seconds


@pytest.mark.parametrize("parameters", [10, 40, 41, 100, 200])
def test_each_parameter_is_in_as_many_pairs_as_any_and_in_no_more_than_forty(parameters: int) -> None:
    model = NTuple((3,) * parameters)
    (singles, _strides, _begins), (pairs, _more, _rest) = model._tables
    assert singles.tolist() == [list(range(parameters))]
    assert len({tuple(pair) for pair in pairs.T.tolist()}) == pairs.shape[1]
    assert set(np.bincount(pairs.ravel()).tolist()) == {min(parameters - 1, 40)}
    points = np.random.default_rng(1).integers(0, 3, (20, parameters))
    for number, point in enumerate(points):
        model.add(point, number / 20)
    assert model.mean(points) == pytest.approx(
        [np.mean([_mean_of(points, point, chosen) for chosen in [*singles.T, *pairs.T]]) for point in points]
    )


def _mean_of(points: np.ndarray, point: np.ndarray, chosen: np.ndarray) -> float:
    return float(np.mean(np.flatnonzero((points[:, chosen] == point[chosen]).all(axis=1)) / 20))
