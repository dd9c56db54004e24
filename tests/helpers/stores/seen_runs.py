"""A run as MLflow's own client sees it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any


class SeenRun:
    """What a store says of a run."""

    def __init__(self, client: Any, run: Any) -> None:
        self._client = client
        self.id = run.info.run_id
        self.status = run.info.status
        self.name = run.info.run_name
        self.params = run.data.params
        self.tags = run.data.tags
        self.metrics = run.data.metrics

    def curve(self, metric: str) -> list[tuple[int, float]]:
        """Steps and values, in the order of steps; a point that is there twice is here twice."""
        found = self._client.get_metric_history(self.id, metric)
        return sorted((point.step, point.value) for point in found)

    def curves(self) -> dict[str, list[tuple[int, float]]]:
        """All curves but those of the moment."""
        return {name: self.curve(name) for name in self.metrics if not name.startswith("progress/")}

    def files(self, folder: str | None = None) -> set[str]:
        """The paths of all artifacts."""
        found: set[str] = set()
        for entry in self._client.list_artifacts(self.id, folder):
            found |= self.files(entry.path) if entry.is_dir else {entry.path}
        return found

    def download(self, path: str, to: Path) -> Path:
        return Path(self._client.download_artifacts(self.id, path, str(to)))


Runs = Callable[..., list[SeenRun]]
