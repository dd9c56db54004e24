"""Folders and files: permission to write, atomic writes, and values for JSON."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

from tag.errors import DataError

# --- values for JSON, which has no nan and no infinity ----------------------------------------------------------------


# --- folders and files: checks before a run writes, and atomic writes -------------------------------------------------


#: Advice for a folder that a command writes to, and goes on with, if it cannot be written to for now.
GO_ON: Final = "what is there is kept, and the same command goes on with it"

_MEGABYTE: Final = 1 << 20


def check_is_ours(folder: Path, manifest: str, what: str) -> None:
    """Raise `DataError` unless ``folder`` is new, empty (hidden files apart), or has the file ``manifest``.

    Args:
        folder: the folder to write to.
        manifest: the name of the file that identifies a folder of ours.
        what: the kind of folder, for people.
    """
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

    Args:
        path: of the file.
        content: all of it, or pieces of its text.
        way_out: advice if it cannot be written; empty for none.

    Raises:
        DataError: it cannot be written, for instance because the disk is full.
    """
    temporary = path.with_name(f".{path.name}.tmp")
    pieces = [content] if isinstance(content, str | bytes) else content
    try:
        with temporary.open("wb") as file:
            file.writelines(piece if isinstance(piece, bytes) else piece.encode() for piece in pieces)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError as error:
        hint = f"; {way_out}" if way_out else ""
        raise DataError(f"cannot write {str(path)!r}: {error.strerror}{hint}") from None
    finally:
        with suppress(OSError):
            temporary.unlink()


def _megabytes(n_bytes: int) -> str:
    return f"{n_bytes / _MEGABYTE:,.1f} MB"
