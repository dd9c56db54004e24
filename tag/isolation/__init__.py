"""Isolation: agents that play in processes of their own, so that a crash ends only these.

An isolated agent may call ``os._exit``, crash in native code, eat memory or never return: its process is ended, and the
game goes on by the fault policy. Every agent gets a new process for every game, and so remembers no deal. It runs only
while it is asked. Requests and answers are the same as in this process; with deterministic budgets, so is its play.

Users' programs (`Program`) are started, stopped between questions and ended in the same way.
"""

from tag.isolation._agent import close_agents, close_processes, isolated_agents
from tag.isolation._process import can_limit_memory
from tag.isolation._program import Program
from tag.isolation._trees import ToldAction

__all__ = ["Program", "ToldAction", "can_limit_memory", "close_agents", "close_processes", "isolated_agents"]
