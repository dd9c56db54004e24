"""What tests of tournaments and of studies share: looks into stores and at pages."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
from collections.abc import Generator, Iterator
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any
from xml.sax.saxutils import quoteattr

import pytest
from _pytest.doctest import DoctestModule
from browsers.pages import Reading, started_browser
from cpu_caps import (  # noqa: F401  hooks of pytest
    pytest_fixture_setup,
    pytest_runtest_call,
    pytest_runtest_logreport,
    pytest_terminal_summary,
)
from hypothesis import settings
from stores.mlflow_servers import free_port, served
from stores.seen_runs import Runs, SeenRun
from stores.warm_writers import WARM

from tag.catalogue.registry import make_game
from tag.orders import speed

#: A busy machine takes a hundred times as long for one example as for the next.
settings.register_profile("tag", deadline=None)
settings.load_profile("tag")

# Where tests are started in the background of a script, the system has them ignore Ctrl-C, as would all that they start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Tests run in more processes than there are cores, where threads of linear algebra only wait for each other: an update of
# gains takes 2 ms of CPU time on one thread, 60 ms on two of a busy machine. NumPy reads it when it is imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

#: Variables of the machine that would send the runs of all tests elsewhere.
for variable in ("MLFLOW_TRACKING_URI", "MLFLOW_EXPERIMENT_NAME"):
    os.environ.pop(variable, None)


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Look for examples in docstrings of helpers only: to look through all tests for them takes a process a second."""
    found = yield
    return [one for one in found if not (isinstance(one, DoctestModule) and file_path.name.startswith("test_"))]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let slow tests take as long as they do; any other that hangs fails after the time that `pyproject.toml` gives it."""
    for item in items:
        if item.get_closest_marker("slow"):
            item.add_marker(pytest.mark.timeout(0))


# Tests are found and kept as half a million objects: to search them for garbage takes .3 s each time.
gc.disable()


def pytest_collection_finish() -> None:
    """Collect garbage again, but not among tests."""
    gc.freeze()
    gc.enable()


@pytest.fixture(autouse=True)
def kept_signals() -> Iterator[None]:
    """Fail a test after which a signal that ends processes is handled in another way than before it."""
    signals = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = [signal.getsignal(number) for number in signals]
    yield
    assert [signal.getsignal(number) for number in signals] == before


@cache
def _coarse_speed(game: str, players: int) -> speed.Speed:
    """Return the speed of a game in one run, not the median of nine."""
    steps, cpu, wall = speed._run(make_game(game), players)
    return speed.Speed(steps / cpu, min(cpu / wall, 1.0))


@pytest.fixture(scope="session", autouse=True)
def coarse_speeds() -> Iterator[None]:
    """Measure each function of a game for one round, and each game for one run: users' measures take a second and more."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("tag.tournaments.results.analysis.speed._SECONDS", 1e-6)
        for module in ("tag.orders.playing", "tag.cluster.batches"):
            patched.setattr(f"{module}.own_speed", _coarse_speed)
        yield


@pytest.fixture(scope="session", autouse=True)
def _no_waiting_for_disks() -> Iterator[None]:
    """Leave files to the system, which keeps them whatever is killed: a tenth of the time of studies is waiting."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("os.fsync", lambda descriptor: None)
        yield


@pytest.fixture(scope="session", autouse=True)
def _warm_writers() -> Iterator[None]:
    """Fork the processes that write runs for drivers of this process."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("tag.tournaments.tracking.tracker.subprocess", WARM)
        yield


@pytest.fixture
def cold_writers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Start the processes that write runs as users do."""
    monkeypatch.setattr("tag.tournaments.tracking.tracker.subprocess", subprocess)


@pytest.fixture
def runs_in(monkeypatch: pytest.MonkeyPatch) -> Runs:
    """What lists the runs in a store, those of tournaments of tic-tac-toe unless another experiment is named."""
    from tag.tournaments.tracking.runs import _ENVIRONMENT

    for name, value in _ENVIRONMENT.items():
        monkeypatch.setenv(name, os.environ.get(name, value))
    from mlflow import MlflowClient

    def runs(uri: str, experiment_name: str = "tic_tac_toe") -> list[SeenRun]:
        client = MlflowClient(tracking_uri=uri, registry_uri=uri)
        experiment = client.get_experiment_by_name(experiment_name)
        found = client.search_runs([experiment.experiment_id]) if experiment else []
        return [SeenRun(client, run) for run in found]

    return runs


@pytest.fixture(scope="session")
def local_ray() -> Iterator[None]:
    """Ray with two CPUs, for the pools of all tests of this process: each would start its own, for 5 CPU seconds."""
    from tag.cluster.connection import connect, disconnect

    connect(2, "")
    yield
    disconnect()


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a home with no token for clusters and no nodes, in a process that has set none of Ray's variables."""
    for name in [name for name in os.environ if name.startswith("RAY_")]:
        monkeypatch.delenv(name)
    monkeypatch.setattr("tag.cluster.authentication._set_here", {})
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("RAY_TMPDIR", str(tmp_path))
    return tmp_path


@pytest.fixture
def cluster_home(home: Path) -> Iterator[Path]:
    """Return such a home whose clusters are stopped in the end."""
    from tag.cluster.machine.node import nodes_here

    short = Path(mkdtemp(dir="/tmp"))
    os.environ["RAY_TMPDIR"] = str(short)
    yield home
    for node in nodes_here():
        node.stop()
    (short / f"tag-{os.getuid()}").rmdir()
    short.rmdir()


@pytest.fixture(scope="session")
def empty_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of an sqlite store with nothing in it, to be copied."""
    from tag.tournaments.tracking.runs import _client

    file = tmp_path_factory.mktemp("store") / "mlflow.db"
    _client(f"sqlite:///{file}").search_experiments()
    return file


@pytest.fixture(scope="module")
def undrawn() -> Iterator[None]:
    """Leave the drawings out of figures, half the work of a small study or analysis, and keep their words."""

    def without_drawing(name: str, label: str, *_drawn: object) -> str:
        return f'<svg role="img" aria-label={quoteattr(label)}></svg>'

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("tag.tournaments.reports.html.figures._svg", without_drawing)
        yield


@pytest.fixture
def mlflow_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URI of a real server of MLflow's, on the loopback device."""
    with served(tmp_path_factory.mktemp("server"), free_port()) as uri:
        yield uri


@pytest.fixture(scope="session")
def reading_of() -> type[Reading]:
    """What reads the text of a page."""
    return Reading


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A browser for all tests of a file."""
    with started_browser() as found:
        yield found
