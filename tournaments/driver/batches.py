"""Batch sizes: enough games to keep the overhead small, and few enough to lose little and to end together."""

from __future__ import annotations

from typing import Final

#: Least aim for the time of a batch from submission to completion, in seconds of wall time; two queue at each Ray
#: worker.
_AIM: Final = 1.5
#: With many workers the aim is longer, so that no more batches than this end in a second: each costs the driver a
#: millisecond or two, for any contents (``docs/scale.md``).
_MOST_PER_SECOND: Final = 200.0
LARGEST_BATCH: Final = 5_000
_FASTEST_GROWTH: Final = 4
_WEIGHT_OF_NEWEST: Final = 0.5


class BatchSizes:
    """Learns the size of the next batch from finished batches.

    Attributes:
        size: the estimated number of games that take the aimed time.
    """

    def __init__(self, slots: int, largest: int = LARGEST_BATCH) -> None:
        """Start with batches of one game, up to the ``largest``; ``slots`` are in flight at once."""
        self.size = 1
        self._aim = max(_AIM, slots / _MOST_PER_SECOND)
        self._largest = largest
        self._slots = slots
        self._seconds_per_game = 0.0

    def next(self, remaining: int) -> int:
        """Return the size of the next batch with ``remaining`` games to play, smaller near the end."""
        share = -(-remaining // (2 * self._slots)) if self._slots > 1 else remaining
        return max(1, min(self.size, share))

    def learn(self, games: int, seconds: float) -> None:
        """Learn that a batch of ``games`` took ``seconds`` from submission to completion."""
        newest = seconds / games
        old = self._seconds_per_game
        self._seconds_per_game = old + _WEIGHT_OF_NEWEST * (newest - old) if old else newest
        fitting = int(self._aim / max(self._seconds_per_game, self._aim / LARGEST_BATCH))
        self.size = max(1, min(fitting, self.size * _FASTEST_GROWTH, self._largest))
