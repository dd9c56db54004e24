"""Files derived from the ledgers of a study: data frames, rewritten at intervals, and verdicts."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from io import BytesIO
from pathlib import Path
from time import perf_counter
from typing import Any, Final

import pandas as pd

from tag.engine.text_files import printable_values
from tag.errors import DataError
from tag.tournaments.ledger import parquet, storage
from tag.tournaments.statistics.plain_records import plain

TRIALS: Final = "trials.parquet"
INCUMBENTS: Final = "incumbents.parquet"
#: The values of trials after each rung, where they were judged before their ends.
RUNGS: Final = "rungs.parquet"
#: When trials began and ended: by the clock, so that it is no function of the definition.
TIMES: Final = "times.parquet"

#: Least interval in seconds between writes of the frames during a study, and the greatest share of time for writing.
_EVERY_SECONDS: Final = 10.0
_SHARE: Final = 0.01


class KeptFrames:
    """Data frames of a running study, kept up to date for reports and other readers.

    They are written in their order, so that a later one never knows more than an earlier one.
    """

    def __init__(
        self,
        folder: Path,
        frames: Callable[[], Mapping[str, pd.DataFrame]],
        now: Callable[[], float] = perf_counter,
    ) -> None:
        """Write the frames that ``frames`` returns, by file name, to ``folder``, by a clock in seconds."""
        self._folder = folder
        self._frames = frames
        self._now = now
        self._next = now() + _EVERY_SECONDS

    def keep(self) -> None:
        """Write the frames if they are old; `DataError` where they cannot be written."""
        if self._now() >= self._next:
            self.write()

    def write(self) -> None:
        """Write the frames; `DataError` where they cannot be written."""
        begin = self._now()
        for name, frame in self._frames().items():
            write_frame(self._folder / name, frame)
        now = self._now()
        self._next = now + max(_EVERY_SECONDS, (now - begin) / _SHARE)


def write_frame(path: Path, frame: pd.DataFrame) -> None:
    """Write a data frame, all or nothing; `DataError` where it cannot be written."""
    buffer = BytesIO()
    frame.to_parquet(buffer, index=False)
    storage.write_whole(path, buffer.getvalue(), storage.GO_ON)


def read_frame(path: Path) -> pd.DataFrame:
    """Return a data frame, empty where there is no file yet; `DataError` where it is damaged."""
    try:
        return parquet.read_frame(path)
    except FileNotFoundError:
        return pd.DataFrame()
    except (OSError, ValueError) as error:
        raise DataError(f"{str(path)!r} is damaged: {error}; run the study again to write it anew") from None


def write_json(path: Path, content: Mapping[str, Any]) -> None:
    """Write plain values, all or nothing; `DataError` where they cannot be written."""
    storage.write_whole(path, json.dumps(content, indent=2) + "\n", storage.GO_ON)


def read_json(path: Path) -> dict[str, Any] | None:
    """Return plain values, None where there is no file yet; `DataError` where it is damaged."""
    try:
        found: dict[str, Any] = printable_values(json.loads(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise DataError(f"{str(path)!r} is damaged: {error}") from None
    return found


def rows_of(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the rows of a data frame as plain values, None for missing ones."""
    rows = frame.astype(object).where(frame.notna(), None).to_dict("records")
    return [dict(plain({str(name): value for name, value in row.items()})) for row in rows]
