"""A sampler for bands: costs are drawn from what is believed of every measure, and the candidate with the least is next."""

from __future__ import annotations

from typing import Final

import numpy as np
from optuna.trial import FrozenTrial

from tuning.balance.model import CandidateModel
from tuning.configurations import Configuration, Configurations
from tuning.samplers import ModelSampler
from tuning.samplers._seen import Seen

#: Candidates drawn at random before the model is asked, per parameter and at least.
_STARTUP_PER_PARAMETER: Final = 3
_STARTUP: Final = 8
#: What the model is asked about: as many at random, so many of the best, and the neighbours of each of these.
_RANDOM: Final = 100
_BEST: Final = 6
_NEIGHBOURS: Final = 12


class BandSampler(ModelSampler):
    """Thompson sampling with a model of the measures, which whoever plays the games keeps up to date."""

    def __init__(self, configurations: Configurations, seed: int, model: CandidateModel) -> None:
        """Search ``configurations`` by a model of them."""
        super().__init__(configurations, seed)
        self._model = model

    def _begin(self, configurations: Configurations) -> None:
        """Know nothing but the model."""

    def _learn(self, configurations: Configurations, seen: list[Seen]) -> None:
        """Leave that to the model, which knows more of trials than their cost."""

    def _next(self, configurations: Configurations, running: list[FrozenTrial]) -> Configuration:
        startup = max(_STARTUP, _STARTUP_PER_PARAMETER * len(configurations.distributions))
        if len(self._model.seen) + len(running) < startup or not self._model.seen:
            return configurations.draw(self._rng)
        candidates = self._candidates(configurations)
        drawn = self._model.drawn_costs(candidates, 1, self._rng)[0]
        return candidates[int(self._rng.choice(np.flatnonzero(drawn <= drawn.min())))]  # often, many cost nothing

    def _best(self, configurations: Configurations) -> Configuration:
        return self._model.ranked()[0]

    def _candidates(self, configurations: Configurations) -> list[Configuration]:
        best = self._model.ranked()[:_BEST]
        near = [configurations.neighbour(one, self._rng) for one in best for _ in range(_NEIGHBOURS)]
        drawn = [configurations.draw(self._rng) for _ in range(_RANDOM)]
        return list({tuple(sorted(one.items())): one for one in [*best, *near, *drawn]}.values())
