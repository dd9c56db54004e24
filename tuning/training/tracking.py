"""The MLflow run of a training: curves of the median learner, and a run within it for each learner."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

import pandas as pd

from tag.engine.parameters import parse_spec
from tag.tournaments.tracking.runs import Identity, Run, metric_name, origin_tags
from tag.tournaments.tracking.tracker import RunType, RunWriter
from tag.tuning.training.definition import TRAINING, TrainingManifest, read_training_manifest
from tag.tuning.training.files import CURVES, model_path, read_courses, read_curves
from tag.tuning.training.results import by_learner

#: Learners beyond these have no runs of their own.
_MOST_LEARNERS: Final = 50


def _contents(folder: Path) -> list[str]:
    """Return an identification of what is in the folder of a training."""
    files = [folder / CURVES, *(model_path(folder, seed) for seed in read_courses(folder))]
    return [blake2b(file.read_bytes(), digest_size=16).hexdigest() for file in files if file.is_file()]


TRAININGS: Final = RunType("tag.tuning.training.tracking:TrainingWriter", _contents)


class TrainingWriter(RunWriter):
    """Writes the run of a training from its table of evaluations."""

    kind = TRAININGS

    def read_manifest(self) -> TrainingManifest:
        """Return the manifest of the training."""
        return read_training_manifest(self.folder)

    def identity(self, manifest: TrainingManifest) -> Identity:
        """Return the training's id, among the trainings of its game type."""
        game = parse_spec(manifest.definition.game).name
        return Identity(f"{game}-training", "training.id", manifest.id, manifest.created)

    def describe(self, run: Run, manifest: TrainingManifest) -> None:
        """Write the definition of the training, its versions and its sources."""
        known = manifest.definition.to_json()
        seeds = str(known.pop("seeds"))  # parameters of a run cannot grow
        tags = origin_tags(self.folder, "tag train", manifest.versions, manifest.sources, self.execution)
        run.set_tags({**tags, "training.seeds": seeds})
        run.log({name: "; ".join(value) if isinstance(value, list) else value for name, value in known.items()})

    def log_news(self, run: Run, manifest: TrainingManifest, news: Mapping[str, float]) -> None:
        """Write new points of the curves."""
        for _part in self._log_points(run, manifest):
            pass

    def log_all(self, run: Run, manifest: TrainingManifest) -> Iterator[bool]:
        """Write the curves to their ends, and the files."""
        yield from self._log_points(run, manifest)
        models = [model_path(self.folder, seed).name for seed in read_courses(self.folder)]
        for name in (TRAINING, CURVES, "report.html", *models):
            if (self.folder / name).is_file():
                yield True
                run.log_file(self.folder / name, "tables" if name == CURVES else "")

    def _log_points(self, run: Run, manifest: TrainingManifest) -> Iterator[bool]:
        """Write new points; it yields as `end` does."""
        definition = manifest.definition
        curves = read_curves(self.folder)
        if curves.empty:
            return
        values = by_learner(curves)
        learners = dict(list(values.groupby("seed")))
        parts = run.parts()
        for seed in definition.all_seeds[:_MOST_LEARNERS]:
            if seed not in learners:
                continue
            key = f"learner {seed}"
            yield True
            if key not in parts:
                parts[key] = run.new_part(key)
            points = _points(learners[seed], definition.checkpoints, len(definition.evaluate))
            speed = curves[curves["seed"] == seed].groupby("episode")["moves_per_second"].first()
            parts[key].log(
                {"seed": seed}, [(at, {**known, "moves_per_second": float(speed[at])}) for at, known in points]
            )
        yield True
        everybody = values.groupby(["evaluator", "episode"], as_index=False)
        counts = everybody["seed"].count()
        medians = everybody["value"].median()
        medians = medians[counts["seed"] == definition.seeds]
        run.log({}, _points(medians, definition.checkpoints, len(definition.evaluate)))


def _points(values: pd.DataFrame, checkpoints: list[int], evaluators: int) -> list[tuple[int, dict[str, float]]]:
    """Return the values of all evaluators by episode, up to the first checkpoint that is not evaluated completely."""
    found: list[tuple[int, dict[str, float]]] = []
    for episode in checkpoints:
        rows: Any = values[values["episode"] == episode]
        if len(rows) < evaluators:
            break
        known = {metric_name(str(row["evaluator"])): float(row["value"]) for row in rows.to_dict("records")}
        found.append((episode, {name: value for name, value in known.items() if value == value}))
    return found
