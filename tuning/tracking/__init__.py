"""Tracking of studies: what is theirs of `tournaments.tracking`.

A study is one MLflow run, and the configurations that had the most games are runs within it. All of them are made from
files in the folder of the study, whose tables are written anew every few seconds as it goes on (`tuning.files`).
"""

from __future__ import annotations

from hashlib import blake2b
from pathlib import Path
from typing import Final

from tournaments.tracking import Kind, ledger_names
from tournaments.tracking.marks import Contents
from tuning.recommendation import RECOMMENDATION

__all__ = ["STUDIES", "contents_with"]


def contents_with(verdict: str) -> Contents:
    """Return what tells the contents of a study's folder: the names of all ledgers' files, and a hash of its verdict.

    Args:
        verdict: the name of the file with what the study came to.
    """

    def contents(folder: Path) -> list[str]:
        ledgers = sorted(path.parent for path in folder.glob("*/ledger"))
        names = [f"{ledger.name}/{name}" for ledger in ledgers for name in ledger_names(ledger)]
        file = folder / verdict
        content = file.read_bytes() if file.is_file() else b""
        return [*names, blake2b(content, digest_size=16).hexdigest()]

    return contents


STUDIES: Final = Kind("tuning.tracking.writer:StudyWriter", contents_with(RECOMMENDATION))
