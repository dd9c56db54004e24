"""What a study's trials tell of every configuration: the model of the search once more, from the stored rows alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import Final

import numpy as np
import numpy.typing as npt
import optuna
import pandas as pd

from tuning.configurations import Configuration
from tuning.judge import known_trial
from tuning.models.bounds import within
from tuning.objectives import MAXIMIZE, bounds_of, direction_of
from tuning.results import StudyResults
from tuning.samplers import BgpSampler
from tuning.search_space import SearchSpace
from tuning.trials import latest
from tuning.warm_start import KnownTrial, known_rows, read_known_trials, together

Floats = npt.NDArray[np.float64]

#: Of more configurations the model knows these, which takes seconds.
MOST_CONFIGURATIONS: Final = 1_000
#: So many configurations are asked about at a time: what lies between costs memory.
_AT_ONCE: Final = 256


@dataclass(frozen=True)
class Tried:
    """A configuration and all of its games.

    Attributes:
        spec: of the agent.
        configuration: what is searched, by name.
        games: that count, of all of its trials.
        value: of the objective in them.
        blocks: in which they were played; 0 where that is not known.
        block_variance: the sample variance between the values of blocks.
    """

    spec: str
    configuration: Configuration
    games: int
    value: float
    blocks: int = 0
    block_variance: float = 0.0


class Posterior:
    """What is known of the value of any configuration.

    Attributes:
        space: that was searched.
        sign: 1 where more is better, otherwise -1.
        bounds: the least and the greatest value that there can be.
        tried: what the model has learnt from.
    """

    def __init__(
        self,
        space: SearchSpace,
        tried: Sequence[Tried],
        sign: float = 1.0,
        bounds: tuple[float, float] = (-inf, inf),
    ) -> None:
        """Learn from what was tried, which the model takes the cube of in time.

        Raises:
            ValueError: nothing was.
        """
        self.space = space
        self.sign = sign
        self.bounds = bounds
        self.tried = list(tried)
        self._model = BgpSampler(space.configurations)
        optuna.logging.set_verbosity(optuna.logging.WARNING)
        study = optuna.create_study(direction=MAXIMIZE, sampler=self._model)
        study.add_trials(
            known_trial(space, one.configuration, sign * one.value, one.games, one.blocks, one.block_variance)
            for one in self.tried
        )
        self._model.recommend(study)

    def means(self, configurations: Sequence[Configuration]) -> Floats:
        """Return what the model takes the value of each to be, shape (configurations,)."""
        return self.values(configurations)[0]

    def values(self, configurations: Sequence[Configuration]) -> tuple[Floats, Floats]:
        """Return the same and its standard deviation."""
        parts = [
            self._model.posterior(list(configurations[begin : begin + _AT_ONCE]))
            for begin in range(0, len(configurations), _AT_ONCE)
        ]
        means, deviations = (np.concatenate([part[number] for part in parts]) for number in range(2))
        return within(self.sign * means, deviations, self.bounds)

    def gains(self, base: Configuration, others: Sequence[Configuration]) -> tuple[Floats, Floats]:
        """Return by how much each of ``others`` is better than ``base``, and the standard deviation of that.

        Positive is better, whichever way the objective goes. What the model is unsure of in both does not count.
        """
        means, covariance = self._model.joint([base, *others])
        variances = np.diag(covariance)
        of_gain = variances[1:] + variances[0] - 2.0 * covariance[0, 1:]
        return means[1:] - means[0], np.sqrt(np.maximum(of_gain, 0.0))

    def best(self, number: int) -> list[Tried]:
        """Return the configurations that were tried with the best means, best first."""
        means = self.sign * self.means([one.configuration for one in self.tried])
        return [self.tried[place] for place in np.argsort(-means, kind="stable")[:number].tolist()]


def posterior_of(results: StudyResults) -> Posterior | None:
    """Return what a study knows, by its own trials and those of earlier studies; None where no trial has a value."""
    definition = results.manifest.definition
    if results.trials.empty or results.trials["value"].isna().all():
        return None
    sign = 1.0 if direction_of(definition.objectives[0]) == MAXIMIZE else -1.0
    tried = tried_in(definition.space, results.trials, read_known_trials(results.folder))
    return Posterior(definition.space, tried, sign, bounds_of(definition.objectives[0]))


def tried_in(space: SearchSpace, trials: pd.DataFrame, known: Sequence[KnownTrial] = ()) -> list[Tried]:
    """Return the configurations of a study's last search, each once, in the order of their first trials.

    Of more than `MOST_CONFIGURATIONS` these are those with the most games, of equals the last.

    Args:
        space: that was searched.
        trials: of the study.
        known: those of earlier studies, which come first.
    """
    rows = latest(trials)
    found: dict[str, list[KnownTrial]] = {}
    for one in [*known, *known_rows(rows[rows["value"].notna() & (rows["games"] > 0)])]:
        found.setdefault(one.spec, []).append(one)
    sums = [together(of_spec) for of_spec in found.values()]
    order = np.argsort([one.games for one in sums], kind="stable")[-MOST_CONFIGURATIONS:]
    return [
        Tried(one.spec, space.configuration(one.spec), one.games, one.value, one.blocks, one.block_variance)
        for one in (sums[place] for place in np.sort(order).tolist())
    ]
