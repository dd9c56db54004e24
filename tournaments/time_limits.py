"""Time limits on many machines: a second is worth more on a faster one, so who sits where would decide who wins."""

from __future__ import annotations

from cluster.machine import cores
from tag.errors import ClusterError, ParameterError
from tag.registry import make_agent
from tournaments.calibration import crowded
from tournaments.definition import TournamentDefinition

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
