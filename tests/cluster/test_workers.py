"""Ray workers play what the process itself would play, each batch exactly once, whatever happens to them."""

import itertools
import os
import re
import signal
import socket
import subprocess
import sys
import time
from dataclasses import replace
from ipaddress import ip_address
from pathlib import Path

import pytest
from commands import PACKAGE_HOME
from copied import TIC_TAC_TOE

from tag.catalogue.user_code import provide_source
from tag.catalogue.version import installation, tag_version
from tag.cluster.workers import RayWorkers
from tag.errors import ClusterError, ContractError, TagError, UnknownNameError
from tag.orders import GameOrder, play_order

pytestmark = pytest.mark.system

FILE = "nowhere/on_disk.py"
SOURCE = (
    TIC_TAC_TOE
    + """
import os, sys, time
from tag import Agent

class Slow(Agent):
    def act(self, observation, actions):
        time.sleep(0.05)
        return actions[0]

class Sees(Agent):
    def act(self, observation, actions):
        heavy = [name for name in ("pandas", "scipy", "mlflow", "optuna") if name in sys.modules]
        raise ValueError(f"{os.getpid()} {os.environ['OMP_NUM_THREADS']} {heavy}")

class Exits(Agent):
    def act(self, observation, actions):
        os.kill(os.getpid(), 9)

class Broken(TicTacToe):
    def _setup(self, n_players, rng):
        raise ZeroDivisionError("no table")
"""
)
LATER = "nowhere/later.py"
LATER_SOURCE = """
from tag import Agent

class Says(Agent):
    def act(self, observation, actions):
        raise ValueError("WORD")
"""
DRIVER = f"""
import sys
from tag.cluster.workers import RayWorkers
from tag.orders import GameOrder
assert "ray" not in sys.modules, "importing the package must stay cheap"
pool = RayWorkers(1)
pool.start({{{FILE!r}: {SOURCE!r}}})
try:
    pool.submit(1, [GameOrder("first", "tic_tac_toe", ("random", "random"), 1)])
    while not pool.completed(1.0):
        pass
    pool.submit(2, [GameOrder(str(i), "tic_tac_toe", ("{FILE}:Slow", "random"), i) for i in range(1000)])
    print("playing", flush=True)
    while True:
        pool.completed(1.0)
except KeyboardInterrupt:
    pool.close()
    pool.close()
"""


@pytest.fixture(scope="module")
def pool(local_ray):
    provide_source(FILE, SOURCE)
    made = RayWorkers(2)
    made.start({FILE: SOURCE})
    yield made
    made.close()


def orders_of(agent, number, games, game="tic_tac_toe"):
    return [GameOrder(f"{number}-{i}", game, (agent, "random"), 100 * number + i) for i in range(games)]


def collect(pool, numbers):
    """Return the batches of these numbers, and fail where one comes twice or another comes."""
    missing = set(numbers)
    played = {}
    end = time.monotonic() + 120
    while missing and time.monotonic() < end:
        for number, records, _worker in pool.completed(1.0):
            missing.remove(number)
            played[number] = records
    assert not missing
    return played


def without_seconds(records):
    return [replace(record, seconds=()) for record in records]


def pid_of_a_worker(pool):
    pool.submit(0, orders_of(f"{FILE}:Sees", 0, 1))
    return int(collect(pool, [0])[0][0].faults[0].message.split()[1])


def expect_error(pool, orders, kind):
    pool.submit(99, orders)
    with pytest.raises(TagError) as caught:
        collect(pool, [99])
    assert type(caught.value) is kind
    return str(caught.value)


def test_workers_play_what_the_process_itself_plays(pool):
    batches = {n: orders_of(agent, n, 40) for n, agent in enumerate(["random", f"{FILE}:Sees", "random", "random"])}
    for number, orders in batches.items():
        pool.submit(number, orders)
    played = collect(pool, batches)
    for number in (0, 2, 3):
        assert without_seconds(played[number]) == without_seconds([play_order(order) for order in batches[number]])
        assert all(len(record.seconds) == 2 for record in played[number])
    assert pool.slots == 4
    assert pool.completed(0.0) == []


def test_workers_know_users_files_and_stay_lean(pool):
    pool.submit(1, orders_of(f"{FILE}:Sees", 1, 1))
    (record,) = collect(pool, [1])[1]
    _kind, pid, threads, heavy = record.faults[0].message.split(maxsplit=3)
    assert int(pid) != os.getpid()
    assert threads == "1"
    assert heavy == "[]"


def test_a_batch_says_who_played_it(pool):
    workers = set()
    numbers = itertools.count()
    end = time.monotonic() + 120
    while len(workers) < 2 and time.monotonic() < end:  # a worker that starts late plays later batches
        for number in itertools.islice(numbers, 4):
            pool.submit(number, orders_of(f"{FILE}:Sees", number, 20))
        batches = []
        while len(batches) < 4 and time.monotonic() < end:
            batches += pool.completed(1.0)
        for batch in batches:
            address, process = batch.worker.split("/")
            assert ip_address(address)
            assert {record.faults[0].message.split()[1] for record in batch.records} == {process}
            workers.add(batch.worker)
    assert len(workers) == 2


def test_what_a_killed_worker_played_is_played_again_once(pool):
    pid = pid_of_a_worker(pool)
    batches = {number: orders_of(f"{FILE}:Slow", number, 2) for number in range(1, 9)}
    for number, orders in batches.items():
        pool.submit(number, orders)
    pool.completed(0.3)
    os.kill(pid, signal.SIGKILL)
    played = collect(pool, batches)
    for number, orders in batches.items():
        assert [record.game_id for record in played[number]] == [order.game_id for order in orders]
    assert without_seconds(played[8]) == without_seconds([play_order(order) for order in batches[8]])


def test_wrong_orders_and_broken_games_raise_as_in_the_process_itself(pool):
    with pytest.raises(UnknownNameError) as here:
        play_order(orders_of("randon", 1, 1)[0])
    assert expect_error(pool, orders_of("randon", 1, 1), UnknownNameError) == str(here.value)
    message = expect_error(pool, orders_of("random", 2, 1, f"{FILE}:Broken"), ContractError)
    assert re.fullmatch(r"game 2-0 failed: ZeroDivisionError: no table \(.*on_disk\.py, line \d+\)", message)


def test_users_files_of_a_later_run_reach_workers_that_are_at_work(pool):
    """A changed text, too: a worker plays with what was provided before the batch."""
    for number, word in enumerate(("first", "second"), 200):
        pool.start({LATER: LATER_SOURCE.replace("WORD", word)})
        pool.submit(number, orders_of(f"{LATER}:Says", number, 4))
        faults = [record.faults[0].message for record in collect(pool, [number])[number]]
        assert all(word in message for message in faults), faults


def test_a_batch_that_kills_its_worker_is_named(pool):
    message = expect_error(pool, orders_of(f"{FILE}:Exits", 3, 5), ClusterError)
    assert "3-0 (tic_tac_toe with nowhere/on_disk.py:Exits, random)" in message
    assert message.endswith("and 2 more")


def test_a_worker_that_finds_no_place_is_not_waited_for(pool, monkeypatch):
    pool.submit(1, orders_of("random", 1, 1))
    collect(pool, [1])
    monkeypatch.setattr("tag.cluster.actors._PATIENCE", 1.0)
    crowded = RayWorkers(1)
    crowded.start({})
    crowded.submit(1, orders_of("random", 1, 1))
    with pytest.raises(ClusterError, match="no worker has started for 1 s"):
        collect(crowded, [1])
    crowded.close()
    pool.submit(1, orders_of("random", 1, 1))
    collect(pool, [1])


def test_workers_that_do_not_fit_are_named_once_and_the_run_goes_on_with_the_others(pool, monkeypatch):
    assert len(pool.measure("tic_tac_toe", 2)) == 2  # both are there
    monkeypatch.setattr("tag.cluster.actors._PATIENCE", 2.0)
    pool.news()
    pid = pid_of_a_worker(pool)
    monkeypatch.setattr("tag.cluster.actors.installation", lambda: {**installation(), "tag": "99"})
    os.kill(pid, signal.SIGKILL)
    for number in range(1, 4):
        pool.submit(number, orders_of(f"{FILE}:Slow", number, 20))
    collect(pool, [1, 2, 3])
    (sentence,) = pool.news()
    reason = f"has tag {tag_version()} instead of 99; install the same on every node as here"
    assert re.fullmatch(rf"the worker on [\d.]+ {re.escape(reason)}; the other nodes play without it", sentence)
    os.kill(pid_of_a_worker(pool), signal.SIGKILL)
    pool.submit(4, orders_of("random", 4, 1))
    with pytest.raises(ClusterError, match=f"no worker has started for 2 s; the worker on .* {reason}"):
        collect(pool, [4])
    assert pool.news() == []


def test_a_run_ends_at_once_where_no_node_fits(local_ray, monkeypatch):
    monkeypatch.setattr("tag.cluster.actors.installation", lambda: {**installation(), "build": "other"})
    unfit = RayWorkers(1)
    unfit.start({})
    begin = time.monotonic()
    try:
        unfit.submit(1, orders_of("random", 1, 1))
        with pytest.raises(ClusterError, match=r"^the worker on .* has build \w+ instead of other; install the same"):
            collect(unfit, [1])
    finally:
        unfit.close()
    assert time.monotonic() - begin < 60


def test_an_address_where_nobody_listens_is_one_sentence():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(ClusterError, match=f"no Ray cluster answers at '{address}': .*refused"):
            RayWorkers(1, address).start({})


@pytest.mark.parametrize(("end", "sentences"), [("os._exit(1)", 1), ("raise SystemExit(3)", 0)])
def test_a_process_that_ray_ends_while_it_connects_leaves_a_sentence(end, sentences, tmp_path):
    code = f"import os\nfrom tag.cluster import workers\ndef end(count, address):\n    {end}\n"
    driver = start_driver(f"{code}workers.connect = end\nworkers.RayWorkers(1).start({{}})", tmp_path)
    output, errors = driver.communicate(timeout=90)
    assert output == b""
    assert errors.count(b"was ended, by Ray or the system; the same command goes on") == sentences


@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
def test_a_lost_ray_ends_the_run_with_a_sentence(tmp_path):
    code = DRIVER.replace("except KeyboardInterrupt:", "except ClusterError as error:\n    print(error, flush=True)")
    driver = start_driver(f"from tag.errors import ClusterError\n{code}", tmp_path)
    assert driver.stdout.readline() == b"playing\n"
    family = descendants(driver.pid)
    (raylet,) = [pid for pid, name in family.items() if name.partition(" ")[0].endswith("/raylet")]
    os.kill(raylet, signal.SIGKILL)
    output, rays_own_lines = driver.communicate(timeout=90)
    assert output, rays_own_lines
    assert output.decode().startswith("Ray's node on this machine at '127.0.0.1:")
    assert output.decode().endswith("is gone; once it is there again, the same command goes on\n")
    assert driver.returncode == 0
    assert still_there(family) == {}


@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
def test_interrupting_and_closing_is_quiet_and_leaves_no_process(tmp_path):
    driver = start_driver(DRIVER, tmp_path)
    assert driver.stdout.readline() == b"playing\n"
    family = descendants(driver.pid)
    assert any("ray::Worker" in name for name in family.values())
    os.killpg(driver.pid, signal.SIGINT)
    assert driver.communicate(timeout=60) == (b"", b"")
    assert driver.returncode == 0
    assert still_there(family) == {}


def start_driver(code, folder):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(PACKAGE_HOME), *filter(None, sys.path)])}
    return subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def still_there(family):
    """Return the processes that do not end within some seconds."""
    end = time.monotonic() + 5
    while (left := {pid: name for pid, name in family.items() if command(pid) == name}) and time.monotonic() < end:
        time.sleep(0.1)
    return left


def descendants(root):
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
    found = {root}
    while more := {pid for pid, parent in parents.items() if parent in found} - found:
        found |= more
    return {pid: command(pid) for pid in found - {root}}


def command(pid):
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except OSError:
        return ""
