"""The contents of the run of an analysis: its figures once it is complete, and a run within it for each event."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

import pandas as pd

from tag.tournaments.ledger.parquet import read_frame
from tag.tournaments.results.analysis.definition import (
    FRAMES,
    MANIFEST,
    AnalysisManifest,
    read_analysis_manifest,
)
from tag.tournaments.tracking.contents import RunContents, RunPart, RunResults, existing
from tag.tournaments.tracking.origin import origin_tags
from tag.tournaments.tracking.runs import Identity, metric_name
from tag.tournaments.tracking.tracker import RunType

#: Columns of the summary that become metrics, with the section of each.
_COLUMNS: Final = {"mean": "", "low": "_low", "high": "_high"}


def _files_of(folder: Path) -> list[str]:
    """Return an identification of the figures in the folder of an analysis, but the speed, which is measured each time."""
    files = [folder / MANIFEST, *(folder / f"{name}.parquet" for name in FRAMES if name != "speed")]
    return [blake2b(file.read_bytes(), digest_size=16).hexdigest() for file in files if file.is_file()]


ANALYSES: Final = RunType("tag.tournaments.tracking.analyses:AnalysisContents", _files_of)


class AnalysisContents(RunContents):
    """The contents of the run of an analysis, from its tables."""

    kind = ANALYSES
    manifest: AnalysisManifest

    def read_manifest(self) -> AnalysisManifest:
        """Return the manifest of the analysis."""
        return read_analysis_manifest(self.folder)

    def identity(self) -> Identity:
        """Return the analysis's id, among all analyses."""
        return Identity("analyses", "analysis.id", self.manifest.id, self.manifest.created)

    def tags(self, execution: Mapping[str, object]) -> dict[str, str]:
        """Return the definition as tags, since a later command may add games, and its version."""
        known = asdict(self.manifest.definition)
        events = [str(event) for event in self.manifest.definition.events]
        tags = origin_tags(self.folder, "tag analyse", {"tag": self.manifest.version}, {}, execution)
        del tags["command.go_on"]  # the command names its games
        described = {f"analysis.{name}": str(value) for name, value in known.items() if name != "events"}
        return {**tags, **described, "analysis.events": "; ".join(events)}

    def parts(self, *, complete: bool) -> Iterator[RunPart]:
        """Yield the figures of each event; there are none before the end."""
        if not complete:
            return
        summary = read_frame(self.folder / "summary.parquet")
        for event in self.manifest.definition.events:
            rows: Any = summary[(summary["game"] == event.game) & (summary["players"] == event.players)]
            known = {"game": event.game, "players": event.players}
            result = (int(rows["games"].max()), _metrics(rows))
            yield RunPart(event.name.replace("/", "-"), known, result=result)

    def results(self, scratch: Path) -> RunResults:
        """Return the files."""
        names = [MANIFEST, "report.html", *(f"{frame}.parquet" for frame in FRAMES)]
        return RunResults(files=[(file, "") for file, _where in existing(self.folder, names)])


def _metrics(rows: pd.DataFrame) -> dict[str, float]:
    """Return the mean of each measure with the ends of its interval, by name."""
    found = {
        f"{metric_name(str(row['measure']))}{suffix}": float(row[column])
        for row in rows.to_dict("records")
        for column, suffix in _COLUMNS.items()
    }
    return {name: value for name, value in found.items() if value == value}
