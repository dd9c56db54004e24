"""Validation at equal time: the default with the budget that takes it as much CPU time as the recommendation.

A budget in forward-model calls does not count what an agent does between them, so what wins more at equal calls may just
take longer. Time is about proportional to the budget: the validation shows the time of both, their ratio scales the
default's budget, and a few games at that budget correct it. What was measured differs from one playing to the next, so
the budget is decided once and kept in ``equal_time.json``; the games follow from it and from the seed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from tag.budget import BUDGET_TYPES, Budget
from tag.dimensions import Integer
from tag.errors import DataError
from tag.registry import make_agent
from tag.spec import parse_spec
from tournaments.definition import canonical_agent
from tuning.files import read_json, write_json

EQUAL_TIME_FILE: Final = "equal_time.json"
#: Times that differ by less than this factor are taken for equal.
_SAME: Final = 1.1

#: What budgets of each type count, in words.
_UNITS: Final = {
    "forward_model_calls": "forward-model calls",
    "iterations": "iterations",
    "copies": "copies",
    "wall_ms": "wall time",
    "cpu_ms": "CPU time",
    "clock": "clocks",
}

#: CPU milliseconds per decision of the ``recommended`` and of the ``default``; None where that is not known.
Times = Mapping[str, float | None]


@dataclass(frozen=True)
class Scaling:
    """Which default takes as much time as a recommendation.

    Attributes:
        default: its spec with the scaled budget; empty where there is none.
        remark: why there is none.
    """

    default: str = ""
    remark: str = ""


def why_not_scaled(default: str) -> str:
    """Say why the budget of the default cannot be scaled; empty where it can be."""
    values = make_agent(default).parameters.values()
    if not isinstance(values.get("budget"), int):
        return f"{parse_spec(default).name} has no budget to scale"
    if not Budget(1, str(values.get("budget_type", BUDGET_TYPES[0]))).is_deterministic:
        return "the budget is time already"
    return ""


def scaled(default: str, times: Times) -> Scaling:
    """Return the default with the budget that takes it as much time as the recommendation, as far as its range allows."""
    ours, theirs = times["recommended"], times["default"]
    if not ours or not theirs:
        return Scaling(remark="the CPU time per decision is not known")
    parameters = make_agent(default).parameters
    budget = round(budget_of(default) * ours / theirs)
    for dimension in parameters.dimensions():
        if dimension.name == "budget" and isinstance(dimension, Integer):
            budget = min(max(budget, dimension.low), dimension.high)
    return Scaling(canonical_agent(str(parse_spec(default).with_value("budget", budget))))


def first_scaling(default: str, times: Times, is_better: bool) -> Scaling:
    """Return how to scale the default after the validation at equal calls, or why another one would tell nothing new.

    Args:
        default: its spec.
        times: of both in the validation.
        is_better: whether the recommendation was shown to be better there.
    """
    ours, theirs = times["recommended"], times["default"]
    if ours and theirs:
        if max(ours, theirs) <= _SAME * min(ours, theirs):
            return Scaling(remark="both take the same CPU time, within 10 %")
        if ours > theirs and not is_better:
            return Scaling(remark="what is recommended takes more CPU time without being shown to be better")
    return scaled(default, times)


def budget_of(spec: str) -> int:
    """Return the budget of an agent that has one."""
    return int(make_agent(spec).parameters.values()["budget"])


def equal_calls(spec: str, default: str) -> str:
    """Say in what the budgets of two agents are equal, "at equal forward-model calls"; empty where they are not."""
    ours, theirs = (make_agent(one).parameters.values() for one in (spec, default))
    names = ("budget", "budget_type")
    if "budget" not in ours or any(ours.get(name) != theirs.get(name) for name in names):
        return ""
    return f"at equal {_UNITS[str(ours.get('budget_type', BUDGET_TYPES[0]))]}"


def read_scaling(folder: Path, recommended: str) -> Scaling | None:
    """Return what was decided for a recommendation of the study in ``folder``; None where nothing was yet.

    Raises:
        DataError: the file is damaged.
    """
    kept = (read_json(folder / EQUAL_TIME_FILE) or {}).get(recommended)
    try:
        return None if kept is None else Scaling(**kept)
    except TypeError as error:
        raise DataError(f"{str(folder / EQUAL_TIME_FILE)!r} is damaged: {error}") from None


def write_scaling(folder: Path, recommended: str, scaling: Scaling) -> None:
    """Keep what was decided for a recommendation, before any game follows from it."""
    kept: dict[str, Any] = read_json(folder / EQUAL_TIME_FILE) or {}
    write_json(folder / EQUAL_TIME_FILE, {**kept, recommended: asdict(scaling)})
