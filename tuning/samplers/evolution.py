"""NSGA-II for studies of few trials: its population follows from their number, and pruned trials belong to it."""

from __future__ import annotations

from collections import Counter
from math import isqrt
from typing import Final

from optuna.samplers import NSGAIISampler
from optuna.study import Study
from optuna.trial import FrozenTrial, TrialState

#: Parents and children differ from two pairs on.
_SMALLEST: Final = 4
#: Optuna's own population, which thousands of trials fill.
_LARGEST: Final = 50
#: A pruned trial has the value of its games so far: noisier, but right about the order more often than not.
_ENDED: Final = (TrialState.COMPLETE, TrialState.PRUNED)


def population_of(trials: int) -> int:
    """Return the population of a study with so many trials: as many generations as there are members, up to Optuna's 50.

    >>> population_of(20), population_of(100), population_of(10_000)
    (4, 10, 50)
    """
    return min(max(isqrt(max(trials, 0)), _SMALLEST), _LARGEST)


class EvolutionSampler(NSGAIISampler):
    """Optuna's NSGA-II, in which pruned trials count as well as complete ones.

    Optuna counts complete trials only. Where a race prunes most of them, no generation ever ends.
    """

    def __init__(self, *, population_size: int, seed: int | None = None) -> None:
        super().__init__(population_size=population_size, seed=seed)
        self._size = population_size
        self._generations: dict[int, int] = {}  # by the number of the trial

    def get_trial_generation(self, study: Study, trial: FrozenTrial) -> int:
        """Return the generation of a trial: the latest one, or the next if that has a whole population."""
        if trial.number not in self._generations:
            members = Counter(
                self._generations[past.number] for past in self._ended(study) if past.number in self._generations
            )
            latest = max(members, default=0)
            self._generations[trial.number] = latest + (members[latest] >= self._size)
        return self._generations[trial.number]

    def get_population(self, study: Study, generation: int) -> list[FrozenTrial]:
        """Return the members of a generation that have ended with a value."""
        return [past for past in self._ended(study) if self._generations.get(past.number) == generation]

    def _ended(self, study: Study) -> list[FrozenTrial]:
        return [past for past in study.get_trials(deepcopy=False, states=_ENDED) if past.values]
