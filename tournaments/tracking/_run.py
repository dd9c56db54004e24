"""A run in a store of MLflow's.

This is the only module that imports mlflow, and only when it is used: that takes a second.
"""

from __future__ import annotations

import logging
import os
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from datetime import datetime
from pathlib import Path
from typing import Any, Final, Self, TypeVar

from tag.spec import parse_spec
from tournaments.folder import Manifest, locked
from tournaments.tracking.stores import artifact_folder, check_store, sqlite_file

_ID_TAG: Final = "tournament.id"
#: A point of the curves is complete just if it has this metric, which is its step, too.
_GAMES: Final = "games"
_PER_CALL: Final = 100
_METRICS_PER_CALL: Final = 1000
_LONGEST_NAME: Final = 200

#: No telemetry, no chatter, and no long waits for a server that is not there; a user's own settings come first.
_ENVIRONMENT: Final = {
    "MLFLOW_DISABLE_TELEMETRY": "true",
    "DO_NOT_TRACK": "true",
    "MLFLOW_LOGGING_LEVEL": "ERROR",
    "MLFLOW_SUPPRESS_PRINTING_URL_TO_STDOUT": "true",
    "MLFLOW_HTTP_REQUEST_MAX_RETRIES": "1",
    "MLFLOW_HTTP_REQUEST_TIMEOUT": "10",
}

_Item = TypeVar("_Item")


class Run:
    """The run of a tournament.

    Attributes:
        id: the store's name for it.
        last_step: the games of the last point of its curves; 0 where there is none.
    """

    def __init__(self, client: Any, run: Any) -> None:
        """Go on with ``run``; use `opened`."""
        self._client = client
        self.id = str(run.info.run_id)
        self.last_step = int(run.data.metrics.get(_GAMES, 0))
        self._parameters = set(run.data.params)

    @classmethod
    def opened(cls, uri: str, folder: Path, manifest: Manifest) -> Self:
        """Return the run of the tournament in ``folder``, which is running from now on; a new one if there is none yet.

        Raises:
            DataError: the store is away.
            Exception: whatever the store raises.
        """
        check_store(uri)
        with _making(uri):  # two tournaments may want to make the store at once
            client = _client(uri)
            experiment = _experiment(client, metric_name(parse_spec(manifest.definition.game).name), uri, folder)
            found = client.search_runs([experiment], f"tags.`{_ID_TAG}` = '{manifest.id}'", max_results=1)
            run = found[0] if found else _new_run(client, experiment, folder, manifest)
        client.update_run(run.info.run_id, status="RUNNING")
        return cls(client, run)

    def log_parameters(self, parameters: Mapping[str, object]) -> None:
        """Write the parameters that the run has not yet: stores refuse to change one."""
        from mlflow.entities import Param  # noqa: PLC0415  see the module

        new = {name: str(value) for name, value in parameters.items() if name not in self._parameters}
        for chunk in _chunks([Param(name, value) for name, value in new.items()], _PER_CALL):
            self._client.log_batch(self.id, params=chunk)
        self._parameters.update(new)

    def set_tags(self, tags: Mapping[str, str]) -> None:
        """Write tags, in place of those of the same names."""
        from mlflow.entities import RunTag  # noqa: PLC0415  see the module

        for chunk in _chunks([RunTag(_tag_name(name), value) for name, value in tags.items()], _PER_CALL):
            self._client.log_batch(self.id, tags=chunk)

    def log_point(self, games: int, values: Mapping[str, float]) -> None:
        """Write one point of all curves, after so many games; a point that is known already is left alone."""
        if games > self.last_step:
            self.log_values(games, {**values, _GAMES: float(games)})  # the last, as it says that all are there
            self.last_step = games

    def log_values(self, games: int, values: Mapping[str, float]) -> None:
        """Write figures after so many games."""
        from mlflow.entities import Metric  # noqa: PLC0415  see the module

        now = int(time.time() * 1000)
        for chunk in _chunks([Metric(name, value, now, games) for name, value in values.items()], _METRICS_PER_CALL):
            self._client.log_batch(self.id, metrics=chunk)

    def log_file(self, file: Path, folder: str) -> None:
        """Copy a file to a folder among the artifacts, the topmost if that is empty; in the place of one of that name."""
        self._client.log_artifact(self.id, str(file), folder or None)

    def end(self, status: str) -> None:
        """Say that nobody is at work on it any more."""
        self._client.set_terminated(self.id, status)


def agent_names(labels: Sequence[str]) -> dict[str, str]:
    """Return legal, distinct names for agents by their labels; with more agents, the names of the others stay.

    >>> agent_names(["mcts:budget=400", "mcts:budget=400#2", "rhea"])
    {'mcts:budget=400': 'mcts_budget_400', 'mcts:budget=400#2': 'mcts_budget_400_2', 'rhea': 'rhea'}
    """
    names: dict[str, str] = {}
    for label in labels:
        plain = metric_name(label)
        number, name = 1, plain
        while name in names.values():
            number += 1
            name = f"{plain}_{number}"
        names[label] = name
    return names


def metric_name(text: str) -> str:
    """Return ``text`` with only the characters that every store accepts in a name.

    >>> metric_name("./my agent.py:A")
    'my_agent_py_A'
    """
    return re.sub(r"[^A-Za-z0-9_-]+", "_", text).strip("_")[:_LONGEST_NAME] or "_"


def _tag_name(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9_.:/ -]+", "_", text)[:_LONGEST_NAME]


def _making(uri: str) -> AbstractContextManager[None]:
    file = sqlite_file(uri)
    return nullcontext() if file is None else locked(file.parent / ".mlflow.lock")


def _client(uri: str) -> Any:
    for name, value in _ENVIRONMENT.items():
        os.environ.setdefault(name, value)
    from mlflow import MlflowClient  # noqa: PLC0415  takes a second, and reads the environment

    logging.getLogger("alembic").setLevel(logging.ERROR)
    return MlflowClient(tracking_uri=uri, registry_uri=uri)


def _experiment(client: Any, name: str, uri: str, folder: Path) -> str:
    """Return the id of the experiment of that name."""
    found = client.get_experiment_by_name(name)
    if found is not None:
        return str(found.experiment_id)
    artifacts = artifact_folder(uri, folder)
    return str(client.create_experiment(name, artifact_location=None if artifacts is None else artifacts.as_uri()))


def _new_run(client: Any, experiment: str, folder: Path, manifest: Manifest) -> Any:
    started = int(datetime.fromisoformat(manifest.created).timestamp() * 1000)
    name = folder.resolve().name
    return client.create_run(experiment, start_time=started, tags={_ID_TAG: manifest.id}, run_name=name)


def _chunks(items: Sequence[_Item], size: int) -> Iterator[list[_Item]]:
    for begin in range(0, len(items), size):
        yield list(items[begin : begin + size])
