"""The engine's contract as a suite of checks, for any game or agent: ``tag check my_game.py:MyGame``.

Each check has a name and makes one demand. A report lists the checks that hold, those that failed and those without cases.
For a failure it gives the finding, the position, and the command to see it again.
"""

from __future__ import annotations

from tag.check.agents import AGENT_CHECKS, check_agent
from tag.check.games import GAME_CHECKS, check_game
from tag.check.report import FAILED, NOT_TESTED, OK, WARNING, Finding, Report, Where

__all__ = [
    "AGENT_CHECKS",
    "FAILED",
    "GAME_CHECKS",
    "NOT_TESTED",
    "OK",
    "WARNING",
    "Finding",
    "Report",
    "Where",
    "check_agent",
    "check_game",
]
