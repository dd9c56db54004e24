"""The search for the best agent as a stopping rule: it ends when the design knows who that is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from tournaments.designs import BestAgentDesign
from tournaments.outcomes import Outcome
from tournaments.stopping_rule import StoppingResult, StoppingRule


@dataclass(frozen=True)
class Contender:
    """What is known of one agent.

    Attributes:
        agent: its label.
        p_best: the probability that it is the best, or good enough.
        games: those that it has played.
    """

    agent: str
    p_best: float
    games: int


@dataclass(frozen=True)
class BestAgentResult(StoppingResult):
    """How far a search has come.

    Attributes:
        confidence: the probability at which it ends.
        indifference: how much weaker than the best is good enough, in Elo.
        contenders: the agents, most probable first.
        course: the blocks at each look, and what `p_best` was for the agents in the order of ``contenders``; not
            part of the JSON.
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
        """Return everything but the course."""
        values = super().to_json()
        del values["course"]
        return values


class BestAgentRule(StoppingRule):
    """Watches the search of a design, which learns from the blocks before they come here."""

    def __init__(self, design: BestAgentDesign, labels: Sequence[str]) -> None:
        """Begin without blocks.

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
        """Whether the best agent is known."""
        return self._search.best is not None

    def look(self, games: Sequence[Outcome]) -> None:
        """Count the games, and note what the search has made of them at the end of a batch."""
        self._blocks += 1
        for game in games:
            for agent in game.agents:
                self._games[agent] += 1
        if self._blocks % self._search.batch == 0:
            self._course.append((self._blocks, self._search.p_best.tolist()))

    def result(self) -> BestAgentResult:
        """Return how far the search has come."""
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
