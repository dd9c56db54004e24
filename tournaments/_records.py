"""From Arrow tables back to the records of games that they were made of."""

from __future__ import annotations

from collections.abc import Iterator
from math import isnan
from typing import Any, Final

import numpy as np

from tag.faults import Fault
from tag.playing import GameRecord

#: So many rows are objects of Python at a time: there may be millions.
_ROWS: Final = 1_000


def records(games: Any, timings: Any, measures: Any) -> Iterator[tuple[tuple[int, int, int], GameRecord]]:
    """Yield the place of each game, and what came of it.

    Args:
        games: table of `tournaments._rows.GAMES`.
        timings: likewise of `TIMINGS`; games may be missing.
        measures: likewise of `MEASURES`.
    """
    beside = [_Beside(timings), _Beside(measures)]
    for batch in games.to_batches(max_chunksize=_ROWS):
        rows = batch.to_pylist()
        game_ids = [row["game_id"] for row in rows]
        for row, timing, measured in zip(rows, *(table.of(game_ids) for table in beside), strict=True):
            yield (row["block"], row["matchup"], row["seating"]), _record(row, timing, measured)


class _Beside:
    """The rows of another table about the same games, found one after the other or anywhere."""

    def __init__(self, table: Any) -> None:
        self._table = table
        self._row = {game_id: number for number, game_id in enumerate(table["game_id"].to_pylist())}

    def of(self, game_ids: list[str]) -> list[dict[str, Any] | None]:
        """Return the row of each game, None where it has none; one by one they would cost ten times as much."""
        numbers = [self._row.get(game_id) for game_id in game_ids]
        known = np.array([number for number in numbers if number is not None], dtype=np.int64)
        found = iter(self._table.take(known).to_pylist())
        return [None if number is None else next(found) for number in numbers]


def _record(row: dict[str, Any], timing: dict[str, Any] | None, measured: dict[str, Any] | None) -> GameRecord:
    messages = timing["messages"] if timing else [""] * len(row["faults"])
    faults = [
        Fault(fault["kind"], fault["seat"], fault["tick"], message)
        for fault, message in zip(row["faults"], messages, strict=True)
    ]
    return GameRecord(
        row["game_id"],
        tuple(row["results"]),
        tuple(row["ordinals"]),
        tuple(row["teams"]),
        tuple(row["scores"]),
        tuple(row["decisions"]),
        tuple(timing["seconds"]) if timing else (0.0,) * len(row["results"]),
        row["ticks"],
        row["turns"],
        row["rounds"],
        row["state_hash"],
        row["void"],
        faults,
        _measures(measured) if measured else (),
        cpu_seconds=_known(timing["cpu_seconds"]) if timing else (),
    )


def _known(seconds: list[float]) -> tuple[float, ...]:
    """Return CPU times; none where they are not known."""
    return () if any(map(isnan, seconds)) else tuple(seconds)


def _measures(row: dict[str, Any]) -> tuple[tuple[str, tuple[float, ...]], ...]:
    found, begin = [], 0
    for name, count in zip(row["names"], row["counts"], strict=True):
        found.append((name, tuple(row["values"][begin : begin + count])))
        begin += count
    return tuple(found)
