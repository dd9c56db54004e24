"""A kind of studies: in a `Problem` tuning, balancing and training differ; how they are run is here for all."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from tag.cluster import Workers
from tag.cluster.workers import at_work
from tag.tournaments.driver.events import Listeners
from tag.tournaments.driver.failures import failure_kept
from tag.tournaments.driver.interruption import Interruption
from tag.tournaments.reports.progress import Progress
from tag.tournaments.reports.sections.section import Page
from tag.tournaments.tracking.tracker import FINISHED, KILLED, RunType, tracked
from tag.tuning.study.engine import StudyEngine
from tag.tuning.study.folder import D, Manifest, is_complete, is_reported, opened_study
from tag.tuning.study.queue import StudyInterruptedError

R = TypeVar("R")


@dataclass(frozen=True)
class Output(Generic[R]):
    """How the results of a kind of studies are read and shown.

    Attributes:
        read: returns the results so far of the study in a folder; `DataError` where there is none, or it is damaged.
        text: returns them as text of at most so many columns.
        to_json: returns them as plain values.
        report: writes them to an HTML file, by default in the folder, and returns its path.
        page: returns the report as a page, for papers.
    """

    read: Callable[[Path], R]
    text: Callable[[R, int | None], str]
    to_json: Callable[[R], dict[str, Any]]
    report: Callable[[R, Path | None], Path]
    page: Callable[[R], Page]


class Problem(ABC, Generic[D, R]):
    """A kind of studies.

    Attributes:
        definition: the class of its definitions, which names it.
        output: how its results are read and shown.
        run_type: of its runs in MLflow.
    """

    definition: type[D]
    output: Output[R]
    run_type: RunType

    @abstractmethod
    def play(self, engine: StudyEngine[D]) -> None:
        """Play all stages, each of which finds in the folder what it has done before, and write the verdict.

        Raises:
            StudyInterruptedError: the study was asked to stop.
            TagError: a game breaks its contract, or a file cannot be written.
        """

    def prepare(self, definition: D, folder: Path) -> D:
        """Return the definition to run, checked for ``folder`` before that is opened; here as it is.

        Raises:
            TagError: the study cannot be run like this.
        """
        return definition

    def begin(self, folder: Path) -> None:
        """Write to the open folder what the study has to know from its beginning; here nothing."""

    def is_done(self, manifest: Manifest[D], folder: Path) -> bool:
        """Say whether all has been played, so that only report and run may be missing."""
        return is_complete(manifest, folder)

    def finish(self, results: R, say: Callable[[str], None]) -> None:
        """Write what is made of a study once it has ended or was interrupted; ``say`` shows a sentence."""
        self.output.report(results, None)

    def run(
        self,
        definition: D,
        folder: Path,
        *,
        workers: Workers | int = 1,
        tracking: bool | str = True,
        progress: Progress | None = None,
    ) -> R:
        """Play what is missing of a study and return the results, complete unless it was interrupted.

        Either way the report is written.

        Args:
            definition: the study.
            folder: its folder, new or with the same study in it.
            workers: as in `tournaments.run_tournament`, and so is ``tracking``.
            tracking: where the study's run is written.
            progress: shows the progress of the study, and is closed in the end.

        Raises:
            TagError: the folder or a user's file does not fit, or a game breaks its contract.
        """
        with at_work(workers) as processes:
            processes.check()
            definition = self.prepare(definition, folder)
            with opened_study(folder, definition) as manifest, failure_kept(folder):
                self.begin(folder)
                return self._run_opened(manifest, folder, processes, tracking, progress or Progress())

    def _run_opened(
        self, manifest: Manifest[D], folder: Path, workers: Workers, tracking: bool | str, progress: Progress
    ) -> R:
        """Run the study in its open folder, with its run in MLflow."""
        events, is_done = Listeners(progress), self.is_done(manifest, folder)
        with tracked(events, folder, tracking, workers.describe(), self.run_type):
            status = FINISHED
            with Interruption(events.say) as interruption, interruption.as_the_reason():
                try:
                    if not is_done:
                        workers.start(manifest.sources)
                        self.play(StudyEngine(folder, manifest, workers, events, interruption))
                except StudyInterruptedError:
                    status = KILLED
                finally:
                    events.close()
            results = self.output.read(folder)
            if not is_reported(manifest, folder):
                self.finish(results, events.say)
            events.end(status)
        return results
