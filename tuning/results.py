"""What a study has come to, as its folder has it: while it runs, when it was interrupted, and in the end."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from tuning.files import INCUMBENTS, TRIALS, read_frame
from tuning.folder import StudyManifest, of_now, read_study_manifest
from tuning.recommendation import read_recommendation


@dataclass(frozen=True)
class StudyResults:
    """What a study has come to by now.

    Attributes:
        folder: the study's.
        manifest: what it is.
        trials: one row per trial that has ended (`tuning.trials.trials_frame`).
        incumbents: one row per recommendation in the course of the search.
        recommendation: what is in ``recommendation.json``; None as long as the study is not complete.
    """

    folder: Path
    manifest: StudyManifest
    trials: pd.DataFrame
    incumbents: pd.DataFrame
    recommendation: dict[str, Any] | None

    @property
    def complete(self) -> bool:
        """Whether the study has come to its end."""
        return self.recommendation is not None


def read_study(folder: Path) -> StudyResults:
    """Return what the study in ``folder`` has come to.

    Raises:
        DataError: there is none, or a file is damaged.
    """
    manifest = read_study_manifest(folder)
    return StudyResults(
        folder,
        manifest,
        read_frame(folder / TRIALS),
        read_frame(folder / INCUMBENTS),
        of_now(manifest, read_recommendation(folder)),
    )
