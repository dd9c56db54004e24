"""Stores: what is known of them by their URI, and what is said of those in trouble."""

from __future__ import annotations

import os
import socket
import sqlite3
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path

import pytest

from tag.errors import DataError
from tag.tournaments.definition import define
from tag.tournaments.run import run_tournament
from tag.tournaments.tracking.runs import _ENVIRONMENT, _client, _copy_store, _empty_store
from tag.tournaments.tracking.stores import (
    artifact_folder,
    check_store,
    default_tracking_uri,
    reason_of,
    without_password,
)
from tag.tournaments.tracking.tournaments import TournamentContents
from tag.tournaments.tracking.writer import RunWriter

pytestmark = [pytest.mark.filterwarnings("ignore:The ``noload`` loader strategy:DeprecationWarning"), pytest.mark.flow]


def test_artifacts_are_beside_the_store_or_the_tournament(tmp_path: Path) -> None:
    folder = tmp_path / "runs" / "t"
    assert artifact_folder(default_tracking_uri(folder), folder) == tmp_path / "runs" / "mlflow"
    assert artifact_folder(f"sqlite:///{tmp_path}/all.db", folder) == tmp_path / "mlflow"
    assert artifact_folder("postgresql://host/runs", folder) == tmp_path / "runs" / "mlflow"
    assert artifact_folder("https://host:5000", folder) is None


@pytest.mark.parametrize(
    ("uri", "shown"),
    [
        ("postgresql+psycopg2://me:a:b@host:1/runs", "postgresql+psycopg2://me:***@host:1/runs"),
        ("https://host:5000/a@b", "https://host:5000/a@b"),
        ("sqlite:////runs/mlflow.db", "sqlite:////runs/mlflow.db"),
    ],
)
def test_nobody_sees_a_password(uri: str, shown: str) -> None:
    assert without_password(uri) == shown


def test_reasons_are_one_line_without_passwords() -> None:
    assert reason_of(ValueError("  no such thing\nas this")) == "no such thing"
    assert reason_of(ValueError("cannot open postgresql://me:secret@host/runs")) == (
        "cannot open postgresql://me:***@host/runs"
    )
    assert reason_of(KeyError()) == "KeyError"
    assert len(reason_of(ValueError("x" * 1000))) == 200


def test_a_file_that_cannot_be_written_is_known_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mlflow.db").touch()
    check_store(f"sqlite:///{tmp_path}/mlflow.db")
    check_store(f"sqlite:///{tmp_path}/new/mlflow.db")
    assert (tmp_path / "new").is_dir()
    monkeypatch.setattr("os.access", lambda path, _how: path != tmp_path / "mlflow.db")  # root may write anything
    with pytest.raises(DataError, match="^mlflow.db is read-only$"):
        check_store(f"sqlite:///{tmp_path}/mlflow.db")
    monkeypatch.setattr("os.access", lambda path, _how: path != tmp_path)
    with pytest.raises(DataError, match=f"^'{tmp_path}' is read-only$"):
        check_store(f"sqlite:///{tmp_path}/mlflow.db")


@pytest.mark.skipif(find_spec("psycopg2") is not None, reason="the driver is there")
def test_a_missing_driver_is_named(tmp_path: Path) -> None:
    run_tournament(define("tic_tac_toe", ("random", "random"), 1), tmp_path, tracking=False)
    with socket.create_server(("127.0.0.1", 0)) as server:
        uri = f"postgresql+psycopg2://me:secret@127.0.0.1:{server.getsockname()[1]}/runs"
        with pytest.raises(ModuleNotFoundError) as error:
            list(RunWriter(TournamentContents(tmp_path), uri, {}).end("KILLED"))
    assert reason_of(error.value) == "no driver for this database; pip install 'psycopg2-binary'"


def schema(file: Path) -> list[tuple[str]]:
    with closing(sqlite3.connect(file)) as store:
        return sorted(store.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL"))


def test_only_the_first_new_store_is_made_by_migrations(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in _ENVIRONMENT.items():
        monkeypatch.setenv(name, os.environ.get(name, value))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    first, second, third = (tmp_path / name for name in ("1.db", "2.db", "3.db"))
    _client(f"sqlite:///{first}").create_experiment("ours")
    monkeypatch.setattr("mlflow.store.db.utils._initialize_tables", lambda _engine: pytest.fail("it migrates"))
    monkeypatch.chdir(tmp_path)
    default = _client(f"sqlite:///{second}").search_experiments()
    assert schema(second) == schema(first)
    assert [(one.experiment_id, one.name, one.artifact_location) for one in default] == [
        ("0", "Default", f"{tmp_path}/mlruns/0")
    ]
    _empty_store().write_bytes(_empty_store().read_bytes()[:50_000])
    assert not _copy_store(_empty_store(), third)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["1.db", "2.db", "caches"]


def test_a_store_can_be_made_where_nothing_can_be_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    (tmp_path / "mlflow.db").touch()
    assert not _copy_store(tmp_path / "mlflow.db", _empty_store())
    assert not _copy_store(_empty_store(), tmp_path / "new.db")
