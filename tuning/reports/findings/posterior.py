"""The posterior of configurations, as reports ask it.

The posterior of every configuration: the model of the search, fitted again from the stored rows alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import inf
from typing import Final

import numpy as np
import optuna
import pandas as pd

from tag.tournaments.statistics.intervals import Floats
from tag.tuning.agent.objectives import MAXIMIZE
from tag.tuning.samplers.bgp import BgpSampler
from tag.tuning.samplers.noise import within
from tag.tuning.search.trials import KnownTrial, known_rows, latest, together
from tag.tuning.space import SearchSpace
from tag.tuning.space.configurations import Configuration

#: Most configurations that the model learns from; so many take seconds.
MOST_CONFIGURATIONS: Final = 1_000
#: Number of configurations per call of the model; intermediate matrices cost memory.
_AT_ONCE: Final = 256


class ConfigurationModel:
    """Posterior of the value of any configuration.

    Attributes:
        space: that was searched.
        sign: 1 where more is better, otherwise -1.
        bounds: the least and the greatest value that is possible.
        tried: the configurations that the model has learnt from.
    """

    def __init__(
        self,
        space: SearchSpace,
        tried: Sequence[KnownTrial],
        sign: float = 1.0,
        bounds: tuple[float, float] = (-inf, inf),
        shared: float = 0.0,
    ) -> None:
        """Learn from the tried configurations, in time that grows with the cube of their number.

        All values have the deviation ``shared`` in common, from the chance seeds of the search; it is no part of gains.

        Raises:
            ValueError: there are none.
        """
        self.space = space
        self.sign = sign
        self.bounds = bounds
        self._shared = shared
        self.tried = list(tried)
        self._model = BgpSampler(space.configurations)
        optuna.logging.set_verbosity(optuna.logging.WARNING)
        study = optuna.create_study(direction=MAXIMIZE, sampler=self._model)
        study.add_trials(replace(one, value=sign * one.value).of_optuna(space) for one in self.tried)
        self._model.recommend(study)

    def means(self, configurations: Sequence[Configuration]) -> Floats:
        """Return the model's mean of the value of each, shape (configurations,)."""
        return self.values(configurations)[0]

    def values(self, configurations: Sequence[Configuration]) -> tuple[Floats, Floats]:
        """Return the value and its standard deviation."""
        parts = [
            self._model.posterior(list(configurations[begin : begin + _AT_ONCE]))
            for begin in range(0, len(configurations), _AT_ONCE)
        ]
        means, deviations = (np.concatenate([part[number] for part in parts]) for number in range(2))
        means, deviations = within(self.sign * means, deviations, self.bounds)
        return means, np.hypot(deviations, self._shared)

    def gains(self, base: Configuration, others: Sequence[Configuration]) -> tuple[Floats, Floats]:
        """Return by how much each of ``others`` is better than ``base``, and the standard deviation of that.

        Positive is better, for both directions of the objective. Uncertainty that both share does not count.
        """
        means, covariance = self._model.joint([base, *others])
        variances = np.diag(covariance)
        of_gain = variances[1:] + variances[0] - 2.0 * covariance[0, 1:]
        return means[1:] - means[0], np.sqrt(np.maximum(of_gain, 0.0))

    def best(self, number: int) -> list[KnownTrial]:
        """Return the configurations that were tried with the best means, best first."""
        means = self.sign * self.means([self.space.configuration(one.spec) for one in self.tried])
        return [self.tried[place] for place in np.argsort(-means, kind="stable")[:number].tolist()]


def tried_in(trials: pd.DataFrame, known: Sequence[KnownTrial] = ()) -> list[KnownTrial]:
    """Return the configurations of a study's last search, each once, in the order of their first trials.

    Those ``known`` from earlier studies come first. Of more than `MOST_CONFIGURATIONS` these are those with the most
    games, of equals the last.
    """
    rows = latest(trials)
    found: dict[str, list[KnownTrial]] = {}
    for one in [*known, *known_rows(rows[rows["value"].notna() & (rows["games"] > 0)])]:
        found.setdefault(one.spec, []).append(one)
    sums = [together(of_spec) for of_spec in found.values()]
    order = np.argsort([one.games for one in sums], kind="stable")[-MOST_CONFIGURATIONS:]
    return [sums[place] for place in np.sort(order).tolist()]
