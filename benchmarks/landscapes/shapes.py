"""Landscapes of seven hard shapes, each with random instances.

- ``mixed``: numbers and choices, with interactions between any two kinds;
- ``deceptive``: a broad hill that leads away from a narrower, higher peak;
- ``ridge``: only a narrow line, curve or chain through some numbers wins, and one of its ends wins most;
- ``sparse``: thirty parameters of which four have an effect, two of them together;
- ``heteroscedastic``: games that are decided by luck in some places, and shared out in others;
- ``correlated``: the games of a block nearly have one result;
- ``non_transitive``: three opponents, who are beaten by different styles.

The best is found by climbs from many points, and from the planted peak where there is one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from optuna.distributions import BaseDistribution, CategoricalDistribution, FloatDistribution, IntDistribution
from scipy.special import expit, ndtri

from benchmarks.landscapes.landscape import BLOCK_GAMES, Floats, Landscape
from tag.tuning.space.configurations import Configuration, Configurations, from_unit, to_unit

Ints = npt.NDArray[np.int64]
Rng = np.random.Generator
#: Win rates at points, shape (points, parameters): numbers scaled to 0..1, choices by number.
Rates = Callable[[Floats], Floats]

_DRAWN: Final = 20_000
_CLIMBS: Final = 60
_STEPS: Final = 300


@dataclass(frozen=True)
class Shape:
    """A drawn instance.

    Attributes:
        kinds: the parameters by name.
        rates: the true win rates.
        peak: a point near the best; None where none is planted.
        shared_luck: between games of one block.
        lottery: the share of a game's value that is won or lost at once, at points; None for all of it.
        by_opponent: win rates against each opponent, who take turns from block to block; None for one opponent.
    """

    kinds: dict[str, BaseDistribution]
    rates: Rates
    peak: Floats | None = None
    shared_luck: float = 0.3
    lottery: Rates | None = None
    by_opponent: Sequence[Rates] | None = None


class ShapedLandscape(Landscape):
    """A landscape with one of `SHAPES`."""

    def __init__(self, family: str, seed: int, repetition: int = 0) -> None:
        """Draw a landscape; each ``repetition`` has other luck in its games."""
        number = list(SHAPES).index(family)
        super().__init__(np.random.default_rng([99999, number, seed, repetition]))
        rng = np.random.default_rng([3000, number, seed])
        self._shape = SHAPES[family](rng, seed)
        self.shared_luck = self._shape.shared_luck
        self.configurations = Configurations(self._shape.kinds)
        self._sizes = np.array(
            [
                len(kind.choices) if isinstance(kind, CategoricalDistribution) else 0
                for kind in self._shape.kinds.values()
            ]
        )
        points = self._drawn(rng, _DRAWN)
        rates = self._shape.rates(points)
        self.default = self._configuration(points[int(np.argsort(rates)[len(rates) // 2])])
        self.best = self._climbed(points[np.argsort(-rates)[:_CLIMBS]], rng)

    def win_rate(self, configuration: Configuration) -> float:
        """Return the true win rate."""
        return float(self._shape.rates(self._point(configuration)[None])[0])

    def play(self, configuration: Configuration, games: int) -> Floats:
        """Return the mean value of each block of a trial, in blocks that no other trial plays."""
        begin = -(-self.games // BLOCK_GAMES) * BLOCK_GAMES
        values = self.games_at(configuration, range(begin, begin + games))
        starts = np.arange(0, games, BLOCK_GAMES)
        means: Floats = np.add.reduceat(values, starts) / np.minimum(games - starts, BLOCK_GAMES)
        return means

    def values_of(self, configuration: Configuration, luck: Floats, blocks: Ints) -> Floats:
        """Return the values of games with so much luck: with a lottery also values between 0 and 1."""
        shape, point = self._shape, self._point(configuration)[None]
        rates = np.full(len(luck), float(shape.rates(point)[0]))
        if shape.by_opponent is not None:
            against = np.array([float(rate(point)[0]) for rate in shape.by_opponent])
            rates = against[blocks % len(against)]
        won: Floats = (luck < ndtri(rates)).astype(np.float64)
        if shape.lottery is None:
            return won
        found: Floats = rates + float(shape.lottery(point)[0]) * (won - rates)
        return found

    def _drawn(self, rng: Rng, n: int) -> Floats:
        points = rng.random((n, len(self._sizes)))
        found: Floats = np.where(self._sizes > 0, np.floor(points * np.maximum(self._sizes, 1)), points)
        return found

    def _climbed(self, points: Floats, rng: Rng) -> float:
        """Return the greatest win rate that small random changes lead to."""
        if self._shape.peak is not None:
            points = np.vstack([points, self._shape.peak])
        rates = self._shape.rates(points)
        for step in range(_STEPS):
            changed = rng.random(points.shape) < max(0.3, 1.0 / points.shape[1])
            moved = np.clip(points + 0.2 * 0.98**step * rng.normal(size=points.shape), 0.0, 1.0)
            drawn = np.floor(rng.random(points.shape) * np.maximum(self._sizes, 1))
            tried = np.where(changed, np.where(self._sizes > 0, drawn, moved), points)
            found = self._shape.rates(tried)
            points, rates = np.where((found > rates)[:, None], tried, points), np.maximum(found, rates)
        return float(rates.max())

    def _point(self, configuration: Configuration) -> Floats:
        kinds: dict[str, Any] = self._shape.kinds
        return np.array(
            [
                kind.choices.index(configuration[name]) if size else to_unit(kind, configuration[name])
                for (name, kind), size in zip(kinds.items(), self._sizes.tolist(), strict=True)
            ],
            dtype=np.float64,
        )

    def _configuration(self, point: Floats) -> Configuration:
        kinds: dict[str, Any] = self._shape.kinds
        return {
            name: kind.choices[int(place)] if size else from_unit(kind, place)
            for (name, kind), size, place in zip(kinds.items(), self._sizes.tolist(), point.tolist(), strict=True)
        }


def _numbers(n: int, first: int = 0) -> dict[str, BaseDistribution]:
    """Return floats, whole numbers and logarithmic ones in turn."""
    makes: list[Callable[[], BaseDistribution]] = [
        lambda: FloatDistribution(0.0, 1.0),
        lambda: IntDistribution(1, 40),
        lambda: FloatDistribution(0.01, 10.0, log=True),
    ]
    return {f"n{first + at}": makes[at % 3]() for at in range(n)}


def _choices(sizes: Sequence[int]) -> dict[str, BaseDistribution]:
    return {
        f"c{at}": CategoricalDistribution([f"{at}{level}" for level in range(size)]) for at, size in enumerate(sizes)
    }


def _within(low: float, high: float, values: Rates, rng: Rng, kinds: dict[str, BaseDistribution]) -> Rates:
    """Return ``values`` as win rates: logits whose 5 % and 99.9 % quantiles over the space are those of these rates."""
    sizes = np.array([len(one.choices) if isinstance(one, CategoricalDistribution) else 0 for one in kinds.values()])
    points = rng.random((_DRAWN, len(sizes)))
    found = values(np.where(sizes > 0, np.floor(points * np.maximum(sizes, 1)), points))
    begin, end = np.quantile(found, [0.05, 0.999])
    least, most = np.log(low / (1.0 - low)), np.log(high / (1.0 - high))

    def rates(points: Floats) -> Floats:
        return np.asarray(expit(least + (most - least) * (values(points) - begin) / (end - begin)))

    return rates


def _mixed_values(rng: Rng, numbers: int, sizes: Sequence[int], together: float) -> Rates:
    """Return bumps over numbers whose tops depend on the choices, levels of choices, and products of pairs of numbers."""
    tops, widths = rng.uniform(0.1, 0.9, numbers), rng.uniform(0.5, 3.0, numbers)
    moved = [rng.normal(0.0, 0.25 * together, (size, numbers)) for size in sizes]
    levels = [rng.normal(0.0, 0.35, size) for size in sizes]
    tables = {
        (one, other): together * rng.normal(0.0, 0.35, (sizes[one], sizes[other]))
        for one in range(len(sizes))
        for other in range(one + 1, len(sizes))
    }
    products = together * np.triu(rng.normal(0.0, 1.0, (numbers, numbers)), 1)

    def values(points: Floats) -> Floats:
        x, chosen = points[:, :numbers], points[:, numbers:].astype(np.int64)
        top = tops + sum((moved[at][chosen[:, at]] for at in range(len(sizes))), np.zeros(numbers))
        found = -(widths * (x - top) ** 2).sum(axis=1) + np.einsum("ni,ij,nj->n", x - 0.5, products, x - 0.5)
        for at, level in enumerate(levels):
            found += level[chosen[:, at]]
        for (one, other), pair in tables.items():
            found += pair[chosen[:, one], chosen[:, other]]
        return np.asarray(found)

    return values


def _mixed(rng: Rng, _seed: int) -> Shape:
    kinds = {**_numbers(5), **_choices([4, 3, 2])}
    return Shape(kinds, _within(0.2, 0.65, _mixed_values(rng, 5, [4, 3, 2], 1.0), rng, kinds))


def _deceptive(rng: Rng, _seed: int) -> Shape:
    n = int(rng.integers(4, 7))
    trap, peak = rng.uniform(0.15, 0.35, n), rng.uniform(0.65, 0.9, n)
    is_turned = rng.random(n) < 0.5
    trap, peak = np.where(is_turned, 1.0 - trap, trap), np.where(is_turned, 1.0 - peak, peak)
    broad, narrow = 0.35 * np.sqrt(n / 2.0), rng.uniform(0.13, 0.17) * np.sqrt(n / 2.0)
    top = rng.uniform(0.62, 0.75)

    def rates(points: Floats) -> Floats:
        hill = np.exp(-0.5 * (((points - trap) / broad) ** 2).sum(axis=1))
        needle = np.exp(-0.5 * (((points - peak) / narrow) ** 2).sum(axis=1))
        return np.asarray(0.2 + np.maximum(0.35 * hill, (top - 0.2) * needle))

    return Shape(_numbers(n), rates, peak)


def _ridge(rng: Rng, seed: int) -> Shape:
    """A line between two of five numbers, a curve, or a chain of three, with weak effects of the others."""
    n, width, high = 5, rng.uniform(0.025, 0.05), rng.uniform(0.7, 0.9)
    order = rng.permutation(n)
    kind, slopes = seed % 3, rng.choice((-1.0, 1.0), 2) * rng.uniform(0.5, 1.0, 2)
    end, others, shifts = rng.uniform(0.1, 0.9), rng.uniform(0.1, 0.9, n), rng.uniform(-0.12, 0.12, 2)

    def rates(points: Floats) -> Floats:
        x = points[:, order] - 0.5
        if kind == 1:
            off = x[:, 1] - shifts[0] - slopes[0] * (2.0 * x[:, 0] ** 2 - 0.25)
        else:
            off = x[:, 1] - shifts[0] - slopes[0] * x[:, 0]
        if kind == 2:
            off = np.hypot(off, x[:, 2] - shifts[1] - slopes[1] * x[:, 0]) / 2.0
        along = 0.35 + 0.65 * np.exp(-0.5 * ((x[:, 0] + 0.5 - end) / 0.25) ** 2)
        rest = np.exp(-0.4 * ((points[:, order[3:]] - others[3:]) ** 2).sum(axis=1))
        return np.asarray(0.1 + (high - 0.1) * np.exp(-0.5 * (off / width) ** 2) * along * rest)

    return Shape(_numbers(n), rates)


def _sparse(rng: Rng, _seed: int) -> Shape:
    sizes = [3] * 8
    kinds = {**_numbers(22), **_choices(sizes)}
    active, choice = rng.choice(22, 3, replace=False), 22 + int(rng.integers(8))
    tops, widths = rng.uniform(0.1, 0.9, 3), rng.uniform(1.5, 3.0, 3)
    levels, product = rng.normal(0.0, 0.5, 3), rng.choice((-1.0, 1.0)) * rng.uniform(2.0, 3.0)

    def values(points: Floats) -> Floats:
        x = points[:, active]
        found = -(widths * (x - tops) ** 2).sum(axis=1) + product * (x[:, 0] - 0.5) * (x[:, 1] - 0.5)
        return np.asarray(found + levels[points[:, choice].astype(np.int64)])

    return Shape(kinds, _within(0.25, 0.7, values, rng, kinds))


def _heteroscedastic(rng: Rng, _seed: int) -> Shape:
    kinds = {**_numbers(4), **_choices([3, 3])}
    at, turned = int(rng.integers(4)), bool(rng.random() < 0.5)

    def lottery(points: Floats) -> Floats:
        place = 1.0 - points[:, at] if turned else points[:, at]
        return np.asarray(0.15 + 0.85 * place**2)

    rates = _within(0.2, 0.65, _mixed_values(rng, 4, [3, 3], 0.7), rng, kinds)
    return Shape(kinds, rates, lottery=lottery)


def _correlated(rng: Rng, _seed: int) -> Shape:
    kinds = {**_numbers(4), **_choices([3, 3])}
    return Shape(kinds, _within(0.25, 0.65, _mixed_values(rng, 4, [3, 3], 0.7), rng, kinds), shared_luck=0.85)


def _non_transitive(rng: Rng, _seed: int) -> Shape:
    """Each style beats one opponent and loses to another; what is best of the numbers depends on the opponent."""
    kinds = {**_numbers(4), **_choices([3, 3])}
    parts = [_within(0.25, 0.65, _mixed_values(rng, 4, [3, 3], 0.7), rng, kinds) for _opponent in range(3)]
    shift = rng.uniform(0.8, 1.4)

    def against(opponent: int) -> Rates:
        def rates(points: Floats) -> Floats:
            style = points[:, 4].astype(np.int64)
            beats = np.array([0.0, 1.0, -1.0])[(style - opponent) % 3]
            own = parts[opponent](points)
            return np.asarray(expit(np.log(own / (1.0 - own)) + shift * beats))

        return rates

    each = [against(opponent) for opponent in range(3)]
    return Shape(kinds, lambda points: np.mean([rate(points) for rate in each], axis=0), by_opponent=each)


SHAPES: Final[dict[str, Callable[[Rng, int], Shape]]] = {
    "mixed": _mixed,
    "deceptive": _deceptive,
    "ridge": _ridge,
    "sparse": _sparse,
    "heteroscedastic": _heteroscedastic,
    "correlated": _correlated,
    "non_transitive": _non_transitive,
}
