"""Files of a folder, written completely or not at all; and shards, the Parquet files of a ledger."""

from __future__ import annotations

import fcntl
import json
import os
import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from hashlib import blake2b, file_digest
from pathlib import Path
from typing import Any, BinaryIO, Final, TypeVar

import pyarrow as pa
import pyarrow.parquet as pq

from tag.engine.text_files import printable_values
from tag.errors import DataError
from tag.tournaments.ledger.identity import Binding, ForeignShardError, checked_columns
from tag.tournaments.ledger.parquet import ParquetFile, ReadingBudget
from tag.tournaments.ledger.rows import (
    GAMES,
    KINDS,
    SCHEMA_VERSION,
    SCHEMAS,
    TIMINGS,
    identity_of,
)

_Content = TypeVar("_Content")

#: Advice for a folder that a command writes to, and goes on with, if it cannot be written to for now.
GO_ON: Final = "what is there is kept, and the same command goes on with it"

_MEGABYTE: Final = 1 << 20


class OtherVersionError(DataError):
    """A file with another version of the schema."""

    def __init__(self, path: Path, found: int) -> None:
        """Say so of the file at ``path``."""
        super().__init__(
            f"{str(path)!r} has version {found} of the schema, this tag knows {SCHEMA_VERSION}; use the one that wrote it"
        )


def check_is_ours(folder: Path, manifest: str, what: str) -> None:
    """Raise `DataError` unless ``folder`` is new, empty (hidden files apart), or has the file ``manifest``."""
    try:
        names = [path.name for path in folder.iterdir() if not path.name.startswith(".")]
    except FileNotFoundError:
        return
    except NotADirectoryError:
        if folder.exists():
            raise DataError(f"{str(folder)!r} is a file; name a new folder with --out") from None
        return  # a folder above it is none, as `check_storage` reports
    except OSError as error:
        raise DataError(f"{str(folder)!r} cannot be used: {error.strerror}; name a new folder with --out") from None
    if names and manifest not in names:
        raise DataError(f"{str(folder)!r} is not empty and holds no {what}; name a new folder with --out")


def check_storage(folder: Path, n_bytes: int) -> None:
    """Raise `DataError` where ``folder``, which need not exist yet, cannot be written to or has no room for so much."""
    there = folder.absolute()
    while not there.exists():
        there = there.parent
    if not there.is_dir() or not os.access(there, os.W_OK | os.X_OK):
        raise DataError(f"nothing can be written to {str(there)!r}; name another folder with --out")
    free = shutil.disk_usage(there).free
    if free < n_bytes:
        raise DataError(
            f"{str(there)!r} has {_megabytes(free)} free, and the ledger may take {_megabytes(n_bytes)}; make room, or name "
            "another folder with --out"
        )


def write_whole(path: Path, content: str | bytes | Iterable[str], way_out: str = "") -> None:
    """Write a file so that it is stored completely and permanently when this returns; otherwise the old file stays.

    ``content`` may be pieces of a text; ``way_out`` is advice if it cannot be written.

    Raises:
        DataError: it cannot be written, for instance because the disk is full.
    """
    pieces = [content] if isinstance(content, str | bytes) else content
    with whole_file(path, way_out) as file:
        file.writelines(piece if isinstance(piece, bytes) else piece.encode() for piece in pieces)


@contextmanager
def whole_file(path: Path, way_out: str = "") -> Iterator[BinaryIO]:
    """Let the body write a file, which is stored as by `write_whole` at its end; after an error the old one stays."""
    temporary = path.with_name(f".{path.name}.tmp")
    try:
        with temporary.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError as error:
        hint = f"; {way_out}" if way_out else ""
        raise DataError(f"cannot write {str(path)!r}: {error.strerror or error}{hint}") from None
    finally:
        with suppress(OSError):
            temporary.unlink()


def read_json(folder: Path, name: str, what: str, parse: Callable[[dict[str, Any]], _Content]) -> _Content:
    """Return the content of the JSON file ``name``, as ``parse`` reads it; ``what`` is the kind of folder, for people.

    Raises:
        DataError: there is no such file, or it is damaged, or of a newer version of the schema.
    """
    path = folder / name
    try:
        return parse(printable_values(json.loads(path.read_text(encoding="utf-8"))))
    except OSError:
        raise DataError(f"{str(folder)!r} holds no {what}: it has no {name}") from None
    except OtherVersionError:
        raise
    except (ValueError, KeyError, TypeError, AttributeError, DataError) as error:
        raise DataError(f"{str(path)!r} is damaged: {error}") from None


def publish_folder(folder: Path, new: Path) -> None:
    """Give a folder, or a file, the name ``new``, where there is nothing or an empty folder; after a power cut, too.

    Raises:
        DataError: something is there, or it cannot be renamed.
    """
    try:
        folder.rename(new)
        _sync_folder(new.parent)
    except OSError as error:
        raise DataError(f"cannot write {str(new)!r}: {error.strerror}") from None


@contextmanager
def locked(path: Path, refusal: str = "") -> Iterator[None]:
    """Hold the lock file ``path``; wait for it, or with a ``refusal`` raise that as `DataError` if it is taken.

    The operating system releases it when the process ends, in any way.
    """
    with path.open("w", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | (fcntl.LOCK_NB if refusal else 0))
        except BlockingIOError:
            raise DataError(refusal) from None
        yield


def _megabytes(n_bytes: int) -> str:
    return f"{n_bytes / _MEGABYTE:,.1f} MB"


# A shard's name is its kind, a number that grows in the order of arrival, and a digest of its bytes:
# ``games-000012-9f86d081884c7d65.parquet``. So truncated or altered files are detected. Number 0 is the merged ledger
# of a complete tournament, and number 1 may be the games by which a large one has been extended.


MERGED: Final = 0
EXTENSION: Final = 1

_NAME: Final = re.compile(r"(games|timings|measures|actions)-(\d{6,})-([0-9a-f]{16})\.parquet", re.ASCII)
_VERSION: Final = b"schema_version"
_QUARANTINE: Final = "_quarantine"
_TEMPORARY: Final = ".tmp"
_blake2b: Final = partial(blake2b, digest_size=8)
#: Rows are written and decoded so many at a time: to write all at once takes some times their memory, and to decode them
#: more than twice.
_ROWS: Final = 65_536
#: Texts that many games share are kept once; strings that all differ, and small numbers, gain nothing from dictionaries.
_WRITING: Final = {"write_page_checksum": True, "use_dictionary": ["game", "worker"]}
#: The merged ledger stays, so it is compressed to half the size of the shards before it, in twice the time.
_COMPRESSION: Final = {True: "zstd", False: "lz4"}


#: A shard may have a game so many times.
_COPIES: Final = 2
_REMEDY: Final = "run the tournament again to set it aside"


class DamagedShardError(DataError):
    """A shard whose bytes differ from those written."""


def list_shards(folder: Path) -> dict[str, list[Path]]:
    """Return the shards in a folder by kind, each kind in the order of arrival; other files are ignored.

    A writer adds timings before their games. Where games lack theirs the folder is read again: files that are added while a
    folder is read may be missing in the list.
    """
    found = _listed(folder)
    numbers = [{shard_number(path) for path in found[kind]} for kind in (GAMES, TIMINGS)]
    return found if numbers[0] <= numbers[1] else _listed(folder)


def _listed(folder: Path) -> dict[str, list[Path]]:
    found: dict[str, list[Path]] = {kind: [] for kind in KINDS}
    with suppress(FileNotFoundError, NotADirectoryError):
        for path in sorted(filter(is_shard, folder.iterdir()), key=arrival):
            found[kind_of(path)].append(path)
    return found


def arrival(path: Path) -> tuple[int, str]:
    """Return the key that sorts shards in the order of arrival."""
    return shard_number(path), path.name


def is_shard(path: Path) -> bool:
    """Say whether a file has the name of a shard."""
    return _NAME.fullmatch(path.name) is not None


def shard_number(path: Path) -> int:
    """Return the number of a shard of `list_shards`."""
    return int(path.name.split("-")[1])


def arrived_at(path: Path) -> float:
    """Return when a shard was written, in seconds since 1970.

    Raises:
        FileNotFoundError: it is gone.
    """
    return path.stat().st_mtime


def other_files(folder: Path) -> list[str]:
    """Return the names of the files in a folder of shards that are none, sorted; hidden files do not count."""
    return [path.name for path in sorted(folder.glob("[!.]*")) if path.is_file() and not is_shard(path)]


def write_shard(folder: Path, kind: str, number: int, table: Any) -> Path:
    """Do as `write_parts` with one table."""
    return write_parts(folder, kind, number, table.schema, [table])


def write_parts(folder: Path, kind: str, number: int, schema: Any, parts: Iterable[Any]) -> Path:
    """Write tables one after the other so that they are stored completely and permanently when this returns, or not at all.

    The same rows under the same number give the same bytes and name, in any division. Only some parts are in memory.

    Raises:
        DataError: it cannot be written, for instance because the disk is full.
    """
    temporary = folder / f".{kind}-{number:06d}{_TEMPORARY}"
    try:
        with temporary.open("w+b") as file:
            with pq.ParquetWriter(file, schema, compression=_COMPRESSION[number == MERGED], **_WRITING) as writer:
                for group in _in_groups(schema, parts):
                    writer.write_table(group, row_group_size=_ROWS)
            file.flush()
            os.fsync(file.fileno())
            file.seek(0)
            path = folder / f"{kind}-{number:06d}-{file_digest(file, _blake2b).hexdigest()}.parquet"
        temporary.replace(path)
        _sync_folder(folder)
    except Exception as error:
        with suppress(OSError):
            temporary.unlink()
        if isinstance(error, OSError):
            raise DataError(f"cannot write to {str(folder)!r}: {error.strerror}; {GO_ON}") from None
        raise
    pa.default_memory_pool().release_unused()
    return path


def _in_groups(schema: Any, parts: Iterable[Any]) -> Iterator[Any]:
    """Yield the rows of tables in tables of `_ROWS` rows, and those that are left."""
    rest = schema.empty_table()
    for part in parts:
        rest = pa.concat_tables([rest, part.replace_schema_metadata(schema.metadata)])
        while len(rest) > _ROWS:
            yield rest.slice(0, _ROWS).combine_chunks()
            rest = rest.slice(_ROWS)
    yield rest.combine_chunks()


def read_shard(path: Path, columns: Sequence[str] | None = None, binding: Binding | None = None) -> Any:
    """Return the table in a shard, or some of its columns.

    Args:
        path: of the shard.
        columns: those that are wanted; all by default.
        binding: the tournament that the games must be of; where there is none, or it knows the shard, they are not compared.

    Raises:
        DamagedShardError: the bytes differ from those written.
        ForeignShardError: it has games that are not those of the tournament.
        OversizedFileError: it would take too much memory.
        OtherVersionError: the shard has another version of the schema.
        FileNotFoundError: it is gone; the ledger has been merged in between.
    """
    return pa.concat_tables(shard_parts(path, columns, _ROWS, binding))


def shard_parts(
    path: Path, columns: Sequence[str] | None, n_rows: int, binding: Binding | None = None, *, thorough: bool = False
) -> Iterator[Any]:
    """Yield the table of `read_shard` so many rows at a time, at least once; ``thorough`` checks are of all shards.

    A caller that keeps no part needs the memory of one only. That is also faster, as new memory costs time: a million
    games took 0.24 s of CPU, and 0.3 to 0.7 s when all parts were kept.
    """
    if binding is None or (path.name in binding.known and not thorough):
        yield from _parts(path, columns, n_rows)
        return
    kind = kind_of(path)
    wanted = None if columns is None else list(dict.fromkeys([*columns, *checked_columns(kind)]))
    for part in _parts(path, wanted, n_rows, binding):
        _refuse(path, binding.misfit(kind, part, thorough=thorough))
        yield part if columns is None else part.select(list(columns))
    binding.known.add(path.name)


def _parts(path: Path, columns: Sequence[str] | None, n_rows: int, binding: Binding | None = None) -> Iterator[Any]:
    """Yield the parts of a shard, whose rows are not compared yet, its metadata only with a ``binding``."""
    kind, data = kind_of(path), _content(path)
    games = None if binding is None else binding.plan.most_games
    most = None if games is None else _COPIES * games
    try:
        file = ParquetFile(data, path, ReadingBudget(most), _REMEDY)
        if (version := int(file.schema.metadata[_VERSION])) != SCHEMA_VERSION:
            raise OtherVersionError(path, version)
        if binding is not None:
            _refuse(path, binding.difference(file.schema))
        if not file.schema.equals(SCHEMAS[kind]):
            raise ForeignShardError(path, f"has other columns than {kind}", _REMEDY)
        yield from file.parts(columns, n_rows)
    except (pa.ArrowException, OSError, LookupError, ValueError, TypeError) as error:
        raise DamagedShardError(f"{str(path)!r} cannot be read: {error}; {_REMEDY}") from None


def _refuse(path: Path, reason: str) -> None:
    """Raise `ForeignShardError` where there is a ``reason``."""
    if reason:
        raise ForeignShardError(path, f"is not of this tournament ({reason})", _REMEDY)


def checked_shard(path: Path, binding: Binding, columns: Sequence[str] | None = ()) -> Any:
    """Return columns of a shard, as `read_shard` does, after a check of all its rows.

    Tables of designs that take long to plan are checked, too.
    """
    return pa.concat_tables(shard_parts(path, columns, _ROWS, binding, thorough=True))


def kind_of(path: Path) -> str:
    """Return the kind of a shard of `list_shards`."""
    return path.name.split("-")[0]


def schema_of(path: Path) -> Any:
    """Return the schema of a shard with its metadata, from the end of the file; the rest is not looked at.

    Raises:
        DamagedShardError: it cannot be read.
        FileNotFoundError: it is gone.
    """
    try:
        return pq.read_schema(path)
    except FileNotFoundError:
        raise
    except (pa.ArrowException, OSError) as error:
        raise DamagedShardError(f"{str(path)!r} cannot be read: {error}; {_REMEDY}") from None


def n_rows(path: Path) -> int:
    """Return the number of rows of a shard, from the end of the file; the rest is not looked at.

    Raises:
        FileNotFoundError: it is gone.
    """
    return int(pq.read_metadata(path).num_rows)


def extent(path: Path) -> tuple[int, int, int]:
    """Return the rows of a shard, and its first and last block as far as known, from the end of the file."""
    metadata = pq.read_metadata(path)
    at = metadata.schema.to_arrow_schema().get_field_index("block")
    groups = [metadata.row_group(number).column(at).statistics for number in range(metadata.num_row_groups)]
    if not groups or not all(about is not None and about.has_min_max for about in groups):
        return metadata.num_rows, 0, 0
    return metadata.num_rows, min(about.min for about in groups), max(about.max for about in groups)


def is_current(path: Path, identity: str) -> bool:
    """Say whether a shard has the present version of the schema, and names its tournament."""
    schema = schema_of(path)
    return int(schema.metadata[_VERSION]) == SCHEMA_VERSION and identity_of(schema) == identity


def check_bytes(path: Path) -> None:
    """Raise as `read_shard` does for a shard that is gone, or whose bytes differ from those written; decode nothing."""
    _content(path)


def _content(path: Path) -> bytes:
    """Return the bytes of a shard.

    Raises:
        DamagedShardError: the bytes differ from those written.
        FileNotFoundError: it is gone.
    """
    data = path.read_bytes()
    if f"{_digest(data)}.parquet" != path.name.split("-")[2]:
        raise DamagedShardError(f"{str(path)!r} is damaged; run the tournament again to replay what was in it")
    return data


def remove_shard(path: Path) -> None:
    """Remove a shard whose rows are in another."""
    path.unlink()


def set_aside(path: Path) -> Path:
    """Move a shard out of the ledger, where people can look at it, and return its new path."""
    aside = path.parent / _QUARANTINE / path.name
    aside.parent.mkdir(exist_ok=True)
    path.replace(aside)
    _sync_folder(path.parent)
    return aside


def remove_leftovers(folder: Path) -> None:
    """Remove the remains of interrupted writes."""
    for path in folder.glob(f".*{_TEMPORARY}"):
        path.unlink(missing_ok=True)


def _digest(data: Any) -> str:
    return _blake2b(data).hexdigest()


def _sync_folder(folder: Path) -> None:
    """Make renames in ``folder`` survive a power cut."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
