"""Agents, their budgets, and the simulator that they search with."""

from __future__ import annotations

from tag.playing.agent.agent import Agent, RemoteAgent, RuleBot, SearchParameters
from tag.playing.agent.budget import BUDGET_TYPES, Budget, Clock, interpreted
from tag.playing.agent.limits import Limits
from tag.playing.agent.simulator import DRAWN_OUTCOMES, MOST_OUTCOMES, Simulator

__all__ = [
    "BUDGET_TYPES",
    "DRAWN_OUTCOMES",
    "MOST_OUTCOMES",
    "Agent",
    "Budget",
    "Clock",
    "Limits",
    "RemoteAgent",
    "RuleBot",
    "SearchParameters",
    "Simulator",
    "interpreted",
]
