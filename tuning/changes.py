"""Changes between configurations, by the model: every single one from the recommendation, and the way from the default."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from scipy.special import ndtr

from tournaments.ratings.holm import holm
from tuning.configurations import Configuration
from tuning.effects import grid
from tuning.posterior import Posterior

#: So many values of a parameter are tried.
_VALUES: Final = 12
#: A change whose corrected p value is below that is told from no change.
LEVEL: Final = 0.05


@dataclass(frozen=True)
class OneStep:
    """A configuration that differs from the recommendation in one parameter, and in what has an effect only then.

    Attributes:
        parameter: its name.
        value: of it.
        configuration: all of it.
        gain: how much better it is than the recommendation, whichever way the objective goes.
        error: the standard deviation of that.
        better: the probability that it is better.
        p_value: two-sided, corrected by Holm for all steps that are looked at.
    """

    parameter: str
    value: Any
    configuration: Configuration
    gain: float
    error: float
    better: float
    p_value: float

    @property
    def verdict(self) -> str:
        """Whether it is better or worse, or cannot be told."""
        return "no difference shown" if self.p_value >= LEVEL else "better" if self.gain > 0.0 else "worse"


@dataclass(frozen=True)
class PathStep:
    """A change on the way from the default to the recommendation.

    Attributes:
        parameter: its name.
        before: its value, None where it had no effect.
        after: likewise.
        gain: by how much that is better.
        error: the standard deviation of that.
    """

    parameter: str
    before: Any
    after: Any
    gain: float
    error: float


def one_steps(posterior: Posterior, base: Configuration, rest: Configuration) -> list[OneStep]:
    """Return all valid steps from ``base``, by parameter and value.

    Args:
        posterior: what is known.
        base: the recommendation.
        rest: values for what has no effect in it, as far as a step makes it have one.
    """
    configurations = posterior.space.configurations
    levels = {name: grid(kind, _VALUES) for name, kind in configurations.distributions.items()}
    steps = list(configurations.around(base, levels, rest))
    if not steps:
        return []
    gains, errors = posterior.gains(base, [configuration for _name, _value, configuration in steps])
    better = ndtr(gains / np.maximum(errors, 1e-12))
    p_values = holm(2.0 * np.minimum(better, 1.0 - better))
    return [
        OneStep(*step, *map(float, numbers))
        for step, numbers in zip(steps, zip(gains, errors, better, p_values, strict=True), strict=True)
    ]


def path(posterior: Posterior, begin: Configuration, end: Configuration, rest: Configuration) -> list[PathStep]:
    """Return the changes that lead from ``begin`` to ``end``, at each step the one that gains most.

    The gains add up to the whole difference. As long as there are changes to valid configurations, only these are taken
    (greedy ablation: C. Fawcett and H. H. Hoos, "Analysing differences between algorithm configurations through
    ablation", Journal of Heuristics 22, 2016).

    Args:
        posterior: what is known.
        begin: the default.
        end: the recommendation.
        rest: values for what has no effect in them.
    """
    configurations = posterior.space.configurations
    state, goal = {**rest, **begin}, {**rest, **begin, **end}
    here, found = configurations.active(state), []
    while here != end:
        names = [
            name
            for name in configurations.distributions
            if state[name] != goal[name] and configurations.active({**state, name: goal[name]}) != here
        ]
        reached = [configurations.active({**state, name: goal[name]}) for name in names]
        gains, errors = posterior.gains(here, reached)
        valid = [configurations.is_valid(one) for one in reached]
        chosen = max(range(len(names)), key=lambda at: (valid[at], gains[at]))
        name = names[chosen]
        found.append(
            PathStep(name, here.get(name), reached[chosen].get(name), float(gains[chosen]), float(errors[chosen]))
        )
        state[name], here = goal[name], reached[chosen]
    return found
