"""What a balancing study has come to, as its folder has it: while it runs, when it was interrupted, and in the end."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pandas as pd

from tuning.balance.definition import BalanceDefinition
from tuning.balance.verdict import read_verdict
from tuning.files import INCUMBENTS, TRIALS, read_frame
from tuning.folder import Manifest, of_now, read_manifest_of

FRONT: Final = "front.parquet"


@dataclass(frozen=True)
class BalanceResults:
    """What a balancing study has come to by now.

    Attributes:
        folder: the study's.
        manifest: what it is.
        trials: one row per trial that has ended, with its estimates.
        incumbents: what the model took for the best in the course of the search (`tuning.balance.course`).
        front: the Pareto front of the candidates (`tuning.balance.front`), once the search is over.
        verdict: what is in ``balance.json``; None as long as the study is not complete.
    """

    folder: Path
    manifest: Manifest[BalanceDefinition]
    trials: pd.DataFrame
    incumbents: pd.DataFrame
    front: pd.DataFrame
    verdict: dict[str, Any] | None

    @property
    def complete(self) -> bool:
        """Whether the study has come to its end."""
        return self.verdict is not None


def read_balance(folder: Path) -> BalanceResults:
    """Return what the balancing study in ``folder`` has come to.

    Raises:
        DataError: there is none, or a file is damaged.
    """
    manifest = read_manifest_of(BalanceDefinition, folder)
    return BalanceResults(
        folder,
        manifest,
        read_frame(folder / TRIALS),
        read_frame(folder / INCUMBENTS),
        read_frame(folder / FRONT),
        of_now(manifest, read_verdict(folder)),
    )
