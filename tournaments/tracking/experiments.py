"""The contents of the run of an experiment: its tables and files, and a run within it for each event, with its curves."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from math import isfinite
from pathlib import Path

from tag.tournaments.ledger.experiment import (
    EXPERIMENT,
    ExperimentManifest,
    begun_events,
    read_experiment_manifest,
)
from tag.tournaments.ledger.folder import is_at_work, read_manifest
from tag.tournaments.reports.sections.data import read_tournament
from tag.tournaments.results.experiment import read_experiment_results
from tag.tournaments.tracking.contents import RunContents, RunPart, RunResults
from tag.tournaments.tracking.origin import origin_tags
from tag.tournaments.tracking.runs import Identity, agent_names
from tag.tournaments.tracking.tournaments import (
    TournamentContents,
    ledger_to_copy,
    report_tags,
    result_metrics,
    write_report,
    write_tables,
    written_files,
)
from tag.tournaments.tracking.tracker import EXPERIMENTS


class ExperimentContents(RunContents):
    """The contents of the run of an experiment, as far as its ledgers go."""

    kind = EXPERIMENTS
    manifest: ExperimentManifest

    def __init__(self, folder: Path) -> None:
        """Read nothing yet."""
        super().__init__(folder)
        self._told: set[str] = set()

    def read_manifest(self) -> ExperimentManifest:
        """Return the manifest of the experiment."""
        return read_experiment_manifest(self.folder)

    def identity(self) -> Identity:
        """Return the experiment's id, among all experiments."""
        return Identity("experiments", "experiment.id", self.manifest.id, self.manifest.created)

    def tags(self, execution: Mapping[str, object]) -> dict[str, str]:
        """Return the events with their weights, the place and the versions of the first, and the command that goes on."""
        first = next((read_manifest(event) for event in begun_events(self.folder).values()), None)
        versions, sources = (first.versions, first.sources) if first else ({}, {})
        weights = self.manifest.experiment.weights
        events = "; ".join(f"{name}, weight {weight:g}" for name, weight in weights.items())
        tags = origin_tags(self.folder, "tag tournament", versions, sources, execution)
        return {**tags, "experiment.events": events}

    def parts(self, *, complete: bool) -> Iterator[RunPart]:
        """Yield the curves of each event once no process is at work on it any more; with its results in the end."""
        for name, folder in begun_events(self.folder).items():
            if complete or not (name in self._told or is_at_work(folder)):
                event = TournamentContents(folder)
                event.read()
                points = list(event.points(0, complete=complete))
                data = read_tournament(folder) if complete else None
                result = (data.results.games, result_metrics(data)) if data else None
                yield RunPart(name, event.parameters(), points, result)
                self._told.add(name)

    def results(self, scratch: Path) -> RunResults:
        """Return the strengths of agents over all events (``strength/osla``), the report, tables and ledgers."""
        shutil.copy(self.folder / EXPERIMENT, scratch)
        tags, ledgers = report_tags(write_report(self.folder, scratch)), []
        for name, folder in begun_events(self.folder).items():
            (scratch / name).mkdir()
            write_tables(read_tournament(folder), scratch / name)
            files, elsewhere = ledger_to_copy(folder)
            tags |= {f"ledger.{name}": elsewhere} if elsewhere else {}
            blocks = read_manifest(folder).definition.blocks
            ledgers += [(file, f"{name}/ledger/{blocks}_blocks") for file in files]  # stores cannot delete files
        overall = read_experiment_results(self.folder).overall
        names = agent_names([one.agent for one in overall])
        metrics = {
            f"strength{end}/{names[one.agent]}": value
            for one in overall
            for end, value in zip(("", "_low", "_high"), (one.strength, *one.interval), strict=True)
            if isfinite(value)
        }
        return RunResults(tags, metrics, [*written_files(scratch), *ledgers])
