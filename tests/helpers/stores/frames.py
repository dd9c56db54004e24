"""Games of a ledger made from some of their columns, so that tests name only what they are about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from tag.engine.results import LOSE, ONGOING, WIN
from tag.tournaments.designs.games import PLACE, game_id_of
from tag.tournaments.ledger.reading import frames_of_table
from tag.tournaments.ledger.rows import GAMES, SCHEMAS, TIMED, TimedSeats, described
from tag.tournaments.results.tournament import StandingSums
from tag.tournaments.statistics.standings import Standing, whole_match_ups


def ledger_table(labels: Sequence[str], agents: Any, **columns: Any) -> Any:
    """Return games as an Arrow table of the ledger; columns that are not given are empty or 0.

    Args:
        labels: of the agents.
        agents: the number of the agent in each seat of each game.
        columns: by their names in the ledger, one value per game: a list with one entry per seat where the ledger has one.
    """
    games = {"agents": [list(map(int, seats)) for seats in agents], **columns}
    n_games, nothing = len(games["agents"]), np.zeros(len(games["agents"]), np.int64).tolist()
    games.setdefault("teams", [list(range(len(seats))) for seats in games["agents"]])
    places = zip(*(games.get(name, nothing) for name in PLACE), strict=True)
    games.setdefault("game_id", [game_id_of(*place) for place in places])
    arrays = []
    for field in SCHEMAS[GAMES]:
        if field.name in games:
            arrays.append(pa.array(list(games[field.name]), field.type))
        elif pa.types.is_list(field.type):
            is_number = not pa.types.is_struct(field.type.value_type)
            arrays.append(pa.array([[0] * len(seats) * is_number for seats in games["agents"]], field.type))
        else:
            arrays.append(pa.array(np.zeros(n_games), pa.float64()).cast(pa.int8()).cast(field.type))
    return pa.Table.from_arrays(arrays, schema=described(SCHEMAS[GAMES], labels))


def ledger_frames(labels: Sequence[str], agents: Any, **columns: Any) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the data frames of `tournaments.read_ledger` of the games of `ledger_table`."""
    return frames_of_table(ledger_table(labels, agents, **columns))


def standings(
    games: pd.DataFrame, seats: pd.DataFrame, timings: pd.DataFrame | None = None, *, n_seatings: int
) -> list[Standing]:
    """Return the standings of games in data frames, without pauses."""
    tally = StandingSums(
        list(map(str, seats["agent"].cat.categories)), int(seats["seat"].max()) + 1 if len(seats) else 0
    )
    tally.add_faults(seats)
    tally.add_counted(whole_match_ups(games, seats, n_seatings))
    if timings is not None:
        timed = seats[["game_id", "seat", "agent_index", "decisions"]].merge(timings, on=["game_id", "seat"])
        tally.add_times(TimedSeats(*(timed[name].to_numpy() for name in ("agent_index", "decisions", *TIMED))))
    return tally.standings()


def results_of_winners(has_won: Any, void: Any) -> list[list[int]]:
    """Return the results of games by who has won, of shape (games, seats), and which are void."""
    rows = zip(has_won, void, strict=True)
    return [[ONGOING if is_void else WIN if won else LOSE for won in seats] for seats, is_void in rows]
