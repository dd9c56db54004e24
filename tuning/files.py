"""The tables in the folder of a study, as Parquet: derived from its ledgers, written anew whenever it stops."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Final

import pandas as pd

from tag.errors import DataError
from tournaments.storage import write_whole

TRIALS: Final = "trials.parquet"
INCUMBENTS: Final = "incumbents.parquet"


def write_frame(path: Path, frame: pd.DataFrame) -> None:
    """Write a data frame, all or nothing.

    Raises:
        DataError: it cannot be written.
    """
    buffer = BytesIO()
    frame.to_parquet(buffer, index=False)
    write_whole(path, buffer.getvalue())


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
