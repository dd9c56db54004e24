"""Files as users write them, named by path: agents that fail or answer at random, a program, and a game."""

from __future__ import annotations

from pathlib import Path
from typing import Final

ERRATIC_AGENTS: Final = Path(__file__).with_name("erratic_agents.py")
FAULTY_AGENTS: Final = Path(__file__).with_name("faulty_agents.py")
FAULTY_PROGRAM: Final = Path(__file__).with_name("faulty_program.py")
PLAIN_GAME: Final = Path(__file__).with_name("plain_game.py")
