"""Migrations: what older versions of this package have written, as the present one would have.

Files are brought up to date as they are read, version by version; what is written has always the present version. A new
version of the schema means: one more step here, and a ledger of the version before in the tests.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tag.errors import DataError
from tag.results import LOSE, WIN
from tournaments._rows import CPU_SECONDS, SCHEMA_VERSION, TEAMS


class NewerVersionError(DataError):
    """A file of a version of the schema that is not known yet."""


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
        kind: of the shard (see `tournaments._shards`).
        folder: of the ledger.

    Raises:
        DataError: what it needs to know of the tournament is damaged.
    """
    for step in range(version, SCHEMA_VERSION):
        change = _STEPS.get((step, kind))
        table = change(table, folder) if change else table
    return table.replace_schema_metadata({**table.schema.metadata, b"schema_version": str(SCHEMA_VERSION)})


def _add_game_and_teams(table: Any, folder: Path) -> Any:
    """Version 1 had only games with the parameters of the definition, and did not say who is a team."""
    table = _with(table, table.schema.get_field_index("seed"), "game", _game_of_version_1(folder))
    place = table.schema.get_field_index("ordinals") + 1
    return table.add_column(place, TEAMS, _teams_of_version_1(table["results"].combine_chunks()))


def _add_worker(table: Any, _folder: Path) -> Any:
    """Version 1 did not say who played."""
    return _with(table, table.schema.get_field_index("seconds"), "worker", "")


def _add_unknown_cpu_seconds(table: Any, _folder: Path) -> Any:
    """Version 2 did not measure CPU time."""
    seconds = table["seconds"].combine_chunks()
    whole = seconds if isinstance(seconds, pa.Array) else pa.concat_arrays(seconds.chunks)
    ends = np.cumsum(pc.list_value_length(whole).to_numpy())
    unknown = pa.array(np.full(int(ends[-1]) if len(ends) else 0, np.nan))
    column = pa.ListArray.from_arrays(pa.array(np.append(0, ends), pa.int32()), unknown, CPU_SECONDS.type)
    return table.add_column(table.schema.get_field_index("seconds") + 1, CPU_SECONDS, column)


#: What turns a version of a kind of shards into the next; kinds that stay the same are not there.
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
    """Return the spec of the game of a tournament by its ledger's folder; empty where that is all there is."""
    path = folder.parent / "tournament.json"
    try:
        return str(json.loads(path.read_text(encoding="utf-8"))["definition"]["game"])
    except OSError:
        return ""
    except (ValueError, KeyError, TypeError) as error:
        raise DataError(f"{str(path)!r} is damaged: {error}") from None
