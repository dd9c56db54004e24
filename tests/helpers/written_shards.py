"""Shards that tests change and write under the names that tag would give them."""

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
