"""What the tests of tracking share: a look into a store."""

from __future__ import annotations

import os
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
