"""Repeated games in a ledger: what they are compared by, and the columns that statistics and stopping rules read."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import numpy as np
import pandas as pd
import pyarrow as pa

from tag.tournaments.ledger import rows
from tag.tournaments.ledger.games import LedgerGames, frames_of_table
from tag.tournaments.statistics.intervals import Bools, Ints
from tag.tournaments.statistics.repeats import Keys, are_independent, keys_of

#: The columns that keys are made of.
COMPARED: Final = ("game", "agents", "state_hash", "void")


def keys_in(games: Any, digests: Ints) -> tuple[Keys, Ints]:
    """Return the key of each game of an Arrow table (`keys_of`), and the agents by seat, of shape (games, players).

    Void games have no key, nor have those whose digest of the actions is 0.
    """
    n_players = int(rows.lengths(games["agents"]).max(initial=1))
    agents = rows.flat(games["agents"]).reshape(-1, n_players).astype(np.int64)
    keys = np.zeros(len(games), np.uint64)
    (known,) = np.nonzero((digests != 0) & ~games["void"].to_numpy())
    if len(known):
        specs, hashes = (games[name].take(pa.array(known)).to_pylist() for name in ("game", "state_hash"))
        keys[known] = keys_of(specs, hashes, digests[known], agents[known])
    return keys, agents


def with_keys(games: Any, keys: Keys, independent: Bools | None = None) -> Any:
    """Return an Arrow table of games with their keys as a column, and with another that tells which are independent.

    The latter is left out where all are.
    """
    games = games.append_column(rows.SAME, pa.array(keys.view(np.int64)))
    if independent is not None and not independent.all():
        games = games.append_column(rows.INDEPENDENT, pa.array(independent))
    return games


def compared_frames(path: Path | str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return `tournaments.read_ledger`, with the columns of `with_keys`."""
    games = LedgerGames(path)
    keys, agents = keys_in(games.table, games.actions_digests())
    return frames_of_table(with_keys(games.table, keys, are_independent(keys, agents)))


def independent_share(path: Path | str) -> float:
    """Return the share of the games that are not void which repeat no earlier one; 1 without games."""
    games = LedgerGames(path, COMPARED)
    is_counted = ~games.column("void")
    keys, agents = keys_in(games.table, games.actions_digests())
    return float(are_independent(keys, agents)[is_counted].mean()) if is_counted.any() else 1.0
