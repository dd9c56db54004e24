"""Playing until intervals are narrow enough: so many blocks as a precision asked for needs.

By default every agent's mean points per game are to be known; with agents to compare, the differences between theirs,
which blocks tell better, as all agents share their luck (see `tournaments.stopping.fixed_width`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar, Final

import numpy as np

from tag.errors import ParameterError, PlayersError, UnknownNameError
from tournaments.outcomes import Outcome, agent_points
from tournaments.schedule import Schedule
from tournaments.stopping import FixedWidth
from tournaments.stopping_rule import StoppingResult, StoppingRule

#: Points lie between 0 and 1, so that an interval of this half width says nothing.
_WIDEST: Final = 0.5


@dataclass(frozen=True)
class Estimate:
    """Something that is to be known.

    Attributes:
        name: the agent's label, or those of the two whose difference it is, ``one - other``.
        mean: in points per game.
        half_width: of its interval; infinite with fewer than two blocks. All intervals hold together, at 95 %.
    """

    name: str
    mean: float
    half_width: float


@dataclass(frozen=True)
class PrecisionResult(StoppingResult):
    """How narrow the intervals are.

    Attributes:
        precision: the half width asked for, in points per game.
        estimates: of all that is to be known.
    """

    rule: ClassVar[str] = "precision"
    precision: float
    estimates: list[Estimate]

    @property
    def widest(self) -> Estimate:
        """The one that is known least."""
        return max(self.estimates, key=lambda estimate: estimate.half_width)

    @property
    def text(self) -> str:
        """The result in a line."""
        state = "reached" if self.is_decided else "go on"
        widest = f"the widest interval is ± {self.widest.half_width:.4f} ({self.widest.name})"
        return f"precision ± {self.precision:g} points: {state} after {self.blocks:,} blocks, {widest}"


class Precision(StoppingRule):
    """Ends once the intervals of all comparisons are at most ± ``precision``."""

    def __init__(self, precision: float, compare: Sequence[str], schedule: Schedule, labels: Sequence[str]) -> None:
        """Begin without blocks.

        Args:
            precision: the half width asked for, in points per game.
            compare: labels of agents: of one, to be compared with all others, or of several, with each other; nobody
                for the mean points of all agents.
            schedule: of the tournament.
            labels: of all agents.

        Raises:
            ParameterError: no such precision can be had, or an agent is to be compared with itself.
            PlayersError: there are blocks in which not every agent plays.
            UnknownNameError: an agent to compare does not take part.
        """
        if not 0.0 < precision < _WIDEST:
            raise ParameterError(f"precision cannot be {precision:g}; it lies between 0 and {_WIDEST}")
        design = schedule.design
        if design.learns or {agent for pairing in schedule.games(range(1)) for agent in pairing.agents} != set(
            range(design.n_agents)
        ):
            raise PlayersError("a precision needs a design in which all agents play in every block")
        pairs = _pairs(compare, labels)
        self._n_agents = design.n_agents
        self._names = [f"{labels[one]} - {labels[other]}" for one, other in pairs] or list(labels)
        #: Turns the mean points of all agents into what is to be known, shape (comparisons, agents).
        self._contrasts = np.eye(self._n_agents)
        if pairs:
            self._contrasts = np.array([self._contrasts[one] - self._contrasts[other] for one, other in pairs])
        self._widths = FixedWidth(precision, len(self._names))

    @property
    def is_decided(self) -> bool:
        """Whether all intervals are narrow enough."""
        return self._widths.is_done

    def look(self, games: Sequence[Outcome]) -> None:
        """Count the block, unless one of its games is void."""
        if not any(game.void for game in games):
            points, seats = agent_points(games, self._n_agents)
            self._widths.add(self._contrasts @ (np.array(points) / np.array(seats)))

    def result(self) -> PrecisionResult:
        """Return how narrow the intervals are."""
        columns = zip(self._names, self._widths.means.tolist(), self._widths.half_widths.tolist(), strict=True)
        return PrecisionResult(
            self.is_decided, self._widths.blocks, self._widths.half_width, [Estimate(*row) for row in columns]
        )


def _pairs(compare: Sequence[str], labels: Sequence[str]) -> list[tuple[int, int]]:
    """Return the numbers of the agents whose differences are to be known."""
    for label in compare:
        if label not in labels:
            raise UnknownNameError.of("agent to compare", label, labels)
    chosen = [labels.index(label) for label in compare]
    if len(set(chosen)) < len(chosen):
        raise ParameterError(f"compare cannot be {', '.join(compare)}; name each agent once")
    if len(chosen) == 1:
        return [(chosen[0], other) for other in range(len(labels)) if other != chosen[0]]
    return list(combinations(chosen, 2))
