"""The driver's part of tracking: it starts the process that writes the run, and sends it the progress of play.

It never waits for a store, except at the end of a tournament, and then only while the process shows signs of life.
"""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from time import perf_counter
from typing import Any, Final

from tag.tournaments.driver.counts import GameCounts
from tag.tournaments.driver.events import Listeners
from tag.tournaments.ledger.experiment import begun_events
from tag.tournaments.ledger.games import ledger_files
from tag.tournaments.tracking.marks import Contents, is_marked
from tag.tournaments.tracking.stores import default_tracking_uri, without_password


@dataclass(frozen=True)
class RunType:
    """A kind of runs.

    Attributes:
        data: the class of its `tag.tournaments.tracking.contents.RunContents`, as ``module:Class``: a name for another
            process, so that the driver need not import it.
        contents: returns an identification of the contents of such a folder, different whenever these change.
    """

    data: str
    contents: Contents


def ledger_names(folder: Path) -> list[str]:
    """Return the names of the files of the ledger in ``folder``, which change with the contents."""
    return [path.name for path in ledger_files(folder)]


def _names_by_event(folder: Path) -> list[str]:
    """Return the same of the ledgers of an experiment."""
    return [f"{name}/{file}" for name, event in begun_events(folder).items() for file in ledger_names(event)]


TOURNAMENTS: Final = RunType("tag.tournaments.tracking.tournaments:TournamentContents", ledger_names)
EXPERIMENTS: Final = RunType("tag.tournaments.tracking.experiments:ExperimentContents", _names_by_event)


FINISHED: Final = "FINISHED"
FAILED: Final = "FAILED"
KILLED: Final = "KILLED"

_TELL_SECONDS: Final = 1.0
#: How long the store may take for an answer once play has ended, in seconds. It is shorter after trouble with the
#: store, and if the tournament will be resumed anyway.
_PATIENCE: Final = 60.0
_LITTLE_PATIENCE: Final = 15.0
_KILLED_PATIENCE: Final = 5.0
#: How long the process goes on writing once the driver is gone, in seconds: many may want the store at once.
LAST_SECONDS: Final = 600.0
_NO_ANSWER: Final = f"it does not answer yet; a process goes on trying for {LAST_SECONDS / 60.0:g} minutes"
_CHUNK: Final = 1 << 16


class TrackingListener(GameCounts):
    """Has the run of the games in a folder written, by a process of its own."""

    def __init__(
        self,
        folder: Path,
        uri: str,
        execution: Mapping[str, object],
        say: Callable[[str], None],
        kind: RunType = TOURNAMENTS,
    ) -> None:
        """Track the games played in ``folder`` in the store at ``uri``; ``say`` shows a sentence."""
        super().__init__()
        self._folder = folder
        self._uri = uri
        self._kind = kind
        self._complain_to = say
        self._task = {
            "data": kind.data,
            "folder": str(folder.resolve()),
            "uri": uri,
            "execution": dict(execution),
        }
        self._process: _WriterProcess | None = None
        self._has_told = False
        self._next_news = 0.0

    def start(self, total: int, done: int, product: str = "") -> None:
        """Start the run if there is anything to play."""
        super().start(total, done, product)
        if done < total and not self._is_marked():
            self._tell_news()

    def advance(self, games: int, faults: int) -> None:
        """Count games, and tell the writing process now and then."""
        super().advance(games, faults)
        if perf_counter() >= self._next_news:
            self._tell_news()

    def end(self, status: str) -> None:
        """End the run with ``status``; Ctrl-C gives up on it."""
        if self._process is None and (status != FINISHED or self._is_marked()):
            return
        try:
            if self._process is not None and self._process.has_ended:
                self._process.close()
                self._process = None
            process = self._started()
            process.tell(end=status, games=self.done)
            reason = self._wait(process, status)
            if reason == _NO_ANSWER:
                process.leave()
                self._process = None
        except KeyboardInterrupt:
            reason = "it was interrupted"
        except OSError as error:
            reason = error.strerror or str(error)
        finally:
            if self._process is not None:
                self._process.close()
        if reason and (status == FINISHED or reason == _NO_ANSWER):
            self._complain(reason)

    def _wait(self, process: _WriterProcess, status: str) -> str:
        """Wait until the run has ended, and report the reason if it does not."""
        patience: float | None = _KILLED_PATIENCE if status != FINISHED else _PATIENCE
        while not process.has_ended:
            said = process.heard(patience)
            self._take(said)
            if not said and not process.has_ended:
                return _NO_ANSWER
            if any("done" in message for message in said):
                return ""
            if status == FINISHED:
                asks = not said or said[-1].get("asks", True)
                patience = (_LITTLE_PATIENCE if self._has_told else _PATIENCE) if asks else None
        return "the process that writes it has ended"

    def _is_marked(self) -> bool:
        """Say whether the store has all present contents."""
        return is_marked(self._folder, self._uri, self._kind.contents)

    def _tell_news(self) -> None:
        self._next_news = perf_counter() + _TELL_SECONDS
        speed = self.games_per_second
        news = {"games": self.done, "total": self.total, "faults": self.faults, "games_per_second": speed}
        if speed:
            news["seconds_left"] = (self.total - self.done) / speed
        try:
            process = self._started()
            process.tell(news=news)
            self._take(process.heard(0.0))
        except OSError as error:
            self._complain(error.strerror or str(error))

    def _started(self) -> _WriterProcess:
        if self._process is None:
            self._process = _WriterProcess(self._task)
        return self._process

    def _take(self, messages: Sequence[Mapping[str, Any]]) -> None:
        for message in messages:
            if "trouble" in message:
                self._complain(message["trouble"])

    def _complain(self, reason: str) -> None:
        """Report a problem once; for any problem, the same command repairs it."""
        if not self._has_told:
            self._has_told = True
            self._complain_to(
                f"nothing is tracked at {without_password(self._uri)} for now ({reason}); the games are in the ledger, "
                "and the same command writes what is missing"
            )


@contextmanager
def tracked(
    events: Listeners, folder: Path, tracking: bool | str, execution: Mapping[str, object], kind: RunType = TOURNAMENTS
) -> Iterator[None]:
    """Have an MLflow run written of what the body plays, and end the run if an exception ends play.

    Args:
        events: those of play, which the run's listener hears from now on.
        folder: the tournament's, or the study's.
        tracking: the URI of the store; True for `default_tracking_uri`, False for no run.
        execution: conditions that do not change results, for people.
        kind: of the folder's contents.
    """
    if tracking is False:
        yield
        return
    uri = default_tracking_uri(folder) if tracking is True else tracking
    listener = TrackingListener(folder, uri, execution, events.say, kind)
    events.add(listener)
    try:
        yield
    except BaseException as error:
        listener.end(KILLED if isinstance(error, KeyboardInterrupt) else FAILED)
        raise


class _WriterProcess:
    """The process that writes the run, as seen by the driver."""

    def __init__(self, task: Mapping[str, object]) -> None:
        """Start the process."""
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([entry or str(Path.cwd()) for entry in sys.path])}
        reading, self._to = os.pipe()
        self._from, writing = os.pipe()
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "tag.tournaments.tracking.process"],
                stdin=reading,
                stdout=writing,
                stderr=subprocess.DEVNULL,
                env=environment,
                start_new_session=True,  # Ctrl-C is for the driver
            )
        except OSError:
            self._hang_up()
            raise
        finally:
            os.close(reading)
            os.close(writing)
        self._unread = b""
        self.has_ended = False
        self.tell(**task)
        os.set_blocking(self._to, False)

    def tell(self, **message: object) -> None:
        """Send a message without waiting; it is lost where the process does not listen."""
        with suppress(BlockingIOError, BrokenPipeError):
            os.write(self._to, json.dumps(message).encode() + b"\n")

    def heard(self, seconds: float | None) -> list[dict[str, Any]]:
        """Return the messages of the process, waiting so many seconds at most if there are none; None is for ever."""
        end = None if seconds is None else perf_counter() + seconds
        while not self.has_ended:
            left = None if end is None else max(0.0, end - perf_counter())
            if not select.select([self._from], [], [], left)[0]:
                break
            data = os.read(self._from, _CHUNK)
            self.has_ended = not data
            *lines, self._unread = (self._unread + data).split(b"\n")
            if lines:
                return [json.loads(line) for line in lines]
        return []

    def close(self) -> None:
        """End the process at once, also in the middle of a write."""
        self._process.kill()
        self._process.wait()
        self._hang_up()

    def leave(self) -> None:
        """Let the process end its task on its own; a thread takes its exit code, if this process lasts so long."""
        self._hang_up()
        Thread(target=self._process.wait, daemon=True).start()

    def _hang_up(self) -> None:
        os.close(self._to)
        os.close(self._from)
