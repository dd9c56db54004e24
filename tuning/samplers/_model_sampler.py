"""What samplers with a model of their own have in common."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from threading import RLock
from typing import Any

import numpy as np
from optuna.distributions import BaseDistribution
from optuna.samplers import BaseSampler
from optuna.study import Study
from optuna.trial import FrozenTrial, TrialState

from tuning.configurations import Configuration, Configurations, draw
from tuning.samplers._seen import Reader, Seen


class ModelSampler(BaseSampler):
    """A sampler that learns a model from a study's trials and asks it for the next configuration.

    It maximises or minimises one value. Trials may say in their user attribute ``games`` how many games their value is
    the mean of. Trials that are running count as such, so that many can be asked for before any is told. All it knows
    it has from the study: another sampler of the same seed goes on with a study that was read back.
    """

    def __init__(self, configurations: Configurations | None = None, seed: int | None = None) -> None:
        """Search ``configurations``, or whatever the study's trials are found to have been drawn from."""
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
        """Return the next configuration; one at random as long as nothing is known."""
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
            ValueError: nothing has been observed.
        """
        with self._lock:
            trials = study.get_trials(deepcopy=False)
            space = self.infer_relative_search_space(study, trials[-1]) if trials else {}
            configurations = self._update(study, space) if space else None
            if configurations is None or not self._has_learnt:
                raise ValueError("nothing can be recommended before a trial is complete")
            return self._best(configurations)

    def _update(self, study: Study, search_space: Mapping[str, BaseDistribution]) -> Configurations:
        """Learn what is new; everything again where study or space are others than before."""
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

    # --- what a sampler implements ----------------------------------------------------------------------------------

    def _begin(self, configurations: Configurations) -> None:
        """Forget everything, for a study of these configurations."""
        raise NotImplementedError

    def _learn(self, configurations: Configurations, seen: list[Seen]) -> None:
        """Take note of finished trials."""
        raise NotImplementedError

    def _next(self, configurations: Configurations, running: list[FrozenTrial]) -> Configuration:
        """Return the next configuration, while some are ``running``."""
        raise NotImplementedError

    def _best(self, configurations: Configurations) -> Configuration:
        """Return the best configuration by the model."""
        raise NotImplementedError
