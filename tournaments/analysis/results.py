"""The folder of an analysis: what it is (``analysis.json``), the games of its events, and its figures."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import pandas as pd

from tag.errors import DataError
from tag.version import version_text
from tournaments.analysis.definition import AnalysisDefinition, Event
from tournaments.storage import check_is_ours, write_whole

_MANIFEST: Final = "analysis.json"
#: The frames of `AnalysisResults` that are kept.
_FRAMES: Final = ("summary", "courses", "distributions", "speed")


@dataclass(frozen=True)
class AnalysisManifest:
    """What ``analysis.json`` says.

    Attributes:
        definition: the analysis.
        created: when it was begun, in ISO 8601, UTC.
        version: what measured it: version, build and Python.
    """

    definition: AnalysisDefinition
    created: str
    version: str

    def write(self, folder: Path) -> None:
        """Write it to ``folder``."""
        content = {"created": self.created, "version": self.version, **asdict(self.definition)}
        write_whole(folder / _MANIFEST, json.dumps(content, indent=2))


@dataclass(frozen=True)
class AnalysisResults:
    """What an analysis came to; `docs/analysis.md` describes the columns.

    Attributes:
        folder: where it is.
        manifest: what it is.
        summary: one row per event and measure.
        courses: one row per event, measure that is followed over a game, and stretch of the game.
        distributions: one row per event, measure and bin.
        speed: one row per event, function and sampled game.
        games: the games played so far.
        total: the games of the whole analysis; the frames are empty until all are played.
    """

    folder: Path
    manifest: AnalysisManifest
    summary: pd.DataFrame
    courses: pd.DataFrame
    distributions: pd.DataFrame
    speed: pd.DataFrame
    games: int
    total: int

    @property
    def complete(self) -> bool:
        """Whether every game has been played."""
        return self.games == self.total

    def write(self) -> None:
        """Write what it is and all frames to its folder."""
        self.manifest.write(self.folder)
        for name in _FRAMES:
            write_whole(self.folder / f"{name}.parquet", getattr(self, name).to_parquet())

    def to_json(self) -> dict[str, Any]:
        """Return the summary and the speed as plain values, what is not a number as None."""
        frames = {"summary": self.summary, "speed": self.speed}
        return {name: json.loads(frame.to_json(orient="records")) for name, frame in frames.items()}


def begin(definition: AnalysisDefinition, out: Path) -> AnalysisManifest:
    """Return what the analysis in ``out`` is from now on; a folder that is new, or empty, becomes an analysis's.

    In a folder with an analysis nothing is written yet: its figures stay those of the old one until there are new ones.

    Raises:
        DataError: its file is damaged.
    """
    path = out / _MANIFEST
    if path.exists():
        return AnalysisManifest(definition, _created(path), version_text())
    out.mkdir(parents=True, exist_ok=True)
    manifest = AnalysisManifest(definition, datetime.now(UTC).isoformat(timespec="seconds"), version_text())
    manifest.write(out)
    return manifest


def check_folder(out: Path) -> None:
    """Raise `DataError` unless ``out`` is new, empty, or an analysis's."""
    check_is_ours(out, _MANIFEST, "analysis")


def event_folder(out: Path, event: Event) -> Path:
    """Return the folder of the tournament that is measured."""
    return out / "games" / event.name


def skill_folder(out: Path, event: Event, name: str) -> Path:
    """Return the folder of the tournament ``name`` of `AnalysisDefinition.skill`."""
    return out / "skill" / f"{event.name}-{name}"


def _created(path: Path) -> str:
    try:
        return str(json.loads(path.read_text("utf-8"))["created"])
    except (ValueError, KeyError, TypeError) as error:
        raise DataError(f"{str(path)!r} is damaged: {error}") from None
