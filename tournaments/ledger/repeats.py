"""Repeated games in a ledger: which games can repeat others, and what they are compared by."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from tag.catalogue.registry import game_class
from tag.catalogue.user_code import is_path
from tag.engine.parameters import parse_spec
from tag.errors import TagError
from tournaments.definition import TournamentDefinition
from tournaments.ledger import rows
from tournaments.ledger.games import LedgerGames
from tournaments.statistics.intervals import Ints
from tournaments.statistics.repeats import RepeatedGames, Repeats


def can_repeat(definition: TournamentDefinition) -> bool:
    """Say whether games can repeat others: the game type is one of tag's own, and says that it has no chance."""
    name = parse_spec(definition.game).name
    if is_path(name):
        return False  # results are read without running a user's file
    try:
        return not game_class(name).game_type.chance
    except TagError:
        return False


def repeats_in(definition: TournamentDefinition, games: LedgerGames) -> RepeatedGames | None:
    """Return how many games of a ledger repeat others, None where they cannot."""
    if not can_repeat(definition):
        return None
    repeats = Repeats(len(games.labels))
    add_to_repeats(repeats, games.table, games.actions_digests())
    return repeats.result()


def add_to_repeats(repeats: Repeats, games: Any, digests: Ints) -> None:
    """Add games as an Arrow table, with the digests of their actions; void ones are left out."""
    is_played = ~games["void"].to_numpy()
    if len(games):
        agents = rows.flat(games["agents"]).reshape(len(games), -1)[is_played].astype(np.int64)
        specs, hashes = (games[name].filter(pa.array(is_played)).to_pylist() for name in ("game", "state_hash"))
        repeats.add(agents, specs, hashes, digests[is_played])
