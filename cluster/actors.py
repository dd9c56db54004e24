"""Ray actors that play batches: they start late, fall silent, die and are replaced.

Behaviour measured on Ray 2.60, and the consequences here:

* A call to an actor that has not been placed yet never returns and never fails. A worker is given batches only once it
  has answered, and no call waits for a certain worker.
* An actor whose node is going down is "unavailable" for some seconds before it is dead: it is left alone a while.
* A batch whose worker is lost is lost with it, and reported as such; its answer cannot arrive any more.
* A replaced worker may be placed on the same node again. So nodes whose workers do not fit are excluded by their labels.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import ray
from ray.exceptions import ActorUnavailableError, RayActorError, RayError, RayTaskError

from tag.catalogue.models import content_of, models_in
from tag.catalogue.version import difference, installation
from tag.cluster import worker
from tag.cluster.batches import DEPTH, Columns, Reply, Task, WorkerSpeed
from tag.cluster.sharing import Share
from tag.errors import ClusterError

#: How long a worker that cannot be reached or started is left alone, in seconds.
_BACK_OFF: Final = 3.0
#: How long there may be no worker before an error is raised, in seconds; a busy machine takes 20 to start Ray's
#: workers.
_PATIENCE: Final = 180.0
#: How long to wait for a further worker to answer, in seconds; then those that have answered are taken to be all.
_LATE: Final = 20.0
#: The label of a node with its number.
_NODE: Final = "ray.io/node-id"
#: How long a worker that another run is to have may go on with its batches, in seconds; they are played again then.
_GRACE: Final = 2.0
#: How long workers may take to measure how fast they play, in seconds; two is usual.
_MEASURING: Final = 60.0


@dataclass(eq=False)
class _Member:
    """A worker: Ray's handle, its name once it has answered, its batches, oldest first, and when to try it again.

    ``place`` is Ray's promise of its place, ``last_task`` the name of the last task that it was given. A worker that
    another run is to have gets no more batches, and ends with its last one or at ``leaves_at``.
    """

    actor: Any
    place: Any
    name: str = ""
    numbers: list[int] = field(default_factory=list)
    not_before: float = 0.0
    last_task: str = ""
    leaves_at: float = 0.0


class RayActors:
    """Actors that play batches, as many as asked for as soon as the cluster has room for them, and no more than a share."""

    def __init__(
        self, size: int, path: list[str], foreign: list[str], sources: dict[str, str], on_cluster: bool
    ) -> None:
        """Ask for ``size`` workers; for the rest see `tag.cluster.worker.Worker.enter`.

        On a cluster nodes may lack models, and other runs may want workers.
        """
        ray.cloudpickle.register_pickle_by_value(worker)  # type: ignore[no-untyped-call]
        self._actor_class = ray.remote(num_cpus=1, max_restarts=0, scheduling_strategy="SPREAD")(worker.Worker)
        self._size = size
        self._on_cluster = on_cluster
        self._share = Share(size) if on_cluster else None
        self._is_told_of_others = False
        self._welcome = (path, foreign, sources, self._stored(sources))
        self._members: list[_Member] = []
        self._arrivals: dict[Any, _Member] = {}
        self._flights: dict[Any, tuple[_Member, int]] = {}
        self._misfits: dict[str, str] = {}
        self._news: list[str] = []
        self._had_workers = self._is_told_of_none = False
        self._hire_at = 0.0
        self._last_sign = time.monotonic()
        self._last_arrival = self._last_sign
        self._hire()

    @property
    def has_room(self) -> bool:
        """True if a worker can take a batch."""
        return self._freest() is not None

    @property
    def _allowed(self) -> int:
        return self._size if self._share is None else self._share.allowed

    @property
    def is_gathered(self) -> bool:
        """True if all workers have answered, or some have and no more are likely to."""
        ready = sum(bool(member.name) for member in self._members)
        return ready >= max(1, self._allowed) or (ready > 0 and time.monotonic() - self._last_arrival > _LATE)

    def take_news(self) -> list[str]:
        """Return sentences for people that have not been returned before, such as that a node cannot play."""
        news, self._news = self._news, []
        return news

    def measure(self, game: str, players: int) -> list[WorkerSpeed]:
        """Return how fast each worker plays while the others measure too, without workers lost during the measurement.

        Raises:
            ClusterError: a worker cannot play the game.
        """
        calls = [member.actor.measure.remote(game, players) for member in self._members if member.name]
        done, _rest = ray.wait(calls, num_returns=len(calls), timeout=_MEASURING)
        speeds = []
        for call in done:
            try:
                speeds.append(ray.get(call))
            except RayTaskError as error:
                raise ClusterError(f"a worker cannot measure how fast it plays: {_cause(error)}") from None
            except RayError:
                continue
        return speeds

    def provide(self, sources: Mapping[str, str]) -> None:
        """Provide the text of these users' files, and models, by name to all actors, each before its next batch."""
        path, foreign, known, models = self._welcome
        more = self._stored(sources)
        self._welcome = path, foreign, {**known, **sources}, {**models, **more}
        for member in self._members:
            member.actor.provide.remote(dict(sources), more)

    def forget(self, names: Sequence[str]) -> None:
        """Release users' files and models, in Ray's store and in all actors, each after the batches it has by now."""
        path, foreign, known, models = self._welcome
        known = {name: text for name, text in known.items() if name not in names}
        self._welcome = path, foreign, known, {name: one for name, one in models.items() if name not in names}
        for member in self._members:
            member.actor.forget.remote(list(names))

    def give(self, number: int, columns: Columns) -> None:
        """Give a batch to the worker that has the fewest; there must be room."""
        member = self._freest()
        if member is None:
            raise ClusterError(f"no worker can take batch {number}")
        member.numbers.append(number)
        self._flights[member.actor.play.remote(columns)] = (member, number)

    def give_task(self, number: int, task: Task) -> None:
        """Give a task to the worker that had the last one of its name, or else to the one with the fewest."""
        free = self._free()
        member = min(free, key=lambda m: (m.last_task != task.name, len(m.numbers)), default=None)
        if member is None:
            raise ClusterError(f"no worker can take {task.name}")
        member.last_task = task.name
        member.numbers.append(number)
        self._flights[member.actor.do.remote(tuple(task))] = (member, number)

    def wait(self, seconds: float) -> list[Reply]:
        """Wait at most ``seconds`` for an event, and return the batches that are played or lost.

        Raises:
            ClusterError: no worker fits, or there has been none for long.
        """
        self._release()
        self._hire()
        calls = [*self._arrivals, *self._flights]
        if not calls:
            time.sleep(seconds)
            self._check_patience()
            return []
        done, _rest = ray.wait(calls, num_returns=1, timeout=seconds)
        if done:
            done, _rest = ray.wait(calls, num_returns=len(calls), timeout=0)
            self._last_sign = time.monotonic()
        replies = [reply for call in done for reply in self._settle(call)]
        self._check_patience()
        return replies

    def dismiss(self) -> None:
        """End all workers at once, also in the middle of a batch."""
        if self._share is not None:
            self._share.close()
        for member in self._members:
            ray.kill(member.actor)
        self._members.clear()

    def _stored(self, sources: Mapping[str, str]) -> dict[str, Any]:
        """Put the models among ``sources`` into Ray's store, if nodes may lack them."""
        if not self._on_cluster:
            return {}
        return {name: ray.put(content_of(name)) for name in models_in(sources)}

    def _freest(self) -> _Member | None:
        return min(self._free(), key=lambda m: len(m.numbers), default=None)

    def _free(self) -> list[_Member]:
        now = time.monotonic()
        return [m for m in self._members if self._is_free(m, now)]

    @staticmethod
    def _is_free(member: _Member, now: float) -> bool:
        is_there = bool(member.name) and member.not_before <= now
        return is_there and not member.leaves_at and len(member.numbers) < DEPTH

    def _hire(self) -> None:
        """Ask for the workers that are missing."""
        if time.monotonic() < self._hire_at:
            return
        elsewhere = {"label_selector": {_NODE: f"!in({','.join(self._misfits)})"}} if self._misfits else {}
        while len(self._members) < self._allowed:
            actor: Any = self._actor_class.options(**elsewhere).remote()
            member = _Member(actor, actor.place.remote())
            self._members.append(member)
            self._arrivals[member.actor.enter.remote(*self._welcome)] = member

    def _release(self) -> None:
        """End the workers that other runs are to have: first those that have not answered, then the least busy."""
        if self._share is None:
            return
        self._share.tell(sum(bool(member.name) for member in self._members), self._misfits)
        if self._allowed < self._size and not self._is_told_of_others:
            self._is_told_of_others = True
            share = f"has {self._allowed} of {self._size} workers" if self._allowed else "waits its turn"
            self._news.append(f"other runs are on the cluster, so this one {share}; tag cluster status shows them")
        by_worth = sorted(self._members, key=lambda m: (bool(m.name), len(m.numbers)), reverse=True)
        for member in by_worth[: self._allowed]:
            member.leaves_at = 0.0
        now = time.monotonic()
        for member in by_worth[self._allowed :]:
            member.leaves_at = member.leaves_at or now + _GRACE
            if not member.numbers or member.leaves_at < now:
                self._dismiss(member)

    def _settle(self, call: Any) -> Iterator[Reply]:
        """Record the outcome of a call."""
        arrived = self._arrivals.pop(call, None)
        if arrived is not None:
            self._arrive(call, arrived)
            return
        member, number = self._flights.pop(call)
        suspect = member.numbers[0] == number and member in self._members and member.not_before == 0.0
        member.numbers.remove(number)
        try:
            yield Reply(number, member.name, ray.get(call))
        except ActorUnavailableError:
            member.not_before = time.monotonic() + _BACK_OFF
            yield Reply(number, member.name, None)
        except RayTaskError as error:
            raise ClusterError(f"a worker failed outside of a game: {_cause(error)}") from None
        except RayError as error:
            if isinstance(error, RayActorError) and member in self._members:
                self._members.remove(member)
            yield Reply(number, member.name, None, suspect)

    def _arrive(self, call: Any, member: _Member) -> None:
        try:
            address, node = ray.get(member.place)
            process, reason = _entered(call)
        except RayError:
            self._dismiss(member)
            self._hire_at = time.monotonic() + _BACK_OFF
            return
        if reason:
            self._dismiss(member)
            self._avoid(node, f"the worker on {address} {reason}")
            return
        member.name = f"{address}/{process}"
        self._is_told_of_none = False
        self._had_workers = True
        self._last_arrival = time.monotonic()

    def _dismiss(self, member: _Member) -> None:
        if member in self._members:
            self._members.remove(member)
            ray.kill(member.actor)

    def _avoid(self, node: str, reason: str) -> None:
        """Have no more workers on a node whose workers do not fit.

        Raises:
            ClusterError: there has been no worker that fits, and no other node is left to try.
        """
        if node not in self._misfits:
            self._misfits[node] = reason
            self._news.append(f"{reason}; the other nodes play without it")
        if not self._had_workers and not self._untried():
            raise ClusterError(reason)

    def _untried(self) -> bool:
        """Say whether a living node with room for workers is not known to be unfit."""
        nodes = ray.nodes()  # type: ignore[no-untyped-call]
        return any(
            node["Alive"] and node["Resources"].get("CPU") and node["NodeID"] not in self._misfits for node in nodes
        )

    def _check_patience(self) -> None:
        silence = time.monotonic() - self._last_sign
        if any(member.name for member in self._members) or not self._allowed:
            self._last_sign = time.monotonic()
        elif silence > _PATIENCE:
            reason = next(reversed(self._misfits.values()), f"has the cluster {self._size} free CPUs, or at least one?")
            raise ClusterError(f"no worker has started for {_PATIENCE:g} s; {reason}")
        elif silence > _LATE and self._had_workers and not self._is_told_of_none:
            self._is_told_of_none = True
            self._news.append(f"no worker is left; waiting up to {_PATIENCE:g} s for one")


def _entered(call: Any) -> tuple[int, str]:
    """Return the process of a worker that has answered, and why it does not fit, as the rest of a sentence, or nothing."""
    try:
        theirs, _processor, _cores, process = ray.get(call)
    except RayTaskError as error:
        return 0, f"does not start: {_cause(error)}; is tag installed there?"
    differences = difference(theirs, installation())
    return process, f"has {differences}; install the same on every node as here" if differences else ""


def _cause(error: RayTaskError) -> str:
    """Return the exception behind Ray's, in one line."""
    cause = error.cause
    return f"{type(cause).__name__}: {cause}".splitlines()[0]
