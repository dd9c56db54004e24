"""Every configuration of a few levels per parameter, for small spaces."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import Any

import numpy as np
from optuna.distributions import BaseDistribution
from optuna.samplers import BaseSampler
from optuna.study import Study
from optuna.trial import FrozenTrial

from tag.errors import ParameterError
from tag.tuning.samplers.ntbea import LEVELS
from tag.tuning.space.configurations import Configuration, Configurations, draw, levels_of


class GridSampler(BaseSampler):
    """Proposes the least tried configuration of the grid, in an order that depends on the seed.

    Optuna's sampler of that name also varies parameters without effect, and knows no constraints. It stops the study
    after the last configuration, which needs `optuna.study.Study.optimize`.

    Attributes:
        configurations: those of the grid, in the order in which they are tried.
    """

    def __init__(self, configurations: Configurations, most: int, seed: int | None = None) -> None:
        """Lay out the grid; `ParameterError` where it has more than ``most`` configurations, or none."""
        levels = {name: levels_of(kind, LEVELS) for name, kind in configurations.distributions.items()}
        grid = list(islice(configurations.among(levels), most + 1))
        if len(grid) > most:
            raise ParameterError(
                f"the sampler 'grid' has more configurations to try than the {most:,} games of the study; "
                "search fewer parameters or narrower ranges, or take 'auto'"
            )
        if not grid:
            raise ParameterError("the sampler 'grid' has no configuration to try: none of its levels is valid")
        self._space = configurations
        self._rng = np.random.default_rng(seed)
        self.configurations = [grid[number] for number in self._rng.permutation(len(grid)).tolist()]

    def infer_relative_search_space(self, study: Study, trial: FrozenTrial) -> dict[str, BaseDistribution]:
        """Return all parameters."""
        return self._space.distributions

    def sample_relative(
        self, study: Study, trial: FrozenTrial, search_space: dict[str, BaseDistribution]
    ) -> dict[str, Any]:
        """Return the first of the configurations tried the least, running trials included."""
        tried = Counter(_key(self._space.active(past.params)) for past in study.get_trials(deepcopy=False))
        return min(self.configurations, key=lambda configuration: tried[_key(configuration)])

    def sample_independent(
        self, study: Study, trial: FrozenTrial, param_name: str, param_distribution: BaseDistribution
    ) -> Any:
        """Draw the value of a parameter that the grid does not have."""
        return draw(param_distribution, self._rng)


def _key(configuration: Configuration) -> frozenset[tuple[str, Any]]:
    return frozenset(configuration.items())
