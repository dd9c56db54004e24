"""Reversion: what a recommendation keeps of its changes to the default, where some are luck of the model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log
from typing import Any, Final

import numpy as np

from tag.orders import GameRecord
from tuning.definition import REVERSION_BLOCKS
from tuning.samplers.bgp import BgpSampler
from tuning.search.games import GameQueue, StudySchedule
from tuning.space.configurations import Configuration, Configurations

# --- changes for which the trials show too little -----------------------------------------------------------------------
#
# The best configuration by the model differs from the default in nearly all parameters: also of one without any effect some
# value looks best. A change is kept if two pieces of evidence, which add up, speak for it by a factor of three:
#
# - The parameter has an effect: the Bayes factor, by which the values of all trials are more probable with the parameter in
#   the model than without it (R. Kass and A. Raftery, "Bayes factors", Journal of the American Statistical Association 90,
#   1995). All trials say something about that.
# - The change is a gain: the ratio of the likelihoods of the gain that the model believes in and of none, whose logarithm is
#   half its square in standard deviations.
#
# In a search of many parameters with small effects most changes are not shown, and together they are nearly all of the gain.
# So the least shown are taken back first, and only as long as the model believes to lose a tenth of the gain at most.
#
# What is left without very strong evidence is in doubt, and games on seeds of their own decide, before the validation: the
# recommendation plays against its version without all these changes, and if that shows a gain, without all but the best
# shown, and then without all but the two best shown. The first version that is not shown to be worse is recommended. So a
# few effects leave nothing else behind; of many small effects, whose gain only shows together, all changes stay.


#: The logarithm of the least evidence for a change, and of what Kass and Raftery call very strong evidence.
_SHOWN: Final = log(3.0)
_VERY_STRONG: Final = log(150.0)
#: The share of the believed gain over the default that may be lost.
_LOST: Final = 0.1


def without_idle_changes(
    model: BgpSampler, configurations: Configurations, best: Configuration, default: Mapping[str, Any]
) -> Configuration:
    """Return ``best`` without changes to ``default`` for which there is too little evidence.

    Args:
        model: that has been asked for its recommendation.
        configurations: the space.
        best: a valid configuration.
        default: a value of each parameter, also of those without an effect.
    """
    total = evidence(model, configurations, best, default)
    idle = [name for name, found in total.items() if found < _SHOWN]
    if not idle:
        return best
    left = [reverted(configurations, best, default, idle[:number]) for number in range(len(idle) + 1)]
    means, _deviations = model.posterior([*left, configurations.active(default)])
    least = means[0] - _LOST * max(means[0] - means[-1], 0.0)
    return [one for one, mean in zip(left, means[:-1], strict=True) if mean >= least and configurations.is_valid(one)][
        -1
    ]


def doubtful_changes(
    model: BgpSampler, configurations: Configurations, best: Configuration, default: Mapping[str, Any]
) -> list[str]:
    """Return the changes of ``best`` for which there is no very strong evidence, the least shown first."""
    return [name for name, found in evidence(model, configurations, best, default).items() if found < _VERY_STRONG]


def changes(configurations: Configurations, best: Configuration, default: Mapping[str, Any]) -> list[str]:
    """Return the parameters with an effect in ``best`` whose value is not the default's."""
    return [name for name in configurations.distributions if name in best and best[name] != default[name]]


def reverted(
    configurations: Configurations, best: Configuration, default: Mapping[str, Any], names: Sequence[str]
) -> Configuration:
    """Return ``best`` with the default's values of some parameters; it need not be valid."""
    return configurations.active({**default, **best, **{name: default[name] for name in names}})


def evidence(
    model: BgpSampler, configurations: Configurations, best: Configuration, default: Mapping[str, Any]
) -> dict[str, float]:
    """Return the logarithm of the evidence of the trials for each change, the least first."""
    changed = changes(configurations, best, default)
    if not changed:
        return {}
    means, covariance = model.joint([best, *(reverted(configurations, best, default, [name]) for name in changed)])
    variances = np.diag(covariance)[1:] + covariance[0, 0] - 2.0 * covariance[0, 1:]
    certainty = np.maximum(means[0] - means[1:], 0.0) / np.sqrt(np.maximum(variances, 1e-18))
    effects, gains = model.evidence_of_effects(changed), (0.5 * certainty**2).tolist()
    total = {name: effects[name] + gain for name, gain in zip(changed, gains, strict=True)}
    return dict(sorted(total.items(), key=lambda one: one[1]))


# --- changes that change no game ----------------------------------------------------------------------------------------
#
# Two agents that decide alike play the same game from the same seed, as their random numbers depend on the seat alone. So
# a parameter without effect, such as a depth that no game reaches, is found exactly, by a few games with and without it. One
# that matters changes the first game or one of the next.


class Games:
    """Games of several agents on the same chance seeds, each played once."""

    def __init__(self, queue: GameQueue, schedule: StudySchedule) -> None:
        self._queue = queue
        self._schedule = schedule
        self._courses: dict[tuple[int, int], dict[tuple[int, int], tuple[object, ...]]] = {}

    def are_alike(self, ones: str, others: str) -> bool:
        """Say whether two agents play the same games, by their specs.

        Raises:
            StudyInterruptedError: the study was asked to stop.
        """
        agents = self._schedule.enter(ones), self._schedule.enter(others)
        for seed in range(REVERSION_BLOCKS):
            first, second = (self._played(agent, seed) for agent in agents)
            if any(first[place] != second[place] for place in first.keys() & second.keys()):
                return False
        return True

    def _played(self, agent: int, seed: int) -> dict[tuple[int, int], tuple[object, ...]]:
        """Return what tells the games of an agent apart, by block and seat; an agent may sit in all seats of one."""
        if (agent, seed) not in self._courses:
            panel = max(self._schedule.opponents, 1)
            games = self._schedule.games(agent, range(seed * panel, (seed + 1) * panel))
            self._queue.ask(games)
            self._courses[agent, seed] = {
                (game.pairing.block, game.pairing.seating): _course(game.record) for game in self._queue.take(games)
            }
        return self._courses[agent, seed]


def _course(record: GameRecord) -> tuple[object, ...]:
    """Return what tells two games apart, without times; a void game is like no other."""
    if record.void:
        return (record.game_id,)
    return (record.state_hash, record.results, record.scores, record.decisions, record.ticks)
