"""Tournaments: `play` one, read its ledger, or use its definition, schedule and driver directly.

The names below are imported when they are first used, so that the command line starts fast.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if not __name__.startswith("tag."):
    raise ImportError("tournaments is imported as tag.tournaments: of each class there must be one")

if TYPE_CHECKING:
    from tag.tournaments.commands.python import TournamentRun, open_tournament, play
    from tag.tournaments.definition import Rules, TournamentDefinition, define
    from tag.tournaments.designs.games import Pairing
    from tag.tournaments.designs.schedule import Schedule
    from tag.tournaments.ledger.games import (
        content_hash,
        read_actions,
        read_faults,
        read_ledger,
        read_measures,
        read_timings,
    )
    from tag.tournaments.ledger.rows import PlayedGame
    from tag.tournaments.ledger.writing import Ledger
    from tag.tournaments.results.tournament import TournamentResults, read_results
    from tag.tournaments.run import run_tournament
    from tag.tournaments.statistics.standings import Standing

_HOMES = {
    "Ledger": "ledger.writing",
    "Pairing": "designs.games",
    "PlayedGame": "ledger.rows",
    "Rules": "definition",
    "Schedule": "designs.schedule",
    "Standing": "statistics.standings",
    "TournamentDefinition": "definition",
    "TournamentResults": "results.tournament",
    "content_hash": "ledger.games",
    "TournamentRun": "commands.python",
    "define": "definition",
    "open_tournament": "commands.python",
    "play": "commands.python",
    "read_actions": "ledger.games",
    "read_faults": "ledger.games",
    "read_ledger": "ledger.games",
    "read_measures": "ledger.games",
    "read_results": "results.tournament",
    "read_timings": "ledger.games",
    "run_tournament": "run",
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
    "TournamentRun",
    "content_hash",
    "define",
    "open_tournament",
    "play",
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


def __dir__() -> list[str]:
    """Return all names, also those that have not been imported yet, for completion."""
    return sorted({*globals(), *__all__})
