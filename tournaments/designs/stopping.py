"""Rules that end a tournament before all of its blocks are played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any, ClassVar, Final, Self

import numpy as np

from tag.errors import ParameterError, PlayersError, UnknownNameError
from tournaments.designs.fixed import Outcome, agent_points
from tournaments.designs.rounds import BestAgentDesign
from tournaments.designs.schedule import Schedule
from tournaments.statistics.gsprt import Decision, Gsprt, LogisticElo
from tournaments.statistics.intervals import plain
from tournaments.statistics.sequential import FixedWidth

# --- stopping rules: the end of a tournament before all of its blocks have been played --------------------------------
#
# A rule looks at whole blocks, one by one in schedule order (`tournaments.results.tournament`). So long games cannot
# sway it, and its decision is the same on any number of workers, interrupted or not.


@dataclass(frozen=True)
class StoppingResult:
    """The state of a stopping rule.

    Attributes:
        rule: its name.
        is_decided: whether it has ended the tournament.
        blocks: those that count, in schedule order.
    """

    rule: ClassVar[str]
    is_decided: bool
    blocks: int

    @property
    def text(self) -> str:
        """The state, in a line."""
        raise NotImplementedError

    def to_json(self) -> dict[str, Any]:
        """Return all attributes as plain values, nan and infinity as None."""
        return {"rule": self.rule, **plain(asdict(self)), "text": self.text}


class StoppingRule:
    """The base of all stopping rules."""

    @property
    def is_decided(self) -> bool:
        """True if the tournament ends; that is final, and no more blocks are shown."""
        raise NotImplementedError

    def look(self, games: Sequence[Outcome]) -> None:
        """Look at the games of the next block in schedule order, by match-up and seating; some may be void."""
        raise NotImplementedError

    def result(self) -> StoppingResult:
        """Return the state."""
        raise NotImplementedError


# --- sequential test --------------------------------------------------------------------------------------------------
#
# A tournament between two agents ends when the test decides whether the first is stronger.
#
# The score of a block is the first agent's share of the points in all games of the block.


_AGENTS = 2


@dataclass(frozen=True)
class SprtBounds:
    """The hypotheses of a test; written ``elo0,elo1`` or ``elo0,elo1,alpha,beta``.

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
        Gsprt(LogisticElo(), bounds.elo0, bounds.elo1, bounds.alpha, bounds.beta)
        return bounds


@dataclass(frozen=True)
class SprtResult(StoppingResult):
    """The state of a test.

    Attributes:
        bounds: the hypotheses.
        decision: accept H0, accept H1, or go on.
        llr: the log-likelihood ratio of H1 to H0.
        lower: the bound below which H0 is accepted.
        upper: the bound above which H1 is accepted.
        elo: the difference, median-unbiased in spite of the stopping; None without blocks.
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
        """Start a test.

        Raises:
            PlayersError: there are not two agents, or match-ups are not fixed.
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
        """True if the test has ended."""
        return self._test.decision is not Decision.GO_ON

    def look(self, games: Sequence[Outcome]) -> None:
        """Count the block, unless one of its games is void."""
        if not any(game.void for game in games):
            points, _seats = agent_points(games, _AGENTS)
            self._test.add([points[0] / len(games)])

    def result(self) -> SprtResult:
        """Return the state of the test."""
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


# --- precision: playing until intervals are narrow enough -------------------------------------------------------------
#
# By default the intervals are those of every agent's mean points per game. With agents to compare, they are those of
# the differences, which are more precise, as all agents share their luck (see `tournaments.statistics.sequential`).


#: Points lie between 0 and 1, so an interval of this half width contains no information.
_WIDEST: Final = 0.5


@dataclass(frozen=True)
class MeanEstimate:
    """An estimated quantity.

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
    """The widths of the intervals.

    Attributes:
        precision: the half width asked for, in points per game.
        estimates: of all quantities.
    """

    rule: ClassVar[str] = "precision"
    precision: float
    estimates: list[MeanEstimate]

    @property
    def widest(self) -> MeanEstimate:
        """The estimate with the widest interval."""
        return max(self.estimates, key=lambda estimate: estimate.half_width)

    @property
    def text(self) -> str:
        """The result in a line."""
        state = "reached" if self.is_decided else "go on"
        widest = f"the widest interval is ± {self.widest.half_width:.4f} ({self.widest.name})"
        return f"precision ± {self.precision:g} points: {state} after {self.blocks:,} blocks, {widest}"


class PrecisionRule(StoppingRule):
    """Ends once the intervals of all comparisons are at most ± ``precision``."""

    def __init__(self, precision: float, compare: Sequence[str], schedule: Schedule, labels: Sequence[str]) -> None:
        """Start without blocks.

        Args:
            precision: the half width asked for, in points per game.
            compare: labels of agents: one, compared with all others, or several, compared with each other; empty for
                the mean points of all agents.
            schedule: of the tournament.
            labels: of all agents.

        Raises:
            ParameterError: the precision is impossible, or an agent is compared with itself.
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
        #: Turns the mean points of all agents into the estimated quantities, shape (comparisons, agents).
        self._contrasts = np.eye(self._n_agents)
        if pairs:
            self._contrasts = np.array([self._contrasts[one] - self._contrasts[other] for one, other in pairs])
        self._widths = FixedWidth(precision, len(self._names))

    @property
    def is_decided(self) -> bool:
        """True if all intervals are narrow enough."""
        return self._widths.is_done

    def look(self, games: Sequence[Outcome]) -> None:
        """Count the block, unless one of its games is void."""
        if not any(game.void for game in games):
            points, seats = agent_points(games, self._n_agents)
            self._widths.add(self._contrasts @ (np.array(points) / np.array(seats)))

    def result(self) -> PrecisionResult:
        """Return the widths of the intervals."""
        columns = zip(self._names, self._widths.means.tolist(), self._widths.half_widths.tolist(), strict=True)
        return PrecisionResult(
            self.is_decided, self._widths.blocks, self._widths.half_width, [MeanEstimate(*row) for row in columns]
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


# --- search for the best agent: ends when the design knows it ---------------------------------------------------------


@dataclass(frozen=True)
class Contender:
    """The state of the search for one agent.

    Attributes:
        agent: its label.
        p_best: the probability that it is the best, or good enough.
        games: the number of games that it has played.
    """

    agent: str
    p_best: float
    games: int


@dataclass(frozen=True)
class BestAgentResult(StoppingResult):
    """The progress of a search.

    Attributes:
        confidence: the probability at which it ends.
        indifference: the greatest acceptable distance from the best, in Elo.
        contenders: the agents, most probable first.
        course: the blocks at each look, and `p_best` of the agents in the order of ``contenders``; not part of the
            JSON.
    """

    rule: ClassVar[str] = "best_agent"
    confidence: float
    indifference: float
    contenders: list[Contender]
    course: list[tuple[int, list[float]]]

    @property
    def text(self) -> str:
        """The result in a line."""
        leader = self.contenders[0]
        best = f"best, or within {self.indifference:g} Elo" if self.indifference else "best"
        state = "found" if self.is_decided else "go on"
        return (
            f"best agent: {state} after {self.blocks:,} blocks, "
            f"P({best}) of {leader.agent} is {leader.p_best:.3f} (aim {self.confidence:g})"
        )

    def to_json(self) -> dict[str, Any]:
        """Return all attributes but the course."""
        values = super().to_json()
        del values["course"]
        return values


class BestAgentRule(StoppingRule):
    """Watches the search of a design, which learns from the blocks before this rule sees them."""

    def __init__(self, design: BestAgentDesign, labels: Sequence[str]) -> None:
        """Start without blocks.

        Args:
            design: of the tournament.
            labels: of its agents.
        """
        self._search = design.search
        self._labels = labels
        self._blocks = 0
        self._games = [0] * len(labels)
        self._course: list[tuple[int, list[float]]] = []

    @property
    def is_decided(self) -> bool:
        """True if the best agent is known."""
        return self._search.best is not None

    def look(self, games: Sequence[Outcome]) -> None:
        """Count the games, and record the search's estimates at the end of a batch."""
        self._blocks += 1
        for game in games:
            for agent in game.agents:
                self._games[agent] += 1
        if self._blocks % self._search.batch == 0:
            self._course.append((self._blocks, self._search.p_best.tolist()))

    def result(self) -> BestAgentResult:
        """Return the progress of the search."""
        p_best = self._search.p_best.tolist()
        order = sorted(range(len(p_best)), key=lambda agent: (-p_best[agent], agent))
        return BestAgentResult(
            self.is_decided,
            self._blocks,
            self._search.confidence,
            self._search.indifference,
            [Contender(self._labels[agent], p_best[agent], self._games[agent]) for agent in order],
            [(blocks, [chances[agent] for agent in order]) for blocks, chances in self._course],
        )
