"""Portfolios: the configurations that are best together, each in the games in which it is the best of them.

A model of each game, from the blocks of all trials in it, says what a configuration gains there. The value of a portfolio is
the mean over games of the gain of its best configuration in each. Configurations are added one after the other, each the one
that adds most (G. Nemhauser, L. Wolsey and M. Fisher, Mathematical Programming 14, 1978).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean, variance
from typing import Final

import numpy as np
import optuna

from tag.tournaments.statistics.intervals import Floats
from tag.tuning.samplers.bgp import BgpSampler
from tag.tuning.search.trials import KnownTrial
from tag.tuning.space import SearchSpace

#: What adds less adds nothing but rounding.
_ADDS: Final = 1e-9
#: The gains of a configuration in the blocks of each game.
GameGains = Sequence[Sequence[float]]


def believed_gains(space: SearchSpace, gains: Mapping[str, GameGains]) -> Floats:
    """Return the gains of each configuration by the models of the games, shape (configurations, games).

    Args:
        space: the search space.
        gains: those of each configuration, by its spec; one block of each game at least.
    """
    configurations = [space.configuration(spec) for spec in gains]
    found = []
    for game in range(len(next(iter(gains.values())))):
        study = optuna.create_study(direction="maximize")
        study.add_trials([_trial(spec, known[game]).of_optuna(space) for spec, known in gains.items()])
        model = BgpSampler(space.configurations, seed=0)
        model.recommend(study)
        found.append(model.posterior(configurations)[0])
    return np.stack(found, axis=1)


def _trial(spec: str, gains: Sequence[float]) -> KnownTrial:
    blocks = len(gains)
    return KnownTrial(spec, blocks, fmean(gains), blocks, variance(gains) if blocks > 1 else 0.0)


def best_together(means: Floats, shares: Sequence[float], size: int) -> list[int]:
    """Return the rows of ``means`` that are best together, in the order in which they are added; ``size`` at most.

    It ends where no further one adds anything.

    >>> best_together(np.array([[0.2, 0.2], [0.5, -0.5], [-0.5, 0.6]]), [0.5, 0.5], 3)
    [0, 2, 1]

    Args:
        means: the gains, shape (configurations, games).
        shares: of the games, which add up to 1.
        size: of the portfolio.
    """
    weights, chosen = np.array(shares), list[int]()
    best = np.full(means.shape[1], -np.inf)
    while len(chosen) < size:
        values = np.maximum(means, best) @ weights
        row = int(values.argmax())
        if chosen and values[row] - values[chosen[-1]] < _ADDS:  # that of one chosen is the value so far
            break
        chosen.append(row)
        best = np.maximum(best, means[row])
    return chosen


def assigned(means: Floats, chosen: Sequence[int]) -> list[int]:
    """Return which of the ``chosen`` rows is the best in each game, as its place among them."""
    return [int(place) for place in means[list(chosen)].argmax(axis=0)]
