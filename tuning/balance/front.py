"""The Pareto front: the candidates of a search of which no other is as good in everything and better in something."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pandas as pd

from tuning.balance.model import CandidateModel
from tuning.configurations import Configuration

_Floats = npt.NDArray[np.float64]
_Bools = npt.NDArray[np.bool_]

#: Costs are told apart that differ by more than this, in units of half a band.
_EQUAL = 1e-3


def front(
    model: CandidateModel, spec: Callable[[Configuration], str], distance: Callable[[Configuration], float]
) -> pd.DataFrame:
    """Return the candidates with games on the front, by the distance from the printed rules.

    What counts is by how much each measure is believed to be outside of its band, not what was observed by luck.

    Args:
        model: what is believed of the candidates.
        spec: returns that of a candidate.
        distance: returns how far a candidate is from the printed rules.

    Returns:
        One row per candidate: ``spec``, ``distance``, and for each target the ``mean`` of what is believed of the measure,
        its standard ``deviation``, and the ``excess`` over the band in units of half of the band, named like
        ``mean.length``.
    """
    means, deviations = model.posterior(model.seen)
    columns: dict[str, object] = {
        "spec": [spec(one) for one in model.seen],
        "distance": [distance(one) for one in model.seen],
    }
    objectives = [np.array(columns["distance"])]
    for goal, mean, deviation in zip(model.goals, means, deviations, strict=True):
        name = goal.target.name
        excess = goal.excess(mean)
        columns |= {f"mean.{name}": mean, f"deviation.{name}": deviation, f"excess.{name}": excess}
        objectives.append(np.round(excess / _EQUAL))
    chosen = _is_on_front(np.stack(objectives, axis=1))
    frame = pd.DataFrame(columns)[chosen]
    return frame.sort_values(["distance", "spec"], kind="stable", ignore_index=True)


def _is_on_front(costs: _Floats) -> _Bools:
    """Return which rows of costs no other row dominates; of equal rows, all."""
    no_worse = (costs[:, None, :] <= costs[None, :, :]).all(axis=2)
    better = (costs[:, None, :] < costs[None, :, :]).any(axis=2)
    is_dominated: _Bools = np.any(no_worse & better, axis=0)
    return ~is_dominated
