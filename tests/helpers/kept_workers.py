"""Two workers on Ray that play for one test after the other: to start them takes 1.4 CPU seconds."""

from __future__ import annotations

from tag.cluster.workers import RayWorkers


class KeptWorkers(RayWorkers):
    """Workers that a run which ends well leaves to the next, as it leaves them for users to the next event or study.

    What is still in flight then is answered late, and dropped. A run that fails ends them.
    """

    def __init__(self) -> None:
        super().__init__(2)

    def __exit__(self, *error: object) -> None:
        if error[0] is None:
            self.close()
        else:
            self.end()

    def close(self) -> None:
        actors = self._actors
        self.forget(list(self._sources))
        super(RayWorkers, self).close()
        self._actors = actors

    def end(self) -> None:
        """End the workers."""
        super().close()
