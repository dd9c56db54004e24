"""Tasks of a study on the workers, and games that are in no ledger: answers are taken as they come."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tag.cluster import Workers
from tag.cluster.batches import Task
from tag.orders import GameOrder, GameRecord
from tag.tournaments.driver.driver import NUMBERS, PATIENCE
from tag.tournaments.driver.events import PlayListener


class TaskQueue:
    """Tasks and batches of games in flight, each with the function that takes its answer."""

    def __init__(self, workers: Workers, events: PlayListener) -> None:
        """Begin with nothing in flight; ``events`` hear the news of ``workers``."""
        self._workers = workers
        self._events = events
        self._takers: dict[int, Callable[[Any], None]] = {}

    def __len__(self) -> int:
        """Return how many are in flight."""
        return len(self._takers)

    @property
    def room(self) -> int:
        """How many more may be in flight."""
        return self._workers.slots - len(self)

    def run(self, task: Task, take: Callable[[Any], None]) -> None:
        """Have a task done, and its value taken."""
        self._workers.submit_task(self._numbered(take), task)

    def play(self, orders: list[GameOrder], take: Callable[[list[GameRecord]], None]) -> None:
        """Have games played, and their records taken."""
        self._workers.submit(self._numbered(take), orders)

    def collect(self) -> None:
        """Wait a moment for workers, and have taken what they have done; answers to an earlier run are dropped."""
        for number, records, _worker in self._workers.completed(PATIENCE):
            self._take(number, records)
        for number, value, _worker in self._workers.completed_tasks():
            self._take(number, value)
        for sentence in self._workers.news():
            self._events.say(sentence)

    def _numbered(self, take: Callable[[Any], None]) -> int:
        number = next(NUMBERS)
        self._takers[number] = take
        return number

    def _take(self, number: int, answer: Any) -> None:
        take = self._takers.pop(number, None)
        if take is not None:
            take(answer)
