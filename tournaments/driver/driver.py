"""The driver: plays games on workers, appends them to a ledger, and publishes what it does.

It is the common part of tournaments and studies, which differ in the choice and order of games and in the use of results.
Games in the ledger are never played again, so an interrupted run goes on. The merged ledger is the same for any workers
and any order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from typing import Final

from tag.cluster import Workers
from tag.orders import GameOrder
from tag.tournaments.designs.games import Pairing
from tag.tournaments.driver.batches import LARGEST_BATCH, BatchSizes
from tag.tournaments.driver.events import PlayListener
from tag.tournaments.ledger.rows import PlayedGame
from tag.tournaments.ledger.writing import Ledger

#: How long one wait for batches or tasks lasts, in seconds.
PATIENCE: Final = 0.2
_FLUSH_SECONDS: Final = 1.0
_FLUSH_GAMES: Final = 2_000
#: Every shard names all agents: with many agents, it is written less often.
_AGENTS_PER_SECOND: Final = 1_000
#: How long batches in flight may take to end after a request to stop.
_DRAIN_SECONDS: Final = 3.0

#: Numbers of batches and tasks, each used once, so that a late answer to one of an earlier run is recognised.
NUMBERS: Final = count(1)


class Driver:
    """Plays games on workers, never more at once than they have slots for, and appends the results to a ledger.

    Attributes:
        written: how many games it has appended.
    """

    def __init__(
        self,
        ledger: Ledger,
        order: Callable[[Pairing], GameOrder],
        workers: Workers,
        events: PlayListener,
        largest_batch: int = LARGEST_BATCH,
    ) -> None:
        """Start without batches in flight.

        ``order`` returns a game as an order that any process can play; a batch has at most ``largest_batch`` games.
        """
        self._ledger = ledger
        self._order = order
        self._workers = workers
        self._events = events
        self._sizes = BatchSizes(workers.slots, largest_batch)
        self._batches: dict[int, tuple[list[Pairing], float]] = {}
        self._unwritten: list[PlayedGame] = []
        self._next_flush = workers.now() + _FLUSH_SECONDS
        self.written = 0

    @property
    def in_flight(self) -> list[list[Pairing]]:
        """The games of each batch that is being played."""
        return [batch for batch, _begin in self._batches.values()]

    def fill(self, wanted: Callable[[], int], take: Callable[[int], list[Pairing]]) -> None:
        """Fill the free slots with games.

        ``wanted`` returns the number of remaining games, as the last batches are smaller. ``take`` returns the next
        games, at most as many as asked for; none if none can be played now.
        """
        while len(self._batches) < self._workers.slots and (left := wanted()):
            batch = take(self._sizes.next(left))
            if not batch:
                break
            number = next(NUMBERS)
            self._batches[number] = (batch, self._workers.now())
            self._workers.submit(number, [self._order(pairing) for pairing in batch])

    def collect(self) -> list[PlayedGame]:
        """Wait a moment for batches, and return their games; they are written once there are enough.

        Raises:
            TagError: a game breaks its contract, or the workers are lost.
        """
        try:
            completed = self._workers.completed(PATIENCE)
        except BaseException:
            self._batches.clear()  # the workers can only be closed then
            raise
        for sentence in self._workers.news():
            self._events.say(sentence)
        found: list[PlayedGame] = []
        for number, records, worker in completed:
            if number not in self._batches:
                continue  # of an earlier run that ended before it
            batch, begin = self._batches.pop(number)
            self._sizes.learn(len(batch), self._workers.now() - begin)
            played = [PlayedGame(pairing, record, worker) for pairing, record in zip(batch, records, strict=True)]
            self._unwritten += played
            self._events.played(played)
            found += played
        if len(self._unwritten) >= _FLUSH_GAMES or (self._unwritten and self._workers.now() >= self._next_flush):
            self.flush()
        return found

    def drain(self, goes_on: Callable[[], bool] = lambda: False) -> Iterator[list[PlayedGame]]:
        """Yield the games of batches that end within a moment, or while it ``goes_on``; others are played again later."""
        end = self._workers.now() + _DRAIN_SECONDS if self._batches else 0.0
        while self._batches and (self._workers.now() < end or goes_on()):
            yield self.collect()

    def flush(self) -> None:
        """Append the played games to the ledger; a game that is written twice counts once."""
        if self._unwritten:
            self._ledger.append(self._unwritten)
            written, self._unwritten = len(self._unwritten), []
            self.written += written
            self._events.written(written)
        self._next_flush = self._workers.now() + max(_FLUSH_SECONDS, self._ledger.n_agents / _AGENTS_PER_SECOND)
