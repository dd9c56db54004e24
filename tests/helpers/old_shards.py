"""Shards as they were written before schema version 5, which do not name their tournament."""

from __future__ import annotations

from hashlib import blake2b
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq


def write_shard(folder: Path, table: pa.Table, kind: str = "games", number: int = 0) -> None:
    """Write a shard as tag does, under a name that has the digest of its content."""
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink)
    data = sink.getvalue().to_pybytes()
    name = f"{kind}-{number:06d}-{blake2b(data, digest_size=8).hexdigest()}.parquet"
    (folder / "ledger" / name).write_bytes(data)


def unnamed(table: pa.Table) -> pa.Table:
    """Return a table as the version before wrote it, which does not name its tournament."""
    about = {key: value for key, value in table.schema.metadata.items() if key != b"tournament"}
    return table.replace_schema_metadata({**about, b"schema_version": b"4"})


def unname(folder: Path) -> None:
    """Let no shard in the folder of a tournament name it."""
    for path in sorted((folder / "ledger").glob("*.parquet")):
        kind, number, _digest = path.stem.rsplit("-", 2)
        table = unnamed(pq.read_table(path))
        path.unlink()
        write_shard(folder, table, kind, int(number))
