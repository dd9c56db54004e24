"""The games that a study asks for, played by the workers and returned in the order of its requests.

So the result is the same on any number of workers. A study that goes on asks for the same games again and finds those
that have been played in the ledger.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Self

from tag.cluster import Workers
from tag.orders import GameRecord
from tag.tournaments.designs.games import Pairing, game_id_of, place
from tag.tournaments.driver.driver import Driver
from tag.tournaments.driver.events import PlayListener
from tag.tournaments.ledger.games import read_records
from tag.tournaments.ledger.identity import Binding
from tag.tournaments.ledger.rows import MEASURES, PlayedGame
from tag.tournaments.ledger.writing import Ledger
from tag.tuning.study.schedule import GameSchedule

Place = tuple[int, int, int]


class StudyInterruptedError(Exception):
    """Stop of a study on request; the games played so far are in the ledger."""


class GameQueue:
    """Queue of games in the order of a study's requests; a context manager. It plays those that the ledger lacks.

    Attributes:
        played: the number of games played, without those found in the ledger.
    """

    def __init__(
        self,
        folder: Path,
        schedule: GameSchedule,
        workers: Workers,
        events: PlayListener,
        is_stopped: Callable[[], bool],
        binding: Binding | None = None,
    ) -> None:
        """Go on with the ledger in ``folder``, or begin it; `DataError` where it has a newer version of the schema.

        ``binding`` is what shards are compared with; if omitted, only the plan that is ``schedule``.
        """
        binding = binding or Binding(schedule)
        self._ledger = Ledger(folder, schedule, binding)
        for sentence in self._ledger.quarantined:
            events.say(sentence)
        schedule.keep(folder)
        lost = set(self._ledger.lacking(MEASURES))  # these games are played again: their measures decide the study
        self._known: dict[Place, GameRecord] = {
            at: record for at, record in read_records(folder, binding) if record.game_id not in lost
        }
        self._driver = Driver(self._ledger, schedule.order, workers, events)
        self._events = events
        self._is_stopped = is_stopped
        self._waiting: deque[Pairing] = deque()
        self._arrived: dict[Place, GameRecord] = {}
        self.played = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, error: type[BaseException] | None, *_more: object) -> None:
        """Finish, and merge the ledger unless there was an exception."""
        self.finish(merge=error is None)

    def ask(self, games: Sequence[Pairing]) -> None:
        """Have games played, after those that have been asked for before."""
        for game in games:
            known = self._known.pop(place(game), None)
            if known is None:
                self._waiting.append(game)
            else:
                self._arrived[place(game)] = known
                self._events.skip(1)

    def take(self, games: Sequence[Pairing]) -> list[PlayedGame]:
        """Wait for games that have been asked for, and return them with their results.

        Raises:
            StudyInterruptedError: the study was asked to stop.
            TagError: a game breaks its contract, or the workers are lost.
        """
        self.check()
        while any(place(game) not in self._arrived for game in games):
            self._driver.fill(lambda: len(self._waiting), self._next)
            self._keep(self._driver.collect())
            self.check()
        return [PlayedGame(game, self._arrived.pop(place(game))) for game in games]

    def check(self) -> None:
        """Raise `StudyInterruptedError` if the study was asked to stop."""
        if self._is_stopped():
            raise StudyInterruptedError

    @property
    def unasked(self) -> int:
        """Number of games of the ledger that have not been asked for."""
        return len(self._known)

    def finish(self, merge: bool) -> None:
        """Write the played games to the ledger; merge the ledger if all is done, without games that were not taken.

        If merged, it waits for games in flight, as the next queue needs free slots; otherwise these have a moment to
        end.
        """
        try:
            for played in self._driver.drain(lambda: merge and not self._is_stopped()):
                self._keep(played)
        finally:
            self._driver.flush()
        if merge:
            self._ledger.merge(without=[game_id_of(*where) for where in self._arrived])

    def _next(self, number: int) -> list[Pairing]:
        return [self._waiting.popleft() for _ in range(min(number, len(self._waiting)))]

    def _keep(self, games: list[PlayedGame]) -> None:
        for game, record, _worker in games:
            self._arrived[place(game)] = record
        self.played += len(games)
