"""Parquet files that would take gigabytes are refused before they are decoded, and files that tag writes are read."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tag.orders import play_order
from tag.tournaments import PlayedGame, content_hash, define
from tag.tournaments.ledger import rows
from tag.tournaments.ledger.folder import FOLDER, Folder, binding_of
from tag.tournaments.ledger.parquet import ParquetFile, ReadingBudget, read_frame
from tag.tournaments.ledger.writing import Ledger

pytestmark = pytest.mark.flow

#: The greatest memory of a process that refuses a file, in MB, and the CPU time that it takes for that, in seconds.
MOST_MB = 300
MOST_SECONDS = 2.0
#: The crafted files are smaller, in bytes.
MOST_BYTES = 200_000

DEFINITION = define("tic_tac_toe", ("random", "osla"), 3, seed=1, metrics=("lead",), record_actions=True)
LETTERS = 20_000_000


def dictionary(text: str, n: int) -> pa.Array:
    """Return ``n`` times the same text, stored once."""
    return pa.DictionaryArray.from_arrays(pa.array(np.zeros(n, np.int32)), pa.array([text]))


def lists(elements: pa.Array, n: int) -> pa.Array:
    """Return ``n`` lists with as many elements each."""
    ends = pa.array(np.linspace(0, len(elements), n + 1).astype(np.int32))
    return pa.ListArray.from_arrays(ends, elements, pa.list_(pa.field("element", elements.type, nullable=False)))


def zeros(field: pa.Field, n: int) -> pa.Array:
    """Return ``n`` empty or zero values."""
    if pa.types.is_list(field.type):
        return lists(pa.array([], field.type.value_type), n)
    if pa.types.is_string(field.type):
        return dictionary("", n)
    return pa.array(np.zeros(n, field.type.to_pandas_dtype()))


@cache
def identity() -> str:
    """Return the identity of the tournament, without which a shard is refused before its rows are looked at."""
    with TemporaryDirectory() as name, Folder.locked(Path(name) / "t", DEFINITION) as folder:
        binding = binding_of(folder.path / FOLDER)
        assert binding is not None
        return binding.text


def crafted(kind: str, n: int, **columns: pa.Array) -> bytes:
    """Return a shard with the columns of its kind, whose texts and numbers are stored once."""
    arrays = [columns.get(field.name, zeros(field, n)) for field in rows.SCHEMAS[kind]]
    fields = [
        pa.field(name, array.type, nullable=False) for name, array in zip(rows.SCHEMAS[kind].names, arrays, strict=True)
    ]
    about = rows.described(rows.SCHEMAS[kind], DEFINITION.entries, identity()).metadata
    return file_of(pa.Table.from_arrays(arrays, schema=pa.schema(fields, about)))


def file_of(table: pa.Table, **options: Any) -> bytes:
    """Return a file of one group of rows, which does not say that texts were dictionaries."""
    sink = pa.BufferOutputStream()
    with pq.ParquetWriter(sink, table.schema, **{"compression": "zstd", "store_schema": False, **options}) as writer:
        writer.write_table(table, row_group_size=10**9)
        writer.add_key_value_metadata(table.schema.metadata or {})
    return sink.getvalue().to_pybytes()


LONG_TEXT = "x" * 100_000
#: Small shards that stand for much, by kind.
SHARDS: dict[str, tuple[str, Callable[[], bytes]]] = {
    "a text that all rows share": ("games", lambda: crafted("games", 50_000, game=dictionary(LONG_TEXT, 50_000))),
    "a long text": ("games", lambda: crafted("games", 1, state_hash=pa.array(["x" * LETTERS * 5]))),
    "many rows": ("games", lambda: crafted("games", 2_000_000)),
    "a long list": ("games", lambda: crafted("games", 1, agents=lists(pa.array(np.zeros(LETTERS, np.int16)), 1))),
    "workers": ("timings", lambda: crafted("timings", 50_000, worker=dictionary(LONG_TEXT, 50_000))),
    "seconds": ("timings", lambda: crafted("timings", 1, seconds=lists(pa.array(np.zeros(LETTERS)), 1))),
    "messages": ("timings", lambda: crafted("timings", 9, messages=lists(dictionary(LONG_TEXT, 50_000), 9))),
    "names of measures": ("measures", lambda: crafted("measures", 9, names=lists(dictionary(LONG_TEXT, 50_000), 9))),
    "measures": ("measures", lambda: crafted("measures", 9, values=lists(pa.array(np.zeros(LETTERS)), 9))),
    "actions": ("actions", lambda: crafted("actions", 9, choices=lists(pa.array(np.zeros(LETTERS, np.int32)), 9))),
    "texts that abbreviate": (
        "games",
        lambda: file_of(
            pa.table({"game": [LONG_TEXT] * 500}), use_dictionary=False, column_encoding={"game": "DELTA_BYTE_ARRAY"}
        ),
    ),
}

#: Data frames of studies and trainings, whose rows no schedule limits.
FRAMES: dict[str, Callable[[], bytes]] = {
    "a text that all rows share": lambda: file_of(pa.table({"spec": dictionary(LONG_TEXT, 50_000)})),
    "a long text": lambda: file_of(pa.table({"spec": ["x" * LETTERS * 5]})),
    "many rows": lambda: file_of(pa.table({"value": np.zeros(LETTERS)})),
    "a long list": lambda: file_of(pa.table({"value": lists(pa.array(np.zeros(LETTERS)), 1)})),
    "nested texts": lambda: file_of(pa.table({"specs": lists(dictionary(LONG_TEXT, 50_000), 9)})),
    "texts in records": lambda: file_of(
        pa.table({"specs": pa.StructArray.from_arrays([dictionary(LONG_TEXT, 50_000)], ["name"])})
    ),
}

#: Reads each file in a process of its own, and prints what comes of it, with the time in seconds and the memory in MB.
READER = """
import json, sys, time
from pathlib import Path
from tempfile import TemporaryDirectory
from tag.errors import DataError
from tag.tournaments import read_actions, read_ledger, read_measures, read_timings
from tag.tournaments.ledger.parquet import read_frame
read = {"games": read_ledger, "timings": read_timings, "measures": read_measures, "actions": read_actions}
for kind, path in json.loads(sys.stdin.read()):
    begin = time.process_time()
    try:
        read.get(kind, read_frame)(Path(path))
        refusal = ""
    except DataError as error:
        refusal = str(error)
    print(json.dumps([path, refusal, time.process_time() - begin]))
status = Path("/proc/self/status").read_text()  # the usage of resources would include the process that started this one
print(int(status.split("VmHWM:")[1].split()[0]) // 1024)
"""


def with_other_numbers(data: bytes, wanted: int, said: int) -> bytes:
    """Return a file whose metadata say another number of values than its pages have."""
    begin = len(data) - 8 - int.from_bytes(data[-8:-4], "little")
    old, new = b"", b""
    while wanted * 2 >> 7 * len(old):
        old += bytes([wanted * 2 >> 7 * len(old) & 127 | (128 if wanted * 2 >> 7 * (len(old) + 1) else 0)])
    for number in range(len(old)):
        new += bytes([said * 2 >> 7 * number & 127 | (128 if number < len(old) - 1 else 0)])
    assert old in data[begin:]
    return data[:begin] + data[begin:].replace(old, new)


def with_header(header: bytes) -> bytes:
    """Return a file whose only page begins with this header in place of its own."""
    data = file_of(pa.table({"value": np.zeros(100)}), compression="none", use_dictionary=False)
    begin = pq.read_metadata(pa.BufferReader(data)).row_group(0).column(0).data_page_offset
    return data[:begin] + header + data[begin + len(header) :]


#: Files whose metadata or headers are lies.
LIES: dict[str, Callable[[], bytes]] = {
    # Field 1, a list of truth values (15 for a long one), and its length in groups of seven bits.
    "a list that is longer than the file": lambda: with_header(bytes([0x19, 0xF1, 0x80, 0x80, 0x80, 0x80, 0x01])),
    # Field 3, the size of the page, as an empty text.
    "a text for a size": lambda: with_header(bytes([0x38, 0x00, 0x00])),
} | {
    f"{said} values for {LETTERS}": lambda said=said: with_other_numbers(
        file_of(pa.table({"value": lists(pa.array(np.zeros(LETTERS, np.int32)), 1)}), compression="none"), LETTERS, said
    )
    for said in (1, 5, 1000)
}


def shard_name(kind: str, data: bytes) -> str:
    return f"{kind}-000001-{blake2b(data, digest_size=8).hexdigest()}.parquet"


def check_refused(files: list[tuple[str, str]]) -> None:
    """Check that reading each file, given by kind and path, is refused within the limits, in a sentence that names it."""
    ran = subprocess.run(
        [sys.executable, "-c", READER], input=json.dumps(files), capture_output=True, text=True, check=True
    )
    *lines, memory = map(json.loads, ran.stdout.splitlines())
    assert len(lines) == len(files) > 0
    for path, refusal, seconds in lines:
        assert re.search(
            r"would take more than \d+ MB|has [\d,]+ rows, and|has texts of unknown length|has pages that are not",
            refusal,
        ), path
        assert ".parquet" in refusal
        assert seconds < MOST_SECONDS, path
    assert memory < MOST_MB


@pytest.mark.system
def test_shards_are_refused_within_the_budget(tmp_path: Path) -> None:
    files = []
    for number, (kind, made) in enumerate(SHARDS.values()):
        data = made()
        assert len(data) < MOST_BYTES
        for blocks in (DEFINITION.blocks, 10**9):  # so that no schedule limits the rows
            folder = tmp_path / f"{number}-{blocks}"
            with Folder.locked(folder, replace(DEFINITION, blocks=1)):
                (folder / "ledger").mkdir()
            path = folder / "tournament.json"
            path.write_text(path.read_text().replace('"blocks": 1', f'"blocks": {blocks}'))
            (folder / "ledger" / shard_name(kind, data)).write_bytes(data)
            files.append((kind, str(folder)))
    check_refused(files)


def test_frames_are_refused_within_the_budget(tmp_path: Path) -> None:
    files = []
    for number, made in enumerate([*FRAMES.values(), *LIES.values()]):
        path = tmp_path / f"{number}.parquet"
        path.write_bytes(made())
        assert path.stat().st_size < MOST_BYTES
        files.append(("frame", str(path)))
    check_refused(files)


@pytest.mark.parametrize("name", SHARDS)
def test_a_tournament_goes_on_without_such_a_shard(tmp_path: Path, name: str) -> None:
    kind, made = SHARDS[name]
    data = made()
    with Folder.locked(tmp_path, DEFINITION):
        ledger = Ledger(tmp_path, DEFINITION)
        ledger.append([PlayedGame(pairing, play_order(DEFINITION.order(pairing))) for pairing in DEFINITION.schedule()])
        expected = content_hash(tmp_path)
        (tmp_path / "ledger" / shard_name(kind, data)).write_bytes(data)
        (sentence,) = Ledger(tmp_path, DEFINITION).quarantined
    assert sentence.startswith(f"{kind}-000001-")
    assert content_hash(tmp_path) == expected


# --- what tag writes ----------------------------------------------------------------------------------------------------


@given(st.integers(1, 400), st.integers(1, 300), st.booleans())
@settings(derandomize=True, deadline=None, max_examples=15)
def test_what_is_written_is_read(n: int, length: int, is_shared: bool) -> None:
    texts = ["x" * length if is_shared else f"{number:x}" * (1 + length // 8) for number in range(n)]
    table = pa.table(
        {"text": texts, "lists": [texts[:2]] * n, "numbers": np.arange(n), "records": [{"a": texts[0]}] * n}
    )
    file = ParquetFile(file_of(table), Path("frame.parquet"), ReadingBudget())
    assert pa.concat_tables(file.parts(None, n)).equals(table)
    assert pa.concat_tables(file.parts(["lists", "text"], 7)).equals(table.select(["lists", "text"]))


def test_games_that_are_all_the_same_are_within_the_budget() -> None:
    """A tournament of many games between deterministic agents compresses best of all."""
    n = 400_000
    table = pa.table(
        {"block": np.arange(n) // 6, "seed": np.arange(n) // 6 * 0x5DEECE66D, "hash": ["0123456789abcdef"] * n}
    )
    data = file_of(table, use_dictionary=False)
    file = ParquetFile(data, Path("games.parquet"), ReadingBudget(n))
    assert sum(len(part) for part in file.parts(None, 65_536)) == n


def test_frames_are_read_as_pandas_reads_them(tmp_path: Path) -> None:
    frame = pd.DataFrame(
        {
            "spec": ["a", None, "a"],
            "value": [1.0, np.nan, 2.0],
            "kind": pd.Categorical(["x", "y", "x"]),
            "lists": [[1, 2], [], [3]],
            "when": pd.to_datetime(["2026-01-01"] * 3),
        }
    )
    path = tmp_path / "frame.parquet"
    frame.to_parquet(path, index=False)
    pd.testing.assert_frame_equal(read_frame(path), pd.read_parquet(path))
