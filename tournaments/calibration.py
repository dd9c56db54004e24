"""Calibration: time limits that buy the same thinking on unequal machines.

Every worker measures how fast it plays the tournament's own game (`tag.calibration`), and times last longer on a slow
worker than on a fast one: ``t`` seconds last ``t * reference / speed``. The reference is the speed of the slowest worker
when the tournament was begun. It is kept in the tournament's folder (``calibration.json``), so that times mean the same
after a resumption on other machines, and on machines that join later.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Final

from rich.table import Table

from cluster.batches import Played
from cluster.machine import WorkerSpeed
from tag.errors import ClusterError, DataError
from tag.playing import GameOrder
from tournaments.definition import TournamentDefinition
from tournaments.pool import Pool
from tournaments.storage import write_whole
from tournaments.tables import table_text

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
