"""The living processes of a session, also after the command that started them has ended (Linux)."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import Final

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
