"""Whether a folder takes what is to be written, asked before anything is."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Final

from tag.errors import DataError

_MEGABYTE: Final = 1 << 20


def check_is_ours(folder: Path, manifest: str, what: str) -> None:
    """Raise `DataError` unless ``folder`` is new, empty (hidden files apart), or has the file ``manifest``.

    Args:
        folder: where something is to be written.
        manifest: the name of the file that says what a folder of ours holds.
        what: that is, for people.
    """
    if not folder.exists():
        return
    if not folder.is_dir():
        raise DataError(f"{str(folder)!r} is a file; name a new folder with --out")
    names = [path.name for path in folder.iterdir() if not path.name.startswith(".")]
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


def _megabytes(n_bytes: int) -> str:
    return f"{n_bytes / _MEGABYTE:,.1f} MB"
