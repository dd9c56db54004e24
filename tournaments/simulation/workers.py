"""Simulated workers: they play, die and restart in simulated time, while the driver in front of them is the real one."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from heapq import heappop, heappush
from itertools import count
from math import exp, inf, log
from time import process_time
from typing import Final, Self

import numpy as np

from tag.cluster.batches import DEPTH, Answer, Columns, Reply, Row, record_fields
from tag.engine.results import LOSE, WIN
from tag.orders import GameRecord
from tag.tournaments.statistics.intervals import Floats


class DriverClock:
    """Simulated time, to which the real CPU time of the driver is added while the clock runs.

    So a driver that is too slow for its workers is detected.
    """

    def __init__(self, timer: Callable[[], float] = process_time) -> None:
        """Start the clock; ``timer`` returns the CPU time of the process."""
        self.now = 0.0
        self.cpu = 0.0
        self._timer = timer
        self._since = timer()

    def stop(self) -> None:
        """Stop counting CPU time: what follows is the simulation's own work."""
        self.charge(self._timer() - self._since)

    def run(self) -> None:
        """Resume counting the driver's CPU time."""
        self._since = self._timer()

    def charge(self, seconds: float) -> None:
        """Add so much CPU time of the driver."""
        self.cpu += seconds
        self.now += seconds


@dataclass(frozen=True)
class GameSeconds:
    """A distribution of lengths of games, in seconds of a worker's time.

    Attributes:
        log_mean: the mean of the logarithm; a log-normal distribution, constant where `log_deviation` is 0.
        log_deviation: the standard deviation of the logarithm.
        measured: lengths to draw from instead, all equally likely; empty for the distribution above.
    """

    log_mean: float = 0.0
    log_deviation: float = 0.0
    measured: tuple[float, ...] = ()

    @classmethod
    def lognormal(cls, median: float, deviation: float = 0.0) -> Self:
        """Return a log-normal distribution by its median and the deviation of the logarithm; without one, a constant."""
        return cls(log(median), deviation)

    @property
    def mean(self) -> float:
        """The mean length."""
        if self.measured:
            return float(np.mean(self.measured))
        return exp(self.log_mean + self.log_deviation**2 / 2.0)

    def draw(self, games: int, rng: np.random.Generator) -> Floats:
        """Return the lengths of so many games."""
        if self.measured:
            return rng.choice(np.array(self.measured), games)
        if not self.log_deviation:
            return np.full(games, exp(self.log_mean))
        return rng.lognormal(self.log_mean, self.log_deviation, games)


_HOUR: Final = 3600.0
#: So many made-up results are repeated under the games' ids, as none is ever read.
_MADE_UP: Final = 4096
_NAME: Final = "simulated"


@dataclass(frozen=True)
class Circumstances:
    """Conditions of the workers, and the driver's costs of talking to them; all times are in seconds."""

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
    """A machine: the time of its loss, and of its replacement."""

    dies: float
    back: float


@dataclass(eq=False)
class _Worker:
    """A worker: its node, time of death, end of its last batch, number of batches, and whether it is given any."""

    node: _Node
    dies: float = inf
    busy_until: float = 0.0
    batches: int = 0
    is_here: bool = False


class SimulatedActors:
    """Replaces `tag.cluster.actors.RayActors` for `tag.cluster.workers.ReliableWorkers`.

    The fate of a batch is decided when it is given: it is played after the worker's earlier batches, unless the worker
    or its node dies before the end.

    Attributes:
        busy: the seconds that workers have spent on games whose results arrived.
        lost: how many were lost, and given again.
    """

    def __init__(
        self, size: int, n_players: int, circumstances: Circumstances, seed: int, clock: DriverClock | None = None
    ) -> None:
        """Start ``size`` workers, for games of so many seats."""
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
        ]  # by number of batches, as sets in order
        self._in_flight = 0
        self._serial = count()
        self._events: list[tuple[float, int, Callable[[], Reply | None]]] = []
        self._answers: dict[int, bytes] = {}
        for first in range(0, size, circumstances.workers_per_node):
            node = _Node(0.0, circumstances.start)
            for _worker in range(first, min(size, first + circumstances.workers_per_node)):
                self._plan(circumstances.start, partial(self._arrive, node))

    @property
    def has_room(self) -> bool:
        """True if a worker can take a batch."""
        return any(self._free)

    def provide(self, sources: Mapping[str, str]) -> None:
        """Do nothing: simulated games need no files."""

    def forget(self, names: Sequence[str]) -> None:
        """Do nothing: simulated games need no files."""

    def give(self, number: int, columns: Columns) -> None:
        """Give a batch to the worker that has the fewest; there must be room."""
        pickle.dumps(columns, pickle.HIGHEST_PROTOCOL)  # for its cost in the driver's time
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

    def wait(self, seconds: float) -> list[Reply]:
        """Let at most so much time pass until an event, and return the batches that are played or lost."""
        self.clock.stop()
        self.clock.charge(self._circumstances.wait_cpu * self._in_flight)
        end = self.clock.now + seconds
        self.clock.now = max(self.clock.now, min(end, self._events[0][0] if self._events else end))
        replys = []
        while self._events and self._events[0][0] <= self.clock.now:
            _when, _serial, happen = heappop(self._events)
            reply = happen()
            if reply is not None:
                replys.append(reply)
        self.clock.run()
        return [self._received(reply) for reply in replys]

    def _plan(self, when: float, happen: Callable[[], Reply | None]) -> None:
        heappush(self._events, (when, next(self._serial), happen))

    def _arrive(self, node: _Node) -> None:
        """Start a worker, once its node is there."""
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
        """Note the death of a worker, as the driver learns of it, and ask for another."""
        self.deaths += 1
        self._change(worker, is_here=False)
        self._plan(self.clock.now + self._circumstances.restart, partial(self._arrive, worker.node))

    def _answer(self, worker: _Worker, number: int, seconds: float) -> Reply:
        """Return the reply to a played batch."""
        self.batches += 1
        self.busy += seconds
        self._change(worker, batches=worker.batches - 1)
        return Reply(number, _NAME, None)

    def _lose(self, worker: _Worker, number: int, suspect: bool) -> Reply:
        """Return the reply to a batch that is lost with its worker."""
        self.lost += 1
        self._change(worker, batches=worker.batches - 1)
        return Reply(number, _NAME, None, suspect)

    def _change(self, worker: _Worker, batches: int | None = None, is_here: bool | None = None) -> None:
        """Change a worker's number of batches, or whether it is given any, and its place in the index."""
        if worker.batches < DEPTH:
            self._free[worker.batches].pop(worker, None)
        worker.batches = worker.batches if batches is None else batches
        worker.is_here = worker.is_here if is_here is None else is_here
        if worker.is_here and worker.batches < DEPTH:
            self._free[worker.batches][worker] = None

    def _received(self, reply: Reply) -> Reply:
        """Return a reply with its records, which the driver has to read."""
        self._in_flight -= 1
        data = self._answers.pop(reply.number, None)
        return reply if data is None else reply._replace(answer=pickle.loads(data))  # noqa: S301  our own

    def _played(self, columns: Columns) -> Answer:
        """Return made-up records of a batch."""
        picks = self._rng.integers(_MADE_UP, size=len(columns[0])).tolist()
        return Answer([(game_id, *self._results[pick]) for game_id, pick in zip(columns[0], picks, strict=True)], None)

    def _lifetime(self, per_hour: float) -> float:
        return float(self._rng.exponential(_HOUR / per_hour)) if per_hour else inf


def _made_up(n_players: int, rng: np.random.Generator) -> list[Row]:
    """Return rows of `tag.cluster.batches`, without ids, as those of a game of some length with one winner."""
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
