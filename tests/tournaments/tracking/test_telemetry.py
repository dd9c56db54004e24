"""Nothing phones home: whatever plays or tracks a tournament looks up no name and calls nobody but this machine."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from shutil import copy

import pytest

pytestmark = [pytest.mark.filterwarnings("ignore:The ``noload`` loader strategy:DeprecationWarning"), pytest.mark.flow]

#: Imported by every Python process at its start: writes down whom it looks up and calls.
WATCH = """
import os, sys

def watch(event, arguments):
    if event in ("socket.getaddrinfo", "socket.connect", "socket.sendto"):
        whom = arguments[0] if event == "socket.getaddrinfo" else arguments[1]
        with open(os.environ["TAG_WATCH"], "a") as file:
            file.write(f"{event} {whom[0] if isinstance(whom, tuple) else whom}\\n")
    if event == "import" and arguments[0] in ("mlflow", "ray", "optuna"):
        with open(os.environ["TAG_WATCH"], "a") as file:
            file.write(f"import {arguments[0]}\\n")

sys.addaudithook(watch)
"""
#: Names and addresses of this machine to itself, and sockets that are files.
HERE = ("127.", "localhost", "::1", "0.0.0.0", "/", "b'", "None", "\\0")  # noqa: S104  none is listened on
#: Ray asks whether it is in a cloud, of addresses that only the cloud itself has, and cannot be told not to.
CLOUD = ("169.254.169.254", "metadata.google.internal")

#: The settings that switch a library's telemetry off; ours must not get in the way of a user's own.
OF_THE_USER = (
    "DO_NOT_TRACK",
    "MLFLOW_DISABLE_TELEMETRY",
    "RAY_USAGE_STATS_ENABLED",
    "RAY_USAGE_STATS_REPORT_URL",
)
#: With these MLflow takes itself to be on a machine that tests and is silent anyhow.
OF_TESTS = ("CI", "PYTEST_CURRENT_TEST", "GITHUB_ACTIONS", "BUILD_NUMBER", "BUILD_ID")


def watched(tmp_path: Path, *arguments: str) -> set[str]:
    """What a command, and all Python processes that it starts, looked up, called and imported."""
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text(WATCH)
    seen = tmp_path / "seen.txt"
    paths = os.pathsep.join([str(tmp_path / "site"), *(os.path.abspath(entry) for entry in sys.path)])  # noqa: PTH100
    environment = {name: value for name, value in os.environ.items() if name not in (*OF_THE_USER, *OF_TESTS)}
    subprocess.run(
        [sys.executable, "-P", *arguments],
        env={**environment, "PYTHONPATH": paths, "TAG_WATCH": str(seen)},
        cwd=tmp_path,
        check=True,
        capture_output=True,
        timeout=300,
    )
    return set(seen.read_text().splitlines())


def strangers(seen: set[str]) -> set[str]:
    """Whoever was called and is not of this machine."""
    own = os.uname().nodename
    called = {line.partition(" ")[2] for line in seen if not line.startswith("import ")}
    return {whom for whom in called if not whom.startswith((*HERE, *CLOUD)) and whom != own}


def test_the_watch_sees_what_mlflow_would_do(tmp_path: Path, empty_store: Path) -> None:
    """Without our settings MLflow asks for its telemetry's address; if it did not, the tests below would show nothing."""
    copy(empty_store, tmp_path / "x.db")
    program = (
        "import time, mlflow\nmlflow.set_tracking_uri('sqlite:///x.db')\nmlflow.create_experiment('x')\ntime.sleep(3)"
    )
    assert strangers(watched(tmp_path, "-c", program))


@pytest.mark.slow
@pytest.mark.system
def test_a_head_calls_nobody(tmp_path: Path) -> None:
    """Ray's head reports, where usage statistics are off, that they are: unless it is told where to."""
    program = (
        "import subprocess, sys, time\n"
        "tag = [sys.executable, '-P', '-m', 'tag', 'cluster']\n"
        "try:\n    subprocess.run([*tag, 'start', '--cpus', '1'], check=True)\n    time.sleep(15)\n"
        "finally:\n    subprocess.run([*tag, 'stop'], check=True)\n"
    )
    seen = watched(tmp_path, "-c", program)
    assert "import ray" in seen
    assert strangers(seen) == set()


@pytest.mark.parametrize(
    "how", [pytest.param("--no-ray", marks=pytest.mark.slow), pytest.param("--ray", marks=pytest.mark.system)]
)
def test_a_tracked_tournament_calls_nobody(tmp_path: Path, empty_store: Path, how: str) -> None:
    (tmp_path / "runs").mkdir()
    copy(empty_store, tmp_path / "runs" / "mlflow.db")
    arguments = ["tic_tac_toe", "--agent", "random", "--agent", "osla", "--blocks", "20", "--workers", "2", how]
    seen = watched(tmp_path, "-m", "tag", "tournament", *arguments, "--out", str(tmp_path / "runs" / "t"))
    assert "import mlflow" in seen
    assert ("import ray" in seen) == (how == "--ray")
    assert strangers(seen) == set()
