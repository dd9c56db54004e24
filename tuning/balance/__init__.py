"""Balancing a game: what its rules should come to, as bands, and what games tell about it.

A candidate is a game type with some of its parameters changed. Its games, between whichever agents, are `CandidateGames`; a
`Target` is a band for a measure of them; an `Estimate` says where the measure lies, and how sure that is.
"""

from __future__ import annotations

from tuning.balance.candidate import CandidateGames
from tuning.balance.catalogue import Measure, measures_of
from tuning.balance.define import BalanceOptions, define_balance
from tuning.balance.definition import BalanceDefinition
from tuning.balance.estimate import Estimate
from tuning.balance.match_ups import match_up_distance, read_wanted
from tuning.balance.printed_rules import rules_distance
from tuning.balance.restrictions import restricted, unseen
from tuning.balance.results import BalanceResults, read_balance
from tuning.balance.run import balance
from tuning.balance.skill import SkillTrace, skill_trace
from tuning.balance.targets import Target, estimates, needed_metrics, read_target

__all__ = [
    "BalanceDefinition",
    "BalanceOptions",
    "BalanceResults",
    "CandidateGames",
    "Estimate",
    "Measure",
    "SkillTrace",
    "Target",
    "balance",
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
    "skill_trace",
    "unseen",
]
