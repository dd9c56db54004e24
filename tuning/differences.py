"""In which parameters one agent differs from another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any, Final

from tuning.ranges import shown, value_text
from tuning.scopes import Scope

#: What stands where a parameter has no effect, or an agent has none of that name.
NOTHING: Final = "-"


@dataclass(frozen=True)
class Difference:
    """A parameter that is not the same.

    Attributes:
        parameter: its name, with a dot for what is in a spec that is a parameter; ``agent`` for the agent itself.
        default: its value in the default, as people read it.
        recommended: its value in what is recommended, likewise.
    """

    parameter: str
    default: str
    recommended: str

    def to_json(self) -> dict[str, Any]:
        """Return all of it as plain values."""
        return asdict(self)


def differences(default: str, recommended: str) -> list[Difference]:
    """Return the parameters in which two agents differ, in the order of their declaration.

    Args:
        default: a spec.
        recommended: another.

    Raises:
        TagError: a spec is of no agent.

    >>> differences("rhea", "rhea:crossover=n_point,horizon=3")[1:]  # doctest: +ELLIPSIS
    [...Difference(parameter='crossover_points', default='-', recommended='1')]
    """
    ones, others = (dict(_values(Scope("agent", spec))) for spec in (default, recommended))
    rows = [(name, ones.get(name, NOTHING), others.get(name, NOTHING)) for name in {**ones, **others}]
    return [Difference(name, shown(one), shown(other)) for name, one, other in rows if one != other]


def _values(scope: Scope) -> Iterator[tuple[str, str]]:
    """Yield the agent's name and the values that have an effect, as people write them, with those of specs within."""
    yield scope.prefix[:-1] or scope.registry, scope.name
    for own, value in scope.values.items():
        if scope.is_active(own, scope.values):
            if own in scope.inner:
                yield from _values(scope.inner[own])
            else:
                yield scope.prefix + own, value_text(value)
