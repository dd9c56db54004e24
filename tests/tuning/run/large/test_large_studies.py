"""What a study of 100,000 games takes beside its games: runs of MLflow's, time for tracking, memory of the driver."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from stores.seen_runs import Runs

from tag.tournaments.tracking.stores import default_tracking_uri

pytestmark = [
    pytest.mark.flow,
    pytest.mark.filterwarnings("ignore:The ``noload`` loader strategy:DeprecationWarning"),
    pytest.mark.skipif(sys.platform != "linux", reason="reads /proc"),
]

GAMES = 100_000
MOST_RUNS = 60
MOST_MB = 500.0
#: Games of agents that are worth tuning take longer, in seconds of a worker.
GAME_SECONDS = 0.01


def play(folder: Path, stop: int) -> dict[str, Any]:
    """Play, or go on with, a study in a process of its own, until Ctrl-C after ``stop`` games, and return its figures."""
    paths = os.pathsep.join(os.path.abspath(entry) for entry in sys.path)  # noqa: PTH100  "" is the working directory
    script = Path(__file__).with_name("large_study.py")
    run = subprocess.run(
        [sys.executable, "-P", str(script), str(folder), str(GAMES), str(stop)],
        env={**os.environ, "PYTHONPATH": paths, "OPENBLAS_NUM_THREADS": "1"},
        check=True,
        capture_output=True,
        text=True,
    )
    figures = json.loads(run.stdout)
    sys.stdout.write(f"{figures}\n")
    return figures


def share_of_tracking(parts: list[dict[str, Any]]) -> float:
    """Return the share of the CPU time of a study, games included, that its driver and the writing process take for runs."""
    played, driver, tracking, writer = (
        sum(part[name] for part in parts) for name in ("played", "driver_seconds", "tracking_seconds", "writer_seconds")
    )
    return (tracking + writer) / (driver + writer + played * GAME_SECONDS)


@pytest.mark.slow
def test_what_a_large_study_takes(runs_in: Runs, tmp_path: Path) -> None:
    """Interrupted in the middle and gone on with, in one run of MLflow's and some within it."""
    folder = tmp_path / "s"
    parts = [play(folder, stop) for stop in (GAMES // 2, 0)]
    assert [part["complete"] for part in parts] == [False, True]
    assert GAMES // 2 <= parts[0]["played"] < 0.6 * GAMES
    assert parts[1]["trials"] > parts[0]["trials"] > 50
    runs = runs_in(default_tracking_uri(folder), "tic_tac_toe-tuning")
    assert {run.status for run in runs} == {"FINISHED"}
    assert 1 < len(runs) <= MOST_RUNS
    assert share_of_tracking(parts) < 0.02
    assert max(part["memory_mb"] for part in parts) < MOST_MB
