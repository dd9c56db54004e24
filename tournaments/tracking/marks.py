"""Marks: a complete folder stores where its run has been written, so that the store need not be asked."""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path
from typing import Final

from tag.tournaments.ledger.storage import write_whole
from tag.tournaments.tracking.stores import sqlite_file

_FILE: Final = ".tracked.json"

Contents = Callable[[Path], list[str]]


def mark(folder: Path, uri: str, contents: Contents, experiment: str) -> None:
    """Record that the store at ``uri`` has all contents of ``folder``; ``contents`` identify these.

    ``experiment`` is the store's id of the experiment with the run.
    """
    write_whole(folder / _FILE, json.dumps({**_marked(uri, contents(folder)), "experiment": experiment}))


def is_marked(folder: Path, uri: str, contents: Contents) -> bool:
    """Say whether the store at ``uri`` has all contents of ``folder``, as far as known without asking it."""
    return experiment_of(folder, uri, contents) is not None


def experiment_of(folder: Path, uri: str, contents: Contents) -> str | None:
    """Return the id of the experiment that has all contents of ``folder``, as far as known without asking the store.

    It is None where the store at ``uri`` lacks something, and empty where the mark of an earlier version has no id.
    """
    file = sqlite_file(uri)
    if file is not None and not file.exists():
        return None
    try:
        found = json.loads((folder / _FILE).read_text(encoding="utf-8"))
        experiment = found.pop("experiment", "")
    except (AttributeError, OSError, ValueError):
        return None
    return str(experiment) if found == _marked(uri, contents(folder)) else None


def _marked(uri: str, contents: list[str]) -> dict[str, object]:
    """Return the contents of a mark."""
    store = blake2b(uri.encode(), digest_size=8).hexdigest()  # as there may be a password in it
    return {"store": store, "contents": contents}
