"""Connections to Ray, and the status of a cluster: an existing one, or a Ray of its own on this machine."""

from __future__ import annotations

import logging
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import current_thread, main_thread
from typing import Any, Final

from tag.cluster.authentication import REFUSAL, adopt, adopt_private, refused
from tag.cluster.machine.folders import session_folder
from tag.cluster.machine.local import start_here
from tag.cluster.machine.node import nodes_here, plain_clusters
from tag.cluster.machine.processes import is_running
from tag.cluster.machine.settings import ALWAYS, LOOPBACK, NODE, STARTING, set_defaults
from tag.cluster.network.addresses import is_loopback
from tag.cluster.network.preflight import check_fit
from tag.cluster.network.watches import Watch
from tag.errors import ClusterError

#: Stands for the address of the cluster that this machine is part of.
AUTO: Final = "auto"
_SMALL: Final = {"include_dashboard": False, "_node_ip_address": "127.0.0.1"}
#: Those of Ray on this machine, until `disconnect`.
_folders: Final[list[Path]] = []
_QUIET: Final[dict[str, Any]] = {"log_to_driver": False, "logging_level": logging.CRITICAL}


def connect(workers: int, address: str) -> bool:
    """Connect to Ray unless connected, and return whether this call connected; the caller that connects disconnects.

    Args:
        workers: how many processes a Ray on this machine must have room for.
        address: of a Ray cluster; empty to start Ray on this machine.

    Raises:
        ClusterError: there is no cluster at the address, or it does not know our token, or this machine is no part of
            it, or Ray does not start.
    """
    if address:
        check_cluster(address)
    else:
        _prepare_here()
    import ray  # noqa: PLC0415  Ray reads its settings when it is imported

    if ray.is_initialized():
        return False
    # Ray has workers look for modules in the driver's working directory first, which may be a folder that was received,
    # but not for jobs that it takes for those of its client.
    job: dict[str, Any] = {"job_config": ray.job_config.JobConfig(_client_job=True)}
    options = {**_QUIET, **job, **(_options_here(workers) if not address else {})}
    with _captured_stderr() as heard, _own_termination():
        try:
            if address:
                ray.init(address=address, **options)
            else:
                start_here(options)
        except Exception as error:  # noqa: BLE001  what Ray raises when one of its processes dies as it starts
            _remove_folders()
            raise ClusterError(_reason(address, error, heard())) from None
    return True


def check_cluster(address: str) -> None:
    """Raise `ClusterError` where `connect` would not reach the cluster at ``address``, as far as it says so at once."""
    wants_token = check_fit(address)
    _check_membership(address)
    set_defaults(os.environ, ALWAYS, *([LOOPBACK] if is_loopback(address) else []))
    if adopt(wants_token):
        _reread_settings()


def found_address(address: str) -> str:
    """Return the address of a cluster; for ``auto`` that of ``RAY_ADDRESS``, or of the cluster that this machine is part of.

    Raises:
        ClusterError: this machine is part of no cluster, or of several.
    """
    if address != AUTO:
        return address
    said = os.environ.get("RAY_ADDRESS", AUTO)
    if said != AUTO:
        return said
    found = sorted({*(node.address for node in nodes_here() if node.alive), *plain_clusters()})
    if len(found) > 1:
        raise ClusterError(f"this machine is a part of several clusters; name one: {', '.join(found)}")
    if not found:
        raise ClusterError("no cluster was started or joined here; tag cluster start starts one")
    return found[0]


def disconnect() -> None:
    """Disconnect from the cluster, and end it if `connect` started it."""
    import ray  # noqa: PLC0415

    ray.shutdown()
    _remove_folders()


@contextmanager
def connected(address: str) -> Iterator[None]:
    """Be connected to the cluster at ``address``, also if this process was so before; `ClusterError` as of `connect`."""
    connected = connect(0, address)
    try:
        yield
    finally:
        if connected:
            disconnect()


def _options_here(workers: int) -> dict[str, Any]:
    """Return the options for a Ray of its own on this machine, in a folder that only this user can enter."""
    options = {**_SMALL, "num_cpus": workers}
    if os.name == "posix":
        _folders.append(session_folder())
        options["_temp_dir"] = str(_folders[-1])
    return options


def _remove_folders() -> None:
    while _folders:
        shutil.rmtree(_folders.pop(), ignore_errors=True)


def watches() -> list[Watch]:
    """Return watches over the cluster's head and this machine's node, once this process is connected."""
    import ray  # noqa: PLC0415

    context = ray.get_runtime_context()
    own = context.get_node_id()
    node = next(node for node in ray.nodes() if node["NodeID"] == own)  # type: ignore[no-untyped-call]
    return [
        Watch("the head of the cluster", context.gcs_address, may_return=True),
        Watch(
            "Ray's node on this machine", f"{node['NodeManagerAddress']}:{node['NodeManagerPort']}", may_return=False
        ),
    ]


def driver_path() -> list[str]:
    """Return the driver's path for imports, valid for any process of this machine."""
    return [entry or str(Path.cwd()) for entry in sys.path]


def foreign_path() -> list[str]:
    """Return the entries that Ray adds to the path of workers although they are not on the driver's."""
    here = str(Path.cwd())
    return [] if here in driver_path() else [here]


def _check_membership(address: str) -> None:
    """Raise `ClusterError` where no node runs here; Ray looks for one for a minute."""
    if sys.platform.startswith("linux") and not is_running("raylet"):
        raise ClusterError(_not_a_member(address))


def _not_a_member(address: str) -> str:
    return f"this machine is no part of the cluster at {address!r}; run: tag cluster join {address} --cpus 0"


@contextmanager
def _own_termination() -> Iterator[None]:
    """Let SIGTERM interrupt as Ctrl-C does while Ray starts, and restore its handler afterwards.

    Ray puts a handler of its own in place, which ends the process.
    """
    former = signal.getsignal(signal.SIGTERM)
    is_ours = former is not None and current_thread() is main_thread()
    try:
        yield
    except SystemExit:
        raise KeyboardInterrupt from None
    finally:
        if is_ours:
            signal.signal(signal.SIGTERM, former)


def _prepare_here() -> None:
    set_defaults(os.environ, ALWAYS, NODE, STARTING, LOOPBACK)
    if adopt_private():
        _reread_settings()


def _reread_settings() -> None:
    """Have Ray read mode and token again: an earlier connection of this process may have had it read others (Ray 2.60)."""
    if "ray" in sys.modules:
        from ray import _raylet  # noqa: PLC0415  Ray reads its settings when it is imported

        loader: Any = getattr(_raylet, "AuthenticationTokenLoader", None)
        if loader is not None:
            _raylet.Config.initialize("")  # type: ignore[attr-defined]
            loader.instance().reset_cache()


@contextmanager
def _captured_stderr() -> Iterator[Callable[[], str]]:
    """Capture the process's standard error, from Ray's native code too; yield a function that returns it."""
    sys.stderr.flush()
    original = os.dup(2)
    with tempfile.TemporaryFile() as kept:
        os.dup2(kept.fileno(), 2)

        def heard() -> str:
            kept.seek(0)
            return kept.read().decode(errors="replace")

        try:
            yield heard
        finally:
            sys.stderr.flush()
            os.dup2(original, 2)
            os.close(original)


def _reason(address: str, error: Exception, heard: str) -> str:
    """Explain in one sentence why there is no connection, from Ray's exception and from its output."""
    if not address:
        return (
            f"Ray does not start on this machine: {_first_line(error)}; try again when the machine has less to do, or "
            "play in the process itself with --no-ray"
        )
    if REFUSAL in heard:
        return refused(address)
    if "node to connect to" in str(error.__cause__):
        return _not_a_member(address)
    return f"no Ray cluster answers at {address!r}: {_first_line(error)}"


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0].rstrip(".")
