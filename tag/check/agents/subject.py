"""The agent that is checked, the games that it plays, and the base of its checks."""

from __future__ import annotations

from dataclasses import dataclass

from tag.catalogue.registry import agent_names, make_agent
from tag.check.report import Check, Where
from tag.engine.parameters import Spec, parse_spec


@dataclass
class AgentSubject:
    """The agent that is checked.

    Attributes:
        spec: its spec.
        tables: the games and numbers of players to check it in.
        games: how many games to play at each table.
        seed: the seed of the first game; the next ones follow.
    """

    spec: str
    tables: list[tuple[str, int]]
    games: int
    seed: int

    def with_budget(self, budget: int) -> str:
        """Return the spec with a budget of so many forward-model calls, if the agent has budgets."""
        return with_budget(self.spec, budget)

    def where(self, table: tuple[str, int], agent: str, seed: int) -> Where:
        """Return the game with ``agent`` in every seat."""
        return Where(table[0], (agent,) * table[1], seed)

    def places(self, agent: str) -> list[Where]:
        """Return all games to check, with ``agent`` in every seat."""
        seeds = range(self.seed, self.seed + self.games)
        return [self.where(table, agent, seed) for table in self.tables for seed in seeds]


def with_budget(spec: str, budget: int) -> str:
    """Return an agent's spec with a deterministic budget, if the agent has budgets."""
    known = [dimension.name for dimension in make_agent(spec).parameters_class.dimensions()]
    values = dict(parse_spec(spec).values)
    if "budget" in known and "budget_type" in known:
        values = {**values, "budget": budget, "budget_type": "forward_model_calls"}
    return str(Spec(parse_spec(spec).name, values))


def agents_of_any_game() -> list[str]:
    """Return the names of the agents that play any game in any command: neither a person nor a learner's file is needed."""
    return [name for name in agent_names() if name not in ("human", "learned", "process")]


class AgentCheck(Check):
    """One demand on agents."""

    untested = "no game was played"

    def run(self, subject: AgentSubject) -> None:
        """Play the games that the check needs."""
        raise NotImplementedError
