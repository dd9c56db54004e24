"""Stores of MLflow runs, by URI."""

from __future__ import annotations

import os
import re
import socket
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from tag.errors import DataError

SQLITE: Final = "sqlite:///"
#: The address of ``mlflow ui`` by default.
_LOCAL_SERVER: Final = "http://127.0.0.1:5000"

_KNOCK_SECONDS: Final = 5.0
_PORTS: Final = {"http": 80, "https": 443, "postgresql": 5432, "mysql": 3306, "mssql": 1433}
#: The package that the user has to install for a database, by the import name of SQLAlchemy's driver.
_DRIVERS: Final = {
    "psycopg": "psycopg[binary]",
    "psycopg2": "psycopg2-binary",
    "MySQLdb": "mysqlclient",
    "pymysql": "pymysql",
    "pyodbc": "pyodbc",
}

_LONGEST_REASON: Final = 200

#: MLflow's own variable: a store for runs whose command names none.
TRACKING_URI: Final = "MLFLOW_TRACKING_URI"


def default_tracking_uri(folder: Path) -> str:
    """Return the store for the tournament in ``folder``: that of `MLFLOW_TRACKING_URI`, or an sqlite file beside it."""
    return os.environ.get(TRACKING_URI) or f"{SQLITE}{folder.resolve().parent / 'mlflow.db'}"


def sqlite_file(uri: str) -> Path | None:
    """Return the file of an sqlite store, None for other stores."""
    return Path(uri.removeprefix(SQLITE)).resolve() if uri.startswith(SQLITE) else None


def artifact_folder(uri: str, folder: Path) -> Path | None:
    """Return the folder for the artifacts of the tournament in ``folder``, None where a server decides that.

    A database keeps no files: they are beside an sqlite file, and beside the tournament if it is a server's database.
    """
    if uri.startswith(("http:", "https:")):
        return None
    file = sqlite_file(uri)
    return (file or folder.resolve()).parent / "mlflow"


def without_password(uri: str) -> str:
    """Return a URI without its password, for people.

    >>> without_password("postgresql://me:secret@host/runs")
    'postgresql://me:***@host/runs'
    """
    return re.sub(r"(//[^:/@]*):[^/@]*@", r"\1:***@", uri)


def experiment_page(uri: str, experiment: str = "") -> str:
    """Return the address of an experiment on the server at ``uri``, or on the one that ``mlflow ui`` starts for a database.

    MLflow 3.17 shows the pages for language models for any kind of experiment unless the address says otherwise.

    >>> experiment_page("sqlite:///runs/mlflow.db", "1")
    'http://127.0.0.1:5000/#/experiments/1?workflowType=machine_learning'
    """
    server = without_password(uri).rstrip("/") if uri.startswith("http") else _LOCAL_SERVER
    path = f"experiments/{experiment}" if experiment else "experiments"
    return f"{server}/#/{path}?workflowType=machine_learning"


def check_store(uri: str) -> None:
    """Raise `DataError` if a store is unavailable; MLflow tries for minutes, and sqlite for ever.

    A file is examined, and a server is asked to connect; whether it is one of MLflow's is left to MLflow.
    """
    file = sqlite_file(uri)
    if file is not None:
        _check_file(file)
        return
    parts = urlsplit(uri)
    port = parts.port or _PORTS.get(parts.scheme.partition("+")[0])
    if parts.hostname and port:
        try:
            socket.create_connection((parts.hostname, port), _KNOCK_SECONDS).close()
        except OSError as error:
            raise DataError(f"nobody answers: {error.strerror or error}") from None


def reason_of(error: Exception) -> str:
    """Return the message of a store's exception, in a line, with advice where there is some."""
    if isinstance(error, ModuleNotFoundError) and error.name in _DRIVERS:
        return f"no driver for this database; pip install '{_DRIVERS[error.name]}'"
    text = str(error).strip() or type(error).__name__
    if "timed out" in text:
        return "it does not answer in time"
    return without_password(text.splitlines()[0])[:_LONGEST_REASON]


def is_busy(error: Exception) -> bool:
    """Say whether a store refused to write because another process does; sqlite waits for seconds only."""
    return "database is locked" in str(error)


def _check_file(file: Path) -> None:
    """Raise unless an sqlite file can be written, or made."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DataError(f"{str(file.parent)!r} cannot be made: {error.strerror}") from None
    if file.exists() and not os.access(file, os.R_OK | os.W_OK):
        raise DataError(f"{file.name} is read-only")
    if not os.access(file.parent, os.W_OK | os.X_OK):  # sqlite writes its journal there
        raise DataError(f"{str(file.parent)!r} is read-only")
