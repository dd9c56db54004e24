"""The contents of the run of a training: curves of the median learner, and a run within it for each learner."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

import pandas as pd

from tag.engine.parameters import parse_spec
from tag.tournaments.tracking.contents import Point, RunContents, RunPart, RunResults, existing
from tag.tournaments.tracking.origin import origin_tags
from tag.tournaments.tracking.runs import Identity, metric_name
from tag.tournaments.tracking.tracker import RunType
from tag.tuning.training.definition import TRAINING, TrainingManifest, read_training_manifest
from tag.tuning.training.files import CURVES, model_path, read_courses, read_curves
from tag.tuning.training.results import by_learner

#: Learners beyond these have no runs of their own.
_MOST_LEARNERS: Final = 50


def _files_of(folder: Path) -> list[str]:
    """Return an identification of what is in the folder of a training."""
    files = [folder / CURVES, *(model_path(folder, seed) for seed in read_courses(folder))]
    return [blake2b(file.read_bytes(), digest_size=16).hexdigest() for file in files if file.is_file()]


TRAININGS: Final = RunType("tag.tuning.training.tracking:TrainingContents", _files_of)


class TrainingContents(RunContents):
    """The contents of the run of a training, from its table of evaluations."""

    kind = TRAININGS
    manifest: TrainingManifest

    def read_manifest(self) -> TrainingManifest:
        """Return the manifest of the training."""
        return read_training_manifest(self.folder)

    def identity(self) -> Identity:
        """Return the training's id, among the trainings of its game type."""
        game = parse_spec(self.manifest.definition.game).name
        return Identity(f"{game}-training", "training.id", self.manifest.id, self.manifest.created)

    def parameters(self) -> dict[str, object]:
        """Return the definition of the training without its seeds, which can grow."""
        known = self.manifest.definition.to_json()
        del known["seeds"]
        return {name: "; ".join(value) if isinstance(value, list) else value for name, value in known.items()}

    def tags(self, execution: Mapping[str, object]) -> dict[str, str]:
        """Return the seeds of the training, its versions and its sources."""
        manifest = self.manifest
        tags = origin_tags(self.folder, "tag train", manifest.versions, manifest.sources, execution)
        return {**tags, "training.seeds": str(manifest.definition.to_json()["seeds"])}

    def points(self, after: int, *, complete: bool) -> Iterable[Point]:
        """Return the medians of the learners."""
        definition, curves = self.manifest.definition, read_curves(self.folder)
        if curves.empty:
            return []
        everybody = by_learner(curves).groupby(["evaluator", "episode"], as_index=False)
        counts = everybody["seed"].count()
        medians = everybody["value"].median()
        medians = medians[counts["seed"] == definition.seeds]
        return _points(medians, definition.checkpoints, len(definition.evaluate))

    def parts(self, *, complete: bool) -> Iterator[RunPart]:
        """Yield the learners."""
        definition, curves = self.manifest.definition, read_curves(self.folder)
        learners = dict(list(by_learner(curves).groupby("seed"))) if len(curves) else {}
        for seed in definition.all_seeds[:_MOST_LEARNERS]:
            if seed in learners:
                speed = curves[curves["seed"] == seed].groupby("episode")["moves_per_second"].first()
                points = _points(learners[seed], definition.checkpoints, len(definition.evaluate))
                known = [(at, {**values, "moves_per_second": float(speed[at])}) for at, values in points]
                yield RunPart(f"learner {seed}", {"seed": seed}, known)

    def results(self, scratch: Path) -> RunResults:
        """Return the files."""
        models = [model_path(self.folder, seed).name for seed in read_courses(self.folder)]
        return RunResults(files=list(existing(self.folder, (TRAINING, CURVES, "report.html", *models))))


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
