"""Balancing a game: bands for measures of the game, and estimates of these measures from games.

A candidate is a game type with some of its parameters changed. Its games, between any agents, are `CandidateGames`; a
`Target` is a band for a measure of them; an `Estimate` is the value of the measure with its error.

The names below are imported when they are first used, so that the command line starts fast.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tag.tuning.balancing.definition import BalanceDefinition
    from tag.tuning.balancing.estimation import CandidateGames, Estimate
    from tag.tuning.balancing.measures import (
        SkillTrace,
        match_up_distance,
        read_wanted,
        restricted,
        rules_distance,
        skill_trace,
        unseen,
    )
    from tag.tuning.balancing.options import BalanceOptions, define_balance
    from tag.tuning.balancing.results.results import BalanceResults, read_balance
    from tag.tuning.balancing.run import run_balance
    from tag.tuning.balancing.targets import Measure, Target, estimates, measures_of, needed_metrics, read_target

_HOMES = {
    "BalanceDefinition": "definition",
    "BalanceOptions": "options",
    "BalanceResults": "results.results",
    "CandidateGames": "estimation",
    "Estimate": "estimation",
    "Measure": "targets",
    "SkillTrace": "measures",
    "Target": "targets",
    "define_balance": "options",
    "estimates": "targets",
    "match_up_distance": "measures",
    "measures_of": "targets",
    "needed_metrics": "targets",
    "read_balance": "results.results",
    "read_target": "targets",
    "read_wanted": "measures",
    "restricted": "measures",
    "rules_distance": "measures",
    "run_balance": "run",
    "skill_trace": "measures",
    "unseen": "measures",
}

__all__ = [
    "BalanceDefinition",
    "BalanceOptions",
    "BalanceResults",
    "CandidateGames",
    "Estimate",
    "Measure",
    "SkillTrace",
    "Target",
    "define_balance",
    "estimates",
    "match_up_distance",
    "measures_of",
    "needed_metrics",
    "read_balance",
    "read_target",
    "read_wanted",
    "restricted",
    "rules_distance",
    "run_balance",
    "skill_trace",
    "unseen",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    """Return all names, also those that have not been imported yet, for completion."""
    return sorted({*globals(), *__all__})
