"""The rule that decides between two hypotheses on two agents.

A tournament between two agents ends when the test decides whether the first is stronger.

The score of a block is the first agent's share of the points in the games of the block between the two. Games of an
agent with itself, which design self_play has, say nothing about who is stronger and do not count: with them, 462 Elo of
one-step look-ahead against chance in Love Letter looked like 134.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from math import isfinite, isnan, nan
from typing import ClassVar, Self

from tag.errors import ParameterError, PlayersError
from tag.tournaments.designs.design import Design
from tag.tournaments.designs.games import Seats
from tag.tournaments.designs.stopping.rules import StoppingResult, StoppingRule
from tag.tournaments.statistics.intervals import UNKNOWN, Interval, IntervalEstimate
from tag.tournaments.statistics.stopping.elo_scales import LogisticElo
from tag.tournaments.statistics.stopping.gsprt import Decision, Gsprt
from tag.tournaments.statistics.stopping.outcomes import Outcome, agent_points

_AGENTS = 2


@dataclass(frozen=True)
class SprtBounds:
    """The hypotheses of a test; written ``elo0,elo1`` or ``elo0,elo1,alpha,beta``.

    >>> SprtBounds.read("0,10")
    SprtBounds(elo0=0.0, elo1=10.0, alpha=0.05, beta=0.05)

    Attributes:
        elo0: the difference under H0, in Elo.
        elo1: the difference under H1.
        alpha: the chance of accepting H1 if H0 is true.
        beta: the chance of accepting H0 if H1 is true.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    @classmethod
    def read(cls, text: str) -> Self:
        """Read ``0,10`` or ``0,10,0.05,0.1``.

        Raises:
            ParameterError: the text is neither, or the values do not fit together.
        """
        try:
            bounds = cls(*(float(part) for part in text.split(",")))
        except (ValueError, TypeError):
            raise ParameterError(f"sprt cannot be {text!r}; it is elo0,elo1 or elo0,elo1,alpha,beta") from None
        if not all(map(isfinite, astuple(bounds))):
            raise ParameterError(f"sprt cannot be {text!r}; its numbers are finite, such as 0,10")
        Gsprt(LogisticElo(), bounds.elo0, bounds.elo1, bounds.alpha, bounds.beta)
        return bounds


@dataclass(frozen=True)
class SprtResult(StoppingResult):
    """The state of a test.

    Attributes:
        llr: the log-likelihood ratio of H1 to H0.
        lower: the bound below which H0 is accepted.
        upper: the bound above which H1 is accepted.
        elo: the difference, median-unbiased in spite of the stopping; nan without blocks.
    """

    rule: ClassVar[str] = "sprt"
    title: ClassVar[str] = "Sequential test"
    about: ClassVar[str] = (
        "Whether the first agent is stronger, asked after every block. The estimate is median-unbiased although the test "
        "stops where it does."
    )
    bounds: SprtBounds
    decision: str
    llr: float
    lower: float
    upper: float
    elo: float
    elo_interval: Interval

    @property
    def text(self) -> str:
        """The result in a line."""
        decision = self.state if self.decision == Decision.GO_ON.value else self.decision
        test = f"SPRT [{self.bounds.elo0:g}, {self.bounds.elo1:g}] Elo: {decision} after {self.played}"
        llr = f"LLR {self.llr:.2f} ({self.lower:.2f}, {self.upper:.2f})"
        if isnan(self.elo):
            return f"{test}, {llr}"
        low, high = self.elo_interval
        return f"{test}, {llr}, Elo {self.elo:+.1f} ({low:+.1f} … {high:+.1f})"


class Sprt(StoppingRule):
    """The test of one tournament."""

    def __init__(self, bounds: SprtBounds, design: Design, block: Sequence[Seats]) -> None:
        """Start a test of a ``design``, which has games between the same agents in every block as in this ``block``.

        Raises:
            PlayersError: there are not two agents, or match-ups are not fixed.
        """
        super().__init__()
        if design.n_agents != _AGENTS or design.learns:
            raise PlayersError(f"an SPRT is between 2 agents in the same match-ups throughout, not {design.n_agents}")
        seats = Counter(agent for agents in block if _is_between_both(agents) for agent in agents)
        self._bounds = bounds
        par = seats[0] / sum(seats.values())
        self._test = Gsprt(LogisticElo(par), bounds.elo0, bounds.elo1, bounds.alpha, bounds.beta)

    @property
    def has_answer(self) -> bool:
        """True if the test has accepted a hypothesis."""
        return self._test.decision is not Decision.GO_ON

    def look(self, games: Sequence[Outcome]) -> None:
        """Count the block, unless one of its games between both agents is void."""
        games = [game for game in games if _is_between_both(game.agents)]
        if not any(game.void for game in games):
            self.count(games)
            points, _seats = agent_points(games, _AGENTS)
            self._test.add([points[0] / len(games)], self.repeats.share(), decides=self.repeats.has_grown)

    def result(self) -> SprtResult:
        """Return the state of the test."""
        test = self._test
        lower, upper = test.corrected_bounds
        elo, interval = test.estimate() if test.blocks else IntervalEstimate(nan, UNKNOWN)
        return SprtResult(
            is_decided=self.is_decided,
            independent=self.repeats.independent,
            is_exhausted=self.is_exhausted,
            bounds=self._bounds,
            decision=test.decision.value,
            blocks=test.blocks,
            llr=test.llr,
            lower=lower,
            upper=upper,
            elo=elo,
            elo_interval=interval,
        )


def _is_between_both(agents: Seats) -> bool:
    return len(set(agents)) == _AGENTS
