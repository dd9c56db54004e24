"""Search spaces: the declared parameters of games, agents and heuristics as Optuna's distributions."""

from __future__ import annotations

from optuna.distributions import BaseDistribution, CategoricalDistribution, FloatDistribution, IntDistribution

from tag.dimensions import Choice, Dimension, Flag, Integer, Real
from tag.parameters import Parameters


def distributions(parameters: type[Parameters]) -> dict[str, BaseDistribution]:
    """Return the search space that ``parameters`` declare, by name.

    Parameters that are specs of another registry are left out: what they may be depends on the game.
    """
    found = {dimension.name: _distribution(dimension) for dimension in parameters.dimensions()}
    return {name: distribution for name, distribution in found.items() if distribution is not None}


def _distribution(dimension: Dimension) -> BaseDistribution | None:
    if isinstance(dimension, Integer):
        step = 1 if dimension.log_scale else dimension.step
        return IntDistribution(dimension.low, dimension.high, log=dimension.log_scale, step=step)
    if isinstance(dimension, Real):
        return FloatDistribution(dimension.low, dimension.high, log=dimension.log_scale)
    if isinstance(dimension, Choice):
        return CategoricalDistribution(dimension.options)
    if isinstance(dimension, Flag):
        return CategoricalDistribution((False, True))
    return None
