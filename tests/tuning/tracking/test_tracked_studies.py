"""Tracked studies: a process writes the runs beside, and whatever becomes of it or its store costs a sentence."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from commands import run_tag
from stores.mlflow_servers import free_port, served
from stores.seen_runs import Runs, SeenRun
from studies.study_runs import study_and_parts

from tag.tournaments.tracking import tracker
from tag.tournaments.tracking.stores import default_tracking_uri
from tag.tuning.agent.defining import define_study
from tag.tuning.agent.definition import StudyDefinition
from tag.tuning.run import run_study

pytestmark = [pytest.mark.filterwarnings("ignore:The ``noload`` loader strategy:DeprecationWarning"), pytest.mark.flow]

EXPERIMENT = "tic_tac_toe-tuning"
#: In seconds: a machine that is free takes one minute for all, a busy one much longer.
PATIENCE = 3600.0


def small() -> StudyDefinition:
    return define_study(
        "rhea:budget=10",
        "tic_tac_toe",
        games=32,
        games_per_trial=8,
        search=("horizon=1..6",),
        versus=("random",),
        validation=0,
        sampler="random",
    )


def test_a_study_is_one_run(runs_in: Runs, empty_store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    uri = default_tracking_uri(tmp_path / "s")
    shutil.copy(empty_store, tmp_path / "mlflow.db")
    assert run_study(small(), tmp_path / "s").complete
    run, _parts = study_and_parts(runs_in(uri, EXPERIMENT))
    assert run.status == "FINISHED"
    assert run.curve("games")[-1] == (32, 32)

    def no_process(_task: object) -> None:
        raise AssertionError

    monkeypatch.setattr(tracker, "_WriterProcess", no_process)
    assert run_study(small(), tmp_path / "s").complete  # nobody has to ask the store


def test_a_store_that_is_away_costs_one_sentence(empty_store: Path, tmp_path: Path) -> None:
    """And nobody is sent there to look at a run; the same command sends people where there is one."""
    words = ["tune", "rhea:budget=10", "--game", "tic_tac_toe", "--games", "32", "--games-per-trial", "8"]
    words += ["--search", "horizon=1..6", "--versus", "random", "--validation", "0", "--sampler", "random"]
    words += ["--no-ray", "--out", str(tmp_path / "s")]
    away = run_tag(*words, "--tracking-uri", "http://127.0.0.1:9")
    assert away.exit_code == 0
    (sentence,) = [line for line in away.stderr.splitlines() if line.startswith("tag:")]
    assert sentence.startswith("tag: nothing is tracked at http://127.0.0.1:9 for now (nobody answers: ")
    assert "look at its run" not in away.stdout
    shutil.copy(empty_store, tmp_path / "mlflow.db")
    there = run_tag(*words)
    assert f"mlflow ui --backend-store-uri {default_tracking_uri(tmp_path / 's')}" in there.stdout
    assert "http://127.0.0.1:5000/#/experiments/1?workflowType=machine_learning\n" in there.stdout
    assert "look at its run" not in run_tag(*words, "--json").stdout


def test_a_study_that_is_not_tracked_starts_no_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_process(_task: object) -> None:
        raise AssertionError

    monkeypatch.setattr(tracker, "_WriterProcess", no_process)
    assert run_study(small(), tmp_path / "s", tracking=False).complete
    assert not (tmp_path / "mlflow.db").exists()


@pytest.mark.slow
def test_a_server_that_is_killed_loses_nothing(
    runs_in: Runs, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server dies in the middle and comes back once the study is over: one run, as if nothing had happened."""
    monkeypatch.setenv("MLFLOW_HTTP_REQUEST_TIMEOUT", "600")
    store, port = tmp_path_factory.mktemp("server"), free_port()
    agent, brake, folder = tmp_path / "slow.py", tmp_path / "brake", tmp_path / "s"
    agent.write_text(
        "from pathlib import Path\nfrom time import sleep\nfrom tag import Agent\n\nclass Slow(Agent):\n"
        f"    def act(self, observation, actions):\n        sleep(0.05 if Path({str(brake)!r}).exists() else 0)\n"
        "        return self.sim.rng.choice(actions)\n"
    )
    command = ["tune", "rhea:budget=10", "--game", "tic_tac_toe", "--versus", f"{agent}:Slow", "--games", "6000"]
    command += ["--search", "horizon=1..6", "--sampler", "random", "--games-per-trial", "20", "--validation", "40"]
    command += ["--no-race", "--no-ray", "--out", str(folder), "--tracking-uri", f"http://127.0.0.1:{port}"]

    def run() -> subprocess.Popen[str]:
        paths = os.pathsep.join(os.path.abspath(entry) for entry in sys.path)  # noqa: PTH100  "" is the working directory
        return subprocess.Popen(
            [sys.executable, "-P", "-m", "tag", *command],
            env={**os.environ, "PYTHONPATH": paths},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def wait_for(uri: str, is_there: Callable[[SeenRun], bool]) -> SeenRun:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            runs = runs_in(uri, EXPERIMENT)
            if runs and is_there(study_and_parts(runs)[0]):
                return study_and_parts(runs)[0]
            time.sleep(0.5)
        raise AssertionError

    brake.touch()
    with served(store, port) as uri:
        process = run()
        begun = wait_for(uri, lambda run: run.status == "RUNNING" and run.metrics.get("games", 0) > 0)
    brake.unlink()  # the server is gone, and the study goes on
    _output, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, errors
    assert errors.count("nothing is tracked at") == 1
    with served(store, port) as uri:
        process = run()
        _output, errors = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0
        assert "nothing is tracked" not in errors
        done, parts = study_and_parts(runs_in(uri, EXPERIMENT))
        there = done.curves(), {name: run.curves() for name, run in parts.items()}, done.files()
    assert (done.id, done.status) == (begun.id, "FINISHED")

    command[-1] = default_tracking_uri(folder)
    process = run()
    process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    other, parts = study_and_parts(runs_in(command[-1], EXPERIMENT))
    assert there == (other.curves(), {name: run.curves() for name, run in parts.items()}, other.files())
    assert there[0]["games"][-1] == (6000, 6000)
