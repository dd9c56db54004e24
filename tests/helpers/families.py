"""Processes below a process (Linux): what tests may kill, and nothing else on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple


class Process(NamedTuple):
    """A process: numbers are given again, the time of its start (in clock ticks since the machine's) tells which it is."""

    pid: int
    start: int
    name: str

    @property
    def lives(self) -> bool:
        return self in _living()


def family(pid: int) -> list[Process]:
    """Return the living processes below ``pid``; those whose parents have ended are none of them."""
    parents = _living()
    found = {pid}
    while more := {process.pid for process, parent in parents.items() if parent in found} - found:
        found |= more
    return [process for process in parents if process.pid in found - {pid}]


def _living() -> dict[Process, int]:
    """Return the parent of every process of this machine that has not ended."""
    parents: dict[Process, int] = {}
    for folder in Path("/proc").iterdir():
        if not folder.name.isdecimal():
            continue
        try:
            name, _, rest = (folder / "stat").read_text().partition("(")[2].rpartition(") ")
        except OSError:
            continue  # it has just ended
        fields = rest.split()
        if fields[0] != "Z":
            parents[Process(int(folder.name), int(fields[19]), name)] = int(fields[1])
    return parents
