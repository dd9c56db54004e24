"""Warm start: trials of earlier studies that a new one knows from the beginning.

They are copied into the folder of the new study when it is begun, so that it stays a function of its folder whatever
becomes of the earlier ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import pandas as pd

from tag.errors import DataError, TagError
from tuning.definition import StudyDefinition
from tuning.files import TRIALS, read_frame, write_frame
from tuning.folder import STUDY, read_study_manifest

_KNOWN: Final = "warm_start.parquet"
#: What makes values comparable.
_SAME: Final = ("game", "players", "versus", "objective", "panel")


@dataclass(frozen=True)
class KnownTrial:
    """What an earlier study found out about a configuration.

    Attributes:
        spec: of the configuration.
        games: those that count.
        value: of the objective.
        blocks: in which these games were played; 0 where that is not known.
        block_variance: the sample variance between the values of blocks.
    """

    spec: str
    games: int
    value: float
    blocks: int = 0
    block_variance: float = 0.0


def known_trials(out: Path, definition: StudyDefinition) -> list[KnownTrial]:
    """Return what the earlier studies of a definition found out that lies in its space, each configuration once.

    A study that has been begun in ``out`` knows what it knew then.

    Raises:
        DataError: an earlier study is none, or of something else, or nothing of it lies in the space.
    """
    if (out / STUDY).exists():
        return read_known_trials(out)
    found: dict[str, list[KnownTrial]] = {}
    for folder in definition.warm_start:
        _check(Path(folder), definition)
        for trial in _trials_of(Path(folder), definition):
            found.setdefault(trial.spec, []).append(trial)
    return [together(trials) for trials in found.values()]


def together(trials: Sequence[KnownTrial]) -> KnownTrial:
    """Return what several trials of a configuration show; one game differs from another as in each of them.

    Two trials of four blocks have six free deviations, as one of seven blocks has: this many it is said to have.
    """
    games = sum(one.games for one in trials)
    value = sum(one.games * one.value for one in trials) / games
    free = sum(max(one.blocks - 1, 0) for one in trials)
    if not free:
        return KnownTrial(trials[0].spec, games, value)
    squares = sum((one.blocks - 1) * one.block_variance * one.games / one.blocks for one in trials if one.blocks > 1)
    return KnownTrial(trials[0].spec, games, value, free + 1, squares / free * (free + 1) / games)


def write_known_trials(out: Path, trials: Sequence[KnownTrial]) -> None:
    """Keep them in the folder of a study; nothing where there are none."""
    if trials:
        write_frame(out / _KNOWN, pd.DataFrame([vars(trial) for trial in trials]))


def read_known_trials(out: Path) -> list[KnownTrial]:
    """Return those in the folder of a study."""
    return known_rows(read_frame(out / _KNOWN))


def known_rows(frame: pd.DataFrame) -> list[KnownTrial]:
    """Return the trials in a data frame with these columns, whatever else it has."""
    rows = frame.to_dict("records")
    return [
        KnownTrial(
            str(row["spec"]),
            int(row["games"]),
            float(row["value"]),
            int(row.get("blocks", 0)),
            float(row.get("block_variance", 0.0)),
        )
        for row in rows
    ]


def _check(folder: Path, definition: StudyDefinition) -> None:
    """Refuse a study whose values mean something else."""
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
