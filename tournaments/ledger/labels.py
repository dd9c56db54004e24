"""Labels of agents: names that people give them (``strong=mcts:budget=400``), and short forms of specs for tables."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Final

from tag.errors import ParameterError, SpecError
from tag.spec import Spec, parse_spec
from tag.user_code import is_path

#: Letters, digits, spaces and these: none that a spec, a file or a table gives a meaning to.
_NAME: Final = re.compile(r"\w[\w +-]*(?<! )")
_LONGEST: Final = 40
#: What ends the part of a text in which a name can be.
_NOT_IN_NAMES: Final = re.compile(r"[:(,/\\]")


def split_name(text: str) -> tuple[str, str]:
    """Return the name and the spec of an agent that is written ``NAME=SPEC``; an empty name where it has none.

    A spec has no ``=`` before its parameters, so there is one way to read each text.

    >>> split_name("strong=mcts:budget=400"), split_name("mcts:budget=400")
    (('strong', 'mcts:budget=400'), ('', 'mcts:budget=400'))
    """
    name, equals, spec = text.partition("=")
    return (name.strip(), spec.strip()) if equals and name.strip() and not _NOT_IN_NAMES.search(name) else ("", text)


def with_name(name: str, spec: str) -> str:
    """Return the text that `split_name` reads."""
    return f"{name}={spec}" if name else spec


def check_names(names: Sequence[str], taken: Sequence[str]) -> None:
    """Reject names of agents that cannot be told from each other or from specs.

    Args:
        names: of the agents, empty for those without one.
        taken: the names of all specs that there are.

    Raises:
        ParameterError: a name has other characters than a name may have, is too long, twice there, or that of a spec.
    """
    given = [name for name in names if name]
    for name in given:
        if not _NAME.fullmatch(name):
            near = re.sub(r"[^\w +-]+", "_", name).strip(" +-") or "agent"
            raise ParameterError(
                f"the name of an agent cannot be {name!r}; it has letters, digits, spaces and + - _ only, as {near!r}"
            )
        if len(name) > _LONGEST:
            raise ParameterError(
                f"the name of an agent cannot be {name!r}; it has at most {_LONGEST} characters, as {name[:_LONGEST]!r}"
            )
        if name in taken:
            raise ParameterError(
                f"the name of an agent cannot be {name!r}, which is what the agent {name!r} is called; try 'my {name}'"
            )
        if given.count(name) > 1:
            raise ParameterError(f"two agents cannot both be called {name!r}; call one of them '{name} 2'")


def numbered(specs: Sequence[str]) -> list[str]:
    """Return the specs, numbered where one repeats.

    >>> numbered(["random", "osla", "random"])
    ['random', 'osla', 'random#2']
    """
    seen = Counter[str]()
    labels = []
    for spec in specs:
        seen[spec] += 1
        labels.append(spec if seen[spec] == 1 else f"{spec}#{seen[spec]}")
    return labels


def short_labels(labels: Sequence[str]) -> dict[str, str]:
    """Return the shortest distinct form of each label: the name, and the parameters in which agents of one name differ.

    >>> short_labels(["mcts:budget=50,k=2", "mcts:budget=90,k=2", "rhea:horizon=6", "random", "random#2"]).values()
    dict_values(['mcts:budget=50', 'mcts:budget=90', 'rhea', 'random', 'random#2'])

    Args:
        labels: distinct: specs, numbered where one repeats, or names that people have given.
    """
    parsed = {label: _parsed(label) for label in labels}
    shown = {
        label: label if found is None else _short(*found, [other for other in parsed.values() if other])
        for label, found in parsed.items()
    }
    while len(set(shown.values())) < len(shown):  # a name that was given is the short form of a spec
        often = Counter(shown.values())
        shown = {label: label if often[short] > 1 else short for label, short in shown.items()}
    return shown


def legend(labels: Sequence[str]) -> dict[str, str]:
    """Return the labels that `short_labels` shortens, by their short forms."""
    return {short: label for label, short in short_labels(labels).items() if short != label}


def _parsed(label: str) -> tuple[Spec, str] | None:
    """Return the spec in a label and what numbers it; None for a name that is no spec."""
    text, mark, number = label.rpartition("#")
    if not (mark and number.isdigit()):
        text, mark, number = label, "", ""
    try:
        spec = parse_spec(text)
    except SpecError:
        return None
    return spec, mark + number


def _short(spec: Spec, number: str, all_of_them: Sequence[tuple[Spec, str]]) -> str:
    others = [other for other, _number in all_of_them if other.name == spec.name]
    told_apart: Mapping[str, object] = {
        key: value for key, value in spec.values.items() if any(other.values.get(key) != value for other in others)
    }
    names = {other.name for other, _number in all_of_them}
    name = spec.name
    if is_path(name) and sum(_class_of(other) == _class_of(name) for other in names) == 1:
        name = _class_of(name)
    return f"{Spec(name, dict(told_apart))}{number}"


def _class_of(name: str) -> str:
    """Return the class that a path names, or the file's name without its folder."""
    file = PurePath(name).name
    return file.partition(".py:")[2] or file
