"""Rules that end a tournament before all of its blocks are played, and the pausing of agents that keep failing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from itertools import combinations
from math import isfinite, isnan, nan
from typing import TYPE_CHECKING, Any, ClassVar, Final, Self

import numpy as np
import pandas as pd

from tag.errors import ParameterError, PlayersError, UnknownNameError
from tag.orders import GameRecord
from tag.tournaments.designs.matchups import BestAgentDesign
from tag.tournaments.statistics.gsprt import Decision, Gsprt, LogisticElo
from tag.tournaments.statistics.intervals import UNKNOWN, Interval, IntervalEstimate, plain_record
from tag.tournaments.statistics.repeats import IndependentBlocks
from tag.tournaments.statistics.sequential import (
    FixedWidth,
    InOrderRelease,
    Outcome,
    agent_points,
    least_lead,
    outcomes_of_ledger,
)

if TYPE_CHECKING:
    from tag.tournaments.designs.games import Pairing
    from tag.tournaments.designs.schedule import Schedule

# --- stopping rules: the end of a tournament before all of its blocks have been played --------------------------------
#
# A rule looks at whole blocks, one by one in schedule order (`InOrderStopping`). So long games cannot
# sway it, and its decision is the same on any number of workers, interrupted or not.


@dataclass(frozen=True)
class StoppingResult:
    """The state of a stopping rule.

    Attributes:
        rule: its name.
        title: the heading of its part of a report.
        about: what that part shows, in one or two sentences.
        blocks: those that count, in schedule order.
        independent: how many of them count as independent; fewer where games repeat.
        is_exhausted: whether the tournament ends undecided, as further games would only repeat others.
    """

    rule: ClassVar[str]
    title: ClassVar[str]
    about: ClassVar[str]
    is_decided: bool
    blocks: int
    independent: int
    is_exhausted: bool

    @property
    def state(self) -> str:
        """The words ``go on``, or that the tournament ends undecided."""
        return "undecided, as no game is new any more," if self.is_exhausted else "go on"

    @property
    def played(self) -> str:
        """The number of blocks, and of those that count."""
        count = "" if self.independent == self.blocks else f" ({self.independent:,} independent, as games repeat)"
        return f"{self.blocks:,} blocks{count}"

    @property
    def text(self) -> str:
        """The state, in a line."""
        raise NotImplementedError

    def to_json(self) -> dict[str, Any]:
        """Return all attributes as plain values, nan and infinity as None."""
        return {"rule": self.rule, **plain_record(self), "text": self.text}


class StoppingRule:
    """The base of all stopping rules.

    Attributes:
        repeats: which blocks are independent, of those that count.
    """

    def __init__(self) -> None:
        """Start without blocks."""
        self.repeats = IndependentBlocks()

    @property
    def is_decided(self) -> bool:
        """True if the tournament ends; that is final, and no more blocks are shown."""
        return self.has_answer or self.is_exhausted

    @property
    def has_answer(self) -> bool:
        """True if the question is answered."""
        raise NotImplementedError

    @property
    def is_exhausted(self) -> bool:
        """True if further games would only repeat others, and what was asked remains unknown."""
        return self.repeats.are_exhausted and not self.has_answer

    def count(self, games: Sequence[Outcome]) -> None:
        """Count a block, none of whose games is void, as far as it repeats no other."""
        self.repeats.add((game.same, game.agents) for game in games)

    @property
    def limit(self) -> str:
        """The limit of what the rule can decide within its blocks, in a sentence; empty for none."""
        return ""

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

    def __init__(self, bounds: SprtBounds, schedule: Schedule) -> None:
        """Start a test.

        Raises:
            PlayersError: there are not two agents, or match-ups are not fixed.
        """
        super().__init__()
        design = schedule.design
        if design.n_agents != _AGENTS or design.learns:
            raise PlayersError(f"an SPRT is between 2 agents in the same match-ups throughout, not {design.n_agents}")
        first_block = [pairing.agents for pairing in schedule.games(range(1))]
        seats = Counter(agent for agents in first_block for agent in agents)
        self._bounds = bounds
        par = seats[0] / sum(seats.values())
        self._test = Gsprt(LogisticElo(par), bounds.elo0, bounds.elo1, bounds.alpha, bounds.beta)

    @property
    def has_answer(self) -> bool:
        """True if the test has accepted a hypothesis."""
        return self._test.decision is not Decision.GO_ON

    def look(self, games: Sequence[Outcome]) -> None:
        """Count the block, unless one of its games is void."""
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


# --- precision: playing until intervals are narrow enough -------------------------------------------------------------
#
# By default the intervals are those of every agent's mean points per game. With agents to compare, they are those of
# the differences, which are more precise, as all agents share their luck (see `tag.tournaments.statistics.sequential`).


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

    def __init__(self, precision: float, compare: Sequence[str], schedule: Schedule, labels: Sequence[str]) -> None:
        """Start without blocks.

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


@dataclass(frozen=True)
class Contender:
    """The state of the search for one agent.

    Attributes:
        p_best: the probability that it is the best, or good enough.
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
        course: the blocks at each look, and `p_best` of the agents in the order of ``contenders``; not part of the
            JSON.
    """

    rule: ClassVar[str] = "best_agent"
    title: ClassVar[str] = "Best agent"
    about: ClassVar[str] = (
        "The next blocks go to those who may yet be the best, until it is known who that is. Agents have met different "
        "opponents, so rates in the standings are not comparable; ratings are."
    )
    confidence: float
    indifference: float
    contenders: list[Contender]
    course: list[tuple[int, list[float]]]

    @property
    def text(self) -> str:
        """The result in a line."""
        leader = self.contenders[0]
        best = f"best, or within {self.indifference:g} Elo" if self.indifference else "best"
        state = "found" if self.is_decided and not self.is_exhausted else self.state
        return (
            f"best agent: {state} after {self.played}, "
            f"P({best}) of {leader.agent} is {leader.p_best:.3f} (aim {self.confidence:g})"
        )

    def to_json(self) -> dict[str, Any]:
        """Return all attributes but the course."""
        values = super().to_json()
        del values["course"]
        return values


#: A share of drawn games as between good players of many board games, for which a limit is said.
_MANY_DRAWS: Final = 0.7


class BestAgentRule(StoppingRule):
    """Watches the search of a design, which learns from the blocks before this rule sees them."""

    def __init__(self, design: BestAgentDesign, most: int, labels: Sequence[str]) -> None:
        """Start without blocks, of which ``most`` are played."""
        super().__init__()
        self._search = design.search
        self._most = most
        self._labels = labels
        self._blocks = 0
        self._games = [0] * len(labels)
        self._course: list[tuple[int, list[float]]] = []

    @property
    def has_answer(self) -> bool:
        """True if the best agent is known."""
        return self._search.best is not None

    @property
    def limit(self) -> str:
        """The lead with which at least half of all searches end in time, also where many games are drawn."""
        search = self._search
        leads = [
            least_lead(search.n_agents, search.n_players, self._most, search.confidence, draws) - search.indifference
            for draws in (0.0, _MANY_DRAWS)
        ]
        if leads[0] < 1.0:
            return ""
        return (
            f"{self._most:,} blocks find the best of {search.n_agents} agents in at least half of all cases if it is "
            f"{leads[0]:.0f} Elo ahead of the others, or where {_MANY_DRAWS:.0%} of all games are drawn {leads[1]:.0f} Elo "
            "in the others; half the lead takes four times the blocks, and best_agent:indifference=ELO accepts an agent "
            "that near to the best"
        ).replace("%", " %")

    def look(self, games: Sequence[Outcome]) -> None:
        """Count the games, and record the search's estimates at the end of a batch."""
        self._blocks += 1
        if not any(game.void for game in games):
            self.count(games)
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
            self._blocks - self.repeats.blocks + self.repeats.independent,
            self.is_exhausted,
            self._search.confidence,
            self._search.indifference,
            [Contender(self._labels[agent], p_best[agent], self._games[agent]) for agent in order],
            [(blocks, [chances[agent] for agent in order]) for blocks, chances in self._course],
        )


# --- following a tournament in schedule order -------------------------------------------------------------------------
#
# Games may arrive in any order. A block is released once it and all before it are whole: first to the design, if that
# learns, then to the stopping rule. Both therefore do the same with one worker or many, and after an interruption.


class InOrderStopping:
    """Passes the blocks of a tournament in order to its design and stopping rule; add games only if it `is_needed`.

    Attributes:
        rule: the rule that may end the tournament; None if there is none.
        is_needed: whether there is a rule, or a design that learns.
        blocks: how many blocks the rule has looked at, void ones included; the tournament ends with these, once
            decided.
    """

    def __init__(self, schedule: Schedule, rule: StoppingRule | None) -> None:
        """Start before the first block."""
        self.rule = rule
        self.is_needed = rule is not None or schedule.design.learns
        self.blocks = 0
        self._schedule = schedule
        self._release = InOrderRelease[Outcome](schedule.n_games)

    @property
    def is_decided(self) -> bool:
        """True if the rule has ended the tournament."""
        return self.rule is not None and self.rule.is_decided

    @property
    def n_games(self) -> int:
        """The games of the whole tournament, as far as it is known by now."""
        return len(self._schedule)

    @property
    def open_games(self) -> int:
        """The games of all known blocks that have not been released."""
        released = self._release.blocks
        return (self._schedule.known - released) * self._schedule.n_games(released)

    def add(self, pairing: Pairing, record: GameRecord, game: str) -> None:
        """Take a game of the spec ``game``, in any order."""
        self._take(pairing.block, pairing.matchup, pairing.seating, Outcome.of(pairing.agents, record, game))

    def add_ledger(self, games: pd.DataFrame, seats: pd.DataFrame) -> None:
        """Take the games of a ledger, by the frames of `tag.tournaments.ledger.games.compared_frames`."""
        for block, matchup, seating, game in outcomes_of_ledger(games, seats):
            self._take(block, matchup, seating, game)

    def _take(self, block: int, matchup: int, seating: int, game: Outcome) -> None:
        number = matchup * self._schedule.design.n_seatings + seating
        if number >= self._schedule.n_games(block):
            return  # a lost shard was played again and ended otherwise, so that other tables play now
        for games in self._release.add(block, number, game):
            was_decided = self.is_decided
            self._schedule.learn(games)
            if self.rule is not None and not was_decided:
                self.blocks += 1
                self.rule.look(games)
