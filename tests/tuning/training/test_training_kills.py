"""After any kill at any time, a training that is begun again comes to the same, byte for byte."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
from families import family
from small_trainings import LEARNER, outcome, small, trained

from tag.catalogue.version import is_compiled
from tag.engine.rng import Rng

pytestmark = [pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc"), pytest.mark.flow]

OPTIONS = ["--seeds", "2", "--evaluations", "3", "--evaluation-games", "4", "--evaluate", "random", "--quiet"]
PATIENCE = 120.0
#: So many that a training can be ended before its end.
EPISODES = 16_000 if is_compiled() else 400


def command(out: Path, workers: int, episodes: int) -> subprocess.Popen[str]:
    paths = os.pathsep.join(os.path.abspath(entry) for entry in sys.path)  # noqa: PTH100  "" is the working directory
    words = ["train", LEARNER, "--game", "tic_tac_toe", "--episodes", str(episodes), *OPTIONS, "--no-tracking"]
    words += ["--checkpoint-seconds", "0.05", "--workers", str(workers), "--out", str(out)]
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "tag", *words],
        env={**os.environ, "PYTHONPATH": paths},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )


def wait_for_checkpoints(out: Path, process: subprocess.Popen[str], number: int) -> None:
    """Wait until so many checkpoints were seen, of which the training keeps the last ones only."""
    end, seen = time.monotonic() + PATIENCE, set()
    while len(seen) < number and process.poll() is None:
        assert time.monotonic() < end
        seen |= {path.name for path in out.glob("checkpoints/*.safetensors")}
        time.sleep(0.01)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("undisturbed") / "training"
    trained(small(episodes=EPISODES), out, seconds=60.0)
    return out


@pytest.mark.parametrize("how", ["killed", "interrupted"])
def test_a_training_that_was_ended_goes_on(how: str, tmp_path: Path, undisturbed: Path) -> None:
    out = tmp_path / "training"
    process = command(out, 1, EPISODES)
    wait_for_checkpoints(out, process, 3 + os.getpid() % 5)  # at any moment
    process.send_signal(signal.SIGKILL if how == "killed" else signal.SIGINT)
    _output, errors = process.communicate(timeout=PATIENCE)
    if how == "interrupted":
        assert process.returncode == 130, errors
        assert "go on with: " in errors
    assert not (out / "2.safetensors").exists(), "it was ended too late to test anything"
    assert trained(small(episodes=EPISODES), out).complete
    assert outcome(out) == outcome(undisturbed)


@pytest.mark.slow
@pytest.mark.system
@pytest.mark.parametrize("workers", [1, 2])
def test_a_storm_of_kills_changes_nothing(workers: int, tmp_path: Path) -> None:
    """Kill the command or one of its workers again and again, after some checkpoints and at any time in between."""
    episodes, kills, rng = 60_000 if is_compiled() else 1_500, 0, Rng(3)
    trained(small(episodes=episodes), tmp_path / "undisturbed", seconds=60.0)
    out = tmp_path / "training"
    process = command(out, workers, episodes)
    while kills < 8 and process.poll() is None:
        wait_for_checkpoints(out, process, rng.below(5))
        time.sleep(rng.uniform())
        below = sorted(one for one in family(process.pid) if one.name.startswith("ray::Worker"))
        pid = below[rng.below(len(below))].pid if below and rng.below(2) else process.pid
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
            kills += 1
        if pid == process.pid:
            _output, errors = process.communicate()
            if not process.returncode:  # it had just ended
                break
            assert process.returncode == -signal.SIGKILL, errors
            process = command(out, workers, episodes)
    if process.poll() is None:
        _output, errors = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0, errors
    assert not process.returncode
    assert kills >= 5
    assert outcome(out) == outcome(tmp_path / "undisturbed")
