"""Max^n: looks at all actions of all players as deep as the budget allows; alpha-beta where there are two sides."""

from __future__ import annotations

from tag.agents.search._lookahead import LookAhead, LookAheadParameters

__all__ = ["MaxN", "MaxNParameters"]

MaxNParameters = LookAheadParameters


class MaxN(LookAhead):
    """Plays the action that is best if all players play well: perfectly, where the search sees all ends.

    Chance is not averaged: each action has one outcome, drawn when the search comes to it. `expectimax` averages.
    """
