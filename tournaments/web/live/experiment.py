"""Experiments on live pages, also while they are played: the table over all events, and the standings of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from tag.tournaments.driver.failures import failure_in
from tag.tournaments.ledger.experiment import EXPERIMENT, read_experiment, read_experiment_manifest
from tag.tournaments.ledger.folder import FOLDER, MANIFEST, Folder
from tag.tournaments.reports.html.page import page_html
from tag.tournaments.reports.sections.data import ReportContext
from tag.tournaments.reports.sections.experiment import overall_section
from tag.tournaments.reports.sections.section import Definitions, ProgressBar
from tag.tournaments.reports.sections.tournament import event_title, experiment_page
from tag.tournaments.reports.status import status_of
from tag.tournaments.results.experiment import read_experiment_results
from tag.tournaments.web.live.feed import FolderRow, LiveSection
from tag.tournaments.web.live.folders import COMPLETE, FAILED, RUNNING, STOPPED, LiveFolder
from tag.tournaments.web.live.tournament import count_games, live_sections, undrawn
from tag.tournaments.web.server import without_folders


class LiveExperiment(LiveFolder):
    """An experiment, also while it is played; its events have pages of their own."""

    kind = "experiment"

    def __init__(self, folder: Path, name: str) -> None:
        """Read nothing yet."""
        super().__init__(folder, name)
        self._games_of: dict[Path, dict[str, int]] = {}

    def changing(self) -> Sequence[Path]:
        """Return the manifests and the folders of the shards."""
        events = sorted(self.folder.glob(f"*/{MANIFEST}"))
        return [self.folder / EXPERIMENT, *events, *(event.parent / FOLDER for event in events)]

    def row(self) -> FolderRow:
        """Return the entry in the list, without reading a game."""
        manifest = read_experiment_manifest(self.folder)
        parts = manifest.experiment.folders(self.folder)
        counts = [count_games(event, part, self._games_of.setdefault(event, {})) for event, part in parts.items()]
        are_complete = [  # those that are to be extended are not
            count.is_complete and Folder.open(event).definition == part
            for count, (event, part) in zip(counts, parts.items(), strict=True)
        ]
        games, total = sum(count.games for count in counts), sum(count.total for count in counts)
        row = self.own_row(f"{len(parts)} events", self.state(all(are_complete)), games, total, manifest.created)
        why = next(filter(None, map(failure_in, parts)), "") if row.state == STOPPED else ""
        return replace(row, state=FAILED, why=without_folders(why)) if why else row

    def report(self) -> str:
        """Return the report of the experiment."""
        return page_html(experiment_page(self.folder))

    def parts(self) -> Sequence[Callable[[], Iterator[LiveSection]]]:
        """Return the progress, the table over all events and the standings of each."""
        return [self._course]

    def _course(self) -> Iterator[LiveSection]:
        results, experiment = read_experiment_results(self.folder), read_experiment(self.folder)
        events = experiment.events_in(self.folder)
        state = COMPLETE if results.complete else RUNNING if self.is_at_work else f"{STOPPED} before its end"
        states = [(event_title(event), "not begun yet") for event in events.values()]
        for at, name in enumerate(events):
            if name in results.events:
                states[at] = (states[at][0], status_of(results.events[name]).text)
        share = min(1.0, results.games / max(results.total, 1))
        bar = ProgressBar("Games", share, "0", results.total_text, f"{share:.0%}".replace("%", " %"))
        entries = [("State", state), ("Games", f"{results.games:,} of {results.total_text}"), *states]
        yield LiveSection("progress", "Progress", [bar, Definitions(entries)])
        overall = overall_section(results, events)
        yield LiveSection(overall.name, overall.title, list(undrawn(overall.blocks)), overall.about)
        for at, (name, found) in enumerate(results.events.items()):
            context = ReportContext(found, events[name].labels, prefix=f"event-{at}-")
            for section in live_sections(context, "standings"):
                yield LiveSection(section.name, event_title(events[name]), section.blocks, section.about)
