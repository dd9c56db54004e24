"""The sequential test of a tournament between two agents: it ends when the first is known to be stronger, or not to be.

The score of a block is the first agent's share of the points in all games of the block.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

from tag.errors import ParameterError, PlayersError
from tournaments.outcomes import Outcome, agent_points
from tournaments.schedule import Schedule
from tournaments.stopping import Decision, Gsprt, LogisticElo
from tournaments.stopping_rule import StoppingResult, StoppingRule

_AGENTS = 2


@dataclass(frozen=True)
class SprtBounds:
    """What a test decides between; written ``elo0,elo1`` or ``elo0,elo1,alpha,beta``.

    Attributes:
        elo0: the difference under H0, in Elo.
        elo1: the difference under H1.
        alpha: the chance to accept H1 where H0 is true.
        beta: the chance to accept H0 where H1 is true.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    @classmethod
    def read(cls, text: str) -> Self:
        """Read ``0,10`` or ``0,10,0.05,0.1``.

        Raises:
            ParameterError: it is neither, or the values do not fit together.
        """
        try:
            bounds = cls(*(float(part) for part in text.split(",")))
        except (ValueError, TypeError):
            raise ParameterError(f"sprt cannot be {text!r}; it is elo0,elo1 or elo0,elo1,alpha,beta") from None
        Gsprt(LogisticElo(), bounds.elo0, bounds.elo1, bounds.alpha, bounds.beta)
        return bounds


@dataclass(frozen=True)
class SprtResult(StoppingResult):
    """How a test stands.

    Attributes:
        bounds: what it decides between.
        decision: accept H0, accept H1, or go on.
        llr: the log-likelihood ratio of H1 to H0.
        lower: the bound below which H0 is accepted.
        upper: the bound above which H1 is accepted.
        elo: the difference, median-unbiased although the test stops where it does; None without blocks.
        elo_low: the lower end of its 95 % interval.
        elo_high: the upper end.
    """

    rule: ClassVar[str] = "sprt"
    bounds: SprtBounds
    decision: str
    llr: float
    lower: float
    upper: float
    elo: float | None
    elo_low: float | None
    elo_high: float | None

    @property
    def text(self) -> str:
        """The result in a line."""
        test = f"SPRT [{self.bounds.elo0:g}, {self.bounds.elo1:g}] Elo: {self.decision} after {self.blocks:,} blocks"
        llr = f"LLR {self.llr:.2f} ({self.lower:.2f}, {self.upper:.2f})"
        if self.elo is None:
            return f"{test}, {llr}"
        return f"{test}, {llr}, Elo {self.elo:+.1f} ({self.elo_low:+.1f} … {self.elo_high:+.1f})"


class Sprt(StoppingRule):
    """The test of one tournament."""

    def __init__(self, bounds: SprtBounds, schedule: Schedule) -> None:
        """Begin a test.

        Raises:
            PlayersError: there are not two agents, or who meets whom is not fixed.
        """
        design = schedule.design
        if design.n_agents != _AGENTS or design.learns:
            raise PlayersError(f"an SPRT is between 2 agents in the same match-ups throughout, not {design.n_agents}")
        first_block = [pairing.agents for pairing in schedule.games(range(1))]
        seats = Counter(agent for agents in first_block for agent in agents)
        self._bounds = bounds
        par = seats[0] / sum(seats.values())
        self._test = Gsprt(LogisticElo(par), bounds.elo0, bounds.elo1, bounds.alpha, bounds.beta)

    @property
    def is_decided(self) -> bool:
        """Whether the test has ended."""
        return self._test.decision is not Decision.GO_ON

    def look(self, games: Sequence[Outcome]) -> None:
        """Count the block, unless one of its games is void."""
        if not any(game.void for game in games):
            points, _seats = agent_points(games, _AGENTS)
            self._test.add([points[0] / len(games)])

    def result(self) -> SprtResult:
        """Return how the test stands."""
        test = self._test
        lower, upper = test.corrected_bounds
        estimate = test.estimate() if test.blocks else None
        return SprtResult(
            is_decided=self.is_decided,
            bounds=self._bounds,
            decision=test.decision.value,
            blocks=test.blocks,
            llr=test.llr,
            lower=lower,
            upper=upper,
            elo=estimate.elo if estimate else None,
            elo_low=estimate.low if estimate else None,
            elo_high=estimate.high if estimate else None,
        )
