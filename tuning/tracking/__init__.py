"""Tracking of studies: what is theirs of `tournaments.tracking`.

A study is one MLflow run, and the configurations that had the most games are runs within it. All of them are made from
files in the folder of the study, whose tables are written anew every few seconds as it goes on (`tuning.files`).
"""

from __future__ import annotations

from hashlib import blake2b
from pathlib import Path
from typing import Final

from tournaments.tracking import Kind, ledger_names
from tuning.recommendation import RECOMMENDATION

__all__ = ["STUDIES"]


def _contents(folder: Path) -> list[str]:
    """Return the names of all ledgers' files, and a hash of what is recommended."""
    ledgers = sorted(path.parent for path in folder.glob("*/ledger"))
    names = [f"{ledger.name}/{name}" for ledger in ledgers for name in ledger_names(ledger)]
    recommendation = folder / RECOMMENDATION
    content = recommendation.read_bytes() if recommendation.is_file() else b""
    return [*names, blake2b(content, digest_size=16).hexdigest()]


STUDIES: Final = Kind("tuning.tracking.writer:StudyWriter", _contents)
