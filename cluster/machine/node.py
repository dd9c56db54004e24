"""Nodes: the Ray processes that make this machine the head of a cluster, or a part of one.

A node has a folder of its own for Ray's sockets and logs, and for `node.json`, the record of what was started. The
folder is on this machine's own disk, with a path short enough for Unix sockets.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from select import select
from typing import IO, Any, Final, cast

from tag.cluster.authentication import REFUSAL, demand_tokens, ensure_token, refused
from tag.cluster.machine import processes
from tag.cluster.machine.folders import USUAL, no_folder, private_base, private_folder
from tag.cluster.machine.keeper import OUTPUT, START_SECONDS, STARTED, start_keeper
from tag.cluster.machine.settings import ALWAYS, HEARTBEATS, LOOPBACK, NODE, STARTING, set_defaults
from tag.cluster.network.addresses import is_loopback, knock, split_address
from tag.cluster.network.preflight import check_fit
from tag.errors import ClusterError

HERE: Final = "127.0.0.1"
DEFAULT_PORT: Final = 6379
_RECORD: Final = "node.json"
_ANY: Final = ("0.0.0.0", "::", "")  # noqa: S104  what is refused
#: How long Ray's processes may take to end, in seconds.
_END_SECONDS: Final = 10.0
_KNOCK_SECONDS: Final = 1.0
#: Of the nodes that this process has started; they outlive it.
_keepers: Final[list[subprocess.Popen[bytes]]] = []


@dataclass(frozen=True)
class LocalNode:
    """A node that was started on this machine.

    Attributes:
        address: of the cluster's head, ``host:port``.
        head: whether this is the head.
        session: the number of the session in which all of the node's processes are.
        folder: Ray's files, and the record of this node.
    """

    address: str
    head: bool
    session: int
    folder: Path

    @property
    def title(self) -> str:
        """Describe the node for people."""
        return f"the head of the cluster at {self.address}" if self.head else f"this machine's part of {self.address}"

    @property
    def alive(self) -> bool:
        """True if any of the node's processes is alive."""
        return bool(processes.members(self.session, self.folder))

    def stop(self) -> int:
        """End the node's processes, including those that outlived the others, and return how many there were."""
        ended = processes.end(self.session, self.folder, _END_SECONDS)
        shutil.rmtree(self.folder, ignore_errors=True)
        return ended


def start_head(listen: str, port: int, cpus: int | None, dashboard: bool) -> LocalNode:
    """Start the head of a new cluster.

    Args:
        listen: the address by which other machines reach this one, or one of the loopback device.
        port: of the head.
        cpus: how many workers it has room for; None for one per core, 0 for none.
        dashboard: whether to serve Ray's dashboard, on the loopback device.

    Raises:
        ClusterError: the address is not this machine's, the port is taken, or Ray does not start.
    """
    if listen in _ANY:
        raise ClusterError(
            f"a cluster needs one address that all its machines reach, not {listen!r}; name this machine's"
        )
    _check_free(listen, port)
    ensure_token()
    environment = _environment(listen)
    set_defaults(environment, HEARTBEATS)
    arguments = ["--head", "--port", str(port), "--include-dashboard", str(dashboard).lower()]
    return _start(f"{listen}:{port}", listen, [*arguments, *_cpus(cpus)], environment)


def join_cluster(address: str, listen: str | None, cpus: int | None) -> LocalNode:
    """Make this machine a part of the cluster at ``address``.

    Args:
        address: ``host:port`` of the head.
        listen: the address by which the others reach this one; None for the one from which it reaches the head.
        cpus: as in `start_head`; 0 for a machine that only wants to run tournaments there.

    Raises:
        ClusterError: there is no token or no cluster, or Ray does not start.
    """
    host, _port = split_address(address)
    if is_loopback(host):
        raise ClusterError(f"{address!r} is for one machine alone; start the head with --listen and its own address")
    if not check_fit(address):
        raise ClusterError(
            f"the cluster at {address!r} takes no token, so anybody could run code on this machine; start its head with"
            " tag cluster start"
        )
    own = listen or _own_address(address)
    return _start(address, own, ["--address", address, *_cpus(cpus)], _environment(own))


def nodes_here() -> list[LocalNode]:
    """Return the nodes that this user has started on this machine and not stopped, oldest first."""
    found = []
    for record in sorted(private_base().glob(f"*/{_RECORD}"), key=lambda path: path.stat().st_mtime):
        values: dict[str, Any] = json.loads(record.read_text(encoding="utf-8"))
        found.append(LocalNode(**{**values, "folder": record.parent}))
    return found


def _start(address: str, own: str, arguments: list[str], environment: dict[str, str]) -> LocalNode:
    """Run ``ray start`` in a session and a folder of its own."""
    program = _ray_program()
    with _own_folder() as folder:
        command = [program, "start", "--node-ip-address", own, "--temp-dir", str(folder), "--disable-usage-stats"]
        is_head = "--head" in arguments
        keeper = start_keeper([*command, *arguments], address, is_head, folder, environment)
        node = LocalNode(address, is_head, keeper.pid, folder)
        try:
            record = {**asdict(node), "folder": str(folder)}
            (folder / _RECORD).write_text(json.dumps(record, indent=2), encoding="utf-8")
            _await(keeper, folder)
        except BaseException:
            node.stop()
            keeper.wait()
            raise
        finally:
            cast("IO[bytes]", keeper.stdout).close()
    _keepers.append(keeper)
    return node


def plain_clusters() -> list[str]:
    """Return the address of the cluster that ``ray start`` itself made or joined here, if it answers."""
    record = Path(os.environ.get("RAY_TMPDIR", USUAL)) / "ray" / "ray_current_cluster"
    try:
        address = record.read_text(encoding="utf-8").strip()
        knock(address, _KNOCK_SECONDS)
    except (OSError, UnicodeDecodeError, ClusterError):  # Ray leaves the record there where a cluster was killed
        return []
    return [address]


@contextmanager
def _own_folder() -> Iterator[Path]:
    """Make a folder for a node, and remove it where it cannot be written to."""
    base = private_base()
    folder = private_folder(base)
    try:
        yield folder
    except OSError as error:
        shutil.rmtree(folder, ignore_errors=True)
        raise ClusterError(no_folder(base, error)) from None


def _await(keeper: subprocess.Popen[bytes], folder: Path) -> None:
    """Wait until a keeper says that its node has started."""
    said = cast("IO[bytes]", keeper.stdout)
    if not select([said], [], [], START_SECONDS)[0]:
        raise ClusterError(f"Ray has not started within {START_SECONDS:g} s")
    if said.readline() != STARTED:
        raise ClusterError(_reason((folder / OUTPUT).read_text(encoding="utf-8", errors="replace")))


def _reason(output: str) -> str:
    """Return the cause of death of ``ray start``, in one sentence."""
    if REFUSAL in output:
        return refused()
    if "Cannot include dashboard" in output:
        return "the dashboard needs more of Ray than is installed; run: pip install 'ray[default]'"
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    return f"Ray does not start: {lines[-1].rstrip('.') if lines else 'it says nothing'}"


def _ray_program() -> str:
    """Return the ``ray`` of this Python's environment, or the shell's."""
    beside = Path(sys.executable).with_name("ray")
    program = str(beside) if beside.exists() else shutil.which("ray")
    if program is None:
        raise ClusterError(f"there is no program ray beside {sys.executable!r}; install Ray: pip install ray")
    return program


def _environment(own: str) -> dict[str, str]:
    """Return the environment for Ray's processes of a node with the address ``own``."""
    if not sys.platform.startswith("linux"):
        raise ClusterError(f"Ray makes clusters on Linux, not on {sys.platform}; without --address you need none")
    environment = dict(os.environ)
    demand_tokens(environment)
    set_defaults(environment, ALWAYS, NODE, STARTING, *([LOOPBACK] if is_loopback(own) else []))
    return environment


def _check_free(host: str, port: int) -> None:
    """Raise `ClusterError` where this machine does not have the address, or the port is taken."""
    try:
        with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, port))
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ClusterError(f"cannot listen at {host}:{port}: {reason}; choose with --listen and --port") from None


def _own_address(address: str) -> str:
    """Return the address from which this machine reaches another."""
    with socket.create_connection(split_address(address), 10.0) as connection:
        own: str = connection.getsockname()[0]
    return own


def _cpus(cpus: int | None) -> list[str]:
    return [] if cpus is None else ["--num-cpus", str(cpus)]
