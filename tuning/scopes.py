"""Scopes: specs with the parameters that they have, and those of the specs in them, under dotted names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from tag.dimensions import Dimension, SpecOf, Value
from tag.errors import ParameterError, TagError
from tag.parameters import Parameters
from tag.registry import agent_class, game_class, heuristic_class
from tag.spec import Spec, parse_spec

_CLASSES: Final[dict[str, Callable[[str], Any]]] = {
    "game": game_class,
    "agent": agent_class,
    "heuristic": heuristic_class,
}


class Scope:
    """What a spec describes.

    Attributes:
        registry: where it is found.
        name: in its registry.
        prefix: what the names of its parameters begin with outside of it: empty, or with a dot at the end.
        values: of its own parameters, by their own names.
        given: those of them that the spec names.
        dimensions: its own parameters, by their own names.
        inner: the specs in it, by the names of the parameters that they are.
    """

    def __init__(self, registry: str, text: str | Spec, prefix: str = "") -> None:
        """Read the spec of a registry: ``game``, ``agent`` or ``heuristic``.

        Raises:
            TagError: the spec, its name or a parameter is wrong.
        """
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
            name: Scope(dimension.registry, str(self.values[name]), f"{prefix}{name}.")
            for name, dimension in self.dimensions.items()
            if isinstance(dimension, SpecOf)
        }
        self.values |= {name: inner.spec({}) for name, inner in self.inner.items()}

    def scopes(self) -> Iterator[Scope]:
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
        """Return the spec with some values changed, in canonical form: what has no effect is left out.

        Args:
            changed: values by their names outside of this scope.

        Raises:
            ParameterError: the values do not meet the constraints between the parameters.
        """
        parameters = self._parameters(changed)
        values = {name: getattr(parameters, name) for name in self.dimensions}
        return str(Spec(self.name, {name: one for name, one in values.items() if one != self.dimensions[name].default}))

    def check(self, changed: Mapping[str, Value]) -> None:
        """Make what the spec describes with some values changed.

        Raises:
            TagError: it cannot be made.
        """
        self._class(self._parameters(changed))

    def _parameters(self, changed: Mapping[str, Value]) -> Parameters:
        values = {name: changed.get(self.prefix + name, value) for name, value in self.values.items()}
        for name, inner in self.inner.items():
            if any(one.startswith(inner.prefix) for one in changed):
                values[name] = inner.spec(changed)
        return self._parameters_class(**{name: one for name, one in values.items() if self.is_active(name, values)})


class Bases:
    """The specs that a search space starts from: one, or several agents.

    Attributes:
        roots: the scope of each, by its name.
        scopes: these and all in them, by their prefixes.
        dimensions: all parameters, by their names outside of the scopes.
        title: their names, for messages.
    """

    def __init__(self, registry: str, texts: Sequence[str]) -> None:
        """Read the specs; of several, each one's parameters are named after it: ``mcts.k``.

        Raises:
            TagError: one of them is wrong, or two are of one agent.
        """
        specs = [parse_spec(text) for text in texts]
        if not specs:
            raise ParameterError(f"a search space needs the spec of {'an agent' if registry == 'agent' else 'a game'}")
        names = [spec.name for spec in specs]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise ParameterError(f"{twice} is given twice; the agents of a search space differ by name")
        is_alone = len(specs) == 1
        self.roots = {spec.name: Scope(registry, spec, "" if is_alone else f"{spec.name}.") for spec in specs}
        self.scopes = {scope.prefix: scope for root in self.roots.values() for scope in root.scopes()}
        self.dimensions = {name: one for root in self.roots.values() for name, one in root.named().items()}
        self.title = ", ".join(names)

    def find(self, name: str) -> tuple[Scope, str]:
        """Return the scope that a parameter is of, and its name there."""
        outer, dot, own = name.rpartition(".")
        return self.scopes[outer + dot], own

    def root_of(self, name: str) -> Scope:
        """Return the spec that a parameter belongs to, in whatever scope in it."""
        return next(root for root in self.roots.values() if name.startswith(root.prefix))
