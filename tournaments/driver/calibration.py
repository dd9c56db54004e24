"""Time limits on unequal machines: checks for unfair ones, and scaling by the speed of each worker.

Every worker measures how fast it plays the tournament's own game (`tag.orders`). Times last longer on a slow
worker than on a fast one: ``t`` seconds last ``t * reference / speed``. So they allow the same amount of thinking.
The reference is the speed of the slowest worker at the beginning of the tournament. It is kept in the tournament's
folder (``calibration.json``), so that times mean the same after a resumption on other machines, and on machines that
join later.

A second is worth more on a faster machine, so without calibration the seating of agents on machines would decide
games.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from operator import attrgetter
from pathlib import Path
from typing import Final

from tag.cluster import Workers
from tag.cluster.batches import WorkerSpeed, cores
from tag.errors import ClusterError, DataError, ParameterError
from tag.orders import Conditions
from tag.tournaments.definition import TournamentDefinition, timed
from tag.tournaments.driver.events import PlayListener
from tag.tournaments.ledger.storage import write_whole

_FILE: Final = "calibration.json"
_machine: Final = attrgetter("machine")


def calibrated(workers: Workers, definition: TournamentDefinition, folder: Path, events: PlayListener) -> Conditions:
    """Measure the workers, and return the conditions of games with times scaled by speed.

    Raises:
        DataError: the reference in the folder is damaged.
        TagError: workers do not start, or cannot play the game.
    """
    speeds = sorted(workers.measure(definition.game, definition.players), key=_machine)
    if not speeds:
        raise ClusterError("no worker has said how fast it plays; the same command tries again")
    reference = _kept(folder) or _keep(folder, speeds)
    events.measured(speeds, reference)
    return replace(definition.rules.conditions(), reference_speed=reference)


def crowded(machine: str, workers: int, cores: int) -> str:
    """Return a sentence on more workers than cores of a machine."""
    return (
        f"{workers} workers on {machine} share {cores} core{'s' if cores > 1 else ''}: with time limits they take time "
        "from one another's agents; one worker per core is fair"
    )


def _kept(folder: Path) -> float:
    """Return the reference stored in ``folder``, 0 if there is none."""
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
    """Store the speed of the slowest worker in ``folder``, whole or not at all, with findings for people; return it."""
    reference = min(worker.calls_per_second for worker in speeds)
    found = {"reference": reference, "workers": [asdict(worker) for worker in speeds]}
    write_whole(folder / _FILE, json.dumps(found, indent=2))
    return reference


def check_machines(definition: TournamentDefinition, workers: Workers) -> list[str]:
    """Return the reasons why time limits would be unfair on these machines, for people.

    Raises:
        ParameterError: there is nothing to calibrate.
        ClusterError: a tournament has time limits, the machines are not equal, and calibration was not asked for.
    """
    limits = timed(definition)
    if definition.rules.calibrate:
        if not limits:
            raise ParameterError("calibrate is for time limits, and this tournament has none; leave it out")
        return []  # it looks at the workers themselves
    if not limits:
        return []
    apart = [f"{limits[0]} is a time limit; play all parts on equal machines"] if definition.part else []
    if not workers.address:
        return apart + ([crowded("this machine", workers.count, cores())] if workers.count > cores() else [])
    from tag.cluster.status import cluster_status  # noqa: PLC0415  Ray takes a second to import and is often not needed

    nodes = [node for node in cluster_status(workers.address) if node.cpus and node.processor and not node.trouble]
    machines = {node.processor: node.address for node in nodes}
    if len(machines) > 1:
        unequal = " and ".join(f"{where} with {name}" for name, where in sorted(machines.items())[:2])
        raise ClusterError(
            f"{limits[0]} is a time limit, and machines are not equal: {unequal};"
            " count forward-model calls or iterations instead, or scale times by speed with --calibrate"
        )
    return apart + [crowded(node.address, node.cpus, node.cores) for node in nodes if node.cpus > node.cores]
