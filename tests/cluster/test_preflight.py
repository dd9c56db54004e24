"""What does not fit between this machine and a cluster is one sentence at once, before Ray is asked, which would wait."""

import itertools
import json
import os
import shutil
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from tempfile import mkdtemp

import pytest
from commands import run_tag
from networks import PYTHON, RAY, head_answer, listener, python_path, tag
from stores.mlflow_servers import free_port

from tag.cluster.authentication import token_file
from tag.cluster.connection import found_address
from tag.cluster.machine import node as node_module
from tag.cluster.machine import processes
from tag.cluster.machine.node import plain_clusters
from tag.cluster.machine.settings import LOOPBACK
from tag.cluster.network.preflight import check_fit
from tag.errors import ClusterError

pytestmark = pytest.mark.flow

LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Ray makes clusters on Linux")
TOKEN = "3" * 64
#: Seconds within which a mismatch has to be told.
SOON = 5.0


def use(monkeypatch, mode, token, place):
    """Have this process use an authentication mode and a token, if any, from the environment or the file."""
    if mode:
        monkeypatch.setenv("RAY_AUTH_MODE", mode)
    if token and place == "environment":
        monkeypatch.setenv("RAY_AUTH_TOKEN", token)
    elif token:
        token_file().parent.mkdir()
        token_file().write_text(token)


@pytest.mark.parametrize("wants", ["", TOKEN, "4" * 500])
@pytest.mark.parametrize("place", ["environment", "file"])
@pytest.mark.parametrize(("mode", "token"), list(itertools.product(["", "token", "disabled"], ["", TOKEN, "4" * 500])))
def test_tokens_and_modes_fit_or_are_one_sentence(home, monkeypatch, wants, mode, token, place):
    use(monkeypatch, mode, token, place)
    with listener(partial(head_answer, token=wants)) as address:
        try:
            assert check_fit(address) == bool(wants)
            sentence = ""
        except ClusterError as error:
            sentence = str(error)
    cluster = f"the cluster at '{address}'"
    if wants and mode == "disabled":
        assert sentence == f"{cluster} wants a token, and RAY_AUTH_MODE is 'disabled'; unset it"
    elif not wants and mode == "token":
        assert sentence == f"{cluster} takes no token, and RAY_AUTH_MODE is 'token'; unset it"
    elif token == wants or not wants:
        assert sentence == ""
    elif token:
        assert sentence.startswith(f"{cluster} wants another token than that ")
    else:
        assert sentence.startswith(f"{cluster} wants a token, and there is none in '{home}/.ray/auth_token'")
    assert not token or token not in sentence


@pytest.mark.parametrize(("name", "here"), [("Ray", RAY), ("Python", PYTHON)])
@pytest.mark.parametrize("wants", ["", TOKEN])
def test_other_versions_are_one_sentence(home, monkeypatch, name, here, wants):
    use(monkeypatch, "", wants, "file")
    other = partial(head_answer, token=wants, **{name.lower(): "1.2.3"})
    with listener(other) as address, pytest.raises(ClusterError) as caught:
        check_fit(address)
    sentence = f"the cluster at '{address}' has {name} 1.2.3, and this machine {here}; install the same on all machines"
    assert str(caught.value) == sentence


def test_a_token_is_shown_only_to_a_cluster_that_wants_it(home, monkeypatch):
    use(monkeypatch, "", TOKEN, "file")
    heard = []

    def answer(request):
        heard.append(request)
        return head_answer(request)

    with listener(answer) as address:
        assert not check_fit(address)
    assert len(heard) == 1
    assert TOKEN.encode() not in heard[0]


@pytest.mark.parametrize("command", ["join", "status", "tournament"])
@pytest.mark.parametrize("kind", ["token", "version", "mode", "silence"])
def test_every_command_tells_a_mismatch_soon_and_writes_nothing(home, monkeypatch, command, kind):
    use(monkeypatch, "disabled" if kind == "mode" else "", TOKEN, "file")
    monkeypatch.setattr(node_module, "is_loopback", lambda address: False)
    monkeypatch.setattr(node_module, "_start", lambda *_: pytest.fail("Ray was started"))
    monkeypatch.chdir(home)
    answers = {
        "token": partial(head_answer, token="4" * 64),
        "version": partial(head_answer, token=TOKEN, ray="1.2.3"),
        "mode": partial(head_answer, token=TOKEN),
        "silence": lambda request: time.sleep(SOON) or b"",
    }
    words = {"token": "another token", "version": "has Ray 1.2.3", "mode": "RAY_AUTH_MODE", "silence": "timed out"}
    plays = ["tournament", "tic_tac_toe", "--agent", "random", "--agent", "osla", "--out", "run", "--address"]
    arguments = plays if command == "tournament" else ["cluster", command]
    with listener(answers[kind]) as address:
        begin = time.monotonic()
        result = run_tag(*arguments, address)
        assert time.monotonic() - begin < SOON
    assert result.exit_code == 2
    assert words[kind] in result.stderr
    assert result.stderr.count("\n") == 1
    assert not (home / "run").exists()


def test_a_cluster_without_a_token_is_not_joined(home, monkeypatch):
    monkeypatch.setattr(node_module, "is_loopback", lambda address: False)
    with listener(head_answer) as address:
        result = run_tag("cluster", "join", address)
    assert result.exit_code == 2
    assert f"the cluster at '{address}' takes no token" in result.stderr


@pytest.mark.system
def test_a_run_on_this_machine_leaves_the_users_token_alone(home):
    agents = ["--agent", "random", "--agent", "osla", "--blocks", "3", "--no-tracking"]
    played = tag(home, "tournament", "tic_tac_toe", *agents, "--quiet", "--workers", "2", "--out", "run")
    assert played.returncode == 0, played.stderr
    assert not token_file().exists()


@pytest.fixture
def plain_cluster(home):
    """Start a cluster with ``ray start`` itself, which asks for no token, and yield its address."""
    folder = Path(mkdtemp(dir="/tmp"))
    os.environ["RAY_TMPDIR"] = str(folder)
    address = f"127.0.0.1:{free_port()}"
    head = [
        str(Path(sys.executable).with_name("ray")),
        "start",
        "--head",
        "--port",
        address.rpartition(":")[2],
        "--block",
    ]
    process = subprocess.Popen(
        [*head, "--num-cpus", "1", "--node-ip-address", "127.0.0.1", "--include-dashboard", "false"],
        env={**os.environ, **LOOPBACK, "RAY_AUTH_MODE": "disabled", "PYTHONPATH": python_path()},
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    end = time.monotonic() + 120
    while plain_clusters() != [address]:
        assert process.poll() is None
        assert time.monotonic() < end
        time.sleep(0.1)
    yield address
    processes.end(process.pid, folder, 10.0)
    process.wait()
    shutil.rmtree(folder)


@LINUX
@pytest.mark.system
def test_a_plain_cluster_of_the_users_own_plays_though_there_is_a_token_file(plain_cluster, home, monkeypatch):
    use(monkeypatch, "", TOKEN, "file")
    agents = ["--agent", "random", "--agent", "osla", "--blocks", "3", "--no-tracking"]
    played = tag(home, "tournament", "tic_tac_toe", *agents, "--quiet", "--out", "run", "--address", "auto")
    assert played.returncode == 0, played.stderr
    assert "6 games in run" in played.stdout
    for arguments in (["status"], ["status", plain_cluster]):
        shown = tag(home, "cluster", *arguments, "--json")
        assert shown.returncode == 0, shown.stderr
        assert json.loads(shown.stdout)["address"] == plain_cluster


def test_auto_is_the_address_that_ray_was_told_or_the_only_cluster_here(home, monkeypatch):
    with pytest.raises(ClusterError, match="no cluster was started or joined here"):
        found_address("auto")
    with listener(head_answer) as address:
        (home / "ray").mkdir()
        (home / "ray" / "ray_current_cluster").write_text(address)
        assert found_address("auto") == address
    with pytest.raises(ClusterError, match="no cluster was started or joined here"):
        found_address("auto")  # the record is still there
    monkeypatch.setenv("RAY_ADDRESS", "10.0.0.1:6379")
    assert found_address("auto") == "10.0.0.1:6379"
    assert found_address("10.0.0.2:6379") == "10.0.0.2:6379"
