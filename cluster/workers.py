"""`Workers`: the processes that play games and do tasks, made once and passed to all code that needs them.

Two kinds: this process itself (`InProcess`), and actors that may be lost (`ReliableWorkers`), of which those of Ray are
the real ones (`RayWorkers`).
"""

from __future__ import annotations

import gc
import os
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final, Protocol, Self, cast

from tag.catalogue.user_code import check_specs, failure_of
from tag.cluster.batches import (
    DEPTH,
    Columns,
    CompletedTask,
    PlayedBatch,
    Reply,
    Task,
    WorkerSpeed,
    cores,
    do_task,
    pack_orders,
    unpack_records,
    unpack_value,
    worker_speed,
)
from tag.cluster.connection import check_cluster, connect, disconnect, driver_path, foreign_path, found_address, watches
from tag.cluster.network.watches import LastWords, Watch
from tag.errors import ClusterError, ContractError, ParameterError, TagError
from tag.orders import GameOrder, GameRecord, play_order

if TYPE_CHECKING:
    from tag.cluster.actors import RayActors

_NOT_STARTED: Final = "these workers have not been started; call start, with the text of users' files"
#: A batch that was being played this often when its worker died is taken for the reason.
_DEATHS: Final = 3
#: How long one wait lasts, in seconds; retries are checked in between.
_TICK: Final = 0.5
#: Objects between runs of the garbage collector, which searches all that is in flight in vain: orders and records make
#: no cycles. Python's own 700 cost a quarter of the driver's time.
_COLLECT_EVERY: Final = 100_000


class Workers(ABC):
    """Processes that play batches of games and do tasks, each exactly once as far as the caller sees.

    Nothing is started before there is something to play. Started processes serve one run after another until `close`; a
    ``with`` block closes them at its end.

    Attributes:
        count: how many processes play.
        address: of a Ray cluster; empty for this machine.
        slots: how many batches and tasks may be in flight.
    """

    count: int = 1
    address: str = ""
    slots: int = 1

    def __enter__(self) -> Self:
        """Begin."""
        return self

    def __exit__(self, *_error: object) -> None:
        """Close the workers."""
        self.close()

    def check(self) -> None:  # noqa: B027  this process itself is always there
        """Raise `ClusterError` where no cluster takes us at the address, before anything is written."""

    def describe(self) -> dict[str, Any]:
        """Describe the workers for people, beside results that do not depend on them."""
        return {"workers": self.count, "ray": False, "address": self.address}

    @abstractmethod
    def start(self, sources: Mapping[str, str]) -> None:
        """Get ready to play unless they are, and provide the text of users' files by name.

        Raises:
            ClusterError: there is no cluster at the address, or Ray does not start.
        """

    def forget(self, names: Sequence[str]) -> None:  # noqa: B027  this process itself has nothing to release
        """Release users' files and models of these names, which nothing that is still to be played needs."""

    @abstractmethod
    def now(self) -> float:
        """Return the time in seconds, by the clock that they play by."""

    @abstractmethod
    def submit(self, number: int, orders: list[GameOrder]) -> None:
        """Have a batch played under a number that no other batch has had; there must be a free slot."""

    @abstractmethod
    def completed(self, timeout: float) -> list[PlayedBatch]:
        """Wait up to about ``timeout`` seconds for batches, and return those that are played.

        Raises:
            TagError: an order is wrong, or a game breaks its contract; the workers can only be closed then.
            ClusterError: workers do not start, or a batch kills them, or Ray is gone; they can only be closed then.
        """

    def submit_task(self, number: int, task: Task) -> None:
        """Have a task done under a number that no other task or batch has had; there must be a free slot."""
        raise NotImplementedError

    def completed_tasks(self) -> list[CompletedTask]:
        """Return the tasks that were done while `completed` waited, which a task ends as a batch does.

        Raises:
            TagError: a task failed; the workers can only be closed then.
        """
        return []

    def measure(self, game: str, players: int) -> list[WorkerSpeed]:
        """Return how fast each worker plays the spec ``game`` with so many players; made-up workers have no speed.

        Raises:
            TagError: workers do not start, or cannot play the game.
        """
        return []

    def news(self) -> list[str]:
        """Return sentences about the workers for people, each once, such as that a node cannot play."""
        return []

    @abstractmethod
    def close(self) -> None:
        """Drop all batches in flight and release all resources."""


class InProcess(Workers):
    """This process itself plays, game by game while `completed` waits.

    >>> from tag.orders import GameOrder
    >>> with InProcess() as workers:
    ...     workers.submit(1, [GameOrder("g1", "nim", ("random", "random"), seed=1)])
    ...     batches = workers.completed(1.0)
    >>> [record.ordinals for record in batches[0].records]
    [(1, 2)]
    """

    def __init__(self) -> None:
        """Start without a batch."""
        self._name = f"127.0.0.1/{os.getpid()}"  # no other machine has to reach it
        self._number = -1
        self._orders: list[GameOrder] = []
        self._records: list[GameRecord] = []
        self._task: tuple[int, Task] | None = None
        self._done_tasks: list[CompletedTask] = []

    def start(self, sources: Mapping[str, str]) -> None:
        """Do nothing: users' files are on the disk."""

    def now(self) -> float:
        """Return the time of `time.perf_counter`."""
        return perf_counter()

    def submit(self, number: int, orders: list[GameOrder]) -> None:
        """Take the batch as the next to play."""
        self._number = number
        self._orders = orders
        self._records = []

    def submit_task(self, number: int, task: Task) -> None:
        """Take the task as the next to do."""
        self._task = number, task

    def completed_tasks(self) -> list[CompletedTask]:
        """Return the task that was done."""
        found, self._done_tasks = self._done_tasks, []
        return found

    def completed(self, timeout: float) -> list[PlayedBatch]:
        """Play for ``timeout`` seconds, at least one game, and return the batch if that ends it; or do the task."""
        if self._task is not None:
            number, task = self._task
            self._task = None
            self._done_tasks.append(CompletedTask(number, unpack_value(do_task(task)), self._name))
            return []
        end = perf_counter() + timeout
        while len(self._records) < len(self._orders):
            self._records.append(_played(self._orders[len(self._records)]))
            if perf_counter() >= end:
                break
        if not self._orders or len(self._records) < len(self._orders):
            return []
        batch = PlayedBatch(self._number, self._records, self._name)
        self._orders, self._records = [], []
        return [batch]

    def measure(self, game: str, players: int) -> list[WorkerSpeed]:
        """Return how fast this process plays."""
        return [worker_speed(game, players)]

    def close(self) -> None:
        """Drop the batch, and end the processes of isolated agents."""
        from tag.isolation import close_processes  # noqa: PLC0415  most games need no processes

        self._orders, self._records = [], []
        self._task, self._done_tasks = None, []
        close_processes()


def _played(order: GameOrder) -> GameRecord:
    """Play one game; every failure becomes a `TagError` that names the game."""
    try:
        return play_order(order)
    except (KeyboardInterrupt, TagError):
        raise
    except BaseException as error:  # a user's own game may fail in any way
        raise ContractError(f"game {order.game_id} failed: {failure_of(error)}") from error


class Actors(Protocol):
    """Processes that play batches and may lose them: `tag.cluster.actors.RayActors`, or simulated ones."""

    @property
    def has_room(self) -> bool:
        """True if a process can take a batch."""

    def provide(self, sources: Mapping[str, str]) -> None:
        """Provide the text of users' files by name to all processes, before their next batch."""

    def forget(self, names: Sequence[str]) -> None:
        """Have all processes forget users' files, after the batches that they have."""

    def give(self, number: int, columns: Columns) -> None:
        """Give a batch, as `tag.cluster.batches.pack_orders` returns it, to one of them; there must be room."""

    def wait(self, seconds: float) -> list[Reply]:
        """Wait at most ``seconds`` for an event, and return the batches and tasks that are done or lost."""


class TaskActors(Actors, Protocol):
    """Processes that do tasks, too."""

    def give_task(self, number: int, task: Task) -> None:
        """Give a task to one of them, if possible to the one that had the last of its name; there must be room."""


@dataclass
class _Work:
    """A batch, as orders, or a task that is not done yet."""

    number: int
    content: list[GameOrder] | Task
    deaths: int = 0


class ReliableWorkers(Workers):
    """Workers on actors that may be lost.

    A batch that is lost with its actor or node goes to another. Its first answer counts, from any actor, and later ones
    are dropped, so it is returned once. Games are decided by their orders: which actor plays them, and how often, makes
    no difference.
    """

    def __init__(
        self, hire: Callable[[Mapping[str, str]], Actors], count: int, now: Callable[[], float] = time.monotonic
    ) -> None:
        """Start without batches.

        Args:
            hire: returns the actors, once there is something to play; called with users' files as `start` is.
            count: how many actors that is.
            now: the time in seconds, by the clock that the actors live by.
        """
        self.count = count
        self.slots = DEPTH * count
        self._hire = hire
        self._now = now
        self._actors: Actors | None = None
        self._sources: dict[str, str] = {}
        self._open: dict[int, _Work] = {}
        self._waiting: deque[_Work] = deque()
        self._done_tasks: list[CompletedTask] = []
        self._thresholds = gc.get_threshold()

    def start(self, sources: Mapping[str, str]) -> None:
        """Hire the actors, or have those that are hired know users' files that are new."""
        new = {file: text for file, text in sources.items() if self._sources.get(file) != text}
        self._sources |= new
        if self._actors is None:
            self._actors = self._hire(self._sources)
            gc.set_threshold(_COLLECT_EVERY, *self._thresholds[1:])
        elif new:
            self._actors.provide(new)

    def forget(self, names: Sequence[str]) -> None:
        """Have the actors forget users' files that they know."""
        known = [name for name in names if self._sources.pop(name, None) is not None]
        if known and self._actors is not None:
            self._actors.forget(known)

    def now(self) -> float:
        """Return the time of the actors."""
        return self._now()

    def submit(self, number: int, orders: list[GameOrder]) -> None:
        """Have a batch played, unless its orders would run code or programs that the user has not vouched for."""
        check_specs({spec for order in orders for spec in order.specs})
        self._submit(_Work(number, orders))

    def submit_task(self, number: int, task: Task) -> None:
        """Have a task done."""
        self._submit(_Work(number, task))

    def completed_tasks(self) -> list[CompletedTask]:
        """Return the tasks that were done while `completed` waited."""
        found, self._done_tasks = self._done_tasks, []
        return found

    def completed(self, timeout: float) -> list[PlayedBatch]:
        """Wait at most ``timeout`` seconds for batches, and return those that are played."""
        end = self._now() + timeout
        while True:
            left = max(0.0, end - self._now())
            done = self._collect(min(left, _TICK))
            self._dispatch()
            if done or self._done_tasks or left == 0.0:
                return done

    def close(self) -> None:
        """Drop all batches in flight."""
        self._actors = None
        self._sources.clear()
        self._open.clear()
        self._waiting.clear()
        self._done_tasks.clear()
        gc.set_threshold(*self._thresholds)

    def _submit(self, work: _Work) -> None:
        self._open[work.number] = work
        self._waiting.append(work)
        self._dispatch()

    def _dispatch(self) -> None:
        """Give waiting work to actors that are free."""
        actors = self._hired()
        while self._waiting and actors.has_room:
            work = self._waiting.popleft()
            if work.number not in self._open:  # a late answer to it has arrived by now
                continue
            if isinstance(work.content, Task):
                cast("TaskActors", actors).give_task(work.number, work.content)
            else:
                actors.give(work.number, pack_orders(work.content))

    def _collect(self, seconds: float) -> list[PlayedBatch]:
        """Wait for work, return the batches that are played, keep the tasks, and put what is lost in front of the others."""
        done = []
        for reply in self._hired().wait(seconds):
            work = self._open.get(reply.number)
            if work is None:  # a late answer: another actor has answered in the place of one that seemed lost
                continue
            if reply.answer is not None:
                if isinstance(work.content, Task):
                    self._done_tasks.append(CompletedTask(reply.number, unpack_value(reply.answer), reply.worker))
                else:
                    done.append(PlayedBatch(reply.number, unpack_records(reply.answer), reply.worker))
                del self._open[reply.number]
                continue
            work.deaths += reply.suspect
            if work.deaths == _DEATHS:
                raise ClusterError(_accusation(work.content))
            self._waiting.appendleft(work)
        return done

    def _hired(self) -> Actors:
        if self._actors is None:
            raise ClusterError(_NOT_STARTED)
        return self._actors


def _accusation(content: list[GameOrder] | Task) -> str:
    """Return which games, or which task, seem to kill workers."""
    if isinstance(content, Task):
        return f"{_DEATHS} workers died one after the other at {content.name}; is there enough memory?"
    games = [f"{order.game_id} ({order.game} with {', '.join(order.agents)})" for order in content]
    some = "; ".join(games[:3])
    more = f"; and {len(games) - 3} more" if len(games) > 3 else ""
    return f"{_DEATHS} workers died one after the other playing the same games: {some}{more}"


class RayWorkers(ReliableWorkers):
    """Workers on Ray, one process each: on a cluster, or on a Ray of their own on this machine."""

    def __init__(self, count: int, address: str = "") -> None:
        """Ask for ``count`` processes, on the Ray cluster at ``address`` or on this machine; none is started yet.

        ``auto`` stands for the cluster that this machine is part of, and is replaced by its address once it is looked for.
        """
        super().__init__(self._connect, count)
        self.address = address
        self._ray_actors: RayActors | None = None
        self._watches: list[Watch] = []
        self._last_words: LastWords | None = None
        self._started_ray = False

    def check(self) -> None:
        """Raise `ClusterError` where the cluster does not answer, wants another token, or has no node here."""
        if self.address:
            self.address = found_address(self.address)
            check_cluster(self.address)

    def describe(self) -> dict[str, Any]:
        """Return a description of the workers."""
        return {**super().describe(), "ray": True}

    def measure(self, game: str, players: int) -> list[WorkerSpeed]:
        """Wait for all workers that are likely to start, and return how fast each plays, all measured at the same time."""
        actors = self._ray_actors
        if actors is None:
            raise ClusterError(_NOT_STARTED)
        while not actors.is_gathered:
            self._check_ray()
            actors.wait(_TICK)
        return actors.measure(game, players)

    def news(self) -> list[str]:
        """Return which nodes do not fit."""
        return self._ray_actors.take_news() if self._ray_actors is not None else []

    def close(self) -> None:
        """Drop all batches in flight and disconnect from Ray; end it if it was started here."""
        super().close()
        try:
            if self._ray_actors is not None and not any(watch.lost for watch in self._watches):
                self._ray_actors.dismiss()  # which would try in vain for a minute where Ray is lost
            for watch in self._watches:
                watch.close()
            if self._started_ray:
                disconnect()
        finally:
            self._ray_actors, self._watches, self._started_ray = None, [], False
            if self._last_words is not None:
                self._last_words.close()

    def _connect(self, sources: Mapping[str, str]) -> Actors:
        """Connect to Ray and ask for the actors, but do not wait for them."""
        if self.address:
            self.address = found_address(self.address)
        self._last_words = LastWords()  # Ray can end the process while it connects, too
        try:
            self._started_ray = connect(self.count, self.address)
        except BaseException:
            self._last_words.close()
            raise
        from tag.cluster.actors import RayActors  # noqa: PLC0415  Ray reads its settings when it is imported

        self._watches = watches()
        path = [] if self.address else driver_path()
        self._ray_actors = RayActors(self.count, path, foreign_path(), dict(sources), bool(self.address))
        return self._ray_actors

    def _collect(self, seconds: float) -> list[PlayedBatch]:
        """Wait for batches, unless Ray is gone."""
        self._check_ray()
        return super()._collect(seconds)

    def _check_ray(self) -> None:
        if any(watch.lost for watch in self._watches):  # where the head is gone, its node soon is, too
            raise next(watch for watch in self._watches if watch.lost or not watch.answers()).error()


def make_workers(count: int | None = None, address: str = "", *, uses_ray: bool = True) -> Workers:
    """Return the processes that play; none is started before there is something to play.

    >>> with make_workers(1) as workers:
    ...     workers.slots
    1

    Args:
        count: how many; if omitted, as many as this process has cores. One on this machine needs no Ray.
        address: of a Ray cluster; empty for this machine.
        uses_ray: False to play in this process itself, for any ``count``.

    Raises:
        ParameterError: the count is below 1, or there is an address but no Ray.
    """
    if count is not None and count < 1:
        raise ParameterError(f"workers cannot be {count}; the least is 1")
    if address and not uses_ray:
        raise ParameterError(f"address cannot be {address!r} without Ray; leave out --address or --no-ray")
    wanted = count or cores()
    return RayWorkers(wanted, address) if uses_ray and (wanted > 1 or address) else InProcess()


@contextmanager
def at_work(workers: Workers | int | None) -> Iterator[Workers]:
    """Yield given workers, which stay open, or as many as asked for (None: one per core), closed at the end."""
    if isinstance(workers, Workers):
        yield workers
    else:
        with make_workers(workers) as made:
            yield made
