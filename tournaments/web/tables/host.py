"""The host's token, which stays the same while a folder of tables does: so pages of the host survive a restart."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Final

from tag.errors import DataError
from tag.tournaments.web.server import new_token

#: The file in the folder of tables.
_FILE: Final = ".host"
_TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{22}")


def host_token(folder: Path) -> str:
    """Return the token of the host of the tables in a folder; one that is damaged or that others can read is replaced.

    Raises:
        DataError: it cannot be written.
    """
    path = folder / _FILE
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return _kept(path) or _new(path)
    except OSError as error:
        raise DataError(f"{str(folder)!r} cannot be the folder of tables: {error.strerror}") from None


def _kept(path: Path) -> str:
    if not path.is_file() or path.is_symlink() or path.stat().st_mode & 0o077:
        return ""
    found = path.read_bytes()[:100].decode("ascii", "replace")
    return found if _TOKEN.fullmatch(found) else ""


def _new(path: Path) -> str:
    token, partial = new_token(), path.with_suffix(".partial")
    partial.unlink(missing_ok=True)
    with os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(token)
        file.flush()
        os.fsync(file.fileno())
    partial.replace(path)
    return token
