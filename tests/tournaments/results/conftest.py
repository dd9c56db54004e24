"""Agents whose games repeat."""

from pathlib import Path

import pytest

#: Plays the same in the same position, whatever its random numbers are.
SAME = """
from tag.playing.agent import Agent

class First(Agent):
    def act(self, observation, actions):
        return actions[0]

class Last(Agent):
    def act(self, observation, actions):
        return actions[-1]
"""


@pytest.fixture
def same(tmp_path: Path) -> tuple[str, str]:
    file = tmp_path / "same.py"
    file.write_text(SAME)
    return f"first={file}:First", f"last={file}:Last"
