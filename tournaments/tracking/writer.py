"""Writing the contents of a folder to its run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import isfinite
from pathlib import Path
from tempfile import TemporaryDirectory

from tag.tournaments.ledger.folder import is_at_work
from tag.tournaments.tracking.contents import RunContents
from tag.tournaments.tracking.marks import mark
from tag.tournaments.tracking.runs import Run
from tag.tournaments.tracking.tracker import FINISHED, KILLED


class RunWriter:
    """Writes the run of a folder's contents, as far as its files go, so that it can be ended at any time."""

    def __init__(self, contents: RunContents, uri: str, execution: Mapping[str, object]) -> None:
        """Write to the store at ``uri``."""
        self.contents = contents
        self._uri = uri
        self._execution = execution
        self._run: Run | None = None

    @property
    def has_begun(self) -> bool:
        """True if there is a run."""
        return self._run is not None

    def look(self, news: Mapping[str, float]) -> None:
        """Write the news, and the new points of curves.

        Args:
            news: the progress of play: games and total, and other figures.

        Raises:
            Exception: any error of the store; nothing is lost with it.
        """
        run = self._begun()
        run.log_progress({name: float(value) for name, value in news.items() if isfinite(value)})
        if self.contents.has_points(news, run.last_step):
            for _asks in self._log_curves(run, complete=False):
                pass

    def end(self, status: str, games: int = 0) -> Iterator[bool]:
        """End the run with ``status``; if that is `FINISHED`, first write all missing figures, tables and files.

        It yields before each call that may take long: whether the store has to answer.

        Args:
            status: of the run.
            games: how many there are in the end; 0 where that is not known.

        Raises:
            Exception: any error of the store; nothing is lost with it.
        """
        yield True
        run = self._begun()
        if status == FINISHED:
            yield from self._log_results(run)
            run.end_progress(games)
        run.end(status)
        if status == FINISHED:
            mark(self.contents.folder, self._uri, self.contents.kind.contents, run.experiment)

    def abandon(self) -> None:
        """Mark the run as killed with its driver, unless another driver has gone on by now."""
        if self._run is not None and not is_at_work(self.contents.folder):
            self._run.end(KILLED)

    def _begun(self) -> Run:
        """Return the run, with the facts known beforehand."""
        is_changed = self.contents.read()
        run = self._run or Run.opened(self._uri, self.contents.folder, self.contents.identity())
        if is_changed or self._run is None:
            run.set_tags(self.contents.tags(self._execution))
            run.log(self.contents.parameters())
        self._run = run
        return run

    def _log_curves(self, run: Run, *, complete: bool) -> Iterator[bool]:
        """Write new points of all curves, and the parts; it yields as `end` does."""
        yield False
        found = list(self.contents.points(run.last_step, complete=complete))
        yield True
        run.log({}, found)
        known, most = None, self.contents.most_parts
        for one in self.contents.parts(complete=complete):
            yield True
            known = run.parts() if known is None else known
            if one.key not in known:
                if most is not None and len(known) >= most:
                    continue  # the first ones stay
                known[one.key] = run.new_part(one.key)
            known[one.key].log(one.parameters, one.points)
            if one.result is not None:
                known[one.key].log_results(*one.result)

    def _log_results(self, run: Run) -> Iterator[bool]:
        """Write all that is missing; it yields as `end` does."""
        yield from self._log_curves(run, complete=True)
        yield False
        with TemporaryDirectory() as scratch:
            results = self.contents.results(Path(scratch))
            for file, where in results.files:
                yield True
                run.log_file(file, where)
        yield True
        run.set_tags(results.tags)
        run.log_results(run.last_step, results.metrics)
