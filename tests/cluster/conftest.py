"""Homes for clusters of one machine."""

import os
from pathlib import Path
from tempfile import mkdtemp

import pytest

from cluster.machine.node import nodes_here


@pytest.fixture
def home(tmp_path, monkeypatch):
    """Return a home with no token and no nodes."""
    for name in [name for name in os.environ if name.startswith("RAY_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("RAY_TMPDIR", str(tmp_path))
    return tmp_path


@pytest.fixture
def cluster_home(home):
    """Return a home whose clusters are stopped in the end."""
    short = Path(mkdtemp(dir="/tmp"))
    os.environ["RAY_TMPDIR"] = str(short)
    yield home
    for node in nodes_here():
        node.stop()
    (short / f"tag-{os.getuid()}").rmdir()
    short.rmdir()
