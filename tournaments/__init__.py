"""Tournaments: `play` one, read its ledger, or use its definition, schedule and driver directly.

The names below are imported when they are first used, so that the command line starts fast.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if not __name__.startswith("tag."):
    raise ImportError("tournaments is imported as tag.tournaments: of each class there must be one")

if TYPE_CHECKING:
    from tag.tournaments.commands.python import ExperimentRun as ExperimentRun
    from tag.tournaments.commands.python import TournamentRun as TournamentRun
    from tag.tournaments.commands.python import open_experiment as open_experiment
    from tag.tournaments.commands.python import open_tournament as open_tournament
    from tag.tournaments.commands.python import play as play
    from tag.tournaments.commands.python import play_experiment as play_experiment
    from tag.tournaments.definition import Rules as Rules
    from tag.tournaments.definition import TournamentDefinition as TournamentDefinition
    from tag.tournaments.definition import define as define
    from tag.tournaments.designs.games import Pairing as Pairing
    from tag.tournaments.designs.schedule import Schedule as Schedule
    from tag.tournaments.ledger.experiment import Experiment as Experiment
    from tag.tournaments.ledger.games import content_hash as content_hash
    from tag.tournaments.ledger.games import read_actions as read_actions
    from tag.tournaments.ledger.games import read_faults as read_faults
    from tag.tournaments.ledger.games import read_ledger as read_ledger
    from tag.tournaments.ledger.games import read_measures as read_measures
    from tag.tournaments.ledger.games import read_timings as read_timings
    from tag.tournaments.ledger.rows import PlayedGame as PlayedGame
    from tag.tournaments.ledger.writing import Ledger as Ledger
    from tag.tournaments.results.tournament import TournamentResults as TournamentResults
    from tag.tournaments.results.tournament import read_results as read_results
    from tag.tournaments.run import run_experiment as run_experiment
    from tag.tournaments.run import run_tournament as run_tournament
    from tag.tournaments.statistics.standings import Standing as Standing


def late_names(package: str, file: str) -> tuple[list[str], Callable[[str], Any], Callable[[], list[str]]]:
    """Return ``__all__``, ``__getattr__`` and ``__dir__`` of a package, for imports at the first use of a name.

    The names are those that its ``file`` imports for type checkers, a line each: ``from module import name as name``.
    """
    text = Path(file).read_text(encoding="utf-8")
    homes = {name: module for module, name in re.findall(r"^    from (\S+) import (\w+) as \w+$", text, re.MULTILINE)}

    def imported(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(homes[name]), name)

    return sorted(homes), imported, lambda: sorted({*vars(import_module(package)), *homes})


__all__, __getattr__, __dir__ = late_names(__name__, __file__)
