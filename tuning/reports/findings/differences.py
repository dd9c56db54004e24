"""Differences between the parameters of two agents."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any, Final

from tag.tuning.space.ranges import shown, value_text
from tag.tuning.space.searched import SpecParameters

#: Text where a parameter has no effect, or an agent has none of that name.
NOTHING: Final = "-"


@dataclass(frozen=True)
class ParameterChange:
    """A parameter that differs between two agents, with both values as people read them.

    The name has a dot for parameters of a spec that is a parameter; it is ``agent`` for the agent itself.
    """

    parameter: str
    default: str
    recommended: str

    def to_json(self) -> dict[str, Any]:
        """Return the findings as plain values."""
        return asdict(self)


def differences(default: str, recommended: str) -> list[ParameterChange]:
    """Return the parameters in which the specs of two agents differ, in the order of their declaration.

    >>> differences("rhea", "rhea:crossover=n_point,horizon=3")[1:]  # doctest: +ELLIPSIS
    [...ParameterChange(parameter='crossover_points', default='-', recommended='1')]
    """
    ones, others = (dict(_values(SpecParameters("agent", spec))) for spec in (default, recommended))
    rows = [(name, ones.get(name, NOTHING), others.get(name, NOTHING)) for name in {**ones, **others}]
    return [ParameterChange(name, shown(one), shown(other)) for name, one, other in rows if one != other]


def _values(scope: SpecParameters) -> Iterator[tuple[str, str]]:
    """Yield the agent's name and the values that have an effect, as people write them, with those of specs within."""
    yield scope.prefix[:-1] or scope.registry, scope.name
    for own, value in scope.values.items():
        if scope.is_active(own, scope.values):
            if own in scope.inner:
                yield from _values(scope.inner[own])
            else:
                yield scope.prefix + own, value_text(value)
