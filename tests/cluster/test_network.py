"""A head and two nodes: whatever dies, the tournament completes or resumes, and the ledger is the undisturbed one."""

import json
import os
import signal
import subprocess
import sys
import time
from functools import cache
from pathlib import Path

import pytest
from commands import PACKAGE_HOME
from copied import TIC_TAC_TOE
from networks import Network, python_path, why_not

from tag.cluster.machine.processes import name_of
from tag.tuning.training.files import read_curves

pytestmark = [pytest.mark.slow, pytest.mark.system]

PORT = 7391
GAMES = 60
#: In seconds: by then Ray itself would not have noticed a cut link, nor have told of a lost head but ended the process.
SOON = 60
#: Until a node has joined again, and until a cluster without a head has ended, in seconds.
JOINED = 30
ENDED = 45
#: The user's own game and agent. The agent sleeps, so that a tournament lasts without work for the machine.
SOURCE = (
    TIC_TAC_TOE
    + """
import os, time
from tag import Agent

class OwnGame(TicTacToe):
    pass

class Slow(Agent):
    def act(self, observation, actions):
        time.sleep(float(os.environ.get('NAP', '0.1')))
        return actions[len(actions) // 2]
"""
)


@pytest.fixture(scope="module")
def hidden(tmp_path_factory):
    """Return a folder that only the first machine has."""
    return tmp_path_factory.mktemp("hidden")


@pytest.fixture(scope="module")
def machines(tmp_path_factory, hidden):
    """Three machines; the first is the head of a cluster and plays nothing, the others play."""
    reason = why_not()
    if reason:
        pytest.skip(reason)
    network = Network(3, tmp_path_factory.mktemp("home"))
    for machine in network.machines[1:]:
        machine.hides = hidden
    try:
        start_cluster(network.machines)
        yield network.machines
    finally:
        network.close()


def start_cluster(machines):
    head, *nodes = machines
    head.run("cluster", "start", "--listen", head.address, "--port", str(PORT), "--cpus", "0")
    for node in nodes:
        join(machines, node)


def join(machines, node):
    node.run("cluster", "join", address_of(machines), "--cpus", "1")


def address_of(machines):
    return f"{machines[0].address}:{PORT}"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return where the user's file is; workers, who are elsewhere, do not find it by its name."""
    made = tmp_path_factory.mktemp("own")
    (made / "own.py").write_text(SOURCE)
    return made


def command(out, *options, games=GAMES):
    agents = ["--agent", "own.py:Slow", "--agent", "random"]
    base = ["tournament", "own.py:OwnGame", *agents, "--blocks", str(games // 2), "--seed", "3", "--out", str(out)]
    return [*base, "--no-tracking", "--quiet", "--json", *options]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory, folder):
    """Return a function that returns the content hash of the ledger that one process on this machine writes."""

    @cache
    def content_hash(games):
        out = tmp_path_factory.mktemp("undisturbed") / "run"
        line = [sys.executable, "-m", "tag", *command(out, "--no-ray", games=games)]
        environment = {**os.environ, "NAP": "0", "PYTHONPATH": python_path()}
        done = subprocess.run(line, capture_output=True, text=True, check=True, cwd=folder, env=environment)
        return json.loads(done.stdout)["content_hash"]

    return content_hash


def play(machines, folder, out, games=GAMES):
    """Start the tournament at the head, and return its process once it has written games."""
    options = ["--address", address_of(machines), "--workers", "2"]
    process = machines[0].start(*command(out, *options, games=games), cwd=folder)
    end = time.monotonic() + 120
    while not list(Path(out).glob("ledger/games-*.parquet")):
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < end
        time.sleep(0.1)
    return process


def hash_of(process, games=GAMES):
    output, errors = process.communicate(timeout=240)
    assert process.returncode == 0, errors
    found = json.loads(output)
    assert found["complete"]
    assert found["games"] == games
    return found["content_hash"]


def living(machines):
    """Return the addresses of the living nodes on which workers start, by `tag cluster status`."""
    status = json.loads(machines[0].run("cluster", "status", address_of(machines), "--json"))
    return {node["address"] for node in status["nodes"] if node["alive"] and not node["trouble"]}


def test_users_files_travel_to_all_nodes(machines, folder, tmp_path, undisturbed):
    assert living(machines) == {machine.address for machine in machines}
    process = play(machines, folder, tmp_path / "run")
    assert all(machine.processes("ray::Worker") for machine in machines[1:])
    assert hash_of(process) == undisturbed(GAMES)


def test_models_travel_to_nodes_that_lack_them(machines, hidden):
    """Of a tournament, and of the evaluations of a training; those of evaluations are removed again."""

    def curves(name):
        return read_curves(hidden / name).drop(columns=["cpu_seconds", "moves_per_second"]).to_json()

    def kept():
        return sorted(file.name for machine in machines[1:] for file in machine.caches.glob("tag-games/models/*"))

    trains = ["train", "td_ntuple:tuples=lines", "--game", "tic_tac_toe", "--episodes", "600", "--seeds", "2"]
    trains += ["--evaluations", "3", "--evaluation-games", "10", "--evaluate", "random", "--evaluate", "agreement"]
    shown = ["--no-tracking", "--quiet", "--json"]
    machines[0].run(*trains, *shown, "--no-ray", "--out", str(hidden / "alone"))
    there = ["--address", address_of(machines), "--workers", "2"]
    model = f"learned:file={hidden / 'alone' / '1.safetensors'}"
    plays = [
        "tournament",
        "tic_tac_toe",
        "--agent",
        model,
        "--agent",
        "random",
        "--blocks",
        "40",
        "--seed",
        "3",
        *shown,
    ]
    alone = json.loads(machines[0].run(*plays, "--no-ray", "--out", str(hidden / "played alone")))
    assert not kept()
    found = json.loads(machines[0].run(*plays, *there, "--out", str(hidden / "played there")))
    assert found["content_hash"] == alone["content_hash"]
    assert len(kept()) == 2, "each node has a copy of its own"
    results = json.loads(machines[0].run(*trains, *shown, *there, "--out", str(hidden / "there")))
    assert results["complete"]
    assert curves("there") == curves("alone")
    for name in ("1.safetensors", "2.safetensors"):
        assert (hidden / "there" / name).read_bytes() == (hidden / "alone" / name).read_bytes()
    assert len(kept()) <= 2 + 4, "only the last checkpoint of a learner may stay, as workers end with the training"


def test_every_machine_is_measured_and_compared(machines, folder, tmp_path):
    out = tmp_path / "run"
    agents = ["--agent", "mcts:budget=3,budget_type=wall_ms", "--agent", "random"]
    limited = ["tournament", "tic_tac_toe", *agents, "--blocks", "60", "--out", str(out), "--no-tracking", "--quiet"]
    playing = ["--address", address_of(machines), "--workers", "2", "--calibrate", "--json"]
    output, errors = machines[0].start(*limited, *playing, cwd=folder).communicate(timeout=240)
    assert json.loads(output)["complete"], errors
    players = [machine.address for machine in machines[1:]]
    measured = json.loads((out / "calibration.json").read_text())["workers"]
    assert [worker["machine"] for worker in measured] == players
    assert "times are scaled" in errors
    compared = json.loads(machines[0].run("results", str(out), "--by-machine", "--json"))["machines"]["places"]
    assert [place["place"] for place in compared] == players
    assert sum(place["games"] for place in compared) == 120


def test_a_killed_node_costs_time_only(machines, folder, tmp_path, undisturbed):
    process = play(machines, folder, tmp_path / "run")
    machines[2].kill()
    assert hash_of(process) == undisturbed(GAMES)
    assert living(machines) == {machine.address for machine in machines[:2]}
    machines[2].run("cluster", "stop")
    join(machines, machines[2])


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"RAY_AUTH_TOKEN": "0" * 64}, "wants another token than that of RAY_AUTH_TOKEN"),
        ({"RAY_AUTH_TOKEN_PATH": "/nowhere"}, "wants a token, and there is none in '/nowhere'"),
        ({"RAY_AUTH_MODE": "disabled"}, "wants a token, and RAY_AUTH_MODE is 'disabled'"),
    ],
)
@pytest.mark.parametrize("command", ["join", "status"])
def test_who_does_not_fit_is_told_soon(machines, command, settings, sentence):
    begin = time.monotonic()
    process = machines[2].start("cluster", command, address_of(machines), more=settings)
    output, errors = process.communicate(timeout=60)
    assert time.monotonic() - begin < 5
    assert (process.returncode, output) == (2, "")
    assert errors.startswith(f"tag: the cluster at '{address_of(machines)}' {sentence}")


@pytest.mark.parametrize(
    ("file", "more", "reason"),
    [
        ("tag/games/abstract/tic_tac_toe.py", "# edited\n", "has sources "),
        (
            "tag/cluster/batches.py",
            "import sys\nif 'ray' in sys.modules:\n    import absent\n",
            "does not start: ModuleNotFound",
        ),
    ],
)
def test_a_node_that_does_not_fit_and_joins_during_a_run_is_named_and_not_used(
    machines, folder, tmp_path, undisturbed, file, more, reason
):
    node = machines[2]
    node.run("cluster", "stop")
    (tmp_path / "other.py").write_text((PACKAGE_HOME / file).read_text() + more)
    node.swaps = {PACKAGE_HOME / file: tmp_path / "other.py"}
    process = play(machines, folder, tmp_path / "run")
    join(machines, node)
    output, errors = process.communicate(timeout=240)
    node.swaps = {}
    node.run("cluster", "stop")
    assert process.returncode == 0, errors
    assert json.loads(output)["content_hash"] == undisturbed(GAMES)
    (sentence,) = [line for line in errors.splitlines() if node.address in line]
    assert sentence.startswith(f"tag: the worker on {node.address} {reason}")
    assert sentence.endswith("; the other nodes play without it")
    join(machines, node)


def test_a_cut_link_costs_time_only(machines, folder, tmp_path, undisturbed):
    out = tmp_path / "run"
    process = play(machines, folder, out)
    machines[2].set_link("down")
    begin = time.monotonic()
    assert hash_of(process) == undisturbed(GAMES)
    assert time.monotonic() - begin < SOON
    machines[2].set_link("up")
    wait_until_joined(machines)


@pytest.mark.parametrize("cut", [20, 40])
def test_a_node_that_was_cut_off_joins_again_by_itself_and_plays(machines, folder, tmp_path, undisturbed, cut):
    games = 4 * GAMES
    process = play(machines, folder, tmp_path / "run", games)
    keeper, *old = sorted(machines[2].processes())
    (raylet,) = machines[2].processes("raylet")
    machines[2].set_link("down")
    time.sleep(cut)
    machines[2].set_link("up")
    wait_until_joined(machines)
    is_same = bool(name_of(raylet))
    assert cut == 20 or not is_same
    assert is_same or not any(name_of(number) for number in old)
    assert name_of(keeper)
    end = time.monotonic() + JOINED
    while not machines[2].processes("ray::Worker"):
        assert time.monotonic() < end
        time.sleep(0.5)
    assert hash_of(process, games) == undisturbed(games)


def wait_until_joined(machines):
    end = time.monotonic() + JOINED
    while not (machines[2].processes("raylet") and living(machines) == {machine.address for machine in machines}):
        assert time.monotonic() < end
        time.sleep(1)


def test_a_killed_driver_resumes(machines, folder, tmp_path, undisturbed):
    out = tmp_path / "run"
    process = play(machines, folder, out)
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=60)
    assert process.returncode == -signal.SIGKILL
    assert hash_of(play(machines, folder, out)) == undisturbed(GAMES)


def test_a_killed_head_ends_the_run_in_one_sentence(machines, folder, tmp_path, undisturbed):
    out, games = tmp_path / "run", 4 * GAMES
    process = play(machines, folder, out, games)
    machines[0].kill("gcs_server")
    begin = time.monotonic()
    output, errors = process.communicate(timeout=120)
    assert time.monotonic() - begin < SOON
    assert process.returncode == 2
    assert output == ""
    sentence = f"the head of the cluster at '{address_of(machines)}' is gone; once it is there again"
    assert errors == f"tag: {sentence}, the same command goes on\n"
    while any(machine.processes() for machine in machines):
        assert time.monotonic() - begin < ENDED
        time.sleep(0.5)
    for machine in machines:
        machine.run("cluster", "stop")
    start_cluster(machines)
    assert hash_of(play(machines, folder, out, games), games) == undisturbed(games)
