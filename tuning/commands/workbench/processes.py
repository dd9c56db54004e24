"""Processes of the workbench: runs, which survive the server, and short commands, which do not outlast their limit.

A run is a command of ``tag`` in a session of its own. What is known of it is in the folder ``.workbench`` of the folder that
is served: ``NAME.json`` says what was started, ``NAME.log`` has its output, and ``NAME.lock`` is locked as long as it lives,
as the process inherits the open file. So a server that is started later finds it again.
"""

from __future__ import annotations

import fcntl
import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, NamedTuple

from tag.errors import DataError
from tag.tournaments.ledger.storage import write_whole
from tag.tournaments.web import forms

#: The folder of the records.
RECORDS: Final = ".workbench"
#: The program of every run.
TAG: Final = (sys.executable, "-P", "-m", "tag")
#: The program that tells the parameters in a user's file.
FORM: Final = (sys.executable, "-P", "-m", forms.MODULE)
#: So much of the end of a log is read for the last sentence, in bytes.
_LAST: Final = 8_192
_LONGEST_SENTENCE: Final = 600
_LARGEST_RECORD: Final = 1 << 16
_MARK: Final = "tag: "


@dataclass(frozen=True)
class Record:
    """A run that was started by the workbench, as it is stored.

    Attributes:
        run: the name of the run, below the folder that is served.
        kind: of `tag.tuning.commands.workbench.kinds`.
        begun: when its process was started, in ISO 8601, UTC.
        pid: of the process.
        workers: the processes that play, as they were asked for; None for one per core.
        tracking: whether an MLflow run is written.
    """

    run: str
    kind: str
    begun: str
    pid: int
    workers: int | None
    tracking: bool

    @classmethod
    def read(cls, file: Path) -> Record | None:
        """Return the record in a file; None where it is damaged, as folders may come from others."""
        try:
            if file.is_symlink() or file.stat().st_size > _LARGEST_RECORD:
                return None
            found = json.loads(file.read_bytes())
            record = cls(**found)
        except (OSError, ValueError, TypeError, RecursionError):
            return None
        texts = (record.run, record.kind, record.begun)
        numbers = type(record.pid) is int and record.pid > 1 and type(record.tracking) is bool
        workers = record.workers is None or (type(record.workers) is int and 1 <= record.workers < 1 << 16)
        is_own = all(isinstance(text, str) for text in texts) and file.stem == _stem(record.run)
        return record if is_own and numbers and workers else None


def _stem(run: str) -> str:
    """Return the name of the files of a run."""
    return blake2b(os.fsencode(run), digest_size=8).hexdigest()


class Processes:
    """The runs that were started in one folder, by this server or an earlier one."""

    def __init__(self, root: Path) -> None:
        """Read nothing yet."""
        self._folder = root / RECORDS
        self._children: list[subprocess.Popen[bytes]] = []

    def records(self) -> list[Record]:
        """Return all records, also of runs that have ended."""
        found = [Record.read(file) for file in sorted(self._folder.glob("*.json"))]
        return [record for record in found if record is not None]

    def is_alive(self, run: str) -> bool:
        """Say whether the process of a run is there."""
        self._children = [child for child in self._children if child.poll() is None]  # so that none stays as a zombie
        with suppress(OSError):
            number = os.open(self._file(run, "lock"), os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
            try:
                fcntl.flock(number, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                return True
            finally:
                os.close(number)
        return False

    def start(self, run: str, kind: str, words: Sequence[str], workers: int | None, *, tracking: bool) -> Record:
        """Start the command ``tag`` with ``words`` for a run, in a session of its own.

        Raises:
            DataError: the process of the run is there already, or the folder cannot be written.
        """
        try:
            if self._folder.is_symlink():
                raise DataError(f"{str(self._folder)!r} is a symbolic link; remove it")
            self._folder.mkdir(exist_ok=True)
            lock = self._opened(run, "lock")
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                pid = self._launched(run, words, lock)
            finally:
                os.close(lock)
            now = datetime.now(UTC).isoformat(timespec="seconds")
            record = Record(run, kind, now, pid, workers, tracking)
            write_whole(self._file(run, "json"), json.dumps(asdict(record), indent=2))
        except BlockingIOError:
            raise DataError(f"the process of {run!r} is at work already") from None
        except OSError as error:
            raise DataError(f"{str(self._folder)!r} cannot be written: {error.strerror}") from None
        return record

    def last_sentence(self, run: str) -> str:
        """Return the last sentence that ``tag`` has written for a run; otherwise its last line."""
        with suppress(OSError):
            number = os.open(self._file(run, "log"), os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
            with os.fdopen(number, "rb") as file:
                file.seek(max(0, os.fstat(number).st_size - _LAST))
                lines = [line.strip() for line in file.read(_LAST).decode(errors="replace").splitlines()]
            said = [line.removeprefix(_MARK) for line in lines if line.startswith(_MARK)]
            return next(iter([*said[-1:], *[line for line in lines if line][-1:]]), "")[:_LONGEST_SENTENCE]
        return ""

    def forget(self, run: str) -> None:
        """Remove the record of a run whose process has ended; its folder stays."""
        for suffix in ("json", "log", "lock"):
            self._file(run, suffix).unlink(missing_ok=True)

    def _launched(self, run: str, words: Sequence[str], lock: int) -> int:
        log = self._opened(run, "log")
        try:
            os.ftruncate(log, 0)
            child = subprocess.Popen(  # noqa: S603  a list of checked words, without a shell
                [*TAG, *words],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                pass_fds=(lock,),
                start_new_session=True,  # neither Ctrl-C of the server nor its end is for the run
            )
        finally:
            os.close(log)
        self._children.append(child)
        return child.pid

    def _opened(self, run: str, suffix: str) -> int:
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC
        return os.open(self._file(run, suffix), flags, 0o600)

    def _file(self, run: str, suffix: str) -> Path:
        return self._folder / f"{_stem(run)}.{suffix}"


class Done(NamedTuple):
    """A short command that has ended: whether it did its work, its output, and its last sentence."""

    is_right: bool
    output: str
    sentence: str


def run_shortly(words: Sequence[str], seconds: float, program: Sequence[str] | None = None) -> Done:
    """Run a program, ``tag`` if omitted, to its end.

    Raises:
        DataError: it has not ended within so many seconds of wall time, and was ended with all that it had started.
    """
    with subprocess.Popen(  # noqa: S603  a list of checked words, without a shell
        [*(program or TAG), *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        try:
            output, errors = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            raise DataError(f"there is no answer after {seconds:g} s; a game may take longer than that") from None
    said = [line.removeprefix(_MARK) for line in errors.decode(errors="replace").splitlines() if line.startswith(_MARK)]
    return Done(process.returncode == 0, output.decode(errors="replace"), said[-1] if said else "")


def read_output(done: Done) -> Any:
    """Return the JSON that a short command has printed.

    Raises:
        DataError: it has printed none; the sentence is its own.
    """
    if done.is_right:
        with suppress(ValueError):
            return json.loads(done.output)
    raise DataError(done.sentence or "the command has ended without a word")
