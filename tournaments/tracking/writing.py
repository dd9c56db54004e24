"""Writing a run from a folder: what is the same for tournaments and for studies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import isfinite
from pathlib import Path
from typing import Any

from tournaments.folder import is_at_work
from tournaments.tracking._run import Identity, Run
from tournaments.tracking.kinds import Kind
from tournaments.tracking.marks import mark
from tournaments.tracking.tracker import FINISHED, KILLED


class RunWriter:
    """Writes the run of what is in a folder, as far as its files go, so that it can be ended at any time.

    Attributes:
        kind: what the run is of.
        folder: where that is.
        execution: how it is played where that decides nothing.
    """

    kind: Kind

    def __init__(self, folder: Path, uri: str, execution: Mapping[str, object]) -> None:
        """Write to the store at ``uri``."""
        self.folder = folder
        self.execution = execution
        self._uri = uri
        self._run: Run | None = None
        self._manifest: Any = None

    @property
    def has_begun(self) -> bool:
        """Whether there is a run."""
        return self._run is not None

    def look(self, news: Mapping[str, float]) -> None:
        """Write what is new.

        Args:
            news: how play stands: games and total, and what else is to be seen.

        Raises:
            Exception: whatever the store raises; nothing is lost with it.
        """
        run = self._begun()
        shown = {f"progress/{name}": float(value) for name, value in news.items() if isfinite(value)}
        run.log_values(int(news["games"]), shown)
        self.log_news(run, self._manifest, news)

    def end(self, status: str) -> Iterator[bool]:
        """End the run with ``status``; if that is `FINISHED`, write all that is missing, tables and files before.

        It yields before what may take long: whether that is the store's answer.

        Raises:
            Exception: whatever the store raises; nothing is lost with it.
        """
        yield True
        run = self._begun()
        if status == FINISHED:
            yield from self.log_all(run, self._manifest)
        run.end(status)
        if status == FINISHED:
            mark(self.folder, self._uri, self.kind.contents, run.experiment)

    def abandon(self) -> None:
        """Say that the runner was killed, unless another has gone on meanwhile."""
        if self._run is not None and not is_at_work(self.folder):
            self._run.end(KILLED)

    def read_manifest(self) -> Any:
        """Return what the folder says it is, as it is now: it may have been extended."""
        raise NotImplementedError

    def identity(self, manifest: Any) -> Identity:
        """Return what its run is found again by."""
        raise NotImplementedError

    def describe(self, run: Run, manifest: Any) -> None:
        """Write what is to be known beforehand: parameters and tags."""
        raise NotImplementedError

    def log_news(self, run: Run, manifest: Any, news: Mapping[str, float]) -> None:
        """Write the points of curves that there are by now."""
        raise NotImplementedError

    def log_all(self, run: Run, manifest: Any) -> Iterator[bool]:
        """Write all that is missing of what is complete; it yields as `end` does."""
        raise NotImplementedError

    def _begun(self) -> Run:
        """Return the run, with what there is to be known beforehand."""
        manifest = self.read_manifest()
        run = self._run or Run.opened(self._uri, self.folder, self.identity(manifest))
        if manifest != self._manifest:
            self.describe(run, manifest)
        self._run, self._manifest = run, manifest
        return run


def log_files(run: Run, folder: Path) -> Iterator[bool]:
    """Copy all files in ``folder``, and below it, to the artifacts; it yields as `RunWriter.end` does."""
    for file in sorted(file for file in folder.rglob("*") if file.is_file()):
        yield True
        where = file.parent.relative_to(folder).as_posix()
        run.log_file(file, "" if where == "." else where)
