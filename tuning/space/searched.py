"""The searched parameters of specs, in which ranges, and when each has an effect."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from tag.catalogue.registry import agent_class, game_class, heuristic_class, learner_class
from tag.engine.parameters import COSTS, Condition, Dimension, Parameters, Spec, SpecOf, Value, parse_spec
from tag.errors import ParameterError, TagError
from tag.tuning.space.entries import read_entries
from tag.tuning.space.ranges import Range, Values, read_range, value_text, whole_range

_CLASSES: Final[dict[str, Callable[[str], Any]]] = {
    "game": game_class,
    "agent": agent_class,
    "heuristic": heuristic_class,
    "learner": learner_class,
}


class SpecParameters:
    """Game, agent or heuristic described by a spec of its registry.

    Attributes:
        prefix: of its parameters' names outside of it: empty, or with a dot at the end.
        values: of its own parameters, by their own names.
        given: those of them that the spec names.
        dimensions: its own parameters, by their own names.
        inner: the specs in it, by the names of the parameters that they are.
    """

    def __init__(self, registry: str, text: str | Spec, prefix: str = "") -> None:
        """Read the spec of a registry, ``game``, ``agent`` or ``heuristic``; `TagError` where it is wrong."""
        spec = parse_spec(text) if isinstance(text, str) else text
        self.registry = registry
        self.name = spec.name
        self.prefix = prefix
        self._class = _CLASSES[registry](spec.name)
        self._parameters_class: type[Parameters] = (
            self._class.game_type.parameters if registry == "game" else self._class.parameters_class
        )
        try:
            self.values: dict[str, Value] = self._parameters_class.from_values(spec.values).values()
        except TagError as error:
            raise type(error)(f"{spec.name}: {error}") from None
        self.given = frozenset(spec.values)
        self.dimensions = {dimension.name: dimension for dimension in self._parameters_class.dimensions()}
        self.inner = {
            name: SpecParameters(dimension.registry, str(self.values[name]), f"{prefix}{name}.")
            for name, dimension in self.dimensions.items()
            if isinstance(dimension, SpecOf)
        }
        self.values |= {name: inner.spec({}) for name, inner in self.inner.items()}

    def scopes(self) -> Iterator[SpecParameters]:
        """Yield this scope and all in it."""
        yield self
        for inner in self.inner.values():
            yield from inner.scopes()

    def named(self) -> dict[str, Dimension]:
        """Return all parameters by their names outside of this scope, the specs in it after their own."""
        found: dict[str, Dimension] = {}
        for name, dimension in self.dimensions.items():
            outside = self.prefix + name
            found[outside] = dimension.named(outside)
            if name in self.inner:
                found |= self.inner[name].named()
        return found

    def is_active(self, name: str, values: Mapping[str, Value]) -> bool:
        """Say whether a parameter of this scope's own has an effect beside ``values``, by names of its own."""
        condition = self.dimensions[name].active_if
        return condition is None or (values[condition[0]] in condition[1] and self.is_active(condition[0], values))

    def spec(self, changed: Mapping[str, Value]) -> str:
        """Return the spec with some values ``changed``, by their names outside, without parameters that have no effect.

        Raises:
            ParameterError: the values do not meet the constraints between the parameters.
        """
        parameters = self._parameters(changed)
        values = {name: getattr(parameters, name) for name in self.dimensions}
        return str(Spec(self.name, {name: one for name, one in values.items() if one != self.dimensions[name].default}))

    def check(self, changed: Mapping[str, Value]) -> None:
        """Check the spec with some values changed by making its object; `TagError` where it cannot be made."""
        self._class(self._parameters(changed))

    def _parameters(self, changed: Mapping[str, Value]) -> Parameters:
        values = {name: changed.get(self.prefix + name, value) for name, value in self.values.items()}
        for name, inner in self.inner.items():
            if any(one.startswith(inner.prefix) for one in changed):
                values[name] = inner.spec(changed)
        return self._parameters_class(**{name: one for name, one in values.items() if self.is_active(name, values)})


class BaseSpecs:
    """The specs that a search space starts from: one, or several agents.

    Attributes:
        roots: the scope of each, by its name.
        scopes: these and all in them, by their prefixes.
        dimensions: all parameters, by their names outside of the scopes.
        title: their names, for messages.
    """

    def __init__(self, registry: str, texts: Sequence[str]) -> None:
        """Read the specs; of several, each one's parameters are named after it: ``mcts.k``."""
        specs = [parse_spec(text) for text in texts]
        if not specs:
            raise ParameterError(f"a search space needs the spec of {'an agent' if registry == 'agent' else 'a game'}")
        names = [spec.name for spec in specs]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise ParameterError(f"{twice} is given twice; the agents of a search space differ by name")
        is_alone = len(specs) == 1
        self.roots = {spec.name: SpecParameters(registry, spec, "" if is_alone else f"{spec.name}.") for spec in specs}
        self.scopes = {scope.prefix: scope for root in self.roots.values() for scope in root.scopes()}
        self.dimensions = {name: one for root in self.roots.values() for name, one in root.named().items()}
        self.title = ", ".join(names)

    def find(self, name: str) -> tuple[SpecParameters, str]:
        """Return the scope that a parameter is of, and its name there."""
        outer, dot, own = name.rpartition(".")
        return self.scopes[outer + dot], own

    def root_of(self, name: str) -> SpecParameters:
        """Return the root scope of a parameter, also of one in an inner scope."""
        return next(root for root in self.roots.values() if name.startswith(root.prefix))


Ranges = dict[str, Range]

#: The parameter that selects one of several agents.
AGENT: Final = "agent"


def searched(bases: BaseSpecs, search: Sequence[str]) -> Ranges:
    """Return the ranges of the searched parameters, by name in the order of declaration; by default all that are not fixed.

    Raises:
        TagError: an entry is wrong or names a parameter without effect, or nothing is left to search.
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


def condition(bases: BaseSpecs, ranges: Ranges, name: str) -> Condition | None:
    """Return the condition of a parameter: another searched one and the values, as in Optuna, that it needs; or None."""
    if name == AGENT:
        return None
    scope, own = bases.find(name)
    declared = scope.dimensions[own].active_if
    if declared is None:
        return (AGENT, (bases.root_of(name).name,)) if AGENT in ranges else None
    parent = scope.prefix + declared[0]
    if parent not in ranges:
        return condition(bases, ranges, parent)
    return parent, ranges[parent].matching(declared[1])


def has_effect(bases: BaseSpecs, ranges: Ranges, name: str) -> bool:
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
        return bool(ranges[parent].matching(declared[1]))
    return scope.values[declared[0]] in declared[1]


def _tunable(scope: SpecParameters) -> Ranges:
    """Return the whole ranges of the tunable parameters of a scope that its spec does not fix."""
    found: Ranges = {}
    for name, dimension in scope.dimensions.items():
        declared = whole_range(dimension)
        is_cost = scope.registry == "agent" and name in COSTS
        if declared is not None and name not in scope.given and not is_cost:
            found[scope.prefix + name] = declared
    return found


def _group(bases: BaseSpecs, name: str) -> Ranges:
    if name == AGENT:
        return {}
    scope = bases.scopes[f"{name}."]
    found = _tunable(scope)
    if not found:
        raise ParameterError(f"{name} cannot be searched; there is nothing to tune in {scope.spec({})!r}")
    return found


def _range(bases: BaseSpecs, name: str, texts: Sequence[str]) -> Range:
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
    return SpecParameters(registry, text[1:-1] if is_in_parentheses else text).spec({})


def _check_inner(ranges: Ranges, name: str) -> None:
    """Refuse parameters of a spec that is searched itself."""
    outer = name.rpartition(".")[0]
    if outer in ranges:
        raise ParameterError(
            f"{name} cannot be searched beside {outer}, the spec that it is a parameter of; fix one of them"
        )


def without_effect(bases: BaseSpecs, name: str) -> ParameterError:
    """Return the error for the search of a parameter without effect."""
    scope, own = bases.find(name)
    declared = scope.dimensions[own].active_if
    parent, wanted = declared if declared is not None else ("", ())
    right = f"={','.join(map(value_text, wanted))}" if isinstance(wanted, tuple) else f" {wanted}"
    return ParameterError(f"{name} cannot be searched; it has an effect only with {scope.prefix}{parent}{right}")
