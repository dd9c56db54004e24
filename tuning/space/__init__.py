"""Search spaces as users state them: agents or a game, and the ranges of their searched parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tag.engine.parameters import Value, parse_spec
from tag.errors import ParameterError, TagError, UnknownNameError
from tag.tuning.space.configurations import Configuration, Configurations
from tag.tuning.space.ranges import Values, value_text
from tag.tuning.space.searched import AGENT, BaseSpecs, SpecParameters, condition, searched


class SearchSpace:
    """Specs of agents, or of a game, that differ in some of their parameters.

    Parameters that are not searched are as the bases say. Names are those of the declarations. A dot separates a spec
    from its own parameters (``heuristic.affection``), and one of several agents from its parameters (``mcts.k``).

    >>> space = agent_space(["mcts"], ["k=0.5..2", "rollout_length=0,10"])
    >>> space.search
    ('k=0.5..2.0', 'rollout_length=0,10')
    >>> space.spec({"k": 1.5, "rollout_length": 0})
    'mcts:k=1.5,rollout_length=0'
    >>> space.configuration("mcts:k=1.5,rollout_length=0")
    {'k': 1.5, 'rollout_length': 0}

    Attributes:
        kind: ``agent`` or ``game``.
        bases: the specs that it was made from.
        base: the first of them in canonical form.
        ranges: of the searched parameters, by name.
        configurations: the same for samplers.
        nearest: the base, or the nearest values in the ranges, also of parameters without effect in it.
        default: the base; where it is outside of the ranges, the nearest values in them, and where these are not valid
            together, values drawn at random.
    """

    def __init__(self, kind: str, bases: Sequence[str], search: Sequence[str] = ()) -> None:
        """Take specs of agents, or of one game, and the search entries; see `agent_space` and `game_space`.

        Raises:
            TagError: a spec or an entry is wrong, or nothing valid is left to search.
        """
        self.kind = kind
        self.bases = tuple(str(parse_spec(text)) for text in bases)
        self._bases = BaseSpecs(kind, self.bases)
        self.base = self._root({}).spec({})
        self.ranges = searched(self._bases, search)
        conditions = {name: condition(self._bases, self.ranges, name) for name in self.ranges}
        self.configurations = Configurations(
            {name: one.distribution for name, one in self.ranges.items()},
            {name: one for name, one in conditions.items() if one is not None},
            frozenset(name for name, one in self.ranges.items() if isinstance(one, Values) and one.is_ordered),
            self._is_valid,
        )
        self.nearest = self._nearest()
        self.default = self._default()

    @property
    def search(self) -> tuple[str, ...]:
        """Search entries with every range written out; with the bases they make this space, even if declarations change."""
        return tuple(name if name == AGENT else f"{name}={one.text}" for name, one in self.ranges.items())

    def spec(self, configuration: Mapping[str, Any]) -> str:
        """Return the spec that a configuration stands for, in canonical form, without parameters that have no effect.

        Raises:
            ParameterError: the values do not meet the constraints between the parameters.
        """
        values = self.values(configuration)
        return self._root(values).spec(values)

    def values(self, configuration: Mapping[str, Any]) -> dict[str, Value]:
        """Return the searched values as the parameters take them; in Optuna logarithmic ranges from 0 are shifted."""
        return {name: self.ranges[name].decoded(value) for name, value in configuration.items()}

    def configuration(self, spec: str) -> Configuration:
        """Return the configuration of a spec; the inverse of `spec`. Parameters without effect may have any value.

        Raises:
            TagError: the spec is wrong or not in this space; the message names the parameter.
        """
        name = parse_spec(spec).name
        root = self._bases.roots.get(name)
        if root is None:
            raise UnknownNameError.of(f"{self.kind} in this search space", name, self._bases.roots)
        found: Configuration = {AGENT: name} if AGENT in self.ranges else {}
        self._read(root, SpecParameters(self.kind, spec, root.prefix), found)
        return {one: found[one] for one in self.ranges if one in found}

    def difference(self, other: SearchSpace) -> str:
        """Return the first reason why ``other`` is not this space, called *there* in the text; empty if it is."""
        mine, its = self._settings(), other._settings()
        for name in [*mine, *its]:
            if mine.get(name) != its.get(name):
                return f"{name} is {mine.get(name, 'no parameter')} there, not {its.get(name, 'a parameter')}"
        return ""

    def _root(self, values: Mapping[str, Value]) -> SpecParameters:
        return self._bases.roots[str(values.get(AGENT, next(iter(self._bases.roots))))]

    def _settings(self) -> dict[str, str]:
        found = {self.kind: self.ranges[AGENT].text if AGENT in self.ranges else self._root({}).name}
        for name in self._bases.dimensions:
            scope, own = self._bases.find(name)
            is_searched = name in self.ranges
            found[name] = self.ranges[name].text if is_searched else f"fixed at {value_text(scope.values[own])}"
        return found

    def _read(self, base: SpecParameters, given: SpecParameters, found: Configuration) -> None:
        """Add the configuration that the values of a scope stand for; others than the base's only where searched."""
        for own, value in given.values.items():
            name = base.prefix + own
            if not given.is_active(own, given.values):
                continue
            if name in self.ranges:
                if not self.ranges[name].holds(value):
                    raise ParameterError(
                        f"{name} cannot be {value!r} in this search space; it is in {self.ranges[name].text}"
                    )
                found[name] = self.ranges[name].encoded(value)
            elif own in base.inner and given.inner[own].name == base.inner[own].name:
                self._read(base.inner[own], given.inner[own], found)
            elif value != base.values[own]:
                raise ParameterError(
                    f"{name} cannot be {value!r} in this search space; it is fixed at {base.values[own]!r}"
                )

    def _is_valid(self, configuration: Configuration) -> bool:
        return not self._fault(configuration)

    def _fault(self, configuration: Configuration) -> str:
        """Return why a configuration is not valid, empty if it is."""
        values = self.values(configuration)
        try:
            self._root(values).check(values)
        except TagError as error:
            return str(error)
        return ""

    def _nearest(self) -> Configuration:
        found: Configuration = {AGENT: self._root({}).name} if AGENT in self.ranges else {}
        for name, values in self.ranges.items():
            if name != AGENT:
                scope, own = self._bases.find(name)
                found[name] = values.encoded(values.nearest(scope.values[own]))
        return found

    def _default(self) -> Configuration:
        """Return the base or the nearest values in the ranges; if these are not valid, values drawn at random.

        Raises:
            ParameterError: no configuration is valid.
        """
        found = self.configurations.active(self.nearest)
        if self._is_valid(found):
            return found
        try:
            return self.configurations.draw(np.random.default_rng(0))
        except ValueError:
            raise ParameterError(f"no configuration of this search space is valid: {self._fault(found)}") from None


def agent_space(agents: Sequence[str], search: Sequence[str] = ()) -> SearchSpace:
    """Return the search space of one agent, or of several of which each has its own parameters.

    Args:
        agents: specs; parameters that they name are fixed, unless they are searched.
        search: entries such as ``horizon``, ``horizon=2..12`` or ``selection=rank,tournament``, several joined by commas;
                by default all parameters of the agents' own, without the budgets of decisions. Ranges are read as in
                `tag.tuning.space.ranges`. The name of an agent, or of a parameter that is a spec, stands for all that can be
                tuned in it; ``agent`` searches only the choice among several.

    Raises:
        TagError: a spec or an entry is wrong, or nothing valid is left to search.

    >>> space = agent_space(["rhea:budget=200"], ["horizon=2..12", "selection=rank,tournament"])
    >>> space.spec({"horizon": 3, "selection": "rank"})
    'rhea:budget=200,horizon=3,selection=rank'
    >>> agent_space(["mcts", "rhea"], ["mcts.k=0.1..10", "rhea.horizon"]).configuration("mcts:k=2")
    {'agent': 'mcts', 'mcts.k': 2.0}
    """
    return SearchSpace("agent", agents, search)


def game_space(game: str, search: Sequence[str] = ()) -> SearchSpace:
    """Return the search space of a game: parameters not named in its spec, or those of ``search`` (see `agent_space`).

    Raises:
        TagError: the spec or an entry is wrong, or nothing valid is left to search.

    >>> game_space("connect_four", ["width=5..9", "height=4..8+2"]).default
    {'width': 7, 'height': 6}
    """
    return SearchSpace("game", [game], search)
