"""Balancing a game: bands for measures of the game, and estimates of these measures from games.

A candidate is a game type with some of its parameters changed. Its games, between any agents, are `CandidateGames`; a
`Target` is a band for a measure of them; an `Estimate` is the value of the measure with its error.
"""

from __future__ import annotations

from tuning.balancing.definition import BalanceDefinition, BalanceOptions, define_balance
from tuning.balancing.estimates import CandidateGames, Estimate
from tuning.balancing.measures import (
    SkillTrace,
    match_up_distance,
    read_wanted,
    restricted,
    rules_distance,
    skill_trace,
    unseen,
)
from tuning.balancing.results import BalanceResults, read_balance
from tuning.balancing.run import run_balance
from tuning.balancing.targets import Measure, Target, estimates, measures_of, needed_metrics, read_target

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
