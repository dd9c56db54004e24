"""Folders that take seconds to make and are only read, made once for all processes of a test run."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable
from pathlib import Path

import pytest


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], None]) -> Path:
    """Return the folder ``name`` of this test run; the first process that asks makes it, and others wait.

    Args:
        factory: pytest's, whose folder is beside those of the run's other processes.
        name: a name of its own.
        make: fills the empty folder that it is given; where it fails, the next process tries again.
    """
    run = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        run = run.parent
    folder = run / name
    with (run / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            draft = factory.mktemp(name)
            make(draft)
            draft.rename(folder)
    return folder
