"""Runs of studies: written as the writing process does, but in this one, and told apart from those within them."""

from __future__ import annotations

from pathlib import Path

from stores.seen_runs import SeenRun

from tag.tournaments.tracking.stores import default_tracking_uri
from tag.tournaments.tracking.tracker import FINISHED
from tag.tournaments.tracking.writer import RunWriter
from tag.tuning.reports.tracking import StudyContents
from tag.tuning.study.files import TRIALS, read_frame


def write_run(kind: type[StudyContents], folder: Path, status: str = FINISHED, uri: str = "") -> None:
    """Have the run of the study in ``folder`` written to a store, by default the one beside, as far as the study goes."""
    writer = RunWriter(kind(folder), uri or default_tracking_uri(folder), {"workers": 3})
    games = int(read_frame(folder / TRIALS)["games"].sum())
    writer.look({"games": games, "total": 2 * games, "faults": 0, "games_per_second": 12.5})
    assert all(isinstance(asks, bool) for asks in writer.end(status))


def study_and_parts(runs: list[SeenRun]) -> tuple[SeenRun, dict[str, SeenRun]]:
    """The run of the study that there is, and those within it by name."""
    (study,) = [run for run in runs if "mlflow.parentRunId" not in run.tags]
    parts = [run for run in runs if run is not study]
    assert {run.tags["mlflow.parentRunId"] for run in parts} <= {study.id}
    assert len({run.name for run in parts}) == len(parts)
    return study, {run.name: run for run in parts}
