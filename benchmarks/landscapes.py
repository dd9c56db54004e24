"""Landscapes: made-up win rates over spaces of configurations, to measure samplers where the truth is known."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from math import exp, log, sqrt
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import optuna
from optuna.distributions import BaseDistribution, CategoricalDistribution, FloatDistribution, IntDistribution
from scipy.special import expit, ndtri

from tag.tuning.samplers import make_sampler
from tag.tuning.samplers.bgp import BgpSampler
from tag.tuning.samplers.model_sampler import BLOCK_VARIANCE, BLOCKS, GAMES, ModelSampler
from tag.tuning.space.configurations import Configuration, Configurations

# --- A landscape: made-up win rates over a space of configurations, and games played by them ----------------------------


Floats = npt.NDArray[np.float64]

#: The games of a block, which share its deal.
BLOCK_GAMES: Final = 2
#: The standard deviation of the win rates of random configurations, in logits.
SPREAD: Final = 0.5
#: The correlation between games of one deal.
_SHARED_LUCK: Final = 0.3


class Landscape:
    """The true win rate of every configuration; a game is a coin toss, and the games of a block share luck.

    Attributes:
        configurations: the space.
        default: the configuration that wins half of its games.
        best: the greatest win rate there is.
        games: how many have been played.
    """

    configurations: Configurations
    default: Configuration
    best: float

    def __init__(self, luck: np.random.Generator) -> None:
        """Begin with no games, whose luck comes from a generator."""
        self._luck = luck
        self.games = 0

    def win_rate(self, configuration: Configuration) -> float:
        """Return the true win rate."""
        raise NotImplementedError

    def regret(self, configuration: Configuration) -> float:
        """Return how much more the best configuration wins."""
        return self.best - self.win_rate(configuration)

    def play(self, configuration: Configuration, games: int) -> Floats:
        """Return the share of wins in each block of a trial; the last block has the rest of ``games``."""
        self.games += games
        blocks = -(-games // BLOCK_GAMES)
        deals = np.repeat(self._luck.normal(size=blocks), BLOCK_GAMES)[:games]
        luck = sqrt(_SHARED_LUCK) * deals + sqrt(1.0 - _SHARED_LUCK) * self._luck.normal(size=games)
        won = (luck < ndtri(self.win_rate(configuration))).astype(np.float64)
        starts = np.arange(0, games, BLOCK_GAMES)
        shares: Floats = np.add.reduceat(won, starts) / np.minimum(games - starts, BLOCK_GAMES)
        return shares


# --- evolution landscapes: parameters like those of rolling horizon evolution, smooth effects, some interactions --------
#
# The default configuration wins half of its games on every landscape; the best of the twenty of the benchmark win 54 to
# 71 %.


CROSSOVERS: Final = ("uniform", "one_point", "two_point")
SELECTIONS: Final = ("rank", "tournament", "roulette", "stochastic")
DEFAULT: Final[Configuration] = {
    "horizon": 10,
    "discount": 0.9,
    "population": 10,
    "offspring": 10,
    "elite": 2,
    "crossover": "uniform",
    "selection": "tournament",
    "tournament": 4,
}
CONFIGURATIONS: Final = Configurations(
    {
        "horizon": IntDistribution(1, 30, log=True),
        "discount": FloatDistribution(0.5, 1.0),
        "population": IntDistribution(6, 20),
        "offspring": IntDistribution(1, 20, log=True),
        "elite": IntDistribution(1, 6),
        "crossover": CategoricalDistribution(CROSSOVERS),
        "selection": CategoricalDistribution(SELECTIONS),
        "tournament": IntDistribution(2, 6),
    },
    conditions={"tournament": ("selection", ("tournament",))},
)


class EvolutionLandscape(Landscape):
    """A landscape whose best win rate is found by coordinate ascent from thirty points."""

    configurations = CONFIGURATIONS
    default = DEFAULT

    def __init__(self, seed: int, repetition: int = 0) -> None:
        """Draw a landscape, those of seeds 0 to 19 are the benchmark; each ``repetition`` has other luck in its games."""
        super().__init__(np.random.default_rng([77777 + seed, repetition]))
        rng = np.random.default_rng(1000 + seed)
        draw = rng.uniform
        self._horizon, self._horizon_weight = draw(5, 18), draw(0.3, 0.8)
        self._reach, self._reach_weight = draw(4, 12), draw(0.1, 0.4)
        self._generations, self._generations_weight, self._budget = draw(4, 15), draw(0.5, 1.2), draw(300, 900)
        self._population_weight, self._elite, self._elite_weight = draw(0, 0.4), draw(0.05, 0.35), draw(2, 8)
        self._crossover, self._selection = rng.normal(0, 0.2, 3), rng.normal(0, 0.2, 4)
        self._pairs, self._crossover_slope = rng.normal(0, 0.12, (3, 4)), rng.normal(0, 0.15, 3)
        self._tournament, self._offspring, self._offspring_weight = draw(2, 6), draw(2, 14), draw(0.1, 0.3)
        self._population, self._tournament_weight = draw(8, 20), draw(0.1, 0.6)
        self._scale, self._shift = 1.0, 0.0
        uniform = np.random.default_rng(5)
        values = [self._value(_evenly(uniform)) for _ in range(4000)]
        self._scale = SPREAD / float(np.std(values))
        self._shift = -self._scale * self._value(DEFAULT)
        self.best = self._ascended()

    def win_rate(self, configuration: Configuration) -> float:
        """Return the true win rate."""
        return 1.0 / (1.0 + exp(-self._scale * self._value(configuration) - self._shift))

    def _value(self, c: Configuration) -> float:
        """Return the logit of the win rate, before it is scaled."""
        horizon, discount = c["horizon"], c["discount"]
        reach = horizon if discount > 0.9999 else (1.0 - discount**horizon) / (1.0 - discount)
        generations = max(0.0, self._budget / horizon - c["population"]) / c["offspring"]
        crossover, selection = CROSSOVERS.index(c["crossover"]), SELECTIONS.index(c["selection"])
        value = -self._horizon_weight * log(horizon / self._horizon) ** 2
        value -= self._reach_weight * log(reach / self._reach) ** 2
        value += self._generations_weight * (1.0 - exp(-generations / self._generations))
        value += self._population_weight * log(c["population"] / 6.0)
        value -= self._elite_weight * (min(c["elite"] / c["population"], 1.0) - self._elite) ** 2
        value += self._crossover[crossover] + self._selection[selection] + self._pairs[crossover][selection]
        value += self._crossover_slope[crossover] * (horizon - 15) / 15.0
        if c["selection"] == "tournament":
            value -= self._tournament_weight * log(c["tournament"] / self._tournament) ** 2
        value -= self._offspring_weight * log(c["offspring"] / self._offspring) ** 2
        return float(value - 0.1 * ((c["population"] - self._population) / 5.0) ** 2)

    def _ascended(self) -> float:
        rng = np.random.default_rng(9)
        return max(self._climb(_evenly(rng)) for _ in range(30))

    def _climb(self, start: Configuration) -> float:
        """Return the win rate that coordinate ascent reaches."""
        best, rate = start, self.win_rate(start)
        while True:
            steps = [{**best, name: value} for name, values in _SCANNED.items() for value in values]
            top = max(steps, key=self.win_rate)
            if self.win_rate(top) <= rate + 1e-12:
                return rate
            best, rate = top, self.win_rate(top)


_SCANNED: Final[dict[str, Iterable[Any]]] = {
    "horizon": range(1, 31),
    "discount": np.linspace(0.5, 1.0, 51).tolist(),
    "population": range(6, 21),
    "offspring": range(1, 21),
    "elite": range(1, 7),
    "crossover": CROSSOVERS,
    "selection": SELECTIONS,
    "tournament": range(2, 7),
}


def _evenly(rng: np.random.Generator) -> Configuration:
    """Draw each parameter evenly, in the order in which the benchmark always did."""
    return {
        "horizon": int(rng.integers(1, 31)),
        "discount": float(rng.uniform(0.5, 1.0)),
        "population": int(rng.integers(6, 21)),
        "offspring": int(rng.integers(1, 21)),
        "elite": int(rng.integers(1, 7)),
        "crossover": CROSSOVERS[int(rng.integers(3))],
        "selection": SELECTIONS[int(rng.integers(4))],
        "tournament": int(rng.integers(2, 7)),
    }


# --- tables -------------------------------------------------------------------------------------------------------------
#
# Landscapes from a value for each level of each parameter, for pairs of them, and for single points. The five families:
#
# - ``additive``: eight parameters of five levels;
# - ``pairs``: seven parameters of six levels, all pairs interact;
# - ``needle``: a slope that leads away from a narrow peak;
# - ``cliffs``: a plateau behind thresholds;
# - ``conditional``: three agents with parameters of their own.
#
# In the first three, half of the parameters are numbers and the others choices; the order of levels means nothing in
# either. All points can be listed, so the best is known exactly.


Ints = npt.NDArray[np.int64]
#: Values in logits, on any scale, of points: the number of the level of each parameter, shape (points, parameters).
Table = Callable[[Ints], Floats]


class TableLandscape(Landscape):
    """A landscape whose parameters have levels; numbers between two thresholds are one level."""

    def __init__(self, family: str, seed: int, repetition: int = 0) -> None:
        """Draw a landscape of a family; each ``repetition`` has other luck in its games."""
        number = list(FAMILIES).index(family)
        super().__init__(np.random.default_rng([88888, number, seed, repetition]))
        rng = np.random.default_rng([2000, number, seed])
        self.configurations, self._sizes, self._table = FAMILIES[family](rng)
        points = np.array([self._point(self.configurations.draw(rng)) for _ in range(2_000)])
        values = self._table(points)
        self._scale = SPREAD / float(values.std())
        middle = int(np.argsort(values)[len(values) // 2])
        self._shift = -self._scale * float(values[middle])
        self.default = self._configuration(points[middle])
        self.best = float(
            expit(self._scale * self._table(_all_points(self.configurations, self._sizes)).max() + self._shift)
        )

    def win_rate(self, configuration: Configuration) -> float:
        """Return the true win rate."""
        value = self._table(np.array([self._point(configuration)]))
        return float(expit(self._scale * value[0] + self._shift))

    def _point(self, configuration: Configuration) -> list[int]:
        """Return the level of each parameter; the first where one has no effect."""
        pairs = zip(self.configurations.distributions.items(), self._sizes, strict=True)
        return [_level(kind, size, configuration.get(name)) for (name, kind), size in pairs]

    def _configuration(self, point: Ints) -> Configuration:
        pairs = zip(self.configurations.distributions.items(), self._sizes, point.tolist(), strict=True)
        return self.configurations.active({name: _value(kind, size, level) for (name, kind), size, level in pairs})


def _all_points(configurations: Configurations, sizes: Sequence[int]) -> Ints:
    """Return every point, shape (points, parameters); parameters without effect are at their first level."""
    names = list(configurations.distributions)
    parents = sorted({parent for parent, _wanted in configurations.conditions.values()})
    if not parents:
        return np.indices(sizes).reshape(len(sizes), -1).T
    (parent,) = parents
    kind: Any = configurations.distributions[parent]
    conditions, parts = configurations.conditions, []
    for level, choice in enumerate(kind.choices):
        free = [name not in conditions or choice in conditions[name][1] for name in names]
        grid = np.indices(
            [size if is_free and name != parent else 1 for name, size, is_free in zip(names, sizes, free, strict=True)]
        )
        points = grid.reshape(len(sizes), -1).T
        points[:, names.index(parent)] = level
        parts.append(points)
    return np.vstack(parts)


def _level(kind: BaseDistribution, size: int, value: Any) -> int:
    if value is None:
        return 0
    if isinstance(kind, CategoricalDistribution):
        return kind.choices.index(value)
    if isinstance(kind, IntDistribution):
        return int(value) - kind.low
    return min(int(value * size), size - 1)


def _value(kind: BaseDistribution, size: int, level: int) -> Any:
    if isinstance(kind, CategoricalDistribution):
        return kind.choices[level]
    if isinstance(kind, IntDistribution):
        return kind.low + level
    return (level + 0.5) / size


def _mixed(sizes: Sequence[int]) -> Configurations:
    """Return a space whose parameters are choices and numbers in turn."""
    return Configurations(
        {
            f"x{number}": IntDistribution(0, size - 1)
            if number % 2
            else CategoricalDistribution([f"{number}{level}" for level in range(size)])
            for number, size in enumerate(sizes)
        }
    )


def _single(rng: np.random.Generator, sizes: Sequence[int]) -> Table:
    effects = [rng.normal(size=size) for size in sizes]
    return lambda points: np.sum([effect[points[:, at]] for at, effect in enumerate(effects)], axis=0)


def _additive(rng: np.random.Generator) -> tuple[Configurations, list[int], Table]:
    sizes = [5] * 8
    return _mixed(sizes), sizes, _single(rng, sizes)


def _pairs(rng: np.random.Generator) -> tuple[Configurations, list[int], Table]:
    sizes = [6] * 7
    single = _single(rng, sizes)
    tables = {pair: rng.normal(size=(6, 6)) for pair in combinations(range(7), 2)}

    def table(points: Ints) -> Floats:
        together = np.sum([found[points[:, one], points[:, two]] for (one, two), found in tables.items()], axis=0)
        value: Floats = 0.7 * single(points) + together / np.sqrt(3.0)
        return value

    return _mixed(sizes), sizes, table


def _needle(rng: np.random.Generator) -> tuple[Configurations, list[int], Table]:
    sizes = [7] * 6
    slope, needle = _single(rng, sizes), rng.integers(0, 7, 6)

    def table(points: Ints) -> Floats:
        off = (points != needle).sum(axis=1)
        value: Floats = slope(points) + 8.0 * np.maximum(1.0 - off / 3.0, 0.0)
        return value

    return _mixed(sizes), sizes, table


def _cliffs(rng: np.random.Generator) -> tuple[Configurations, list[int], Table]:
    """Two of three in range in each of six parameters; the more are out, the lower the plain."""
    sizes = [10, 10, 8, 8, 5, 6]
    kinds: list[BaseDistribution] = [FloatDistribution(0.0, 1.0), FloatDistribution(0.0, 1.0)]
    kinds += [IntDistribution(0, 7), IntDistribution(0, 7)]
    kinds += [CategoricalDistribution([f"{n}{level}" for level in range(size)]) for n, size in ((4, 5), (5, 6))]
    inside = []
    for size in sizes[:4]:
        begin = int(rng.integers(0, size // 2 + 1))
        inside.append((np.arange(size) >= begin) & (np.arange(size) < begin + (size + 1) // 2))
    inside += [rng.permutation(size) < (size + 1) // 2 for size in sizes[4:]]
    weights = rng.uniform(0.5, 1.5, 6)
    tilt = _single(rng, sizes)

    def table(points: Ints) -> Floats:
        out = np.array([~one[points[:, at]] for at, one in enumerate(inside)])
        fall = weights @ out
        value: Floats = np.maximum(-fall, -2.0) - 1.0 * out[:2].any(axis=0) + 0.1 * tilt(points)
        return value

    return Configurations({f"x{at}": kind for at, kind in enumerate(kinds)}), sizes, table


def _conditional(rng: np.random.Generator) -> tuple[Configurations, list[int], Table]:
    """Three agents with two to four parameters of their own, smooth ones and unordered ones."""
    kinds: dict[str, BaseDistribution] = {
        "agent": CategoricalDistribution(["one", "two", "three"]),
        "shared": FloatDistribution(0.0, 1.0),
        "a": FloatDistribution(0.0, 1.0),
        "b": IntDistribution(0, 9),
        "c": CategoricalDistribution(["x", "y", "z", "w"]),
        "d": CategoricalDistribution(["p", "q", "r"]),
        "e": FloatDistribution(0.0, 1.0),
        "f": FloatDistribution(0.0, 1.0),
        "g": IntDistribution(0, 5),
        "h": CategoricalDistribution(["k", "l", "m", "n", "o"]),
    }
    owner = dict.fromkeys("abcd", 0) | dict.fromkeys("ef", 1) | dict.fromkeys("gh", 2)
    agents = ("one", "two", "three")
    conditions: dict[str, tuple[str, tuple[Any, ...]]] = {
        name: ("agent", (agents[number],)) for name, number in owner.items()
    }
    sizes = [3, 10, 10, 10, 4, 3, 10, 10, 6, 5]
    names = list(kinds)
    tops, widths = rng.uniform(0.1, 0.9, (3, 5)), rng.uniform(2.0, 8.0, (3, 5))
    levels, agent = rng.normal(0.0, 0.5, size=(3, 6, 6)), rng.normal(0.0, 0.3, size=3)

    def table(points: Ints) -> Floats:
        x = {name: points[:, at] for at, name in enumerate(names)}
        unit = {name: (x[name] + 0.5) / size for name, size in zip(names, sizes, strict=True)}

        def bump(owned: int, at: int, name: str) -> Floats:
            found: Floats = -widths[owned, at] * (unit[name] - tops[owned, at]) ** 2
            return found

        values = [
            bump(0, 0, "shared") + bump(0, 1, "a") + bump(0, 2, "b") + levels[0, x["c"], x["d"]],
            bump(1, 0, "shared") + bump(1, 1, "e") + bump(1, 2, "f") + 2.0 * (unit["e"] - 0.5) * (unit["f"] - 0.5),
            bump(2, 0, "shared") + levels[2, x["g"], x["h"]] + levels[1, x["h"], 0],
        ]
        found: Floats = np.choose(x["agent"], values) + agent[x["agent"]]
        return found

    return Configurations(kinds, conditions), sizes, table


FAMILIES: Final[dict[str, Callable[[np.random.Generator], tuple[Configurations, list[int], Table]]]] = {
    "additive": _additive,
    "pairs": _pairs,
    "needle": _needle,
    "cliffs": _cliffs,
    "conditional": _conditional,
}


# --- studies on landscapes, like those of `tuning.tune` on games --------------------------------------------------------


EVOLUTION: Final = "evolution"
NAMES: Final = (EVOLUTION, *FAMILIES)


def make_landscape(family: str, seed: int, repetition: int = 0) -> Landscape:
    """Return a landscape of the benchmark: seeds 0 to 19 of ``evolution``, 0 to 3 of each other family."""
    if family == EVOLUTION:
        return EvolutionLandscape(seed, repetition)
    return TableLandscape(family, seed, repetition)


def search(
    sampler: optuna.samplers.BaseSampler, landscape: Landscape, trials: int, games: int = 1, live: int = 1
) -> optuna.Study:
    """Return a study of ``trials`` configurations with ``games`` each, as `tuning.tune` makes one.

    ``live`` are in play at once, and the first is the default.
    """
    study = optuna.create_study(direction="maximize", sampler=sampler, pruner=optuna.pruners.NopPruner())
    study.enqueue_trial(landscape.default)
    line: deque[tuple[optuna.Trial, Configuration]] = deque()
    for number in range(trials + live):
        if number >= live:
            trial, configuration = line.popleft()
            blocks = landscape.play(configuration, games)
            trial.set_user_attr(GAMES, games)
            whole = blocks[: games // BLOCK_GAMES]
            if len(whole) > 1:
                trial.set_user_attr(BLOCKS, len(whole))
                trial.set_user_attr(BLOCK_VARIANCE, float(np.var(whole, ddof=1)))
            weights = np.minimum(games - BLOCK_GAMES * np.arange(len(blocks)), BLOCK_GAMES)
            study.tell(trial, float(blocks @ weights / games))
        if number < trials:
            trial = study.ask()
            line.append((trial, landscape.configurations.suggest(trial)))
    return study


def regret(name: str, games: int, landscape: Landscape, seed: int, live: int = 8) -> float:
    """Return the regret of a sampler's recommendation on a landscape, in points of 100.

    Samplers without a recommendation are judged by that of a Gaussian process on their trials.
    """
    choice = make_sampler(name, landscape.configurations, games, seed)
    study = search(choice.sampler, landscape, games // choice.games_per_trial, choice.games_per_trial, live)
    model = choice.sampler if isinstance(choice.sampler, ModelSampler) else BgpSampler(landscape.configurations)
    return 100.0 * landscape.regret(model.recommend(study))
