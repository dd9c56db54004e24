"""Runs share a cluster: each gets the same, or what it wants, and a new one plays soon."""

import json
import os
import subprocess
import sys
import time
from collections import Counter

import pytest
from networks import python_path, tag
from stores.mlflow_servers import free_port

from tag.cluster.sharing import Share, fair_shares
from tag.engine.rng import Rng

pytestmark = pytest.mark.flow

#: Within so many seconds of its command a tournament has to play beside another one.
SOON = 10
OWN = """
import os, time
from tag import Agent

class Slow(Agent):
    def act(self, observation, actions):
        time.sleep(float(os.environ.get('NAP', '0.1')))
        return actions[len(actions) // 2]
"""


@pytest.mark.parametrize("seed", range(20))
def test_shares_are_max_min_fair(seed):
    rng = Rng(seed)
    for _ in range(50):
        room = rng.below(20)
        wanted = {str(run): 1 + rng.below(12) for run in range(1 + rng.below(8))}
        shares = fair_shares(room, wanted, rng.below(9))
        assert sum(shares.values()) == min(room, sum(wanted.values()))
        assert all(0 <= shares[run] <= wanted[run] for run in wanted)
        short = [shares[run] for run in wanted if shares[run] < wanted[run]]
        assert not short or max(shares.values()) <= min(short) + 1


@pytest.mark.parametrize("runs", [2, 3, 7])
@pytest.mark.parametrize("room", [1, 2, 5])
def test_turns_give_every_run_the_same(runs, room):
    wanted = dict.fromkeys(map(str, range(runs)), 9)
    had = Counter()
    for turn in range(runs):
        had.update(fair_shares(room, wanted, turn))
    assert set(had.values()) == {room}


def test_a_new_run_has_the_first_turn(monkeypatch):
    from tag.cluster.sharing import RunStatus

    share = Share.__new__(Share)
    runs = [RunStatus(job, since, "", "", 4, 0) for job, since in (("old", 100.0), ("new", 200.0))]
    had = {}
    for name in ("old", "new"):
        share._job, share._wanted = name, 4
        for second in (201.0, 229.0, 231.0, 259.0, 261.0):
            monkeypatch.setattr(time, "time", lambda second=second: second)
            had[name, second] = share._share(runs, 1)
    assert [had["new", second] for second in (201.0, 229.0, 231.0, 259.0, 261.0)] == [1, 1, 0, 0, 1]
    assert all(had["old", second] == 1 - had["new", second] for _name, second in had)


def start(home, out, seed, address=""):
    """Start a tournament of slow agents in two workers at the address, or at once in one process."""
    where = ["--address", address, "--workers", "2"] if address else ["--no-ray"]
    agents = ["--agent", "own.py:Slow", "--agent", "random", "--blocks", "40", "--seed", str(seed)]
    options = ["--no-tracking", "--quiet", "--json", "--out", str(out), *where]
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "tag", "tournament", "tic_tac_toe", *agents, *options],
        cwd=home,
        env={**os.environ, "PYTHONPATH": python_path(), "NAP": "0.1" if address else "0"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def has_played(out):
    return any(out.glob("ledger/games-*.parquet"))


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Ray makes clusters on Linux")
@pytest.mark.slow
@pytest.mark.system
@pytest.mark.parametrize("cpus", [1, 2])
def test_a_second_tournament_plays_beside_the_first_on_a_full_cluster(cluster_home, cpus):
    address = f"127.0.0.1:{free_port()}"
    (cluster_home / "own.py").write_text(OWN)
    started = tag(cluster_home, "cluster", "start", "--port", address.rpartition(":")[2], "--cpus", str(cpus))
    assert started.returncode == 0, started.stderr
    first = start(cluster_home, cluster_home / "first", 1, address)
    while not has_played(cluster_home / "first"):
        assert first.poll() is None, first.communicate()
        time.sleep(0.1)
    begin = time.monotonic()
    second = start(cluster_home, cluster_home / "second", 2, address)
    while not has_played(cluster_home / "second"):
        assert second.poll() is None, second.communicate()
        time.sleep(0.1)
    assert time.monotonic() - begin < SOON
    assert first.poll() is None, "the second has waited for the end of the first"
    runs = json.loads(tag(cluster_home, "cluster", "status", "--json").stdout)["runs"]
    assert [run["wanted"] for run in runs] == [2, 2]
    assert sum(run["workers"] for run in runs) <= cpus
    for seed, name, process in ((1, "first", first), (2, "second", second)):
        output, errors = process.communicate(timeout=240)
        assert process.returncode == 0, errors
        assert "other runs are on the cluster, so this one " in errors
        alone = json.loads(start(cluster_home, cluster_home / f"{name} alone", seed).communicate(timeout=120)[0])
        assert json.loads(output)["content_hash"] == alone["content_hash"]
