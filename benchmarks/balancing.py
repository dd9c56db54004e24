"""Measure balancing studies on planted games: is the centre of the bands found, and how much of the front?

python benchmarks/balancing.py                       both families, ten studies of 5,000 games each (some minutes)
python benchmarks/balancing.py --studies 4 --games 1000

A planted game has measures in closed form. `centre` has six targets and five parameters of eleven levels; one
configuration is in the middle of all bands, and at most one of 5,000 meets them all. `front` has 729 configurations and two
targets that no configuration meets both, so its front is known, with the distance from the default rules as a third
objective. What is proposed plays games: numbers with the right means and the variances of games.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import deque
from collections.abc import Callable, Sequence
from itertools import product
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev
from typing import Final

import numpy as np
import numpy.typing as npt

sys.path.insert(0, str(Path(__file__).parents[1]))

import optuna
from optuna.distributions import BaseDistribution, IntDistribution
from optuna.samplers import BaseSampler

from tag.tuning.balancing.estimation import Estimate
from tag.tuning.balancing.front import FrontSampler, front
from tag.tuning.balancing.model import BandSampler, CandidateModel
from tag.tuning.balancing.results.measuring import Measurement, chosen, games_wanted
from tag.tuning.balancing.targets import Goal, Target
from tag.tuning.samplers import make_sampler
from tag.tuning.search.trials import pareto_front
from tag.tuning.space.configurations import Configuration, Configurations

Floats = npt.NDArray[np.float64]

#: As a study has them: trials of a hundredth of the games, so many at once, and so many finalists.
TRIALS: Final = 100
LIVE: Final = 16
FINALISTS: Final = 3
VALIDATION: Final = 2_000
#: Twice this many standard errors make an interval.
HALF: Final = 1.96
BANDS: Final = "bands"


class Planted:
    """A game whose measures are known functions of its parameters.

    Attributes:
        configurations: the space; all levels are numbers from 0.
        goals: the targets. Measure 0 and every second one after it are shares, whose games are 0 or 1.
    """

    configurations: Configurations
    goals: tuple[Goal, ...]

    def __init__(self, parameters: int, levels: int) -> None:
        self.levels = levels
        kinds: dict[str, BaseDistribution] = {
            f"p{number}": IntDistribution(0, levels - 1) for number in range(parameters)
        }
        self.configurations = Configurations(kinds)
        points = np.array(list(product(range(levels), repeat=parameters)), dtype=np.float64)
        self.points: Floats = points / (levels - 1)

    def measures(self, points: Floats) -> Floats:
        """Return the true measures at points in 0..1, shape (goals, points)."""
        raise NotImplementedError

    def point(self, configuration: Configuration) -> Floats:
        """Return a configuration as a point, shape (1, parameters)."""
        values = [configuration[name] for name in self.configurations.distributions]
        return np.array([values], dtype=np.float64) / (self.levels - 1)

    def distance(self, configuration: Configuration) -> float:
        """Return how far a configuration is from the default rules, all zeros."""
        return float(self.point(configuration).mean())

    def play(self, configuration: Configuration, games: int, luck: np.random.Generator) -> list[Estimate]:
        """Return the estimates from so many games."""
        found = []
        for number, mean in enumerate(self.measures(self.point(configuration))[:, 0].tolist()):
            if number % 2 == 0:
                value = luck.binomial(games, mean) / games
                error = sqrt(max(value * (1.0 - value), 0.5 / games) / games)
            else:
                spread = 0.3
                value, error = luck.normal(mean, spread / sqrt(games)), spread / sqrt(games)
            found.append(Estimate(value, error, value - HALF * error, value + HALF * error, games))
        return found

    def meets(self, configuration: Configuration) -> bool:
        """Say whether all true measures lie in their bands."""
        rows = zip(self.goals, self.measures(self.point(configuration)), strict=True)
        return all(bool((goal.excess(row) == 0.0).all()) for goal, row in rows)


class Centre(Planted):
    """Six measures of five parameters, each of two or three of them, with bands around the values of one configuration."""

    def __init__(self, seed: int) -> None:
        super().__init__(5, 11)
        rng = np.random.default_rng(seed)
        self._slopes = rng.normal(size=(6, 5)) * (rng.random((6, 5)) < 0.6)
        self._bends = 0.6 * rng.normal(size=(6, 5)) * (self._slopes != 0.0)
        self._pairs = rng.normal(size=6)
        self._of = np.array([rng.choice(5, 2, replace=False) for _measure in range(6)])
        centre = self.points[rng.integers(len(self.points))][None]
        raw = self._raw(self.points)
        self._scale = raw.std(axis=1, keepdims=True) + 1e-9
        self._middle = self._raw(centre)
        half = 0.2
        while True:
            values = self.measures(self.points)
            middle = self.measures(centre)
            halves = half * values.std(axis=1, keepdims=True)
            if (np.abs(values - middle) <= halves).all(axis=0).mean() <= 1.0 / 5_000.0:
                break
            half *= 0.9
        bands = zip(middle[:, 0].tolist(), halves[:, 0].tolist(), strict=True)
        self.goals = tuple(
            Goal(Target(f"m{number}", at - one, at + one), one, margin=0.25 * one)
            for number, (at, one) in enumerate(bands)
        )

    def _raw(self, points: Floats) -> Floats:
        centred = 2.0 * points - 1.0
        pairs = self._pairs[:, None] * centred[:, self._of[:, 0]].T * centred[:, self._of[:, 1]].T
        found: Floats = self._slopes @ centred.T + self._bends @ (centred**2).T + pairs
        return found

    def measures(self, points: Floats) -> Floats:
        """Shares around one half, lengths around 0."""
        found = (self._raw(points) - self._middle) / self._scale
        found[0::2] = 0.5 + 0.4 * np.tanh(0.5 * found[0::2])
        return found


class Front(Planted):
    """Two measures that pull in opposite directions, over six parameters of three levels."""

    def __init__(self, seed: int) -> None:
        super().__init__(6, 3)
        rng = np.random.default_rng(seed)
        self._gains = np.sort(rng.gamma(2.0, size=6)) / 12.0
        self._costs = rng.permutation(rng.gamma(2.0, size=6)) / 12.0
        self._bend = rng.uniform(0.6, 1.6, size=6)
        ends = self.measures(np.array([[0.0] * 6, [1.0] * 6]))
        low, high = float(ends[0].min()), float(ends[0].max())
        aims = (Target("m0", high, 1.0), Target("m1", -np.inf, float(ends[1].min())))
        self.goals = (Goal(aims[0], (high - low) / 2.0), Goal(aims[1], 0.3))

    def measures(self, points: Floats) -> Floats:
        """A share to raise, and a length to keep low."""
        gained = (self._gains * points**self._bend).sum(axis=1)
        lost = (self._costs * points).sum(axis=1) + 0.4 * points[:, 0] * points[:, 1]
        return np.stack([0.2 + 0.7 * np.tanh(gained), lost])

    def objectives(self, configurations: Sequence[Configuration]) -> Floats:
        """Return the true excess of each target and the distance, shape (configurations, 3)."""
        points = np.concatenate([self.point(one) for one in configurations])
        rows = zip(self.goals, self.measures(points), strict=True)
        return np.stack([*(goal.excess(row) for goal, row in rows), points.mean(axis=1)], axis=1)


def hypervolume(values: Floats, reference: Floats) -> float:
    """Return the volume that rows of three objectives, which are minimised, dominate below a reference point."""
    inside = values[(values < reference).all(axis=1)]
    volume, order = 0.0, np.unique(inside[:, 2])
    for low, high in zip(order, [*order[1:], reference[2]], strict=True):
        flat = inside[inside[:, 2] <= low][:, :2]
        edge, area = reference[1], 0.0
        for first, second in flat[np.lexsort((flat[:, 1], flat[:, 0]))]:
            if second < edge:
                area += (reference[0] - first) * (edge - second)
                edge = second
        volume += area * (high - low)
    return volume


def searched(
    game: Planted, sampler: str, games: int, seed: int, pareto: bool
) -> tuple[CandidateModel, np.random.Generator]:
    """Spend the games of a search, and return what the model knows then."""
    luck = np.random.default_rng([seed, 1])
    model = CandidateModel(game.configurations, game.goals, lambda _one: 0.0)
    per_trial = max(games // TRIALS, 8)
    chosen = (
        _of_model(game, seed, model, pareto)
        if sampler == BANDS
        else make_sampler(sampler, game.configurations, games, seed, per_trial).sampler
    )
    directions = ["minimize"] * (len(game.goals) + 1 if pareto else 1)
    study = optuna.create_study(sampler=chosen, directions=directions)
    study.enqueue_trial(dict.fromkeys(game.configurations.distributions, 0))
    line: deque[tuple[optuna.Trial, Configuration]] = deque()
    for _number in range(games // per_trial):
        asked = study.ask()
        line.append((asked, game.configurations.suggest(asked)))
        if len(line) == LIVE:
            _end(game, model, study, line, per_trial, luck)
    while line:
        _end(game, model, study, line, per_trial, luck)
    return model, luck


def _of_model(game: Planted, seed: int, model: CandidateModel, pareto: bool) -> BaseSampler:
    if pareto:
        return FrontSampler(game.configurations, seed, model, game.distance)
    return BandSampler(game.configurations, seed, model)


def _end(
    game: Planted,
    model: CandidateModel,
    study: optuna.Study,
    line: deque[tuple[optuna.Trial, Configuration]],
    games: int,
    luck: np.random.Generator,
) -> None:
    trial, configuration = line.popleft()
    estimates = game.play(configuration, games, luck)
    costs = [goal.observed(one) for goal, one in zip(game.goals, estimates, strict=True)]
    trial.set_user_attr("games", games)
    model.learn(configuration, estimates)
    several = len(study.directions) > 1
    study.tell(trial, [*costs, game.distance(configuration)] if several else [sum(costs)])


def finds_centre(sampler: str, games: int, seed: int) -> tuple[float, float]:
    """Say whether a study chooses a candidate that truly meets all targets, and whether it confirms one."""
    game = Centre(seed)
    model, luck = searched(game, sampler, games, seed, pareto=False)
    targets = tuple(goal.target for goal in game.goals)
    finalists: list[Configuration] = []
    measured: list[Measurement] = []
    for _finalist in range(FINALISTS):
        finalist = next((one for one in model.ranked() if one not in finalists), None)
        if finalist is None:
            break
        means, _deviations = model.posterior([finalist])
        wanted = games_wanted(game.goals, means[:, 0], model.game_variances(), 30, VALIDATION)
        estimates = game.play(finalist, wanted, luck)
        finalists.append(finalist)
        measured.append(Measurement(str(finalist), targets, tuple(estimates), wanted, seed))
        model.learn(finalist, estimates)
        if measured[-1].is_feasible:
            break
    choice = chosen(measured, game.goals)
    return float(game.meets(finalists[measured.index(choice)])), float(choice.is_feasible)


def finds_front(sampler: str, games: int, seed: int) -> tuple[float, float, float]:
    """Return the share of the true hypervolume that the reported front has, that of dominated points, and their number."""
    game = Front(seed)
    model, _luck = searched(game, sampler, games, seed, pareto=True)
    by_text = {str(one): one for one in model.seen}
    frame = front(model, str, game.distance)
    values = game.objectives([by_text[spec] for spec in frame["spec"]])
    every = game.objectives(
        [dict(zip(game.configurations.distributions, one, strict=True)) for one in (2 * game.points).tolist()]
    )
    reference = every.max(axis=0) + 1e-6
    dominated = [not is_on for is_on in pareto_front(-values)]
    return hypervolume(values, reference) / hypervolume(every, reference), fmean(dominated), float(len(values))


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=5_000)
    parser.add_argument("--studies", type=int, default=10)
    parser.add_argument("--families", default="centre,front")
    parser.add_argument("--samplers", default="bands,tpe,random")
    options = parser.parse_args()
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    families: dict[str, tuple[Callable[[str, int, int], tuple[float, ...]], str]] = {
        "centre": (finds_centre, "chosen meets all, confirmed"),
        "front": (finds_front, "share of the hypervolume, dominated, points"),
    }
    for family in options.families.split(","):
        measure, about = families[family]
        print(f"{family}: {about}; {options.studies} studies of {options.games:,} games")
        for sampler in options.samplers.split(","):
            begin = time.process_time()
            rows = [measure(sampler, options.games, seed) for seed in range(options.studies)]
            seconds = (time.process_time() - begin) / options.studies
            cells = [
                f"{fmean(column):.3f} ± {stdev(column) / sqrt(len(column)):.3f}" for column in zip(*rows, strict=True)
            ]
            print(f"  {sampler:8} {'   '.join(cells)}   {seconds:.0f} s", flush=True)


if __name__ == "__main__":
    main()
