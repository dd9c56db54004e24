"""Playing the games of a study: over a pool of workers, and only those that its ledger does not have.

A study asks for games in an order of its own and waits for them in that order, whatever order they are played in. So
it comes to the same on any number of workers; and a study that goes on asks for the same games once more and finds
those that have been played in the ledger.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Final, Protocol, Self

from tag.playing import GameOrder, GameRecord
from tournaments import Ledger, Pairing, PlayedGame
from tournaments.batches import BatchSizes
from tournaments.calibration import PoolFactory
from tournaments.interruption import Interruption
from tournaments.ledger import Roster, read_records
from tournaments.pool import Pool
from tournaments.progress import Progress
from tournaments.schedule import game_id_of

_PATIENCE: Final = 0.2
_FLUSH_SECONDS: Final = 1.0
_FLUSH_GAMES: Final = 2_000
#: Every shard names all agents: where there are many, it is written less often.
_AGENTS_PER_SECOND: Final = 1_000
_DRAIN_SECONDS: Final = 3.0

#: No batch has the number of another, also of another player of the study: a pool may give a late answer to that.
_NUMBERS: Final = count(1)

Place = tuple[int, int, int]


class Orders(Roster, Protocol):
    """The games of a study, such as `tuning.tables.Tables`; also the roster of their ledger."""

    def keep(self, folder: Path) -> None:
        """Keep the numbers that the ledger in ``folder`` knows, whatever has led to them."""

    def order(self, pairing: Pairing) -> GameOrder:
        """Return a game as something that any process can play."""


class StudyInterruptedError(Exception):
    """Somebody wants the study to stop; what has been played is in the ledger."""


class Player:
    """Plays games that are asked for, and writes them to the ledger of a study; a context that finishes in the end.

    Attributes:
        played: how many games have been played, and not found in the ledger.
    """

    def __init__(
        self, folder: Path, tables: Orders, pool: Pool, progress: Progress, is_stopped: Callable[[], bool]
    ) -> None:
        """Go on with the ledger in ``folder``, or begin it.

        Raises:
            DataError: the ledger has a newer version of the schema.
        """
        self._ledger = Ledger(folder, tables)
        for sentence in self._ledger.quarantined:
            progress.say(sentence)
        tables.keep(folder)
        self._known: dict[Place, GameRecord] = dict(read_records(folder))
        self._tables = tables
        self._pool = pool
        self._progress = progress
        self._is_stopped = is_stopped
        self._sizes = BatchSizes(pool.slots)
        self._waiting: deque[Pairing] = deque()
        self._in_flight: dict[int, tuple[list[Pairing], float]] = {}
        self._arrived: dict[Place, GameRecord] = {}
        self._unwritten: list[PlayedGame] = []
        self._next_flush = pool.now() + _FLUSH_SECONDS
        self.played = 0

    def __enter__(self) -> Self:
        """Begin."""
        return self

    def __exit__(self, error: type[BaseException] | None, *_more: object) -> None:
        """Finish, and merge the ledger unless something came in between."""
        self.finish(merge=error is None)

    def ask(self, games: Sequence[Pairing]) -> None:
        """Have games played, after those that have been asked for before."""
        for game in games:
            known = self._known.pop(_place(game), None)
            if known is None:
                self._waiting.append(game)
            else:
                self._arrived[_place(game)] = known
                self._progress.skip(1)

    def take(self, games: Sequence[Pairing]) -> list[PlayedGame]:
        """Wait for games that have been asked for, and return what came of them.

        Raises:
            StudyInterruptedError: somebody wants the study to stop.
            TagError: a game breaks its contract, or the workers are lost.
        """
        if self._is_stopped():
            raise StudyInterruptedError
        while any(_place(game) not in self._arrived for game in games):
            self._submit()
            self._collect()
            if self._is_stopped():
                raise StudyInterruptedError
        return [PlayedGame(game, self._arrived.pop(_place(game))) for game in games]

    @property
    def unasked(self) -> int:
        """How many games of the ledger have not been asked for."""
        return len(self._known)

    def finish(self, merge: bool) -> None:
        """Write down what has been played; merge the ledger if all is done, without games that nobody took.

        What is in flight then is waited for, as the next player needs free slots; otherwise it has a moment to end.
        """
        end = self._pool.now() + _DRAIN_SECONDS
        try:
            while self._in_flight and (self._pool.now() < end or (merge and not self._is_stopped())):
                self._collect()
        finally:
            self._flush()
        if merge:
            self._ledger.merge(without=[game_id_of(*place) for place in self._arrived])

    def _submit(self) -> None:
        """Fill the free slots."""
        while self._waiting and len(self._in_flight) < self._pool.slots:
            size = self._sizes.next(len(self._waiting))
            batch = [self._waiting.popleft() for _ in range(min(size, len(self._waiting)))]
            number = next(_NUMBERS)
            self._in_flight[number] = (batch, self._pool.now())
            self._pool.submit(number, [self._tables.order(game) for game in batch])

    def _collect(self) -> None:
        """Take what the pool has played, and write it down if enough has come together."""
        try:
            completed = self._pool.completed(_PATIENCE)
        except BaseException:
            self._in_flight.clear()  # the pool is good for nothing but closing then
            raise
        for number, records, worker in completed:
            batch, begin = self._in_flight.pop(number)
            self._sizes.learn(len(batch), self._pool.now() - begin)
            for game, record in zip(batch, records, strict=True):
                self._arrived[_place(game)] = record
                self._unwritten.append(PlayedGame(game, record, worker))
            self.played += len(records)
            self._progress.advance(len(records), sum(len(record.faults) for record in records))
        if len(self._unwritten) >= _FLUSH_GAMES or (self._unwritten and self._pool.now() >= self._next_flush):
            self._flush()

    def _flush(self) -> None:
        if self._unwritten:
            self._ledger.append(self._unwritten)
            self._unwritten = []
        self._next_flush = self._pool.now() + max(_FLUSH_SECONDS, len(self._tables.entries) / _AGENTS_PER_SECOND)


def is_played_to_end(
    run: Callable[[Pool, Callable[[], bool]], None],
    factory: PoolFactory,
    sources: Mapping[str, str],
    progress: Progress,
) -> bool:
    """Open a pool, run a study on it, and say whether that came to its end: whether nobody has interrupted it.

    Args:
        run: the study, called with the pool and with what says whether somebody wants it to stop.
        factory: makes the pool.
        sources: the text of users' files by name.
        progress: is closed in the end.
    """
    with Interruption() as interruption, interruption.as_the_reason():
        pool = factory(sources)
        try:
            run(pool, lambda: interruption.requested)
        except StudyInterruptedError:
            return False
        finally:
            progress.close()
            pool.close()
    return True


def _place(game: Pairing) -> Place:
    return game.block, game.matchup, game.seating
