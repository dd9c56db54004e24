"""Exactly once: whatever is killed at whatever time, the resumed ledger equals the undisturbed one."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from commands import run_tag
from families import family

from tag.catalogue.version import is_compiled

pytestmark = pytest.mark.flow

#: It takes so long that it can be ended before its end.
MCTS = f"mcts:budget={8_000 if is_compiled() else 1_000}"
GAME = ["connect_four", "--agent", MCTS, "--agent", "osla", "--agent", "random"]
BLOCKS = ["--blocks", "15", "--seed", "4", "--opening", "random:2"]
#: ``tag`` that plays and writes little at a time: else an idle machine has played all when the first games are written.
HASTY = """
from tag.cli import main
from tag.tournaments.driver import batches, driver
batches._AIM = driver._FLUSH_SECONDS = 0.05
main(prog_name="tag")
"""


def tag(*arguments):
    paths = os.pathsep.join(os.path.abspath(entry) for entry in sys.path)  # noqa: PTH100  "" is the working directory
    command = [sys.executable, "-P", "-c", HASTY, *arguments]
    return subprocess.Popen(
        command, env={**os.environ, "PYTHONPATH": paths}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def tournament(out, workers):
    return tag("tournament", *GAME, *BLOCKS, "--workers", str(workers), "--no-tracking", "--quiet", "--out", str(out))


def finished(process):
    output, errors = process.communicate(timeout=180)
    assert process.returncode == 0, errors
    return output


def content_hash(out):
    done = run_tag("results", out, "--json")
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert found["complete"]
    assert found["games"] == 15 * 3 * 2
    return found["content_hash"]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    out = tmp_path_factory.mktemp("undisturbed") / "run"
    finished(tournament(out, 1))
    return out


def wait_for_games(out, process):
    """Wait until the tournament has written games and is not complete."""
    end = time.monotonic() + 120
    while not list(out.glob("ledger/games-*.parquet")):
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < end
        time.sleep(0.02)


def a_worker_of(pid):
    """Return a process below ``pid`` in which a worker of ours plays."""
    return next(process.pid for process in family(pid) if process.name.startswith("ray::Worker"))


def disturb(how, process):
    if how == "driver interrupted":
        process.send_signal(signal.SIGINT)
    elif how == "driver killed":
        process.kill()
    else:
        os.kill(a_worker_of(process.pid), signal.SIGKILL)


def check(how, workers, out, undisturbed):
    process = tournament(out, workers)
    wait_for_games(out, process)
    disturb(how, process)
    process.communicate(timeout=180)
    assert process.returncode == {"driver interrupted": 130, "driver killed": -signal.SIGKILL, "worker killed": 0}[how]
    finished(tournament(out, workers))
    assert content_hash(out) == content_hash(undisturbed)
    ledgers = [sorted((folder / "ledger").glob("games-*")) for folder in (out, undisturbed)]
    assert [path.name for path in ledgers[0]] == [path.name for path in ledgers[1]]
    assert ledgers[0][0].read_bytes() == ledgers[1][0].read_bytes()


@pytest.mark.system
def test_a_killed_worker_loses_nothing(tmp_path, undisturbed):
    check("worker killed", 2, tmp_path / "run", undisturbed)


@pytest.mark.parametrize("how", ["driver interrupted", "driver killed"])
@pytest.mark.system
def test_a_driver_that_plays_itself_resumes(how, tmp_path, undisturbed):
    check(how, 1, tmp_path / "run", undisturbed)


@pytest.mark.slow
@pytest.mark.system
@pytest.mark.parametrize("workers", [2, 4])
@pytest.mark.parametrize("how", ["driver interrupted", "driver killed", "worker killed"])
def test_the_ledger_is_the_same_in_the_end(how, workers, tmp_path, undisturbed):
    check(how, workers, tmp_path / "run", undisturbed)
