"""What a study's trials tell of every configuration: the model of the search once more, from the stored rows alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
import optuna
import pandas as pd

from tuning.configurations import Configuration
from tuning.judge import known_trial
from tuning.objectives import MAXIMIZE, direction_of
from tuning.results import StudyResults
from tuning.samplers import BgpSampler
from tuning.search_space import SearchSpace
from tuning.trials import latest
from tuning.warm_start import KnownTrial, read_known_trials

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
    """

    spec: str
    configuration: Configuration
    games: int
    value: float


class Posterior:
    """What is known of the value of any configuration.

    Attributes:
        space: that was searched.
        sign: 1 where more is better, otherwise -1.
        tried: what the model has learnt from.
    """

    def __init__(self, space: SearchSpace, tried: Sequence[Tried], sign: float = 1.0) -> None:
        """Learn from what was tried, which the model takes the cube of in time.

        Raises:
            ValueError: nothing was.
        """
        self.space = space
        self.sign = sign
        self.tried = list(tried)
        self._model = BgpSampler(space.configurations)
        optuna.logging.set_verbosity(optuna.logging.WARNING)
        study = optuna.create_study(direction=MAXIMIZE, sampler=self._model)
        study.add_trials(known_trial(space, one.configuration, sign * one.value, one.games) for one in self.tried)
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
        return self.sign * means, deviations

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
    return Posterior(
        definition.space, tried_in(definition.space, results.trials, read_known_trials(results.folder)), sign
    )


def tried_in(space: SearchSpace, trials: pd.DataFrame, known: Sequence[KnownTrial] = ()) -> list[Tried]:
    """Return the configurations of a study's last search, each once, in the order of their first trials.

    Of more than `MOST_CONFIGURATIONS` these are those with the most games, of equals the last.

    Args:
        space: that was searched.
        trials: of the study.
        known: those of earlier studies, which come first.
    """
    rows = latest(trials)
    rows = pd.concat([pd.DataFrame([vars(one) for one in known]), rows[rows["value"].notna() & (rows["games"] > 0)]])
    sums = rows.assign(sum=rows["value"] * rows["games"]).groupby("spec", sort=False)[["games", "sum"]].sum()
    order = np.lexsort((np.arange(len(sums)), sums["games"]))[-MOST_CONFIGURATIONS:]
    sums = sums.iloc[np.sort(order)]
    return [
        Tried(str(spec), space.configuration(str(spec)), int(games), float(total) / int(games))
        for spec, games, total in zip(sums.index, sums["games"], sums["sum"], strict=True)
    ]
