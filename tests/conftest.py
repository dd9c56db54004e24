"""What the tests of tracking share, of tournaments and of studies: a look into a store."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from mlflow_servers import free_port, served
from seen_runs import Runs, SeenRun


@pytest.fixture
def runs_in(monkeypatch: pytest.MonkeyPatch) -> Runs:
    """What lists the runs in a store, those of tournaments of tic-tac-toe unless another experiment is named."""
    from tournaments.tracking._run import _ENVIRONMENT

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
def empty_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of an sqlite store with nothing in it, to be copied."""
    from tournaments.tracking._run import _client

    file = tmp_path_factory.mktemp("store") / "mlflow.db"
    _client(f"sqlite:///{file}").search_experiments()
    return file


@pytest.fixture
def mlflow_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URI of a real server of MLflow's, on the loopback device."""
    with served(tmp_path_factory.mktemp("server"), free_port()) as uri:
        yield uri
