"""Python's garbage collector during searches, which keep many objects without cycles, and between them."""

from __future__ import annotations

import gc
from types import TracebackType
from typing import Final, final

from mypy_extensions import i64

#: Collect after so many objects have grown old unseen: some seconds of search for some hundredths of a second.
_MOST_UNSEEN: Final = 2_000_000

#: Objects that searches have kept since the last collection.
_unseen: i64 = 0


@final
class CollectionPaused:
    """A context that collects no garbage during a search that keeps many objects without cycles.

    A collection goes through all of them, which costs up to a third of the time, and up to 50 ms at once. At the end they
    count as old, so that the next collection of young objects does not go through them either: it would begin at once, and
    be time of the decision. `collect_garbage` makes up for it.
    """

    __slots__ = ("_collects",)
    _collects: bool

    def __init__(self) -> None:
        """Note nothing yet."""
        self._collects = False

    def __enter__(self) -> None:
        """Pause the collector; within another pause, do nothing."""
        self._collects = gc.isenabled()
        gc.disable()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Let collections go on."""
        global _unseen  # noqa: PLW0603  the collector is one for the process
        if self._collects:
            _unseen += gc.get_count()[0]
            gc.freeze()
            gc.unfreeze()  # both take no time: all that is alive is of the oldest generation now
            gc.enable()


def collect_garbage() -> None:
    """Collect the objects that searches may have left, if there are many; at times that are no agent's."""
    global _unseen  # noqa: PLW0603
    if _unseen > _MOST_UNSEEN and gc.isenabled():
        _unseen = 0
        gc.collect()
