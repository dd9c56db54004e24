"""The engine's contract as a suite of checks, for anybody's game or agent: ``tag check my_game.py:MyGame``.

Each check has a name and asks one thing; a report says which hold and, where one does not, what was found, in which
position, and how to see it again.
"""

from __future__ import annotations

from tag.check.agent_suite import AGENT_CHECKS, check_agent
from tag.check.game_suite import GAME_CHECKS, check_game
from tag.check.report import Finding, Report, Where

__all__ = [
    "AGENT_CHECKS",
    "GAME_CHECKS",
    "Finding",
    "Report",
    "Where",
    "check_agent",
    "check_game",
]
