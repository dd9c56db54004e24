"""The rows of the ledger: their Arrow schemas, and tables of them in schedule order."""

from __future__ import annotations

import json
from collections.abc import Sequence
from math import nan
from operator import attrgetter
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa

from tag.playing import GameRecord
from tournaments.agent_names import split_name
from tournaments.schedule import Pairing

#: Of ``tournament.json`` and of the ledger's files: changes when a column or a key changes its name, type or meaning, and
#: `tournaments._migrations` with it.
SCHEMA_VERSION: Final = 3


class PlayedGame(NamedTuple):
    """A game on its way to the ledger.

    Attributes:
        pairing: which game of the schedule it is.
        record: what came of it.
        worker: who played it, as `cluster.batches.Played` says; empty where that is not known.
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

#: Who wins and loses together: players with the same number.
TEAMS: Final = _field("teams", _list(pa.int16()))

#: The CPU time of each agent, nan where it is not known.
CPU_SECONDS: Final = _field("cpu_seconds", _list(pa.float64()))

#: What a game came to; with deterministic budgets the same wherever and whenever it is played.
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

#: What differs from one playing of the same game to the next. Messages of faults may hold addresses and times.
TIMINGS: Final = pa.schema(
    [
        *_KEY,
        _field("worker", pa.string()),
        _field("seconds", _list(pa.float64())),
        CPU_SECONDS,
        _field("messages", _list(pa.string())),
    ]
)

#: What metrics measured: by measure, as many values as it has in the game.
MEASURES: Final = pa.schema(
    [
        *_KEY,
        _field("names", _list(pa.string())),
        _field("counts", _list(pa.int32())),
        _field("values", _list(pa.float64())),
    ]
)

#: What was played, by number among the actions available (`tag.recording`), and who ended the game by a fault.
ACTIONS: Final = pa.schema(
    [
        *_KEY,
        _field("choices", _list(pa.int32())),
        _field("forfeits", _list(pa.struct([_field("seat", pa.int16()), _field("result", pa.int8())]))),
    ]
)


def described(schema: Any, entries: Sequence[str]) -> Any:
    """Return ``schema`` with what makes a file tell its own story: the version, and the agents by number."""
    return schema.with_metadata({"schema_version": str(SCHEMA_VERSION), "agents": json.dumps(list(entries))})


def entries_of(schema: Any) -> list[str]:
    """Return the agents that `described` wrote, none for a bare schema: a label each, or ``NAME=LABEL``."""
    metadata = schema.metadata or {}
    entries: list[str] = json.loads(metadata.get(b"agents", b"[]"))
    return entries


def labels_of(schema: Any) -> list[str]:
    """Return what the same agents are called: their names, or else their labels."""
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
    """Return what was measured as a table of `MEASURES`; the values of a game's measures follow one another."""
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
