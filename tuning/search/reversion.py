"""Reversion: what a recommendation keeps of its changes to the default, where some are luck of the model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from tuning.samplers.bgp import BgpSampler
from tuning.space.configurations import Configuration, Configurations

# The best configuration by the model differs from the default in nearly all parameters: also of one without any effect some
# value looks best. A change is kept if the trials of the search show that its parameter has an effect: if their values are
# more probable by a factor, the Bayes factor, with the parameter in the model than without it (R. Kass and A. Raftery,
# "Bayes factors", Journal of the American Statistical Association 90, 1995). All trials say something about that, and few
# about the gain of a single change: at 2,000 games most gains of 5 to 10 points are within two standard deviations.


#: The logarithm of the least Bayes factor of an effect.
_SHOWN: Final = 0.3


def without_idle_changes(
    model: BgpSampler, configurations: Configurations, best: Configuration, default: Mapping[str, Any]
) -> Configuration:
    """Return ``best`` without the changes to ``default`` whose parameters show no effect.

    Args:
        model: that has been asked for its recommendation.
        configurations: the space.
        best: a valid configuration.
        default: a value of each parameter, also of those without an effect.
    """
    changed = [name for name in configurations.distributions if name in best and best[name] != default[name]]
    evidence = model.evidence_of_effects(changed) if changed else {}
    idle = sorted((name for name in changed if evidence[name] < _SHOWN), key=lambda name: evidence[name])
    while idle:
        found = configurations.active({**default, **best, **{name: default[name] for name in idle}})
        if configurations.is_valid(found):
            return found
        idle.pop()  # the one with the most evidence
    return best
