"""Ray on a busy machine: it is given a second chance, and a process that it ends does not end silently."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from commands import PACKAGE_HOME

from tag.cluster import connection
from tag.cluster.connection import connect
from tag.cluster.machine import local
from tag.errors import ClusterError

pytestmark = pytest.mark.flow

#: What Ray raises where its node has not been registered within 30 s.
TIMED_OUT = "The current node timed out during startup. This could happen because the GCS has become overloaded."


@pytest.fixture(autouse=True)
def prepared() -> None:
    """Have Ray imported with the settings of `connect`: it reads them once, and later tests of this process start it."""
    connection._prepare_here()


class BusyRay:
    """Stands for Ray's `init`, which fails the first times."""

    def __init__(self, failures: int, monkeypatch: pytest.MonkeyPatch) -> None:
        import ray
        from ray._private import services

        self.calls = 0
        self.patience: list[float] = []
        self._failures = failures
        self._services = services
        monkeypatch.setattr(ray, "init", self.init)
        monkeypatch.setattr(ray, "is_initialized", lambda: False)
        monkeypatch.setattr(services, "get_node_with_retry", self._waited)

    def init(self, **_options: object) -> None:
        self.calls += 1
        if self.calls <= self._failures:
            raise Exception(TIMED_OUT)
        self._services.get_node("127.0.0.1:1", "node")

    def _waited(self, _address: str, _node: str, timeout_s: float) -> dict[str, object]:
        self.patience.append(timeout_s)
        return {}


def test_ray_gets_a_second_chance_with_more_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    from ray._private import services

    former = services.get_node
    busy = BusyRay(1, monkeypatch)
    assert connect(2, "")
    assert busy.calls == 2
    assert busy.patience == [180.0]
    assert services.get_node is former


def test_a_ray_that_does_not_start_is_one_sentence_with_a_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    busy = BusyRay(9, monkeypatch)
    with pytest.raises(ClusterError, match=r"Ray does not start on this machine: .* with --no-ray$") as caught:
        connect(2, "")
    assert busy.calls == 2
    assert "\n" not in str(caught.value)


def test_sigterm_while_ray_starts_is_an_interruption(monkeypatch: pytest.MonkeyPatch) -> None:
    def terminated(**_options: object) -> None:
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(15))  # as Ray does
        os.kill(os.getpid(), signal.SIGTERM)
        signal.pause()

    import ray

    monkeypatch.setattr(ray, "init", terminated)
    monkeypatch.setattr(ray, "is_initialized", lambda: False)
    former = signal.getsignal(signal.SIGTERM)
    with pytest.raises(KeyboardInterrupt):
        connect(2, "")
    assert signal.getsignal(signal.SIGTERM) == former


def test_settings_of_the_user_come_before_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    from ray._private import services

    monkeypatch.setenv("RAY_worker_register_timeout_seconds", "7")
    BusyRay(0, monkeypatch)
    monkeypatch.setattr(services, "get_node", lambda *_: {})  # looks 15 s for a Ray that is not there
    connect(2, "")
    made = dict(os.environ)
    assert made["RAY_worker_register_timeout_seconds"] == "7"
    assert float(made["RAY_raylet_start_wait_time_s"]) >= local.PATIENCE


def test_ray_on_this_machine_has_no_process_that_playing_does_not_need_and_survives_ctrl_c() -> None:
    code = """
import os
import signal
import time
from pathlib import Path
from tag.cluster.connection import connect, disconnect
from tag.cluster.machine.processes import members
signal.signal(signal.SIGINT, lambda *_: None)
connect(1, "")
os.killpg(0, signal.SIGINT)  # as a terminal sends it
time.sleep(0.5)
names = {Path(f"/proc/{number}/comm").read_text().strip() for number in members(os.getsid(0), Path.cwd())}
disconnect()
print(*sorted(name for name in names if not name.startswith(("python", "ray::IDLE"))))
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        check=True,
        capture_output=True,
        text=True,
        start_new_session=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(PACKAGE_HOME), *filter(None, sys.path)])},
    )
    assert done.stdout.split() == ["cat", "gcs_server", "raylet"]


@pytest.mark.parametrize("setting", ["RAY_USAGE_STATS_ENABLED", "RAY_enable_metrics_collection"])
def test_who_wants_reports_gets_all_of_rays_processes(setting: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from ray._private import node

    whole = node.Node
    with local._lean_node():
        assert node.Node is not whole
    monkeypatch.setenv(setting, "1")
    with local._lean_node():
        assert node.Node is whole


@pytest.mark.parametrize("name", ["persist_port", "RUNTIME_ENV_AGENT_PORT_NAME"])
def test_an_unknown_ray_starts_all_of_its_processes(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from ray import _raylet
    from ray._private import node

    whole = node.Node
    monkeypatch.delattr(_raylet, name)
    with local._lean_node():
        assert node.Node is whole


@pytest.mark.parametrize(("end", "is_said"), [("os._exit(1)", True), ("os.kill(os.getpid(), 9)", True), ("", False)])
def test_who_ends_without_a_word_is_spoken_for(end: str, is_said: bool) -> None:
    code = (
        f"import os\nfrom tag.cluster.network.watches import LastWords\nwords = LastWords()\n{end or 'words.close()'}\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(PACKAGE_HOME), *filter(None, sys.path)])},
    )
    said = "tag: the process that plays was ended, by Ray or the system; the same command goes on\n"
    assert done.stderr == (said if is_said else "")


#: Prints each folder that any user can write to and enter, and whether the session's own folder outlives it.
FOLDERS = """
import os
from pathlib import Path
from tag.cluster.connection import connect, disconnect
connect(1, "")
import ray
session = Path(ray._private.worker.global_worker.node.get_session_dir_path())
private = [folder for folder in session.parents if folder.stat().st_mode & 0o077 == 0 and folder != Path("/root")]
open_to_all = [folder for folder in (session, *session.parents) if folder.stat().st_mode & 0o1002 == 0o002]
exposed = [folder for folder in open_to_all if not any(one in folder.parents for one in private)]
disconnect()
print(len(private) > 0, exposed, session.exists())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="folders have no such modes there")
@pytest.mark.parametrize("length", [0, 80, 200])
def test_a_session_on_this_machine_is_private_at_any_length_of_the_temporary_folder(
    length: int, tmp_path: Path
) -> None:
    long = tmp_path / ("a" * length)
    long.mkdir(exist_ok=True)
    variables = dict.fromkeys(("TMPDIR", "RAY_TMPDIR"), str(long)) if length else {}
    environment = {name: value for name, value in os.environ.items() if name not in ("TMPDIR", "RAY_TMPDIR")}
    done = subprocess.run(
        [sys.executable, "-c", FOLDERS],
        check=False,
        capture_output=True,
        text=True,
        env={**environment, **variables, "PYTHONPATH": os.pathsep.join([str(PACKAGE_HOME), *filter(None, sys.path)])},
    )
    assert done.stdout.split() == ["True", "[]", "False"], done.stderr
