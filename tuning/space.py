"""Search spaces: the declared parameters of games, agents and heuristics as Optuna's distributions, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from optuna.distributions import BaseDistribution, CategoricalDistribution, FloatDistribution, IntDistribution

from tag.dimensions import Choice, Dimension, Flag, Integer, Real
from tag.errors import ParameterError
from tag.parameters import Parameters
from tuning.configurations import Configuration, Configurations

P = TypeVar("P", bound=Parameters)


def distributions(parameters: type[Parameters]) -> dict[str, BaseDistribution]:
    """Return the search space that ``parameters`` declare, by name.

    Parameters that are specs of another registry are left out: what they may be depends on the game. What is drawn from
    these distributions becomes parameters by `from_drawn`.

    >>> from games.connect_four import ConnectFourParameters
    >>> distributions(ConnectFourParameters)["length"]
    IntDistribution(high=10, log=False, low=2, step=1)
    """
    found = {dimension.name: _distribution(dimension) for dimension in parameters.dimensions()}
    return {name: distribution for name, distribution in found.items() if distribution is not None}


def configurations(parameters: type[Parameters]) -> Configurations:
    """Return the configurations that ``parameters`` declare: what has an effect when, what is a scale, what is valid.

    >>> from agents.rhea import RheaParameters
    >>> configurations(RheaParameters).conditions["crossover_points"]
    ('crossover', ('n_point',))
    """
    declared = parameters.dimensions()
    space = distributions(parameters)

    def is_valid(values: Configuration) -> bool:
        try:
            from_drawn(parameters, values)
        except ParameterError:
            return False
        return True

    return Configurations(
        space,
        {one.name: one.active_if for one in declared if one.active_if is not None and one.name in space},
        frozenset(one.name for one in declared if isinstance(one, Choice) and one.ordered),
        is_valid,
    )


def from_drawn(parameters: type[P], drawn: Mapping[str, Any]) -> P:
    """Return the parameters that ``drawn`` values, such as ``trial.params``, stand for; the others are defaults.

    Raises:
        ParameterError: the values do not meet the constraints between the parameters.
    """
    shifts = {dimension.name: _shift(dimension) for dimension in parameters.dimensions()}
    return parameters(**{name: value - shifts[name] if shifts[name] else value for name, value in drawn.items()})


def _distribution(dimension: Dimension) -> BaseDistribution | None:
    if isinstance(dimension, Integer):
        shift = _shift(dimension)
        step = 1 if dimension.log_scale else dimension.step
        return IntDistribution(dimension.low + shift, dimension.high + shift, log=dimension.log_scale, step=step)
    if isinstance(dimension, Real):
        return FloatDistribution(dimension.low, dimension.high, log=dimension.log_scale)
    if isinstance(dimension, Choice):
        return CategoricalDistribution(dimension.options)
    if isinstance(dimension, Flag):
        return CategoricalDistribution((False, True))
    return None


def _shift(dimension: Dimension) -> int:
    """Return what is added in Optuna, which has no logarithmic ranges from 0."""
    return 1 - dimension.low if isinstance(dimension, Integer) and dimension.log_scale and dimension.low < 1 else 0
