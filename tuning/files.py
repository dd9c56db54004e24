"""The files in the folder of a study that are derived from its ledgers: tables, written anew now and then, and verdicts."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from io import BytesIO
from pathlib import Path
from time import perf_counter
from typing import Any, Final

import pandas as pd

from tag.errors import DataError
from tournaments.storage import GO_ON, write_whole

TRIALS: Final = "trials.parquet"
INCUMBENTS: Final = "incumbents.parquet"

#: How often tables are written while a study goes on, at most, in seconds; and the share of the time that it may take.
_EVERY_SECONDS: Final = 10.0
_SHARE: Final = 0.01


class KeptFrames:
    """The tables of a study that goes on: others look at them meanwhile.

    They are written in their order, so that a later one never knows more than an earlier one.
    """

    def __init__(
        self,
        folder: Path,
        frames: Callable[[], Mapping[str, pd.DataFrame]],
        now: Callable[[], float] = perf_counter,
    ) -> None:
        """Write what ``frames`` returns, by the names of files, to ``folder``, by a clock in seconds."""
        self._folder = folder
        self._frames = frames
        self._now = now
        self._next = now() + _EVERY_SECONDS

    def keep(self) -> None:
        """Write them if that was long ago.

        Raises:
            DataError: they cannot be written.
        """
        if self._now() >= self._next:
            self.write()

    def write(self) -> None:
        """Write them.

        Raises:
            DataError: they cannot be written.
        """
        begin = self._now()
        for name, frame in self._frames().items():
            write_frame(self._folder / name, frame)
        now = self._now()
        self._next = now + max(_EVERY_SECONDS, (now - begin) / _SHARE)


def write_frame(path: Path, frame: pd.DataFrame) -> None:
    """Write a data frame, all or nothing.

    Raises:
        DataError: it cannot be written.
    """
    buffer = BytesIO()
    frame.to_parquet(buffer, index=False)
    write_whole(path, buffer.getvalue(), GO_ON)


def read_frame(path: Path) -> pd.DataFrame:
    """Return a data frame, empty where there is no file yet.

    Raises:
        DataError: it is damaged.
    """
    try:
        return pd.read_parquet(path)
    except FileNotFoundError:
        return pd.DataFrame()
    except (OSError, ValueError) as error:
        raise DataError(f"{str(path)!r} is damaged: {error}; run the study again to write it anew") from None


def write_json(path: Path, content: Mapping[str, Any]) -> None:
    """Write plain values, all or nothing.

    Raises:
        DataError: they cannot be written.
    """
    write_whole(path, json.dumps(content, indent=2) + "\n", GO_ON)


def read_json(path: Path) -> dict[str, Any] | None:
    """Return plain values; None where there is no file yet.

    Raises:
        DataError: it is damaged.
    """
    try:
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise DataError(f"{str(path)!r} is damaged: {error}") from None
    return found
