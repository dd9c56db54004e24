"""Validation at equal time: the default with the budget that takes it as much CPU time as the recommendation.

A budget in forward-model calls does not count an agent's work between them, so the winner at equal calls may just take
longer. Time is about proportional to the budget. The validation measures the time of both, their ratio scales the
default's budget, and a few games at that budget correct it. Measured times differ from run to run and by machine, so
budget and factor are decided once and kept in ``equal_time.json``; the games follow from them and from the seed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from tag.catalogue.registry import make_agent
from tag.engine.parameters import Integer, parse_spec
from tag.errors import DataError
from tag.playing.agent import BUDGET_TYPES
from tag.tournaments.definition import canonical_agent
from tag.tuning.study.files import read_json, write_json

EQUAL_TIME_FILE: Final = "equal_time.json"
#: Times that differ by less than this factor count as equal.
_SAME: Final = 1.1

#: The units of budgets whose words are others than their names.
_UNITS: Final = {
    "forward_model_calls": "forward-model calls",
    "wall_ms": "wall time",
    "cpu_ms": "CPU time",
    "clock": "clocks",
}

#: CPU milliseconds per decision of the ``recommended`` and of the ``default``; None where that is not known.
Times = Mapping[str, float | None]


@dataclass(frozen=True)
class Scaling:
    """The default with a budget that takes as much time as a recommendation; no function of the study's definition.

    Attributes:
        default: its spec; empty if there is none.
        remark: why there is none.
        factor: the CPU time per decision of the recommendation in that of the default with its own budget, as measured by
            the machines that played; None where it is not known.
    """

    default: str = ""
    remark: str = ""
    factor: float | None = None


def scaled(default: str, times: Times, factor: float = 1.0) -> Scaling:
    """Return the default with the budget that takes it as much time as the recommendation, as far as its range allows.

    Args:
        default: the spec to scale.
        times: measured with that spec.
        factor: by which its budget has been scaled before.
    """
    ours, theirs = times["recommended"], times["default"]
    if not ours or not theirs:
        return Scaling(remark="the CPU time per decision is not known")
    parameters = make_agent(default).parameters
    budget = round(budget_of(default) * ours / theirs)
    for dimension in parameters.dimensions():
        if dimension.name == "budget" and isinstance(dimension, Integer):
            budget = min(max(budget, dimension.low), dimension.high)
    return Scaling(
        canonical_agent(str(parse_spec(default).with_value("budget", budget))), factor=factor * ours / theirs
    )


def first_scaling(default: str, times: Times, is_better: bool) -> Scaling:
    """Return how to scale the default after the validation at equal calls, or why a scaled one would show nothing new.

    A recommendation that is slower is compared at equal time only if it was shown to be better at equal calls.
    """
    ours, theirs = times["recommended"], times["default"]
    if ours and theirs:
        if max(ours, theirs) <= _SAME * min(ours, theirs):
            return Scaling(remark="both take the same CPU time, within 10 %", factor=ours / theirs)
        if ours > theirs and not is_better:
            remark = "what is recommended takes more CPU time without being shown to be better"
            return Scaling(remark=remark, factor=ours / theirs)
    return scaled(default, times)


def unless_same(scaling: Scaling, recommended: str) -> Scaling:
    """Return a scaling, or why there is none, where it makes the default what is recommended: of another budget alone."""
    if scaling.default != recommended:
        return scaling
    return Scaling(remark="with as much time the default is what is recommended", factor=scaling.factor)


def budget_of(spec: str) -> int:
    """Return the budget of an agent that has one."""
    return int(make_agent(spec).new_budget().limit)


def equal_calls(spec: str, default: str) -> str:
    """Return the unit of two equal budgets, "at equal forward-model calls"; empty if the budgets are not equal."""
    ours, theirs = (make_agent(one).parameters.values() for one in (spec, default))
    names = ("budget", "budget_type")
    if "budget" not in ours or any(ours.get(name) != theirs.get(name) for name in names):
        return ""
    unit = str(ours.get("budget_type", BUDGET_TYPES[0]))
    return f"at equal {_UNITS.get(unit, unit.replace('_', ' '))}"


def read_scaling(folder: Path, recommended: str) -> Scaling | None:
    """Return the scaling kept for a recommendation of the study in ``folder``; None if there is none yet."""
    kept = (read_json(folder / EQUAL_TIME_FILE) or {}).get(recommended)
    try:
        return None if kept is None else unless_same(Scaling(**kept), recommended)
    except TypeError as error:
        raise DataError(f"{str(folder / EQUAL_TIME_FILE)!r} is damaged: {error}") from None


def write_scaling(folder: Path, recommended: str, scaling: Scaling) -> None:
    """Keep the scaling of a recommendation, before any game is played with it."""
    kept: dict[str, Any] = read_json(folder / EQUAL_TIME_FILE) or {}
    write_json(folder / EQUAL_TIME_FILE, {**kept, recommended: asdict(scaling)})
