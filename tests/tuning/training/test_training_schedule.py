"""Workers share a training evenly: measured in the time of simulated workers, which no other process disturbs."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from small_trainings import small, trained

from tag.catalogue.models.training import _kept
from tag.cluster.batches import DEPTH, Columns, Reply, Task, do_task, play_batch
from tag.cluster.workers import ReliableWorkers

pytestmark = pytest.mark.flow

#: Seconds of a game of training, of a game of an evaluation, and of a step or batch beside its games.
GAME, EVALUATION, OVERHEAD = 0.25, 0.02, 0.05
STEP_GAMES = 8


class Simulated:
    """Actors that do their work at once and answer when it would be done; each keeps a learner of its own."""

    def __init__(self, count: int) -> None:
        self.now = 0.0
        self._ends = [0.0] * count
        self._queues: list[deque[tuple[float, Reply]]] = [deque() for _ in range(count)]
        self._names = [""] * count
        self._kept: list[tuple[Any, Any]] = [((), None)] * count

    @property
    def has_room(self) -> bool:
        return bool(self._free())

    def provide(self, sources: Mapping[str, str]) -> None:
        """Files are on the disk."""

    def forget(self, names: Sequence[str]) -> None:
        """Files are on the disk."""

    def give(self, number: int, columns: Columns) -> None:
        one = min(self._free(), key=lambda free: len(self._queues[free]))
        self._answer(one, number, play_batch(columns), EVALUATION * len(columns[0]))

    def give_task(self, number: int, task: Task) -> None:
        one = min(self._free(), key=lambda free: (self._names[free] != task.name, len(self._queues[free])))
        self._names[one] = task.name
        lesson, begin, end, *rest = task.arguments
        end = min(end, begin + STEP_GAMES)
        _kept.lesson, _kept.learner = self._kept[one]
        answer = do_task(task._replace(arguments=(lesson, begin, end, *rest)))
        self._kept[one] = _kept.lesson, _kept.learner
        has_kept = bool(answer.rows[0][0][3])
        self._answer(one, number, answer, GAME * (end - begin) * has_kept)

    def wait(self, seconds: float) -> list[Reply]:
        ends = [queue[0][0] for queue in self._queues if queue]
        self.now = min([max(self.now, min(ends, default=self.now + seconds)), self.now + seconds])
        return [queue.popleft()[1] for queue in self._queues if queue and queue[0][0] <= self.now]

    def _free(self) -> list[int]:
        return [one for one, queue in enumerate(self._queues) if len(queue) < DEPTH]

    def _answer(self, one: int, number: int, answer: Any, seconds: float) -> None:
        self._ends[one] = max(self.now, self._ends[one]) + seconds + OVERHEAD
        self._queues[one].append((self._ends[one], Reply(number, f"10.0.0.{one}/1", answer)))


def seconds_of(workers: int, seeds: int, out: Path) -> float:
    """Return how long a training takes on so many workers."""
    actors = Simulated(workers)
    definition = small(seeds=seeds, episodes=64, evaluations=2, evaluation_games=2)
    with ReliableWorkers(lambda _sources: actors, workers, lambda: actors.now) as processes:
        assert trained(definition, out, processes, seconds=1000.0).complete
    return actors.now


@pytest.mark.parametrize("seeds", [4, 5])
def test_two_workers_train_nearly_twice_as_fast_as_one(seeds: int, tmp_path: Path) -> None:
    alone, together = (seconds_of(workers, seeds, tmp_path / str(workers)) for workers in (1, 2))
    assert alone >= 1.9 * together
