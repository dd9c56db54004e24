"""One-step changes around a configuration, and what games on common seeds show of each.

As `OneStepDeviations` of TAG, but without the rounds in which it drops changes: all have the same seeds, so that each is
compared with the configuration in pairs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import isfinite
from typing import Any, Final

from optuna.distributions import CategoricalDistribution

from tag.tournaments.statistics.clustered_means import are_equal
from tag.tournaments.statistics.intervals import CONFIDENCE, Floats, Interval, interval_of_equals
from tag.tournaments.statistics.skewed_means import skewed_interval
from tag.tuning.space import SearchSpace
from tag.tuning.space.configurations import Configuration, levels_of
from tag.tuning.space.ranges import value_text

#: A number has at most so many levels, of which the next ones below and above are tried.
LEVELS: Final = 10


@dataclass(frozen=True)
class Step:
    """One parameter with another value.

    Attributes:
        spec: of the agent that has it.
    """

    parameter: str
    value: str
    spec: str


@dataclass(frozen=True)
class Deviation:
    """Evidence about a step: the mean difference to the configuration per chance seed, more being better.

    Attributes:
        interval: of the difference; those of all steps hold together in 95 % of cases.
        is_alike: whether no seed made a difference.
    """

    step: Step
    blocks: int
    difference: float
    interval: Interval
    is_alike: bool

    @property
    def verdict(self) -> str:
        """The verdict in words."""
        if self.is_alike:
            return "no difference"
        if self.interval.low > 0.0:
            return "better"
        return "worse" if self.interval.high < 0.0 else "not shown"


def steps_from(space: SearchSpace, configuration: Configuration) -> Iterator[Step]:
    """Yield the valid one-step changes: every other choice, and of a number the next levels below and above."""
    configurations = space.configurations
    seen = {space.spec(configuration)}
    for name, kind in configurations.distributions.items():
        for value in _others(kind, configuration[name]) if name in configuration else ():
            other = configurations.active({**space.nearest, **configuration, name: value})
            spec = space.spec(other) if configurations.is_valid(other) else ""
            if spec and spec not in seen:
                seen.add(spec)
                yield Step(name, value_text(space.values({name: value})[name]), spec)


def _others(kind: Any, value: Any) -> list[Any]:
    levels = levels_of(kind, LEVELS)
    if isinstance(kind, CategoricalDistribution):
        return [level for level in levels if level != value]
    below, above = [level for level in levels if level < value], [level for level in levels if level > value]
    return below[-1:] + above[:1]


def deviation(step: Step, differences: Floats, steps: int, most: float) -> Deviation:
    """Return the evidence about one of so many ``steps``.

    The level of an interval is divided by their number (Bonferroni).

    Args:
        step: the change.
        differences: to the configuration by chance seed, more being better, shape (blocks,), one at least.
        steps: how many there are in all.
        most: the greatest difference that there can be; infinite for none.
    """
    mean, blocks = float(differences.mean()), len(differences)
    confidence = 1.0 - (1.0 - CONFIDENCE) / steps
    if are_equal(differences):
        reach = most if isfinite(most) else max(abs(mean), 1.0)
        low, high = interval_of_equals(mean, blocks, -reach, reach, confidence)
    else:
        low, high = skewed_interval(differences, confidence)
    return Deviation(step, blocks, mean, Interval(max(low, -most), min(high, most)), not differences.any())
