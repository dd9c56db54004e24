"""The games of the validation.

The games that measured the default rules and the choice, from the ledger of the validation.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tag.tournaments.ledger.games import read_records
from tag.tournaments.ledger.rows import PlayedGame
from tag.tuning.balancing.definition import VALIDATION
from tag.tuning.balancing.estimation import CandidateGames
from tag.tuning.balancing.plan import Group
from tag.tuning.balancing.problem import schedule_of
from tag.tuning.balancing.results.results import BalanceResults


def validated_games(
    results: BalanceResults, measured: Mapping[str, Mapping[str, Any]]
) -> dict[str, list[tuple[Group, CandidateGames]]]:
    """Return the games of measured candidates on the seeds of the validation, by label and by group.

    Raises:
        DataError: the ledger is damaged.
    """
    definition, folder = results.manifest.definition, results.folder / VALIDATION
    plan = definition.plan
    schedule = schedule_of(definition, plan, definition.stream(VALIDATION))
    schedule.keep(folder)
    records = dict(read_records(folder))
    found = {}
    for name, one in measured.items():
        games = schedule.games(schedule.enter(one["spec"]), range(one["games"] // plan.block_games))
        places = [(game.block, game.matchup, game.seating) for game in games]
        played = [PlayedGame(game, records[at]) for game, at in zip(games, places, strict=True) if at in records]
        found[name] = list(plan.views(one["spec"], played))
    return found
