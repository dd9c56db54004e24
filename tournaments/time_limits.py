"""Time limits on many machines: a second is worth more on a faster one, so who sits where would decide who wins."""

from __future__ import annotations

from tag.errors import ClusterError
from tag.registry import make_agent
from tournaments.definition import TournamentDefinition

_TIMES = ("wall_ms", "cpu_ms", "clock")


def timed(definition: TournamentDefinition) -> list[str]:
    """Return what of a tournament is limited by time: rules by name, agents by spec."""
    rules = [name for name in ("decision_seconds", "clock_seconds") if getattr(definition.rules, name)]
    return rules + [spec for spec in definition.agents if _budget_type(spec) in _TIMES]


def check_machines(definition: TournamentDefinition, address: str) -> None:
    """Raise `ClusterError` where a tournament has time limits and the machines that would play it are not equal.

    Args:
        definition: the tournament.
        address: of a Ray cluster; empty for this machine alone.
    """
    limits = timed(definition)
    if not (address and limits):
        return
    from cluster.status import cluster_status  # noqa: PLC0415  Ray takes a second to import and is often not needed

    machines = {node.processor: node.address for node in cluster_status(address) if node.cpus and node.processor}
    if len(machines) > 1:
        unequal = " and ".join(f"{where} with {name}" for name, where in sorted(machines.items())[:2])
        raise ClusterError(
            f"{limits[0]} is a time limit, and machines are not equal: {unequal};"
            " count forward-model calls or iterations instead"
        )


def _budget_type(spec: str) -> str:
    parameters = make_agent(spec).parameters
    return str(getattr(parameters, "budget_type", ""))
