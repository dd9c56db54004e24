"""Ray's workers of this process, kept from one run to the next: to start two takes 1.4 CPU seconds.

One pool plays one run after another for users as well. Runs that leave batches in flight, lose a worker, or ask for other
workers end the pool, as do all runs of tests that want workers of their own, because the pool takes all CPUs of `local_ray`.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest


class KeptPool:
    """Hires workers in place of `tag.cluster.actors.RayActors`.

    Attributes:
        is_wanted: True while a test may play on workers that have played for others.
    """

    def __init__(self) -> None:
        self.is_wanted = False
        self._key: object = None
        self._actors: Any = None
        self._is_free = False

    def hire(self, size: int, path: list[str], foreign: list[str], sources: dict[str, str], on_cluster: bool) -> Any:
        """Return the kept workers if they fit, otherwise new ones."""
        key = size, tuple(path), tuple(foreign)
        if self.is_wanted and self._is_free and self._key == key:
            self._is_free = False
            self._actors.provide(sources)
            self._actors._last_sign = time.monotonic()
            return self._actors
        self.end()
        found = self._class(size, path, foreign, dict(sources), on_cluster)
        if self.is_wanted and not on_cluster and self._actors is None:
            self._key, self._actors = key, found
        return found

    def end(self) -> None:
        """End the kept workers unless a run uses them."""
        if self._is_free:
            self._is_free = False
            self._actors.dismiss()

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Keep the workers of runs that end well."""
        from tag.cluster import actors

        pool = self

        class RayActors(actors.RayActors):
            def dismiss(self) -> None:
                is_kept = pool._actors is self
                idle = not self._flights and len(self._members) == self._size and all(m.name for m in self._members)
                if is_kept and pool.is_wanted and not pool._is_free and idle:
                    self.forget(list(self._welcome[2]))
                    pool._is_free = True
                    return
                super().dismiss()
                if is_kept:
                    pool._actors = None

        self._class = RayActors
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(actors, "RayActors", self.hire)
            yield
        self.end()
