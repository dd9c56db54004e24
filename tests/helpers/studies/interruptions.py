"""Studies that are interrupted: what presses Ctrl-C, and what such a study has played in the end."""

from __future__ import annotations

import signal
from collections.abc import Callable
from pathlib import Path

from tag.tournaments.ledger.games import content_hash

LEDGERS = ("search", "validation", "held_out")


def interrupt_after(games: int) -> Callable[[int], None]:
    """Return what presses Ctrl-C once, when so many games have been played."""
    pressed = False

    def interrupt(played: int) -> None:
        nonlocal pressed
        if played >= games and not pressed:
            pressed = True
            signal.raise_signal(signal.SIGINT)

    return interrupt


def ledgers(folder: Path) -> list[str]:
    """Return hashes of the games in the ledgers of a study."""
    return [content_hash(folder / name) for name in LEDGERS if (folder / name).is_dir()]
