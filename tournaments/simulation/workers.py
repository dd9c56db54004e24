"""Simulated workers: they play, die and come back in simulated time, while the driver in front of them is the real one."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from heapq import heappop, heappush
from itertools import count
from math import inf
from typing import Final

import numpy as np

from cluster.batches import DEPTH, Answer, Columns, Outcome, Row, record_fields
from tag.playing import GameRecord
from tag.results import LOSE, WIN
from tournaments.simulation.clock import DriverClock
from tournaments.simulation.game_seconds import GameSeconds

_HOUR: Final = 3600.0
#: So many made-up results are repeated under the games' ids: nobody reads them.
_MADE_UP: Final = 4096
_NAME: Final = "simulated"


@dataclass(frozen=True)
class Circumstances:
    """What becomes of workers, and what it costs the driver to talk to them; all times are in seconds.

    Attributes:
        game_seconds: how long games take.
        latency: from the end of a batch to the driver's hearing of it.
        start: how long workers take to come in the beginning.
        deaths_per_hour: how often a worker dies, per hour of its life.
        restart: how long it takes for another to take its place, once the driver knows.
        node_losses_per_hour: how often a node is lost with all its workers, per hour of its life.
        node_restart: how long it takes for another to take its place.
        workers_per_node: how many workers a node has.
        detection: how long it takes until the driver knows of a loss.
        call_cpu: the CPU time that Ray takes in the driver per batch, pickling apart.
        wait_cpu: … per batch in flight whenever the driver looks for answers.
    """

    game_seconds: GameSeconds
    latency: float = 0.002
    start: float = 5.0
    deaths_per_hour: float = 0.0
    restart: float = 10.0
    node_losses_per_hour: float = 0.0
    node_restart: float = 300.0
    workers_per_node: int = 8
    detection: float = 5.0
    call_cpu: float = 0.0
    wait_cpu: float = 0.0


@dataclass
class _Node:
    """A machine: when it is lost, and when another is in its place."""

    dies: float
    back: float


@dataclass(eq=False)
class _Worker:
    """A worker: its node, when it dies, until when it has something to play, how many batches, and if it is given any."""

    node: _Node
    dies: float = inf
    busy_until: float = 0.0
    batches: int = 0
    is_here: bool = False


class SimulatedWorkers:
    """Plays the part of `cluster.crew.Crew` for `cluster.pool.WorkerPool`.

    What becomes of a batch is decided when it is given: it is played after what its worker has already, unless the worker
    or its node dies before the end.

    Attributes:
        clock: the simulated time.
        busy: the seconds that workers have spent on games whose results arrived.
        batches: how many batches were played or lost.
        lost: how many were lost, and given again.
        deaths: how many workers have died, with or without their nodes.
    """

    def __init__(
        self, size: int, n_players: int, circumstances: Circumstances, seed: int, clock: DriverClock | None = None
    ) -> None:
        """Have ``size`` workers come, to play games of so many seats."""
        self.clock = clock or DriverClock()
        self.busy = 0.0
        self.batches = 0
        self.lost = 0
        self.deaths = 0
        self._circumstances = circumstances
        self._rng = np.random.default_rng(seed)
        self._results = _made_up(n_players, self._rng)
        self._free: list[dict[_Worker, None]] = [
            {} for _batches in range(DEPTH)
        ]  # by how many they have, as sets in order
        self._in_flight = 0
        self._serial = count()
        self._events: list[tuple[float, int, Callable[[], Outcome | None]]] = []
        self._answers: dict[int, bytes] = {}
        for first in range(0, size, circumstances.workers_per_node):
            node = _Node(0.0, circumstances.start)
            for _worker in range(first, min(size, first + circumstances.workers_per_node)):
                self._plan(circumstances.start, partial(self._arrive, node))

    @property
    def has_room(self) -> bool:
        """Whether a worker can take a batch."""
        return any(self._free)

    def give(self, number: int, columns: Columns) -> None:
        """Give a batch to the worker that has the fewest; there must be room."""
        pickle.dumps(columns, pickle.HIGHEST_PROTOCOL)  # for the time that it takes the driver
        self.clock.stop()
        self.clock.charge(self._circumstances.call_cpu)
        self._in_flight += 1
        worker = next(iter(next(filter(None, self._free))))
        self._change(worker, batches=worker.batches + 1)
        seconds = float(self._circumstances.game_seconds.draw(len(columns[0]), self._rng).sum())
        begin = max(self.clock.now, worker.busy_until)
        worker.busy_until = begin + seconds
        if worker.busy_until < worker.dies:
            self._answers[number] = pickle.dumps(self._played(columns), pickle.HIGHEST_PROTOCOL)
            self._plan(worker.busy_until + self._circumstances.latency, partial(self._answer, worker, number, seconds))
        else:
            self._plan(
                worker.dies + self._circumstances.detection, partial(self._lose, worker, number, begin < worker.dies)
            )
        self.clock.run()

    def wait(self, seconds: float) -> list[Outcome]:
        """Let at most so much time pass until something happens, and return the batches that are played or lost."""
        self.clock.stop()
        self.clock.charge(self._circumstances.wait_cpu * self._in_flight)
        end = self.clock.now + seconds
        self.clock.now = max(self.clock.now, min(end, self._events[0][0] if self._events else end))
        outcomes = []
        while self._events and self._events[0][0] <= self.clock.now:
            _when, _serial, happen = heappop(self._events)
            outcome = happen()
            if outcome is not None:
                outcomes.append(outcome)
        self.clock.run()
        return [self._received(outcome) for outcome in outcomes]

    def _plan(self, when: float, happen: Callable[[], Outcome | None]) -> None:
        heappush(self._events, (when, next(self._serial), happen))

    def _arrive(self, node: _Node) -> None:
        """Have a worker come, once its node is there."""
        now, circumstances = self.clock.now, self._circumstances
        if node.dies <= now < node.back:
            self._plan(node.back, partial(self._arrive, node))
            return
        if node.back <= now:
            node.dies = now + self._lifetime(circumstances.node_losses_per_hour)
            node.back = node.dies + circumstances.detection + circumstances.node_restart
        worker = _Worker(node, min(node.dies, now + self._lifetime(circumstances.deaths_per_hour)))
        self._change(worker, is_here=True)
        if worker.dies < inf:
            self._plan(worker.dies + circumstances.detection, partial(self._leave, worker))

    def _leave(self, worker: _Worker) -> None:
        """The driver learns that a worker has died, and asks for another."""
        self.deaths += 1
        self._change(worker, is_here=False)
        self._plan(self.clock.now + self._circumstances.restart, partial(self._arrive, worker.node))

    def _answer(self, worker: _Worker, number: int, seconds: float) -> Outcome:
        """A batch is played."""
        self.batches += 1
        self.busy += seconds
        self._change(worker, batches=worker.batches - 1)
        return Outcome(number, _NAME, None)

    def _lose(self, worker: _Worker, number: int, suspect: bool) -> Outcome:
        """A batch is lost with its worker."""
        self.lost += 1
        self._change(worker, batches=worker.batches - 1)
        return Outcome(number, _NAME, None, suspect)

    def _change(self, worker: _Worker, batches: int | None = None, is_here: bool | None = None) -> None:
        """Change what a worker has, or whether it is given anything, and where it is found."""
        if worker.batches < DEPTH:
            self._free[worker.batches].pop(worker, None)
        worker.batches = worker.batches if batches is None else batches
        worker.is_here = worker.is_here if is_here is None else is_here
        if worker.is_here and worker.batches < DEPTH:
            self._free[worker.batches][worker] = None

    def _received(self, outcome: Outcome) -> Outcome:
        """Return an outcome with what was played, which the driver has to read."""
        self._in_flight -= 1
        data = self._answers.pop(outcome.number, None)
        return outcome if data is None else outcome._replace(answer=pickle.loads(data))  # noqa: S301  our own

    def _played(self, columns: Columns) -> Answer:
        """Return made-up records of a batch."""
        picks = self._rng.integers(_MADE_UP, size=len(columns[0])).tolist()
        return Answer([(game_id, *self._results[pick]) for game_id, pick in zip(columns[0], picks, strict=True)], None)

    def _lifetime(self, per_hour: float) -> float:
        return float(self._rng.exponential(_HOUR / per_hour)) if per_hour else inf


def _made_up(n_players: int, rng: np.random.Generator) -> list[Row]:
    """Return rows of `cluster.batches`, without ids, as those of a game of some length with one winner."""
    rows: list[Row] = []
    for winner in rng.integers(n_players, size=_MADE_UP).tolist():
        ticks, turns = rng.integers(30, 90, size=2).tolist()
        record = GameRecord(
            game_id="",
            results=tuple(WIN if seat == winner else LOSE for seat in range(n_players)),
            ordinals=tuple(1 if seat == winner else 2 for seat in range(n_players)),
            scores=tuple(map(float, rng.integers(5, size=n_players))),
            decisions=tuple(rng.integers(5, 30, size=n_players).tolist()),
            seconds=tuple(rng.random(n_players).tolist()),
            ticks=ticks,
            turns=turns,
            rounds=4,
            teams=tuple(range(n_players)),
            state_hash=rng.bytes(8).hex(),
        )
        rows.append(record_fields(record)[1:])
    return rows
