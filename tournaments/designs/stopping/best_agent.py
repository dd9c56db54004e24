"""The rule that ends the search of a design for the best agent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from tag.tournaments.designs.best_agent import BestAgentDesign
from tag.tournaments.designs.stopping.rules import StoppingResult, StoppingRule
from tag.tournaments.statistics.stopping.best_agent import least_lead
from tag.tournaments.statistics.stopping.outcomes import Outcome


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
