"""Two workers on Ray that play for one test after the other: to start them takes 1.4 CPU seconds."""

from __future__ import annotations

from typing import Final

from tag.cluster.connection import driver_path, foreign_path
from tag.cluster.workers import RayWorkers


class KeptWorkers(RayWorkers):
    """Workers that a run which ends well leaves to the next, as it leaves them for users to the next event or study.

    What is still in flight then is answered late, and dropped. Runs that fail, or see other modules, have new ones.
    """

    def __init__(self) -> None:
        super().__init__(2)
        self._paths: object = None

    def __exit__(self, *error: object) -> None:
        if error[0] is None:
            self.close()
        else:
            self.end()

    def start(self, sources: dict[str, str]) -> None:
        paths = driver_path(), foreign_path()
        if self._actors is not None and paths != self._paths:
            self.end()
        self._paths = paths
        super().start(sources)

    def close(self) -> None:
        actors = self._actors
        self.forget(list(self._sources))
        super(RayWorkers, self).close()
        self._actors = actors

    def end(self) -> None:
        """End the workers."""
        super().close()


#: Those of this process; none is started before there is something to play.
KEPT: Final = KeptWorkers()


def workers_for_tests(count: int, address: str = "") -> RayWorkers:
    """Return the kept workers in place of two on this machine."""
    return RayWorkers(count, address) if address or count != KEPT.count else KEPT
