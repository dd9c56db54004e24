"""Connecting to Ray: a cluster that is there, or one of its own on this machine for as long as the pool lives."""

from __future__ import annotations

import logging
import os
import signal
import socket
import sys
from pathlib import Path
from threading import current_thread, main_thread
from typing import Any, Final

from tag.errors import ClusterError

#: What Ray is told through the environment, unless the user has said otherwise there.
_ALWAYS: Final = {
    "RAY_USAGE_STATS_ENABLED": "0",
    # Ray's own lines about workers that died would go to stdout; whoever uses the pool is told by it.
    "RAY_DEDUP_LOGS_SKIP_REGEX": ".*",
}
_LOCAL: Final = {
    "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",  # in spite of its name: listen on the loopback device only
    "RAY_worker_niceness": "0",  # by default 15, at which anything else on the machine starves the workers
    "RAY_enable_metrics_collection": "0",
    "RAY_task_events_report_interval_ms": "0",
    "RAY_event_stats": "0",
}
_KNOCK_SECONDS: Final = 10.0
_SMALL: Final = {"include_dashboard": False, "_node_ip_address": "127.0.0.1"}
_QUIET: Final[dict[str, Any]] = {"log_to_driver": False, "logging_level": logging.CRITICAL}


def connect(workers: int, address: str | None) -> bool:
    """Connect to Ray, and say whether that was still to be done; who connects disconnects.

    Args:
        workers: how many processes a Ray on this machine is to have room for.
        address: of a Ray cluster; None to start Ray on this machine.

    Raises:
        ClusterError: there is no cluster at the address, or Ray does not start.
    """
    if address is not None:
        knock(address)
    _prepare(address)
    import ray  # noqa: PLC0415  Ray reads its settings when it is imported

    if ray.is_initialized():
        return False
    options = _QUIET if address is not None else {**_QUIET, **_SMALL, "num_cpus": workers}
    on_terminate = signal.getsignal(signal.SIGTERM)
    try:
        ray.init(address=address or "local", **options)
    except (ConnectionError, RuntimeError, ValueError, OSError) as error:
        where = f"no Ray cluster answers at {address!r}" if address else "Ray does not start on this machine"
        raise ClusterError(f"{where}: {_first_line(error)}") from None
    finally:
        if on_terminate is not None and current_thread() is main_thread():
            signal.signal(signal.SIGTERM, on_terminate)  # Ray has put its own in place
    return True


def disconnect() -> None:
    """Let go of the cluster, and end it if `connect` started it."""
    import ray  # noqa: PLC0415

    ray.shutdown()


def driver_path() -> list[str]:
    """Return where this process looks for imports, good for any process of this machine."""
    return [entry or str(Path.cwd()) for entry in sys.path]


def foreign_path() -> list[str]:
    """Return what Ray adds to the path of workers although it is not on the driver's."""
    here = str(Path.cwd())
    return [] if here in driver_path() else [here]


def _prepare(address: str | None) -> None:
    settings = _ALWAYS if address is not None else {**_ALWAYS, **_LOCAL}
    for name, value in settings.items():
        os.environ.setdefault(name, value)
    if address is not None and ("RAY_AUTH_TOKEN" in os.environ or "RAY_AUTH_TOKEN_PATH" in os.environ):
        os.environ.setdefault("RAY_AUTH_MODE", "token")


def knock(address: str) -> None:
    """See at once whether anybody listens at ``host:port``; Ray takes two minutes and ends the process.

    Raises:
        ClusterError: nobody does.
    """
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if not (colon and port.isdigit()):
        return
    try:
        socket.create_connection((host, int(port)), _KNOCK_SECONDS).close()
    except OSError as error:
        raise ClusterError(f"no Ray cluster answers at {address!r}: {error.strerror or error}") from None


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0].rstrip(".")
