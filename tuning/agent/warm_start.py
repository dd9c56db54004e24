"""Warm start: trials of earlier studies that a new one knows at the start.

They are copied into the folder of the new study at its start. So the study stays a function of its folder, even if the
earlier ones change.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import pandas as pd

from tag.errors import DataError, TagError
from tag.tuning.agent.definition import StudyDefinition, read_study_manifest
from tag.tuning.search.trials import KnownTrial, known_rows, together
from tag.tuning.study.files import TRIALS, read_frame, write_frame
from tag.tuning.study.folder import STUDY

_KNOWN: Final = "warm_start.parquet"
#: Fields of the definition that must agree for values to compare.
_SAME: Final = ("game", "players", "versus", "objective", "panel")


def known_trials(out: Path, definition: StudyDefinition) -> list[KnownTrial]:
    """Return the results of the earlier studies that lie in the definition's space, each configuration once.

    A study that has been begun in ``out`` keeps the trials that it knew then.

    Raises:
        DataError: an earlier study does not exist or has another subject, or none of its trials lies in the space.
    """
    if (out / STUDY).exists():
        return read_known_trials(out)
    found: dict[str, list[KnownTrial]] = {}
    for folder in definition.warm_start:
        _check(Path(folder), definition)
        for trial in _trials_of(Path(folder), definition):
            found.setdefault(trial.spec, []).append(trial)
    return [together(trials) for trials in found.values()]


def write_known_trials(out: Path, trials: Sequence[KnownTrial]) -> None:
    """Keep the trials in the folder of a study; nothing where there are none."""
    if trials:
        write_frame(out / _KNOWN, pd.DataFrame([vars(trial) for trial in trials]))


def read_known_trials(out: Path) -> list[KnownTrial]:
    """Return the trials in the folder of a study."""
    return known_rows(read_frame(out / _KNOWN))


def _check(folder: Path, definition: StudyDefinition) -> None:
    earlier, mine = read_study_manifest(folder).definition.to_json(), definition.to_json()
    if earlier["generations"] or "," in definition.objective:
        raise DataError(
            f"warm_start cannot be {str(folder)!r}: values of self-play, or of several objectives, do not carry over"
        )
    for name in _SAME:
        if earlier[name] != mine[name]:
            raise DataError(
                f"warm_start cannot be {str(folder)!r}: its {name} is {earlier[name]!r}, not {mine[name]!r}"
            )


def _trials_of(folder: Path, definition: StudyDefinition) -> list[KnownTrial]:
    """Return the trials of an earlier study with a value that lie in the space, by their specs there."""
    frame = read_frame(folder / TRIALS)
    rows = [] if frame.empty else known_rows(frame.dropna(subset=["value"]))
    placed = [replace(row, spec=_in_space(definition, row.spec)) for row in rows if row.games]
    found = [trial for trial in placed if trial.spec]
    if not found:
        raise DataError(f"warm_start cannot be {str(folder)!r}: none of its trials lies in this search space")
    return found


def _in_space(definition: StudyDefinition, spec: str) -> str:
    """Return a spec as the study has it; empty where it lies outside."""
    try:
        return definition.space.spec(definition.space.configuration(spec))
    except TagError:
        return ""
