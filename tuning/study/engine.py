"""The engine of studies: what the stages of a study of any kind run on."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Generic

from tag.cluster import Workers
from tag.tournaments.driver.events import PlayListener
from tag.tournaments.driver.interruption import Interruption
from tag.tournaments.ledger.identity import Binding
from tag.tuning.study.folder import D, Manifest, has_pause
from tag.tuning.study.queue import GameQueue
from tag.tuning.study.schedule import GameSchedule
from tag.tuning.study.tasks import TaskQueue


@dataclass(frozen=True)
class StudyEngine(Generic[D]):
    """One run of a study, from its folder, which is open.

    Attributes:
        folder: of the study.
        manifest: its definition, and what it began with.
        workers: play its games, and are started.
        events: hear of its progress.
        interruption: tells whether this process was asked to stop.
    """

    folder: Path
    manifest: Manifest[D]
    workers: Workers
    events: PlayListener
    interruption: Interruption

    def is_stopped(self) -> bool:
        """Say whether the study was asked to stop: by Ctrl-C, or by `tag pause` from elsewhere."""
        return self.interruption.requested or has_pause(self.folder)

    @property
    def definition(self) -> D:
        """The definition of the study."""
        return self.manifest.definition

    def games(self, name: str, schedule: GameSchedule) -> GameQueue:
        """Return the queue of a stage whose ledger is in the folder ``name`` of the study."""
        binding = Binding(schedule, self.manifest.versions, self.manifest.played_sources)
        return GameQueue(self.folder / name, schedule, self.workers, self.events, self.is_stopped, binding)

    def tasks(self) -> TaskQueue:
        """Return a queue of tasks and games that are in no ledger."""
        return TaskQueue(self.workers, self.events)
