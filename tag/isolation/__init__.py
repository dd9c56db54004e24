"""Isolation: agents that play in processes of their own, so that whatever they do ends only these.

An isolated agent may call ``os._exit``, crash in native code, eat memory or never return: its process is ended, the game
goes on by the fault policy, and the next game gets a new process. What it is asked and answers is the same as in this
process; with deterministic budgets, so is what it plays.
"""

from tag.isolation._agent import close_processes, isolated_agents
from tag.isolation._process import can_limit_memory

__all__ = ["can_limit_memory", "close_processes", "isolated_agents"]
