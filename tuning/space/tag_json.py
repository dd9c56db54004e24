"""Search spaces of the TAG framework in Java: a JSON object with the class of an agent's parameters and their values.

{"class": "players.rhea.RHEAParams", "horizon": [1, 3, 5], "budget": 100, "heuristic": {"class": …, …}}

Arrays are searched, single values are fixed, objects are nested or have dotted names. What is left out has TAG's default.
Each value is translated as that of a player is (`tag.adapters.java`), in a player that has it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tag.adapters.java import LOST, NEAR, UNKNOWN, Entry, JavaPlayer
from tag.adapters.java.entries import as_text
from tag.adapters.java.players import is_player, translated, with_files
from tag.engine.parameters import Spec, Value, parse_spec
from tag.engine.text_files import read_json
from tag.errors import DataError, ParameterError, UnknownNameError
from tag.tuning.space import SearchSpace, agent_space
from tag.tuning.space.ranges import read_range, value_text
from tag.tuning.space.searched import BaseSpecs, has_effect, without_effect

_HEURISTIC: Final = "heuristic"
#: Entries on which the meaning of others depends: those are translated with each value of these.
_STRUCTURAL: Final = (
    "treePolicy",
    "opponentTreePolicy",
    "rolloutType",
    "backupPolicy",
    "selectionType",
    "crossoverType",
)
#: Entries whose arrays are values, not choices.
_LISTS: Final = ("args", "features", "actionFeatures")

#: The choices of a file: the values of each entry that is searched, by its dotted name.
Arrays = dict[str, list[Any]]


@dataclass(frozen=True)
class TagSearchSpace:
    """Content of a TAG file, with the names used here.

    Attributes:
        base: the agent with the values that are fixed, TAG's defaults among them.
        search: what is searched.
        left_out: values without a counterpart, each with the reason.
        changed: values that mean something else here, each with what differs.
    """

    base: str
    search: tuple[str, ...]
    left_out: tuple[str, ...]
    changed: tuple[str, ...] = ()

    def space(self) -> SearchSpace:
        """Return the search space."""
        return agent_space([self.base], self.search)


def read_tag_json(path: Path) -> TagSearchSpace:
    """Read a TAG search space for an agent.

    Raises:
        TagError: the file cannot be read, is of an agent that is not here, or leaves nothing to search.
    """
    content = read_json(path, "search space")
    if not is_player(content):
        raise DataError(f"the search space {str(path)!r} has no 'class'")
    reader = _Reader(_nested(with_files(content, path)), repr(str(path)))
    base, many = reader.base_and_choices()
    search = reader.with_effect(BaseSpecs("agent", [base]), many)
    if not search:
        raise DataError(f"nothing is left to search in {str(path)!r}: {'; '.join(reader.left_out)}")
    return TagSearchSpace(base, search, tuple(reader.left_out), tuple(reader.changed))


class _Reader:
    """Translates players that differ in one choice each, and compares them.

    Attributes:
        left_out: values without a counterpart.
        changed: values that mean something else here.
    """

    def __init__(self, content: dict[str, Any], where: str) -> None:
        self.left_out: dict[str, None] = {}
        self.changed: dict[str, None] = {}
        self._where = where
        self._said: dict[tuple[str, str], str] = {}
        arrays = dict(_arrays(content))
        self._fixed = _without(content, arrays)
        self._translated({})  # or an error: there is no such agent
        self._arrays = {name: kept for name, values in arrays.items() if (kept := self._with_counterpart(name, values))}

    def base_and_choices(self) -> tuple[str, dict[str, list[str]]]:
        """Return the agent with what all players have in common, and the values of what they differ in."""
        players = [self._translated(choice) for choice in _choices(self._arrays)]
        self._tell(players[0].entries)
        for player in players[1:]:
            self._tell(entry for entry in player.entries if entry.kind == NEAR)
        values = _flat([dict(player.spec.values) for player in players])
        agent = players[0].spec.name
        heuristic: dict[str, object] = {_HEURISTIC: values[0][_HEURISTIC]} if _is_one(values) else {}
        bases = BaseSpecs("agent", [str(Spec(agent, heuristic))])
        found: dict[str, list[str]] = {name: [] for one in values for name in one}
        for one in values:
            for name, known in found.items():
                value = one.get(name) or _default(bases, name, one)
                if value is not None and value not in known:
                    known.append(value)
        right = {name: self._valid(bases, name, texts) for name, texts in found.items()}
        fixed: dict[str, object] = {name: texts[0] for name, texts in right.items() if len(texts) == 1}
        many = {name: [value_text(text) for text in texts] for name, texts in right.items() if len(texts) > 1}
        return str(Spec(agent, fixed)), dict(sorted(many.items(), key=lambda item: self._place(*item)))

    def with_effect(self, bases: BaseSpecs, many: Mapping[str, list[str]]) -> tuple[str, ...]:
        """Return the search entries, without parameters that have no effect beside the rest."""
        ranges = {name: read_range(bases.dimensions[name], texts) for name, texts in many.items()}
        for name in many:
            if not has_effect(bases, ranges, name):
                self.left_out[str(without_effect(bases, name))] = None
        return tuple(f"{name}={','.join(texts)}" for name, texts in many.items() if has_effect(bases, ranges, name))

    def _translated(self, choice: Mapping[str, Any]) -> JavaPlayer:
        """Return the player of the file with these choices."""
        return translated(_with(self._fixed, choice), None, self._where, is_to_play=False)

    def _with_counterpart(self, name: str, values: list[Any]) -> list[Any]:
        """Return the values of an entry with a counterpart; the others are left out."""
        kept = []
        for value in values:
            if isinstance(value, list):
                self.left_out[f"{name}={value_text(value)} has no counterpart"] = None
                continue
            try:
                player = self._translated({name: value})
            except (DataError, UnknownNameError) as error:
                self.left_out[f"{name}={value_text(value)}: {error}"] = None
                continue
            own = [entry for entry in player.entries if entry.name == name or name.startswith(f"{entry.name}.")]
            if any(entry.kind in (LOST, UNKNOWN) for entry in own):
                self._tell(own)
                continue
            for key, text in _flat([dict(player.spec.values)])[0].items():
                self._said.setdefault((key, text), f"{name}={value_text(value)}")
            kept.append(value)
        return kept

    def _tell(self, entries: Iterable[Entry]) -> None:
        for entry in entries:
            if entry.kind in (LOST, UNKNOWN):
                gap = " " if entry.note.startswith(("has ", "is ")) else ": "
                self.left_out[f"{entry.name}={entry.value}{gap}{entry.note}"] = None
            elif entry.kind == NEAR:
                self.changed[str(entry)] = None

    def _valid(self, bases: BaseSpecs, name: str, texts: list[str]) -> list[str]:
        """Return the values that the parameter can have here, each once; the others are left out."""
        right: dict[Value, str] = {}
        for text in texts:
            try:
                right.setdefault(bases.dimensions[name].read(text), text)
            except ParameterError as error:
                self.left_out[f"{self._said.get((name, text), f'{name}={text}')}: {error}"] = None
        return list(right.values())

    def _place(self, name: str, texts: list[str]) -> int:
        """Return the place in the file of the entry that a parameter is of."""
        said = [self._said.get((name, text), "").partition("=")[0] for text in texts]
        places = [place for place, entry in enumerate(self._arrays) if entry in said[1:]]
        return min(places, default=len(self._arrays))


def _default(bases: BaseSpecs, name: str, values: Mapping[str, str]) -> str | None:
    """Return the default here of a parameter that a player does not set, None where it has no effect beside its values."""
    dimension = bases.dimensions[name]
    own = {key: one.default for key, one in bases.dimensions.items()}
    for key, text in values.items():
        with suppress(ParameterError):  # it is left out later
            own[key] = bases.dimensions[key].read(text)
    return as_text(dimension.default) if dimension.is_active(own) else None


def _choices(arrays: Arrays) -> Iterator[dict[str, Any]]:
    """Yield the first values of all arrays, then all others in turn, each with those of each structural entry."""
    first = {name: values[0] for name, values in arrays.items()}
    yield first
    for name, values in arrays.items():
        for value in values:
            yield first | {name: value}
            for other in arrays:
                if other in _STRUCTURAL and other != name:
                    yield from (first | {name: value, other: its} for its in arrays[other])


def _flat(specs: list[dict[str, Any]]) -> list[dict[str, str]]:
    """Return the parameters as text; where all have one heuristic, its weights by dotted names."""
    heuristics = [parse_spec(str(one[_HEURISTIC])) if _HEURISTIC in one else None for one in specs]
    found = [{name: str(value) for name, value in one.items()} for one in specs]
    if len({None if one is None else one.name for one in heuristics}) == 1:
        for one, heuristic in zip(found, heuristics, strict=True):
            if heuristic is not None:
                one[_HEURISTIC] = heuristic.name
                one |= {f"{_HEURISTIC}.{weight}": str(value) for weight, value in heuristic.values.items()}
    return found


def _is_one(values: list[dict[str, str]]) -> bool:
    """Say whether all players have a heuristic, the same one."""
    return _HEURISTIC in values[0] and len({one.get(_HEURISTIC) for one in values}) == 1


def _nested(content: Mapping[str, Any]) -> dict[str, Any]:
    """Return the content with dotted names as objects within objects."""
    found: dict[str, Any] = {}
    for name, value in content.items():
        outer, dot, inner = name.partition(".")
        given = _nested(value) if isinstance(value, dict) else value
        if dot:
            given = _nested({inner: value})
        known = found.get(outer)
        found[outer] = {**known, **given} if isinstance(known, dict) and isinstance(given, dict) else given
    return found


def _arrays(content: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, list[Any]]]:
    """Yield the dotted names and values of all arrays that are choices."""
    for name, value in content.items():
        if isinstance(value, dict):
            yield from _arrays(value, f"{prefix}{name}.")
        elif isinstance(value, list) and name not in _LISTS:
            yield prefix + name, value


def _without(content: Mapping[str, Any], names: Iterable[str], prefix: str = "") -> dict[str, Any]:
    """Return the content without the entries of these dotted names."""
    return {
        name: _without(value, names, f"{prefix}{name}.") if isinstance(value, dict) else value
        for name, value in content.items()
        if prefix + name not in names
    }


def _with(content: Mapping[str, Any], choice: Mapping[str, Any]) -> dict[str, Any]:
    """Return the content with entries of these dotted names."""
    found = dict(content)
    for name, value in choice.items():
        outer, dot, inner = name.partition(".")
        within = found.get(outer)
        found[outer] = _with(within if isinstance(within, dict) else {}, {inner: value}) if dot else value
    return found
