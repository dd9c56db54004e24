"""The games that the printed rules and the choice were measured by, read back from the ledger of the validation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tournaments import PlayedGame
from tournaments.ledger import read_records
from tuning.balance.candidate import CandidateGames
from tuning.balance.definition import VALIDATION
from tuning.balance.plan import Group
from tuning.balance.results import BalanceResults
from tuning.balance.tables import CandidateTables


def validated_games(
    results: BalanceResults, measured: Mapping[str, Mapping[str, Any]]
) -> dict[str, list[tuple[Group, CandidateGames]]]:
    """Return the games of candidates on the seeds of the validation, by whatever they are called and by group.

    Args:
        results: of a complete study.
        measured: measurements as they are in ``balance.json``.

    Raises:
        DataError: the ledger is damaged.
    """
    definition, folder = results.manifest.definition, results.folder / VALIDATION
    plan = definition.plan
    tables = CandidateTables(plan, definition.stream(VALIDATION), definition.rules.conditions())
    tables.keep(folder)
    records = dict(read_records(folder))
    found = {}
    for name, one in measured.items():
        games = tables.games(tables.enter(one["spec"]), range(one["games"] // plan.block_games))
        places = [(game.block, game.matchup, game.seating) for game in games]
        played = [PlayedGame(game, records[at]) for game, at in zip(games, places, strict=True) if at in records]
        found[name] = list(plan.views(one["spec"], played))
    return found
