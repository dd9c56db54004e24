"""``tag train``, with ``show`` and ``report``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from tag.cli.process import print_json
from tag.tournaments.commands import tournament
from tag.tournaments.commands.settings import (
    declared_options,
    said_options,
    shown_options,
    stopped,
    table_width,
)
from tag.tournaments.reports import displays
from tag.tuning.commands import python
from tag.tuning.commands.cli import StudyGroup, UnnamedCommand
from tag.tuning.commands.settings import TrainingSettings
from tag.tuning.training import run as running
from tag.tuning.training.definition import read_training_manifest


@click.group(cls=StudyGroup)
def train() -> None:
    """Have learners learn a game by playing against themselves or from recorded games, or show what they have learned."""


@train.command("run", cls=UnnamedCommand)
@click.argument("learner")
@declared_options(TrainingSettings, without=["learner"])
@shown_options
def run_train(learner: str, progress: str, quiet: bool, as_json: bool, **options: Any) -> int:
    """Have LEARNER learn a game by playing against itself, or from recorded games (--ledger), or go on with that.

    LEARNER is a spec (`tag learners` lists them). It may also be a TOML file with the same words as the options, which
    options override, or the folder of a training, to go on with that. Each learner becomes a file in the folder, named
    after its seed, with which agents play: `learned:file=DIR/1.safetensors`. `tag train show DIR` shows the results.

    Example: tag train td_ntuple --game connect_four --episodes 750000 --seeds 5 --workers 2 --out models/c4
    """
    settings = TrainingSettings.of(learner, said_options(options), {"learner": learner})
    definition = settings.definition()
    folder = settings.folder(definition)
    shown = displays.make_progress(quiet, progress)
    with settings.make_workers() as workers:
        results = running.run_training(
            definition,
            folder,
            workers=workers,
            tracking=settings.store,
            progress=shown,
            checkpoint_seconds=settings.checkpoint_seconds,
        )
    run = python.TrainingRun(results)
    _print(run, as_json)
    if not run.complete:
        return stopped(results.episodes, f"{definition.seeds * definition.episodes:,}")
    if not as_json and (where := tournament.look_at_run(settings, folder, run.tracked_as)):
        click.echo("\n  ".join(["look at its run:", *where]))
    return 0


@train.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def show(folder: Path, as_json: bool) -> None:
    """Show the training in FOLDER: the learners, their files, and the last evaluations; also while it runs."""
    _print(_opened(folder), as_json)


@train.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE", help="The file; FOLDER/report.html by default.")
def report(folder: Path, out: Path | None) -> None:
    """Write what the training in FOLDER has come to as one HTML file, which needs no other; also while it runs.

    A training writes it by itself in the end, and when it is interrupted.
    """
    click.echo(_opened(folder).report(out))


def _opened(folder: Path) -> python.TrainingRun:
    read_training_manifest(folder)  # refused before more is loaded
    return python.open_training(folder)


def _print(run: python.TrainingRun, as_json: bool) -> None:
    if as_json:
        print_json(run.to_json())
    else:
        click.echo(run.text(table_width()))
