"""Environment variables that configure Ray, unless the user has set them."""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from typing import Final

#: For every process that uses Ray.
ALWAYS: Final = {
    "RAY_USAGE_STATS_ENABLED": "0",
    # Ray would print its own lines about dead workers to stdout; `tag.cluster.workers` reports them itself.
    "RAY_DEDUP_LOGS_SKIP_REGEX": ".*",
}
#: For the command that starts Ray's processes of a machine.
NODE: Final = {
    "RAY_worker_niceness": "0",  # by default 15, at which other programs on the machine starve the workers
    "RAY_enable_metrics_collection": "0",
    "RAY_task_events_report_interval_ms": "0",
    "RAY_event_stats": "0",
}
#: Ray gives its processes 30 to 60 s to start, which is too little on a machine with ten times more to do than cores.
STARTING: Final = {
    "RAY_raylet_start_wait_time_s": "180",
    "RAY_gcs_server_port_wait_time_s": "180",
    "RAY_py_gcs_connect_timeout_s": "180",
    "RAY_gcs_server_request_timeout_seconds": "180",
    "RAY_worker_register_timeout_seconds": "180",
    "RAY_agent_register_timeout_ms": "180000",
}
#: Where all is on one machine. In spite of its name: listen on the loopback device only.
LOOPBACK: Final = {"RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0"}
#: For a head: a node that has not answered for some 24 s is lost; by default it takes Ray 65 s. A busy node, which
#: answers late, has three times five seconds.
HEARTBEATS: Final = {
    "RAY_health_check_period_ms": "3000",
    "RAY_health_check_timeout_ms": "5000",
    "RAY_health_check_failure_threshold": "3",
}
#: A head started by ``ray start`` reports even that it reports nothing; this sends it to an unused address.
_NOWHERE: Final = "http://127.0.0.1:9/"


def set_defaults(environment: MutableMapping[str, str], *settings: Mapping[str, str]) -> None:
    """Add the ``settings`` missing from the ``environment``; if usage reports are off, give them an unused address."""
    for some in settings:
        for name, value in some.items():
            environment.setdefault(name, value)
    if environment.get("RAY_USAGE_STATS_ENABLED") == "0":
        environment.setdefault("RAY_USAGE_STATS_REPORT_URL", _NOWHERE)
