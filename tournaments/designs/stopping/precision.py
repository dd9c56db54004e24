"""The rule that plays until intervals are narrow enough.

By default the intervals are those of every agent's mean points per game. With agents to compare, they are those of
the differences, which are more precise, as all agents share their luck (see
`tag.tournaments.statistics.stopping.fixed_width`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar, Final

import numpy as np

from tag.errors import ParameterError, PlayersError, UnknownNameError
from tag.tournaments.designs.design import Design
from tag.tournaments.designs.games import Seats
from tag.tournaments.designs.stopping.rules import StoppingResult, StoppingRule
from tag.tournaments.statistics.stopping.fixed_width import FixedWidth
from tag.tournaments.statistics.stopping.outcomes import Outcome, agent_points

#: Points lie between 0 and 1, so an interval of this half width contains no information.
_WIDEST: Final = 0.5


@dataclass(frozen=True)
class MeanEstimate:
    """An estimated quantity.

    Attributes:
        name: the agent's label, or those of the two whose difference it is, ``one - other``.
        half_width: of its interval; infinite with fewer than two blocks. All intervals hold together, at 95 %.
    """

    name: str
    mean: float
    half_width: float


@dataclass(frozen=True)
class PrecisionResult(StoppingResult):
    """The widths of the intervals.

    Attributes:
        precision: the half width asked for, in points per game.
    """

    rule: ClassVar[str] = "precision"
    title: ClassVar[str] = "Precision"
    about: ClassVar[str] = (
        "Blocks are played until all of these intervals, which hold together at 95 %, are narrow enough."
    )
    precision: float
    estimates: list[MeanEstimate]

    @property
    def widest(self) -> MeanEstimate:
        """The estimate with the widest interval."""
        return max(self.estimates, key=lambda estimate: estimate.half_width)

    @property
    def text(self) -> str:
        """The result in a line."""
        state = "reached" if self.is_decided and not self.is_exhausted else self.state
        widest = f"the widest interval is ± {self.widest.half_width:.4f} ({self.widest.name})"
        return f"precision ± {self.precision:g} points: {state} after {self.played}, {widest}"


class PrecisionRule(StoppingRule):
    """Ends once the intervals of all comparisons are at most ± ``precision``."""

    def __init__(
        self, precision: float, compare: Sequence[str], labels: Sequence[str], design: Design, block: Sequence[Seats]
    ) -> None:
        """Start without blocks of a ``design``, whose games of a ``block`` are between the same agents in all.

        The labels to ``compare`` are one, compared with all others, or several, compared with each other; without any,
        the means of all agents are estimated.

        Raises:
            ParameterError: the precision is impossible, or an agent is compared with itself.
            PlayersError: there are blocks in which not every agent plays.
            UnknownNameError: an agent to compare does not take part.
        """
        super().__init__()
        if not 0.0 < precision < _WIDEST:
            raise ParameterError(f"precision cannot be {precision:g}; it lies between 0 and {_WIDEST}")
        if design.learns or {agent for agents in block for agent in agents} != set(range(design.n_agents)):
            raise PlayersError("a precision needs a design in which all agents play in every block")
        pairs = _pairs(compare, labels)
        self._n_agents = design.n_agents
        self._names = [f"{labels[one]} - {labels[other]}" for one, other in pairs] or list(labels)
        #: Turns the mean points of all agents into the estimated quantities, shape (comparisons, agents).
        self._contrasts = np.eye(self._n_agents)
        if pairs:
            self._contrasts = np.array([self._contrasts[one] - self._contrasts[other] for one, other in pairs])
        #: The agents whose games each of them is about.
        self._agents: list[tuple[int, ...]] = [*pairs] or [(agent,) for agent in range(self._n_agents)]
        self._widths = FixedWidth(precision, len(self._names))

    @property
    def has_answer(self) -> bool:
        """True if all intervals are narrow enough."""
        return self._widths.is_done

    def look(self, games: Sequence[Outcome]) -> None:
        """Count the block, unless one of its games is void."""
        if not any(game.void for game in games):
            self.count(games)
            points, seats = agent_points(games, self._n_agents)
            values = self._contrasts @ (np.array(points) / np.array(seats))
            shares = [self.repeats.share(agents) for agents in self._agents]
            self._widths.add(values, shares, decides=self.repeats.has_grown)

    def result(self) -> PrecisionResult:
        """Return the widths of the intervals."""
        columns = zip(self._names, self._widths.means.tolist(), self._widths.half_widths.tolist(), strict=True)
        return PrecisionResult(
            self.is_decided,
            self._widths.blocks,
            self.repeats.independent,
            self.is_exhausted,
            self._widths.half_width,
            [MeanEstimate(*row) for row in columns],
        )


def _pairs(compare: Sequence[str], labels: Sequence[str]) -> list[tuple[int, int]]:
    """Return the numbers of the agents whose differences are estimated."""
    for label in compare:
        if label not in labels:
            raise UnknownNameError.of("agent to compare", label, labels)
    chosen = [labels.index(label) for label in compare]
    if len(set(chosen)) < len(chosen):
        raise ParameterError(f"compare cannot be {', '.join(compare)}; name each agent once")
    if len(chosen) == 1:
        return [(chosen[0], other) for other in range(len(labels)) if other != chosen[0]]
    return list(combinations(chosen, 2))
