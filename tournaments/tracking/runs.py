"""A run in an MLflow store.

This is the only module that imports mlflow, and only when it is used: that takes a second.
"""

from __future__ import annotations

import logging
import os
import re
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, nullcontext, suppress
from dataclasses import dataclass
from datetime import datetime
from importlib.metadata import version
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final, Self, TypeVar

from tag.errors import DataError
from tag.tournaments.ledger.storage import locked
from tag.tournaments.tracking.stores import artifact_folder, check_store, sqlite_file

#: MLflow's own variable: an experiment in place of the game's.
_EXPERIMENT_NAME: Final = "MLFLOW_EXPERIMENT_NAME"
#: The tag by which MLflow nests runs.
_PARENT_TAG: Final = "mlflow.parentRunId"
_KEY_TAG: Final = "key"
#: The tag that MLflow shows as the version of a run's source.
COMMIT_TAG: Final = "mlflow.source.git.commit"
#: Makes most versions of MLflow 3 open an experiment as a table of runs; 3.17 goes by the address
#: (`tag.tournaments.tracking.stores.experiment_page`).
_KIND_TAG: Final = "mlflow.experimentKind"
_KIND: Final = "custom_model_development"
#: A point of the curves is complete just if it has this metric, which is its step, too.
_GAMES: Final = "games"
#: The prefix of the metrics of the progress of play.
_PROGRESS: Final = "progress/"
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


@dataclass(frozen=True)
class Identity:
    """The key by which a run is found again.

    Attributes:
        tag: the name of the tag with the id.
        id: names the tournament or study for ever.
        created: the time of its beginning, in ISO 8601.
    """

    experiment: str
    tag: str
    id: str
    created: str


class Run:
    """A run, whose parts may have runs of their own within it.

    Attributes:
        last_step: the games of the last point of its curves; 0 where there is none.
    """

    def __init__(self, client: Any, run: Any) -> None:
        """Go on with ``run``; use `opened`."""
        self._client = client
        self.id = str(run.info.run_id)
        self.experiment = str(run.info.experiment_id)
        self.last_step = int(run.data.metrics.get(_GAMES, 0))
        self._results: dict[str, float] = dict(run.data.metrics)
        self._progress = {
            name.removeprefix(_PROGRESS): value for name, value in self._results.items() if name.startswith(_PROGRESS)
        }
        self._parameters = set(run.data.params)

    @classmethod
    def opened(cls, uri: str, folder: Path, identity: Identity) -> Self:
        """Return the run of the contents of ``folder``, which is running from now on; a new one if there is none yet.

        Raises:
            DataError: the store is unavailable.
            Exception: any error of the store.
        """
        check_store(uri)
        with _making(uri):  # two drivers may want to make the store at once
            client = _client(uri)
            name = os.environ.get(_EXPERIMENT_NAME) or metric_name(identity.experiment)
            experiment = _experiment(client, name, uri, folder)
            found = client.search_runs([experiment], f"tags.`{identity.tag}` = '{identity.id}'", max_results=1)
            run = found[0] if found else _new_run(client, experiment, folder, identity)
        client.update_run(run.info.run_id, status="RUNNING")
        return cls(client, run)

    def log(self, parameters: Mapping[str, object], points: Iterable[tuple[int, Mapping[str, float]]] = ()) -> None:
        """Write the missing parameters, which stores refuse to change, and points of curves, in few calls."""
        from mlflow.entities import Metric, Param  # noqa: PLC0415  see the module

        names = [name for name in parameters if name not in self._parameters]
        new = [(games, values) for games, values in points if games > self.last_step]
        now = int(time.time() * 1000)
        metrics = [
            Metric(name, value, now, games)
            for games, values in new
            for name, value in {**values, _GAMES: float(games)}.items()  # the last, as it marks the point as complete
        ]
        params = [Param(name, str(parameters[name])) for name in names]
        for some, others in zip_longest(
            _chunks(params, _PER_CALL), _chunks(metrics, _METRICS_PER_CALL - _PER_CALL), fillvalue=()
        ):
            self._client.log_batch(self.id, params=some, metrics=others)
        self._parameters.update(names)
        self.last_step = new[-1][0] if new else self.last_step

    def set_tags(self, tags: Mapping[str, str]) -> None:
        """Write tags, in place of those of the same names."""
        from mlflow.entities import RunTag  # noqa: PLC0415  see the module

        for chunk in _chunks([RunTag(_tag_name(name), value) for name, value in tags.items()], _PER_CALL):
            self._client.log_batch(self.id, tags=chunk)

    def log_values(self, games: int, values: Mapping[str, float]) -> None:
        """Write figures after so many games."""
        from mlflow.entities import Metric  # noqa: PLC0415  see the module

        now = int(time.time() * 1000)
        for chunk in _chunks([Metric(name, value, now, games) for name, value in values.items()], _METRICS_PER_CALL):
            self._client.log_batch(self.id, metrics=chunk)

    def log_progress(self, news: Mapping[str, float]) -> None:
        """Write the progress of play, ``games`` among it."""
        self._progress |= news
        self.log_values(int(news["games"]), {_PROGRESS + name: value for name, value in news.items()})

    def end_progress(self, games: int) -> None:
        """Let the progress, if it was ever written, say that all ``games`` are played; the last known number if 0."""
        known = self._progress
        if known:
            played = float(games) or known.get("games", 0.0)
            last = {"games": played, "total": played, "seconds_left": 0.0}
            self.log_progress({name: value for name, value in last.items() if name in known})

    def log_results(self, games: int, values: Mapping[str, float]) -> None:
        """Write the figures of a complete part after so many games, except those that are there already."""
        new = {name: value for name, value in values.items() if self._results.get(name) != value}
        self.log_values(games, new)
        self._results.update(new)

    def parts(self) -> dict[str, Self]:
        """Return the runs within this one, by key."""
        mine, found, page = f"tags.`{_PARENT_TAG}` = '{self.id}'", [], None
        while page != "":
            page_found = self._client.search_runs([self.experiment], mine, page_token=page)
            found += page_found
            page = page_found.token or ""
        return {run.data.tags[_KEY_TAG]: type(self)(self._client, run) for run in found if _KEY_TAG in run.data.tags}

    def new_part(self, key: str) -> Self:
        """Return a new run within this one, which is not active; ``key`` is its name, too."""
        tags = {_PARENT_TAG: self.id, _KEY_TAG: key}
        run = self._client.create_run(self.experiment, tags=tags, run_name=key[:_LONGEST_NAME])
        part = type(self)(self._client, run)
        part.end("FINISHED")
        return part

    def log_file(self, file: Path, folder: str) -> None:
        """Copy a file to a folder among the artifacts, the topmost if that is empty; replace one of that name."""
        self._client.log_artifact(self.id, str(file), folder or None)

    def end(self, status: str) -> None:
        """Mark the run as no longer active."""
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
    file = sqlite_file(uri)
    is_new = file is not None and not file.exists()
    if file is not None and is_new and _copy_store(_empty_store(), file):
        is_new = False
    client = MlflowClient(tracking_uri=uri, registry_uri=uri)
    if file is not None and is_new:
        _copy_store(file, _empty_store())
    return client


def _empty_store() -> Path:
    """Return the file of an empty store, for this user and version of MLflow, from which new ones are copied.

    MLflow makes a new store by all migrations since its first version, which takes a second of CPU time.
    """
    caches = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(caches) / "tag-games" / f"mlflow-{version('mlflow')}.db"


def _copy_store(store: Path, copy: Path) -> bool:
    """Copy an sqlite store without its experiments, as a whole or not at all; return whether that succeeded.

    The default experiment, with its path, is made by MLflow when it opens the copy.
    """
    draft = copy.with_name(f".{copy.name}.{os.getpid()}")
    try:
        if not store.exists():
            return False
        copy.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with closing(sqlite3.connect(store)) as source, closing(sqlite3.connect(draft)) as target:
            source.backup(target)
            target.execute("DELETE FROM experiments")
            target.commit()
            is_sound = target.execute("PRAGMA quick_check").fetchall() == [("ok",)]
        if is_sound:
            draft.replace(copy)
        return is_sound
    except (OSError, RuntimeError, sqlite3.Error):  # no home, no room, or a damaged file: MLflow makes its store itself
        return False
    finally:
        with suppress(OSError):
            draft.unlink()


def _experiment(client: Any, name: str, uri: str, folder: Path) -> str:
    """Return the id of the experiment of that name, which opens as a table of runs unless it has another kind.

    Raises:
        DataError: it was deleted, which MLflow keeps for a while.
    """
    found = client.get_experiment_by_name(name)
    if found is None:
        artifacts = artifact_folder(uri, folder)
        location = None if artifacts is None else artifacts.as_uri()
        return str(client.create_experiment(name, artifact_location=location, tags={_KIND_TAG: _KIND}))
    if found.lifecycle_stage != "active":
        raise DataError(
            f"the experiment {name!r} was deleted; `mlflow experiments restore --experiment-id {found.experiment_id}` "
            f"restores it, and {_EXPERIMENT_NAME} names another"
        )
    if _KIND_TAG not in found.tags:
        client.set_experiment_tag(found.experiment_id, _KIND_TAG, _KIND)
    return str(found.experiment_id)


def _new_run(client: Any, experiment: str, folder: Path, identity: Identity) -> Any:
    try:
        started = int(datetime.fromisoformat(identity.created).timestamp() * 1000)
    except (TypeError, ValueError):
        started = None  # a definition that was edited: the run begins now
    name = folder.resolve().name
    return client.create_run(experiment, start_time=started, tags={identity.tag: identity.id}, run_name=name)


def _chunks(items: Sequence[_Item], size: int) -> Iterator[list[_Item]]:
    for begin in range(0, len(items), size):
        yield list(items[begin : begin + size])
