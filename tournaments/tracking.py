"""Tracking: one MLflow run per tournament, written when the tournament is complete.

By default the runs of all tournaments in one folder (``runs/first``, ``runs/second``) are in one store beside them
(``runs/mlflow.db``, artifacts in ``runs/mlflow``), so that one ``mlflow ui`` compares them. A run is found again by the
tournament's id, so that a tournament which goes on, or gets more blocks, goes on in its run.

This is the only module that imports mlflow, and only when something is tracked: the import takes a second.
"""

from __future__ import annotations

import json
import logging
import math
import os
import re
import time
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from tag.spec import parse_spec
from tournaments.folder import Manifest, locked
from tournaments.html.page import page_html
from tournaments.ledger import ledger_files
from tournaments.reports.tournament import tournament_page
from tournaments.results import TournamentResults
from tournaments.standings import Standing
from tournaments.tables import standings_csv, standings_markdown

_ID_TAG: Final = "tournament.id"
_REPORT_ERROR_TAG: Final = "report.error"
_LONGEST_TAG: Final = 500
_SQLITE: Final = "sqlite:///"
_PARAMETERS_PER_CALL: Final = 100
_METRICS_PER_CALL: Final = 1000

#: No telemetry, no chatter, and no long waits for a server that is not there; a user's own settings come first.
_ENVIRONMENT: Final = {
    "MLFLOW_DISABLE_TELEMETRY": "true",
    "DO_NOT_TRACK": "true",
    "MLFLOW_LOGGING_LEVEL": "ERROR",
    "MLFLOW_SUPPRESS_PRINTING_URL_TO_STDOUT": "true",
    "MLFLOW_HTTP_REQUEST_MAX_RETRIES": "1",
    "MLFLOW_HTTP_REQUEST_TIMEOUT": "20",
}


def default_tracking_uri(folder: Path) -> str:
    """Return the store for the tournament in ``folder``: an sqlite file beside it."""
    return f"{_SQLITE}{folder.resolve().parent / 'mlflow.db'}"


def track(results: TournamentResults, manifest: Manifest, uri: str) -> str:
    """Write the tournament's run to the store at ``uri`` and return the run's id.

    Parameters are the definition's but for the blocks, which can grow; metrics are those of each agent; artifacts are the
    table, the report, the definition and the ledger.

    Raises:
        Exception: whatever the store raises; nothing that counts is lost with it.
    """
    store = _store_folder(uri)
    if store is None:
        return _track(results, manifest, uri)
    store.mkdir(parents=True, exist_ok=True)
    with locked(store / ".mlflow.lock"):  # two tournaments may end, and create the store, at once
        return _track(results, manifest, uri)


def _track(results: TournamentResults, manifest: Manifest, uri: str) -> str:
    client = _client(uri)
    experiment = _experiment(client, _metric_name(parse_spec(manifest.definition.game).name), uri)
    run_id = _run(client, experiment, results.folder, manifest)
    _log_values(client, run_id, results, manifest)
    _log_artifacts(client, run_id, results, manifest.definition.blocks)
    client.set_terminated(run_id)
    return run_id


def _client(uri: str) -> Any:
    for name, value in _ENVIRONMENT.items():
        os.environ.setdefault(name, value)
    from mlflow import MlflowClient  # noqa: PLC0415  takes a second, and reads the environment

    logging.getLogger("alembic").setLevel(logging.ERROR)
    return MlflowClient(tracking_uri=uri, registry_uri=uri)


def _store_folder(uri: str) -> Path | None:
    """Return the folder of an sqlite store, None for other stores."""
    return Path(uri.removeprefix(_SQLITE)).parent.resolve() if uri.startswith(_SQLITE) else None


def _experiment(client: Any, name: str, uri: str) -> str:
    """Return the id of the experiment of that name; a new one in sqlite keeps its artifacts beside the database."""
    found = client.get_experiment_by_name(name)
    if found is not None:
        return str(found.experiment_id)
    store = _store_folder(uri)
    return str(client.create_experiment(name, artifact_location=None if store is None else (store / "mlflow").as_uri()))


def _run(client: Any, experiment: str, folder: Path, manifest: Manifest) -> str:
    """Return the id of the tournament's run, a new one if there is none yet."""
    found = client.search_runs([experiment], f"tags.`{_ID_TAG}` = '{manifest.id}'", max_results=1)
    if found:
        return str(found[0].info.run_id)
    versions = {f"version.{name}": value for name, value in manifest.versions.items()}
    started = int(datetime.fromisoformat(manifest.created).timestamp() * 1000)
    tags = {_ID_TAG: manifest.id, "folder": str(folder.resolve()), **versions}
    run = client.create_run(experiment, start_time=started, tags=tags, run_name=folder.resolve().name)
    return str(run.info.run_id)


def _log_values(client: Any, run_id: str, results: TournamentResults, manifest: Manifest) -> None:
    from mlflow.entities import Metric, Param  # noqa: PLC0415  see _client

    now, blocks = int(time.time() * 1000), manifest.definition.blocks
    parameters = [Param(name, str(value)) for name, value in _parameters(manifest).items()]
    values = {"blocks": float(blocks), "games": float(results.games), **_metrics(results.standings)}
    metrics = [Metric(name, value, now, blocks) for name, value in values.items()]
    for chunk in _chunks(parameters, _PARAMETERS_PER_CALL):
        client.log_batch(run_id, params=chunk)
    for chunk in _chunks(metrics, _METRICS_PER_CALL):
        client.log_batch(run_id, metrics=chunk)


def _parameters(manifest: Manifest) -> dict[str, object]:
    plain = manifest.definition.to_json()
    plain.pop("blocks")
    agents = plain.pop("agents")
    return {**plain, **{f"agent_{number}": spec for number, spec in enumerate(agents, start=1)}}


def _metrics(standings: Sequence[Standing]) -> dict[str, float]:
    """Return the numbers of all agents by legal, distinct names: ``mcts_budget_400/win_rate``."""
    metrics: dict[str, float] = {}
    names: set[str] = set()
    for standing in standings:
        row = standing.to_json()
        name = _distinct(_metric_name(str(row["agent"])), names)
        for key, value in row.items():
            if isinstance(value, int | float) and math.isfinite(value):
                metrics[f"{name}/{key}"] = float(value)
    return metrics


def _metric_name(text: str) -> str:
    """Return ``text`` with only the characters that every store accepts in a name."""
    return re.sub(r"[^A-Za-z0-9_-]+", "_", text).strip("_")[:200] or "_"


def _distinct(name: str, taken: set[str]) -> str:
    """Return ``name``, numbered if it is ``taken``, and take it."""
    number, distinct = 1, name
    while distinct in taken:
        number += 1
        distinct = f"{name}_{number}"
    taken.add(distinct)
    return distinct


def _log_artifacts(client: Any, run_id: str, results: TournamentResults, blocks: int) -> None:
    client.log_text(run_id, standings_markdown(results.standings), "results.md")
    client.log_text(run_id, standings_csv(results.standings), "results.csv")
    client.log_text(run_id, json.dumps(results.to_json(), indent=2), "results.json")
    client.log_artifact(run_id, str(results.folder / "tournament.json"))
    _log_report(client, run_id, results.folder)
    for path in ledger_files(results.folder):
        client.log_artifact(run_id, str(path), f"ledger/{blocks}_blocks")  # stores cannot take files back


def _log_report(client: Any, run_id: str, folder: Path) -> None:
    """Write the report; one that cannot be drawn leaves a tag with the reason, and costs nothing else."""
    try:
        html = page_html(tournament_page(folder))
    except Exception as error:  # noqa: BLE001  the games and the table are worth more
        client.set_tag(run_id, _REPORT_ERROR_TAG, f"{type(error).__name__}: {error}"[:_LONGEST_TAG])
        return
    client.log_text(run_id, html, "report.html")


def _chunks(items: list[Any], size: int) -> Iterator[list[Any]]:
    for begin in range(0, len(items), size):
        yield items[begin : begin + size]
