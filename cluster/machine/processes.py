"""Ray's processes on this machine: the environment and the folders that they start with, and all of a session."""

from __future__ import annotations

import os
import signal
import tempfile
import time
from collections.abc import Mapping, MutableMapping
from pathlib import Path
from typing import Final

from tag.errors import ClusterError

# --- environment variables that configure Ray, unless the user has set them ---------------------------------------------


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


# --- folders for Ray's sockets and logs, which only this user can enter ---------------------------------------------------
#
# Ray itself takes a folder that all users of the machine can write to, without a sticky bit.


USUAL: Final = "/tmp"  # noqa: S108  its owner and mode are checked
#: How long the path of a Unix socket may be (Linux 107, macOS 103), and how much Ray adds to the path of a folder:
#: ``/session_2026-01-01_00-00-00_000000_1234567/sockets/plasma_store.1``.
_LONGEST_SOCKET: Final = 103
_RAYS_PART: Final = 67
_NAME_LENGTH: Final = 9


def private_base(within: str = "") -> Path:
    """Return the folder of all of this user's sessions of Ray, made where it is not there.

    Args:
        within: the folder in which it is; by default that of ``RAY_TMPDIR``, or else /tmp.

    Raises:
        ClusterError: another user has made it, or it cannot be made.
    """
    base = Path(within or os.environ.get("RAY_TMPDIR", USUAL)).resolve() / f"tag-{os.getuid()}"
    try:
        base.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise ClusterError(no_folder(base, error)) from None
    found = base.lstat()
    if found.st_uid != os.getuid() or found.st_mode & 0o022:
        raise ClusterError(f"others can write to {str(base)!r}; remove it")
    return base


def private_folder(base: Path) -> Path:
    """Make a folder for one session in a `private_base`, and return it; `ClusterError` where that cannot be written to."""
    try:
        return Path(tempfile.mkdtemp(prefix="", dir=base))
    except OSError as error:
        raise ClusterError(no_folder(base, error)) from None


def session_folder() -> Path:
    """Make a private folder whose path is short enough for Ray's sockets: in /tmp where that of ``RAY_TMPDIR`` is too long.

    Raises:
        ClusterError: no such folder can be made.
    """
    base = private_base()
    is_short = len(os.fsencode(base)) + _NAME_LENGTH + _RAYS_PART <= _LONGEST_SOCKET
    return private_folder(base if is_short else private_base(USUAL))


def no_folder(base: Path, error: OSError) -> str:
    """Return the sentence for a folder that Ray cannot use."""
    return f"Ray cannot write to {str(base)!r}: {error.strerror}; name another folder with RAY_TMPDIR"


# --- the living processes of a session, also after the command that started them has ended (Linux) -----------------------


_PROC: Final = Path("/proc")
_TICK: Final = 0.1


def members(session: int, folder: Path) -> list[int]:
    """Return the living processes of a session that work in ``folder``, without this one.

    Ray's processes stay in the session and the working directory of the command that started them, orphans too. The
    number of a session without processes can be reused, but a new session does not work in that folder.
    """
    found = []
    for entry in _PROC.iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
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
    return any(name_of(int(entry.name)) == program for entry in _PROC.glob("[0-9]*"))


def name_of(process: int) -> str:
    """Return the name of a living process's program; empty if there is none."""
    try:
        name, _parenthesis, rest = (_PROC / str(process) / "stat").read_text().rpartition(")")
    except OSError:
        return ""
    return "" if rest.split()[0] == "Z" else name.partition("(")[2]


def option_of(process: int, name: str) -> str:
    """Return the value of an option ``--name=value`` of a process; empty if it has none."""
    try:
        words = (_PROC / str(process) / "cmdline").read_text(errors="replace").split("\0")
    except OSError:
        return ""
    return next((word.partition("=")[2] for word in words if word.startswith(f"--{name}=")), "")


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
