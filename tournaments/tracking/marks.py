"""Marks: a complete tournament knows where its run has been written, so that nobody has to ask the store."""

from __future__ import annotations

import json
from hashlib import blake2b
from pathlib import Path
from typing import Final

from tournaments.ledger import ledger_files
from tournaments.storage import write_whole
from tournaments.tracking.stores import sqlite_file

_FILE: Final = ".tracked.json"


def mark(folder: Path, uri: str) -> None:
    """Remember that the store at ``uri`` has all of the tournament in ``folder``."""
    write_whole(folder / _FILE, json.dumps(_marked(folder, uri)))


def is_marked(folder: Path, uri: str) -> bool:
    """Say whether the store at ``uri`` has all of the tournament in ``folder``, as far as is known without asking it."""
    file = sqlite_file(uri)
    if file is not None and not file.exists():
        return False
    try:
        found = json.loads((folder / _FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return bool(found == _marked(folder, uri))


def _marked(folder: Path, uri: str) -> dict[str, object]:
    """Return what a mark says: the names of the ledger's files, which change with what is in them, and the store."""
    store = blake2b(uri.encode(), digest_size=8).hexdigest()  # as there may be a password in it
    return {"store": store, "ledger": [path.name for path in ledger_files(folder)]}
