"""The results of a balancing study so far.

Results of a balancing study from its folder: while it runs, after an interruption, and in the end.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pandas as pd

from tag.tuning.balancing.definition import BalanceDefinition
from tag.tuning.study.files import read_frame
from tag.tuning.study.folder import ResultsSoFar

FRONT: Final = "front.parquet"


@dataclass(frozen=True)
class BalanceResults(ResultsSoFar[BalanceDefinition]):
    """Results of a balancing study so far, with the Pareto front (`front.parquet`) once the search is over."""

    front: pd.DataFrame


def read_balance(folder: Path) -> BalanceResults:
    """Return the results of the balancing study in ``folder``; `DataError` where there is none, or a file is damaged."""
    return BalanceResults.read(BalanceDefinition, folder, front=read_frame(folder / FRONT))
