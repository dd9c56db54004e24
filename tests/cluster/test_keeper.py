"""A keeper ends what is left of its node, and starts it again where the head can be reached; here without Ray."""

import os
import shutil
import subprocess
import sys
import threading
import time
from contextlib import suppress

import pytest
from networks import head_answer, listener, liveness_answer, python_path
from stores.mlflow_servers import free_port

from tag.cluster.machine import processes

pytestmark = [
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Ray makes clusters on Linux"),
    pytest.mark.flow,
]

#: A keeper that waits for fractions of seconds, with a node that leaves another process behind.
PROGRAM = """
import sys
from tag.cluster.machine import keeper
keeper._LOOK_SECONDS = 0.1
keeper._STOPPED_SECONDS = 1.0
keeper.keep(["sh", "-c", sys.argv[1]], sys.argv[2], sys.argv[3] == "head")
"""
NODE = "./raylet 600 & ./gcs_server 600 & ./agent 600 & sleep 0.1"


@pytest.fixture
def start(home, tmp_path):
    """Return a function that starts a keeper and waits for its word; in the end all of their processes are ended."""
    for name in ("raylet", "gcs_server", "agent"):
        shutil.copy(shutil.which("sleep"), tmp_path / name)
    keepers = []

    def started(address, role="node", command=NODE):
        keeper = subprocess.Popen(
            [sys.executable, "-P", "-c", PROGRAM, command, address, role],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": python_path()},
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        keepers.append(keeper)
        return keeper, keeper.stdout.readline()

    yield started
    for keeper in keepers:
        processes.end(keeper.pid, tmp_path, 0.0)
        keeper.communicate()


def running(keeper, folder):
    """Return the numbers of the node's processes by name."""
    found = {}
    for number in processes.members(keeper.pid, folder):
        with suppress(ValueError):
            found[processes.name_of(number)] = number
    return {name: found[name] for name in ("raylet", "gcs_server", "agent") if name in found}


def wait_until(condition):
    end = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_a_node_that_ended_starts_again_with_no_process_of_the_old(start, tmp_path):
    with listener(head_answer) as address:
        keeper, said = start(address)
        assert said == b"started\n"
        old = running(keeper, tmp_path)
        assert len(old) == 3
        (tmp_path / "session").mkdir()
        os.kill(old["raylet"], 9)
        wait_until(lambda: len(now := running(keeper, tmp_path)) == 3 and not {*now.values()} & {*old.values()})
        assert not any(processes.name_of(number) for number in old.values())
        assert not (tmp_path / "session").exists()
        assert keeper.poll() is None


def test_a_node_that_the_head_counts_as_lost_starts_again(start, tmp_path):
    is_lost = threading.Event()

    def answer(request):
        return liveness_answer(not is_lost.is_set()) if b"CheckAlive" in request else head_answer(request)

    with listener(answer) as address:
        keeper, _said = start(address)
        old = running(keeper, tmp_path)
        time.sleep(1)
        assert running(keeper, tmp_path) == old
        is_lost.set()
        wait_until(lambda: not any(processes.name_of(number) for number in old.values()))
        is_lost.clear()
        wait_until(lambda: len(running(keeper, tmp_path)) == 3)


@pytest.mark.parametrize("lost", ["", "agent", "gcs_server"])
def test_a_node_stays_while_its_main_process_and_the_head_do(start, tmp_path, lost):
    with listener(head_answer) as address:
        keeper, _said = start(address)
        old = running(keeper, tmp_path)
        if lost:
            os.kill(old.pop(lost), 9)
        time.sleep(2)
        assert running(keeper, tmp_path) == old


def test_all_end_once_the_head_has_been_stopped(start, tmp_path):
    with listener(head_answer) as address:
        keeper, _said = start(address)
    wait_until(lambda: keeper.poll() is not None)
    assert processes.members(keeper.pid, tmp_path) == []


@pytest.mark.parametrize(
    "answer", [b"HTTP/1.1 400 Bad Request\r\n\r\n", lambda request: head_answer(request, ray="1.2.3")]
)
def test_a_node_that_ended_does_not_start_for_another_server_or_cluster(start, tmp_path, answer):
    with listener(answer) as address:
        keeper, _said = start(address)
        os.kill(running(keeper, tmp_path)["raylet"], 9)
        if isinstance(answer, bytes):  # it may be the head again one day
            wait_until(lambda: running(keeper, tmp_path) == {})
            assert keeper.poll() is None
        else:
            wait_until(lambda: keeper.poll() is not None)
    assert running(keeper, tmp_path) == {}


def test_a_head_ends_with_its_store_and_never_starts_again(start, tmp_path):
    keeper, _said = start(f"127.0.0.1:{free_port()}", "head")
    os.kill(running(keeper, tmp_path)["gcs_server"], 9)
    wait_until(lambda: keeper.poll() is not None)
    assert processes.members(keeper.pid, tmp_path) == []


def test_a_node_that_does_not_start_is_told(start, tmp_path):
    keeper, said = start("127.0.0.1:1", command="echo no memory; exit 3")
    assert said == b""
    assert keeper.wait(20) == 1
    assert (tmp_path / "ray.out").read_text() == "no memory\n"
