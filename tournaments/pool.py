"""Pools that play batches of games, in the process itself or on workers, and their clocks on unequal machines."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from time import perf_counter
from typing import Final, Protocol

from rich.table import Table

from cluster.batches import Played
from cluster.machine import WorkerSpeed, cores, worker_speed
from tag.errors import ClusterError, ContractError, DataError, ParameterError, TagError
from tag.playing import GameOrder, GameRecord, play_order
from tag.registry import make_agent
from tag.user_code import failure_of
from tournaments.definition import TournamentDefinition
from tournaments.ledger.storage import write_whole
from tournaments.reports.text import table_text

# --- pools: what plays batches of games, in the process itself or on workers --------------------------------------------


class Pool(Protocol):
    """Plays batches of games, each exactly once as far as the caller sees.

    Attributes:
        slots: how many batches may be in flight.
    """

    slots: int

    def now(self) -> float:
        """Return the time in seconds, by the clock that the pool plays by."""

    def submit(self, number: int, orders: list[GameOrder]) -> None:
        """Have a batch played under a number of the caller's; there must be a free slot."""

    def completed(self, timeout: float) -> list[Played]:
        """Wait up to about ``timeout`` seconds for batches, and return those that are played.

        Raises:
            TagError: an order is wrong, or a game breaks its contract.
        """

    def measure(self, game: str, players: int) -> list[WorkerSpeed]:
        """Return how fast each worker plays the spec ``game`` with so many players.

        Raises:
            TagError: workers do not start, or cannot play the game.
        """

    def close(self) -> None:
        """Drop what is in flight and let go of all resources."""


class LocalPool:
    """Plays in the process itself, game by game while `completed` waits."""

    slots = 1
    now = staticmethod(perf_counter)

    def __init__(self) -> None:
        """Start with nothing to play."""
        self._worker = f"127.0.0.1/{os.getpid()}"  # no other machine has to reach it
        self._number = -1
        self._orders: list[GameOrder] = []
        self._records: list[GameRecord] = []

    def submit(self, number: int, orders: list[GameOrder]) -> None:
        """Take the batch as the next to play."""
        self._number = number
        self._orders = orders
        self._records = []

    def completed(self, timeout: float) -> list[Played]:
        """Play for ``timeout`` seconds, at least one game, and return the batch if that ends it."""
        end = perf_counter() + timeout
        while len(self._records) < len(self._orders):
            self._records.append(_played(self._orders[len(self._records)]))
            if perf_counter() >= end:
                break
        if not self._orders or len(self._records) < len(self._orders):
            return []
        batch = Played(self._number, self._records, self._worker)
        self._orders, self._records = [], []
        return [batch]

    def measure(self, game: str, players: int) -> list[WorkerSpeed]:
        """Return how fast this process plays."""
        return [worker_speed(game, players)]

    def close(self) -> None:
        """Drop the batch, and end the processes of isolated agents."""
        from tag.isolation import close_processes  # noqa: PLC0415  most games need no processes

        self._orders, self._records = [], []
        close_processes()


def open_pool(workers: int, address: str, uses_ray: bool, sources: Mapping[str, str]) -> Pool:
    """Return Ray workers, or a `LocalPool`.

    Args:
        workers: how many processes play on Ray.
        address: of a Ray cluster; empty for a Ray of its own on this machine.
        uses_ray: whether to use Ray at all.
        sources: the text of users' files by name.
    """
    if not uses_ray:
        return LocalPool()
    from cluster.pool import RayPool  # noqa: PLC0415  Ray takes a second to import and is often not needed

    return RayPool(workers, address or None, dict(sources))


def check_address(address: str) -> None:
    """Raise `ClusterError` where nobody answers at the ``address`` of a cluster; an empty one is none."""
    if address:
        from cluster.address import knock  # noqa: PLC0415  as above

        knock(address)


def _played(order: GameOrder) -> GameRecord:
    """Play one game; whatever goes wrong becomes a `TagError` that names the game."""
    try:
        return play_order(order)
    except (KeyboardInterrupt, TagError):
        raise
    except BaseException as error:  # a user's own game may fail in any way
        raise ContractError(f"game {order.game_id} failed: {failure_of(error)}") from error


# --- calibration: time limits that buy the same thinking on unequal machines --------------------------------------------
#
# Every worker measures how fast it plays the tournament's own game (`tag.calibration`), and times last longer on a slow
# worker than on a fast one: ``t`` seconds last ``t * reference / speed``. The reference is the speed of the slowest
# worker when the tournament was begun. It is kept in the tournament's folder (``calibration.json``), so that times mean
# the same after a resumption on other machines, and on machines that join later.


_FILE: Final = "calibration.json"
#: A worker that gets less of a core's time than this while it measures is not alone there.
_SHARE: Final = 0.9
_machine: Final = attrgetter("machine")

PoolFactory = Callable[[Mapping[str, str]], Pool]


class CalibratedPool:
    """A pool in which times last longer the slower a worker is.

    Attributes:
        slots: as of any pool.
        reference: the speed at which times last as long as they say, in forward-model calls per second.
        speeds: of the workers that were there at the beginning, by machine.
    """

    def __init__(self, pool: Pool, definition: TournamentDefinition, folder: Path) -> None:
        """Measure the workers of ``pool``, and keep the reference in the tournament's ``folder`` if it has none.

        Raises:
            DataError: what is kept in the folder is damaged.
            TagError: workers do not start, or cannot play the game.
        """
        self._pool = pool
        self.slots = pool.slots
        self.speeds = sorted(pool.measure(definition.game, definition.players), key=_machine)
        if not self.speeds:
            raise ClusterError("no worker has said how fast it plays; the same command tries again")
        self.reference = _kept(folder) or _keep(folder, self.speeds)
        rules = definition.rules.conditions()
        self._conditions = replace(rules, reference_speed=self.reference)

    def now(self) -> float:
        """Return the pool's time."""
        return self._pool.now()

    def submit(self, number: int, orders: list[GameOrder]) -> None:
        """Have a batch played."""
        self._pool.submit(number, [replace(order, conditions=self._conditions) for order in orders])

    def completed(self, timeout: float) -> list[Played]:
        """Return batches that are played."""
        return self._pool.completed(timeout)

    def measure(self, game: str, players: int) -> list[WorkerSpeed]:
        """Return how fast the workers play."""
        return self._pool.measure(game, players)

    def close(self) -> None:
        """Close the pool."""
        self._pool.close()


def calibrated(
    factory: PoolFactory, definition: TournamentDefinition, folder: Path, say: Callable[[str], None]
) -> PoolFactory:
    """Return what makes the same pools as ``factory``, calibrated.

    Args:
        factory: makes a pool from the text of users' files by name.
        definition: the tournament.
        folder: the tournament's.
        say: is told in sentences what was found.
    """

    def opened(sources: Mapping[str, str]) -> Pool:
        pool = factory(sources)
        try:
            made = CalibratedPool(pool, definition, folder)
        except BaseException:
            pool.close()
            raise
        for sentence in report(made.speeds, made.reference):
            say(sentence)
        return made

    return opened


def report(speeds: Sequence[WorkerSpeed], reference: float) -> list[str]:
    """Return what was found as sentences for people, a table in the first.

    Args:
        speeds: of all workers, by machine.
        reference: the speed at which times last as long as they say.
    """
    sentences = [
        "times are scaled by the speed of each worker, so that they buy the same thinking everywhere; games with time "
        "limits still cannot be repeated to the bit\n" + table_text(_table(speeds, reference), None)
    ]
    for machine, group in groupby(speeds, _machine):
        sentences += _troubles(machine, list(group))
    return sentences


def _table(speeds: Sequence[WorkerSpeed], reference: float) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("machine", "processor", "workers", "calls/s", "times last"):
        left = heading in ("machine", "processor")
        table.add_column(heading, justify="left" if left else "right", overflow="fold")
    for machine, group in groupby(speeds, _machine):
        found = list(group)
        rates = sorted(worker.calls_per_second for worker in found)
        calls = _range(f"{rates[0]:,.0f}", f"{rates[-1]:,.0f}")
        factor = _range(f"{reference / rates[-1]:.2f}", f"{reference / rates[0]:.2f}")
        table.add_row(machine, found[0].processor, str(len(found)), calls, f"x {factor}")
    return table


def _range(least: str, most: str) -> str:
    return least if least == most else f"{least} to {most}"


def _troubles(machine: str, workers: Sequence[WorkerSpeed]) -> list[str]:
    """Return what calibration cannot make up for on a machine."""
    cores = workers[0].cores
    if len(workers) > cores:
        return [crowded(machine, len(workers), cores)]
    share = min(worker.share for worker in workers)
    if share < _SHARE:
        return [
            f"a worker on {machine} got {share:.0%} of a core's time while it measured its speed; whatever else works "
            "there takes time from agents with time limits, and that is not made up for"
        ]
    return []


def crowded(machine: str, workers: int, cores: int) -> str:
    """Return that workers take time from one another."""
    return (
        f"{workers} workers on {machine} share {cores} core{'s' if cores > 1 else ''}: with time limits they take time "
        "from one another's agents; one worker per core is fair"
    )


def _kept(folder: Path) -> float:
    """Return the reference that is kept in ``folder``, 0 if there is none."""
    path = folder / _FILE
    try:
        reference = json.loads(path.read_text(encoding="utf-8"))["reference"]
    except FileNotFoundError:
        return 0.0
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DataError(f"{str(path)!r} is damaged: {error}") from None
    if not isinstance(reference, float) or not 0.0 < reference < float("inf"):
        raise DataError(f"{str(path)!r} is damaged: its reference is {reference!r}, and has to be a positive number")
    return reference


def _keep(folder: Path, speeds: Sequence[WorkerSpeed]) -> float:
    """Keep the speed of the slowest worker in ``folder``, all or nothing, with what was found for people; return it."""
    reference = min(worker.calls_per_second for worker in speeds)
    found = {"reference": reference, "workers": [asdict(worker) for worker in speeds]}
    write_whole(folder / _FILE, json.dumps(found, indent=2))
    return reference


# --- time limits --------------------------------------------------------------------------------------------------------
#
# Time limits on many machines: a second is worth more on a faster one, so who sits where would decide who wins.


_TIMES = ("wall_ms", "cpu_ms", "clock")


def timed(definition: TournamentDefinition) -> list[str]:
    """Return what of a tournament is limited by time: rules by name, agents by spec."""
    rules = [name for name in ("decision_seconds", "clock_seconds") if getattr(definition.rules, name)]
    return rules + [spec for spec in definition.agents if make_agent(spec).new_budget().kind in _TIMES]


def check_machines(definition: TournamentDefinition, address: str, workers: int = 1) -> list[str]:
    """Return what is unfair about time limits on the machines that would play, for people.

    Args:
        definition: the tournament.
        address: of a Ray cluster; empty for this machine alone.
        workers: how many processes play.

    Raises:
        ParameterError: there is nothing to calibrate.
        ClusterError: a tournament has time limits, the machines are not equal, and nobody asked for calibration.
    """
    limits = timed(definition)
    if definition.rules.calibrate:
        if not limits:
            raise ParameterError("calibrate is for time limits, and this tournament has none; leave it out")
        return []  # it looks at the workers themselves
    if not limits:
        return []
    if not address:
        return [crowded("this machine", workers, cores())] if workers > cores() else []
    from cluster.status import cluster_status  # noqa: PLC0415  Ray takes a second to import and is often not needed

    nodes = [node for node in cluster_status(address) if node.cpus and node.processor]
    machines = {node.processor: node.address for node in nodes}
    if len(machines) > 1:
        unequal = " and ".join(f"{where} with {name}" for name, where in sorted(machines.items())[:2])
        raise ClusterError(
            f"{limits[0]} is a time limit, and machines are not equal: {unequal};"
            " count forward-model calls or iterations instead, or scale times by speed with --calibrate"
        )
    return [crowded(node.address, node.cpus, node.cores) for node in nodes if node.cpus > node.cores]
