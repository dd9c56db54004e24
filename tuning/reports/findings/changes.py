"""Changes of single parameters, and the path from one configuration to another.

Changes between configurations, by the model: each single change of the recommendation, and the path from the default.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

import numpy as np
import scipy

from tag.tournaments.statistics.ratings.pairwise import holm
from tag.tuning.reports.findings.effects import grid
from tag.tuning.reports.findings.posterior import ConfigurationModel
from tag.tuning.space.configurations import Configuration

#: So many values of a parameter are tried, fewer where all together would be more steps than this.
_VALUES: Final = 12
_FEWEST_VALUES: Final = 2
_STEPS: Final = 600
#: So many changes are left at most where they are made one by one, in the order of gains that each has after those before
#: it. Of twice as many four are made at a time, and so on: each step compares all that are left, so that those of any
#: number of changes are some 1,000 times its logarithm.
_ONE_BY_ONE: Final = 32
#: A change is significant if its corrected p value is below this.
LEVEL: Final = 0.05


@dataclass(frozen=True)
class OneStep:
    """A configuration that differs from the recommendation in one parameter, and in those that then have an effect.

    Attributes:
        gain: how much better it is than the recommendation, for both directions of the objective.
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
        """The verdict: better, worse, or not significant."""
        return "no difference shown" if self.p_value >= LEVEL else "better" if self.gain > 0.0 else "worse"


@dataclass(frozen=True)
class PathStep:
    """A change on the way from the default to the recommendation.

    Attributes:
        before: the old value, None if it had no effect.
        after: the new value, None if it has no effect.
        gain: how much better the change makes the value.
        error: the standard deviation of that.
    """

    parameter: str
    before: Any
    after: Any
    gain: float
    error: float


def one_steps(posterior: ConfigurationModel, base: Configuration, rest: Configuration) -> list[OneStep]:
    """Return all valid steps from ``base`` to some values of each parameter, by parameter and value.

    ``rest`` has values of parameters without an effect in it, used where a step gives them one.
    """
    configurations = posterior.space.configurations
    most = min(_VALUES, max(_FEWEST_VALUES, _STEPS // len(configurations.distributions)))
    levels = {name: grid(kind, most) for name, kind in configurations.distributions.items()}
    steps = list(configurations.around(base, levels, rest))
    if not steps:
        return []
    gains, errors = posterior.gains(base, [configuration for _name, _value, configuration in steps])
    better = scipy.special.ndtr(gains / np.maximum(errors, 1e-12))
    p_values = holm(2.0 * np.minimum(better, 1.0 - better))
    return [
        OneStep(*step, *map(float, numbers))
        for step, numbers in zip(steps, zip(gains, errors, better, p_values, strict=True), strict=True)
    ]


def path(
    posterior: ConfigurationModel, begin: Configuration, end: Configuration, rest: Configuration
) -> list[PathStep]:
    """Return the changes that lead from ``begin`` to ``end``, at each step that with the greatest gain, of many a few.

    The gains add up to the whole difference. As long as there are changes to valid configurations, only these are taken
    (greedy ablation: C. Fawcett and H. H. Hoos, "Analysing differences between algorithm configurations through
    ablation", Journal of Heuristics 22, 2016). ``rest`` has values of parameters without an effect in both.
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
        by_gain = np.argsort(-posterior.gains(here, reached)[0], kind="stable").tolist()
        many = max(1, (len(names) // _ONE_BY_ONE) ** 2)
        valid = list(islice((at for at in by_gain if configurations.is_valid(reached[at])), many))
        order = [*valid, *(at for at in by_gain if at not in valid)]
        for name in [names[at] for at in order[:many]]:
            state[name] = goal[name]
            after = configurations.active(state)
            if after == here:
                continue
            (gain,), (error,) = posterior.gains(here, [after])
            found.append(PathStep(name, here.get(name), after.get(name), float(gain), float(error)))
            here = after
    return found
