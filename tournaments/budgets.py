"""Budgets: the same agents at several of them, as for a ladder or a grid of skill."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from tag.errors import ParameterError
from tag.registry import agent_class
from tag.spec import parse_spec
from tournaments.agent_names import split_name, with_name

_NAME: Final = "budget"
_GROWING: Final = re.compile(r"(\d+)\.\.(\d+)(?:x(\d+))?", re.ASCII)
_LIST: Final = re.compile(r"\d+(?:,\d+)+", re.ASCII)
_DOUBLING: Final = 2


def read_budgets(text: str) -> tuple[int, ...]:
    """Read a list of budgets, or two ends between which they grow by a factor, by default 2.

    Raises:
        ParameterError: it is neither.

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

    An agent that names a budget of its own, or has none, takes part once, as what the others are measured by. A name
    before a spec, ``NAME=SPEC``, is followed by the budget.

    Raises:
        TagError: an agent is unknown, or none takes a budget.
    """
    found = [at for text in agents for at in (_at_each(text, budgets) if _takes_budget(text) else [text])]
    if agents and len(found) == len(agents):
        raise ParameterError(f"budgets are for agents without one of their own; none of {', '.join(agents)} takes one")
    return tuple(found)


def budgets_of(labels: Sequence[str]) -> list[str]:
    """Return the budgets in the labels of agents that differ by nothing else; none for others.

    >>> budgets_of(["mcts:budget=50,k=2", "mcts:budget=100,k=2"]), budgets_of(["mcts:budget=50", "random"])
    (['50', '100'], [])
    """
    specs = [parse_spec(label) for label in labels]
    others = {(spec.name, *(pair for pair in spec.values.items() if pair[0] != _NAME)) for spec in specs}
    budgets = [str(spec.values[_NAME]) for spec in specs if _NAME in spec.values]
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
    return _NAME not in spec.values and any(dimension.name == _NAME for dimension in known)


def _at_each(text: str, budgets: Sequence[int]) -> list[str]:
    name, rest = split_name(text)
    spec = parse_spec(rest)
    return [with_name(name and f"{name} {budget}", str(spec.with_value(_NAME, budget))) for budget in budgets]
