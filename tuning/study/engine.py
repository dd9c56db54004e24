"""The engine of studies: it plays the stages of a study, tracks it, and reports it, also where it is interrupted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from tag.cluster import Workers
from tag.tournaments.driver.events import Listeners, PlayListener
from tag.tournaments.driver.interruption import Interruption
from tag.tournaments.tracking.tracker import FINISHED, KILLED, RunType, tracked
from tag.tuning.study.queue import GameQueue, Origin, StudyInterruptedError
from tag.tuning.study.schedule import GameSchedule

R = TypeVar("R")


@dataclass(frozen=True)
class Stages:
    """Folder, workers and progress for the stages of a study; ``is_stopped`` returns True if it was asked to stop."""

    folder: Path
    workers: Workers
    progress: PlayListener
    is_stopped: Callable[[], bool]
    origin: Origin

    def queue(self, name: str, games: GameSchedule) -> GameQueue:
        """Return the queue of a stage whose ledger is in the folder ``name`` of the study."""
        return GameQueue(self.folder / name, games, self.workers, self.progress, self.is_stopped, self.origin)


def play_study(
    folder: Path,
    sources: Mapping[str, str],
    play: Callable[[Stages], None],
    report: Callable[[], R],
    *,
    workers: Workers,
    tracking: bool | str,
    progress: PlayListener,
    kind: RunType,
    is_complete: bool = False,
    origin: Origin,
) -> R:
    """Play the missing games of a study until it is complete or interrupted, report it either way, and return the results.

    Args:
        folder: of the study, which is open.
        sources: the text of users' files by name.
        play: plays all stages.
        report: writes the report from the folder, if it is not there, and returns the results that are reported.
        workers: are started.
        tracking: as in `tournaments.run_tournament`.
        progress: is closed in the end.
        kind: of the study's run in MLflow.
        is_complete: whether all has been played, so that only report and run may be missing.
        origin: what its games follow from, which their ledgers name.
    """
    events = Listeners(progress)
    with tracked(events, folder, tracking, workers.describe(), kind):
        status = FINISHED
        with Interruption(events.say) as interruption, interruption.as_the_reason():
            try:
                if not is_complete:
                    workers.start(sources)
                    play(Stages(folder, workers, events, lambda: interruption.requested, origin))
            except StudyInterruptedError:
                status = KILLED
            finally:
                events.close()
        results = report()
        events.end(status)
    return results
