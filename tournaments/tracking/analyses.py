"""The MLflow run of an analysis: its figures once it is complete, and a run within it for each event."""

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
from tag.tournaments.tracking.runs import Identity, Run, metric_name, origin_tags
from tag.tournaments.tracking.tracker import RunType, RunWriter

#: Columns of the summary that become metrics, with the section of each.
_COLUMNS: Final = {"mean": "", "low": "_low", "high": "_high"}


def _contents(folder: Path) -> list[str]:
    """Return an identification of the figures in the folder of an analysis, but the speed, which is measured each time."""
    files = [folder / MANIFEST, *(folder / f"{name}.parquet" for name in FRAMES if name != "speed")]
    return [blake2b(file.read_bytes(), digest_size=16).hexdigest() for file in files if file.is_file()]


ANALYSES: Final = RunType("tag.tournaments.tracking.analyses:AnalysisWriter", _contents)


class AnalysisWriter(RunWriter):
    """Writes the run of an analysis from its tables."""

    kind = ANALYSES

    def read_manifest(self) -> AnalysisManifest:
        """Return the manifest of the analysis."""
        return read_analysis_manifest(self.folder)

    def identity(self, manifest: AnalysisManifest) -> Identity:
        """Return the analysis's id, among all analyses."""
        return Identity("analyses", "analysis.id", manifest.id, manifest.created)

    def describe(self, run: Run, manifest: AnalysisManifest) -> None:
        """Write the definition as tags, since a later command may add games, and its version."""
        known = asdict(manifest.definition)
        events = [str(event) for event in manifest.definition.events]
        tags = origin_tags(self.folder, "tag analyse", {"tag": manifest.version}, {}, self.execution)
        del tags["command.go_on"]  # the command names its games
        described = {f"analysis.{name}": str(value) for name, value in known.items() if name != "events"}
        run.set_tags({**tags, **described, "analysis.events": "; ".join(events)})

    def log_news(self, run: Run, manifest: AnalysisManifest, news: Mapping[str, float]) -> None:
        """Write nothing: there are no figures before the end."""

    def log_all(self, run: Run, manifest: AnalysisManifest) -> Iterator[bool]:
        """Write the figures of each event to a run of its own, and the files."""
        summary = read_frame(self.folder / "summary.parquet")
        parts = run.parts()
        for event in manifest.definition.events:
            yield True
            key = event.name.replace("/", "-")
            if key not in parts:
                parts[key] = run.new_part(key)
            rows: Any = summary[(summary["game"] == event.game) & (summary["players"] == event.players)]
            parts[key].log({"game": event.game, "players": event.players})
            parts[key].log_results(int(rows["games"].max()), _metrics(rows))
        for name in (MANIFEST, "report.html", *(f"{frame}.parquet" for frame in FRAMES)):
            if (self.folder / name).is_file():
                yield True
                run.log_file(self.folder / name, "")


def _metrics(rows: pd.DataFrame) -> dict[str, float]:
    """Return the mean of each measure with the ends of its interval, by name."""
    found = {
        f"{metric_name(str(row['measure']))}{suffix}": float(row[column])
        for row in rows.to_dict("records")
        for column, suffix in _COLUMNS.items()
    }
    return {name: value for name, value in found.items() if value == value}
