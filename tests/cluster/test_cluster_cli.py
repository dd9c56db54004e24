"""`tag cluster` starts, shows and stops a real cluster, its own and no other, and says in one sentence what cannot be."""

import json
import os
import signal
import stat
import subprocess
import sys
import time
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import pytest
from commands import run_tag
from networks import SETTINGS, head_answer, listener, tag
from stores.mlflow_servers import free_port

from tag.catalogue.version import difference, installation
from tag.cluster.authentication import ensure_token, token_file
from tag.cluster.batches import cores, processor
from tag.cluster.machine import node as node_module
from tag.cluster.machine import processes
from tag.cluster.machine.node import nodes_here
from tag.cluster.network.watches import Watch
from tag.cluster.sharing import RunStatus
from tag.cluster.status import NodeStatus
from tag.errors import ClusterError

pytestmark = pytest.mark.flow

ROOT = Path(__file__).parents[2]
LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Ray makes clusters on Linux")


def run(*arguments):
    return run_tag("cluster", *arguments)


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def test_a_token_is_made_once_and_is_nobody_elses(home):
    ensure_token()
    made = token_file().read_text()
    assert len(made) == 64
    assert mode(token_file()) == 0o600
    token_file().chmod(0o644)
    ensure_token()
    assert token_file().read_text() == made
    assert mode(token_file()) == 0o600
    assert [path.name for path in token_file().parent.iterdir()] == [token_file().name]


def test_an_empty_token_is_replaced(home):
    token_file().parent.mkdir()
    token_file().write_text("\n")
    ensure_token()
    assert len(token_file().read_text()) == 64


def test_a_token_that_cannot_be_written_is_one_sentence(home, monkeypatch):
    (home / "file").touch()
    monkeypatch.setenv("RAY_AUTH_TOKEN_PATH", str(home / "file" / "token"))
    with pytest.raises(ClusterError, match=r"token in .*file/token.*: .*directory"):
        ensure_token()


@LINUX
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["start", "--listen", "::"], "a cluster needs one address that all its machines reach, not '::'"),
        (["start", "--listen", "203.0.113.1"], "cannot listen at 203.0.113.1:6379: Cannot assign requested address"),
        (["join", "127.0.0.1:6379"], "'127.0.0.1:6379' is for one machine alone; start the head with --listen"),
        (["join", "192.0.2.1"], "'192.0.2.1' is no address of a cluster; write host:port"),
        (["status"], "no cluster was started or joined here"),
        (["status", "127.0.0.1:1"], "no Ray cluster answers at '127.0.0.1:1': Connection refused"),
        (["status", "127.0.0.1:99999"], "no Ray cluster answers at '127.0.0.1:99999'"),
        (["status", "ray://127.0.0.1:1"], "'ray://127.0.0.1:1' is no address of a cluster"),
        (["strat"], "No such command 'strat'"),
    ],
)
def test_mistakes_are_one_sentence_and_exit_code_2(home, arguments, sentence):
    result = run(*arguments)
    assert result.exit_code == 2
    assert result.stderr.startswith(f"tag: {sentence.format(home=home)}")
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""
    assert nodes_here() == []


@LINUX
def test_no_cluster_without_a_token(home, monkeypatch):
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")
    result = run("start", "--port", str(free_port()))
    assert result.exit_code == 2
    assert result.stderr == (
        "tag: without a token anybody could run code on a cluster; unset RAY_AUTH_MODE, which is 'disabled'\n"
    )


@LINUX
def test_a_taken_port_and_a_missing_program(home, monkeypatch):
    with listener(b"") as address:
        result = run("start", "--port", address.rpartition(":")[2])
        assert f"cannot listen at {address}: Address already in use" in result.stderr
    monkeypatch.setattr(sys, "executable", str(home / "python"))
    monkeypatch.setenv("PATH", str(home))
    assert "there is no program ray beside" in run("start", "--port", str(free_port())).stderr
    assert nodes_here() == []


@LINUX
@pytest.mark.parametrize(
    ("last_line", "sentence"),
    [
        ("ValueError: no memory today.", "Ray does not start: ValueError: no memory today"),
        ("Exception: Cannot include dashboard with missing packages", "the dashboard needs more of Ray than is"),
        ("Unauthenticated: RPC error: InvalidAuthToken", "the cluster wants another token than that in '{home}/.ray/"),
    ],
)
def test_what_ray_dies_of_is_told_and_nothing_is_left(home, monkeypatch, last_line, sentence):
    program = home / "ray"
    program.write_text(f"#!/bin/sh\necho Starting.\necho '{last_line}'\nexit 3\n")
    program.chmod(0o700)
    monkeypatch.setattr(node_module, "_ray_program", lambda: str(program))
    result = run("start", "--port", str(free_port()))
    assert result.exit_code == 2
    assert result.stderr.startswith(f"tag: {sentence.format(home=home)}")
    assert result.stderr.count("\n") == 1
    assert nodes_here() == []


def test_another_server_is_no_cluster(home):
    with listener(b"HTTP/1.1 400 Bad Request\r\n\r\n") as address:
        assert run("status", address).stderr == (
            f"tag: no Ray cluster answers at '{address}': something else listens there\n"
        )


@LINUX
def test_a_machine_that_is_no_part_of_the_cluster_is_told_how_to_become_one(home, monkeypatch):
    monkeypatch.setattr("tag.cluster.connection.is_running", lambda program: False)
    with listener(head_answer) as address:
        result = run("status", address)
    sentence = f"this machine is no part of the cluster at '{address}'; run: tag cluster join {address} --cpus 0"
    assert result.stderr == f"tag: {sentence}\n"


def test_the_status_for_people_says_which_node_is_in_trouble(home, monkeypatch):
    one = NodeStatus("10.0.0.1", "one", True, True, 0, "fast", 4, "2.60.0", installation(), "")
    two = replace(one, address="10.0.0.2", host="two", head=False, cpus=8, trouble="tag 1 instead of 2")
    three = replace(two, address="10.0.0.3", alive=False, installed={}, trouble="lost")
    monkeypatch.setattr("tag.cluster.cli.cluster_status", lambda address: [one, two, three])
    monkeypatch.setattr("tag.cluster.cli.connected", nullcontext)
    runs = [
        RunStatus("1", 0.0, "10.0.0.1/7", "tag tournament uno", 8, 8),
        RunStatus("2", 9.0, "10.0.0.2/9", "tag tune", 4, 0),
    ]
    monkeypatch.setattr("tag.cluster.cli.running", lambda: runs)
    lines = run("status", "10.0.0.1:6379").stdout.splitlines()
    assert lines[0].strip() == "the cluster at 10.0.0.1:6379"
    assert "2 nodes, 8 CPUs" in lines
    for words in (
        ("10.0.0.1/7", "8 of 8", "plays", "tag tournament uno"),
        ("10.0.0.2/9", "0 of 4", "waits", "tag tune"),
    ):
        assert any(all(f" {word} " in line for word in words) for line in lines)
    for words in (("10.0.0.1", "head", "0"), ("10.0.0.2", "node", "8", "tag 1 instead of 2"), ("10.0.0.3", "lost")):
        assert any(all(f" {word} " in line for word in words) for line in lines)


@LINUX
def test_a_folder_that_others_can_write_to_is_refused(home):
    (home / f"tag-{os.getuid()}").mkdir()
    (home / f"tag-{os.getuid()}").chmod(0o777)
    assert "others can write to" in run("stop").stderr


@LINUX
def test_only_what_works_in_the_folder_belongs_to_a_node(tmp_path):
    inside, outside = (
        subprocess.Popen(["sleep", "60"], cwd=folder, start_new_session=True) for folder in (tmp_path, ROOT)
    )
    try:
        assert processes.members(inside.pid, tmp_path) == [inside.pid]
        assert processes.is_running("sleep")
        assert not processes.is_running("no such one")
        assert processes.members(outside.pid, tmp_path) == []
        assert processes.end(inside.pid, tmp_path, 5.0) == 1
        assert inside.wait(5) == -signal.SIGTERM
        assert outside.poll() is None
    finally:
        for process in (inside, outside):
            process.kill()
            process.wait()


@LINUX
def test_what_does_not_want_to_end_is_ended(tmp_path):
    code = "import signal,time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(flush=True); time.sleep(60)"
    stubborn = subprocess.Popen(
        [sys.executable, "-c", code], cwd=tmp_path, start_new_session=True, stdout=subprocess.PIPE
    )
    with stubborn:
        stubborn.stdout.readline()
        assert processes.end(stubborn.pid, tmp_path, 0.3) == 1
        assert stubborn.wait(5) == -signal.SIGKILL


@pytest.mark.parametrize(("may_return", "silence"), [(True, 0.3), (False, 3600.0)])
def test_a_watch_tells_when_nobody_answers_any_more(monkeypatch, may_return, silence):
    monkeypatch.setattr("tag.cluster.network.watches._EVERY", 0.02)
    monkeypatch.setattr("tag.cluster.network.watches._SILENCE", silence)
    with listener(SETTINGS) as address:
        watch = Watch("the head of the cluster", address, may_return)
        time.sleep(0.6)
        watch.check()
    end = time.monotonic() + 10
    while not watch.lost and time.monotonic() < end:
        time.sleep(0.02)
    with pytest.raises(ClusterError, match=f"the head of the cluster at '{address}' is gone; once it is there again"):
        watch.check()
    watch.close()


def test_installations_differ_in_words():
    assert difference(installation(), installation()) == ""
    other = {**installation(), "sources": "0", "my-games": "1.2"}
    assert difference(other, installation()) == (
        f"sources 0 instead of {installation()['sources']}, my-games 1.2 instead of none"
    )


@LINUX
@pytest.mark.system
def test_a_cluster_lives_plays_and_is_gone(cluster_home):
    address = f"127.0.0.1:{free_port()}"
    started = tag(cluster_home, "cluster", "start", "--port", address.rpartition(":")[2], "--cpus", "1")
    assert started.returncode == 0, started.stderr
    assert f"--address {address}" in started.stdout
    secret = token_file().read_text()
    assert secret not in started.stdout + started.stderr
    (node,) = nodes_here()
    members = processes.members(node.session, node.folder)
    commands = [Path(f"/proc/{pid}/cmdline").read_bytes() for pid in members]
    assert not any(secret.encode() in command for command in commands)
    # Ray's process of that name has other tasks, too; without pages it serves nothing to look at.
    assert all(b"--disable-frontend" in command for command in commands if b"dashboard/dashboard.py" in command)
    assert not listening_elsewhere(members)

    status = json.loads(tag(cluster_home, "cluster", "status", "--json").stdout)
    assert status["address"] == address
    (only,) = status["nodes"]
    assert only | {"host": "", "ray": ""} == {
        "address": "127.0.0.1",
        "host": "",
        "head": True,
        "alive": True,
        "cpus": 1,
        "processor": processor(),
        "cores": cores(),
        "ray": "",
        "installed": installation(),
        "trouble": "",
    }
    agents = ["--agent", "random", "--agent", "osla", "--blocks", "3", "--no-tracking", "--out", "run"]
    played = tag(cluster_home, "tournament", "tic_tac_toe", *agents, "--quiet", "--address", address)
    assert played.returncode == 0, played.stderr
    assert "6 games in run" in played.stdout

    logs = [path for path in node.folder.rglob("*") if path.is_file()]
    assert len(logs) > 5
    assert not [path for path in logs if secret.encode() in path.read_bytes()]

    own = token_file()
    own.write_text("0" * 64)
    wrong = tag(cluster_home, "cluster", "status", address)
    assert (wrong.returncode, wrong.stdout) == (2, "")
    expected = f"the cluster at '{address}' wants another token than that in '{own}'; copy the file from its head"
    assert wrong.stderr == f"tag: {expected}\n"
    refused = tag(cluster_home, "tournament", "tic_tac_toe", *agents[:-1], "more", "--quiet", "--address", address)
    assert (refused.returncode, refused.stderr) == (2, wrong.stderr)

    own.unlink()
    begin = time.monotonic()
    without = tag(cluster_home, "tournament", "tic_tac_toe", *agents[:-1], "more", "--quiet", "--address", address)
    assert time.monotonic() - begin < 20.0  # Ray alone takes more; two are usual
    assert (without.returncode, without.stdout) == (2, "")
    expected = f"the cluster at '{address}' wants a token, and there is none in '{own}'; copy the file from its head"
    assert without.stderr == f"tag: {expected}\n"
    assert (cluster_home / "run").is_dir()
    assert not (cluster_home / "more").exists()

    gcs = next(pid for pid in members if b"gcs_server" in Path(f"/proc/{pid}/cmdline").read_bytes())
    os.kill(gcs, signal.SIGKILL)
    end = time.monotonic() + 20
    while processes.members(node.session, node.folder):
        assert time.monotonic() < end
        time.sleep(0.1)
    stopped = tag(cluster_home, "cluster", "stop")
    assert stopped.stdout == f"the head of the cluster at {address} had ended; cleared what it left\n"
    assert not node.folder.exists()
    assert "nothing to stop" in tag(cluster_home, "cluster", "stop").stdout


def listening_elsewhere(members):
    """Return the addresses other than the loopback device's at which the processes listen."""
    inodes = set()
    for pid in members:
        for entry in Path(f"/proc/{pid}/fd").iterdir():
            link = str(entry.readlink())
            if link.startswith("socket:"):
                inodes.add(link[8:-1])
    found = []
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/net/{table}").read_text().splitlines()[1:]:
            fields = line.split()
            local = fields[1].rpartition(":")[0]
            if fields[3] == "0A" and fields[9] in inodes and not local.endswith("0100007F"):
                found.append(local)
    return found
