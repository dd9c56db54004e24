"""The runs that share a cluster, and how many workers each of them may have.

Ray gives a worker to whoever asked first, for as long as the run lasts. So runs count themselves: each writes in Ray's
table of keys how many workers it wants and has, reads the others' numbers, and keeps no more than its share. Nothing
else decides, and no run waits for another's answer. A run whose process has ended is known by Ray's table of jobs.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Any, Final

_NAMESPACE: Final = b"tag-runs"
#: How often a run looks at the others, and how long a turn is where there are more runs than workers, in seconds.
_EVERY: Final = 1.0
_TURN: Final = 30.0
_CLOSING: Final = 2.0


@dataclass(frozen=True)
class RunStatus:
    """A run on a cluster: a tournament, a study or a training.

    Attributes:
        job: Ray's number of it.
        since: when it began, by the head's clock, in seconds.
        driver: the address and the number of its process, as in ``10.0.0.2/1234``.
        command: the command line of its process.
        wanted: how many workers it asks for.
        workers: how many it has.
    """

    job: str
    since: float
    driver: str
    command: str
    wanted: int
    workers: int

    def to_json(self) -> dict[str, Any]:
        """Return the status as plain values."""
        return asdict(self)


def fair_shares(room: int, wanted: Mapping[str, int], turn: int = 0) -> dict[str, int]:
    """Return how many of ``room`` workers each run may have: the same, or what it wants if that is less (max-min fair).

    Workers that cannot be shared evenly go to the first runs in order; a ``turn`` begins as many runs later.
    """
    shares = dict.fromkeys(wanted, 0)
    while open_runs := [run for run in wanted if shares[run] < wanted[run]]:
        left = room - sum(shares.values())
        each = left // len(open_runs)
        if each == 0:
            first = turn % len(open_runs)
            for run in [*open_runs[first:], *open_runs[:first]][:left]:
                shares[run] += 1
            break
        for run in open_runs:
            shares[run] += min(each, wanted[run] - shares[run])
    return shares


def running() -> list[RunStatus]:
    """Return the runs on the cluster that this process is connected to, oldest first."""
    from ray._private.state import jobs  # noqa: PLC0415  Ray reads its settings when it is imported
    from ray.experimental.internal_kv import _internal_kv_del, _internal_kv_get, _internal_kv_list  # noqa: PLC0415

    known = {job["JobID"]: job for job in jobs()}  # type: ignore[no-untyped-call]
    found = []
    for key in _internal_kv_list(b"", namespace=_NAMESPACE):
        job = known.get(key.decode())
        if job is None or job["IsDead"]:
            _internal_kv_del(key, namespace=_NAMESPACE)
            continue
        numbers = (_internal_kv_get(key, namespace=_NAMESPACE) or b"").split()
        if len(numbers) == 2:
            driver = f"{job['DriverIPAddress']}/{job['DriverPid']}"
            since = job["StartTime"] / 1000
            found.append(RunStatus(job["JobID"], since, driver, job["Entrypoint"], *map(int, numbers)))
    return sorted(found, key=lambda run: (run.since, run.job))


class Share:
    """This run's share of the cluster's workers, kept up to date from a thread of its own.

    A thread, as Ray's answers take a minute where the head is lost, which others notice sooner.

    Attributes:
        allowed: how many workers this run may have.
        others: how many other runs there are.
    """

    def __init__(self, wanted: int) -> None:
        """Ask for so many workers, and look at the other runs."""
        import ray  # noqa: PLC0415  as above

        self.allowed = wanted
        self.others = 0
        self._wanted = wanted
        self._workers = 0
        self._written = b""
        self._unfit: Collection[str] = ()
        self._job: str = ray.get_runtime_context().get_job_id()
        self._over = threading.Event()
        self._look_if_possible()
        self._thread = threading.Thread(target=self._run, name="share", daemon=True)
        self._thread.start()

    def tell(self, workers: int, unfit: Collection[str]) -> None:
        """Tell how many workers this run has, and which nodes, by Ray's number, have no workers for it."""
        self._workers, self._unfit = workers, tuple(unfit)

    def close(self) -> None:
        """Stop looking; the end of Ray's job tells the others."""
        self._over.set()
        self._thread.join(_CLOSING)

    def _run(self) -> None:
        while not self._over.wait(_EVERY):
            self._look_if_possible()

    def _look_if_possible(self) -> None:
        with suppress(Exception):  # Ray is lost, which the watches tell, or another Ray keeps its tables elsewhere
            self._look()

    def _look(self) -> None:
        import ray  # noqa: PLC0415  as above
        from ray.experimental.internal_kv import _internal_kv_put  # noqa: PLC0415

        mine = b"%d %d" % (self._wanted, self._workers)
        if mine != self._written:
            _internal_kv_put(self._job.encode(), mine, namespace=_NAMESPACE)
            self._written = mine
        runs = running()
        self.others = len(runs) - 1
        nodes = ray.nodes()  # type: ignore[no-untyped-call]
        room = sum(int(n["Resources"].get("CPU", 0)) for n in nodes if n["Alive"] and n["NodeID"] not in self._unfit)
        self.allowed = self._share(runs, room) if self.others > 0 and room > 0 else self._wanted

    def _share(self, runs: list[RunStatus], room: int) -> int:
        """Return this run's share; where not each run can have a worker, they take turns, the newest first."""
        turn = 0
        if len(runs) > room:
            runs = runs[::-1]
            turn = int(max(0.0, time.time() - runs[0].since) / _TURN)
        return fair_shares(room, {run.job: run.wanted for run in runs}, turn).get(self._job, self._wanted)
