"""The shards of a ledger as one table per kind, with each game once and in schedule order."""

from __future__ import annotations

from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from tag.errors import DataError
from tournaments import _frames, _rows, _shards
from tournaments._shards import ACTIONS, GAMES, MEASURES, TIMINGS
from tournaments.agent_names import split_name

FOLDER: Final = "ledger"
_MANIFEST: Final = "tournament.json"
_SCHEMAS: Final = {
    GAMES: _rows.GAMES,
    TIMINGS: _rows.TIMINGS,
    MEASURES: _rows.MEASURES,
    ACTIONS: _rows.ACTIONS,
}
#: How often to read again when the ledger is merged while it is read.
_ATTEMPTS: Final = 5


def ledger_folder(path: Path | str) -> Path:
    """Return where the shards are.

    Args:
        path: the folder of a tournament or study, or its ledger's.

    Raises:
        DataError: there is no ledger.
    """
    folder = Path(path)
    if (folder / FOLDER).is_dir() or (folder / _MANIFEST).is_file():
        return folder / FOLDER
    if folder.is_dir() and (folder.name == FOLDER or _shards.list_shards(folder, GAMES)):
        return folder
    raise DataError(f"{str(path)!r} holds no ledger; name the folder of a tournament")


def merged(folder: Path, kind: str) -> Any:
    """Return all that the shards of ``kind`` hold, each game once, in schedule order.

    Raises:
        DataError: a shard is damaged, or they are of several tournaments.
    """
    for _attempt in range(_ATTEMPTS):
        try:
            tables = [_shards.read_shard(path) for path in _shards.list_shards(folder, kind)]
            break
        except FileNotFoundError:
            continue  # the shard has just been merged into another
    else:
        raise DataError(f"the ledger in {str(folder)!r} changes all the time; try again later")
    if not tables:
        return _SCHEMAS[kind].empty_table()
    schema = max((table.schema for table in tables), key=lambda schema: len(_rows.entries_of(schema)))
    entries = _rows.entries_of(schema)
    if any(entries[: len(fewer)] != fewer for fewer in (_rows.entries_of(table.schema) for table in tables)):
        raise DataError(f"{str(folder)!r} holds shards of several tournaments; keep those of one")
    return _rows.in_schedule_order(pa.concat_tables([table.cast(schema) for table in tables]))


def digest_of(table: Any) -> str:
    """Return 32 hexadecimal digits for all that a merged table holds, however it is cut into pieces."""
    labels = [split_name(entry)[1] for entry in _rows.entries_of(table.schema)]  # no game depends on names
    digest = blake2b("\n".join(labels).encode(), digest_size=16)
    for name in table.column_names:
        digest.update(name.encode())
        _feed(digest, _frames.one_piece(table[name]))
    return digest.hexdigest()


def _feed(digest: blake2b, array: Any) -> None:
    """Put the values of an array into ``digest``, whatever buffers they are in."""
    if pa.types.is_list(array.type):
        digest.update(_frames.lengths(array).tobytes())
        _feed(digest, array.flatten())
    elif pa.types.is_struct(array.type):
        for field in array.flatten():
            _feed(digest, field)
    elif pa.types.is_string(array.type):
        digest.update(pc.binary_length(array).to_numpy().tobytes())
        digest.update("".join(array.to_pylist()).encode())
    else:
        digest.update(array.to_numpy(zero_copy_only=False).tobytes())
