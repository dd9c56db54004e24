"""Landscapes from a value for each level of each parameter, for pairs of them, and for single points.

The five families:

- ``additive``: eight parameters of five levels;
- ``pairs``: seven parameters of six levels, all pairs interact;
- ``needle``: a slope that leads away from a narrow peak;
- ``cliffs``: a plateau behind thresholds;
- ``conditional``: three agents with parameters of their own.

In the first three, half of the parameters are numbers and the others choices; the order of levels means nothing in
either. All points can be listed, so the best is known exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from optuna.distributions import BaseDistribution, CategoricalDistribution, FloatDistribution, IntDistribution
from scipy.special import expit

from benchmarks.landscapes.landscape import SPREAD, Floats, Landscape
from tag.tuning.space.configurations import Configuration, Configurations

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
