"""The process that writes the run of a tournament: ``python -m tournaments.tracking.writer``.

It gets its task and news of the games as lines of JSON on standard input, and says on standard output, likewise, what
becomes of it. It reads the tournament's folder and nothing else, so that it can be ended at any time.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from math import isfinite
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Condition, Thread, Timer
from typing import Any, Final

from tournaments.folder import Manifest, is_at_work, read_manifest
from tournaments.reports.reading import Reading, read_tournament
from tournaments.tracking import curves, record
from tournaments.tracking._run import Run, agent_names
from tournaments.tracking.marks import mark
from tournaments.tracking.stores import reason_of
from tournaments.tracking.tracker import FINISHED, KILLED

#: How often to write while the tournament is played, at most, in seconds; and after something went wrong.
_EVERY_SECONDS: Final = 5.0
_AGAIN_SECONDS: Final = 30.0
#: Writing may take this share of one core's time.
_SHARE: Final = 0.02
#: How long it may take for whatever it is doing once the runner is gone, in seconds.
_LAST_SECONDS: Final = 60.0
_REPORT_ERROR_TAG: Final = "report.error"
_LONGEST_TAG: Final = 500


class Writer:
    """Writes the run of the tournament in a folder, as far as its ledger goes."""

    def __init__(self, folder: Path, uri: str, execution: Mapping[str, object]) -> None:
        """Write to the store at ``uri``; what ``execution`` is says `record.tags`."""
        self._folder = folder
        self._uri = uri
        self._execution = execution
        self._run: Run | None = None
        self._manifest: Manifest | None = None

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
        run, manifest = self._begun()
        shown = {f"progress/{name}": float(value) for name, value in news.items() if isfinite(value)}
        run.log_values(int(news["games"]), shown)
        if self._may_have_points(run, manifest, news):
            self._log_points(run, manifest)

    def end(self, status: str) -> Iterator[bool]:
        """End the run with ``status``; if that is `FINISHED`, write all that is missing, tables and files before.

        It yields before what may take long: whether that is the store's answer.

        Raises:
            Exception: whatever the store raises; nothing is lost with it.
        """
        yield True
        run, manifest = self._begun()
        if status == FINISHED:
            yield from self._log_all(run, manifest)
        run.end(status)
        if status == FINISHED:
            mark(self._folder, self._uri)

    def abandon(self) -> None:
        """Say that the runner was killed, unless another has gone on with the tournament meanwhile."""
        if self._run is not None and not is_at_work(self._folder):
            self._run.end(KILLED)

    def _begun(self) -> tuple[Run, Manifest]:
        """Return the run and what it is of, as it is now: the tournament may have been extended."""
        manifest = read_manifest(self._folder)
        run = self._run or Run.opened(self._uri, self._folder, manifest)
        if manifest != self._manifest:
            run.log_parameters(record.parameters(manifest))
            run.set_tags(record.tags(self._folder, manifest, self._execution))
        self._run, self._manifest = run, manifest
        return run, manifest

    @staticmethod
    def _may_have_points(run: Run, manifest: Manifest, news: Mapping[str, float]) -> bool:
        """Say whether so many games have been played that the curves may go on; to read the ledger is dear."""
        blocks = manifest.definition.schedule().blocks
        known = round(run.last_step * blocks / news["total"])
        return news["games"] * blocks >= news["total"] * min(curves.next_in_grid(known), blocks)

    def _log_points(self, run: Run, manifest: Manifest) -> None:
        for point in curves.points(self._folder, manifest.definition, run.last_step):
            run.log_point(point.games, _values(point, manifest))

    def _log_all(self, run: Run, manifest: Manifest) -> Iterator[bool]:
        yield False
        reading = read_tournament(self._folder)
        points = list(curves.points(self._folder, manifest.definition, run.last_step, complete=True))
        with TemporaryDirectory() as temporary:
            trouble = record.write_files(reading, Path(temporary))
            yield True
            run.set_tags({_REPORT_ERROR_TAG: trouble[:_LONGEST_TAG]} if trouble else {})
            for file in sorted(file for file in Path(temporary).rglob("*") if file.is_file()):
                yield True
                folder = file.parent.relative_to(temporary).as_posix()
                run.log_file(file, "" if folder == "." else folder)
        files, elsewhere = record.ledger_to_copy(self._folder)
        run.set_tags({"ledger": elsewhere} if elsewhere else {})
        for file in files:
            yield True
            run.log_file(file, f"ledger/{manifest.definition.blocks}_blocks")  # stores cannot take files back
        yield True
        for point in points:
            values = _values(point, manifest)
            run.log_point(point.games, {**values, **_summary(reading)} if point is points[-1] else values)


def _values(point: curves.Point, manifest: Manifest) -> dict[str, float]:
    """Return a point of all curves by the names of metrics: ``mcts_budget_400/win_rate``."""
    names = agent_names(manifest.definition.labels)
    values = {"blocks": float(point.blocks), **{f"stopping/{name}": value for name, value in point.rule.items()}}
    for label, name in names.items():
        values.update({f"{name}/{field}": value for field, value in point.agents.get(label, {}).items()})
    return values


def _summary(reading: Reading) -> dict[str, float]:
    """Return all that is a number in the standings, and the ratings, by the names of metrics."""
    names = agent_names(reading.definition.labels)
    rows = [standing.to_json() for standing in reading.results.standings]
    if reading.ratings is not None:
        rows += reading.ratings.to_json()["agents"]
    return {
        f"{names[row['agent']]}/{field}": float(value)
        for row in rows
        for field, value in row.items()
        if isinstance(value, int | float)
    }


class _Inbox:
    """What the runner says, of which only the latest is of interest."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._news: dict[str, Any] | None = None
        self._end = ""
        self._is_over = False
        self.task: dict[str, Any] = json.loads(sys.stdin.readline())
        Thread(target=self._listen, daemon=True).start()

    def next(self) -> tuple[dict[str, Any] | None, str, bool]:
        """Wait until something is said; return the latest news, the status to end with, and whether the runner is gone."""
        with self._changed:
            self._changed.wait_for(lambda: self._news is not None or self._end or self._is_over)
            news, self._news = self._news, None
            return news, self._end, self._is_over

    def _listen(self) -> None:
        for line in sys.stdin:
            message = json.loads(line)
            with self._changed:
                self._news = message.get("news", self._news)
                self._end = message.get("end", self._end)
                self._changed.notify()
        last = Timer(_LAST_SECONDS, os._exit, [1])  # a call may never return
        last.daemon = True
        last.start()
        with self._changed:
            self._is_over = True
            self._changed.notify()


def _say(**message: object) -> None:
    """Tell the runner; it may be gone."""
    with suppress(BrokenPipeError):
        os.write(sys.stdout.fileno(), json.dumps(message).encode() + b"\n")


def _main() -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)  # the runner says when to end, or closes standard input by dying
    inbox = _Inbox()
    writer = Writer(Path(inbox.task["folder"]), inbox.task["uri"], inbox.task["execution"])
    next_look = 0.0
    while True:
        news, end, is_over = inbox.next()
        try:
            if end:
                _end(writer, end)
                return
            if is_over:
                writer.abandon()
                return
            if news is not None and time.monotonic() >= next_look:
                next_look = _look(writer, news)
        except Exception as error:  # noqa: BLE001  whatever a store raises
            _say(trouble=reason_of(error))
            if end or is_over:
                return
            next_look = time.monotonic() + _AGAIN_SECONDS


def _look(writer: Writer, news: Mapping[str, float]) -> float:
    """Write what is new, and return when to do so again."""
    is_first, begin = not writer.has_begun, time.process_time()
    writer.look(news)
    spent = 0.0 if is_first else time.process_time() - begin  # imports, and making the store, come once
    return time.monotonic() + max(_EVERY_SECONDS, spent / _SHARE)


def _end(writer: Writer, status: str) -> None:
    for asks in writer.end(status):
        _say(asks=asks)
    _say(done=True)


if __name__ == "__main__":
    _main()
