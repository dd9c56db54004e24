"""Several targets side by side: the candidates that no other beats in everything, and the sampler that looks for them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pandas as pd
from optuna.distributions import BaseDistribution
from optuna.samplers import BaseSampler
from optuna.study import Study
from optuna.trial import FrozenTrial

from tag.tournaments.statistics.intervals import Floats
from tag.tuning.balancing.model import CandidateModel, startup_of
from tag.tuning.search.trials import pareto_front
from tag.tuning.space.configurations import Configuration, Configurations, draw, key_of

#: How far a candidate is from the default rules, from 0 to 1.
Distance = Callable[[Configuration], float]

#: Excesses are told apart that differ by more than this, in units of half a band.
_EQUAL: Final = 1e-3
#: A candidate is on the front unless another one there beats it in everything with this probability.
_DOUBT: Final = 0.3
#: Joint draws of the beliefs about all candidates.
_DRAWS: Final = 200
#: Candidates that the model compares: so many at random, and so many neighbours of those on the front.
_RANDOM: Final = 100
_NEIGHBOURS: Final = 200


def front(model: CandidateModel, spec: Callable[[Configuration], str], distance: Distance) -> pd.DataFrame:
    """Return the candidates with games on the front, by the distance from the default rules.

    The excess of each measure over its band is the believed one, not the one observed with luck. Of candidates that
    differ by less than what is known, those farther from the default rules are left out.

    Args:
        model: the posterior of the candidates.
        spec: returns that of a candidate.
        distance: returns how far a candidate is from the default rules.

    Returns:
        One row per candidate: ``spec`` and ``distance``. For each target it also has the posterior ``mean`` of the measure
        and its standard ``deviation``. The ``excess`` over the band is in units of half of the band. Columns are named
        like ``mean.length``.
    """
    distances = np.array([distance(one) for one in model.seen])
    means, deviations = model.posterior(model.seen)
    columns: dict[str, object] = {"spec": [spec(one) for one in model.seen], "distance": distances}
    for goal, mean, deviation in zip(model.goals, means, deviations, strict=True):
        name = goal.target.name
        columns |= {
            f"mean.{name}": mean,
            f"deviation.{name}": deviation,
            f"excess.{name}": goal.excess(mean),
        }
    chosen = _on_front(model, means, distances)
    drawn = model.draws([model.seen[place] for place in chosen], _DRAWS, np.random.default_rng(0))
    kept = chosen[_undoubted(_objectives(model, drawn, distances[chosen]))]
    frame = pd.DataFrame(columns).loc[kept]
    return frame.sort_values(["distance", "spec"], kind="stable", ignore_index=True)


def _on_front(model: CandidateModel, measures: Floats, distances: Floats) -> npt.NDArray[np.int64]:
    """Return the places of the candidates on the front of ``measures``, shape (goals, candidates)."""
    return np.flatnonzero(pareto_front(-_objectives(model, measures, distances)))


def _objectives(model: CandidateModel, measures: Floats, distances: Floats) -> Floats:
    """Return the objectives to minimise from measures of shape (goals, …, candidates), shape (…, candidates, goals + 1)."""
    rows = [np.round(goal.excess(values) / _EQUAL) for goal, values in zip(model.goals, measures, strict=True)]
    return np.stack([*rows, np.broadcast_to(distances, measures.shape[1:])], axis=-1)


def _undoubted(drawn: Floats) -> npt.NDArray[np.int64]:
    """Return the places of candidates that none of the others probably dominates, from draws (draws, candidates, k).

    The most doubtful one goes first, and the others are judged without it.
    """
    ones, others = drawn[:, :, None, :], drawn[:, None, :, :]
    is_less = np.any(others < ones, axis=-1)
    dominates: npt.NDArray[np.bool_] = np.all(others <= ones, axis=-1) & is_less  # draws, candidates, others
    kept = np.arange(drawn.shape[1])
    while len(kept) > 1:
        doubts = dominates[:, kept][:, :, kept].any(axis=2).mean(axis=0)
        worst = int(doubts.argmax())
        if doubts[worst] <= _DOUBT:
            break
        kept = np.delete(kept, worst)
    return kept


class FrontSampler(BaseSampler):
    """Thompson sampling of the front: a candidate of the front of one joint draw from the model's beliefs."""

    def __init__(self, configurations: Configurations, seed: int, model: CandidateModel, distance: Distance) -> None:
        self._configurations = configurations
        self._rng = np.random.default_rng(seed)
        self._model = model
        self._distance = distance

    def infer_relative_search_space(self, study: Study, trial: FrozenTrial) -> dict[str, BaseDistribution]:
        """Return all parameters."""
        return self._configurations.distributions

    def sample_relative(
        self, study: Study, trial: FrozenTrial, search_space: dict[str, BaseDistribution]
    ) -> dict[str, Any]:
        """Return the next candidate; the first ones at random."""
        if trial.number < startup_of(self._configurations) or not self._model.seen:
            return self._configurations.draw(self._rng)
        candidates = self._candidates()
        distances = np.array([self._distance(one) for one in candidates])
        drawn = self._model.draws(candidates, 1, self._rng)[:, 0]
        return candidates[int(self._rng.choice(_on_front(self._model, drawn, distances)))]

    def sample_independent(
        self, study: Study, trial: FrozenTrial, param_name: str, param_distribution: BaseDistribution
    ) -> Any:
        """Draw the value of a parameter without an effect beside the others of a candidate."""
        return draw(param_distribution, self._rng)

    def _candidates(self) -> Sequence[Configuration]:
        model, rng = self._model, self._rng
        means, _deviations = model.posterior(model.seen)
        distances = np.array([self._distance(one) for one in model.seen])
        best = [model.seen[place] for place in _on_front(model, means, distances)]
        near = [self._configurations.neighbour(best[number % len(best)], rng) for number in range(_NEIGHBOURS)]
        drawn = [self._configurations.draw(rng) for _ in range(_RANDOM)]
        return list({key_of(one): one for one in [*best, *near, *drawn]}.values())
