"""Expectimax: max^n with chance nodes, which average over all outcomes of an action."""

from __future__ import annotations

from tag.agents.search._lookahead import LookAhead, LookAheadParameters

__all__ = ["Expectimax", "ExpectimaxParameters"]

ExpectimaxParameters = LookAheadParameters


class Expectimax(LookAhead):
    """Plays the action with the best expected value, over all that chance can do and all that players may answer.

    The outcomes of an action are gone through with their probabilities. Where there are too many, some are drawn, each as
    likely. Hidden information is averaged over several deals.
    """

    def averages_chance(self) -> bool:
        """Average."""
        return True
