"""``tag pause`` and the button of the workbench end studies and trainings of any process in good order."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from commands import PACKAGE_HOME, run_tag

from tag.errors import DataError
from tag.tuning.commands.live import KINDS
from tag.tuning.commands.workbench.runs import Runs
from tag.tuning.study.folder import has_pause, request_pause

pytestmark = pytest.mark.flow

#: Commands of studies that take minutes.
STUDIES = {
    "tune": ("osla", "--game", "dominion", "--search", "samples=1..50", "--games", "100000"),
    "balance": (
        *("nim", "--search", "size=3..9", "--target", "seat_spread=0±0.02", "--agent", "mcts:budget=300"),
        *("--games", "100000"),
    ),
    "train": ("td_ntuple", "--game", "tic_tac_toe", "--episodes", "5000000", "--checkpoint-seconds", "0.2"),
}


@contextmanager
def at_work(folder: Path, *words: str) -> Iterator[subprocess.Popen[str]]:
    """A process that has played some games of the study in the folder, which is asked for with these words."""
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE_HOME)}
    command = [sys.executable, "-P", "-m", "tag", *words, "--workers", "1", "--no-tracking"]
    before = games_in(folder)
    with subprocess.Popen(command, cwd=folder.parent, stderr=subprocess.PIPE, text=True, env=environment) as process:
        try:
            until(process, lambda: games_in(folder) > before)
            yield process
        finally:
            process.kill()


def until(process: subprocess.Popen[str], right: Callable[[], object]) -> None:
    end = time.monotonic() + 120.0
    while not right():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < end
        time.sleep(0.05)


def games_in(folder: Path) -> int:
    rows: list[Any] = Runs([folder.parent], KINDS).rows()
    return sum(row["games"] for row in rows if row["name"] == folder.name)


def ended(process: subprocess.Popen[str]) -> str:
    _output, errors = process.communicate(timeout=120)
    assert process.returncode == 130, errors
    return errors


@pytest.mark.parametrize("command", list(STUDIES))
def test_a_study_of_the_command_line_is_paused_and_goes_on(tmp_path: Path, command: str) -> None:
    folder = tmp_path / "study"
    with at_work(folder, command, *STUDIES[command], "--out", "study") as process:
        (row,) = Runs([tmp_path], KINDS).rows()
        assert (row["state"], row["may"]) == ("running", ["pause"])
        paused = run_tag("pause", folder)
        assert paused.stdout.endswith(f" {command} {folder}\n"), paused.output
        assert "tag: stopped after" in ended(process)
    games = games_in(folder)
    assert games > 0
    more = STUDIES[command][-2:] if command == "train" else ()  # the time between checkpoints is of each command
    with at_work(folder, command, "study", *more) as process:  # by the workbench, which has not started it
        Runs([tmp_path], KINDS).pause("study")
        ended(process)
    assert games_in(folder) > games
    assert run_tag("pause", folder).stderr == f"tag: nobody is at work on {str(folder)!r}\n"


def test_a_pause_that_no_process_has_heard_is_forgotten(tmp_path: Path) -> None:
    folder = tmp_path / "study"
    with at_work(folder, "tune", *STUDIES["tune"], "--out", "study") as process:
        process.kill()
    (folder / ".pause").touch()
    with at_work(folder, "tune", "study") as process:
        assert not has_pause(folder)
        request_pause(folder)
        ended(process)
    assert not has_pause(folder)
    with pytest.raises(DataError, match="nobody is at work"):
        request_pause(folder)


def test_an_analysis_is_ended_where_it_runs(tmp_path: Path) -> None:
    (tmp_path / "analysis.json").write_text("{}")
    assert "holds an analysis, which is ended where it runs, with Ctrl-C" in run_tag("pause", tmp_path).stderr
    assert "holds no tournament" in run_tag("pause", tmp_path / "none").stderr
