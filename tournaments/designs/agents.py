"""The agents of a tournament as text: names (``strong=mcts:budget=400``), short labels for tables, several budgets."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Mapping, Sequence
from functools import lru_cache
from pathlib import PurePath
from typing import Final

from tag.catalogue.registry import agent_class, spec_of
from tag.catalogue.user_code import is_path
from tag.engine.parameters import Spec, parse_spec
from tag.errors import ParameterError, SpecError
from tag.tournaments.designs.games import split_name, with_name

#: Letters, digits, spaces and these: characters without a meaning in specs, files and tables.
_NAME: Final = re.compile(r"\w[\w +-]*(?<! )")
_LONGEST: Final = 40


def check_names(names: Sequence[str], taken: Sequence[str]) -> None:
    """Reject names of agents that cannot be told from each other or from specs.

    >>> check_names(["strong", "strong"], [])
    Traceback (most recent call last):
        ...
    tag.errors.ParameterError: two agents cannot both be called 'strong'; call one of them 'strong 2'

    Raises:
        ParameterError: a name has a wrong character, is too long, is there twice, or is that of a spec.
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
    """
    return dict(_short_labels(tuple(labels)))


@lru_cache(maxsize=64)
def _short_labels(labels: tuple[str, ...]) -> dict[str, str]:
    parsed = {label: _parsed(label) for label in labels}
    by_name: dict[str, list[Spec]] = {}
    for spec, _number in filter(None, parsed.values()):
        by_name.setdefault(spec.name, []).append(spec)
    classes = Counter(map(_class_of, by_name))
    names = {name: _class_of(name) if is_path(name) and classes[_class_of(name)] == 1 else name for name in by_name}
    telling = {name: _differing(specs) for name, specs in by_name.items()}
    shown = {
        label: label if found is None else _short(found[0], names, telling) + found[1]
        for label, found in parsed.items()
    }
    while len(set(shown.values())) < len(shown):  # a name that was given is the short form of a spec
        often = Counter(shown.values())
        shown = {label: label if often[short] > 1 else short for label, short in shown.items()}
    return shown


def _parsed(label: str) -> tuple[Spec, str] | None:
    """Return the spec in a label and its number mark; None for a name that is no spec."""
    text, mark, number = label.rpartition("#")
    if not (mark and number.isdigit()):
        text, mark, number = label, "", ""
    try:
        spec = spec_of(text)
    except SpecError:
        return None
    return spec, mark + number


def _differing(specs: Sequence[Spec]) -> set[str]:
    """Return the parameters that specs of one name do not share."""
    keys = {key for spec in specs for key in spec.values}
    first = specs[0].values
    return {key for key in keys if any(spec.values.get(key) != first.get(key) for spec in specs)}


def _short(spec: Spec, names: Mapping[str, str], telling: Mapping[str, Container[str]]) -> str:
    """Return a spec with the short one of the ``names``, and the parameters that are ``telling`` for the name."""
    told = {key: spec.values[key] for key in spec.values if key in telling[spec.name]}
    return str(Spec(names[spec.name], told)) if told else names[spec.name]


def _class_of(name: str) -> str:
    """Return the class name in a path, or the file's name without its folder."""
    file = PurePath(name).name
    return file.partition(".py:")[2] or file


_BUDGET: Final = "budget"
_GROWING: Final = re.compile(r"(\d+)\.\.(\d+)(?:x(\d+))?", re.ASCII)
_LIST: Final = re.compile(r"\d+(?:,\d+)*", re.ASCII)
_DOUBLING: Final = 2


def read_budgets(text: str) -> tuple[int, ...]:
    """Read a list of budgets, of one or more, or two ends between which they grow by a factor, by default 2.

    Raises:
        ParameterError: the text is neither.

    >>> read_budgets("50..400"), read_budgets("8..512x4"), read_budgets("50,80,200")
    ((50, 100, 200, 400), (8, 32, 128, 512), (50, 80, 200))
    """
    growing = _GROWING.fullmatch(text)
    if growing:
        return _grown(text, int(growing[1]), int(growing[2]), int(growing[3] or _DOUBLING))
    if not _LIST.fullmatch(text):
        raise ParameterError(f"budgets cannot be {text!r}; it is a range such as 50..800 or 10..1000x10, or a list")
    budgets = tuple(int(part) for part in text.split(","))
    if list(budgets) != sorted(set(budgets)):
        right = ",".join(str(budget) for budget in sorted(set(budgets)))
        raise ParameterError(f"budgets cannot be {text!r}; they grow: {right}")
    return budgets


def at_budgets(agents: Sequence[str], budgets: Sequence[int]) -> tuple[str, ...]:
    """Return the specs of ``agents`` with each of the budgets, agent by agent.

    An agent that names a budget of its own, or has none, takes part once, as a reference for the others. A name before
    a spec, ``NAME=SPEC``, is followed by the budget.

    >>> at_budgets(["mcts:k=1.2"], [100, 200])
    ('mcts:k=1.2,budget=100', 'mcts:k=1.2,budget=200')

    Raises:
        TagError: an agent is unknown, or none takes a budget.
    """
    takes = [_takes_budget(text) for text in agents]
    found = [
        at for text, does in zip(agents, takes, strict=True) for at in (_at_each(text, budgets) if does else [text])
    ]
    if agents and not any(takes):
        raise ParameterError(f"budgets are for agents without one of their own; none of {', '.join(agents)} takes one")
    return tuple(found)


def budgets_of(labels: Sequence[str]) -> list[str]:
    """Return the budgets in the labels of agents that differ only in their budget; empty for other agents.

    >>> budgets_of(["mcts:budget=50,k=2", "mcts:budget=100,k=2"]), budgets_of(["mcts:budget=50", "random"])
    (['50', '100'], [])
    """
    specs = [parse_spec(label) for label in labels]
    others = {(spec.name, *(pair for pair in spec.values.items() if pair[0] != _BUDGET)) for spec in specs}
    budgets = [str(spec.values[_BUDGET]) for spec in specs if _BUDGET in spec.values]
    return budgets if len(others) == 1 and len(budgets) == len(labels) else []


def _grown(text: str, first: int, last: int, factor: int) -> tuple[int, ...]:
    if factor < _DOUBLING or not 0 < first < last:
        raise ParameterError(f"budgets cannot be {text!r}; they grow, such as 50..800 or 10..1000x10")
    budgets = [first]
    while budgets[-1] < last:
        budgets.append(budgets[-1] * factor)
    if budgets[-1] != last:
        near = min(budgets[-2:], key=lambda budget: abs(budget - last)) if len(budgets) > _DOUBLING else budgets[-1]
        raise ParameterError(
            f"budgets cannot be {text!r}: {factor}-fold steps from {first} do not meet {last}; the nearest end is {near}"
        )
    return tuple(budgets)


def _takes_budget(text: str) -> bool:
    spec = parse_spec(split_name(text)[1])
    known = agent_class(spec.name).parameters_class.dimensions()
    return _BUDGET not in spec.values and any(dimension.name == _BUDGET for dimension in known)


def _at_each(text: str, budgets: Sequence[int]) -> list[str]:
    name, rest = split_name(text)
    spec = parse_spec(rest)
    return [with_name(name and f"{name} {budget}", str(spec.with_value(_BUDGET, budget))) for budget in budgets]
