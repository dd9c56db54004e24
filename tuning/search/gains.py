"""Gains of the changes that a recommendation makes to the default, where some are luck of the model.

The best configuration by the model differs from the default in nearly all parameters: also of one without any effect some
value looks best. The trials alone cannot say which changes these are, as the search has few configurations that differ in
one of them only. So those that the model finds least certain return to the default only while it believes to lose
little. Games on seeds of their own decide on the others, before the validation:

1. Pairs of configurations share a chance seed. One has a random half of the changes, the other the rest. So each pair says
   something about each change, and the gains are the coefficients of a regression. Their prior is the model's belief.
2. All changes whose gain is not shown return to the default at once. As many small gains can be lost together, the
   recommendation plays against its version without them, by the sequential test of a validation. If it is shown to be
   better, the best shown of these changes returns, and the rest is tried once more. If it is better again, only changes
   that are believed to do harm are taken back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Self

import numpy as np

from tag.tournaments.statistics.intervals import Floats
from tag.tournaments.statistics.numerics import one_thread
from tag.tuning.samplers.bgp import BgpSampler
from tag.tuning.space.configurations import Configuration, Configurations

#: Draws of a pair before one is given up, on average, where constraints forbid most.
_TRIES: Final = 10
_JITTER: Final = 1e-9

#: The probability of a gain is 99 % where a change is so many standard deviations better.
SHOWN: Final = 2.33
#: The share of the believed gain over the default that may be lost without games: before these, and where there are none.
LOST_BEFORE_GAMES: Final = 0.02
LOST_WITHOUT_GAMES: Final = 0.1


@dataclass(frozen=True, eq=False)
class Gains:
    """What is believed of the gains of some changes: a normal law; more is better.

    Attributes:
        names: the changed parameters.
        means: of their gains, shape (changes,).
        covariance: of the gains, shape (changes, changes).
    """

    names: tuple[str, ...]
    means: Floats
    covariance: Floats

    @classmethod
    def by_the_model(
        cls, model: BgpSampler, configurations: Configurations, best: Configuration, default: Mapping[str, Any]
    ) -> Self:
        """Return what the model of the search believes of each change of ``best`` alone."""
        names = changes(configurations, best, default)
        means, covariance = model.joint([best, *(reverted(configurations, best, default, [name]) for name in names)])
        of_best = covariance[0, 0] - covariance[0, 1:] - covariance[1:, :1]
        return cls(tuple(names), means[0] - means[1:], covariance[1:, 1:] + of_best)

    def after(self, signs: Floats, differences: Floats) -> Self:
        """Return what is believed after games of pairs of configurations.

        Args:
            signs: 1 where the first of a pair has a change, -1 where the second has it, shape (pairs, changes).
            differences: of their values, first less second, shape (pairs,).
        """
        pairs, n = signs.shape
        if not pairs or not differences.any():
            return self
        prior = self.covariance + _JITTER * float(np.trace(self.covariance) / n) * np.eye(n)
        rest, free = differences, pairs
        with one_thread():
            if pairs >= 2 * n:
                rest, free = differences - signs @ np.linalg.lstsq(signs, differences, rcond=None)[0], pairs - n
            noise = float(rest @ rest) / free
            weight = np.linalg.solve(signs @ prior @ signs.T + noise * np.eye(pairs), signs @ prior).T
            means = self.means + weight @ (differences - signs @ self.means)
            covariance = prior - weight @ signs @ prior
        return type(self)(self.names, means, covariance)

    @property
    def certainty(self) -> dict[str, float]:
        """How many standard deviations each gain is from 0, the least first."""
        found = self.means / np.sqrt(np.maximum(np.diag(self.covariance), 1e-18))
        pairs = zip(self.names, found.tolist(), strict=True)
        return dict(sorted(pairs, key=lambda pair: pair[1]))

    def below(self, certainty: float) -> list[str]:
        """Return the changes with less certainty, the least shown first."""
        return [name for name, found in self.certainty.items() if found < certainty]


def without_idle_changes(
    model: BgpSampler,
    configurations: Configurations,
    best: Configuration,
    default: Mapping[str, Any],
    lost: float = LOST_WITHOUT_GAMES,
) -> Configuration:
    """Return ``best`` without the least certain changes to ``default``, while the model believes to lose little.

    Args:
        model: that has been asked for its recommendation.
        configurations: the space.
        best: a valid configuration.
        default: a value of each parameter, also of those without an effect.
        lost: the share of the believed gain that may be lost.
    """
    if not changes(configurations, best, default):
        return best
    order = list(Gains.by_the_model(model, configurations, best, default).certainty)
    left = [reverted(configurations, best, default, order[:number]) for number in range(len(order) + 1)]
    means, _deviations = model.posterior([*left, configurations.active(default)])
    least = means[0] - lost * max(means[0] - means[-1], 0.0)
    return [one for one, mean in zip(left, means[:-1], strict=True) if mean >= least and configurations.is_valid(one)][
        -1
    ]


def changes(configurations: Configurations, best: Configuration, default: Mapping[str, Any]) -> list[str]:
    """Return the parameters with an effect in ``best`` whose value is not the default's."""
    return [name for name in configurations.distributions if name in best and best[name] != default[name]]


def reverted(
    configurations: Configurations, best: Configuration, default: Mapping[str, Any], names: Sequence[str]
) -> Configuration:
    """Return ``best`` with the default's values of some parameters; it need not be valid."""
    return configurations.active({**default, **best, **{name: default[name] for name in names}})


@dataclass(frozen=True)
class Pair:
    """Two valid configurations, each with the default's values where the other has its changes.

    Attributes:
        signs: 1 where the first has a change, otherwise -1.
    """

    signs: tuple[float, ...]
    first: Configuration
    second: Configuration


def pairs_of(
    configurations: Configurations, best: Configuration, default: Mapping[str, Any], number: int, seed: int
) -> list[Pair]:
    """Return random pairs for the changes of ``best``; fewer where constraints forbid most of them."""
    names, rng, found = changes(configurations, best, default), np.random.default_rng(seed), list[Pair]()
    for _try in range(_TRIES * number):
        signs = rng.choice((1.0, -1.0), len(names))
        first, second = (
            reverted(
                configurations, best, default, [name for name, one in zip(names, signs, strict=True) if one == side]
            )
            for side in (-1.0, 1.0)
        )
        if configurations.is_valid(first) and configurations.is_valid(second):
            found.append(Pair(tuple(signs.tolist()), first, second))
        if len(found) == number:
            break
    return found
