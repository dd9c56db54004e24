"""The results of a training, from its folder: while it runs, after an interruption, and in the end."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from io import StringIO
from math import sqrt
from pathlib import Path
from typing import Any, Final

import numpy as np
import pandas as pd
from rich.console import Console
from rich.table import Table

from tag.engine.parameters import Spec
from tag.tournaments.statistics.intervals import HALF_WIDTH
from tag.tournaments.statistics.plain_records import plain
from tag.tuning.training.definition import TrainingDefinition, TrainingManifest, read_training_manifest
from tag.tuning.training.files import LearnerHistory, model_path, read_courses, read_curves

_WIDTH: Final = 160
#: A seat of the table that stands for all.
ALL_SEATS: Final = 0
#: More learners than this are not listed one by one.
_MOST_LISTED: Final = 20


@dataclass(frozen=True, eq=False)
class TrainingResults:
    """The results of a training so far.

    Attributes:
        folder: the training's.
        manifest: its definition and versions.
        courses: how far the learners have come, by seed.
        curves: the table of evaluations (`tag.tuning.training.files.COLUMNS`).
    """

    folder: Path
    manifest: TrainingManifest
    courses: dict[int, LearnerHistory]
    curves: pd.DataFrame

    @property
    def complete(self) -> bool:
        """True if all learners are finished, and evaluated."""
        definition = self.manifest.definition
        known = set(zip(self.curves["seed"], self.curves["episode"], self.curves["evaluator"], strict=True))
        return all(
            course.model
            and all(
                (seed, episode, text) in known
                for episode in definition.checkpoints
                if episode <= course.episodes
                for text in definition.evaluate
            )
            for seed, course in self.courses.items()
        )

    @property
    def episodes(self) -> int:
        """The games that all learners have played."""
        return sum(course.episodes for course in self.courses.values())

    @property
    def models(self) -> list[Path]:
        """The files of the models of learners that are finished."""
        return [model_path(self.folder, seed) for seed, course in self.courses.items() if course.model]

    def spec(self) -> str:
        """Return the spec of an agent that plays by the first model; empty as long as there is none."""
        return str(Spec("learned", {"file": str(self.models[0])})) if self.models else ""


def read_training(folder: Path) -> TrainingResults:
    """Return the results of the training in ``folder``.

    Raises:
        DataError: there is none, or a file is damaged.
    """
    manifest = read_training_manifest(folder)
    known = read_courses(folder)
    courses = {seed: known.get(seed, LearnerHistory(seed)) for seed in manifest.definition.all_seeds}
    return TrainingResults(folder, manifest, courses, read_curves(folder))


def by_learner(curves: pd.DataFrame) -> pd.DataFrame:
    """Return one row per evaluator, episode and seed: the mean over the seats, with the ends of an interval.

    The columns are evaluator, episode, seed, value, low, high and games; an interval of several seats is from their
    standard errors.
    """
    rows = []
    for (evaluator, episode, seed), seats in curves.groupby(["evaluator", "episode", "seed"], sort=False):
        value = float(seats["points"].mean())
        half = HALF_WIDTH * sqrt(float((seats["error"] ** 2).sum())) / len(seats)
        low, high = value - half, value + half
        if len(seats) == 1:
            low, high = float(seats["low"].iloc[0]), float(seats["high"].iloc[0])
        rows.append((evaluator, int(str(episode)), int(str(seed)), value, low, high, int(seats["games"].sum())))
    return pd.DataFrame(rows, columns=["evaluator", "episode", "seed", "value", "low", "high", "games"])


def over_learners(curves: pd.DataFrame, evaluator: str) -> pd.DataFrame:
    """Return one row per episode: the median of the learners and a band, by columns games, value, low and high.

    The band is from the least to the greatest learner; with one learner it is the interval of its games.
    """
    known = by_learner(curves[curves["evaluator"] == evaluator])
    rows = []
    for episode, learners in known.dropna(subset=["value"]).groupby("episode"):
        values = learners["value"].to_numpy(np.float64)
        alone = len(values) == 1
        low = float(learners["low"].iloc[0]) if alone else float(values.min())
        high = float(learners["high"].iloc[0]) if alone else float(values.max())
        rows.append((int(str(episode)), float(np.median(values)), low, high))
    return pd.DataFrame(rows, columns=["games", "value", "low", "high"])


def last_evaluations(curves: pd.DataFrame) -> pd.DataFrame:
    """Return one row per evaluator and seat, from the last evaluation of each learner.

    The columns are evaluator, seat, learners, value (their median), least, greatest, half (half the width of the 95 %
    interval of one learner, the median) and games (of one learner).
    """
    last = curves[curves["episode"] == curves.groupby("seed")["episode"].transform("max")]
    rows = []
    for (evaluator, seat), seats in last.groupby(["evaluator", "seat"], sort=False):
        counted = seats[seats["games"] > 0]
        ends = (counted["high"] - counted["low"]) / 2.0
        rows.append(
            (
                evaluator,
                int(str(seat)),
                len(counted),
                float(counted["points"].median()),
                float(counted["points"].min()),
                float(counted["points"].max()),
                float(ends.median()),
                float(counted["games"].median()) if len(counted) else 0.0,
            )
        )
    columns = ["evaluator", "seat", "learners", "value", "least", "greatest", "half", "games"]
    return pd.DataFrame(rows, columns=columns)


def seat_text(seat: int) -> str:
    """Return the name of a seat in a table."""
    return "all" if seat == ALL_SEATS else str(seat)


def training_text(results: TrainingResults, width: int | None = None) -> str:
    """Return the text of ``tag train show``, in so many columns at most."""
    definition = results.manifest.definition
    learners = "1 learner" if definition.seeds == 1 else f"{definition.seeds:,} learners"
    lines = [
        f"{definition.learner} in {definition.game} with {definition.players} players: {learners}, "
        f"{definition.episodes:,} games each{recorded_where(definition)}"
        + ("" if results.complete else "; not complete")
    ]
    tables = [_learners_table(results)]
    if len(results.curves):
        tables.append(_evaluations_table(results))
    for table in tables:
        lines += ["", _drawn(table, width)]
    if len(results.curves):
        lines += [f"no cases: {text}" for text in without_cases(results)]
    if results.models:
        game, others = shlex.quote(definition.game), " --agent random" * (definition.players - 1)
        lines += ["", f"play with it: tag play {game} --agent {shlex.quote(results.spec())}{others}"]
    return "\n".join(lines)


def recorded_where(definition: TrainingDefinition) -> str:
    """Return where the games were recorded, as the end of a phrase; empty for games against itself."""
    return f", recorded in {definition.ledger}" if definition.ledger else ""


def without_cases(results: TrainingResults) -> list[str]:
    """Return the evaluators that had nothing to evaluate, with the reason."""
    found = last_evaluations(results.curves)
    names = found.groupby("evaluator", sort=False)["learners"].sum()
    return [f"{name} counts solved positions, and its budget has solved none" for name in names[names == 0].index]


def training_json(results: TrainingResults) -> dict[str, Any]:
    """Return the same, and the table of evaluations, as plain values."""
    definition = results.manifest.definition
    return {
        "folder": str(results.folder),
        "complete": results.complete,
        "definition": definition.to_json(),
        "learners": [
            {
                "seed": seed,
                "episodes": course.episodes,
                "moves": course.moves,
                "cpu_seconds": course.cpu_seconds,
                "file": str(model_path(results.folder, seed)) if course.model else None,
                "stopped": course.reason,
            }
            for seed, course in results.courses.items()
        ],
        "last": plain(last_evaluations(results.curves).to_dict("records")) if len(results.curves) else [],
        "curves": plain(results.curves.to_dict("records")),
    }


def state_of(course: LearnerHistory) -> str:
    """Return how a learner has ended, or that it has not."""
    if not course.model:
        return "not finished"
    return f"stopped: {course.reason}" if course.reason else "finished"


def _learners_table(results: TrainingResults) -> Table:
    table = _table("learner", "games", "moves", "CPU s", "moves/s", "file", "state")
    courses = list(results.courses.items())
    for seed, course in courses[:_MOST_LISTED]:
        speed = course.moves / course.cpu_seconds if course.cpu_seconds else 0.0
        file = model_path(results.folder, seed).name if course.model else "-"
        figures = (f"{course.episodes:,}", f"{course.moves:,}", f"{course.cpu_seconds:,.1f}", f"{speed:,.0f}")
        table.add_row(str(seed), *figures, file, state_of(course))
    if len(courses) > _MOST_LISTED:
        table.add_row("…", "", "", "", "", f"and {len(courses) - _MOST_LISTED:,} more", "")
    return table


def _evaluations_table(results: TrainingResults) -> Table:
    table = _table("evaluated by", "seat", "median", "least", "greatest", "± of one learner", "games of each")
    for row in last_evaluations(results.curves).to_dict("records"):
        figures = [f"{row[name]:.3f}" if row["learners"] else "-" for name in ("value", "least", "greatest", "half")]
        table.add_row(str(row["evaluator"]), seat_text(int(row["seat"])), *figures, f"{row['games']:,.0f}")
    return table


def progress_table(evaluators: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    """Return the table that a terminal shows during a training: of learners, their games and their last evaluations."""
    table = _table("learner", "games", *evaluators)
    for row in rows:
        table.add_row(*row)
    return table


def _table(*columns: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        is_text = column in ("learner", "evaluated by", "file", "state")
        table.add_column(column, overflow="fold", justify="left" if is_text else "right")
    return table


def _drawn(table: Table, width: int | None) -> str:
    console = Console(file=StringIO(), width=width or _WIDTH, highlight=False)
    with console.capture() as captured:
        console.print(table)
    return "\n".join(line.rstrip() for line in captured.get().splitlines())
