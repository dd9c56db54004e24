"""Tracking: one MLflow run per tournament, and a store in trouble costs nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tournaments.definition import TournamentDefinition, define
from tournaments.progress import PlainProgress
from tournaments.results import read_results
from tournaments.runner import run_tournament
from tournaments.tracking import _distinct, _metric_name, default_tracking_uri

#: MLflow's use of SQLAlchemy is not ours to mend.
pytestmark = pytest.mark.filterwarnings("ignore:The ``noload`` loader strategy:DeprecationWarning")


def small(blocks: int = 2) -> TournamentDefinition:
    return define("tic_tac_toe", ("random", "random"), blocks)


def runs_of(uri: str) -> list[Any]:
    from mlflow import MlflowClient

    client = MlflowClient(tracking_uri=uri, registry_uri=uri)
    experiment = client.get_experiment_by_name("tic_tac_toe")
    assert experiment is not None
    return list(client.search_runs([experiment.experiment_id]))


def artifacts_of(uri: str, run_id: str, path: str | None = None) -> set[str]:
    from mlflow import MlflowClient

    return {Path(file.path).name for file in MlflowClient(tracking_uri=uri).list_artifacts(run_id, path)}


def test_a_tournament_is_one_run_also_when_it_goes_on(tmp_path: Path) -> None:
    uri = default_tracking_uri(tmp_path / "first")
    assert uri == f"sqlite:///{tmp_path}/mlflow.db"
    run_tournament(small(2), tmp_path / "first")
    run_tournament(small(3), tmp_path / "first")
    (run,) = runs_of(uri)
    assert run.info.status == "FINISHED"
    assert run.info.run_name == "first"
    assert run.data.params["agent_2"] == "random"
    assert run.data.params["seed"] == "1"
    results = read_results(tmp_path / "first")
    assert run.data.metrics["games"] == results.games
    assert run.data.metrics["blocks"] == 3
    rates = {row["agent"]: row["win_rate"] for row in results.to_json()["agents"]}
    assert run.data.metrics["random/win_rate"] == pytest.approx(rates["random"])
    assert run.data.metrics["random_2/win_rate"] == pytest.approx(rates["random#2"])
    files = artifacts_of(uri, run.info.run_id)
    assert files == {"results.md", "results.csv", "results.json", "report.html", "tournament.json", "ledger"}
    assert len(artifacts_of(uri, run.info.run_id, "ledger/3_blocks")) == 2  # games and timings
    assert (tmp_path / "mlflow").is_dir()
    run_tournament(define("tic_tac_toe", ("random", "random"), 1, seed=2), tmp_path / "second")
    assert len(runs_of(uri)) == 2


def test_a_report_that_fails_costs_a_tag(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_folder: Path) -> None:
        raise ValueError("no ink")

    monkeypatch.setattr("tournaments.tracking.tournament_page", broken)
    run_tournament(small(), tmp_path / "t")
    (run,) = runs_of(default_tracking_uri(tmp_path / "t"))
    assert run.info.status == "FINISHED"
    assert run.data.tags["report.error"] == "ValueError: no ink"
    files = artifacts_of(default_tracking_uri(tmp_path / "t"), run.info.run_id)
    assert files == {"results.md", "results.csv", "results.json", "tournament.json", "ledger"}


@pytest.mark.parametrize("uri", ["sqlite:////proc/no/such/mlflow.db", "nonsense://store", "http://127.0.0.1:9"])
def test_a_store_in_trouble_costs_one_sentence(
    uri: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MLFLOW_HTTP_REQUEST_MAX_RETRIES", "0")
    results = run_tournament(small(), tmp_path / "t", tracking_uri=uri, progress=PlainProgress())
    assert results.complete
    sentences = [line for line in capsys.readouterr().err.splitlines() if line.startswith("tag:")]
    assert len(sentences) == 1
    assert sentences[0].startswith(f"tag: no run was tracked at {uri} (")
    assert sentences[0].endswith("; the ledger is complete, and the same command tries again")


def test_names_are_legal_and_distinct() -> None:
    taken: set[str] = set()
    specs = ["mcts:budget=400,k=1.4", "mcts:budget=400,k=1#4", "./my agent.py:A", "rhea"]
    names = [_distinct(_metric_name(spec), taken) for spec in specs]
    assert names == ["mcts_budget_400_k_1_4", "mcts_budget_400_k_1_4_2", "my_agent_py_A", "rhea"]
