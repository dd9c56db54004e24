"""What the tests of tracking share: a look into a store."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from seen_runs import Runs, SeenRun


@pytest.fixture
def runs_in(monkeypatch: pytest.MonkeyPatch) -> Runs:
    """What lists the runs in a store, of the game type tic-tac-toe."""
    from tournaments.tracking._run import _ENVIRONMENT

    for name, value in _ENVIRONMENT.items():
        monkeypatch.setenv(name, os.environ.get(name, value))
    from mlflow import MlflowClient

    def runs(uri: str) -> list[SeenRun]:
        client = MlflowClient(tracking_uri=uri, registry_uri=uri)
        experiment = client.get_experiment_by_name("tic_tac_toe")
        found = client.search_runs([experiment.experiment_id]) if experiment else []
        return [SeenRun(client, run) for run in found]

    return runs


@pytest.fixture(scope="session")
def empty_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of an sqlite store with nothing in it, to be copied."""
    from tournaments.tracking._run import _client

    file = tmp_path_factory.mktemp("store") / "mlflow.db"
    _client(f"sqlite:///{file}").search_experiments()
    return file


@pytest.fixture
def mlflow_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URI of a real server of MLflow's, on the loopback device."""
    folder = tmp_path_factory.mktemp("server")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    stores = ["--backend-store-uri", f"sqlite:///{folder}/mlflow.db", "--artifacts-destination", str(folder / "files")]
    server = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "mlflow",
            "server",
            "--host",
            "127.0.0.1",
            "--port",
            str(port),
            "--workers",
            "1",
            *stores,
        ],
        cwd=folder,
        env={**os.environ, "MLFLOW_DISABLE_TELEMETRY": "true", "DO_NOT_TRACK": "true"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        for _second in range(180):
            with suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=5):
                break
            assert server.poll() is None
            time.sleep(1.0)
        yield f"http://127.0.0.1:{port}"
    finally:
        os.killpg(server.pid, signal.SIGKILL)
        server.wait()
