"""What the documents' commands run in."""

import os
import shutil
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def environment(tmp_path, monkeypatch):
    """Go to a folder with the examples, and return an environment in which ``tag`` is this one."""
    paths = [os.path.abspath(entry) for entry in sys.path]  # noqa: PTH100  "" is the working directory
    shutil.copytree(ROOT / "examples", tmp_path / "examples", ignore=shutil.ignore_patterns("__pycache__"))
    script = tmp_path / "bin" / "tag"
    script.parent.mkdir()
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -P -m tag "$@"\n', encoding="utf-8")
    script.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    path = f"{script.parent}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "PYTHONPATH": os.pathsep.join(paths)}
