"""Recorded actions that were lost: the agents play these games again, and the ledger keeps what deterministic ones play."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

from tag.errors import TagError
from tag.playing import play_order
from tournaments._rows import PlayedGame
from tournaments.ledger import Ledger
from tournaments.replay import differences, replays_of

#: So many games are written at once: what was played when it is interrupted need not be played again.
_GAMES: Final = 200


def restore_actions(folder: Path, ledger: Ledger, say: Callable[[str], None], is_stopped: Callable[[], bool]) -> None:
    """Have the agents play again the games of a tournament whose actions were to be recorded and are lost.

    Only a game that comes out as the ledger has it is kept. Where one does not, its agents go by the clock, and no other
    game between the same agents is tried.

    Args:
        folder: the tournament's.
        ledger: its ledger, opened by this process.
        say: is told what is done.
        is_stopped: says whether somebody wants it to stop; the next run goes on then.
    """
    lost = ledger.unrecorded()
    if not lost:
        return
    say(f"the agents play {len(lost):,} games again whose recorded actions are lost")
    hopeless: set[frozenset[str]] = set()
    restored: list[PlayedGame] = []
    total = 0
    for replay in replays_of(folder, lost):
        if is_stopped():
            break
        line_up = frozenset(replay.order.agents)
        if line_up in hopeless:
            continue
        try:
            record = play_order(replace(replay.order, record_actions=True, metrics=()))
            is_same = not differences(replay.expected, record)
        except TagError:  # an agent or a game is not there any more
            is_same = False
        if not is_same:
            hopeless.add(line_up)
            continue
        restored.append(PlayedGame(replay.pairing, record, ""))
        total += 1
        if len(restored) == _GAMES:
            ledger.append_actions(restored)
            restored = []
    ledger.append_actions(restored)
    rest = "" if total == len(lost) else f"; {len(lost) - total:,} are still missing: their agents play otherwise now"
    say(f"restored the actions of {total:,} games{'' if is_stopped() else rest}")
