"""Tracked tournaments: a process writes the run beside, and whatever becomes of it or its store costs a sentence."""

from __future__ import annotations

import inspect
import os
import signal
import socket
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from shutil import copy
from typing import Any

import pytest
from cpu_caps import cpu_time_below
from stores.seen_runs import Runs

from tag.cluster.batches import PlayedBatch
from tag.cluster.workers import InProcess
from tag.tournaments import define, run_tournament
from tag.tournaments.definition import TournamentDefinition
from tag.tournaments.reports.progress import PlainProgress
from tag.tournaments.tracking import tracker
from tag.tournaments.tracking.stores import default_tracking_uri
from tag.tournaments.tracking.tracker import FINISHED, KILLED, TrackingListener

pytestmark = [pytest.mark.filterwarnings("ignore:The ``noload`` loader strategy:DeprecationWarning"), pytest.mark.flow]

CURE = "; the games are in the ledger, and the same command writes what is missing"


def small(blocks: int = 2, seed: int = 1) -> TournamentDefinition:
    return define("tic_tac_toe", ("random", "random"), blocks, seed=seed)


def sentences_of(uri: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """What a tournament says whose run is to be at ``uri``."""
    results = run_tournament(small(), folder, tracking=uri, progress=PlainProgress())
    assert results.complete
    return [line for line in capsys.readouterr().err.splitlines() if line.startswith("tag:")]


@pytest.fixture
def silent_server() -> Iterator[str]:
    """The address of a server that takes every connection and never says a word."""
    with socket.create_server(("127.0.0.1", 0), backlog=100) as server:
        yield f"127.0.0.1:{server.getsockname()[1]}"


class TestRuns:
    @pytest.mark.system
    @pytest.mark.usefixtures("cold_writers")
    def test_a_tournament_is_one_run(self, runs_in: Runs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        uri = default_tracking_uri(tmp_path / "first")
        assert uri == f"sqlite:///{tmp_path}/mlflow.db"
        run_tournament(small(3), tmp_path / "first")
        (run,) = runs_in(uri)
        assert run.status == "FINISHED"
        assert [games for games, _ in run.curve("games")] == [2, 4, 6]
        assert "report.html" in run.files()

        def no_process(_task: object) -> None:
            raise AssertionError

        monkeypatch.setattr(tracker, "_WriterProcess", no_process)
        assert run_tournament(small(3), tmp_path / "first").complete  # nobody has to ask the store
        assert len(runs_in(uri)) == 1

    def test_mlflows_own_variables_name_the_store_and_the_experiment(
        self, runs_in: Runs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        team = f"sqlite:///{tmp_path}/team.db"
        monkeypatch.setenv("MLFLOW_TRACKING_URI", team)
        monkeypatch.setenv("MLFLOW_EXPERIMENT_NAME", "ours")
        run_tournament(small(), tmp_path / "runs" / "first")
        assert len(runs_in(team, "ours")) == 1
        assert not (tmp_path / "runs" / "mlflow.db").exists()
        named = f"sqlite:///{tmp_path}/named.db"
        run_tournament(small(), tmp_path / "runs" / "second", tracking=named)
        assert len(runs_in(named, "ours")) == 1

    def test_the_runner_imports_no_mlflow(self) -> None:
        assert "mlflow" not in inspect.getsource(tracker)


class TestTrouble:
    @pytest.mark.system
    def test_a_deleted_experiment_costs_a_sentence_that_says_how_to_restore_it(
        self, empty_store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        from mlflow import MlflowClient

        uri = f"sqlite:///{copy(empty_store, tmp_path / 'mlflow.db')}"
        client = MlflowClient(tracking_uri=uri, registry_uri=uri)
        number = client.create_experiment("tic_tac_toe")
        client.delete_experiment(number)
        (sentence,) = sentences_of(uri, tmp_path / "second", capsys)
        assert "the experiment 'tic_tac_toe' was deleted" in sentence
        assert f"`mlflow experiments restore --experiment-id {number}` restores it" in sentence

    @pytest.mark.parametrize(
        ("uri", "reason"),
        [
            ("sqlite:////proc/no/such/mlflow.db", "'/proc/no/such' cannot be made: "),
            ("http://127.0.0.1:9", "nobody answers: Connection refused"),
            ("http://me:secret@127.0.0.1:9", "nobody answers: Connection refused"),
            ("nonsense://store", "Model registry functionality is unavailable"),
        ],
    )
    def test_a_store_that_is_away_costs_one_sentence(
        self, uri: str, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (sentence,) = sentences_of(uri, tmp_path / "t", capsys)
        shown = uri.replace("secret", "***")
        assert sentence.startswith(f"tag: nothing is tracked at {shown} for now ({reason}")
        assert sentence.endswith(CURE)

    def test_a_server_that_never_answers(
        self, silent_server: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("MLFLOW_HTTP_REQUEST_TIMEOUT", "1")
        monkeypatch.setenv("MLFLOW_HTTP_REQUEST_MAX_RETRIES", "0")
        (sentence,) = sentences_of(f"http://{silent_server}", tmp_path / "t", capsys)
        assert "for now (it does not answer in time)" in sentence
        assert sentence.endswith(CURE)

    @pytest.mark.parametrize("status", [FINISHED, KILLED])
    @pytest.mark.system
    def test_a_process_that_takes_too_long_writes_on_without_the_command(
        self,
        status: str,
        empty_store: Path,
        runs_in: Runs,
        tmp_path: Path,
        capsys: pytest.CaptureFixture[str],
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        begun: list[Any] = []

        class Seen(tracker._WriterProcess):
            def __init__(self, task: Any) -> None:
                super().__init__(task)
                begun.append(self._process)

        class Terminated(InProcess):
            """Gets SIGTERM with the first game, as at the end of a batch job's time."""

            def completed(self, timeout: float) -> list[PlayedBatch]:
                if status == KILLED and not begun[1:]:
                    begun.append(None)
                    signal.raise_signal(signal.SIGTERM)
                return super().completed(0.0)

        copy(empty_store, tmp_path / "mlflow.db")
        monkeypatch.setattr(tracker, "_WriterProcess", Seen)
        monkeypatch.setattr(tracker, "_PATIENCE", 0.01)
        monkeypatch.setattr(tracker, "_KILLED_PATIENCE", 0.01)
        folder = tmp_path / "t"
        results = run_tournament(small(50), folder, workers=Terminated())
        assert results.complete == (status == FINISHED)
        *_others, sentence = capsys.readouterr().err.splitlines()
        assert sentence.endswith(f"for now ({tracker._NO_ANSWER}){CURE}")
        assert begun[0].wait(120) == 0
        assert [run.status for run in runs_in(default_tracking_uri(folder))] == [status]

    def test_a_process_that_dies(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(tracker.sys, "executable", "/bin/false")
        (sentence,) = sentences_of("", tmp_path / "t", capsys)
        assert sentence.endswith(f"for now (the process that writes it has ended){CURE}")
        monkeypatch.setattr(tracker.sys, "executable", "/no/such/python")
        (sentence,) = sentences_of("", tmp_path / "other", capsys)
        assert sentence.endswith(f"for now (No such file or directory){CURE}")

    @pytest.mark.slow
    def test_a_locked_store(
        self, empty_store: Path, runs_in: Runs, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        uri = default_tracking_uri(tmp_path / "t")
        copy(empty_store, tmp_path / "mlflow.db")
        with sqlite3.connect(tmp_path / "mlflow.db", isolation_level=None) as other:
            other.execute("BEGIN EXCLUSIVE")
            (sentence,) = sentences_of(uri, tmp_path / "t", capsys)
            assert "database is locked" in sentence
            other.execute("ROLLBACK")
        assert sentences_of(uri, tmp_path / "t", capsys) == []
        assert [run.status for run in runs_in(uri)] == ["FINISHED"]

    def test_nobody_waits_for_a_process_that_does_not_listen(self, tmp_path: Path) -> None:
        progress = TrackingListener(tmp_path, "sqlite:////x.db", {}, str)
        progress.start(10, 0)
        assert progress._process is not None
        child = progress._process._process
        os.kill(child.pid, signal.SIGSTOP)
        begin = time.perf_counter()
        with cpu_time_below(1.0):
            for _news in range(5_000):  # more than a pipe holds
                progress._tell_news()
        assert time.perf_counter() - begin < 10.0
        progress._process.close()
        assert child.returncode == -signal.SIGKILL


@pytest.mark.slow
def test_an_mlflow_server(runs_in: Runs, mlflow_server: str, tmp_path: Path) -> None:
    """The same run in a server's store as in a file, files included."""
    run_tournament(small(5), tmp_path / "t", tracking=mlflow_server)
    run_tournament(small(7), tmp_path / "t", tracking=mlflow_server)
    run_tournament(small(7), tmp_path / "t")
    (there,) = runs_in(mlflow_server)
    (here,) = runs_in(default_tracking_uri(tmp_path / "t"))
    assert there.status == FINISHED
    assert [games for games, _ in there.curve("games")] == [2, 4, 6, 8, 10, 12, 14]
    assert there.curve("win_rate/random") == here.curve("win_rate/random")
    assert {path for path in there.files() if "5_blocks" not in path} == here.files()
    report = there.download("report.html", tmp_path)
    assert report.read_text().lstrip().startswith("<!DOCTYPE html>")
