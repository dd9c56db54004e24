"""The error that ended play in a folder, kept until play goes on there, so that others see why it stopped."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from tag.errors import DataError, one_line, printable
from tag.tournaments.ledger.storage import write_whole

FAILURE: Final = ".failure.json"
#: Longer sentences are cut.
_LONGEST: Final = 1_000


@contextmanager
def failure_kept(folder: Path) -> Iterator[None]:
    """Forget the last failure in ``folder``, and keep the sentence of an error that is raised within."""
    path = folder / FAILURE
    with suppress(OSError):
        path.unlink(missing_ok=True)
    try:
        yield
    except Exception as error:
        with suppress(DataError):  # the error itself is worth more
            write_whole(path, json.dumps({"error": one_line(str(error) or type(error).__name__)[:_LONGEST]}))
        raise


def failure_in(folder: Path) -> str:
    """Return the sentence of the error that ended play in ``folder``; empty if none did."""
    with suppress(OSError, ValueError, KeyError, TypeError):
        return printable(str(json.loads((folder / FAILURE).read_text("utf-8"))["error"]))[:_LONGEST]
    return ""
