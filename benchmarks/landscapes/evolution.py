"""Evolution landscapes: parameters like those of rolling horizon evolution, smooth effects, some interactions.

The default configuration wins half of its games on every landscape; the best of the twenty of the benchmark win 54 to
71 %.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import exp, log
from typing import Any, Final

import numpy as np
from optuna.distributions import CategoricalDistribution, FloatDistribution, IntDistribution

from benchmarks.landscapes.landscape import SPREAD, Landscape
from tag.tuning.space.configurations import Configuration, Configurations

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
