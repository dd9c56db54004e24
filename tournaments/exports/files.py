"""Text to a file, all or nothing, or to standard output."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click

from tournaments.storage import write_whole


def write_pieces(pieces: Iterable[str], file: Path | None) -> None:
    """Write ``pieces`` of a text to ``file``, so that it holds all of them or what it held before, or print them.

    Raises:
        DataError: the file cannot be written.
    """
    if file is None:
        for piece in pieces:
            click.echo(piece, nl=False)
        return
    write_whole(file, pieces, "name a file with --out")
