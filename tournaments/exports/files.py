"""Text to a file, all or nothing, or to standard output."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

import click

from tag.errors import DataError


def write_pieces(pieces: Iterable[str], file: Path | None) -> None:
    """Write ``pieces`` of a text to ``file``, so that it holds all of them or what it held before, or print them.

    Raises:
        DataError: the file cannot be written.
    """
    if file is None:
        for piece in pieces:
            click.echo(piece, nl=False)
        return
    temporary = file.with_name(f".{file.name}.tmp")
    try:
        with temporary.open("w", encoding="utf-8", newline="") as stream:
            stream.writelines(pieces)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.replace(file)
    except OSError as error:
        raise DataError(f"cannot write {str(file)!r}: {error.strerror}; name a file with --out") from None
    finally:
        temporary.unlink(missing_ok=True)
