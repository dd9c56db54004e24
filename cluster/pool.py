"""The pool: plays batches of games on Ray workers and returns each exactly once, whatever dies in between."""

from __future__ import annotations

import gc
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Protocol

from cluster.batches import DEPTH, Columns, Outcome, Played, pack_orders, unpack_records
from cluster.connection import connect, disconnect, driver_path, foreign_path, watches
from cluster.machine import WorkerSpeed
from cluster.watch import LastWords
from tag.errors import ClusterError
from tag.playing import GameOrder

#: A batch that was being played this often when its worker died is taken for the reason.
_DEATHS: Final = 3
#: How long to wait in one go: what is to be tried again is looked at in between, in seconds.
_TICK: Final = 0.5
#: The garbage collector goes through all that is in flight, in vain, for every so many objects that come in: orders and
#: records make no cycles. Python's own 700 cost a quarter of the driver's time.
_COLLECT_EVERY: Final = 100_000


@dataclass
class _Batch:
    """A batch that is not played yet."""

    number: int
    orders: list[GameOrder]
    deaths: int = 0


class Workers(Protocol):
    """Who plays batches, and may lose them: `cluster.crew.Crew`, or what stands in for it."""

    @property
    def has_room(self) -> bool:
        """Whether a worker can take a batch."""

    def give(self, number: int, columns: Columns) -> None:
        """Give a batch, as `cluster.batches.pack_orders` returns it, to a worker; there must be room."""

    def wait(self, seconds: float) -> list[Outcome]:
        """Wait at most ``seconds`` for something to happen, and return the batches that are played or lost."""


class WorkerPool:
    """Plays batches on workers.

    A batch that is lost with its worker or node goes to another. Its first answer counts, whoever gives it, and later ones
    are dropped, so it is returned once. Games are decided by their orders: it makes no difference which worker plays
    them, nor how often.

    Attributes:
        slots: how many batches keep all workers busy.
        now: the time in seconds, by the clock that the workers live by.
    """

    def __init__(self, workers: Workers, number: int, now: Callable[[], float] = time.monotonic) -> None:
        """Start with nothing to play, and this ``number`` of workers."""
        self.slots = DEPTH * number
        self.now = now
        self._workers = workers
        self._open: dict[int, _Batch] = {}
        self._waiting: deque[_Batch] = deque()
        self._thresholds = gc.get_threshold()
        gc.set_threshold(_COLLECT_EVERY, *self._thresholds[1:])

    def submit(self, number: int, orders: list[GameOrder]) -> None:
        """Have a batch played under a number of the caller's, which no batch in flight may have."""
        batch = self._open[number] = _Batch(number, orders)
        self._waiting.append(batch)
        self._dispatch()

    def completed(self, timeout: float) -> list[Played]:
        """Wait at most ``timeout`` seconds for batches, and return those that are played.

        Raises:
            TagError: what a game of a batch raised; the pool is good for nothing but closing then.
            ClusterError: workers do not start, or a batch kills them, or Ray itself is gone; likewise.
        """
        end = self.now() + timeout
        while True:
            left = max(0.0, end - self.now())
            done = self._collect(min(left, _TICK))
            self._dispatch()
            if done or left == 0.0:
                return done

    def close(self) -> None:
        """Drop what is in flight and let go of all resources."""
        gc.set_threshold(*self._thresholds)

    def _dispatch(self) -> None:
        """Give waiting batches to workers that are free."""
        while self._waiting and self._workers.has_room:
            batch = self._waiting.popleft()
            if batch.number in self._open:  # no late answer to it has come meanwhile
                self._workers.give(batch.number, pack_orders(batch.orders))

    def _collect(self, seconds: float) -> list[Played]:
        """Wait for batches, return those that are played, and put those that are lost in front of the others."""
        done = []
        for outcome in self._workers.wait(seconds):
            batch = self._open.get(outcome.number)
            if batch is None:  # a late answer: another worker has answered in the place of one that seemed lost
                continue
            if outcome.answer is not None:
                done.append(Played(outcome.number, unpack_records(outcome.answer), outcome.worker))
                del self._open[outcome.number]
                continue
            batch.deaths += outcome.suspect
            if batch.deaths == _DEATHS:
                raise ClusterError(_accusation(batch))
            self._waiting.appendleft(batch)
        return done


class RayPool(WorkerPool):
    """Plays batches on Ray workers, one process each."""

    def __init__(self, workers: int, address: str | None = None, sources: Mapping[str, str] | None = None) -> None:
        """Connect to Ray and ask for workers, but do not wait for them.

        Args:
            workers: how many processes.
            address: of a Ray cluster; None for the Ray of this process, started on this machine if there is none.
            sources: the text of users' files by name, for the workers.

        Raises:
            ClusterError: there is no cluster at the address, or Ray does not start.
        """
        self._connected = connect(workers, address)
        from cluster.crew import Crew  # noqa: PLC0415  Ray reads its settings when it is imported

        self._last_words = LastWords()
        self._watches = watches()
        path = driver_path() if address is None else []
        self._crew = Crew(workers, path, foreign_path(), dict(sources or {}))
        super().__init__(self._crew, workers)

    def measure(self, game: str, players: int) -> list[WorkerSpeed]:
        """Wait for all workers that seem to come, and return how fast each plays, all measured at the same time.

        Args:
            game: the spec of a game type.
            players: of each game.

        Raises:
            ClusterError: workers do not start, or cannot play the game, or Ray itself is gone.
        """
        while not self._crew.is_gathered:
            for watch in self._watches:
                watch.check()
            self._crew.wait(_TICK)
        return self._crew.measure(game, players)

    def close(self) -> None:
        """Drop what is in flight and let go of Ray; end it if the pool started it."""
        super().close()
        try:
            if not any(watch.lost for watch in self._watches):  # Ray would try in vain for a minute
                self._crew.dismiss()
            for watch in self._watches:
                watch.close()
            if self._connected:
                self._connected = False
                disconnect()
        finally:
            self._last_words.close()

    def _collect(self, seconds: float) -> list[Played]:
        """Wait for batches, unless Ray is gone."""
        for watch in self._watches:
            watch.check()
        return super()._collect(seconds)


def _accusation(batch: _Batch) -> str:
    """Return which games seem to kill workers."""
    games = [f"{order.game_id} ({order.game} with {', '.join(order.agents)})" for order in batch.orders]
    some = "; ".join(games[:3])
    more = f"; and {len(games) - 3} more" if len(games) > 3 else ""
    return f"{_DEATHS} workers died one after the other playing the same games: {some}{more}"
