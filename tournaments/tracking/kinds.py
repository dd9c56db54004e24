"""Kinds of runs: tournaments here, studies elsewhere; what the runner's part has to know of each."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tournaments.ledger import ledger_files
from tournaments.tracking.marks import Contents


@dataclass(frozen=True)
class Kind:
    """What runs are of.

    Attributes:
        writer: the class that writes such a run, a `tournaments.tracking.writing.RunWriter`, as ``module:Class``: a name
            for another process, so that the runner need not import what it takes.
        contents: returns what differs whenever what is in a folder of this kind does.
    """

    writer: str
    contents: Contents


def ledger_names(folder: Path) -> list[str]:
    """Return the names of the files of the ledger in ``folder``, which change with what is in them."""
    return [path.name for path in ledger_files(folder)]


TOURNAMENTS: Final = Kind("tournaments.tracking.writer:Writer", ledger_names)
