"""Search spaces as users state them, and configurations: points of a space, drawn and changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import exp, log
from typing import Any, Final, Self

import numpy as np
from optuna.distributions import BaseDistribution, CategoricalDistribution, FloatDistribution, IntDistribution
from optuna.trial import Trial

from tag.engine.parameters import SpecOf, Value, parse_spec
from tag.errors import DataError, ParameterError, TagError, UnknownNameError
from tuning.space.ranges import Bases, Range, Scope, Values, read_entries, read_range, value_text, whole_range

# --- searched parameters: which of a spec, in which ranges, and when each has an effect ---------------------------------


Ranges = dict[str, Range]

#: The parameter that selects one of several agents.
AGENT: Final = "agent"
#: Budgets of decisions are searched only if they are named: more is always better.
_COSTS: Final = frozenset({"budget", "budget_type"})


def searched(bases: Bases, search: Sequence[str]) -> Ranges:
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


def condition(bases: Bases, ranges: Ranges, name: str) -> tuple[str, tuple[Any, ...]] | None:
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
    """Return the whole ranges of the tunable parameters of a scope that its spec does not fix."""
    found: Ranges = {}
    for name, dimension in scope.dimensions.items():
        declared = whole_range(dimension)
        is_cost = scope.registry == "agent" and name in _COSTS
        if declared is not None and name not in scope.given and not is_cost:
            found[scope.prefix + name] = declared
    return found


def _group(bases: Bases, name: str) -> Ranges:
    """Return the tunable parameters of an agent, or of a spec that is a parameter; the agent is searched anyway."""
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
    """Return the error for the search of a parameter without effect."""
    scope, own = bases.find(name)
    declared = scope.dimensions[own].active_if
    parent, wanted = declared if declared is not None else ("", ())
    right = ",".join(map(value_text, wanted))
    return ParameterError(f"{name} cannot be searched; it has an effect only with {scope.prefix}{parent}={right}")


# --- configurations -----------------------------------------------------------------------------------------------------
#
# Configurations: points of a search space as Optuna's trials hold them, drawn, changed a little, and made well-formed.
#
# A configuration is a dictionary from names to values. Parameters without an effect beside the others (the size of a
# tournament without tournaments) are left out. So configurations that play the same are equal.


Configuration = dict[str, Any]
Conditions = Mapping[str, tuple[str, tuple[Any, ...]]]

#: Draws without a valid configuration after which a space counts as empty.
_TRIES: Final = 10_000
#: Greatest small change of a number, as a share of its range.
_NEAR: Final = 0.12
#: Levels have at most so many digits; the last two digits of floats are rounding errors.
_DIGITS: Final = 14
#: Probability that a changed number moves a little instead of being drawn anew.
_LOCAL: Final = 0.6


class Configurations:
    """Set of all configurations of a search space.

    Attributes:
        distributions: the parameters by name.
        conditions: by name, another parameter and the values of it with which a parameter has an effect; the
            others always have one.
        ordered: the categorical parameters whose choices are a scale.
    """

    def __init__(
        self,
        distributions: Mapping[str, BaseDistribution],
        conditions: Conditions | None = None,
        ordered: frozenset[str] = frozenset(),
        is_valid: Callable[[Configuration], bool] | None = None,
    ) -> None:
        """Take the parameters, the conditions for their effects, and ``is_valid``, a test of configurations."""
        self.distributions = dict(distributions)
        self.conditions = dict(conditions or {})
        self.ordered = ordered
        self.is_valid = is_valid or _anything

    def active(self, values: Mapping[str, Any]) -> Configuration:
        """Return those of ``values`` that have an effect beside the others."""
        return {name: values[name] for name in self.distributions if name in values and self._is_active(name, values)}

    def suggest(self, trial: Trial) -> Configuration:
        """Return the configuration of a trial of Optuna's, which is asked only for parameters with an effect."""
        found: Configuration = {}
        for name in sorted(self.distributions, key=self._depth):
            if self._is_active(name, found):
                found[name] = _suggested(trial, name, self.distributions[name])
        return found

    def among(self, values: Mapping[str, Sequence[Any]]) -> Iterator[Configuration]:
        """Return all valid configurations whose parameters have some of these ``values``, each once."""
        names = sorted(self.distributions, key=self._depth)

        def grown(found: Configuration, depth: int) -> Iterator[Configuration]:
            if depth == len(names):
                yield found
            elif self._is_active(names[depth], found):
                for value in values[names[depth]]:
                    yield from grown({**found, names[depth]: value}, depth + 1)
            else:
                yield from grown(found, depth + 1)

        return filter(self.is_valid, grown({}, 0))

    def draw(self, rng: np.random.Generator) -> Configuration:
        """Draw a configuration that is valid, each parameter uniformly or log-uniformly.

        Raises:
            ValueError: none of many draws is valid.
        """
        for _try in range(_TRIES):
            found = self.active({name: draw(kind, rng) for name, kind in self.distributions.items()})
            if self.is_valid(found):
                return found
        raise ValueError(f"none of {_TRIES:,} random configurations is valid")

    def neighbour(self, values: Mapping[str, Any], rng: np.random.Generator) -> Configuration:
        """Return a valid configuration that differs from ``values`` in few parameters, numbers often by little only."""
        for _try in range(_TRIES):
            found = self.active(self._changed(values, rng))
            if self.is_valid(found):
                return found
        return dict(values)

    def around(
        self, values: Mapping[str, Any], levels: Mapping[str, Sequence[Any]], rest: Mapping[str, Any]
    ) -> Iterator[tuple[str, Any, Configuration]]:
        """Yield the valid configurations that differ from ``values`` in one parameter: its name, its value and all of it.

        Args:
            values: a configuration.
            levels: the values that each parameter is given.
            rest: values of parameters without an effect in it, used where the change gives them one.
        """
        for name in filter(values.__contains__, self.distributions):
            for level in levels[name]:
                found = self.active({**rest, **values, name: level})
                if level != values[name] and self.is_valid(found):
                    yield name, level, found

    def _changed(self, values: Mapping[str, Any], rng: np.random.Generator) -> Configuration:
        names = list(self.distributions)
        chosen = rng.random(len(names)) < 1.0 / len(names)
        if not chosen.any():
            chosen[rng.integers(len(names))] = True
        found: Configuration = {}
        for name, is_chosen in zip(names, chosen, strict=True):
            kind = self.distributions[name]
            if name not in values:
                found[name] = draw(kind, rng)
            elif not is_chosen:
                found[name] = values[name]
            elif isinstance(kind, CategoricalDistribution) or rng.random() >= _LOCAL:
                found[name] = draw(kind, rng)
            else:
                found[name] = from_unit(kind, to_unit(kind, values[name]) + rng.uniform(-_NEAR, _NEAR))
        return found

    def _depth(self, name: str) -> int:
        """Return the number of parameters that decide whether a parameter has an effect."""
        return 1 + self._depth(self.conditions[name][0]) if name in self.conditions else 0

    def _is_active(self, name: str, values: Mapping[str, Any]) -> bool:
        if name not in self.conditions:
            return True
        parent, wanted = self.conditions[name]
        return values.get(parent) in wanted and self._is_active(parent, values)


def _suggested(trial: Trial, name: str, kind: Any) -> Any:
    if isinstance(kind, CategoricalDistribution):
        return trial.suggest_categorical(name, kind.choices)
    if isinstance(kind, IntDistribution):
        return trial.suggest_int(name, kind.low, kind.high, step=kind.step, log=kind.log)
    return trial.suggest_float(name, kind.low, kind.high, step=kind.step, log=kind.log)


def draw(kind: BaseDistribution, rng: np.random.Generator) -> Any:
    """Draw a value of a distribution as a plain Python value."""
    if isinstance(kind, CategoricalDistribution):
        return kind.choices[int(rng.integers(len(kind.choices)))]
    if isinstance(kind, IntDistribution) and not kind.log:
        return kind.low + kind.step * int(rng.integers((kind.high - kind.low) // kind.step + 1))
    return from_unit(kind, rng.random())


def levels_of(kind: BaseDistribution, most: int) -> list[Any]:
    """Return values that represent the range of a parameter: every choice, or ``most`` numbers, evenly over the scale."""
    if isinstance(kind, CategoricalDistribution):
        return list(kind.choices)
    numbers = {from_unit(kind, place) for place in np.linspace(0.0, 1.0, most).tolist()}
    return sorted({_without_noise(kind, number) for number in numbers})


def _without_noise(kind: Any, number: float) -> float:
    """Return a number without rounding error: 0.3, not 0.30000000000000004."""
    if isinstance(kind, IntDistribution):
        return number
    return float(min(max(float(f"{number:.{_DIGITS}g}"), kind.low), kind.high))


def to_unit(kind: Any, value: float) -> float:
    """Return where a number lies in its range, 0 to 1, on a logarithmic scale where the distribution has one."""
    low, high = _bounds(kind)
    place = log(max(value, 1e-300)) if _is_log(kind) else value
    return min(max((place - low) / (high - low), 0.0), 1.0) if high > low else 0.0


def from_unit(kind: Any, place: float) -> Any:
    """Return the number of a distribution nearest to a place in its range; the inverse of `to_unit`."""
    low, high = _bounds(kind)
    inside = min(max(place, 0.0), 1.0)
    value = low + inside * (high - low)
    value = exp(value) if _is_log(kind) else value
    if isinstance(kind, IntDistribution):
        steps = round((value - kind.low) / kind.step)
        return min(max(kind.low + kind.step * int(steps), kind.low), kind.high)
    if kind.step is not None:
        value = kind.low + kind.step * round((value - kind.low) / kind.step)
    return float(min(max(value, kind.low), kind.high))


def _bounds(kind: Any) -> tuple[float, float]:
    """Return the ends of the scale that a number is drawn from evenly; those of whole numbers reach half a step out."""
    low, high = float(kind.low), float(kind.high)
    if isinstance(kind, IntDistribution) and kind.log:
        low, high = low - 0.5, high + 0.5
    return (log(low), log(high)) if kind.log else (low, high)


def _is_log(kind: Any) -> bool:
    return isinstance(kind, IntDistribution | FloatDistribution) and kind.log


def _anything(_configuration: Configuration) -> bool:
    return True


# --- search space -------------------------------------------------------------------------------------------------------
#
# Search spaces as users state them: agents or a game, and the ranges of the searched parameters.


class SearchSpace:
    """Specs of agents, or of a game, that differ in some of their parameters.

    Parameters that are not searched are as the bases say. Names are those of the declarations. A dot separates a spec from
    its own parameters (``heuristic.affection``), and one of several agents from its parameters (``mcts.k``).

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
        self._bases = Bases(kind, self.bases)
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
        self._read(root, Scope(self.kind, spec, root.prefix), found)
        return {one: found[one] for one in self.ranges if one in found}

    def to_json(self) -> dict[str, object]:
        """Return the plain values that make this space again."""
        return {"kind": self.kind, "bases": list(self.bases), "search": list(self.search)}

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> Self:
        """Make a space from the values of `to_json`.

        Raises:
            TagError: this is no space, or names in it do not exist any more.
        """
        try:
            return cls(content["kind"], content["bases"], content["search"])
        except (KeyError, TypeError) as error:
            raise DataError(f"this is no search space: {error}") from None

    def difference(self, other: SearchSpace) -> str:
        """Return the first reason why ``other`` is not this space, called *there* in the text; empty if it is."""
        mine, its = self._settings(), other._settings()
        for name in [*mine, *its]:
            if mine.get(name) != its.get(name):
                return f"{name} is {mine.get(name, 'no parameter')} there, not {its.get(name, 'a parameter')}"
        return ""

    def _root(self, values: Mapping[str, Value]) -> Scope:
        """Return the agent or game that values are of; the first where they name none."""
        return self._bases.roots[str(values.get(AGENT, next(iter(self._bases.roots))))]

    def _settings(self) -> dict[str, str]:
        """Return the setting of every parameter as text, by name."""
        found = {self.kind: self.ranges[AGENT].text if AGENT in self.ranges else self._root({}).name}
        for name in self._bases.dimensions:
            scope, own = self._bases.find(name)
            is_searched = name in self.ranges
            found[name] = self.ranges[name].text if is_searched else f"fixed at {value_text(scope.values[own])}"
        return found

    def _read(self, base: Scope, given: Scope, found: Configuration) -> None:
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
                `tuning.space.ranges`. The name of an agent, or of a parameter that is a spec, stands for all that can be
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
