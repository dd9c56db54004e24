"""What Linux offers without privileges: a process that stays in its group, and a clock of it that it cannot set.

An agent's process is stopped between decisions with its group. A descendant with a group of its own would go on. So the
system refuses to make groups, by a filter of system calls (seccomp) that all descendants inherit.
"""

from __future__ import annotations

import ctypes
import os
import platform
import sys
import time
from typing import Final

_NO_NEW_PRIVILEGES: Final = 38
_SET_SECCOMP: Final = 22
_FILTER: Final = 2
#: Instructions of the filter: load a word, compare it, return.
_LOAD: Final = 0x20
_IF_EQUAL: Final = 0x15
_IF_AT_LEAST: Final = 0x35
_RETURN: Final = 0x06
_ALLOW: Final = 0x7FFF0000
_REFUSE: Final = 0x00050001  # with EPERM
#: The offsets of the number of the system call and of the architecture.
_NUMBER: Final = 0
_ARCHITECTURE: Final = 4
#: Of machines: their architecture for the kernel, and the numbers of setsid and setpgid, on them and in 32-bit programs.
_CALLS: Final = {"x86_64": (0xC000003E, 112, 109), "aarch64": (0xC00000B7, 157, 154)}
_CALLS_OF_32_BITS: Final = (66, 57)
#: System calls of x86-64 in its form with 32-bit pointers have numbers from here on.
_X32: Final = 0x40000000
#: The unit of the times in /proc, per second.
_TICKS: Final = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


class _Instruction(ctypes.Structure):
    _fields_ = (("code", ctypes.c_ushort), ("yes", ctypes.c_ubyte), ("no", ctypes.c_ubyte), ("value", ctypes.c_uint))


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("first", ctypes.POINTER(_Instruction)))


def hold_in_group() -> bool:
    """Keep this process and all its descendants in their group; return whether the system can."""
    known = _CALLS.get(platform.machine())
    if sys.platform != "linux" or known is None:
        return False
    architecture, setsid, setpgid = known
    steps = [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_IF_EQUAL, 0, 5, architecture),
        (_LOAD, 0, 0, _NUMBER),
        (_IF_EQUAL, 6, 0, setsid),
        (_IF_EQUAL, 5, 0, setpgid),
        (_IF_AT_LEAST, 4, 0, _X32),
        (_RETURN, 0, 0, _ALLOW),
        (_LOAD, 0, 0, _NUMBER),
        (_IF_EQUAL, 1, 0, _CALLS_OF_32_BITS[0]),
        (_IF_EQUAL, 0, 1, _CALLS_OF_32_BITS[1]),
        (_RETURN, 0, 0, _REFUSE),
        (_RETURN, 0, 0, _ALLOW),
    ]
    program = (_Instruction * len(steps))(*(_Instruction(*step) for step in steps))
    whole = _Program(len(steps), program)
    libc = ctypes.CDLL(None, use_errno=True)
    return bool(
        libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0) == 0
        and libc.prctl(_SET_SECCOMP, _FILTER, ctypes.byref(whole), 0, 0) == 0
    )


def cpu_seconds_of(pid: int) -> float:
    """Return the CPU time of a process, its living descendants, and those it has waited for; 0 where that is not told."""
    try:
        own = time.clock_gettime((~pid << 3) | 2)  # the clock of another process, by Linux's numbers
        fields = _read(f"/proc/{pid}/stat").rpartition(b")")[2].split()
        children = [_read(f"/proc/{pid}/task/{thread}/children") for thread in os.listdir(f"/proc/{pid}/task")]  # noqa: PTH208  quick
    except OSError:
        return 0.0
    ended = (int(fields[13]) + int(fields[14])) / _TICKS
    return own + ended + sum([cpu_seconds_of(int(child)) for found in children for child in found.split()])


def _read(file: str) -> bytes:
    """Return what a small file of the system holds; the quickest way, as it is read twice for each decision."""
    descriptor = os.open(file, os.O_RDONLY)
    try:
        return os.read(descriptor, 1 << 16)
    finally:
        os.close(descriptor)
