"""Interrupted, killed, gone on with: one run, its status the truth, and no point twice."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from shutil import copy

import pytest
from copied import RANDOM
from stores.seen_runs import Runs, SeenRun

from tag.tournaments.ledger.folder import read_manifest
from tag.tournaments.results.curves import curve_points
from tag.tournaments.tracking.stores import default_tracking_uri

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore:The ``noload`` loader strategy:DeprecationWarning")]


def tag(*arguments: object) -> subprocess.Popen[str]:
    paths = os.pathsep.join(os.path.abspath(entry) for entry in sys.path)  # noqa: PTH100  "" is the working directory
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "tag", *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": paths},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def wait_for(runs: Callable[[], list[SeenRun]], is_there: Callable[[SeenRun], bool]) -> SeenRun:
    end = time.monotonic() + 180.0
    while time.monotonic() < end:
        for run in runs():
            if is_there(run):
                return run
        time.sleep(0.5)
    raise AssertionError([vars(run) for run in runs()])


def test_one_run_whatever_happens(runs_in: Runs, empty_store: Path, tmp_path: Path) -> None:
    agent, brake, folder = tmp_path / "slow.py", tmp_path / "brake", tmp_path / "t"
    agent.write_text(
        f"{RANDOM}\nfrom pathlib import Path\nfrom time import sleep\n\nclass Slow(Random):\n"
        f"    def act(self, observation, actions):\n        sleep(0.01 if Path({str(brake)!r}).exists() else 0)\n"
        "        return super().act(observation, actions)\n"
    )
    command = ["tournament", "tic_tac_toe", "--agent", "random", "--agent", f"{agent}:Slow"]
    command += ["--blocks", "3000", "--no-ray", "--out", str(folder)]
    uri = default_tracking_uri(folder)
    copy(empty_store, tmp_path / "mlflow.db")

    def runs() -> list[SeenRun]:
        return runs_in(uri)

    brake.touch()
    process = tag(*command)
    begun = wait_for(runs, lambda run: run.status == "RUNNING" and "games" in run.metrics)
    process.send_signal(signal.SIGINT)
    _output, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "nothing is tracked" not in errors
    assert [run.status for run in runs()] == ["KILLED"]

    process = tag(*command)
    wait_for(runs, lambda run: run.status == "RUNNING" and run.metrics["games"] > begun.metrics["games"])
    process.kill()
    process.communicate(timeout=60)
    wait_for(runs, lambda run: run.status == "KILLED")  # as the writing process sees that it has been left alone

    brake.unlink()
    process = tag(*command)
    process.communicate(timeout=180)
    assert process.returncode == 0
    (done,) = runs()
    assert (done.id, done.status) == (begun.id, "FINISHED")
    definition = read_manifest(folder).definition
    assert [step for step, _ in done.curve("games")] == [
        point.games for point in curve_points(folder, definition, complete=True)
    ]
    assert done.curve("win_rate/random") == [
        (point.games, point.agents["random"]["win_rate"]) for point in curve_points(folder, definition, complete=True)
    ]
