"""The base of samplers with a model, and what they read in a study: trials with values and games, each once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import isfinite
from threading import RLock
from typing import Any

import numpy as np
from optuna.distributions import BaseDistribution
from optuna.samplers import BaseSampler
from optuna.study import Study, StudyDirection
from optuna.trial import FrozenTrial, TrialState

from tag.tuning.space.configurations import Configuration, Configurations, draw

#: The user attribute of a trial with the number of games that its value is the mean of; 1 without it.
GAMES = "games"
#: The user attributes with the number of blocks in which these games were played, and the sample variance between the
#: values of the blocks. They give the noise of the value; without them it is estimated from the values of all trials.
BLOCKS = "blocks"
BLOCK_VARIANCE = "block_variance"


@dataclass(frozen=True)
class Seen:
    """A finished trial with the mean value of its games, and the sample variance between its blocks, 0 where not known."""

    number: int
    configuration: Configuration
    value: float
    games: float
    blocks: int = 0
    variance: float = 0.0


class Reader:
    """Reads the trials of one study, and on each reading returns those that have finished since the last."""

    def __init__(self) -> None:
        self.running: list[FrozenTrial] = []
        self._study: Study | None = None
        self._read: set[int] = set()
        self._all_read_below = 0

    def belongs_to(self, study: Study) -> bool:
        """Say whether this study is the one that has been read so far, if any."""
        return self._study is None or self._study is study

    def read(self, study: Study) -> list[Seen]:
        """Return the trials that have finished since the last reading, and note the running ones."""
        self._study = study
        sign = 1.0 if study.direction == StudyDirection.MAXIMIZE else -1.0
        trials = study.get_trials(deepcopy=False)
        found = []
        self.running = []
        for trial in trials[self._all_read_below :]:
            if trial.state == TrialState.RUNNING:
                self.running.append(trial)
            elif trial.number not in self._read and trial.state.is_finished():
                self._read.add(trial.number)
                if trial.value is not None and isfinite(trial.value):
                    attributes = trial.user_attrs
                    games, blocks = float(attributes.get(GAMES, 1)), int(attributes.get(BLOCKS, 0))
                    variance = float(attributes.get(BLOCK_VARIANCE, 0.0))
                    found.append(Seen(trial.number, trial.params, sign * trial.value, games, blocks, variance))
        while self._all_read_below in self._read:
            self._read.discard(self._all_read_below)
            self._all_read_below += 1
        return found


class ModelSampler(BaseSampler):
    """A sampler that learns a model from a study's trials and asks it for the next configuration.

    It maximises or minimises one value. The user attribute ``games`` of a trial is the number of games that its value
    is the mean of. Running trials count too, so that many can be asked for before any ends. Its whole state follows
    from the study: another sampler of the same seed continues a study that was read back.
    """

    def __init__(self, configurations: Configurations | None = None, seed: int | None = None) -> None:
        """Search ``configurations``; if omitted, the space of the study's trials."""
        self._given = configurations
        self._rng = np.random.default_rng(seed)
        self._lock = RLock()
        self._reader = Reader()
        self._known: Configurations | None = None
        self._has_learnt = False

    def reseed_rng(self) -> None:
        """Draw other numbers than the copies of this sampler in other processes."""
        self._rng = np.random.default_rng()

    def infer_relative_search_space(self, study: Study, trial: FrozenTrial) -> dict[str, BaseDistribution]:
        """Return the parameters given, or those of the study's trials, each as the newest has it."""
        self._raise_error_if_multi_objective(study)
        if self._given is not None:
            return self._given.distributions
        found: dict[str, BaseDistribution] = {}
        for past in reversed(study.get_trials(deepcopy=False, states=(TrialState.COMPLETE, TrialState.PRUNED))):
            for name, kind in past.distributions.items():
                found.setdefault(name, kind)
        return dict(sorted(found.items()))

    def sample_relative(
        self, study: Study, trial: FrozenTrial, search_space: dict[str, BaseDistribution]
    ) -> dict[str, Any]:
        """Return the next configuration; one at random as long as no trial has ended."""
        self._raise_error_if_multi_objective(study)
        if not search_space:
            return {}
        with self._lock:
            configurations = self._update(study, search_space)
            return self._next(configurations, [running for running in self._reader.running if running != trial])

    def sample_independent(
        self, study: Study, trial: FrozenTrial, param_name: str, param_distribution: BaseDistribution
    ) -> Any:
        """Draw a value by itself: of a parameter that no trial had before."""
        self._raise_error_if_multi_objective(study)
        with self._lock:
            return draw(param_distribution, self._rng)

    def recommend(self, study: Study) -> Configuration:
        """Return the configuration of the study that is the best by the model, which is seldom the best observed.

        Raises:
            ValueError: no trial has a value.
        """
        with self._lock:
            trials = study.get_trials(deepcopy=False)
            space = self.infer_relative_search_space(study, trials[-1]) if trials else {}
            configurations = self._update(study, space) if space else None
            if configurations is None or not self._has_learnt:
                raise ValueError("nothing can be recommended before a trial is complete")
            return self._best(configurations)

    def _update(self, study: Study, search_space: Mapping[str, BaseDistribution]) -> Configurations:
        """Learn from new trials; from all again if the study or the space has changed."""
        known = self._known
        if known is None or known.distributions != search_space or not self._reader.belongs_to(study):
            given = self._given
            known = given if given and given.distributions == search_space else Configurations(search_space)
            self._known = known
            self._reader = Reader()
            self._has_learnt = False
            self._begin(known)
        seen = self._reader.read(study)
        self._has_learnt = self._has_learnt or bool(seen)
        self._learn(known, [replace(one, configuration=known.active(one.configuration)) for one in seen])
        return known

    def _begin(self, configurations: Configurations) -> None:
        """Forget everything, for a study of these configurations."""
        raise NotImplementedError

    def _learn(self, configurations: Configurations, seen: list[Seen]) -> None:
        """Learn from finished trials."""
        raise NotImplementedError

    def _next(self, configurations: Configurations, running: list[FrozenTrial]) -> Configuration:
        """Return the next configuration, while some are ``running``."""
        raise NotImplementedError

    def _best(self, configurations: Configurations) -> Configuration:
        """Return the best configuration by the model."""
        raise NotImplementedError
