"""What is searched: which parameters of specs, in which ranges, and when each has an effect."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from tag.dimensions import SpecOf
from tag.errors import ParameterError
from tuning.ranges import Range, Values, read_range, value_text, whole_range
from tuning.scopes import Bases, Scope
from tuning.search_entries import read_entries

Ranges = dict[str, Range]

#: The parameter that says which of several agents a configuration is.
AGENT: Final = "agent"
#: What a decision may cost is searched only where it is named: more is always better.
_COSTS: Final = frozenset({"budget", "budget_type"})


def searched(bases: Bases, search: Sequence[str]) -> Ranges:
    """Return the ranges of what is searched, by name in the order of declaration: all that is not fixed by default.

    Raises:
        TagError: an entry is wrong, searches what has no effect, or nothing is left to search.
    """
    chosen: Ranges = {AGENT: Values(tuple(bases.roots), is_ordered=False)} if len(bases.roots) > 1 else {}
    groups = [*chosen, *(prefix[:-1] for prefix in bases.scopes if prefix)]
    entries = read_entries(search, bases.dimensions, groups, bases.title)
    if not search:
        for root in bases.roots.values():
            chosen |= _tunable(root)
    for name, texts in entries.items():
        if name in groups and not texts:
            chosen = _group(bases, name) | chosen
        else:
            chosen[name] = _range(bases, name, texts)
    for name in entries:
        _check_inner(chosen, name)
        if name in chosen and not has_effect(bases, chosen, name):
            raise without_effect(bases, name)
    names = [name for name in (AGENT, *bases.dimensions) if name in chosen]
    ranges = {name: chosen[name] for name in names if has_effect(bases, chosen, name)}
    if not ranges:
        why = "all of its parameters are fixed or have no effect" if bases.dimensions else "it has no parameters"
        raise ParameterError(f"nothing of {bases.title} is left to search; {why}")
    return ranges


def condition(bases: Bases, ranges: Ranges, name: str) -> tuple[str, tuple[Any, ...]] | None:
    """Return the parameter that is searched and its values, as in Optuna, beside which another has an effect; or None."""
    if name == AGENT:
        return None
    scope, own = bases.find(name)
    declared = scope.dimensions[own].active_if
    if declared is None:
        return (AGENT, (bases.root_of(name).name,)) if AGENT in ranges else None
    parent = scope.prefix + declared[0]
    if parent not in ranges:
        return condition(bases, ranges, parent)
    values = ranges[parent]
    return parent, tuple(values.encoded(value) for value in declared[1] if values.holds(value))


def has_effect(bases: Bases, ranges: Ranges, name: str) -> bool:
    """Say whether a parameter has an effect in any configuration."""
    if name == AGENT:
        return True
    scope, own = bases.find(name)
    declared = scope.dimensions[own].active_if
    if declared is None:
        return True
    parent = scope.prefix + declared[0]
    if not has_effect(bases, ranges, parent):
        return False
    if parent in ranges:
        return any(ranges[parent].holds(value) for value in declared[1])
    return scope.values[declared[0]] in declared[1]


def _tunable(scope: Scope) -> Ranges:
    """Return the whole ranges of what can be tuned in a scope and is not fixed by its spec."""
    found: Ranges = {}
    for name, dimension in scope.dimensions.items():
        declared = whole_range(dimension)
        is_cost = scope.registry == "agent" and name in _COSTS
        if declared is not None and name not in scope.given and not is_cost:
            found[scope.prefix + name] = declared
    return found


def _group(bases: Bases, name: str) -> Ranges:
    """Return all that can be tuned in an agent, or in a spec that is a parameter; which agent it is, is searched anyway."""
    if name == AGENT:
        return {}
    scope = bases.scopes[f"{name}."]
    found = _tunable(scope)
    if not found:
        raise ParameterError(f"{name} cannot be searched; there is nothing to tune in {scope.spec({})!r}")
    return found


def _range(bases: Bases, name: str, texts: Sequence[str]) -> Range:
    """Return the range of a parameter that is named."""
    dimension = bases.dimensions.get(name)
    if dimension is None:
        raise ParameterError(f"{name} takes no values; only parameters do")
    if isinstance(dimension, SpecOf):
        return read_range(dimension, texts, lambda text: _canonical(dimension.registry, text))
    return read_range(dimension, texts) if texts else _declared(bases.dimensions[name])


def _declared(dimension: Any) -> Range:
    found = whole_range(dimension)
    if found is None:
        raise ParameterError(f"{dimension.name} cannot be searched; it is a {dimension.kind}, which has no range")
    return found


def _canonical(registry: str, text: str) -> str:
    is_in_parentheses = text.startswith("(") and text.endswith(")")
    return Scope(registry, text[1:-1] if is_in_parentheses else text).spec({})


def _check_inner(ranges: Ranges, name: str) -> None:
    """Refuse parameters of a spec that is searched itself."""
    outer = name.rpartition(".")[0]
    if outer in ranges:
        raise ParameterError(
            f"{name} cannot be searched beside {outer}, the spec that it is a parameter of; fix one of them"
        )


def without_effect(bases: Bases, name: str) -> ParameterError:
    """Return the error that it is to search what has no effect."""
    scope, own = bases.find(name)
    declared = scope.dimensions[own].active_if
    parent, wanted = declared if declared is not None else ("", ())
    right = ",".join(map(value_text, wanted))
    return ParameterError(f"{name} cannot be searched; it has an effect only with {scope.prefix}{parent}={right}")
