"""Services of Linux without privileges: a process confined to its group and memory, and a clock that it cannot set.

An agent's process is stopped between decisions with its group. A descendant with a group of its own would go on. So the
system refuses to make groups, by a filter of system calls (seccomp). A domain (Landlock) keeps it from the memory of the
game's process and of other agents, also for root, and from sending them signals. All descendants inherit both.
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
#: Calls for a domain, of the same numbers on all machines, and what one of them is asked for its version.
_NEW_DOMAIN: Final = 444
_ADD_RULE: Final = 445
_ENTER_DOMAIN: Final = 446
_VERSION: Final = 1
_BENEATH: Final = 1
#: A domain has to rule something about files: these two rights, which its rule then allows everywhere. Moves can be allowed
#: from the second version on, signals to others refused from the sixth.
_BLOCK_DEVICES_AND_MOVES: Final = 1 << 11 | 1 << 13
_MOVES_FROM: Final = 2
_SIGNALS: Final = 1 << 1
_SIGNALS_FROM: Final = 6
#: The unit of the times in /proc, per second.
_TICKS: Final = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
#: Of the unit of memory there.
_KILOBYTES_PER_MEGABYTE: Final = 1024.0


class _Instruction(ctypes.Structure):
    _fields_ = (("code", ctypes.c_ushort), ("yes", ctypes.c_ubyte), ("no", ctypes.c_ubyte), ("value", ctypes.c_uint))


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("first", ctypes.POINTER(_Instruction)))


class _Domain(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("networks", ctypes.c_uint64), ("signals", ctypes.c_uint64))


class _Rule(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("folder", ctypes.c_int32))


def confine() -> None:
    """Confine this process and all its descendants to their group, memory and signals, as far as the system can."""
    if sys.platform == "linux":
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0) == 0:
            _enter_domain(libc)
            _keep_group(libc)


def _enter_domain(libc: ctypes.CDLL) -> None:
    version = libc.syscall(_NEW_DOMAIN, None, ctypes.c_size_t(0), _VERSION)
    if version < _MOVES_FROM:
        return
    signals = version >= _SIGNALS_FROM
    refused = _Domain(_BLOCK_DEVICES_AND_MOVES, 0, _SIGNALS if signals else 0)
    size = ctypes.sizeof(refused) if signals else _Domain.networks.offset
    domain = libc.syscall(_NEW_DOMAIN, ctypes.byref(refused), ctypes.c_size_t(size), 0)
    if domain < 0:
        return
    root = os.open("/", os.O_PATH | os.O_CLOEXEC)
    if libc.syscall(_ADD_RULE, domain, _BENEATH, ctypes.byref(_Rule(_BLOCK_DEVICES_AND_MOVES, root)), 0) == 0:
        libc.syscall(_ENTER_DOMAIN, domain, 0)
    os.close(root)
    os.close(domain)


def _keep_group(libc: ctypes.CDLL) -> None:
    known = _CALLS.get(platform.machine())
    if known is None:
        return
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
    libc.prctl(_SET_SECCOMP, _FILTER, ctypes.byref(_Program(len(steps), program)), 0, 0)


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


def peak_mb_of(pid: int) -> float:
    """Return the most memory that a process has had resident, in megabytes (2**20 bytes); 0 where that is not told."""
    try:
        told = _read(f"/proc/{pid}/status").partition(b"VmHWM:")[2].split()
    except OSError:
        return 0.0
    return int(told[0]) / _KILOBYTES_PER_MEGABYTE if told else 0.0


def _read(file: str) -> bytes:
    """Return the content of a small file of the system; the quickest way, as it is read twice for each decision."""
    descriptor = os.open(file, os.O_RDONLY)
    try:
        return os.read(descriptor, 1 << 16)
    finally:
        os.close(descriptor)
