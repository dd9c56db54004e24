"""The rows of the ledger: their Arrow schemas, conversion to records, and migrations from older versions."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from math import isnan, nan
from operator import attrgetter
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tag.engine.results import LOSE, WIN
from tag.errors import DataError
from tag.orders import GameRecord
from tag.playing.faults import Fault
from tournaments.designs.agents import split_name
from tournaments.designs.schedule import Pairing

# --- Arrow schemas, and tables in schedule order ----------------------------------------------------------------------


#: Version of ``tournament.json`` and of the ledger's files. It changes when a column or a key changes its name, type or
#: meaning; then add a migration below.
SCHEMA_VERSION: Final = 3


class PlayedGame(NamedTuple):
    """A game on its way to the ledger.

    Attributes:
        pairing: the game in the schedule.
        record: its results.
        worker: the worker that played it, as in `cluster.batches.PlayedBatch`; empty where unknown.
    """

    pairing: Pairing
    record: GameRecord
    worker: str = ""


def _field(name: str, kind: Any) -> Any:
    return pa.field(name, kind, nullable=False)


def _list(kind: Any) -> Any:
    return pa.list_(_field("element", kind))


_KEY: Final = [
    _field("game_id", pa.string()),
    _field("block", pa.int32()),
    _field("matchup", pa.int32()),
    _field("seating", pa.int16()),
]
_KEY_NAMES: Final = [field.name for field in _KEY]
_key_of: Final = attrgetter(*_KEY_NAMES)
_FAULT: Final = pa.struct([_field("kind", pa.string()), _field("seat", pa.int16()), _field("tick", pa.int32())])

#: Teams, which win and lose together: players with the same number.
TEAMS: Final = _field("teams", _list(pa.int16()))

#: The CPU time of each agent, nan where it is not known.
CPU_SECONDS: Final = _field("cpu_seconds", _list(pa.float64()))

#: The results of a game; with deterministic budgets the same wherever and whenever it is played.
GAMES: Final = pa.schema(
    [
        *_KEY,
        _field("game", pa.string()),
        _field("seed", pa.int64()),
        _field("agents", _list(pa.int16())),
        _field("results", _list(pa.int8())),
        _field("ordinals", _list(pa.int16())),
        TEAMS,
        _field("scores", _list(pa.float64())),
        _field("decisions", _list(pa.int32())),
        _field("ticks", pa.int32()),
        _field("turns", pa.int32()),
        _field("rounds", pa.int32()),
        _field("state_hash", pa.string()),
        _field("void", pa.bool_()),
        _field("faults", _list(_FAULT)),
    ]
)

#: Values that differ between two plays of the same game. Messages of faults may hold addresses and times.
TIMINGS: Final = pa.schema(
    [
        *_KEY,
        _field("worker", pa.string()),
        _field("seconds", _list(pa.float64())),
        CPU_SECONDS,
        _field("messages", _list(pa.string())),
    ]
)

#: Values of metrics: by measure, as many as it has in the game.
MEASURES: Final = pa.schema(
    [
        *_KEY,
        _field("names", _list(pa.string())),
        _field("counts", _list(pa.int32())),
        _field("values", _list(pa.float64())),
    ]
)

#: Actions, by number among those available (`tag.playing.recording`), and the players that ended the game by a fault.
ACTIONS: Final = pa.schema(
    [
        *_KEY,
        _field("choices", _list(pa.int32())),
        _field("forfeits", _list(pa.struct([_field("seat", pa.int16()), _field("result", pa.int8())]))),
    ]
)


def described(schema: Any, entries: Sequence[str]) -> Any:
    """Return ``schema`` with metadata that make a file self-contained: the version, and the agents by number."""
    return schema.with_metadata({"schema_version": str(SCHEMA_VERSION), "agents": json.dumps(list(entries))})


def entries_of(schema: Any) -> list[str]:
    """Return the agents that `described` wrote, none for a bare schema: a label each, or ``NAME=LABEL``."""
    metadata = schema.metadata or {}
    entries: list[str] = json.loads(metadata.get(b"agents", b"[]"))
    return entries


def labels_of(schema: Any) -> list[str]:
    """Return the names of the same agents, or else their labels."""
    return [name or label for name, label in map(split_name, entries_of(schema))]


def games_table(rows: Sequence[PlayedGame], games: Sequence[str], entries: Sequence[str]) -> Any:
    """Return the rows as a table of `GAMES`; ``games`` are their specs."""
    records = [row.record for row in rows]
    columns = {
        **_key_columns(rows),
        "game": games,
        "seed": [row.pairing.seed for row in rows],
        "agents": [row.pairing.agents for row in rows],
        **{
            name: [getattr(record, name) for record in records]
            for name in (
                "results",
                "ordinals",
                "teams",
                "scores",
                "decisions",
                "ticks",
                "turns",
                "rounds",
                "state_hash",
                "void",
            )
        },
        "faults": [
            [{"kind": fault.kind, "seat": fault.player, "tick": fault.tick} for fault in record.faults]
            for record in records
        ],
    }
    return pa.table(columns, schema=described(GAMES, entries))


def timings_table(rows: Sequence[PlayedGame], entries: Sequence[str]) -> Any:
    """Return the rows as a table of `TIMINGS`."""
    columns = {
        **_key_columns(rows),
        "worker": [row.worker for row in rows],
        "seconds": [row.record.seconds for row in rows],
        "cpu_seconds": [row.record.cpu_seconds or (nan,) * len(row.record.seconds) for row in rows],
        "messages": [[fault.message for fault in row.record.faults] for row in rows],
    }
    return pa.table(columns, schema=described(TIMINGS, entries))


def measures_table(rows: Sequence[PlayedGame], entries: Sequence[str]) -> Any:
    """Return the measured values as a table of `MEASURES`; the values of a game's measures follow one another."""
    measures = [row.record.measures for row in rows]
    columns = {
        **_key_columns(rows),
        "names": [[name for name, _values in game] for game in measures],
        "counts": [[len(values) for _name, values in game] for game in measures],
        "values": [[value for _name, values in game for value in values] for game in measures],
    }
    return pa.table(columns, schema=described(MEASURES, entries))


def actions_table(rows: Sequence[PlayedGame], entries: Sequence[str]) -> Any:
    """Return the rows as a table of `ACTIONS`."""
    columns = {
        **_key_columns(rows),
        "choices": [row.record.choices for row in rows],
        "forfeits": [[{"seat": seat, "result": result} for seat, result in row.record.forfeits] for row in rows],
    }
    return pa.table(columns, schema=described(ACTIONS, entries))


def in_schedule_order(table: Any) -> Any:
    """Return each game of ``table`` once, the last to arrive, in schedule order and in one piece."""
    block, matchup, seating = (table[name].to_numpy().astype(np.int64) for name in ("block", "matchup", "seating"))
    key = (block * (matchup.max(initial=0) + 1) + matchup) * (seating.max(initial=0) + 1) + seating
    whole = table.combine_chunks()
    if (key[1:] > key[:-1]).all():
        return whole
    order = np.argsort(key, kind="stable")
    ordered = key[order]
    is_last = np.append(ordered[1:] != ordered[:-1], True)
    return whole.take(order[is_last])


def _key_columns(rows: Sequence[PlayedGame]) -> dict[str, tuple[Any, ...]]:
    columns = zip(*[_key_of(row.pairing) for row in rows], strict=True)
    return dict(zip(_KEY_NAMES, columns, strict=True))


# --- records of games from Arrow tables -------------------------------------------------------------------------------


#: The number of rows that are Python objects at a time, of which there may be millions.
_ROWS: Final = 1_000


def records(games: Any, timings: Any, measures: Any) -> Iterator[tuple[tuple[int, int, int], GameRecord]]:
    """Yield the place of each game in the schedule, and its record.

    Args:
        games: table of `tournaments.ledger.rows.GAMES`.
        timings: table of `TIMINGS`; games may be missing.
        measures: table of `MEASURES`; games may be missing.
    """
    beside = [_Beside(timings), _Beside(measures)]
    for batch in games.to_batches(max_chunksize=_ROWS):
        rows = batch.to_pylist()
        game_ids = [row["game_id"] for row in rows]
        for row, timing, measured in zip(rows, *(table.of(game_ids) for table in beside), strict=True):
            yield (row["block"], row["matchup"], row["seating"]), _record(row, timing, measured)


class _Beside:
    """The rows of another table about the same games, in the same order or in any other."""

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
    """Return CPU times, none where unknown."""
    return () if any(map(isnan, seconds)) else tuple(seconds)


def _measures(row: dict[str, Any]) -> tuple[tuple[str, tuple[float, ...]], ...]:
    found, begin = [], 0
    for name, count in zip(row["names"], row["counts"], strict=True):
        found.append((name, tuple(row["values"][begin : begin + count])))
        begin += count
    return tuple(found)


# --- migrations from older versions -----------------------------------------------------------------------------------
#
# Files are upgraded as they are read, version by version; written files always have the present version. A new version
# of the schema needs one more step here, and a ledger of the version before in the tests.


class NewerVersionError(DataError):
    """A file with an unknown, newer version of the schema."""


def check_version(found: int, path: Path) -> None:
    """Raise `NewerVersionError` where ``path`` has a later version of the schema than this one."""
    if found > SCHEMA_VERSION:
        raise NewerVersionError(
            f"{str(path)!r} has version {found} of the schema, and this tag knows none after {SCHEMA_VERSION}; use the one "
            "that wrote it"
        )


def upgraded(table: Any, version: int, kind: str, folder: Path) -> Any:
    """Return a ``table`` of an older ``version`` with all columns and the metadata of the present one.

    Args:
        table: all of a shard.
        version: of the schema, when it was written.
        kind: of the shard (see `tournaments.ledger.shards`).
        folder: of the ledger.

    Raises:
        DataError: the tournament's files that it needs are damaged.
    """
    for step in range(version, SCHEMA_VERSION):
        change = _STEPS.get((step, kind))
        table = change(table, folder) if change else table
    return table.replace_schema_metadata({**table.schema.metadata, b"schema_version": str(SCHEMA_VERSION)})


def _add_game_and_teams(table: Any, folder: Path) -> Any:
    """Add columns missing in version 1: its games all had the definition's parameters, and no teams."""
    table = _with(table, table.schema.get_field_index("seed"), "game", _game_of_version_1(folder))
    place = table.schema.get_field_index("ordinals") + 1
    return table.add_column(place, TEAMS, _teams_of_version_1(table["results"].combine_chunks()))


def _add_worker(table: Any, _folder: Path) -> Any:
    """Add the worker, which version 1 did not record."""
    return _with(table, table.schema.get_field_index("seconds"), "worker", "")


def _add_unknown_cpu_seconds(table: Any, _folder: Path) -> Any:
    """Add the CPU time, which version 2 did not measure."""
    seconds = table["seconds"].combine_chunks()
    whole = seconds if isinstance(seconds, pa.Array) else pa.concat_arrays(seconds.chunks)
    ends = np.cumsum(pc.list_value_length(whole).to_numpy())
    unknown = pa.array(np.full(int(ends[-1]) if len(ends) else 0, np.nan))
    column = pa.ListArray.from_arrays(pa.array(np.append(0, ends), pa.int32()), unknown, CPU_SECONDS.type)
    return table.add_column(table.schema.get_field_index("seconds") + 1, CPU_SECONDS, column)


#: Steps from a version of a kind of shards to the next; kinds that stay the same have none.
_STEPS: Final[dict[tuple[int, str], Callable[[Any, Path], Any]]] = {
    (1, "games"): _add_game_and_teams,
    (1, "timings"): _add_worker,
    (2, "timings"): _add_unknown_cpu_seconds,
}


def _with(table: Any, place: int, name: str, value: str) -> Any:
    """Return ``table`` with one more column, which has the same value everywhere."""
    field = pa.field(name, pa.string(), nullable=False)
    return table.add_column(place, field, pa.repeat(pa.scalar(value), len(table)))


def _teams_of_version_1(results: Any) -> Any:
    """Return one team where all have won or all have lost, as in co-operative games, and else a team of each player."""
    whole = results if isinstance(results, pa.Array) else pa.concat_arrays(results.chunks)
    flat, counts = whole.flatten().to_numpy(), pc.list_value_length(whole).to_numpy()
    ends = np.cumsum(counts)
    game = np.repeat(np.arange(len(counts)), counts)
    same = [np.bincount(game, flat == result, len(counts)) == counts for result in (WIN, LOSE)]
    seat = np.arange(len(flat)) - (ends - counts)[game]
    teams = np.where((same[0] | same[1])[game], 0, seat).astype(np.int16)
    return pa.ListArray.from_arrays(pa.array(np.append(0, ends), pa.int32()), pa.array(teams), TEAMS.type)


def _game_of_version_1(folder: Path) -> str:
    """Return the spec of the game of a tournament by its ledger's folder; empty where there is only the ledger."""
    path = folder.parent / "tournament.json"
    try:
        return str(json.loads(path.read_text(encoding="utf-8"))["definition"]["game"])
    except OSError:
        return ""
    except (ValueError, KeyError, TypeError) as error:
        raise DataError(f"{str(path)!r} is damaged: {error}") from None
