"""Reversion: what a recommendation keeps of its changes to the default, where some are luck of the model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log
from typing import Any, Final

import numpy as np

from tuning.samplers.bgp import BgpSampler
from tuning.space.configurations import Configuration, Configurations

# The best configuration by the model differs from the default in nearly all parameters: also of one without any effect some
# value looks best. A change is kept if two pieces of evidence, which add up, speak for it by a factor of three:
#
# - The parameter has an effect: the Bayes factor, by which the values of all trials are more probable with the parameter in
#   the model than without it (R. Kass and A. Raftery, "Bayes factors", Journal of the American Statistical Association 90,
#   1995). All trials say something about that.
# - The change is a gain: the ratio of the likelihoods of the gain that the model believes in and of none, whose logarithm is
#   half its square in standard deviations.
#
# Either alone is too weak. Gains of single changes are seldom certain, 5 to 10 points in 100 being one or two deviations
# after 2,000 games, and as large by luck where a parameter has many values. And a model without one of many parameters
# explains the trials nearly as well, as others and noise take its place.


#: The logarithm of the least evidence for a change.
_SHOWN: Final = log(3.0)


def without_idle_changes(
    model: BgpSampler, configurations: Configurations, best: Configuration, default: Mapping[str, Any]
) -> Configuration:
    """Return ``best`` without the changes to ``default`` for which there is too little evidence.

    Args:
        model: that has been asked for its recommendation.
        configurations: the space.
        best: a valid configuration.
        default: a value of each parameter, also of those without an effect.
    """
    changed = [name for name in configurations.distributions if name in best and best[name] != default[name]]
    if not changed:
        return best
    evidence = _evidence(model, best, [configurations.active({**default, **best, name: default[name]}) for name in changed])
    effects = model.evidence_of_effects(changed)
    total = {name: effects[name] + of_gain for name, of_gain in zip(changed, evidence, strict=True)}
    idle = sorted((name for name in changed if total[name] < _SHOWN), key=lambda name: total[name])
    while idle:
        found = configurations.active({**default, **best, **{name: default[name] for name in idle}})
        if configurations.is_valid(found):
            return found
        idle.pop()  # the one with the most evidence
    return best


def _evidence(model: BgpSampler, best: Configuration, others: Sequence[Configuration]) -> list[float]:
    """Return the logarithms of the evidence that ``best`` is better than each of the others."""
    means, covariance = model.joint([best, *others])
    variances = np.diag(covariance)[1:] + covariance[0, 0] - 2.0 * covariance[0, 1:]
    certainty = np.maximum(means[0] - means[1:], 0.0) / np.sqrt(np.maximum(variances, 1e-18))
    found: list[float] = (0.5 * certainty**2).tolist()
    return found
