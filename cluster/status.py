"""The status of a cluster: its nodes, and the installation on each."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Final

from tag.catalogue.version import difference, installation
from tag.cluster import worker
from tag.cluster.connection import connected, foreign_path

#: How long the nodes may take to report their installation, in seconds.
_STATUS_PATIENCE: Final = 60.0


@dataclass(frozen=True)
class NodeStatus:
    """One node.

    Attributes:
        address: where it is.
        host: the name of the machine.
        head: whether it is the head.
        alive: whether it answers its heartbeats.
        cpus: how many workers it has room for.
        processor: its name; empty where no worker of ours starts.
        cores: how many a worker there may use, independent of Ray's count; 0 where no worker of ours starts.
        ray: the version of Ray, the same on all nodes.
        installed: the installation there (`tag.catalogue.version.installation`); empty where no worker of ours starts.
        trouble: why no worker starts, or how the installation differs from this one; empty if all is well.
    """

    address: str
    host: str
    head: bool
    alive: bool
    cpus: int
    processor: str
    cores: int
    ray: str
    installed: dict[str, str]
    trouble: str

    def to_json(self) -> dict[str, Any]:
        """Return the status as plain values."""
        return asdict(self)


def cluster_status(address: str) -> list[NodeStatus]:
    """Ask the nodes of the cluster at ``address``, in the order of their addresses, the head first.

    Raises:
        ClusterError: there is no cluster, or it does not know our token, or this machine is no part of it.
    """
    with connected(address):
        found = _ask()
    return sorted(found, key=lambda node: (not node.head, node.address))


def _ask() -> list[NodeStatus]:
    import ray  # noqa: PLC0415  Ray reads its settings when it is imported
    from ray.exceptions import RayError  # noqa: PLC0415
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy  # noqa: PLC0415

    ray.cloudpickle.register_pickle_by_value(worker)  # type: ignore[no-untyped-call]
    worker_class: Any = ray.remote(worker.Worker)
    calls: dict[str, Any] = {}
    actors = []  # a worker whose handle is gone ends
    nodes = _latest(ray.nodes())  # type: ignore[no-untyped-call]
    for node in nodes:
        if node["Alive"]:
            there = NodeAffinitySchedulingStrategy(node["NodeID"], soft=False)
            actor = worker_class.options(num_cpus=0, scheduling_strategy=there).remote()
            actors.append(actor)
            calls[node["NodeID"]] = actor.enter.remote([], foreign_path(), {}, {})
    ray.wait(list(calls.values()), num_returns=len(calls), timeout=_STATUS_PATIENCE)
    found = []
    for node in nodes:
        installed, processor, cores, trouble = {}, "", 0, "lost"
        if node["NodeID"] in calls:
            try:
                installed, processor, cores, _process = ray.get(calls[node["NodeID"]], timeout=0)
                trouble = difference(installed, installation())
            except RayError as error:
                trouble = f"no worker of ours starts: {getattr(error, 'cause', None) or type(error).__name__}"
        found.append(_status(node, processor, cores, ray.__version__, installed, trouble))
    return found


def _latest(nodes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the living nodes, and of the lost ones those whose machines have not joined again."""
    living = {node["NodeManagerAddress"] for node in nodes if node["Alive"]}
    lost = {node["NodeManagerAddress"]: node for node in nodes if node["NodeManagerAddress"] not in living}
    return [*(node for node in nodes if node["Alive"]), *lost.values()]


def _status(
    node: dict[str, Any], processor: str, cores: int, version: str, installed: dict[str, str], trouble: str
) -> NodeStatus:
    resources = node["Resources"]
    return NodeStatus(
        address=node["NodeManagerAddress"],
        host=node["NodeManagerHostname"],
        head="node:__internal_head__" in resources,
        alive=node["Alive"],
        cpus=int(resources.get("CPU", 0)),
        processor=processor,
        cores=cores,
        ray=version,
        installed=installed,
        trouble=trouble,
    )
