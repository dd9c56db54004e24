"""Small trainings for tests: hundreds of games of tic-tac-toe."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd

from tag.cluster import Workers
from tag.tuning.training.definition import TrainingDefinition, define_training
from tag.tuning.training.files import read_curves
from tag.tuning.training.results import TrainingResults
from tag.tuning.training.run import run_training

LEARNER = "td_ntuple:tuples=lines,alpha=0.5"
#: Columns of the table of evaluations that are measured times.
TIMES = ["cpu_seconds", "moves_per_second"]


def small(**changes: Any) -> TrainingDefinition:
    """Return a training of two learners of 150 games each, evaluated three times."""
    said: dict[str, Any] = {"seeds": 2, "evaluations": 3, "evaluation_games": 4, "evaluate": ("random",)}
    said |= changes
    if said["evaluations"] == 0:
        del said["evaluate"]
    if "evaluate" not in said or all(text.startswith("agreement") for text in said["evaluate"]):
        said.pop("evaluation_games")
    episodes = said.pop("episodes", 150)
    return define_training(said.pop("learner", LEARNER), said.pop("game", "tic_tac_toe"), episodes, **said)


def trained(
    definition: TrainingDefinition, out: Path, workers: Workers | int = 1, seconds: float = 0.05
) -> TrainingResults:
    """Train without tracking, with many checkpoints."""
    return run_training(definition, out, workers=workers, tracking=False, checkpoint_seconds=seconds)


def outcome(out: Path) -> dict[str, Any]:
    """Return what a training has come to, without measured times: its models and its table of evaluations."""
    models = {path.name: path.read_bytes() for path in out.glob("*.safetensors")}
    curves: pd.DataFrame = read_curves(out)
    return {**models, "curves": curves.drop(columns=TIMES).to_json()}
