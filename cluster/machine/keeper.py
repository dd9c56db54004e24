"""The keeper of a node: the process that starts it, ends what is left of it, and lets it join again after a cut.

Ray leaves several processes of a node behind when the node itself or the cluster's head dies (Ray 2.60: five, for over
98 s), and a node that was cut off for longer than the head waits never returns. The keeper is the first process of the
node's session, so it is found and ended with the others. It uses 26 MB, and looks at node and head every 2 s.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final

from tag.cluster.machine import processes
from tag.cluster.network.addresses import NoAnswerError, NobodyListensError
from tag.cluster.network.preflight import check_fit, counts_as_alive
from tag.errors import ClusterError

#: What the keeper writes once the node has started.
STARTED: Final = b"started\n"
OUTPUT: Final = "ray.out"
#: The program of a keeper: its path for imports, then `keep`'s arguments.
_PROGRAM: Final = """
import json, sys
sys.path[:] = json.loads(sys.argv[1])
from tag.cluster.machine.keeper import keep
keep(**json.loads(sys.argv[2]))
"""

_LOOK_SECONDS: Final = 2.0
#: How long nothing may listen at the head's address until the cluster is taken for stopped, in seconds.
_STOPPED_SECONDS: Final = 10.0
#: How long the head may be out of reach until a node ends its processes, and until its keeper ends too, in seconds.
_CUT_SECONDS: Final = 30.0
_GONE_SECONDS: Final = 600.0
#: How long Ray's processes may take to start, and to end where there is nothing to save, in seconds; 25 were seen on a busy
#: machine, and without its head a node does not end by itself.
START_SECONDS: Final = 180.0
_END_SECONDS: Final = 1.0


def start_keeper(
    command: list[str], address: str, head: bool, folder: Path, environment: dict[str, str]
) -> subprocess.Popen[bytes]:
    """Start the keeper of a node with a session of its own in ``folder``; for the rest see `keep`."""
    arguments = json.dumps({"command": command, "address": address, "head": head})
    path = json.dumps([os.path.abspath(entry) for entry in sys.path])  # noqa: PTH100  the present folder is empty
    with (folder / OUTPUT).open("wb") as output:
        return subprocess.Popen(  # noqa: S603  the program is ours
            [sys.executable, "-P", "-c", _PROGRAM, path, arguments],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=output,
            start_new_session=True,
        )


def keep(command: list[str], address: str, head: bool) -> None:
    """Start a node in the present folder, write `STARTED`, and stay until the cluster is over; end what is left then.

    Args:
        command: starts the node's processes and ends.
        address: of the cluster's head.
        head: whether this is the head, which no cluster waits for.
    """
    keeper = _Keeper(command, address, head)
    if not keeper.starts():
        sys.exit(1)
    os.write(1, STARTED)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    keeper.stay()
    while keeper.returns():
        keeper.stay()


class _Keeper:
    """Looks after the node in the present folder."""

    def __init__(self, command: list[str], address: str, head: bool) -> None:
        self._command = command
        self._address = address
        self._head = head
        self._session = os.getsid(0)
        self._folder = Path.cwd()

    def starts(self) -> bool:
        """Start the node, and return whether it has started."""
        with (self._folder / OUTPUT).open("ab") as output, suppress(OSError, subprocess.TimeoutExpired):
            done = subprocess.run(  # noqa: S603  the command is ours
                self._command, stdout=output, stderr=subprocess.STDOUT, check=False, timeout=START_SECONDS
            )
            return done.returncode == 0
        return False

    def stay(self) -> None:
        """Return once the main process has ended, or the head counts it as lost, or is out of reach for long; end the rest.

        After a cut, Ray's own process would ask the head again only after up to 20 s.
        """
        name = "gcs_server" if self._head else "raylet"
        mains = [number for number in self._members() if processes.name_of(number) == name]
        node = next((processes.option_of(number, "node_id") for number in mains), "")
        reach = _Reach(partial(counts_as_alive, self._address, node), _CUT_SECONDS)
        while any(processes.name_of(number) == name for number in mains):
            if not self._head and (reach.is_lost() or reach.answer is False):
                break
            time.sleep(_LOOK_SECONDS)
        self._clear()

    def returns(self) -> bool:
        """Start the node again once the head can be reached, and return whether the cluster is still there."""
        reach = _Reach(partial(check_fit, self._address), _GONE_SECONDS)
        until = time.monotonic() + _GONE_SECONDS
        while not self._head and not reach.is_lost() and time.monotonic() < until:
            if reach.is_there:
                self._remove_files()
                if self.starts():
                    return True
                self._clear()
            time.sleep(_LOOK_SECONDS)
        return False

    def _members(self) -> list[int]:
        return processes.members(self._session, self._folder)

    def _clear(self) -> None:
        processes.end(self._session, self._folder, _END_SECONDS)

    def _remove_files(self) -> None:
        """Remove the sockets and logs of what has ended."""
        for entry in self._folder.iterdir():
            if entry.is_dir() and not entry.is_symlink():
                shutil.rmtree(entry, ignore_errors=True)


class _Reach:
    """Whether a head can be reached, tried again at each look.

    Attributes:
        is_there: it could be reached at the last look.
        answer: its last answer.
    """

    def __init__(self, ask: Callable[[], object], patience: float) -> None:
        """Take the head for lost once ``ask`` has failed for ``patience`` seconds, or it has been stopped before."""
        self.is_there = False
        self.answer: object = None
        self._ask = ask
        self._patience = patience
        self._limit = 0.0
        self._failing_since = 0.0

    def is_lost(self) -> bool:
        """Look, and say whether the head is lost: its machine answers without it, or has not answered for long."""
        begin = time.monotonic()
        try:
            self.answer = self._ask()
        except ClusterError as error:
            is_cut = isinstance(error, NoAnswerError) and not isinstance(error, NobodyListensError)
            limit = self._patience if is_cut else _STOPPED_SECONDS
            if self.is_there or limit != self._limit:
                self.is_there, self._limit, self._failing_since = False, limit, begin
            return time.monotonic() - self._failing_since > limit
        self.is_there = True
        return False
