"""A Ray of this machine alone, with none of the processes that playing games does not need.

By default Ray 2.60 also starts a dashboard's server, an autoscaler, a log monitor and two agents, for metrics and for
installing packages. They took 2.5 s of CPU time, 3 s of waiting at the start and 0.4 GB. Ray has no settings to leave
them out, so its own class of nodes is extended here, and where a later Ray differs, or does not start so, all are started.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

#: How long Ray's node may take to be registered: at first, as fixed in its code, and after a failure, in seconds.
_REGISTERED: Final = 30.0
PATIENCE: Final = 180.0
_LOOK_SECONDS: Final = 0.005
#: Settings by which a user asks for what the processes left out do: `tag.cluster.machine.processes` switches it off.
_OFF: Final = ("RAY_USAGE_STATS_ENABLED", "RAY_enable_metrics_collection")
#: The ports of the agents, as Ray names them. -1 is Ray's own number for none, which one agent must not have; the port
#: given to that is reserved for a service that discards what it gets, and a node without packages to install sends nothing.
_PORTS: Final = {
    "METRICS_AGENT_PORT_NAME": -1,
    "METRICS_EXPORT_PORT_NAME": -1,
    "DASHBOARD_AGENT_LISTEN_PORT_NAME": -1,
    "RUNTIME_ENV_AGENT_PORT_NAME": 9,
}
_AGENTS: Final = ("--dashboard_agent_command", "--runtime_env_agent_command")
#: Makes the standard input of agents a pipe that closes with the node.
_PIPED: Final = {"RAY_enable_pipe_based_agent_to_parent_health_check": "1"}


def start_here(options: Mapping[str, Any]) -> None:
    """Start Ray on this machine; where that fails, once more with all of Ray's processes and more patience.

    Raises:
        Exception: any that Ray raises if one of its processes does not start.
    """
    import ray  # noqa: PLC0415  Ray reads its settings when it is imported

    try:
        with _lean_node():
            ray.init(address="local", **options)
    except Exception:  # noqa: BLE001  as above
        ray.shutdown()
        with _patient_node():
            ray.init(address="local", **options)


@contextmanager
def _lean_node() -> Iterator[None]:
    """Make Ray start nodes with no more than its store of the cluster's state, and the node's own process."""
    from ray import _raylet  # noqa: PLC0415  as above
    from ray._private import node, services, utils  # noqa: PLC0415

    idle = shutil.which("cat")
    ports = {getattr(_raylet, name, ""): port for name, port in _PORTS.items()}
    persist_port: Any = getattr(_raylet, "persist_port", None)
    start: Any = getattr(services, "start_ray_process", None)
    is_known = all([*ports, persist_port, start, hasattr(utils, "get_dashboard_dependency_error")])
    if idle is None or not is_known or any(os.environ.get(name) != "0" for name in _OFF):
        yield
        return

    class LeanNode(node.Node):
        """A node without the processes that playing does not need."""

        def start_monitor(self) -> None:
            """Do without an autoscaler."""

        def start_log_monitor(self) -> None:
            """Do without copies of the workers' output."""

        def start_api_server(self, **_options: Any) -> None:
            """Do without a dashboard's server."""

        def start_raylet(self, *arguments: Any, **options: Any) -> None:
            """Start the node's own process, with agents that only wait for its end, and return once it is registered.

            Ray itself asks whether it is registered once a second.
            """
            for name, port in ports.items():
                persist_port(self._session_dir, self._node_id, name, port)

            def start_without_agents(command: list[str], *rest: Any, **more: Any) -> Any:
                # The first argument of cat is its standard input, and it ends before it comes to those that Ray adds. Ctrl-C
                # does not end it: Ray's processes are started with SIGINT blocked, and pass that on.
                kept = [part for part in command if not part.startswith(_AGENTS)]
                more["env_updates"] = {**(more.get("env_updates") or {}), **_PIPED}
                return start([*kept, *(f"{name}={idle} -- -" for name in _AGENTS)], *rest, **more)

            with (
                _replaced(services, "start_ray_process", start_without_agents),
                _replaced(utils, "get_dashboard_dependency_error", lambda: None),  # imports for half a second
            ):
                super().start_raylet(*arguments, **options)
            client: Any = self.get_gcs_client()  # type: ignore[no-untyped-call]
            end = time.monotonic() + _REGISTERED
            while not client.get_all_node_info(timeout=_REGISTERED) and time.monotonic() < end:
                time.sleep(_LOOK_SECONDS)

    with _replaced(node, "Node", LeanNode):
        yield


@contextmanager
def _patient_node() -> Iterator[None]:
    """Make Ray wait `PATIENCE` seconds until its node is registered, not the 30 that its code fixes (Ray 2.60)."""
    from ray._private import services  # noqa: PLC0415  see `start_here`

    once, again = getattr(services, "get_node", None), getattr(services, "get_node_with_retry", None)
    if once is None or again is None:
        yield
        return

    def patient(gcs_address: str, node_id: str) -> Any:
        services.get_node = once  # which the other calls
        return again(gcs_address, node_id, timeout_s=PATIENCE)

    with _replaced(services, "get_node", patient):
        yield


@contextmanager
def _replaced(owner: Any, name: str, value: object) -> Iterator[None]:
    """Give a module another value under a name, and its own again at the end."""
    former = getattr(owner, name)
    setattr(owner, name, value)
    try:
        yield
    finally:
        setattr(owner, name, former)
