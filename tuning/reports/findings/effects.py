"""Effects of parameters: their shares of the variance, alone and in pairs.

Importance of each parameter and of pairs of them: the variance of a function of configurations.

Parameters are drawn independently, each as the search draws it, also where a configuration would be refused or a
parameter has no effect. The function then is a sum of main effects, interactions of two, and so on, whose variances add
up. Main effects are means over the other parameters. Total effects count all interactions of a parameter, and are means
of squared changes (M. Jansen, "Analysis of variance designs for model output", Computer Physics Communications 117,
1999). So are the interactions of two, with all of higher order (R. Liu and A. Owen, "Estimating mean dimensionality of
analysis of variance decompositions", Journal of the American Statistical Association 101, 2006).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final

import numpy as np
import scipy
from optuna.distributions import BaseDistribution, CategoricalDistribution, IntDistribution

from tag.tournaments.statistics.intervals import Floats
from tag.tuning.space.configurations import Configuration, Configurations, from_unit, levels_of

Function = Callable[[Sequence[Configuration]], Floats]

#: Numbers of drawn configurations, in all and for means over the other parameters: powers of two fill space evenly.
_DRAWS: Final = 512
_OTHERS: Final = 32
#: Of more parameters than these, draws are fewer, down to this part.
_FEW: Final = 16
_MOST_THINNED: Final = 32
#: Most values of a parameter in a main effect; of more whole numbers, each stands for its neighbours.
_EFFECT_VALUES: Final = 32
#: Number of parameters, those with the greatest total effects, among which interactions are computed.
_MOST_INTERACTING: Final = 6


@dataclass(frozen=True)
class Importance:
    """Share of the variance that a parameter explains: by itself, and in total with all interactions it takes part in."""

    parameter: str
    main: float
    total: float


@dataclass(frozen=True)
class Interaction:
    """Share of the variance that two parameters explain together: no sum of functions without one of them does."""

    parameters: tuple[str, str]
    share: float


@dataclass(frozen=True)
class Effects:
    """Importance of all parameters, and the interactions of those with the greatest total effects; the greatest first."""

    parameters: list[Importance]
    interactions: list[Interaction]


def effects_of(function: Function, configurations: Configurations, seed: int = 0) -> Effects:
    """Return the parameter importance of a function of many configurations, from draws that follow from a ``seed``."""
    names = list(configurations.distributions)
    thinned = _thinned(len(names))
    ones, others = _evenly(configurations, seed, _DRAWS // thinned)

    def values(moved: Sequence[str]) -> Floats:
        """Return the values of the ones, with some parameters as in the others."""
        return function([
            configurations.active({**one, **{name: other[name] for name in moved}})
            for one, other in zip(ones, others, strict=True)
        ])  # fmt: skip

    still, single = values([]), {name: values([name]) for name in names}
    variance = max(float(np.var([still, *single.values()])), 1e-12)
    total = {name: 0.5 * float(np.mean((still - single[name]) ** 2)) / variance for name in names}
    rest = ones[: _OTHERS // thinned]
    main = {name: _main_variance(function, configurations, rest, name) / variance for name in names}
    most = sorted(names, key=lambda name: -total[name])[:_MOST_INTERACTING]
    pairs = [
        Interaction(
            (first, second),
            0.25 * float(np.mean((still - single[first] - single[second] + values([first, second])) ** 2)) / variance,
        )
        for first, second in combinations([name for name in names if name in most], 2)
    ]
    return Effects(
        sorted((Importance(name, main[name], total[name]) for name in names), key=lambda one: -one.main),
        sorted(pairs, key=lambda pair: -pair.share),
    )


def _thinned(parameters: int) -> int:
    """Return by what power of two draws are fewer where parameters are many, so that their number stays about the same."""
    return min(1 << ((parameters - 1) // _FEW).bit_length(), _MOST_THINNED)


def grid(kind: BaseDistribution, most: int) -> list[Any]:
    """Return at most so many values of a parameter, all where there are no more, otherwise spread over its range.

    >>> grid(IntDistribution(2, 12), 20), grid(IntDistribution(1, 100, log=True), 5)
    ([2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], [1, 2, 7, 27, 100])
    """
    if isinstance(kind, IntDistribution) and (kind.high - kind.low) // kind.step < most:
        return list(range(kind.low, kind.high + 1, kind.step))
    return levels_of(kind, most)


def _main_variance(
    function: Function, configurations: Configurations, others: Sequence[Configuration], name: str
) -> float:
    """Return the variance, over the values of a parameter, of the mean over the other parameters."""
    values = _equally_probable(configurations.distributions[name])
    moved = [configurations.active({**other, name: value}) for value in values for other in others]
    means = function(moved).reshape(len(values), len(others)).mean(axis=1)
    return float(means.var())


def _equally_probable(kind: Any) -> list[Any]:
    """Return values of a parameter that stand for all; where these are not evenly spread, some more than once."""
    if not isinstance(kind, CategoricalDistribution) and (
        kind.log or len(grid(kind, _EFFECT_VALUES + 1)) > _EFFECT_VALUES
    ):
        return [_quantile(kind, (place + 0.5) / _EFFECT_VALUES) for place in range(_EFFECT_VALUES)]
    return grid(kind, _EFFECT_VALUES)


def _evenly(configurations: Configurations, seed: int, draws: int) -> tuple[list[Configuration], list[Configuration]]:
    """Draw configurations twice, with the parameters that have no effect, so that they fill the space of pairs evenly."""
    kinds = configurations.distributions
    points = scipy.stats.qmc.Sobol(2 * len(kinds), seed=np.random.default_rng(seed)).random(draws)
    ones, others = (
        [
            {name: _quantile(kind, share) for (name, kind), share in zip(kinds.items(), row, strict=True)}
            for row in half.tolist()
        ]
        for half in np.split(points, 2, axis=1)
    )
    return ones, others


def _quantile(kind: Any, share: float) -> Any:
    """Return the value of a parameter below which this share of the draws of the search lies."""
    if isinstance(kind, CategoricalDistribution):
        return kind.choices[int(share * len(kind.choices))]
    if isinstance(kind, IntDistribution) and not kind.log:
        return kind.low + kind.step * int(share * ((kind.high - kind.low) // kind.step + 1))
    return from_unit(kind, share)
