"""Search spaces of the TAG framework in Java: a JSON object with the class of an agent's parameters and their values.

{"class": "players.rhea.RHEAParams", "horizon": [1, 3, 5], "budget": 100, "heuristic": {"class": …, …}}

Arrays are searched, single values are fixed, objects are nested or have dotted names.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tag.engine.parameters import Spec
from tag.engine.text_files import read_json
from tag.errors import DataError, ParameterError, UnknownNameError
from tag.tuning.space import SearchSpace, agent_space
from tag.tuning.space.ranges import read_range, value_text
from tag.tuning.space.searched import BaseSpecs, has_effect, without_effect
from tag.tuning.space.tag_names import AGENTS, COARSE, HEURISTICS, Translation

_CLASS: Final = "class"
_HEURISTIC: Final = "heuristic"
_COARSE: Final = "CoarseTunableHeuristic"

Given = dict[str, list[Any]]
Found = dict[str, list[Any]]


@dataclass(frozen=True)
class TagSearchSpace:
    """Content of a TAG file, with the names used here, and its entries without a counterpart, each with the reason."""

    base: str
    search: tuple[str, ...]
    left_out: tuple[str, ...]

    def space(self) -> SearchSpace:
        """Return the search space."""
        return agent_space([self.base], self.search)


def read_tag_json(path: Path) -> TagSearchSpace:
    """Read a TAG search space for an agent.

    Raises:
        TagError: the file cannot be read, is of an agent that is not here, or leaves nothing to search.
    """
    given = _flat(_content(path))
    agent, names = _agent(given, path)
    translator = _Translator(names, given)
    bases = BaseSpecs("agent", [str(Spec(agent, dict(_single(translator.found, _HEURISTIC))))])
    found = {name: translator.checked(bases, name, values) for name, values in translator.found.items()}
    base = str(Spec(agent, {name: values[0] for name, values in found.items() if len(values) == 1}))
    many = {name: [value_text(value) for value in values] for name, values in found.items() if len(values) > 1}
    search = translator.with_effect(BaseSpecs("agent", [base]), many)
    if not search:
        raise DataError(f"nothing is left to search in {str(path)!r}: {'; '.join(translator.left_out)}")
    return TagSearchSpace(base, search, tuple(translator.left_out))


class _Translator:
    """Collects the translations of a file's values.

    Attributes:
        found: values of parameters here, by name.
        left_out: values without a counterpart.
    """

    def __init__(self, names: Mapping[str, Translation], given: Given) -> None:
        self.found: Found = {}
        self.left_out: list[str] = []
        self._said: dict[tuple[str, str], str] = {}
        for name, values in _merged(given).items():
            if name.startswith(f"{_HEURISTIC}.") or name == _HEURISTIC:
                self._heuristic(given, name, values)
            elif name in names:
                for value in values:
                    self._add(name, value, names[name](value))
            else:
                self.left_out.append(f"{name} has no counterpart")

    def checked(self, bases: BaseSpecs, name: str, values: list[Any]) -> list[Any]:
        """Return the values that the parameter can have here; the others are left out."""
        right = []
        for value in values:
            try:
                right.append(bases.dimensions[name].read(str(value)))
            except ParameterError as error:
                self.left_out.append(f"{self._said[name, str(value)]}: {error}")
        return right

    def with_effect(self, bases: BaseSpecs, many: Mapping[str, list[str]]) -> tuple[str, ...]:
        """Return the search entries, without parameters that have no effect beside the rest."""
        ranges = {name: read_range(bases.dimensions[name], texts) for name, texts in many.items()}
        for name in many:
            if not has_effect(bases, ranges, name):
                self.left_out.append(str(without_effect(bases, name)))
        return tuple(f"{name}={','.join(texts)}" for name, texts in many.items() if has_effect(bases, ranges, name))

    def _heuristic(self, given: Given, name: str, values: list[Any]) -> None:
        cls = str(given.get(f"{_HEURISTIC}.{_CLASS}", [""])[0]).rpartition(".")[2]
        heuristic, weights = HEURISTICS.get(cls, ("", {}))
        own = name.rpartition(".")[2]
        for value in values:
            if own == _CLASS:
                stands_for = {_HEURISTIC: heuristic} if heuristic else {} if cls == _COARSE else None
            elif cls == _COARSE and own == "heuristicType":
                stands_for = {_HEURISTIC: COARSE[str(value)]} if str(value) in COARSE else None
            else:
                stands_for = {f"{_HEURISTIC}.{weights[own]}": value} if own in weights else None
            self._add(name, value, stands_for)

    def _add(self, name: str, value: object, stands_for: Mapping[str, Any] | None) -> None:
        if stands_for is None:
            self.left_out.append(f"{name}={value_text(value)} has no counterpart")
            return
        for mine, what in stands_for.items():
            self._said[mine, str(what)] = f"{name}={value_text(value)}"
            values = self.found.setdefault(mine, [])
            if what not in values:
                values.append(what)


def _content(path: Path) -> dict[str, Any]:
    content = read_json(path, "search space")
    if not isinstance(content, dict) or not isinstance(content.get(_CLASS), str):
        raise DataError(f"the search space {str(path)!r} has no 'class'")
    return content


def _flat(content: Mapping[str, Any]) -> Given:
    """Return all values by dotted names, single ones as lists."""
    return {name: value if isinstance(value, list) else [value] for name, value in _pairs(content, "")}


def _pairs(content: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, Any]]:
    for name, value in content.items():
        if isinstance(value, dict):
            yield from _pairs(value, f"{prefix}{name}.")
        else:
            yield prefix + name, value


def _agent(given: Given, path: Path) -> tuple[str, Mapping[str, Translation]]:
    """Take the class out and return its agent here, with the translations of its parameters."""
    name = str(given.pop(_CLASS)[0])
    known = AGENTS.get(name.rpartition(".")[2])
    if known is None:
        raise UnknownNameError.of(f"counterpart of TAG's class in {str(path)!r}", name, AGENTS)
    return known


def _merged(given: Given) -> Given:
    """Return the values with ``paranoid`` as one of the opponent models, as it is here."""
    is_paranoid = given.get("paranoid", [False])
    found = {name: values for name, values in given.items() if name != "paranoid"}
    if True in is_paranoid:
        trees = given.get("opponentTreePolicy", ["OneTree"])
        pairs = [(tree, paranoid) for tree in trees for paranoid in is_paranoid]
        found["opponentTreePolicy"] = list(
            dict.fromkeys("paranoid" if paranoid and tree == "OneTree" else tree for tree, paranoid in pairs)
        )
    return found


def _single(found: Found, name: str) -> Iterator[tuple[str, Any]]:
    if len(found.get(name, [])) == 1:
        yield name, found[name][0]
