"""Parquet files read within a budget: what a file would take is known before it is decoded.

A few kilobytes can stand for gigabytes: a text that is stored once and repeated in a million rows, or a page of zeros. Files
may have been received. So rows, values and bytes are added up from the metadata first, and texts that a dictionary repeats
are measured before they are written out.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from tag.errors import DataError

# Arrow's own choice, mimalloc, keeps more of what is freed: standings of a million games take 730 MB with it, 620 with this.
if "ARROW_DEFAULT_MEMORY_POOL" not in os.environ and "jemalloc" in pa.supported_memory_backends():
    pa.set_memory_pool(pa.jemalloc_memory_pool())

_MEGABYTE: Final = 1 << 20
#: Any file may take this much memory, in bytes.
_FREE: Final = 32 * _MEGABYTE
#: Beyond that, so many bytes for each byte of the file. The ledger of 600,000 games that are all the same takes 53.
_RATIO: Final = 128
#: And so many for each game of the schedule; metrics write some thousand numbers of 8 bytes per game.
_GAME_BYTES: Final = _MEGABYTE

#: Encodings in which a page of texts is about as long as the texts themselves. Others abbreviate what texts share.
_PLAIN: Final = frozenset({"PLAIN", "RLE", "RLE_DICTIONARY", "PLAIN_DICTIONARY", "BIT_PACKED"})
_TEXT: Final = "BYTE_ARRAY"
_WIDTHS: Final = {"BOOLEAN": 1, "INT32": 4, "INT64": 8, "INT96": 12, "FLOAT": 4, "DOUBLE": 8}
#: Bytes of the place of a text or list among the others.
_OFFSET: Final = 4


class UnfitFileError(DataError):
    """A file that cannot be what it stands for.

    Attributes:
        reason: the words that follow the file's name in a sentence.
    """

    def __init__(self, path: Path, reason: str, remedy: str = "") -> None:
        """Say so of the file at ``path``, and what to do about it."""
        super().__init__(f"{str(path)!r} {reason}{remedy and f'; {remedy}'}")
        self.reason = reason


class OversizedFileError(UnfitFileError):
    """A file that would take more memory than it may."""


@dataclass(frozen=True)
class ReadingBudget:
    """The size that a file may have.

    Attributes:
        rows: the greatest number of rows; None for any.
    """

    rows: int | None = None

    def n_bytes(self, file_bytes: int) -> int:
        """Return how many bytes the values of a file of this size may take."""
        by_file = _FREE + _RATIO * file_bytes
        return by_file if self.rows is None else min(by_file, _FREE + _GAME_BYTES * self.rows)


class ParquetFile:
    """A Parquet file in memory that keeps to a budget.

    Attributes:
        schema: of Arrow, with the metadata.
        n_rows: the number of rows.
    """

    def __init__(self, data: bytes, path: Path, budget: ReadingBudget, remedy: str = "") -> None:
        """Read the metadata of the content of ``path``; ``remedy`` is advice if that exceeds the budget.

        Raises:
            OversizedFileError: the content exceeds the budget.
            pa.ArrowException: it is no Parquet file.
        """
        metadata = pq.read_metadata(pa.BufferReader(data))
        self._path = path
        self._remedy = remedy
        self._most = budget.n_bytes(len(data))
        self.n_rows: int = metadata.num_rows
        if budget.rows is not None and self.n_rows > budget.rows:
            raise OversizedFileError(path, f"has {self.n_rows:,} rows, and {budget.rows:,} is the most", remedy)
        repeated = self._check(metadata)
        self._check_pages(metadata, data)
        self._file = pq.ParquetFile(
            pa.BufferReader(data), metadata=metadata, read_dictionary=repeated, pre_buffer=False
        )
        self.schema: Any = metadata.schema.to_arrow_schema()
        self._left = self._most

    def parts(self, columns: Sequence[str] | None, n_rows: int) -> Iterator[Any]:
        """Return tables of some columns, each of so many rows; at least one.

        Raises:
            OversizedFileError: texts that are repeated exceed the budget.
        """
        names = self.schema.names if columns is None else columns
        schema = pa.schema([self.schema.field(name) for name in names], self.schema.metadata)
        self._left = self._most
        if self.n_rows <= n_rows:
            return iter([self._plain(self._file.read(columns, use_threads=False), schema)])
        batches = self._file.iter_batches(n_rows, columns=columns, use_threads=False)
        return (self._plain(pa.Table.from_batches([batch]), schema) for batch in batches)

    def _check(self, metadata: Any) -> list[str]:
        """Check the sizes of all columns, and return the paths of the texts that have dictionaries."""
        total, repeated = 0, set[str]()
        for number in range(metadata.num_row_groups):
            group = metadata.row_group(number)
            for place in range(group.num_columns):
                column = group.column(place)
                depth = metadata.schema.column(place).max_repetition_level
                is_text = column.physical_type == _TEXT
                total += _OFFSET * depth * group.num_rows
                total += column.num_values * (_OFFSET if is_text else self._width(column, metadata.schema, place))
                if is_text:
                    total += column.total_uncompressed_size
                    if not _PLAIN.issuperset(column.encodings):
                        encodings = ", ".join(column.encodings)
                        raise OversizedFileError(
                            self._path, f"has texts of unknown length, encoded as {encodings}", self._remedy
                        )
                    if column.has_dictionary_page:
                        repeated.add(column.path_in_schema)
                self._check_total(max(total, metadata.num_rows))
        return sorted(repeated)

    def _check_pages(self, metadata: Any, data: bytes) -> None:
        """Check that the pages hold as many values and bytes as the metadata say, by which readers do not go."""
        for number in range(metadata.num_row_groups):
            group = metadata.row_group(number)
            for place in range(group.num_columns):
                column = group.column(place)
                try:
                    values, size = _in_pages(data, column)
                except (LookupError, ValueError, TypeError, RecursionError):
                    values, size = -1, 0
                if values != column.num_values or size > column.total_uncompressed_size:
                    raise OversizedFileError(self._path, "has pages that are not as its metadata say", self._remedy)

    @staticmethod
    def _width(column: Any, schema: Any, place: int) -> int:
        """Return the bytes of a value of fixed length."""
        return int(_WIDTHS.get(column.physical_type) or schema.column(place).length)

    def _check_total(self, total: int) -> None:
        if total > self._most:
            most = self._most // _MEGABYTE
            reason = f"would take more than {most:,} MB of memory, the most for its size"
            raise OversizedFileError(self._path, reason, self._remedy)

    def _plain(self, table: Any, schema: Any) -> Any:
        """Return a table in which texts are written out, if the budget has room for them."""
        if table.schema.equals(schema):
            return table.replace_schema_metadata(schema.metadata)
        for column in table.columns:
            self._left -= sum(_repeated_bytes(chunk) for chunk in column.chunks)
        self._check_total(self._most - self._left)
        return table.cast(schema)


#: Fields of the header of a page, as Parquet's format numbers them: the header of a page of data, of either version.
_SIZE, _STORED, _DATA, _DATA_2, _VALUES = 2, 3, 5, 8, 1
#: The kinds of values in Thrift's compact protocol.
_TRUE, _FALSE, _BYTE, _NUMBERS, _DOUBLE, _BYTES, _LISTS, _STRUCT = 1, 2, 3, (4, 5, 6), 7, 8, (9, 10), 12


def _in_pages(data: bytes, column: Any) -> tuple[int, int]:
    """Return the number of values in the pages of a column, and their bytes without compression, by the pages' headers.

    Raises:
        IndexError: a header is not whole; or a `KeyError`, `TypeError` or `ValueError`, if it is none.
    """
    begins = [column.data_page_offset, *([column.dictionary_page_offset] if column.has_dictionary_page else [])]
    place = min([begin for begin in begins if begin > 0])  # a column without rows has no page of data: 0
    values = size = 0
    end = place + column.total_compressed_size
    while place < end:
        header, place = _struct(data, place)
        if header[_STORED] < 0 or header[_SIZE] < 0:
            raise ValueError("a page has a negative size")
        for version in (_DATA, _DATA_2):
            values += header[version][_VALUES] if version in header else 0
        size += header[_SIZE]
        place += header[_STORED]
    return values, size


def _struct(data: bytes, place: int) -> tuple[dict[int, Any], int]:
    """Return the fields of a Thrift structure by number, and the place after it; texts and lists are skipped."""
    found: dict[int, Any] = {}
    number = 0
    while data[place]:
        step, kind = data[place] >> 4, data[place] & 15
        number, place = (number + step, place + 1) if step else _number(data, place + 1)
        found[number], place = _value(data, place, kind)
    return found, place + 1


def _value(data: bytes, place: int, kind: int) -> tuple[Any, int]:
    if kind in (_TRUE, _FALSE):
        return kind == _TRUE, place
    if kind in _NUMBERS:
        return _number(data, place)
    if kind == _STRUCT:
        return _struct(data, place)
    if kind == _BYTES:
        length, place = _varint(data, place)
        return None, place + length
    if kind in _LISTS:
        return None, _after_list(data, place)
    return None, place + {_BYTE: 1, _DOUBLE: 8}[kind]


def _after_list(data: bytes, place: int) -> int:
    """Return the place after a list."""
    length, kind = data[place] >> 4, data[place] & 15
    place += 1
    if length == 15:  # longer ones have their length after the kind
        length, place = _varint(data, place)
    if length > len(data) - place:  # each element takes a byte at least
        raise ValueError("a list is longer than the file")
    for _element in range(length):
        _skipped, place = (None, place + 1) if kind in (_TRUE, _FALSE) else _value(data, place, kind)
    return place


def _number(data: bytes, place: int) -> tuple[int, int]:
    """Return a signed number, and the place after it."""
    value, place = _varint(data, place)
    return (value >> 1) ^ -(value & 1), place


def _varint(data: bytes, place: int) -> tuple[int, int]:
    value = shift = 0
    while data[place] & 128:
        value |= (data[place] & 127) << shift
        shift += 7
        place += 1
    return value | data[place] << shift, place + 1


def _repeated_bytes(array: Any) -> int:
    """Return the bytes of all texts in an array whose texts are in dictionaries; 0 of others."""
    if pa.types.is_dictionary(array.type):
        lengths = pc.binary_length(array.dictionary).cast(pa.int64())
        return int(pc.sum(lengths.take(array.indices)).as_py() or 0)
    if pa.types.is_list(array.type):
        return _repeated_bytes(array.flatten())
    if pa.types.is_struct(array.type):
        return sum(map(_repeated_bytes, array.flatten()))
    return 0


def read_frame(path: Path) -> pd.DataFrame:
    """Return the data frame in a Parquet file.

    Raises:
        FileNotFoundError: there is none.
        OSError: it cannot be read, or is damaged.
        DataError: it would take too much memory.
    """
    try:
        file = ParquetFile(path.read_bytes(), path, ReadingBudget())
        frame: pd.DataFrame = pa.concat_tables(file.parts(None, max(file.n_rows, 1))).to_pandas()
    except pa.ArrowException as error:
        raise OSError(str(error)) from None
    return frame
