"""Files of a training: checkpoints, models, the course of each learner, and the table of evaluations.

A checkpoint's name has its seed, its episode and a digest of its bytes: ``1-000005000-9f86d081884c7d65.safetensors``. So
truncated or altered files are detected. Each file is written whole or not at all.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, NamedTuple

import pandas as pd

from tag.catalogue.models import SUFFIX
from tag.errors import DataError
from tag.tournaments.ledger.parquet import read_frame
from tag.tournaments.ledger.storage import GO_ON, write_whole
from tag.tuning.study.files import write_frame
from tag.tuning.training.definition import TrainingDefinition

CHECKPOINTS: Final = "checkpoints"
CURVES: Final = "curves.parquet"
COURSES: Final = "courses.json"
_NAME: Final = re.compile(r"(\d+)-(\d{9,})-([0-9a-f]{16})\.safetensors", re.ASCII)
#: As many of the newest checkpoints of each learner are kept, so that one may be damaged.
_KEPT: Final = 2

#: The columns of the table of evaluations: where and by what; the result; and the training up to there.
COLUMNS: Final = (
    "seed",
    "episode",
    "moves",
    "evaluator",
    "seat",
    "points",
    "error",
    "low",
    "high",
    "games",
    "cpu_seconds",
    "moves_per_second",
)


class Checkpoint(NamedTuple):
    """The file of a learner after so many episodes."""

    seed: int
    episode: int
    path: Path

    def read(self) -> bytes:
        """Return the content.

        Raises:
            DataError: the file is damaged, or cannot be read.
        """
        try:
            content = self.path.read_bytes()
        except OSError as error:
            raise DataError(f"cannot read the checkpoint {str(self.path)!r}: {error.strerror}") from None
        if digest_of_bytes(content) != self.path.name.removesuffix(SUFFIX).rpartition("-")[2]:
            raise DataError(f"the checkpoint {str(self.path)!r} is damaged; delete it, and the same command goes on")
        return content


def digest_of_bytes(content: bytes) -> str:
    """Return a digest of the content of a file."""
    return blake2b(content, digest_size=8).hexdigest()


class Checkpoints:
    """The checkpoints in the folder of a training."""

    def __init__(self, folder: Path) -> None:
        """Look at the folder, which is made if it is not there."""
        self._folder = folder / CHECKPOINTS
        self._folder.mkdir(exist_ok=True)

    def of(self, seed: int) -> list[Checkpoint]:
        """Return the checkpoints of a learner, the newest first."""
        found = []
        for path in self._folder.glob(f"{seed}-*{SUFFIX}"):
            match = _NAME.fullmatch(path.name)
            if match:
                found.append(Checkpoint(seed, int(match[2]), path))
        return sorted(found, key=lambda one: one.episode, reverse=True)

    def at(self, seed: int, episode: int) -> Checkpoint:
        """Return the checkpoint of a learner after so many episodes; `DataError` where there is none."""
        found = next((one for one in self.of(seed) if one.episode == episode), None)
        if found is None:
            raise DataError(f"{str(self._folder)!r} has no checkpoint of learner {seed} at {episode:,} any more")
        return found

    def sound(self, seed: int, say: Callable[[str], None]) -> list[Checkpoint]:
        """Return the checkpoints of a learner that are not damaged, the newest first; remove the others, and say so."""
        found = []
        for one in self.of(seed):
            try:
                one.read()
                found.append(one)
            except DataError:
                one.path.unlink(missing_ok=True)
                say(
                    f"the checkpoint {str(one.path)!r} is damaged and was removed; training goes on from the one before"
                )
        return found

    def write(self, seed: int, episode: int, content: bytes) -> Checkpoint:
        """Write a checkpoint."""
        path = self._folder / f"{seed}-{episode:09d}-{digest_of_bytes(content)}{SUFFIX}"
        write_whole(path, content, GO_ON)
        return Checkpoint(seed, episode, path)

    def tidy(self, seed: int, needed: Callable[[int], bool], *, is_finished: bool) -> None:
        """Remove the checkpoints of a learner that are not ``needed`` for an evaluation, nor to go on."""
        for one in self.of(seed)[0 if is_finished else _KEPT :]:
            if not needed(one.episode):
                one.path.unlink(missing_ok=True)


def model_path(folder: Path, seed: int) -> Path:
    """Return the file of the model that the learner of a seed has learned."""
    return folder / f"{seed}{SUFFIX}"


@dataclass
class LearnerHistory:
    """The progress of a learner.

    Attributes:
        episodes: the games played so far.
        moves: the moves of these games.
        cpu_seconds: the CPU time of these games.
        marks: the moves and the CPU seconds up to each evaluation, by episode.
        model: the digest of the file of its model; empty until it is finished.
        reason: why it has stopped before it had played all games; empty if it has not.
    """

    seed: int
    episodes: int = 0
    moves: int = 0
    cpu_seconds: float = 0.0
    marks: dict[int, tuple[int, float]] = field(default_factory=dict)
    model: str = ""
    reason: str = ""

    def add(self, episodes: int, moves: int, cpu_seconds: float) -> None:
        """Note a step that has ended after so many episodes and moves in all."""
        self.episodes = episodes
        self.moves = moves
        self.cpu_seconds += cpu_seconds
        self.marks[episodes] = (moves, self.cpu_seconds)

    def go_back(self, episode: int) -> None:
        """Go back to an earlier checkpoint."""
        self.marks = {mark: known for mark, known in self.marks.items() if mark <= episode}
        self.moves, self.cpu_seconds = self.marks[max(self.marks)] if self.marks else (0, 0.0)
        self.episodes = episode
        self.model = self.reason = ""

    def forget_marks(self, evaluated: set[int]) -> None:
        """Keep only the marks of evaluations, and the last one."""
        self.marks = {mark: known for mark, known in self.marks.items() if mark in evaluated or mark == self.episodes}


def read_courses(folder: Path) -> dict[int, LearnerHistory]:
    """Return the courses of a training by seed; without those that have not begun, or whose file is damaged."""
    try:
        found: dict[str, Any] = json.loads((folder / COURSES).read_text(encoding="utf-8"))
        courses = {int(seed): _course(int(seed), known) for seed, known in found.items()}
    except (OSError, ValueError, TypeError, AttributeError, KeyError):
        return {}  # it can be found out again
    return courses


def _course(seed: int, known: Mapping[str, Any]) -> LearnerHistory:
    marks = {int(mark): (int(moves), float(seconds)) for mark, (moves, seconds) in known["marks"].items()}
    rest = {name: value for name, value in known.items() if name not in ("seed", "marks")}
    return LearnerHistory(seed, **rest, marks=marks)


def write_courses(folder: Path, courses: Mapping[int, LearnerHistory]) -> None:
    """Write the courses of a training."""
    content = {str(seed): asdict(course) for seed, course in courses.items()}
    write_whole(folder / COURSES, json.dumps(content, indent=1), GO_ON)


def read_curves(folder: Path) -> pd.DataFrame:
    """Return the table of evaluations, one row per seed, episode, evaluator and seat; for the columns see `COLUMNS`.

    Raises:
        DataError: its file is damaged.
    """
    path = folder / CURVES
    try:
        return read_frame(path)
    except FileNotFoundError:
        return pd.DataFrame(columns=list(COLUMNS))
    except (OSError, ValueError) as error:
        reason = str(error).splitlines()[0]
        raise DataError(
            f"{str(path)!r} is damaged: {reason}; delete it, and the same command trains and evaluates again"
        ) from None


def write_curves(folder: Path, definition: TrainingDefinition, rows: Mapping[Any, list[dict[str, Any]]]) -> None:
    """Write the table of evaluations, in an order that does not depend on when they ended."""
    place = {text: number for number, text in enumerate(definition.evaluate)}
    flat = [row for some in rows.values() for row in some]
    flat.sort(key=lambda row: (row["seed"], row["episode"], place[row["evaluator"]], row["seat"]))
    write_frame(folder / CURVES, pd.DataFrame(flat, columns=list(COLUMNS)))
