"""Checks of agents: games of every type, with the agent in every seat."""

from __future__ import annotations

from tag.check.agents.checks import (
    AgentBudget,
    AgentOtherProcess,
    AgentParametersDeclared,
    AgentParametersPlayable,
    AgentPlays,
    AgentRepeats,
    AgentStatistics,
    check_statistics,
    check_tree,
)
from tag.check.agents.subject import AgentCheck, AgentSubject, agents_of_any_game, with_budget
from tag.check.agents.suite import AGENT_CHECKS, check_agent
from tag.check.agents.watching import CountingModel, Watched, WatchedAlways, play, play_watched

__all__ = [
    "AGENT_CHECKS",
    "AgentBudget",
    "AgentCheck",
    "AgentOtherProcess",
    "AgentParametersDeclared",
    "AgentParametersPlayable",
    "AgentPlays",
    "AgentRepeats",
    "AgentStatistics",
    "AgentSubject",
    "CountingModel",
    "Watched",
    "WatchedAlways",
    "agents_of_any_game",
    "check_agent",
    "check_statistics",
    "check_tree",
    "play",
    "play_watched",
    "with_budget",
]
