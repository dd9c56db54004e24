"""Ray's processes on this machine: the environment that they start with, and all processes of a session."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Mapping, MutableMapping
from pathlib import Path
from typing import Final

# --- environment variables that configure Ray, unless the user has set them ---------------------------------------------


#: For every process that uses Ray.
ALWAYS: Final = {
    "RAY_USAGE_STATS_ENABLED": "0",
    # Ray would print its own lines about dead workers to stdout; `cluster.workers` reports them itself.
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


# --- the living processes of a session, also after the command that started them has ended (Linux) -----------------------


_PROC: Final = Path("/proc")
_TICK: Final = 0.1


def members(session: int, folder: Path) -> list[int]:
    """Return the living processes of a session that work in ``folder``.

    Ray's processes stay in the session and the working directory of the command that started them, orphans too. The
    number of a session without processes can be reused, but a new session does not work in that folder.
    """
    found = []
    for entry in _PROC.iterdir():
        if not entry.name.isdigit():
            continue
        try:
            state, _parent, _group, its_session = (entry / "stat").read_text().rpartition(")")[2].split()[:4]
            if int(its_session) == session and state != "Z" and (entry / "cwd").readlink() == folder:
                found.append(int(entry.name))
        except OSError:
            continue  # it has ended, or belongs to another user
    return found


def is_running(program: str) -> bool:
    """Say whether a process of this machine, of any user, has that name."""
    for entry in _PROC.glob("[0-9]*/comm"):
        try:
            if entry.read_text().strip() == program:
                return True
        except OSError:
            continue  # it has ended
    return False


def end(session: int, folder: Path, grace: float) -> int:
    """End the `members` of a session, by force after ``grace`` seconds, and return how many there were."""
    first = members(session, folder)
    _send(signal.SIGTERM, first)
    until = time.monotonic() + grace
    while (left := members(session, folder)) and time.monotonic() < until:
        time.sleep(_TICK)
    while left:
        _send(signal.SIGKILL, left)
        time.sleep(_TICK)
        left = members(session, folder)
    return len(first)


def _send(number: int, processes: list[int]) -> None:
    for process in processes:
        try:
            os.kill(process, number)
        except ProcessLookupError:
            continue
