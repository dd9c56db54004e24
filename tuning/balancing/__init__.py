"""Balancing a game: bands for measures of the game, and estimates of these measures from games.

A candidate is a game type with some of its parameters changed. Its games, between any agents, are `CandidateGames`; a
`Target` is a band for a measure of them; an `Estimate` is the value of the measure with its error.

The names below are imported when they are first used, so that the command line starts fast.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tag.tournaments import late_names as _late_names

if TYPE_CHECKING:
    from tag.tuning.balancing.definition import BalanceDefinition as BalanceDefinition
    from tag.tuning.balancing.estimation import CandidateGames as CandidateGames
    from tag.tuning.balancing.estimation import Estimate as Estimate
    from tag.tuning.balancing.measures import SkillTrace as SkillTrace
    from tag.tuning.balancing.measures import match_up_distance as match_up_distance
    from tag.tuning.balancing.measures import read_wanted as read_wanted
    from tag.tuning.balancing.measures import restricted as restricted
    from tag.tuning.balancing.measures import rules_distance as rules_distance
    from tag.tuning.balancing.measures import skill_trace as skill_trace
    from tag.tuning.balancing.measures import unseen as unseen
    from tag.tuning.balancing.options import BalanceOptions as BalanceOptions
    from tag.tuning.balancing.options import define_balance as define_balance
    from tag.tuning.balancing.results.results import BalanceResults as BalanceResults
    from tag.tuning.balancing.results.results import read_balance as read_balance
    from tag.tuning.balancing.run import run_balance as run_balance
    from tag.tuning.balancing.targets import Measure as Measure
    from tag.tuning.balancing.targets import Target as Target
    from tag.tuning.balancing.targets import estimates as estimates
    from tag.tuning.balancing.targets import measures_of as measures_of
    from tag.tuning.balancing.targets import needed_metrics as needed_metrics
    from tag.tuning.balancing.targets import read_target as read_target

__all__, __getattr__, __dir__ = _late_names(__name__, __file__)
