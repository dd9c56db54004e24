"""Tournaments: schedules on blocks, the runner, the ledger and the standings.

The names below are imported when they are first used, so that the command line starts fast.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tournaments._rows import PlayedGame
    from tournaments.definition import Rules, TournamentDefinition, define
    from tournaments.ledger import (
        Ledger,
        content_hash,
        read_actions,
        read_faults,
        read_ledger,
        read_measures,
        read_timings,
    )
    from tournaments.results import TournamentResults, read_results
    from tournaments.runner import run_tournament
    from tournaments.schedule import Pairing, Schedule
    from tournaments.standings import Standing

_HOMES = {
    "Ledger": "ledger",
    "Pairing": "schedule",
    "PlayedGame": "_rows",
    "Rules": "definition",
    "Schedule": "schedule",
    "Standing": "standings",
    "TournamentDefinition": "definition",
    "TournamentResults": "results",
    "content_hash": "ledger",
    "define": "definition",
    "read_actions": "ledger",
    "read_faults": "ledger",
    "read_ledger": "ledger",
    "read_measures": "ledger",
    "read_results": "results",
    "read_timings": "ledger",
    "run_tournament": "runner",
}

__all__ = [
    "Ledger",
    "Pairing",
    "PlayedGame",
    "Rules",
    "Schedule",
    "Standing",
    "TournamentDefinition",
    "TournamentResults",
    "content_hash",
    "define",
    "read_actions",
    "read_faults",
    "read_ledger",
    "read_measures",
    "read_results",
    "read_timings",
    "run_tournament",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
