"""The text of a game or agent of ours, for files of users with classes that inherit from it.

What is compiled cannot be inherited from, so they begin with a copy, as the message about that advises.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Final


def _text(module: str) -> str:
    return Path(import_module(module).__file__ or "").with_name(f"{module.rpartition('.')[2]}.py").read_text("utf-8")


NIM: Final = _text("tag.games.abstract.nim")
RANDOM: Final = _text("tag.agents.random")
TIC_TAC_TOE: Final = _text("tag.games.abstract.tic_tac_toe")
